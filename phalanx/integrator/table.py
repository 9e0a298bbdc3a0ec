"""Integrators by number; forward(m, d) has been called."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.integrator.advance import advance
from phalanx.integrator.implicit import (
    euler_acceleration,
    implicit_acceleration,
    implicitfast_acceleration,
    implicitspringdamper_acceleration,
)
from phalanx.memory.growth import lacks_memory
from phalanx.tables.enums import Integrator

#: What `integrate` knows; a Model with another integrator is refused when it is made.
SUPPORTED = (
    Integrator.EULER,
    Integrator.RK4,
    Integrator.IMPLICIT,
    Integrator.IMPLICITFAST,
    Integrator.IMPLICITSPRINGDAMPER,
)


@kernel
def integrate(m, d, runge_kutta_step):
    """The next state, by the integrator that the options name.

    `runge_kutta_step` is passed in, because it computes forward dynamics, which is above this file.
    """
    kind = m.opt.integrator
    if kind == Integrator.RK4:
        runge_kutta_step(m, d)
        return
    # the others differ in the acceleration they use
    if kind == Integrator.IMPLICIT:
        implicit_acceleration(m, d)
    elif kind == Integrator.IMPLICITFAST:
        implicitfast_acceleration(m, d)
    elif kind == Integrator.IMPLICITSPRINGDAMPER:
        implicitspringdamper_acceleration(m, d)
    else:
        euler_acceleration(m, d)
    if lacks_memory(d):
        return
    advance(m, d, d.act_dot, d.qacc_implicit, d.qvel)
