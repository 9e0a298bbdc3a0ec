"""Runge-Kutta of fourth order, with the Munthe-Kaas correction for rotations.

A rotation after a stage is q0 exp(u), with u in the Lie algebra. The rate of u is not the angular velocity; with its
true rate (`inverse_dexp` in `smooth/joint/rotation.py`) the method is of fourth order on rotations too. Everything else
follows the classical tableau. `forward` is passed in, so that this file stays below the pipeline.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.integrator.advance import advance, integrate_pos, stay_awake
from phalanx.integrator.state_limits import is_alive, keep_state
from phalanx.integrator.table import advance_in_stages
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.flex.restart import restore_flexes
from phalanx.smooth.joint.table import coordinate_rate
from phalanx.tables.actuators import VELOCITY_DYNAMICS
from phalanx.tables.enums import Integrator


@advance_in_stages.row(Integrator.RK4)
@kernel
def runge_kutta(m, d, forward):
    """One step; forward(m, d) has been called at the present state."""
    step, start = m.opt.timestep, d.time
    save_state(m, d)
    begin_sums(m, d)
    # weights 1/6, 1/3, 1/3, 1/6 at the times 0, 1/2, 1/2, 1: Kutta 1901, as in mj_RungeKutta
    add_stage(m, d, 1.0 / 6.0)
    next_stage(m, d, 0.5, start + 0.5 * step)
    forward(m, d)
    if lacks_memory(d):
        restore_state(m, d, start)
        return
    coordinate_rates(m, d)
    add_stage(m, d, 1.0 / 3.0)
    next_stage(m, d, 0.5, start + 0.5 * step)
    forward(m, d)
    if lacks_memory(d):
        restore_state(m, d, start)
        return
    coordinate_rates(m, d)
    add_stage(m, d, 1.0 / 3.0)
    next_stage(m, d, 1.0, start + step)
    forward(m, d)
    if lacks_memory(d):
        restore_state(m, d, start)
        return
    coordinate_rates(m, d)
    add_stage(m, d, 1.0 / 6.0)
    finish(m, d, start)


@kernel
def finish(m, d, start):
    """The next state, from that at the start and the sums over the stages."""
    restore_state(m, d, start)
    if has_motor_with_state(m):
        restore_actuator_velocity(m, d)
    if m.nplastic > 0:
        restore_tendons(m, d)
    if m.nplastic > 0 and m.nflex > 0:
        restore_flexes(m, d)
    advance(m, d, d.rk_act_dot, d.rk_qacc, d.rk_velocity, stay_awake)
    # what is reported is the average acceleration; the warm start keeps that of the last stage
    for dof in range(m.nv):
        d.qacc[dof] = where(is_alive(d), d.rk_qacc[dof], d.qacc[dof])


@kernel
def save_state(m, d):
    """rk_ rows: the state at the start of the step, its rate, and what plastic springs and motors advance with."""
    keep_state(m, d)
    for dof in range(m.nv):
        d.rk_rate[dof] = d.qvel[dof]
    for out in range(m.nout):
        d.rk_actuator_velocity[out] = d.actuator_velocity[out]
    if m.nplastic > 0:
        for tendon in range(m.ntendon):
            d.rk_ten_length[tendon] = d.ten_length[tendon]
        for k in range(m.nJten):
            d.rk_ten_J[k] = d.ten_J[k]


@kernel
def restore_tendons(m, d):
    """Springs of tendons yield along the lengths and Jacobians at the start of the step, as in MuJoCo."""
    for tendon in range(m.ntendon):
        d.ten_length[tendon] = d.rk_ten_length[tendon]
    for k in range(m.nJten):
        d.ten_J[k] = d.rk_ten_J[k]


@kernel
def has_motor_with_state(m):
    """Is there an actuator whose activations are advanced with its velocity?"""
    for actuator in range(m.nactuator):
        if m.actuator_dyntype[actuator] in VELOCITY_DYNAMICS and m.actuator_actnum[actuator] > 0:
            return True
    return False


@kernel
def restore_actuator_velocity(m, d):
    """Motors advance their activations with the velocity at the start of the step, as in MuJoCo."""
    for out in range(m.nout):
        d.actuator_velocity[out] = d.rk_actuator_velocity[out]


@kernel
def restore_state(m, d, start):
    """The state at the start of the step, for the final update."""
    for k in range(m.nq):
        d.qpos[k] = d.rk_qpos0[k]
    for dof in range(m.nv):
        d.qvel[dof] = d.rk_qvel0[dof]
    for k in range(m.na):
        d.act[k] = d.rk_act0[k]
    d.time = start


@kernel
def begin_sums(m, d):
    """The weighted sums of rates over the stages, before the first."""
    for dof in range(m.nv):
        d.rk_velocity[dof] = 0.0
        d.rk_qacc[dof] = 0.0
    for k in range(m.na):
        d.rk_act_dot[k] = 0.0


@kernel
def add_stage(m, d, weight):
    """Add the rates of the stage just evaluated to the sums of the final update."""
    for dof in range(m.nv):
        d.rk_velocity[dof] = d.rk_velocity[dof] + d.rk_rate[dof] * weight
        d.rk_qacc[dof] = d.rk_qacc[dof] + d.qacc[dof] * weight
    for k in range(m.na):
        d.rk_act_dot[k] = d.rk_act_dot[k] + d.act_dot[k] * weight


@kernel
def next_stage(m, d, fraction, time):
    """The state at which the next stage is evaluated: a fraction of the step along the present rates."""
    alive = is_alive(d)
    step = m.opt.timestep
    for k in range(m.nq):
        d.qpos[k] = d.rk_qpos0[k]
    for dof in range(m.nv):
        d.rk_increment[dof] = d.rk_rate[dof] * fraction
    integrate_pos(m, d, d.rk_increment, step)
    for dof in range(m.nv):
        d.qvel[dof] = where(alive, d.rk_qvel0[dof] + step * (d.qacc[dof] * fraction), d.rk_qvel0[dof])
    for k in range(m.na):
        d.act[k] = where(alive, d.rk_act0[k] + step * (d.act_dot[k] * fraction), d.rk_act0[k])
    d.time = where(alive, time, d.time)


@kernel
def coordinate_rates(m, d):
    """rk_rate: qvel, with the rate of the rotation vector for the rotations of ball and free joints."""
    for dof in range(m.nv):
        d.rk_rate[dof] = d.qvel[dof]
    for joint in range(m.njnt):
        coordinate_rate(m.jnt_type[joint], m, d, joint, d.rk_increment, d.rk_rate, m.opt.timestep)
