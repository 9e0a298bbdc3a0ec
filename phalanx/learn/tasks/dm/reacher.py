"""Reach a target with two links in a plane."""

from __future__ import annotations

from phalanx.algebra.number import sqrt
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.dm.suite_task import SuiteTask, in_disc, random_joints
from phalanx.learn.tasks.dm.tolerance import within
from phalanx.learn.tasks.signals import position_names


class Reacher(SuiteTask):
    """One is paid while the finger touches the target, whose radius is `target_size` [m]."""

    xml_file = "reacher.xml"
    target_size = 0.05
    state = (Row("target", 2, info=True, doc="where the target is [m]"),)

    def setup(self) -> None:
        """Where the finger is."""
        model = self.model
        self.finger = model.geom("finger").id
        self.radii = self.target_size + float(model.geom_size[self.finger, 0])
        self.observation = (
            Signal("position", 2, names=position_names(model)),
            Signal("to_target", 2, names=("to the target x", "to the target y"), unit="m"),
            self.velocity_signal(),
        )

    def way(self, d):
        """From the finger to the target."""
        return d.task.target[0] - d.geom_xpos[self.finger, 0], d.task.target[1] - d.geom_xpos[self.finger, 1]

    def observe(self, m, d, out):
        """Joints and the way to the target."""
        way = self.way(d)
        for i in (0, 1):
            out[i] = d.qpos[i]
            out[2 + i] = way[i]
            out[4 + i] = d.qvel[i]

    def reward(self, m, d):
        """One at the target."""
        x, y = self.way(d)
        return within(sqrt(x * x + y * y), 0.0, self.radii)

    def reset(self, m, d, rng):
        """Any angles; the target in a ring."""
        random_joints(m, d, rng)
        x, y = in_disc(rng, 0.05, 0.2)
        d.task.target[0] = x
        d.task.target[1] = y
