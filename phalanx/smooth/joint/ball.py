"""A ball: any rotation about the anchor. The position is a unit quaternion, from the parent to the body."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4, store3, store4
from phalanx.algebra.number import and_, maximum
from phalanx.algebra.quaternion import (
    conjugate,
    difference,
    integrate,
    normalize4,
    rotate,
    to_rotation_vector,
    where4,
)
from phalanx.algebra.vector import dot, negate, norm, normalize, where3
from phalanx.smooth.joint.anchor import place_joint, rotate_about_anchor
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
    yield_spring,
)
from phalanx.smooth.passive.spring import polynomial_slope, spring_force, spring_potential
from phalanx.tables.enums import JointType

ZERO3 = (0.0, 0.0, 0.0)


@move_frame.row(JointType.BALL)
@kernel
def move_ball(m, d, joint, pos, quat):
    """Rotation about the anchor."""
    anchor, _ = place_joint(m, d, joint, pos, quat)
    return rotate_about_anchor(m, joint, anchor, quat, normalize4(load4(d.qpos, m.jnt_qposadr[joint])))


@joint_axes.row(JointType.BALL)
@kernel
def ball_axes(m, d, joint, offset):
    """Rotations about the axes of the moved body."""
    put_rotation_axes(m, d, joint, m.jnt_dofadr[joint], offset)


@advance_joint.row(JointType.BALL)
@kernel
def advance_ball(m, qpos, joint, velocity, step, alive):
    """q exp(step w)"""
    advance_rotation(qpos, m.jnt_qposadr[joint], m.jnt_dofadr[joint], velocity, step, alive)


@subtract_joint.row(JointType.BALL)
@kernel
def subtract_ball(m, qpos1, qpos2, joint, velocity, step):
    """log(q1^-1 q2) / step"""
    subtract_rotation(qpos1, qpos2, m.jnt_qposadr[joint], m.jnt_dofadr[joint], velocity, step)


@coordinate_rate.row(JointType.BALL)
@kernel
def ball_rate(m, d, joint, increment, rate, step):
    """The rate of the rotation vector."""
    put_rotation_rate(d, m.jnt_dofadr[joint], increment, rate, step)


# --- springs


@joint_spring.row(JointType.BALL)
@kernel
def ball_spring(m, d, joint, stiffness, is_spring):
    """Torque towards the rest, along the rotation vector; the stiffness depends on the angle."""
    rotation = rotation_displacement(m, d, joint, m.jnt_qposadr[joint])
    store3(d.qfrc_spring, m.jnt_dofadr[joint], where3(is_spring, spring_force(stiffness, rotation), ZERO3))


@joint_stiffness.row(JointType.BALL)
@kernel
def ball_stiffness(m, d, joint, stiffness, slopes):
    """The slope of the torque at the angle from its rest, for all axes."""
    slope = polynomial_slope(stiffness, norm(rotation_displacement(m, d, joint, m.jnt_qposadr[joint])))
    store3(slopes, m.jnt_dofadr[joint], (slope, slope, slope))


@joint_potential.row(JointType.BALL)
@kernel
def ball_potential(m, d, joint, stiffness):
    """Energy in the spring at the angle from its rest."""
    return spring_potential(stiffness, norm(rotation_displacement(m, d, joint, m.jnt_qposadr[joint])))


@yield_spring.row(JointType.BALL)
@kernel
def yield_ball(m, d, joint, alive):
    """The rest follows on the shortest rotation, at the angle of the yield."""
    adr, limit, reference = m.jnt_qposadr[joint], m.jnt_springyield[joint], m.jnt_plasticadr[joint]
    rest = load4(d.plastic, reference)
    stretch = difference(load4(d.qpos, adr), rest)
    has_yielded = and_(alive, norm(stretch) > limit)
    dragged = integrate(load4(d.qpos, adr), normalize(stretch), -limit)
    store4(d.plastic, reference, where4(has_yielded, dragged, rest))


# --- limits and actuators


@limit_joint.row(JointType.BALL)
@kernel
def limit_ball(m, d, joint, put_limit):
    """One end: the angle of the rotation stays below the larger bound of the range."""
    rotation = to_rotation_vector(normalize4(load4(d.qpos, m.jnt_qposadr[joint])))
    distance = maximum(m.jnt_range[joint, 0], m.jnt_range[joint, 1]) - norm(rotation)
    put_limit(m, d, joint, distance, negate(normalize(rotation)))


@joint_moment.row(JointType.BALL)
@kernel
def ball_moment(m, d, joint, out, address, in_parent):
    """length = gear . log(q)"""
    quat = normalize4(load4(d.qpos, m.jnt_qposadr[joint]))
    axis = load3(m.actuator_gear, out)
    if in_parent:
        axis = rotate(axis, conjugate(quat))
    d.actuator_length[out] = dot(to_rotation_vector(quat), axis)
    store3(d.actuator_moment, address, axis)
