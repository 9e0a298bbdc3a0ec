"""Bring a chain of masses to rest: a problem whose best controller is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.algebra.number import sqrt
from phalanx.learn.tasks.dm.suite_task import SuiteTask
from phalanx.learn.tasks.signals import state_signals, sum_of_squares, write_state
from phalanx.memory.errors import FieldError
from phalanx.world.spec import Spec

#: Range of stiffnesses of springs.
STIFFNESS = (15.0, 25.0)
#: An episode ends when the length of the state is less.
REST = 1e-6


class Lqr(SuiteTask):
    """The reward is one less the costs of positions and controls. An episode ends at rest.

    Attributes:
        bodies, actuators: how many masses there are, and how many of the first ones are driven.
        stiffness: of each spring; () draws them, with `seed`.
        control_cost: weight of controls.
    """

    xml_file = "lqr.xml"
    max_steps = 0
    bodies, actuators = 2, 1
    stiffness: tuple[float, ...] = ()
    seed = 0
    control_cost = 0.1

    def edit(self, spec: Spec) -> None:
        """A chain of bodies, with tendons to be seen between them."""
        if not 1 <= self.actuators <= self.bodies:
            raise FieldError(f"{self.name} needs 1 to {self.bodies} actuators, not {self.actuators}")
        drawn = np.random.default_rng(self.seed).uniform(*STIFFNESS, self.bodies)
        stiffness = self.stiffness or tuple(drawn)
        parent: Any = spec.worldbody
        for k in range(self.bodies):
            parent = parent.add_body(name=f"body_{k}", pos=(0.25, 0, 0.1 if k == 0 else 0))
            parent.add_joint(name=f"joint_{k}", stiffness=float(stiffness[k]), damping=0)
            parent.add_geom(name=f"geom_{k}")
            parent.add_site(name=f"site_{k}")
            if k < self.actuators:
                spec.add_actuator("motor", name=f"motor_{k}", joint=f"joint_{k}")

    def setup(self) -> None:
        """The whole state is observed."""
        self.observation = state_signals(self.model)

    def observe(self, m, d, out):
        """Positions and velocities."""
        write_state(m, d, out, 0)

    def reward(self, m, d):
        """One less costs."""
        return 1.0 - (0.5 * sum_of_squares(d.qpos, m.nq) + 0.5 * sum_of_squares(d.ctrl, m.nu) * self.control_cost)

    def terminated(self, m, d):
        """All is at rest."""
        return sqrt(sum_of_squares(d.qpos, m.nq) + sum_of_squares(d.qvel, m.nv)) < REST

    def reset(self, m, d, rng):
        """A position of length sqrt(2), in any direction."""
        for i in range(m.nq):
            d.qpos[i] = rng.normal()
        size = sqrt(0.5 * sum_of_squares(d.qpos, m.nq))
        for i in range(m.nq):
            d.qpos[i] = d.qpos[i] / size
