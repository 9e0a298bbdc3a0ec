"""Bring the tool of the built-in arm to a target."""

from __future__ import annotations

from typing import Any

from phalanx.algebra.elementary import exp, sincos
from phalanx.algebra.memory import load3
from phalanx.algebra.number import clamp, sqrt, where
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Row, Signal

#: Joints of the arm.
JOINTS = 6


class ArmReach(Task):
    """The built-in arm brings its tool to a point and holds it there.

    The action changes the targets of the servos, by up to `action_scale` [rad] for each action. The reward is
    `exp(-distance / sharpness)`, one more within `near`, less the cost of changes.

    Attributes:
        radius, height: least and largest distance from the axis of the arm, and height of targets [m].
        near: how near counts as reached [m].
    """

    model: Any = "arm"
    frame_skip = 10
    max_steps = 200
    action_low, action_high = -1.0, 1.0
    action_scale = 0.05
    radius, height = (0.3, 0.65), (0.2, 0.7)
    sharpness, near, effort_weight = 0.15, 0.02, 0.01
    joint_spread = 0.2
    state = (
        Row("target", 3, info=True, doc="where the tool has to be [m]"),
        Row("servo", JOINTS, doc="targets of the servos [rad]"),
        Row("distance", info=True, doc="of tool and target [m]"),
        Row("is_success", info=True, doc="1 if the tool is at the target"),
    )

    def setup(self) -> None:
        """Where the tool is, and the pose to begin with."""
        model = self.model
        joints = tuple(model.joint(k).name for k in range(JOINTS))
        self.tool = model.site("tool").id
        self.home = model.key("home").qpos.copy()
        self.range = model.jnt_range.copy()
        self.observation = (
            Signal("angle", JOINTS, names=joints, unit="rad"),
            Signal("velocity", JOINTS, names=joints, unit="rad/s"),
            Signal("servo", JOINTS, names=joints, unit="rad from the angle"),
            Signal("tool", 3, names=("tool x", "tool y", "tool z"), unit="m"),
            Signal("way", 3, names=("to the target x", "to the target y", "to the target z"), unit="m"),
        )

    def before(self, m, d):
        """Move the targets of the servos."""
        for i in range(JOINTS):
            change = self.action_scale * clamp(d.action[i], -1.0, 1.0)
            d.task.servo[i] = clamp(d.task.servo[i] + change, self.range[i, 0], self.range[i, 1])

    def control(self, m, d):
        """Servos hold their targets."""
        for i in range(JOINTS):
            d.ctrl[i] = d.task.servo[i]

    def info(self, m, d):
        """How far it is."""
        d.task.distance = norm(
            sub((d.task.target[0], d.task.target[1], d.task.target[2]), load3(d.site_xpos, self.tool))
        )
        d.task.is_success = where(d.task.distance < self.near, 1.0, 0.0)

    def reward(self, m, d):
        """For being near, and for being there."""
        self.info(m, d)
        effort = 0.0
        for i in range(JOINTS):
            effort = effort + d.action[i] * d.action[i]
        return exp(-d.task.distance / self.sharpness) + d.task.is_success - self.effort_weight * effort

    def observe(self, m, d, out):
        """Joints, the tool, the way to the target."""
        for i in range(JOINTS):
            out[i] = d.qpos[i]
            out[JOINTS + i] = d.qvel[i]
            out[2 * JOINTS + i] = d.task.servo[i] - d.qpos[i]
        for i in range(3):
            out[3 * JOINTS + i] = d.site_xpos[self.tool, i]
            out[3 * JOINTS + 3 + i] = d.task.target[i] - d.site_xpos[self.tool, i]

    def reset(self, m, d, rng):
        """Near home; the target anywhere in front of the arm."""
        for i in range(JOINTS):
            d.qpos[i] = self.home[i] + rng.uniform(-self.joint_spread, self.joint_spread)
            d.task.servo[i] = d.qpos[i]
            d.ctrl[i] = d.qpos[i]
        # uniform in the area of a ring, as seen from above
        inner, outer = self.radius
        radius = sqrt(rng.uniform(inner * inner, outer * outer))
        sine, cosine = sincos(rng.uniform(-1.5, 1.5))
        d.task.target[0] = radius * cosine
        d.task.target[1] = radius * sine
        d.task.target[2] = rng.uniform(self.height[0], self.height[1])
