"""The tendon equality: a tendon follows a polynomial of another, or keeps its length."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import any_, splat, where
from phalanx.constraint.equality.polynomial import coefficients, polynomial, polynomial_slope, put_scalar_equality
from phalanx.constraint.rows import describe, note_tendon, put_entry, release, reserve, where_felt
from phalanx.constraint.table import equality_rows
from phalanx.tables.enums import ConstraintType, EqType


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
    # dofs that move both tendons share an entry: how many entries there are is known afterwards
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
    """Jacobian of the first tendon less slope times that of the second; returns how many entries that makes."""
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
