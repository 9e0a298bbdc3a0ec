"""The plugin mujoco.pid: proportional, integral and derivative control of the length of an actuator.

    force = kp e + ki (int e dt) + kd de/dt,    e = setpoint - length

The setpoint is the control, or the activation of the dynamics; it can be bounded in its rate. Activations of its own
are the integral (if ki is not zero) and the last setpoint (if there is a bound of the rate), in this order.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import clamp, where
from phalanx.smooth.actuator.activation import next_activation
from phalanx.smooth.actuator.table import plugin_force, plugin_rate
from phalanx.tables.enums import DynType
from phalanx.tables.plugins import PLUGINS, PluginType

_ROW = PLUGINS[PluginType.PID]
#: Places of the settings in the configuration.
KP, KI, KD = _ROW.first("kp"), _ROW.first("ki"), _ROW.first("kd")
IMAX, SLEWMAX = _ROW.first("imax"), _ROW.first("slewmax")


@kernel
def has_integral(m, instance):
    """Is there an integral term?"""
    return m.plugin_config[instance, KI] != 0.0


@kernel
def has_slew(m, instance):
    """Is the rate of the setpoint bounded?"""
    return m.plugin_config[instance, SLEWMAX] >= 0.0


@kernel
def setpoint(m, d, actuator, instance, is_early):
    """The control within its range, or the activation (of the next step if `is_early`), within the bound of its rate.

    In the first step of a simulation there is no setpoint before.
    """
    if m.actuator_dyntype[actuator] == DynType.NONE:
        control = m.actuator_ctrladr[actuator]
        target = d.ctrl[control] + 0.0
        if m.actuator_ctrllimited[control]:
            target = clamp(target, m.actuator_ctrlrange[control, 0], m.actuator_ctrlrange[control, 1])
    else:
        last = m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1
        target = d.act[last] + 0.0
        if is_early:
            target = next_activation(m, d, actuator, last, d.act_dot[last])
    if has_slew(m, instance):
        before = d.act[m.actuator_actadr[actuator] + (1 if has_integral(m, instance) else 0)]
        most = m.plugin_config[instance, SLEWMAX] * m.opt.timestep
        target = where(d.time > 0.0, clamp(target, before - most, before + most), target)
    return target


@kernel
def next_integral(m, d, actuator, instance, error):
    """The integral of the error one step later, within its bound, which is given as a force."""
    total = d.act[m.actuator_actadr[actuator]] + error * m.opt.timestep
    most = m.plugin_config[instance, IMAX] / m.plugin_config[instance, KI]
    return clamp(total, -most, most)


@plugin_rate.row(PluginType.PID)
@kernel
def pid_rate(m, d, actuator, instance):
    """Such that one step of Euler leads to the next integral and to the setpoint."""
    target = setpoint(m, d, actuator, instance, False)
    error = target - d.actuator_length[m.actuator_outadr[actuator]]
    address = m.actuator_actadr[actuator]
    if has_integral(m, instance):
        total = next_integral(m, d, actuator, instance, error)
        d.act_dot[address] = (total - d.act[address]) / m.opt.timestep
        address += 1
    if has_slew(m, instance):
        d.act_dot[address] = (target - d.act[address]) / m.opt.timestep


@plugin_force.row(PluginType.PID)
@kernel
def pid_force(m, d, actuator, instance):
    """The three terms."""
    out, last = m.actuator_outadr[actuator], m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1
    target = setpoint(m, d, actuator, instance, m.actuator_actearly[actuator])
    error = target - d.actuator_length[out]
    rate = 0.0 * error
    if m.actuator_dyntype[actuator] != DynType.NONE:
        rate = d.act_dot[last] + 0.0
    total = 0.0 * error
    if has_integral(m, instance):
        total = next_integral(m, d, actuator, instance, error)
    gain = m.plugin_config
    d.actuator_force[out] = (
        gain[instance, KP] * error + gain[instance, KD] * (rate - d.actuator_velocity[out]) + gain[instance, KI] * total
    )
