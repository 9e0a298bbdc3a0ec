"""Swing up two links of which only the second is driven."""

from __future__ import annotations

from phalanx.algebra.memory import load3
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Signal
from phalanx.learn.tasks.dm.suite_task import PI, XZ, ZZ, SuiteTask, write_velocity
from phalanx.learn.tasks.dm.tolerance import gaussian, tolerance, within


class Acrobot(SuiteTask):
    """Bring the tip to the target at the top; pay smoothly, or all or nothing (`sparse`)."""

    xml_file = "acrobot.xml"
    sparse = False

    def setup(self) -> None:
        """Where links, tip and target are."""
        model = self.model
        self.links = model.body("upper_arm").id, model.body("lower_arm").id
        self.tip, self.target = model.site("tip").id, model.site("target").id
        self.radius = float(model.site_size[self.target, 0])
        names = ("sine of upper arm", "sine of lower arm", "cosine of upper arm", "cosine of lower arm")
        self.observation = (Signal("orientations", 4, names=names), self.velocity_signal())

    def observe(self, m, d, out):
        """Angles and velocities."""
        for k, link in enumerate(self.links):
            out[k] = d.xmat[link, XZ]
            out[2 + k] = d.xmat[link, ZZ]
        write_velocity(m, d, out, 4)

    def reward(self, m, d):
        """Near the target."""
        distance = norm(sub(load3(d.site_xpos, self.target), load3(d.site_xpos, self.tip)))
        if self.sparse:
            return within(distance, 0.0, self.radius)
        return tolerance(distance, 0.0, self.radius, 1.0, gaussian)

    def reset(self, m, d, rng):
        """Any angles."""
        for i in range(2):
            d.qpos[i] = rng.uniform(-PI, PI)
