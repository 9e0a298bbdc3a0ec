"""The joint equality: a joint follows a polynomial of another, or stays where it is."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.constraint.equality.polynomial import coefficients, polynomial, polynomial_slope, put_scalar_equality
from phalanx.constraint.rows import describe, put_entry, reserve
from phalanx.constraint.table import equality_rows
from phalanx.tables.enums import ConstraintType, EqType


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
