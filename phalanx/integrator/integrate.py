"""The last stage of a step: from accelerations to the next state."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.integrator.advance import advance
from phalanx.integrator.table import step_acceleration
from phalanx.memory.growth import lacks_memory
from phalanx.tables.integrators import STAGED


@kernel
def integrate(m, d, step_in_stages, settle):
    """The next state, by the integrator that the options name; forward(m, d) has been called.

    `step_in_stages` and `settle` are passed in, because they compute forward dynamics, which is above this file.
    """
    if m.opt.integrator in STAGED:
        step_in_stages(m, d)
        return
    integrate_at_once(m, d, m.opt.integrator, settle)


@kernel
def integrate_at_once(m, d, integrator, settle):
    """The next state, by an integrator that computes forward dynamics once, at the present state."""
    step_acceleration(integrator, m, d)
    if lacks_memory(d):
        return
    advance(m, d, d.act_dot, d.qacc_implicit, d.qvel, settle)
