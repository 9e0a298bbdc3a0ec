"""Servos of orientation: a torque along the shortest rotation to the target."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, store3
from phalanx.algebra.number import where
from phalanx.algebra.quaternion import difference, from_rotation_vector, normalize4, shortest_rotation
from phalanx.algebra.vector import add_scaled, norm, scale, where3
from phalanx.smooth.actuator.activation import next_activation
from phalanx.smooth.actuator.table import (
    bias_force,
    bias_slope,
    driven_force,
    driven_length_slope,
    is_at_limit,
    limit_force,
    rounding_of_cut,
    settle_activation,
)
from phalanx.tables.actuators import BIASES, GAINS
from phalanx.tables.enums import BiasType, CtrlChart, GainType

(STIFFNESS,) = GAINS[GainType.SO3].places("stiffness")
CONSTANT, DAMPING = BIASES[BiasType.SO3].places("constant", "damping")


@kernel
def takes_quaternion(m, actuator):
    """Is the control of the actuator a quaternion?"""
    return m.actuator_gaintype[actuator] == GainType.SO3 and m.actuator_ctrlspec[actuator] == CtrlChart.QUAT


@kernel
def target_orientation(m, d, actuator):
    """The orientation that the control, or the activation, spells."""
    if takes_quaternion(m, actuator):
        return normalize4(load4(d.actuation_ctrl, m.actuator_ctrladr[actuator]))
    if m.actuator_actnum[actuator] == 0:
        return from_rotation_vector(load3(d.actuation_ctrl, m.actuator_ctrladr[actuator]))
    first = m.actuator_actadr[actuator]
    if m.actuator_actearly[actuator]:
        return from_rotation_vector((
            next_activation(m, d, actuator, first, d.act_dot[first]),
            next_activation(m, d, actuator, first + 1, d.act_dot[first + 1]),
            next_activation(m, d, actuator, first + 2, d.act_dot[first + 2]),
        ))  # fmt: skip
    return from_rotation_vector(load3(d.act, first))


@driven_force.row(GainType.SO3)
@kernel
def orientation_force(m, d, actuator, out, activation):
    """Stiffness times the rotation vector from the present orientation to the target."""
    error = difference(target_orientation(m, d, actuator), from_rotation_vector(load3(d.actuator_length, out)))
    store3(d.actuator_force, out, scale(error, m.actuator_gainprm[actuator, STIFFNESS]))


@bias_force.row(BiasType.SO3)
@kernel
def orientation_bias(m, d, actuator, out):
    """A constant, and damping."""
    p = m.actuator_biasprm
    constant = (p[actuator, CONSTANT], p[actuator, CONSTANT], p[actuator, CONSTANT])
    force = add_scaled(load3(d.actuator_force, out), constant, 1.0)
    store3(d.actuator_force, out, add_scaled(force, load3(d.actuator_velocity, out), p[actuator, DAMPING]))


@bias_slope.row(BiasType.SO3)
@kernel
def orientation_bias_slope(m, d, actuator, out):
    """The same damping for each output."""
    return m.actuator_biasprm[actuator, DAMPING]


@driven_length_slope.row(GainType.SO3)
@kernel
def orientation_force_length_slope(m, d, actuator, out):
    """The stiffness, as for a small rotation."""
    return -m.actuator_gainprm[actuator, STIFFNESS]


# --- limits and state


@kernel
def limit_norm(torque, most):
    """The torque, not longer than `most`."""
    length = norm(torque)
    is_long = length > most
    return where3(is_long, scale(torque, most / where(is_long, length, 1.0)), torque)


@limit_force.row(GainType.SO3)
@kernel
def limit_torque(m, d, actuator, out):
    """The norm of the torque is limited, its direction stays."""
    store3(d.actuator_force, out, limit_norm(load3(d.actuator_force, out), m.actuator_forcerange[actuator, 1]))


@is_at_limit.row(GainType.SO3)
@kernel
def is_torque_at_limit(m, d, actuator, out):
    """Is the norm of the torque at the limit? That of a torque that was cut may be rounded down."""
    length = norm(load3(d.actuation_drive, out))
    return length >= (1.0 - rounding_of_cut(length)) * m.actuator_forcerange[actuator, 1]


@settle_activation.row(GainType.SO3)
@kernel
def anchor_activation(m, d, actuator, is_alive):
    """The activation spells its orientation by the rotation vector of at most half a rotation."""
    first = m.actuator_actadr[actuator]
    rotation = load3(d.act, first)
    store3(d.act, first, where3(is_alive, shortest_rotation(rotation), rotation))


@kernel
def reset_controls(m, d, chosen):
    """ctrl at rest, in the chosen worlds: zero, or no rotation."""
    for k in range(m.nu):
        d.ctrl[k] = where(chosen, 0.0, d.ctrl[k])
    for actuator in range(m.nactuator):
        if takes_quaternion(m, actuator):
            first = m.actuator_ctrladr[actuator]
            d.ctrl[first] = where(chosen, 1.0, d.ctrl[first])
