"""Equalities by type: tables of kernels, in the file that the row of the equality in `tables/equalities.py` names.

An equality appends its rows in the worlds where it is active:

    @equality_rows.row(EqType.CONNECT)
    @kernel
    def connect(m, d, equality, acts):

The other three kernels are left out where there is nothing to do: `equality_drift`, `equality_force` and
`equality_reference`. `row` is the first row of the equality.
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.tables.equalities import MODULES


@kernel
def no_rows(m, d, equality, acts):
    """Append the rows of an equality. Without a row of the table: none."""
    return 0


@kernel
def no_drift(m, d, equality, row):
    """Subtract from efc_aref the drift of an equality: the rate of change of its Jacobian times qvel.

    Without a row of the table: nothing.
    """
    return 0


@kernel
def no_force(m, d, equality, row):
    """Add to cfrc_ext what an equality does to bodies, from efc_force. Without a row of the table: nothing."""
    return 0


@kernel
def no_reference(m, c, d, equality):
    """eq_data that follows from the reference pose, written through `c`. Without a row of the table: none.

    Positions in `d` are those at qpos0.
    """
    return 0


_FILES = tuple(f"phalanx.constraint.equality.{name}" for name in MODULES)
equality_rows = Table("equality_rows", no_rows, _FILES)
equality_drift = Table("equality_drift", no_drift, _FILES)
equality_force = Table("equality_force", no_force, _FILES)
equality_reference = Table("equality_reference", no_reference, _FILES)
