"""Swing up a pendulum that is too weak to be lifted at once."""

from __future__ import annotations

import math

from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import PI, XZ, ZZ, SuiteTask
from phalanx.learn.tasks.dm.tolerance import within

#: Within 8 degrees of the vertical.
UPRIGHT = math.cos(math.radians(8.0))


class Pendulum(SuiteTask):
    """One is paid while the pole is within 8 degrees of the top."""

    xml_file = "pendulum.xml"
    observation = (
        Signal("orientation", 2, names=("cosine", "sine")),
        Signal("velocity", unit="rad/s"),
    )

    def setup(self) -> None:
        """Where the pole is."""
        self.pole = self.model.body("pole").id

    def observe(self, m, d, out):
        """Angle and its velocity."""
        out[0] = d.xmat[self.pole, ZZ]
        out[1] = d.xmat[self.pole, XZ]
        out[2] = d.qvel[0]

    def reward(self, m, d):
        """One at the top."""
        return within(d.xmat[self.pole, ZZ], UPRIGHT, 1.0)

    def reset(self, m, d, rng):
        """Any angle."""
        d.qpos[0] = rng.uniform(-PI, PI)
