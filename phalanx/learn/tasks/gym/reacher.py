"""Reach a target with two links in a plane: Reacher-v5."""

from __future__ import annotations

from phalanx.algebra.elementary import sincos
from phalanx.algebra.memory import load3
from phalanx.algebra.number import sqrt
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.gym.gymnasium_task import GymnasiumTask
from phalanx.learn.tasks.signals import sum_of_squares

TWO_PI = 6.283185307179586


class Reacher(GymnasiumTask):
    """The reward is minus the distance of finger tip and target, less the cost of controls."""

    xml_file = "reacher.xml"
    frame_skip = 2
    max_steps = 50
    observation = (
        Signal("cosine", 2, -1.0, 1.0, names=("cosine of first joint", "cosine of second joint")),
        Signal("sine", 2, -1.0, 1.0, names=("sine of first joint", "sine of second joint")),
        Signal("target", 2, names=("target x", "target y"), unit="m"),
        Signal("velocity", 2, names=("first joint", "second joint"), unit="rad/s"),
        Signal("way to the target", 2, names=("finger tip - target x", "finger tip - target y"), unit="m"),
    )
    state = (
        Row("reward_dist", info=True, doc="minus the distance"),
        Row("reward_ctrl", info=True, doc="what controls cost, negative"),
    )
    reward_dist_weight = 1.0
    reward_control_weight = 1.0

    def setup(self) -> None:
        """Where tip and target are."""
        self.tip, self.target = self.model.body("fingertip").id, self.model.body("target").id

    def way(self, d):
        """From target to tip."""
        return sub(load3(d.xpos, self.tip), load3(d.xpos, self.target))

    def observe(self, m, d, out):
        """Joints, target, and how far it is."""
        way = self.way(d)
        for i in range(2):
            sine, cosine = sincos(d.qpos[i])
            out[i] = cosine
            out[2 + i] = sine
            out[4 + i] = d.qpos[2 + i]
            out[6 + i] = d.qvel[i]
        out[8] = way[0]
        out[9] = way[1]

    def reward(self, m, d):
        """Minus distance and effort."""
        d.task.reward_dist = -norm(self.way(d)) * self.reward_dist_weight
        d.task.reward_ctrl = -sum_of_squares(d.action, m.nu) * self.reward_control_weight
        return d.task.reward_dist + d.task.reward_ctrl

    def reset(self, m, d, rng):
        """Joints near zero, the target anywhere in a disc of 0.2 m."""
        for i in range(2):
            d.qpos[i] = d.qpos[i] + rng.uniform(-0.1, 0.1)
            d.qvel[i] = d.qvel[i] + rng.uniform(-0.005, 0.005)
        radius, angle = 0.2 * sqrt(rng.uniform(0.0, 1.0)), rng.uniform(0.0, TWO_PI)
        sine, cosine = sincos(angle)
        d.qpos[2] = radius * cosine
        d.qpos[3] = radius * sine
