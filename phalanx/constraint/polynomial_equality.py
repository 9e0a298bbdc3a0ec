"""Equalities of scalars: a joint or a tendon follows a polynomial of another, or stays where it is."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5
from phalanx.algebra.number import any_, splat, where
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, note_tendon, put_entry, put_row, release, reserve, where_felt
from phalanx.constraint.table import equality_rows
from phalanx.tables.enums import ConstraintType, EqType


@kernel
def polynomial(c, x):
    """c0 + c1 x + c2 x² + c3 x³ + c4 x⁴"""
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])))


@kernel
def polynomial_slope(c, x):
    """Derivative of `polynomial`."""
    return c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * (4.0 * c[4])))


@kernel
def coefficients(m, equality):
    data = m.eq_data
    return (data[equality, 0], data[equality, 1], data[equality, 2], data[equality, 3], data[equality, 4])


@kernel
def put_scalar_equality(m, d, row, equality, acts, violation, diagonal):
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), violation)
    put_row(d, row, acts, (violation, 0.0), parameters, diagonal)


# --- joints


@kernel
def joint_displacement(m, d, joint):
    """Position of a scalar joint relative to the reference pose."""
    address = m.jnt_qposadr[joint]
    return d.qpos[address] - m.qpos0[address]


@equality_rows.row(EqType.JOINT)
@kernel
def joint_equality(m, d, equality, acts):
    """One row: the first joint less the polynomial of the second, or less a constant."""
    joint1, joint2 = m.eq_obj1id[equality], m.eq_obj2id[equality]
    c, dof1 = coefficients(m, equality), m.jnt_dofadr[joint1]
    width = 1 if joint2 < 0 else 2
    row, address = d.nefc, d.nJ
    if not reserve(d, 1, width):
        return 0
    describe(d, row, address, 1, width, ConstraintType.EQUALITY, equality)
    one = where(acts, 1.0, 0.0)
    if joint2 < 0:
        violation = joint_displacement(m, d, joint1) - c[0]
        put_entry(d, address, dof1, one)
        put_scalar_equality(m, d, row, equality, acts, violation, m.dof_invweight0[dof1])
        return 0
    x, dof2 = joint_displacement(m, d, joint2), m.jnt_dofadr[joint2]
    is_ordered = dof1 < dof2
    put_entry(d, address + (0 if is_ordered else 1), dof1, one)
    put_entry(d, address + (1 if is_ordered else 0), dof2, where(acts, -polynomial_slope(c, x), 0.0))
    violation = joint_displacement(m, d, joint1) - polynomial(c, x)
    put_scalar_equality(m, d, row, equality, acts, violation, m.dof_invweight0[dof1] + m.dof_invweight0[dof2])
    return 0


# --- tendons


@kernel
def tendon_displacement(m, d, tendon):
    """Length of a tendon relative to the reference pose."""
    return d.ten_length[tendon] - m.tendon_length0[tendon]


@equality_rows.row(EqType.TENDON)
@kernel
def tendon_equality(m, d, equality, acts):
    """One row: the first tendon less the polynomial of the second, or less a constant."""
    tendon1, tendon2 = m.eq_obj1id[equality], m.eq_obj2id[equality]
    c = coefficients(m, equality)
    row, address = d.nefc, d.nJ
    most = m.ten_J_rownnz[tendon1] + (m.ten_J_rownnz[tendon2] if tendon2 >= 0 else 0)
    if most == 0 or not reserve(d, 1, most):
        return 0
    width = merge_tendons(m, d, address, tendon1, tendon2, tendon_slope(m, d, c, tendon2), acts)
    d.nJ = address + width
    acts = where_felt(m, d, acts, address, width)
    if not any_(acts):
        release(d, 1, width)
        return 0
    note_tendon(d, tendon1, row)
    if tendon2 >= 0:
        note_tendon(d, tendon2, row)
    describe(d, row, address, 1, width, ConstraintType.EQUALITY, equality)
    violation, diagonal = tendon_displacement(m, d, tendon1), m.tendon_invweight0[tendon1]
    if tendon2 < 0:
        put_scalar_equality(m, d, row, equality, acts, violation - c[0], diagonal)
    else:
        followed = polynomial(c, tendon_displacement(m, d, tendon2))
        diagonal = diagonal + m.tendon_invweight0[tendon2]
        put_scalar_equality(m, d, row, equality, acts, violation - followed, diagonal)
    return 0


@kernel
def tendon_slope(m, d, c, tendon2):
    """How fast the first tendon follows the second, which is -1 if there is none."""
    if tendon2 < 0:
        return splat(d.ten_length[0], 0.0)
    return polynomial_slope(c, tendon_displacement(m, d, tendon2))


@kernel
def merge_tendons(m, d, address, tendon1, tendon2, slope, acts):
    """Jacobian of the first tendon less slope times that of the second; returns the number of entries."""
    k1, k2, end2, at = m.ten_J_rowadr[tendon1], 0, 0, address
    end1 = k1 + m.ten_J_rownnz[tendon1]
    if tendon2 >= 0:
        k2 = m.ten_J_rowadr[tendon2]
        end2 = k2 + m.ten_J_rownnz[tendon2]
    while k1 < end1 or k2 < end2:
        dof1 = m.ten_J_colind[k1] if k1 < end1 else m.nv
        dof2 = m.ten_J_colind[k2] if k2 < end2 else m.nv
        if dof1 < dof2:
            value = d.ten_J[k1]
        elif dof1 > dof2:
            value = -slope * d.ten_J[k2]
        else:
            value = d.ten_J[k1] - slope * d.ten_J[k2]
        put_entry(d, at, dof1 if dof1 < dof2 else dof2, where(acts, value, 0.0))
        k1 += 1 if dof1 <= dof2 else 0
        k2 += 1 if dof2 <= dof1 else 0
        at += 1
    return at - address
