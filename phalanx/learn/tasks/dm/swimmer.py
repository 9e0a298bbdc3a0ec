"""Swim to a target with a chain of links."""

from __future__ import annotations

from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import sqrt, where
from phalanx.algebra.vector import sub
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.dm.suite_task import SuiteTask, random_joints
from phalanx.learn.tasks.dm.tolerance import long_tail, tolerance
from phalanx.learn.tasks.signals import position_names
from phalanx.memory.errors import FieldError
from phalanx.world.spec import Spec

#: Numbers of the sensors that are not of links, and of those of a link: velocity and rotation.
OTHERS, LINK = 12, 6
#: Joints of the head in the plane.
ROOT = 3


class Swimmer(SuiteTask):
    """The reward is for a nose at the target. The swimmer has `links` links, at least 3."""

    xml_file = "swimmer.xml"
    frame_skip = 15
    links = 6
    state = (Row("target", 2, info=True, doc="where the target is [m]"),)

    def edit(self, spec: Spec) -> None:
        """A chain of links with a motor and sensors each."""
        if self.links < 3:
            raise FieldError(f"a swimmer has at least 3 links, not {self.links}")
        parent, bound = spec.body("head"), 360.0 / self.links
        for k in range(self.links - 1):
            parent = parent.add_body(name=f"segment_{k}", pos=(0, 0.1, 0))
            parent.add_geom(name=f"visual_{k}", class_="visual")
            parent.add_geom(name=f"inertial_{k}", class_="inertial")
            parent.add_site(name=f"site_{k}")
            parent.add_joint(name=f"joint_{k}", range=(-bound, bound))
            spec.add_actuator("motor", name=f"motor_{k}", joint=f"joint_{k}")
            spec.add_sensor("velocimeter", name=f"velocimeter_{k}", site=f"site_{k}")
            spec.add_sensor("gyro", name=f"gyro_{k}", site=f"site_{k}")

    def setup(self) -> None:
        """Where the nose is."""
        model = self.model
        self.nose, self.head = model.geom("nose").id, model.body("head").id
        target = model.geom("target").id
        self.size, self.depth = float(model.geom_size[target, 0]), float(model.geom_pos[target, 2])
        self.measured = (model.nsensordata - OTHERS) // LINK
        names = tuple(f"{word} of link {k}" for k in range(self.measured) for word in ("x", "y", "rotation"))
        self.observation = (
            Signal("joints", model.nq - ROOT, names=position_names(model)[ROOT:]),
            Signal("to_target", 2, names=("to the target x", "to the target y"), unit="m"),
            Signal("body_velocities", len(names), names=names),
        )

    def way(self, d):
        """To the target, in the frame of the head."""
        way = sub((d.task.target[0], d.task.target[1], self.depth), load3(d.geom_xpos, self.nose))
        return multiply_transposed(load9(d.xmat, self.head), way)

    def observe(self, m, d, out):
        """Joints, the way to the target, velocities of links."""
        way, joints = self.way(d), m.nq - ROOT
        for i in range(joints):
            out[i] = d.qpos[ROOT + i]
        for i in (0, 1):
            out[joints + i] = way[i]
        for k in range(self.measured):
            for i, place in enumerate((0, 1, 5)):
                out[joints + 2 + 3 * k + i] = d.sensordata[OTHERS + LINK * k + place]

    def reward(self, m, d):
        """Near the target."""
        way = self.way(d)
        distance = sqrt(way[0] * way[0] + way[1] * way[1])
        return tolerance(distance, 0.0, self.size, 5.0 * self.size, long_tail)

    def reset(self, m, d, rng):
        """Joints anywhere in their ranges; the target is near in one of five episodes."""
        random_joints(m, d, rng)
        room = where(rng.chance(0.2), 0.3, 2.0)
        for i in range(2):
            d.task.target[i] = room * rng.uniform(-1.0, 1.0)
