"""Activations: how fast they change, and where they are one step later."""

from __future__ import annotations

from phalanx.algebra.elementary import exp
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import clamp, maximum
from phalanx.algebra.vector import MINVAL
from phalanx.smooth.actuator.setpoint import nearest_setpoint
from phalanx.smooth.actuator.table import activation_rate, advanced_activation
from phalanx.tables.enums import DynType

#: Groups that a bit of disableactuator can switch off: 0 to 30.
GROUPS = 31


@kernel
def is_switched_off(m, actuator):
    """Is the group of the actuator switched off?"""
    group = m.actuator_group[actuator]
    return group >= 0 and group < GROUPS and ((m.opt.disableactuator >> group) & 1) == 1


@kernel
def next_activation(m, d, actuator, address, rate):
    """The activation at `address` one step later, given its rate."""
    dynamics = m.actuator_dyntype[actuator]
    value = advanced_activation(dynamics, m, d, actuator, address, rate)
    if m.actuator_actlimited[actuator] and dynamics != DynType.DCMOTOR:
        value = clamp(value, m.actuator_actrange[actuator, 0], m.actuator_actrange[actuator, 1])
    return value


@kernel
def force_activation(m, d, actuator):
    """The activation that the force depends on: the last one, of the next step if the actuator is early, else now."""
    if m.actuator_actnum[actuator] == 0:
        return 0.0
    address = m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1
    if m.actuator_actearly[actuator]:
        return next_activation(m, d, actuator, address, d.act_dot[address])
    return d.act[address]


# --- linear dynamics


@activation_rate.row(DynType.INTEGRATOR)
@kernel
def integrator_rate(m, d, actuator, first):
    """Each control is the rate of an activation, the last ones if there are more."""
    count = m.actuator_ctrlnum[actuator]
    start = first + m.actuator_actnum[actuator] - count
    for k in range(count):
        d.act_dot[start + k] = d.actuation_ctrl[m.actuator_ctrladr[actuator] + k]


@activation_rate.row(DynType.FILTER, DynType.FILTEREXACT)
@kernel
def filter_rate(m, d, actuator, first):
    """(control - act) / time constant; on a circle the shorter way."""
    last = first + m.actuator_actnum[actuator] - 1
    target = nearest_setpoint(m, actuator, d.actuation_ctrl[m.actuator_ctrladr[actuator]], d.act[last])
    d.act_dot[last] = (target - d.act[last]) / maximum(MINVAL, m.actuator_dynprm[actuator, 0])


@kernel
def filtered(value, rate, time_constant, step):
    """A linear filter one step later, solved exactly."""
    return value + rate * time_constant * (1.0 - exp(-step / time_constant))


@advanced_activation.row(DynType.FILTEREXACT)
@kernel
def advanced_filter(m, d, actuator, address, rate):
    return filtered(d.act[address], rate, maximum(MINVAL, m.actuator_dynprm[actuator, 0]), m.opt.timestep)
