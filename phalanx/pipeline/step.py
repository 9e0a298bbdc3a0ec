"""One step of a world, or of W worlds in lockstep."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.integrator.integrate import integrate, integrate_at_once
from phalanx.integrator.table import advance_in_stages
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.checks import check_acc, check_start, check_state, has_stopped
from phalanx.pipeline.forward import dynamics, forward, observe, react
from phalanx.pipeline.requested import compute_requested
from phalanx.tables.enums import ErrorPolicy, Integrator
from phalanx.tables.integrators import STAGED


@kernel
def step(m, d):
    """Check the state, compute accelerations, integrate."""
    if d.error_policy == ErrorPolicy.RESET:
        check_state(m, d)
    if has_stopped(d):
        return
    forward(m, d)
    if lacks_memory(d):
        return
    if check_acc(m, d):
        forward(m, d)
    compute_requested(m, d)
    if lacks_memory(d):
        return
    integrate(m, d, step_in_stages)


# --- a step in two halves


@kernel
def step1(m, d):
    """The first half of a step: what depends on the state alone, before controls and forces are known."""
    d.is_renewed = False
    check_start(m, d)
    if d.error_policy == ErrorPolicy.RESET:
        check_state(m, d)
    if has_stopped(d):
        return
    observe(m, d, m.nsensor > 0)


@kernel
def step2(m, d):
    """The second half: accelerations, and the next state. Integrators that work in stages give way to Euler's."""
    check_start(m, d)
    if has_stopped(d):
        return
    # a world that was reset has no first half: if memory had to grow for it, the whole is computed again
    if d.is_renewed:
        forward(m, d)
    else:
        react(m, d, m.nsensor > 0)
    if lacks_memory(d):
        return
    d.is_renewed = check_acc(m, d)
    if d.is_renewed:
        forward(m, d)
    compute_requested(m, d)
    if lacks_memory(d):
        return
    d.is_renewed = False
    integrate_at_once(m, d, Integrator.EULER if m.opt.integrator in STAGED else m.opt.integrator)


@part()
def step_in_stages(m, d):
    """The next state by an integrator that computes forward dynamics at other states, too."""
    advance_in_stages(m.opt.integrator, m, d, dynamics)


@part("mdi")
def steps(m, d, n):
    """n steps, or until every world has failed or memory must grow; steps_done says how many."""
    d.steps_done = 0
    check_start(m, d)
    for _ in range(n):
        step(m, d)
        if has_stopped(d) or lacks_memory(d):
            return
        d.steps_done = d.steps_done + 1
