"""Forces that are affine in length and velocity: motors, servos, dampers, cylinders."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.smooth.actuator.activation import force_activation
from phalanx.smooth.actuator.setpoint import nearest_setpoint
from phalanx.smooth.actuator.table import (
    bias_force,
    bias_length_slope,
    bias_slope,
    driven_force,
    driven_length_slope,
    driven_slope,
)
from phalanx.tables.actuators import BIASES, GAINS
from phalanx.tables.enums import BiasType, GainType

(GAIN,) = GAINS[GainType.FIXED].places("gain")
#: The same columns in gainprm and biasprm.
CONSTANT, PER_LENGTH, PER_VELOCITY = BIASES[BiasType.AFFINE].places("constant", "per_length", "per_velocity")


# --- the input


@kernel
def signal(m, d, actuator, out, activation):
    """What the gain is applied to: the activation, or the control of an actuator without one."""
    value = activation
    if m.actuator_actnum[actuator] == 0:
        value = first_control(m, d, actuator)
    return nearest_setpoint(m, actuator, value, d.actuator_length[out])


@kernel
def first_control(m, d, actuator):
    """The first control in effect; zero for an actuator that takes none."""
    if m.actuator_ctrlnum[actuator] == 0:
        return 0.0
    return d.actuation_ctrl[m.actuator_ctrladr[actuator]]


@kernel
def signal_slope(m, d, actuator, gain_slope):
    """Derivative of gain times signal, given that of the gain; zero where the gain has none."""
    if m.actuator_actnum[actuator] > 0:
        value = force_activation(m, d, actuator)
    else:
        value = first_control(m, d, actuator)
    return where(gain_slope != 0.0, gain_slope * value, 0.0)


# --- force


@kernel
def affine(parameters, actuator, length, velocity):
    """p0 + p1 length + p2 velocity"""
    constant, per_length = parameters[actuator, CONSTANT], parameters[actuator, PER_LENGTH]
    return constant + per_length * length + parameters[actuator, PER_VELOCITY] * velocity


@driven_force.row(GainType.FIXED)
@kernel
def fixed_force(m, d, actuator, out, activation):
    """A constant times the signal: a motor, and with an affine bias a servo."""
    d.actuator_force[out] = m.actuator_gainprm[actuator, GAIN] * signal(m, d, actuator, out, activation)


@driven_force.row(GainType.AFFINE)
@kernel
def affine_force(m, d, actuator, out, activation):
    """A gain that is affine in length and velocity, times the signal: a damper whose strength is the control."""
    gain = affine(m.actuator_gainprm, actuator, d.actuator_length[out], d.actuator_velocity[out])
    d.actuator_force[out] = gain * signal(m, d, actuator, out, activation)


@driven_slope.row(GainType.AFFINE)
@kernel
def affine_force_slope(m, d, actuator, out):
    """p2 of the gain times the signal."""
    return signal_slope(m, d, actuator, m.actuator_gainprm[actuator, PER_VELOCITY])


@driven_length_slope.row(GainType.AFFINE)
@kernel
def affine_force_length_slope(m, d, actuator, out):
    """p1 of the gain times the signal."""
    return signal_slope(m, d, actuator, m.actuator_gainprm[actuator, PER_LENGTH])


@bias_force.row(BiasType.AFFINE)
@kernel
def affine_bias(m, d, actuator, out):
    """A spring and a damper, and a constant."""
    bias = affine(m.actuator_biasprm, actuator, d.actuator_length[out], d.actuator_velocity[out])
    d.actuator_force[out] = d.actuator_force[out] + bias


@bias_slope.row(BiasType.AFFINE)
@kernel
def affine_bias_slope(m, d, actuator, out):
    """p2 of the bias."""
    return m.actuator_biasprm[actuator, PER_VELOCITY]


@bias_length_slope.row(BiasType.AFFINE)
@kernel
def affine_bias_length_slope(m, d, actuator, out):
    """p1 of the bias."""
    return m.actuator_biasprm[actuator, PER_LENGTH]
