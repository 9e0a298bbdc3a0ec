"""Integrators by number. An integrator is `f(m, d, dynamics)`; forward(m, d) has been called."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.integrator.advance import advance
from phalanx.integrator.implicit import (
    euler_acceleration,
    implicit_acceleration,
    implicitfast_acceleration,
    implicitspringdamper_acceleration,
)
from phalanx.integrator.runge_kutta import runge_kutta
from phalanx.tables.enums import Integrator

RK4 = int(Integrator.RK4)
IMPLICIT = int(Integrator.IMPLICIT)
IMPLICITFAST = int(Integrator.IMPLICITFAST)
IMPLICITSPRINGDAMPER = int(Integrator.IMPLICITSPRINGDAMPER)

#: What `integrate` knows; a Model with another integrator is refused when it is made.
SUPPORTED = (
    Integrator.EULER,
    Integrator.RK4,
    Integrator.IMPLICIT,
    Integrator.IMPLICITFAST,
    Integrator.IMPLICITSPRINGDAMPER,
)


@kernel
def integrate(m, d, dynamics):
    """The next state, by the integrator that the options name."""
    kind = m.opt.integrator
    if kind == RK4:
        runge_kutta(m, d, dynamics)
        return
    # the others differ in the acceleration they use
    if kind == IMPLICIT:
        implicit_acceleration(m, d)
    elif kind == IMPLICITFAST:
        implicitfast_acceleration(m, d)
    elif kind == IMPLICITSPRINGDAMPER:
        implicitspringdamper_acceleration(m, d)
    else:
        euler_acceleration(m, d)
    advance(m, d, d.act_dot, d.qacc_implicit, d.qvel)
