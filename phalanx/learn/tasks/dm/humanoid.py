"""Stand, walk or run on two legs."""

from __future__ import annotations

from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import sqrt
from phalanx.algebra.vector import sub
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import ZX, ZY, ZZ, PosesTask, small_control, write_velocity
from phalanx.learn.tasks.dm.tolerance import INF, gaussian, linear, tolerance
from phalanx.learn.tasks.signals import position_names, state_signals, write_state


class Humanoid(PosesTask):
    """The reward is for standing with small controls, and for standing still or moving at `move_speed` [m/s].

    With `pure_state` the whole state is observed instead of what a person could feel.

    Attributes:
        trunk, limbs: names of the body that has to be upright, and of hands and feet.
        vertical: which number of the rotation of the trunk is one when it is upright.
    """

    xml_file = "humanoid.xml"
    frame_skip = 5
    move_speed, stand_height, pure_state = 0.0, 1.4, False
    trunk, limbs = "torso", ("left_hand", "left_foot", "right_hand", "right_foot")
    vertical = ZZ

    def setup(self) -> None:
        """Where bodies and sensors are."""
        model = self.model
        self.torso, self.head = model.body(self.trunk).id, model.body("head").id
        self.ends = tuple(model.body(name).id for name in self.limbs)
        self.speed = self.sensor(f"{self.trunk}_subtreelinvel")
        ends = tuple(f"{limb} {axis}" for limb in self.limbs for axis in "xyz")
        self.observation = (
            Signal("joint_angles", model.nq - 7, names=position_names(model)[7:]),
            Signal("head_height", unit="m"),
            Signal("extremities", 12, names=ends, unit="m"),
            Signal("torso_vertical", 3),
            Signal("com_velocity", 3, unit="m/s"),
            self.velocity_signal(),
        )
        if self.pure_state:
            self.observation = state_signals(model)
        self.starts = self.find_poses()

    def observe(self, m, d, out):
        """What a person could feel, or the whole state."""
        if self.pure_state:
            write_state(m, d, out, 0)
        else:
            self.observe_body(m, d, out)

    def observe_body(self, m, d, out):
        """Joints, height, hands and feet, the vertical, velocities."""
        joints, frame, center = m.nq - 7, load9(d.xmat, self.torso), load3(d.xpos, self.torso)
        for i in range(joints):
            out[i] = d.qpos[7 + i]
        out[joints] = d.xpos[self.head, 2]
        for k, limb in enumerate(self.ends):
            way = multiply_transposed(frame, sub(load3(d.xpos, limb), center))
            for i in (0, 1, 2):
                out[joints + 1 + 3 * k + i] = way[i]
        for i in range(3):
            out[joints + 13 + i] = d.xmat[self.torso, ZX + i]
            out[joints + 16 + i] = d.sensordata[self.speed + i]
        write_velocity(m, d, out, joints + 19)

    def reward(self, m, d):
        """Standing, with small controls, still or moving."""
        height = tolerance(d.xpos[self.head, 2], self.stand_height, INF, 0.25 * self.stand_height, gaussian)
        upright = tolerance(d.xmat[self.torso, self.vertical], 0.9, INF, 1.9, linear, 0.0)
        standing = height * upright * small_control(m, d)
        x, y = d.sensordata[self.speed], d.sensordata[self.speed + 1]
        if self.move_speed == 0.0:
            still = tolerance(x, 0.0, 0.0, 2.0, gaussian) + tolerance(y, 0.0, 0.0, 2.0, gaussian)
            return standing * 0.5 * still
        move = tolerance(sqrt(x * x + y * y), self.move_speed, INF, self.move_speed, linear, 0.0)
        return standing * (5.0 * move + 1.0) / 6.0

    def reset(self, m, d, rng):
        """A pose without contacts."""
        self.begin_in_pose(m, d, rng)


class HumanoidCMU(Humanoid):
    """The same with the person of the motion capture database of CMU, whose bodies have other names and axes."""

    xml_file = "humanoid_CMU.xml"
    frame_skip = 10
    trunk, limbs = "thorax", ("lhand", "lfoot", "rhand", "rfoot")
    vertical = ZY
    poses = 64
