"""Equalities by type.

An equality has two kernels. `equality_rows` appends its rows in the worlds where it is active:

    f(m, d, equality, acts)

`equality_drift` gives efc_aref what the rate of change of the Jacobian, times the velocity, asks for; `row` is the
first row of the equality. A type that does not have it leaves it out.

    f(m, d, equality, row)

A new type is a value of `EqType`, a file with these kernels, and the name of the file below.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel

MODULES = tuple(f"phalanx.constraint.{name}" for name in ("point_equality", "weld", "polynomial_equality"))


@kernel
def no_rows(m, d, equality, acts):
    """Append the rows of an equality. Without a row of the table: none."""
    return 0


@kernel
def no_drift(m, d, equality, row):
    """Subtract the drift of an equality from efc_aref. Without a row of the table: nothing."""
    return 0


equality_rows = Table("equality_rows", no_rows, MODULES)
equality_drift = Table("equality_drift", no_drift, MODULES)
