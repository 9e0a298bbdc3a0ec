"""Actuators that the user defines by hooks; without hooks activations rest, the gain is one and the bias is zero."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.hook.calls import user_bias, user_gain, user_rate
from phalanx.smooth.actuator.linear_force import signal
from phalanx.smooth.actuator.table import activation_rate, bias_force, driven_force
from phalanx.tables.enums import BiasType, DynType, GainType


@activation_rate.row(DynType.USER)
@kernel
def user_activation_rate(m, d, actuator, first):
    """The hook writes act_dot itself."""
    user_rate(m, d, actuator)


@driven_force.row(GainType.USER)
@kernel
def user_force(m, d, actuator, out, activation):
    """The gain that the hook returns, times the signal."""
    d.actuator_force[out] = user_gain(m, d, actuator) * signal(m, d, actuator, out, activation)


@bias_force.row(BiasType.USER)
@kernel
def user_bias_force(m, d, actuator, out):
    """The force that the hook returns."""
    d.actuator_force[out] = d.actuator_force[out] + user_bias(m, d, actuator)
