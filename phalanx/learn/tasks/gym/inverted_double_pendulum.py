"""Balance two poles on top of each other on a cart: InvertedDoublePendulum-v5."""

from __future__ import annotations

from phalanx.algebra.elementary import sincos
from phalanx.algebra.number import clamp, where
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.gym.gymnasium_task import GymnasiumTask, shake_normal


class InvertedDoublePendulum(GymnasiumTask):
    """The reward is for a tip that is high and slow; the episode ends when it is not above 1 m."""

    xml_file = "inverted_double_pendulum.xml"
    frame_skip = 5
    observation = (
        Signal("cart", unit="m"),
        Signal("sine", 2, -1.0, 1.0, names=("sine of lower pole", "sine of upper pole")),
        Signal("cosine", 2, -1.0, 1.0, names=("cosine of lower pole", "cosine of upper pole")),
        Signal("velocity", 3, -10.0, 10.0, names=("cart [m/s]", "lower pole [rad/s]", "upper pole [rad/s]")),
        Signal("constraint force on the cart", 1, -10.0, 10.0, unit="N"),
    )
    state = (
        Row("reward_survive", info=True, doc="for a tip above 1 m"),
        Row("distance_penalty", info=True, doc="for a tip that is away from (0, 2), negative"),
        Row("velocity_penalty", info=True, doc="for poles that turn, negative"),
    )
    healthy_reward = 10.0
    reset_noise_scale = 0.1

    def observe(self, m, d, out):
        """Positions, velocities, and the force at the end of the rail."""
        out[0] = d.qpos[0]
        for i in range(2):
            sine, cosine = sincos(d.qpos[1 + i])
            out[1 + i] = sine
            out[3 + i] = cosine
        for i in range(3):
            out[5 + i] = clamp(d.qvel[i], -10.0, 10.0)
        out[8] = clamp(d.qfrc_constraint[0], -10.0, 10.0)

    def reward(self, m, d):
        """Ten for a tip above 1 m, less penalties for distance and speed."""
        x, y, v1, v2 = d.site_xpos[0, 0], d.site_xpos[0, 2], d.qvel[1], d.qvel[2]
        d.task.distance_penalty = -(0.01 * (x * x) + (y - 2.0) * (y - 2.0))
        d.task.velocity_penalty = -(1e-3 * (v1 * v1) + 5e-3 * (v2 * v2))
        d.task.reward_survive = where(y <= 1.0, 0.0, self.healthy_reward)
        return d.task.reward_survive + d.task.distance_penalty + d.task.velocity_penalty

    def terminated(self, m, d):
        """The tip has fallen."""
        return d.site_xpos[0, 2] <= 1.0

    def reset(self, m, d, rng):
        """Near rest, poles upright."""
        shake_normal(m, d, rng, self.reset_noise_scale)
