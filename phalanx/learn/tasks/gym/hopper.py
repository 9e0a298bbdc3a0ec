"""Hop on one leg in a plane: Hopper-v5."""

from __future__ import annotations

from phalanx.algebra.number import and_, not_, where
from phalanx.learn.task_rows import Row
from phalanx.learn.tasks.gym.gymnasium_task import FORWARD_ROWS, ForwardTask, shake
from phalanx.learn.tasks.signals import state_signals, write_bounded_state

#: Rows of tasks that also pay for staying upright.
UPRIGHT_ROWS = (
    *FORWARD_ROWS,
    Row("z_distance_from_origin", info=True, doc="height above that of the model [m]"),
    Row("reward_survive", info=True, doc="what being healthy is paid"),
)


class Hopper(ForwardTask):
    """Hop along x as fast as possible without falling; an episode ends when the hopper is not healthy."""

    xml_file = "hopper.xml"
    frame_skip = 4
    state: tuple[Row, ...] = UPRIGHT_ROWS
    ctrl_cost_weight = 1e-3
    healthy_reward = 1.0
    terminate_when_unhealthy = True
    healthy_state_range = (-100.0, 100.0)
    healthy_z_range = (0.7, float("inf"))
    healthy_angle_range = (-0.2, 0.2)
    reset_noise_scale = 5e-3

    def setup(self) -> None:
        """Without the position along x, unless it is asked for."""
        self.skipped = int(self.exclude_current_positions_from_observation)
        self.observation = state_signals(self.model, self.skipped, 10.0)

    def is_healthy(self, m, d):
        """Height, angle and all other numbers of the state are in their ranges."""
        z, angle = d.qpos[1], d.qpos[2]
        low, high = self.healthy_state_range
        is_fine = and_(and_(self.healthy_z_range[0] < z, z < self.healthy_z_range[1]),
                       and_(self.healthy_angle_range[0] < angle, angle < self.healthy_angle_range[1]))  # fmt: skip
        for i in range(2, m.nq):
            is_fine = and_(is_fine, and_(low < d.qpos[i], d.qpos[i] < high))
        for i in range(m.nv):
            is_fine = and_(is_fine, and_(low < d.qvel[i], d.qvel[i] < high))
        return is_fine

    def reward(self, m, d):
        """Speed and health less the cost of controls."""
        d.task.reward_survive = where(self.is_healthy(m, d), self.healthy_reward, 0.0)
        return d.task.reward_forward + d.task.reward_survive + d.task.reward_ctrl

    def terminated(self, m, d):
        """It is not healthy."""
        return and_(not_(self.is_healthy(m, d)), self.terminate_when_unhealthy)

    def info(self, m, d):
        """Where the robot is."""
        d.task.x_position = d.qpos[0]
        d.task.z_distance_from_origin = d.qpos[1] - m.qpos0[1]

    def observe(self, m, d, out):
        """Positions and velocities, the latter cut off."""
        write_bounded_state(m, d, out, self.skipped, 10.0)

    def reset(self, m, d, rng):
        """Near rest."""
        shake(m, d, rng, self.reset_noise_scale)
