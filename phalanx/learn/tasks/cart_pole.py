"""Keep a pole upright on a cart."""

from __future__ import annotations

from phalanx.algebra.number import abs_, clamp, or_
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Signal


class CartPole(Task):
    """Push a cart so that the pole on it does not fall, and the cart stays on its rail.

    The reward is 1 for each action, less what the push costs. The episode ends when the pole leans by more than 0.2
    rad or the cart is more than 1.5 m away from the middle.
    """

    model = "cartpole"
    observation = (
        Signal("position", 2, names=("cart position", "pole angle")),
        Signal("velocity", 2, names=("cart velocity", "pole velocity")),
    )
    frame_skip = 4
    max_steps = 500
    action_low, action_high = -1.0, 1.0
    force = 10.0
    reset_range = 0.05
    effort_weight = 0.01
    largest_angle, largest_position = 0.2, 1.5

    def control(self, m, d):
        """From -1 to 1: a force [N]."""
        d.ctrl[0] = self.force * clamp(d.action[0], -1.0, 1.0)

    def observe(self, m, d, out):
        """Positions and velocities."""
        for i in range(2):
            out[i] = d.qpos[i]
            out[2 + i] = d.qvel[i]

    def reward(self, m, d):
        """One for each action, less its effort."""
        return 1.0 - self.effort_weight * d.action[0] * d.action[0]

    def terminated(self, m, d):
        """The pole leans too far, or the cart has come too far."""
        return or_(abs_(d.qpos[1]) > self.largest_angle, abs_(d.qpos[0]) > self.largest_position)

    def reset(self, m, d, rng):
        """Near rest, the pole upright."""
        for i in range(2):
            d.qpos[i] = rng.uniform(-self.reset_range, self.reset_range)
            d.qvel[i] = rng.uniform(-self.reset_range, self.reset_range)
