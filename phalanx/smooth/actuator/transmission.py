"""Transmissions: length of each actuator output, its moment arms, and its velocity."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3
from phalanx.algebra.vector import norm
from phalanx.memory.awake import is_actuator_asleep
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.setpoint import FULL_ROTATION
from phalanx.smooth.actuator.table import circle_period, has_circle, is_target_saturated, reaches, transmit
from phalanx.smooth.joint.table import joint_moment
from phalanx.tables.enums import DisableBit, TrnType
from phalanx.tables.joints import IS_PERIODIC, NV


@part()
def transmission(m, d):
    """actuator_length and the moment matrix, row by row in the order of outputs."""
    address = 0
    for actuator in range(m.nactuator):
        if is_actuator_asleep(m, d, actuator):
            clear_moments(m, d, actuator, address)
            continue
        address = transmit(m.actuator_trntype[actuator], m, d, actuator, m.actuator_outadr[actuator], address)


@kernel
def clear_moments(m, d, actuator, address):
    """An actuator that pulls on what sleeps has no moments."""
    first = m.actuator_outadr[actuator]
    for out in range(first, first + m.actuator_outnum[actuator]):
        d.moment_rowadr[out] = address
        d.moment_rownnz[out] = 0


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
    count = NV[m.jnt_type[joint]]
    in_parent = m.actuator_trntype[actuator] == TrnType.JOINTINPARENT
    joint_moment(m.jnt_type[joint], m, d, joint, out, address, in_parent)
    for k in range(count):
        d.moment_colind[address + k] = m.jnt_dofadr[joint] + k
    d.moment_rowadr[out] = address
    d.moment_rownnz[out] = count
    return address + count


@has_circle.row(TrnType.JOINT, TrnType.JOINTINPARENT)
@kernel
def is_joint_angle(m, actuator):
    """Is the length of the actuator the angle of a rotation in space, about its gear?"""
    return IS_PERIODIC[m.jnt_type[m.actuator_trnid[actuator, 0]]]


@circle_period.row(TrnType.JOINT, TrnType.JOINTINPARENT)
@kernel
def joint_period(m, actuator, out):
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
