"""Pick up a cube with the built-in gripper and bring it to a target in the air."""

from __future__ import annotations

from typing import Any

from phalanx.algebra.elementary import exp, sincos
from phalanx.algebra.memory import load3
from phalanx.algebra.number import and_, clamp, where
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Row, Signal

#: Actuators: x, y, z, yaw of the gantry, and the fingers.
SERVOS, FINGERS = 5, 4
#: Where the joints of the gantry and of the fingers begin in qpos; before them is the free joint of the cube.
FIRST_JOINT, FIRST_DOF = 7, 6


class GripperPick(Task):
    """The built-in gripper grasps a cube on the table, lifts it and holds it at a target.

    The action changes the targets of the gantry by up to `action_scale` [m, rad]; its last number opens (1) or closes
    (-1) the fingers. The reward is for being near the cube, for holding it with both pads, for its height, and for its
    being near the target. An episode ends when the cube has fallen off the table.

    Attributes:
        place: half of the lengths of the area where the cube begins [m].
        lift: least and largest height of targets above the table [m].
        near: how near counts as there [m].
    """

    model: Any = "gripper"
    frame_skip = 10
    max_steps = 250
    action_low, action_high = -1.0, 1.0
    action_scale = (0.01, 0.01, 0.01, 0.1)
    place = (0.15, 0.12)
    lift = (0.05, 0.15)
    near = 0.025
    reach_weight, grasp_weight, lift_weight, target_weight = 0.25, 0.25, 0.5, 2.0
    state = (
        Row("target", 3, info=True, doc="where the cube has to be [m]"),
        Row("servo", SERVOS, doc="targets of the servos"),
        Row("distance", info=True, doc="of cube and target [m]"),
        Row("is_success", info=True, doc="1 if the cube is at the target"),
        Row("is_held", info=True, doc="1 if both pads touch something"),
    )

    def setup(self) -> None:
        """Where grip, cube and pads are, and the pose to begin with."""
        model = self.model
        self.grip, self.cube = model.site("grip").id, model.body("cube").id
        self.pads = tuple(int(model.sensor_adr[model.sensor(name).id]) for name in ("pad_left", "pad_right"))
        self.home, self.home_servo = model.key("home").qpos.copy(), model.key("home").ctrl.copy()
        self.range = model.actuator_ctrlrange.copy()
        self.rest = float(self.home[2])
        self.action_names = ("x", "y", "z", "yaw", "open")
        self.observation = (
            Signal("gantry", 4, names=("x [m]", "y [m]", "z [m]", "yaw [rad]")),
            Signal("gantry velocity", 4, names=("x [m/s]", "y [m/s]", "z [m/s]", "yaw [rad/s]")),
            Signal("opening", 2, names=("left finger", "right finger"), unit="m"),
            Signal("cube", 7, names=("x [m]", "y [m]", "z [m]", "qw", "qx", "qy", "qz")),
            Signal("cube from grip", 3, names=("x", "y", "z"), unit="m"),
            Signal("target from cube", 3, names=("x", "y", "z"), unit="m"),
            Signal("held", 1, 0.0, 1.0),
        )

    def before(self, m, d):
        """Move the targets of the servos."""
        for i in range(FINGERS):
            change = self.action_scale[i] * clamp(d.action[i], -1.0, 1.0)
            d.task.servo[i] = clamp(d.task.servo[i] + change, self.range[i, 0], self.range[i, 1])
        low, high = self.range[FINGERS, 0], self.range[FINGERS, 1]
        d.task.servo[FINGERS] = low + 0.5 * (high - low) * (1.0 + clamp(d.action[FINGERS], -1.0, 1.0))

    def control(self, m, d):
        """Servos hold their targets."""
        for i in range(SERVOS):
            d.ctrl[i] = d.task.servo[i]

    def info(self, m, d):
        """How far it is, and whether the cube is held."""
        target = (d.task.target[0], d.task.target[1], d.task.target[2])
        d.task.distance = norm(sub(target, (d.qpos[0], d.qpos[1], d.qpos[2])))
        d.task.is_success = where(d.task.distance < self.near, 1.0, 0.0)
        is_held = and_(d.sensordata[self.pads[0]] > 0.0, d.sensordata[self.pads[1]] > 0.0)
        d.task.is_held = where(is_held, 1.0, 0.0)

    def reward(self, m, d):
        """Reach, grasp, lift, bring."""
        self.info(m, d)
        reach = norm(sub((d.qpos[0], d.qpos[1], d.qpos[2]), load3(d.site_xpos, self.grip)))
        height = clamp((d.qpos[2] - self.rest) / self.lift[0], 0.0, 1.0)
        return (
            self.reach_weight * exp(-reach / 0.1)
            + self.grasp_weight * d.task.is_held * exp(-reach / 0.02)
            + self.lift_weight * height
            + self.target_weight * height * exp(-d.task.distance / 0.1)
        )

    def terminated(self, m, d):
        """The cube has fallen off the table."""
        return d.qpos[2] < self.rest - 0.1

    def observe(self, m, d, out):
        """Gripper, cube, target."""
        for i in range(4):
            out[i] = d.qpos[FIRST_JOINT + i]
            out[4 + i] = d.qvel[FIRST_DOF + i]
        for i in range(2):
            out[8 + i] = d.qpos[FIRST_JOINT + 4 + i]
        for i in range(7):
            out[10 + i] = d.qpos[i]
        for i in range(3):
            out[17 + i] = d.qpos[i] - d.site_xpos[self.grip, i]
            out[20 + i] = d.task.target[i] - d.qpos[i]
        out[23] = d.task.is_held

    def reset(self, m, d, rng):
        """The gripper at home, the cube anywhere on the table, the target above it."""
        for i in range(m.nq):
            d.qpos[i] = self.home[i]
        for i in range(SERVOS):
            d.task.servo[i] = self.home_servo[i]
            d.ctrl[i] = self.home_servo[i]
        sine, cosine = sincos(0.5 * rng.uniform(-0.8, 0.8))
        for i in range(2):
            d.qpos[i] = rng.uniform(-self.place[i], self.place[i])
            d.task.target[i] = rng.uniform(-self.place[i], self.place[i])
        d.qpos[3] = cosine
        d.qpos[6] = sine
        d.task.target[2] = self.rest + rng.uniform(self.lift[0], self.lift[1])
