"""Transmissions: length of each actuator output, its moment arms, and its velocity."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load4, load6, store3, store6
from phalanx.algebra.quaternion import conjugate, normalize4, rotate, to_rotation_vector
from phalanx.algebra.vector import dot, norm
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.setpoint import FULL_ROTATION
from phalanx.smooth.actuator.table import circle_period, has_circle, is_target_saturated, reaches, transmit
from phalanx.tables.enums import DisableBit, JointType, TrnType


@part()
def transmission(m, d):
    """actuator_length and the moment matrix, row by row in the order of outputs."""
    address = 0
    for actuator in range(m.nactuator):
        address = transmit(m.actuator_trntype[actuator], m, d, actuator, m.actuator_outadr[actuator], address)


@kernel
def actuator_velocity(m, d):
    """actuator_velocity = moment qvel; zero without actuation."""
    for out in range(m.nout):
        velocity = 0.0
        if not is_disabled(m, DisableBit.ACTUATION):
            start = d.moment_rowadr[out]
            for address in range(start, start + d.moment_rownnz[out]):
                velocity = velocity + d.actuator_moment[address] * d.qvel[d.moment_colind[address]]
        d.actuator_velocity[out] = velocity


# --- joints


@transmit.row(TrnType.JOINT, TrnType.JOINTINPARENT)
@kernel
def joint_output(m, d, actuator, out, address):
    """One output on the dofs of a joint; rotational gears of ball and free joints are in the child or parent frame."""
    joint = m.actuator_trnid[actuator, 0]
    kind = m.jnt_type[joint]
    in_parent = m.actuator_trntype[actuator] == TrnType.JOINTINPARENT
    if kind in (JointType.SLIDE, JointType.HINGE):
        count = scalar_joint_output(m, d, joint, out, address)
    elif kind == JointType.BALL:
        count = ball_joint_output(m, d, joint, out, address, in_parent)
    else:
        count = free_joint_output(m, d, joint, out, address, in_parent)
    for k in range(count):
        d.moment_colind[address + k] = m.jnt_dofadr[joint] + k
    d.moment_rowadr[out] = address
    d.moment_rownnz[out] = count
    return address + count


@kernel
def scalar_joint_output(m, d, joint, out, address):
    """length = gear q"""
    gear = m.actuator_gear[out, 0]
    d.actuator_length[out] = d.qpos[m.jnt_qposadr[joint]] * gear
    d.actuator_moment[address] = gear
    return 1


@kernel
def ball_joint_output(m, d, joint, out, address, in_parent):
    """length = gear . log(q)"""
    quat = normalize4(load4(d.qpos, m.jnt_qposadr[joint]))
    axis = load3(m.actuator_gear, out)
    if in_parent:
        axis = rotate(axis, conjugate(quat))
    d.actuator_length[out] = dot(to_rotation_vector(quat), axis)
    store3(d.actuator_moment, address, axis)
    return 3


@kernel
def free_joint_output(m, d, joint, out, address, in_parent):
    """A wrench; it has no meaningful length."""
    gear = load6(m.actuator_gear, out)
    axis = (gear[3], gear[4], gear[5])
    if in_parent:
        axis = rotate(axis, conjugate(normalize4(load4(d.qpos, m.jnt_qposadr[joint] + 3))))
    d.actuator_length[out] = 0.0
    store6(d.actuator_moment, address, (gear[0], gear[1], gear[2], axis[0], axis[1], axis[2]))
    return 6


@has_circle.row(TrnType.JOINT, TrnType.JOINTINPARENT)
@kernel
def is_ball_angle(m, actuator):
    """The length of an actuator of a ball joint is an angle about its gear."""
    return m.jnt_type[m.actuator_trnid[actuator, 0]] == JointType.BALL


@circle_period.row(TrnType.JOINT, TrnType.JOINTINPARENT)
@kernel
def ball_period(m, actuator, out):
    """A full rotation, times the length of the gear."""
    return FULL_ROTATION * norm(load3(m.actuator_gear, out))


@is_target_saturated.row(TrnType.JOINT, TrnType.JOINTINPARENT)
@kernel
def is_joint_saturated(m, d, actuator):
    """Is the total actuator force on the joint at its limit?"""
    joint = m.actuator_trnid[actuator, 0]
    if m.jnt_actfrclimited[joint]:
        return reaches(d.qfrc_actuator[m.jnt_dofadr[joint]], m.jnt_actfrcrange, joint)
    return False
