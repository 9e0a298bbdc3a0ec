"""One step of a world, or of W worlds in lockstep."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.hook.calls import has_hook
from phalanx.integrator.advance import advance_histories
from phalanx.integrator.integrate import integrate, integrate_at_once
from phalanx.integrator.table import advance_in_stages
from phalanx.memory.flags import is_enabled
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.checks import check_acc, check_start, check_state, has_stopped
from phalanx.pipeline.forward import dynamics, forward, fwd_velocity, observe, react
from phalanx.pipeline.requested import compute_requested
from phalanx.pipeline.user import user_control
from phalanx.sensor.stages import sensor_vel
from phalanx.sleep.awake_lists import renew_awake, start_from_smooth
from phalanx.sleep.fall_asleep import fall_asleep, has_first_sleepers, ready_first_sleepers, wake_first_sleepers
from phalanx.smooth.energy import energy_vel
from phalanx.tables.enums import EnableBit, ErrorPolicy, Integrator
from phalanx.tables.integrators import STAGED


@kernel
def step(m, d):
    """Check the state, compute accelerations, integrate."""
    if d.error_policy == ErrorPolicy.RESET and check_state(m, d):
        begin_asleep(m, d)
    if has_stopped(d):
        return
    forward(m, d)
    if lacks_memory(d):
        return
    if check_acc(m, d):
        begin_asleep(m, d)
        forward(m, d)
    compute_requested(m, d)
    if lacks_memory(d):
        return
    integrate(m, d, step_in_stages, settle)


# --- sleep


@kernel
def settle(m, d):
    """Trees that have been slow for long enough fall asleep: without velocity, so what depends on it comes anew.

    The first stage of integration but for activations. True if some tree fell asleep; histories of sensors and controls
    have moved on then, as readings are those from before.
    """
    if m.nsleep == 0:
        return False
    if has_stopped(d) or fall_asleep(m, d) == 0:
        return False
    advance_histories(m, d)
    fwd_velocity(m, d)
    if m.nsensor > 0:
        sensor_vel(m, d)
    if is_enabled(m, EnableBit.ENERGY):
        energy_vel(m, d)
    user_control(m, d)
    react(m, d, m.nsensor > 0)
    start_from_smooth(m, d)
    renew_awake(m, d)
    d.has_fallen = 1
    return True


@kernel
def begin_asleep(m, d):
    """After a reset: trees that are to sleep from the start do, if all that they touch are among them."""
    if m.nsleep > 0:
        put_first_sleepers(m, d)


@part()
def put_first_sleepers(m, d):
    """Trees with the policy `init` sleep (the end of MuJoCo's mj_resetData)."""
    if m.nsleep == 0:
        return
    if not has_first_sleepers(m):
        return
    forward(m, d)
    if lacks_memory(d):
        return
    ready_first_sleepers(m, d)
    fall_asleep(m, d)
    wake_first_sleepers(m, d)
    for dof in range(m.nv):
        d.qacc_smooth[dof] = 0.0
        d.qfrc_smooth[dof] = 0.0
    d.nefc = 0
    d.nisland = 0
    renew_awake(m, d)
    d.has_fallen = 1


# --- a step in two halves


@kernel
def step1(m, d):
    """The first half of a step: what depends on the state alone, before controls and forces are known."""
    d.is_renewed = False
    check_start(m, d)
    if d.error_policy == ErrorPolicy.RESET and check_state(m, d):
        begin_asleep(m, d)
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
        begin_asleep(m, d)
        forward(m, d)
    compute_requested(m, d)
    if lacks_memory(d):
        return
    d.is_renewed = False
    integrate_at_once(m, d, Integrator.EULER if m.opt.integrator in STAGED else m.opt.integrator, settle)


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
            d.is_undisturbed = 0
            return
        d.steps_done = d.steps_done + 1
        if m.nsleep > 0:
            # only functions of the user change what sleeps from one step to the next
            d.is_undisturbed = 0 if has_hook(d) else 1
    d.is_undisturbed = 0
