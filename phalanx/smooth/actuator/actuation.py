"""Actuation: from controls and activations to act_dot, actuator_force and qfrc_actuator.

What a kind of actuator does is a row of `table.py`; this file has the order in which the rows act.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import any_, clamp, or_, where
from phalanx.memory.awake import awake_dofs, is_actuator_asleep
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.activation import force_activation, is_switched_off, next_activation
from phalanx.smooth.actuator.plugin_actuation import plugin_forces, plugin_rates
from phalanx.smooth.actuator.setpoint import keeps_setpoint, nearest_setpoint
from phalanx.smooth.actuator.table import (
    activation_rate,
    bias_force,
    driven_force,
    limit_force,
    mechanical_force,
    settle_activation,
)
from phalanx.smooth.actuator.tendon_transmission import limit_tendon_forces
from phalanx.smooth.history import read_controls
from phalanx.tables.enums import DisableBit, WarningType
from phalanx.tables.joints import NV
from phalanx.tables.sizes import MAXVAL


@kernel
def fwd_actuation(m, d):
    """act_dot, actuator_force, qfrc_actuator."""
    for out in range(m.nout):
        d.actuator_force[out] = 0.0
    for dof in awake_dofs(m, d):
        d.qfrc_actuator[dof] = 0.0
    if m.nactuator > 0 and not is_disabled(m, DisableBit.ACTUATION):
        actuate(m, d)


@part()
def actuate(m, d):
    """What the actuators do, where there are any."""
    controls_in_effect(m, d)
    activation_rates(m, d)
    if m.nplugin > 0:
        plugin_rates(m, d)
    actuator_forces(m, d)
    joint_forces(m, d)


@kernel
def controls_in_effect(m, d):
    """Controls after their delays, within their ranges; all zero, with a warning, in a world where one is bad."""
    read_controls(m, d)
    control = d.actuation_ctrl
    # the first bad control is reported, so it is looked at last
    bad = -1.0
    for k in range(m.nu - 1, -1, -1):
        u = control[k]
        if m.actuator_ctrllimited[k] and not is_disabled(m, DisableBit.CLAMPCTRL):
            u = clamp(u, m.actuator_ctrlrange[k, 0], m.actuator_ctrlrange[k, 1])
        control[k] = u
        bad = where(or_(u != u, or_(u > MAXVAL, u < -MAXVAL)), float(k), bad)
    is_bad = bad >= 0.0
    if any_(is_bad):
        for k in range(m.nu):
            control[k] = where(is_bad, 0.0, control[k])
        count = d.warning_number[WarningType.BADCTRL]
        d.warning_number[WarningType.BADCTRL] = where(is_bad, count + 1.0, count)
        d.warning_lastinfo[WarningType.BADCTRL] = where(is_bad, bad, d.warning_lastinfo[WarningType.BADCTRL])


@kernel
def activation_rates(m, d):
    """act_dot"""
    for actuator in range(m.nactuator):
        first, count = m.actuator_actadr[actuator], m.actuator_actnum[actuator]
        # of what sleeps, rates stay as they were
        is_resting = is_actuator_asleep(m, d, actuator)
        for address in range(first, first + count):
            d.act_dot[address] = d.asleep_act_dot[address] if is_resting else 0.0
        if count > 0 and not is_resting:
            activation_rate(m.actuator_dyntype[actuator], m, d, actuator, first)
        if m.nsleep > 0:
            for address in range(first, first + count):
                d.asleep_act_dot[address] = d.act_dot[address]


@kernel
def actuator_forces(m, d):
    """actuator_force: driven part and bias, within the limits, and what no limit applies to."""
    for actuator in range(m.nactuator):
        out = m.actuator_outadr[actuator]
        if has_force(m, d, actuator):
            driven_force(m.actuator_gaintype[actuator], m, d, actuator, out, force_activation(m, d, actuator))
            bias_force(m.actuator_biastype[actuator], m, d, actuator, out)
    if m.nplugin > 0:
        plugin_forces(m, d)
    limit_tendon_forces(m, d)
    for actuator in range(m.nactuator):
        if m.actuator_forcelimited[actuator]:
            limit_force(m.actuator_gaintype[actuator], m, d, actuator, m.actuator_outadr[actuator])
    for out in range(m.nout):
        d.actuation_drive[out] = d.actuator_force[out]
    for actuator in range(m.nactuator):
        if has_force(m, d, actuator):
            mechanical_force(m.actuator_biastype[actuator], m, d, actuator, m.actuator_outadr[actuator])


@kernel
def has_force(m, d, actuator):
    """Is the force made here: is the actuator on, not a plugin, and what it pulls on awake?"""
    return (
        not is_switched_off(m, actuator) and m.actuator_plugin[actuator] < 0 and not is_actuator_asleep(m, d, actuator)
    )


@kernel
def joint_forces(m, d):
    """qfrc_actuator = moment' force, with the gravity compensation that actuators give, within the limits of joints."""
    total = d.qfrc_actuator
    for out in range(m.nout):
        force, start = d.actuator_force[out], d.moment_rowadr[out]
        for address in range(start, start + d.moment_rownnz[out]):
            dof = d.moment_colind[address]
            total[dof] = total[dof] + d.actuator_moment[address] * force
    compensates = m.flg_gravcomp and not is_disabled(m, DisableBit.GRAVITY)
    for joint in range(m.njnt):
        dof, kind = m.jnt_dofadr[joint], m.jnt_type[joint]
        if compensates and m.jnt_actgravcomp[joint]:
            for k in range(dof, dof + NV[kind]):
                total[k] = total[k] + d.qfrc_gravcomp[k]
        if m.jnt_actfrclimited[joint]:
            total[dof] = clamp(total[dof], m.jnt_actfrcrange[joint, 0], m.jnt_actfrcrange[joint, 1])


# --- integration


@kernel
def advance_activation(m, d, act_dot):
    """act one step later with the given rates; groups that are off have none. A world that has failed keeps its act."""
    if is_disabled(m, DisableBit.ACTUATION):
        return
    is_alive = d.error_code == 0.0
    for actuator in range(m.nactuator):
        first = m.actuator_actadr[actuator]
        last = first + m.actuator_actnum[actuator] - 1
        for address in range(first, last + 1):
            rate = 0.0
            if not is_switched_off(m, actuator):
                rate = act_dot[address]
            value = next_activation(m, d, actuator, address, rate)
            if address == last and keeps_setpoint(m, actuator):
                # on a circle, within half a rotation of the length
                value = nearest_setpoint(m, actuator, value, d.actuator_length[m.actuator_outadr[actuator]])
            d.act[address] = where(is_alive, value, d.act[address])
        if last >= first:
            settle_activation(m.actuator_gaintype[actuator], m, d, actuator, is_alive)
