"""An arm in a plane with a hand of two fingers: what the tasks of `manipulator` and `stacker` have in common."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.elementary import log, sincos
from phalanx.algebra.memory import load3
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import PI, PosesTask
from phalanx.world.data import Data

ARM = ("arm_root", "arm_shoulder", "arm_elbow", "arm_wrist", "finger", "fingertip", "thumb", "thumbtip")
TOUCH = ("palm_touch", "finger_touch", "thumb_touch", "fingertip_touch", "thumbtip_touch")
#: What is near [m].
CLOSE = 0.01


class PlanarArm(PosesTask):
    """Bodies that are to be reached are mocap bodies: each world has its own places of them.

    Attributes:
        fully_observable: is more seen than the joints of the arm and touches?
    """

    frame_skip = 10
    fully_observable = True

    def setup_arm(self) -> None:
        """Where joints and sensors are."""
        model = self.model
        joints = [model.joint(name).id for name in ARM]
        self.joints = np.array([int(model.jnt_qposadr[k]) for k in joints])
        self.speeds = np.array([int(model.jnt_dofadr[k]) for k in joints])
        self.touches = np.array([self.sensor(name) for name in TOUCH])
        self.hand, self.grasp = model.body("hand").id, model.site("grasp").id
        self.narm, self.ntouch = len(ARM), len(TOUCH)

    def arm_signals(self) -> tuple[Signal, ...]:
        """What is seen in any case."""
        angles = tuple(f"{word} of {name}" for name in ARM for word in ("sine", "cosine"))
        return (
            Signal("arm_pos", len(angles), names=angles),
            Signal("arm_vel", len(ARM), names=ARM, unit="rad/s"),
            Signal("touch", len(TOUCH), names=TOUCH, unit="log(1 + N)"),
        )

    def draw_arm(self, data: Data, rng: np.random.Generator) -> None:
        """Joints anywhere in their ranges, the fingers alike."""
        model = self.model
        for name in ARM:
            joint = model.joint(name).id
            low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-PI, PI)
            data.qpos[int(model.jnt_qposadr[joint])] = rng.uniform(low, high)
        finger, thumb = (int(model.jnt_qposadr[model.joint(name).id]) for name in ("finger", "thumb"))
        data.qpos[finger] = data.qpos[thumb]

    def place(self, data: Data, name: str, x: float, z: float, angle: float | None = None) -> None:
        """Put a mocap body somewhere in the plane, rotated by an angle."""
        k = int(self.model.body_mocapid[self.model.body(name).id])
        data.mocap_pos[k, [0, 2]] = x, z
        if angle is not None:
            data.mocap_quat[k] = np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0

    def observe_arm(self, d, out):
        """What is seen in any case. Returns where the next number goes."""
        count = self.narm
        for k in range(count):
            sine, cosine = sincos(d.qpos[self.joints[k]])
            out[2 * k] = sine
            out[2 * k + 1] = cosine
            out[2 * count + k] = d.qvel[self.speeds[k]]
        for k in range(self.ntouch):
            out[3 * count + k] = log(1.0 + d.sensordata[self.touches[k]])
        return 3 * count + self.ntouch

    def observe_body(self, d, out, place, body):
        """x, z and two numbers of the quaternion of a body. Returns where the next number goes."""
        out[place] = d.xpos[body, 0]
        out[place + 1] = d.xpos[body, 2]
        out[place + 2] = d.xquat[body, 0]
        out[place + 3] = d.xquat[body, 2]
        return place + 4

    def distance(self, d, first, second):
        """Between two sites."""
        return norm(sub(load3(d.site_xpos, first), load3(d.site_xpos, second)))

    def reset(self, m, d, rng):
        """A pose without contacts."""
        self.begin_in_pose(m, d, rng)
