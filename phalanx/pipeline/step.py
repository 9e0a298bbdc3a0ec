"""One step of a world, or of W worlds in lockstep."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.integrator.integrate import integrate
from phalanx.integrator.table import advance_in_stages
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.checks import check_acc, check_start, check_state, has_stopped
from phalanx.pipeline.forward import dynamics, forward
from phalanx.pipeline.requested import compute_requested
from phalanx.tables.enums import ErrorPolicy


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
