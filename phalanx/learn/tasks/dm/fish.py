"""Swim upright, or to a target."""

from __future__ import annotations

from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.dm.suite_task import ZZ, SuiteTask, random_quaternion, write_velocity
from phalanx.learn.tasks.dm.tolerance import gaussian, tolerance

JOINTS = ("tail1", "tail_twist", "tail2", "finright_roll", "finright_pitch", "finleft_roll", "finleft_pitch")


class FishUpright(SuiteTask):
    """The reward is for being upright."""

    xml_file = "fish.xml"

    def setup(self) -> None:
        """Where the joints are."""
        model = self.model
        self.torso = model.body("torso").id
        self.joints = tuple(int(model.jnt_qposadr[model.joint(name).id]) for name in JOINTS)
        self.root = int(model.jnt_qposadr[model.joint("root").id]) + 3
        self.frame_skip = round(0.04 / float(model.opt.timestep))
        angles = Signal("joint_angles", len(JOINTS), names=JOINTS, unit="rad")
        self.observation = (angles, Signal("upright"), self.velocity_signal())

    def observe(self, m, d, out):
        """Joints, uprightness, velocities."""
        for k, place in enumerate(self.joints):
            out[k] = d.qpos[place]
        out[7] = d.xmat[self.torso, ZZ]
        write_velocity(m, d, out, 8)

    def reward(self, m, d):
        """Upright."""
        return tolerance(d.xmat[self.torso, ZZ], 1.0, 1.0, 1.0, gaussian)

    def reset(self, m, d, rng):
        """Any orientation."""
        self.begin_anyhow(d, rng)

    def begin_anyhow(self, d, rng):
        """Any orientation, joints near zero."""
        random_quaternion(d, self.root, (rng.normal(), rng.normal(), rng.normal(), rng.normal()))
        for place in self.joints:
            d.qpos[place] = rng.uniform(-0.2, 0.2)


class FishSwim(FishUpright):
    """The reward is for a mouth at the target, and a little for being upright."""

    state = (Row("target", 3, info=True, doc="where the target is [m]"),)

    def setup(self) -> None:
        """Where the mouth is."""
        super().setup()
        model = self.model
        self.mouth = model.geom("mouth").id
        self.radii = float(model.geom_size[self.mouth, 0] + model.geom_size[model.geom("target").id, 0])
        target = Signal("target", 3, names=("to the target x", "to the target y", "to the target z"), unit="m")
        self.observation = (*self.observation[:2], target, self.observation[2])

    def way(self, d):
        """To the target, in the frame of the mouth."""
        way = sub((d.task.target[0], d.task.target[1], d.task.target[2]), load3(d.geom_xpos, self.mouth))
        return multiply_transposed(load9(d.geom_xmat, self.mouth), way)

    def observe(self, m, d, out):
        """Joints, uprightness, target, velocities."""
        way = self.way(d)
        for k, place in enumerate(self.joints):
            out[k] = d.qpos[place]
        out[7] = d.xmat[self.torso, ZZ]
        for i in (0, 1, 2):
            out[8 + i] = way[i]
        write_velocity(m, d, out, 11)

    def reward(self, m, d):
        """At the target, and upright."""
        near = tolerance(norm(self.way(d)), 0.0, self.radii, 2.0 * self.radii, gaussian)
        return (7.0 * near + 0.5 * (d.xmat[self.torso, ZZ] + 1.0)) / 8.0

    def reset(self, m, d, rng):
        """Any orientation, any target near the middle."""
        self.begin_anyhow(d, rng)
        for i in range(2):
            d.task.target[i] = rng.uniform(-0.4, 0.4)
        d.task.target[2] = rng.uniform(0.1, 0.3)
