"""What the tasks of Gymnasium have in common: where their models are, and how episodes begin."""

from __future__ import annotations

from pathlib import Path

from phalanx.algebra.jit import kernel
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Row
from phalanx.learn.tasks.installed_models import installed_file
from phalanx.learn.tasks.signals import sum_of_squares
from phalanx.world.model import Model

#: Where Gymnasium keeps its models.
ASSETS = "envs/mujoco/assets"


class GymnasiumTask(Task):
    """A task whose model comes with Gymnasium.

    Attributes:
        xml_file: of the model; a name without folder is looked for in the installed package gymnasium.
    """

    xml_file = ""
    max_steps = 1000

    def _loaded_model(self) -> Model:
        if self.model is None:
            is_plain = Path(self.xml_file).name == self.xml_file
            self.model = (
                installed_file("gymnasium", f"{ASSETS}/{self.xml_file}", "learn") if is_plain else self.xml_file
            )
        return super()._loaded_model()


#: Rows of tasks that pay for speed along x.
FORWARD_ROWS = (
    Row("x_before", doc="x when the action began [m]"),
    Row("x_position", info=True, doc="[m]"),
    Row("x_velocity", info=True, doc="average speed during the action [m/s]"),
    Row("reward_forward", info=True, doc="what speed is paid"),
    Row("reward_ctrl", info=True, doc="what controls cost, negative"),
)


class ForwardTask(GymnasiumTask):
    """Move along x, with qpos[0] as the position: the reward is speed less the cost of controls."""

    state: tuple[Row, ...] = FORWARD_ROWS
    forward_reward_weight = 1.0
    ctrl_cost_weight = 0.1
    reset_noise_scale = 0.1
    exclude_current_positions_from_observation = True

    def before(self, m, d):
        """Where the robot is."""
        d.task.x_before = d.qpos[0]

    def after(self, m, d):
        """How fast it went, and what that is worth."""
        d.task.x_velocity = (d.qpos[0] - d.task.x_before) / (m.opt.timestep * self.frame_skip)
        d.task.reward_forward = self.forward_reward_weight * d.task.x_velocity
        d.task.reward_ctrl = -self.ctrl_cost_weight * sum_of_squares(d.action, m.nu)

    def reward(self, m, d):
        """Speed less the cost of controls."""
        return d.task.reward_forward + d.task.reward_ctrl

    def info(self, m, d):
        """Where the robot is."""
        d.task.x_position = d.qpos[0]


@kernel
def shake(m, d, rng, size):
    """Uniform noise on positions, then on velocities."""
    for i in range(m.nq):
        d.qpos[i] = d.qpos[i] + rng.uniform(-size, size)
    for i in range(m.nv):
        d.qvel[i] = d.qvel[i] + rng.uniform(-size, size)


@kernel
def shake_normal(m, d, rng, size):
    """Uniform noise on positions, normal noise on velocities."""
    for i in range(m.nq):
        d.qpos[i] = d.qpos[i] + rng.uniform(-size, size)
    for i in range(m.nv):
        d.qvel[i] = d.qvel[i] + rng.normal(0.0, size)
