"""The flex equality: all edges of a flex keep their length."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import any_, where
from phalanx.constraint.equality.polynomial import put_scalar_equality
from phalanx.constraint.rows import describe, put_entry, release, reserve, where_felt
from phalanx.constraint.table import equality_rows
from phalanx.tables.enums import ConstraintType, EqType


@equality_rows.row(EqType.FLEX)
@kernel
def flex_equality(m, d, equality, acts):
    """A row for each edge whose ends move against each other."""
    return flex_edge_rows(m, d, equality, acts)


@part("mdic", "i")
def flex_edge_rows(m, d, equality, acts):
    """The rows of all edges: length less that at the reference pose."""
    flex = m.eq_obj1id[equality]
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        if m.flexedge_rigid[edge] == 0:
            edge_row(m, d, equality, acts, edge)
    return 0


@kernel
def edge_row(m, d, equality, acts, edge):
    """The row of one edge."""
    row, address, width = d.nefc, d.nJ, m.flexedge_J_rownnz[edge]
    if width == 0 or not reserve(d, 1, width):
        return
    start = m.flexedge_J_rowadr[edge]
    for k in range(width):
        put_entry(d, address + k, m.flexedge_J_colind[start + k], where(acts, d.flexedge_J[start + k], 0.0))
    acts = where_felt(m, d, acts, address, width)
    if not any_(acts):
        release(d, 1, width)
        return
    describe(d, row, address, 1, width, ConstraintType.EQUALITY, equality)
    violation = d.flexedge_length[edge] - m.flexedge_length0[edge]
    put_scalar_equality(m, d, row, equality, acts, violation, m.flexedge_invweight0[edge])
