"""Bring a point to the middle of a plane."""

from __future__ import annotations

from phalanx.algebra.elementary import sincos
from phalanx.algebra.memory import load3
from phalanx.algebra.number import clamp
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Row
from phalanx.learn.tasks.dm.suite_task import PI, SuiteTask, random_joints, small_control
from phalanx.learn.tasks.dm.tolerance import gaussian, quadratic, tolerance
from phalanx.learn.tasks.signals import state_signals, write_state
from phalanx.world.spec import Spec

#: Directions of the two actuators differ by at least this angle, whose cosine is 0.9 [rad].
LEAST_ANGLE = 0.45102681179626236


class PointMass(SuiteTask):
    """The reward is for being at the target, with small controls."""

    xml_file = "point_mass.xml"

    def setup(self) -> None:
        """Where point and target are."""
        model = self.model
        self.point, self.target = model.geom("pointmass").id, model.geom("target").id
        self.size = float(model.geom_size[self.target, 0])
        self.observation = state_signals(model)

    def observe(self, m, d, out):
        """The whole state."""
        write_state(m, d, out, 0)

    def reward(self, m, d):
        """Near the target."""
        distance = norm(sub(load3(d.geom_xpos, self.target), load3(d.geom_xpos, self.point)))
        return tolerance(distance, 0.0, self.size, self.size, gaussian) * self.effort(m, d)

    def effort(self, m, d):
        """Between 0.8 and 1: the smaller the controls, the better."""
        return small_control(m, d)

    def reset(self, m, d, rng):
        """Anywhere."""
        random_joints(m, d, rng)


class PointMassHard(PointMass):
    """The directions of the two actuators are drawn anew for each episode.

    In dm_control they are coefficients of tendons; here each actuator is a pair of motors, one for each axis,
    which share its control.
    """

    action_size = 2
    action_low, action_high = -1.0, 1.0
    action_names = ("t1", "t2")
    state = (Row("directions", 4, info=True, doc="x and y of the first direction, x and y of the second"),)

    def edit(self, spec: Spec) -> None:
        """Motors of joints instead of tendons."""
        for name in ("t1", "t2"):
            spec.delete(spec.tendon(name))
            for axis in "xy":
                spec.add_actuator("motor", name=f"{name}_{axis}", joint=f"root_{axis}")

    def control(self, m, d):
        """Each control along its direction."""
        for k in (0, 1):
            for axis in (0, 1):
                d.ctrl[2 * k + axis] = d.task.directions[2 * k + axis] * clamp(d.action[k], -1.0, 1.0)

    def effort(self, m, d):
        """Between 0.8 and 1: the smaller the actions, the better."""
        total = 0.0
        for k in (0, 1):
            total = total + tolerance(d.action[k], 0.0, 0.0, 1.0, quadratic, 0.0)
        return (4.0 + 0.5 * total) / 5.0

    def reset(self, m, d, rng):
        """Anywhere; two directions that are not too parallel, with either sign."""
        random_joints(m, d, rng)
        first = rng.uniform(-PI, PI)
        second = first + rng.uniform(LEAST_ANGLE, PI - LEAST_ANGLE) + PI * rng.integer(2)
        for k, angle in enumerate((first, second)):
            sine, cosine = sincos(angle)
            d.task.directions[2 * k] = cosine
            d.task.directions[2 * k + 1] = sine
