"""What equalities of scalars share: the polynomial of the one that leads, and the row."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import put_row


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
    """c0 to c4 of `polynomial`."""
    data = m.eq_data
    return (data[equality, 0], data[equality, 1], data[equality, 2], data[equality, 3], data[equality, 4])


@kernel
def put_scalar_equality(m, d, row, equality, acts, violation, diagonal):
    """Everything about the row but its Jacobian; `diagonal` is the inverse inertia along it."""
    parameters = row_parameters(m, load2(m.eq_solref, equality), load5(m.eq_solimp, equality), violation)
    put_row(d, row, acts, (violation, 0.0), parameters, diagonal)
