"""What joints of one position and one dof have in common, whatever their motion."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.smooth.passive.spring import polynomial, polynomial_slope, spring_potential


@kernel
def advance_scalar(m, qpos, joint, velocity, step, alive):
    """q + step v"""
    adr = m.jnt_qposadr[joint]
    qpos[adr] = where(alive, qpos[adr] + step * velocity[m.jnt_dofadr[joint]], qpos[adr])


@kernel
def subtract_scalar(m, qpos1, qpos2, joint, velocity, step):
    """(q2 - q1) / step"""
    adr = m.jnt_qposadr[joint]
    velocity[m.jnt_dofadr[joint]] = (qpos2[adr] - qpos1[adr]) / step


@kernel
def velocity_is_rate(m, d, joint, increment, rate, step):
    """The rate of a coordinate on a line is its velocity, which `rate` holds already."""


@kernel
def from_reference(m, d, joint):
    """Position relative to qpos0, the pose in which the model is written."""
    adr = m.jnt_qposadr[joint]
    return d.qpos[adr] - m.qpos0[adr]


# --- springs


@kernel
def scalar_displacement(m, d, joint):
    """Position relative to the rest of the spring, which is state if the spring can yield."""
    adr = m.jnt_qposadr[joint]
    if m.jnt_plasticadr[joint] >= 0:
        return d.qpos[adr] - d.plastic[m.jnt_plasticadr[joint]]
    return d.qpos[adr] - m.qpos_spring[adr]


@kernel
def scalar_spring(m, d, joint, stiffness, is_spring):
    """The stiffness depends on the signed displacement."""
    stretch = scalar_displacement(m, d, joint)
    d.qfrc_spring[m.jnt_dofadr[joint]] = where(is_spring, -stretch * polynomial(stiffness, stretch), 0.0)


@kernel
def scalar_stiffness(m, d, joint, stiffness, slopes):
    """The slope of the force at its signed displacement."""
    slopes[m.jnt_dofadr[joint]] = polynomial_slope(stiffness, scalar_displacement(m, d, joint))


@kernel
def scalar_potential(m, d, joint, stiffness):
    """Energy in the spring at its signed displacement."""
    return spring_potential(stiffness, scalar_displacement(m, d, joint))


@kernel
def yield_scalar(m, d, joint, alive):
    """The rest follows at the distance of the yield."""
    adr, limit, reference = m.jnt_qposadr[joint], m.jnt_springyield[joint], m.jnt_plasticadr[joint]
    rest = d.plastic[reference]
    stretch = d.qpos[adr] - rest
    dragged = where(stretch > limit, d.qpos[adr] - limit, rest)
    dragged = where(stretch < -limit, d.qpos[adr] + limit, dragged)
    d.plastic[reference] = where(alive, dragged, rest)


# --- limits and actuators


@kernel
def limit_scalar(m, d, joint, put_limit):
    """Both ends of the range."""
    value = d.qpos[m.jnt_qposadr[joint]]
    put_limit(m, d, joint, value - m.jnt_range[joint, 0], (1.0,))
    put_limit(m, d, joint, m.jnt_range[joint, 1] - value, (-1.0,))


@kernel
def scalar_moment(m, d, joint, out, address, in_parent):
    """length = gear q"""
    gear = m.actuator_gear[out, 0]
    d.actuator_length[out] = d.qpos[m.jnt_qposadr[joint]] * gear
    d.actuator_moment[address] = gear
