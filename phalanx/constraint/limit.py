"""Limits of joints and tendons: a row for each end of the range that is near."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load4, load5
from phalanx.algebra.number import any_, maximum, where
from phalanx.algebra.quaternion import normalize4, to_rotation_vector
from phalanx.algebra.vector import norm, normalize
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, note_tendon, put_entry, put_row, put_tendon, release, reserve, where_felt
from phalanx.tables.enums import ConstraintType, JointType


@kernel
def joint_limits(m, d):
    """Rows of limited joints."""
    for joint in range(m.njnt):
        if m.jnt_limited[joint] != 0:
            kind = m.jnt_type[joint]
            if kind == JointType.BALL:
                ball_limit(m, d, joint)
            elif kind != JointType.FREE:
                value = d.qpos[m.jnt_qposadr[joint]]
                scalar_limit(m, d, joint, value - m.jnt_range[joint, 0], 1.0)
                scalar_limit(m, d, joint, m.jnt_range[joint, 1] - value, -1.0)


@kernel
def scalar_limit(m, d, joint, distance, slope):
    """One end of the range of a hinge or slide, at a signed distance that grows by `slope` with the position."""
    acts = distance < m.jnt_margin[joint]
    row, address = d.nefc, d.nJ
    if any_(acts) and reserve(d, 1, 1):
        describe(d, row, address, 1, 1, ConstraintType.LIMIT_JOINT, joint)
        put_entry(d, address, m.jnt_dofadr[joint], where(acts, slope, 0.0))
        put_joint_limit(m, d, row, joint, acts, distance)


@kernel
def put_joint_limit(m, d, row, joint, acts, distance):
    margin = m.jnt_margin[joint]
    parameters = row_parameters(m, load2(m.jnt_solref, joint), load5(m.jnt_solimp, joint), distance - margin)
    put_row(d, row, acts, (distance, margin), parameters, m.dof_invweight0[m.jnt_dofadr[joint]])


@kernel
def ball_limit(m, d, joint):
    """The angle of a ball joint stays below the larger number of its range."""
    turn = to_rotation_vector(normalize4(load4(d.qpos, m.jnt_qposadr[joint])))
    distance = maximum(m.jnt_range[joint, 0], m.jnt_range[joint, 1]) - norm(turn)
    acts = distance < m.jnt_margin[joint]
    row, address, dof = d.nefc, d.nJ, m.jnt_dofadr[joint]
    if any_(acts) and reserve(d, 1, 3):
        axis = normalize(turn)
        describe(d, row, address, 1, 3, ConstraintType.LIMIT_JOINT, joint)
        put_entry(d, address, dof, where(acts, -axis[0], 0.0))
        put_entry(d, address + 1, dof + 1, where(acts, -axis[1], 0.0))
        put_entry(d, address + 2, dof + 2, where(acts, -axis[2], 0.0))
        put_joint_limit(m, d, row, joint, acts, distance)


@kernel
def tendon_limits(m, d):
    """Rows of limited tendons."""
    for tendon in range(m.ntendon):
        if m.tendon_limited[tendon] != 0 and m.ten_J_rownnz[tendon] > 0:
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
    parameters = row_parameters(m, solref, solimp, distance - margin)
    put_row(d, row, acts, (distance, margin), parameters, m.tendon_invweight0[tendon])
