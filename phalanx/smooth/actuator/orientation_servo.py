"""Servos of orientation: a torque along the shortest rotation to the target."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, store3
from phalanx.algebra.number import where
from phalanx.algebra.quaternion import difference, from_rotation_vector, normalize4, shortest_rotation
from phalanx.algebra.vector import add_scaled, norm, scale, where3
from phalanx.smooth.actuator.activation import next_activation
from phalanx.smooth.actuator.table import bias_force, driven_force
from phalanx.tables.enums import BiasType, CtrlChart, GainType


@kernel
def is_orientation_servo(m, actuator):
    return m.actuator_gaintype[actuator] == GainType.SO3


@kernel
def takes_quaternion(m, actuator):
    """Is the control of the actuator a quaternion?"""
    return is_orientation_servo(m, actuator) and m.actuator_ctrlspec[actuator] == CtrlChart.QUAT


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
    store3(d.actuator_force, out, scale(error, m.actuator_gainprm[actuator, 0]))


@bias_force.row(BiasType.SO3)
@kernel
def orientation_bias(m, d, actuator, out):
    """A constant, and damping."""
    p = m.actuator_biasprm
    constant = (p[actuator, 0], p[actuator, 0], p[actuator, 0])
    force = add_scaled(load3(d.actuator_force, out), constant, 1.0)
    store3(d.actuator_force, out, add_scaled(force, load3(d.actuator_velocity, out), p[actuator, 2]))


@kernel
def limit_torque(torque, most):
    """The torque, not longer than `most`."""
    length = norm(torque)
    is_long = length > most
    return where3(is_long, scale(torque, most / where(is_long, length, 1.0)), torque)


@kernel
def anchor_activation(m, d, actuator, alive):
    """The activation spells its orientation by the rotation vector of at most half a turn."""
    first = m.actuator_actadr[actuator]
    turn = load3(d.act, first)
    store3(d.act, first, where3(alive, shortest_rotation(turn), turn))


@kernel
def reset_controls(m, d, chosen):
    """ctrl at rest, in the chosen worlds: zero, or no rotation."""
    for k in range(m.nu):
        d.ctrl[k] = where(chosen, 0.0, d.ctrl[k])
    for actuator in range(m.nactuator):
        if takes_quaternion(m, actuator):
            first = m.actuator_ctrladr[actuator]
            d.ctrl[first] = where(chosen, 1.0, d.ctrl[first])
