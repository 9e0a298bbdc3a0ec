"""Forces that are affine in length and velocity: motors, servos, dampers, cylinders."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.smooth.actuator.setpoint import nearest_setpoint
from phalanx.smooth.actuator.table import bias_force, driven_force
from phalanx.tables.enums import BiasType, GainType


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
def affine(parameters, actuator, length, velocity):
    """p0 + p1 length + p2 velocity"""
    return parameters[actuator, 0] + parameters[actuator, 1] * length + parameters[actuator, 2] * velocity


@driven_force.row(GainType.FIXED)
@kernel
def fixed_force(m, d, actuator, out, activation):
    d.actuator_force[out] = m.actuator_gainprm[actuator, 0] * signal(m, d, actuator, out, activation)


@driven_force.row(GainType.AFFINE)
@kernel
def affine_force(m, d, actuator, out, activation):
    gain = affine(m.actuator_gainprm, actuator, d.actuator_length[out], d.actuator_velocity[out])
    d.actuator_force[out] = gain * signal(m, d, actuator, out, activation)


@bias_force.row(BiasType.AFFINE)
@kernel
def affine_bias(m, d, actuator, out):
    bias = affine(m.actuator_biasprm, actuator, d.actuator_length[out], d.actuator_velocity[out])
    d.actuator_force[out] = d.actuator_force[out] + bias
