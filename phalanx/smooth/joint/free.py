"""A free joint: the pose of a body in the world. The position is that of the body frame, then a unit quaternion.

Velocities are linear along the axes of the world, then angular along those of the body.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, load6, store3, store6
from phalanx.algebra.number import where
from phalanx.algebra.quaternion import conjugate, normalize4, rotate
from phalanx.algebra.vector import norm, sub, where3
from phalanx.smooth.joint.rotation import (
    advance_rotation,
    put_rotation_axes,
    put_rotation_rate,
    rotation_displacement,
    subtract_rotation,
)
from phalanx.smooth.joint.table import (
    advance_joint,
    coordinate_rate,
    joint_axes,
    joint_moment,
    joint_potential,
    joint_spring,
    joint_stiffness,
    limit_joint,
    move_frame,
    subtract_joint,
)
from phalanx.smooth.passive.spring import polynomial_slope, spring_force, spring_potential
from phalanx.tables.enums import JointType

ZERO3 = (0.0, 0.0, 0.0)
#: Where the quaternion starts in the positions, and the rotations in the dofs.
ROTATION = 3


@move_frame.row(JointType.FREE)
@kernel
def move_free(m, d, joint, pos, quat):
    """The pose in qpos, wherever the body was; it acts at the origin of the body."""
    adr = m.jnt_qposadr[joint]
    pos = load3(d.qpos, adr)
    store3(d.xanchor, joint, pos)
    store3(d.xaxis, joint, load3(m.jnt_axis, joint))
    return pos, normalize4(load4(d.qpos, adr + ROTATION))


@joint_axes.row(JointType.FREE)
@kernel
def free_axes(m, d, joint, offset):
    """Translations along the axes of the world, then rotations about those of the body."""
    dof = m.jnt_dofadr[joint]
    store6(d.cdof, dof, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    store6(d.cdof, dof + 1, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
    store6(d.cdof, dof + 2, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    put_rotation_axes(m, d, joint, dof + ROTATION, offset)


@advance_joint.row(JointType.FREE)
@kernel
def advance_free(m, qpos, joint, velocity, step, alive):
    """p + step v, q exp(step w)"""
    adr, dof = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
    for k in range(ROTATION):
        qpos[adr + k] = where(alive, qpos[adr + k] + step * velocity[dof + k], qpos[adr + k])
    advance_rotation(qpos, adr + ROTATION, dof + ROTATION, velocity, step, alive)


@subtract_joint.row(JointType.FREE)
@kernel
def subtract_free(m, qpos1, qpos2, joint, velocity, step):
    """(p2 - p1) / step, log(q1^-1 q2) / step"""
    adr, dof = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
    for k in range(ROTATION):
        velocity[dof + k] = (qpos2[adr + k] - qpos1[adr + k]) / step
    subtract_rotation(qpos1, qpos2, adr + ROTATION, dof + ROTATION, velocity, step)


@coordinate_rate.row(JointType.FREE)
@kernel
def free_rate(m, d, joint, increment, rate, step):
    """The velocity, and the rate of the rotation vector."""
    put_rotation_rate(d, m.jnt_dofadr[joint] + ROTATION, increment, rate, step)


# --- springs


@kernel
def translation_displacement(m, d, joint):
    """Position relative to the rest of the spring."""
    adr = m.jnt_qposadr[joint]
    return sub(load3(d.qpos, adr), load3(m.qpos_spring, adr))


@joint_spring.row(JointType.FREE)
@kernel
def free_spring(m, d, joint, stiffness, is_spring):
    """Force and torque towards the rest, with the same coefficients."""
    adr, dof = m.jnt_qposadr[joint], m.jnt_dofadr[joint]
    force = spring_force(stiffness, translation_displacement(m, d, joint))
    torque = spring_force(stiffness, rotation_displacement(m, d, joint, adr + ROTATION))
    store3(d.qfrc_spring, dof, where3(is_spring, force, ZERO3))
    store3(d.qfrc_spring, dof + ROTATION, where3(is_spring, torque, ZERO3))


@joint_stiffness.row(JointType.FREE)
@kernel
def free_stiffness(m, d, joint, stiffness, slopes):
    """The slopes of force and torque at the distance and the angle from the rest, for all axes."""
    rotation = rotation_displacement(m, d, joint, m.jnt_qposadr[joint] + ROTATION)
    linear = polynomial_slope(stiffness, norm(translation_displacement(m, d, joint)))
    angular = polynomial_slope(stiffness, norm(rotation))
    store6(slopes, m.jnt_dofadr[joint], (linear, linear, linear, angular, angular, angular))


@joint_potential.row(JointType.FREE)
@kernel
def free_potential(m, d, joint, stiffness):
    """Energy in the spring, of the translation and of the rotation."""
    rotation = rotation_displacement(m, d, joint, m.jnt_qposadr[joint] + ROTATION)
    linear = spring_potential(stiffness, norm(translation_displacement(m, d, joint)))
    return linear + spring_potential(stiffness, norm(rotation))


# --- limits and actuators


@limit_joint.row(JointType.FREE)
@kernel
def limit_free(m, d, joint, put_limit):
    """Nothing limits the pose."""


@joint_moment.row(JointType.FREE)
@kernel
def free_moment(m, d, joint, out, address, in_parent):
    """A wrench; it has no meaningful length."""
    gear = load6(m.actuator_gear, out)
    axis = (gear[3], gear[4], gear[5])
    if in_parent:
        axis = rotate(axis, conjugate(normalize4(load4(d.qpos, m.jnt_qposadr[joint] + ROTATION))))
    d.actuator_length[out] = 0.0
    store6(d.actuator_moment, address, (gear[0], gear[1], gear[2], axis[0], axis[1], axis[2]))
