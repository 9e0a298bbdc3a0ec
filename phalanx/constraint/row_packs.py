"""Rows with the same columns, taken together: a pack has one, three or four of the rows of a contact or equality.

The rows of a contact are divided in the same way in every world: into packs of three, and one of four if one row would
remain.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.tables.enums import ConstraintType, EqType

#: What the columns of a row that stands alone are: of any kind, of two points that move freely, of a free body first,
#: of points that it moves along one axis as the two rows after it along the others.
ANY_COLUMNS, TWO_POINTS, BODY_FIRST, ALONG_AXES = 0, 1, 2, 3
#: Most rows of a contact: the edges of a pyramid with all directions of friction.
MOST_ROWS = 10


@kernel
def rows_with_same_columns(m, d, row):
    """How many rows from this one on belong to the same contact or equality."""
    kind, owner, width = d.efc_type[row], d.efc_id[row], d.efc_J_rownnz[row]
    count = 1
    if kind == ConstraintType.EQUALITY:
        # each edge of a flex has columns of its own
        if m.eq_type[owner] == EqType.FLEX:
            return count
    elif kind < ConstraintType.CONTACT_FRICTIONLESS:
        return count
    while (
        count < MOST_ROWS
        and row + count < d.nefc
        and d.efc_type[row + count] == kind
        and d.efc_id[row + count] == owner
        and d.efc_J_rownnz[row + count] == width
    ):
        count += 1
    return count


@kernel
def kind_of_columns(d, row):
    """What the columns of a row are; there may be thousands of edges, whose columns are well known."""
    columns, k, width = d.efc_J_colind, d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    if width == 6 and columns[k + 2] == columns[k] + 2 and columns[k + 5] == columns[k + 3] + 2:
        return TWO_POINTS
    if width > 6 and columns[k + 5] == columns[k] + 5:
        return BODY_FIRST
    return ANY_COLUMNS


@kernel
def divide_into_packs(m, d):
    """efc_pack: the size of a pack at its first row, zero at its other rows. efc_columns: of what kind."""
    row = 0
    while row < d.nefc:
        remaining = rows_with_same_columns(m, d, row)
        d.efc_columns[row] = kind_of_columns(d, row) if row < d.ne and remaining == 1 else ANY_COLUMNS
        while remaining > 0:
            size = 1
            if remaining >= 3:
                size = 4 if remaining % 3 == 1 else 3
            d.efc_pack[row] = size
            for k in range(row + 1, row + size):
                d.efc_pack[k] = 0
            row += size
            remaining -= size
