"""Transmissions: length of each actuator output, its moment arms, and its velocity."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.table import transmit
from phalanx.smooth.joint.table import joint_moment
from phalanx.tables.enums import DisableBit, TrnType
from phalanx.tables.joints import NV


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
    count = NV[m.jnt_type[joint]]
    in_parent = m.actuator_trntype[actuator] == TrnType.JOINTINPARENT
    joint_moment(m.jnt_type[joint], m, d, joint, out, address, in_parent)
    for k in range(count):
        d.moment_colind[address + k] = m.jnt_dofadr[joint] + k
    d.moment_rowadr[out] = address
    d.moment_rownnz[out] = count
    return address + count
