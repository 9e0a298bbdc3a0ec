"""Limits of joints and tendons: a row for each end of the range that is near."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5
from phalanx.algebra.number import any_, where
from phalanx.constraint.impedance import one_sided_parameters
from phalanx.constraint.rows import describe, note_tendon, put_entry, put_row, put_tendon, release, reserve, where_felt
from phalanx.memory.awake import awake_joints, is_tendon_asleep
from phalanx.smooth.joint.table import limit_joint
from phalanx.tables.enums import ConstraintType


@kernel
def joint_limits(m, d):
    """Rows of limited joints."""
    for joint in awake_joints(m, d):
        if m.jnt_limited[joint] != 0:
            limit_joint(m.jnt_type[joint], m, d, joint, put_joint_limit)


@kernel
def put_joint_limit(m, d, joint, distance, slopes):
    """One end of the range of a joint, at a signed distance that grows by `slopes` with the velocities of its dofs."""
    margin = m.jnt_margin[joint]
    acts = distance < margin
    row, address, dof, width = d.nefc, d.nJ, m.jnt_dofadr[joint], len(slopes)
    if any_(acts) and reserve(d, 1, width):
        describe(d, row, address, 1, width, ConstraintType.LIMIT_JOINT, joint)
        for k, slope in enumerate(slopes):
            put_entry(d, address + k, dof + k, where(acts, slope, 0.0))
        solref, solimp = load2(m.jnt_solref, joint), load5(m.jnt_solimp, joint)
        parameters = one_sided_parameters(m, solref, solimp, distance - margin)
        put_row(d, row, acts, (distance, margin), parameters, m.dof_invweight0[dof])


@kernel
def tendon_limits(m, d):
    """Rows of limited tendons."""
    for tendon in range(m.ntendon):
        if m.tendon_limited[tendon] != 0 and m.ten_J_rownnz[tendon] > 0 and not is_tendon_asleep(m, d, tendon):
            length = d.ten_length[tendon]
            tendon_limit(m, d, tendon, length - m.tendon_range[tendon, 0], 1.0)
            tendon_limit(m, d, tendon, m.tendon_range[tendon, 1] - length, -1.0)


@kernel
def tendon_limit(m, d, tendon, distance, slope):
    """One end of the range of a tendon, at a signed distance that grows by `slope` with the length."""
    margin = m.tendon_margin[tendon]
    is_near = distance < margin
    row, address, width = d.nefc, d.nJ, m.ten_J_rownnz[tendon]
    if not any_(is_near) or not reserve(d, 1, width):
        return
    put_tendon(m, d, address, tendon, where(is_near, slope, 0.0))
    acts = where_felt(m, d, is_near, address, width)
    if not any_(acts):
        release(d, 1, width)
        return
    describe(d, row, address, 1, width, ConstraintType.LIMIT_TENDON, tendon)
    note_tendon(d, tendon, row)
    solref, solimp = load2(m.tendon_solref_lim, tendon), load5(m.tendon_solimp_lim, tendon)
    parameters = one_sided_parameters(m, solref, solimp, distance - margin)
    put_row(d, row, acts, (distance, margin), parameters, m.tendon_invweight0[tendon])
