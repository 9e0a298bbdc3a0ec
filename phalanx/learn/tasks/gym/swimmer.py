"""Swim in a plane: Swimmer-v5."""

from __future__ import annotations

from phalanx.algebra.number import sqrt
from phalanx.learn.task_rows import Row
from phalanx.learn.tasks.gym.gymnasium_task import FORWARD_ROWS, ForwardTask, shake
from phalanx.learn.tasks.signals import state_signals, sum_of_squares, write_state


class Swimmer(ForwardTask):
    """A chain of three links swims along x; episodes end by time only."""

    xml_file = "swimmer.xml"
    frame_skip = 4
    ctrl_cost_weight = 1e-4
    state = (
        *FORWARD_ROWS,
        Row("y_before", doc="y when the action began [m]"),
        Row("y_position", info=True, doc="[m]"),
        Row("y_velocity", info=True, doc="average speed during the action [m/s]"),
        Row("distance_from_origin", info=True, doc="[m]"),
    )

    def setup(self) -> None:
        """Without the position in the plane, unless it is asked for."""
        self.skipped = 2 * int(self.exclude_current_positions_from_observation)
        self.observation = state_signals(self.model, self.skipped)

    def before(self, m, d):
        """Where the swimmer is."""
        d.task.x_before = d.qpos[0]
        d.task.y_before = d.qpos[1]

    def after(self, m, d):
        """How fast it went, and what that is worth."""
        duration = m.opt.timestep * self.frame_skip
        d.task.x_velocity = (d.qpos[0] - d.task.x_before) / duration
        d.task.y_velocity = (d.qpos[1] - d.task.y_before) / duration
        d.task.reward_forward = self.forward_reward_weight * d.task.x_velocity
        d.task.reward_ctrl = -self.ctrl_cost_weight * sum_of_squares(d.action, m.nu)

    def info(self, m, d):
        """Where the swimmer is."""
        d.task.x_position = d.qpos[0]
        d.task.y_position = d.qpos[1]
        d.task.distance_from_origin = sqrt(d.qpos[0] * d.qpos[0] + d.qpos[1] * d.qpos[1])

    def observe(self, m, d, out):
        """Positions and velocities."""
        write_state(m, d, out, self.skipped)

    def reset(self, m, d, rng):
        """Near rest."""
        shake(m, d, rng, self.reset_noise_scale)
