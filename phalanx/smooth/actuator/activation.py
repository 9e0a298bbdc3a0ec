"""Activations one step later, and the one that the force depends on."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import clamp
from phalanx.smooth.actuator.table import advanced_activation
from phalanx.tables.actuators import UNBOUNDED_DYNAMICS

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
    if m.actuator_actlimited[actuator] and dynamics not in UNBOUNDED_DYNAMICS:
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
