"""The matrix of dual solvers, AR = Y Y' + R: which rows share a column of Y, and their products.

Two rows that share a column share a root, a dof without ancestors. The matrix is sparse, whatever the option `jacobian`
says.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import independent, lane_count, maximum, minimum, splat
from phalanx.constraint.rows import is_dense
from phalanx.memory.awake import awake_dofs
from phalanx.tables.solvers import DUAL


@kernel
def is_dual(m):
    """Does some solver of this model work on forces? Then it needs the matrix AR."""
    return m.opt.solver in DUAL or m.opt.noslip_iterations > 0


@kernel
def has_dual_matrix(m, d):
    """Is efc_AR computed? In lanes, whose worlds have few rows in common, each makes the matrix of its own rows."""
    return is_dual(m) and not (lane_count(d.qLDiagInv[0]) > 1 and is_dense(m))


@kernel
def make_dual_matrix(m, d):
    """efc_AR = Y Y' + R"""
    list_rows_by_root(m, d)
    dual_pattern(m, d)
    if d.nA <= d.A_capacity:
        multiply_rows(m, d)


# --- the pattern


@kernel
def list_rows_by_root(m, d):
    """For each dof without ancestors, the entries of Y in its column."""
    for dof in awake_dofs(m, d):
        d.root_entry[dof] = -1
        d.root_pattern[dof] = -1
    for row in range(d.nefc):
        start = d.efc_Y_rowadr[row]
        for k in range(start, start + d.efc_Y_rownnz[row]):
            dof = d.efc_Y_colind[k]
            if m.M_rownnz[dof] == 1:
                d.entry_row[k] = row
                d.entry_next[k] = d.root_entry[dof]
                d.root_entry[dof] = k


@kernel
def dual_pattern(m, d):
    """Columns of each row of AR: the rows that share a root with it. If memory has no room, only counted."""
    for row in range(d.nefc):
        d.row_seen[row] = -1
    d.nA = 0
    for row in range(d.nefc):
        first, alike = d.nA, row_with_same_pattern(m, d, row)
        if alike < 0:
            list_pattern(m, d, row)
        else:
            d.nA = first + d.efc_AR_rownnz[alike]
            if d.nA <= d.A_capacity:
                copy_pattern(d, d.efc_AR_rowadr[alike], first, d.efc_AR_rownnz[alike])
        d.efc_AR_rowadr[row] = first
        d.efc_AR_rownnz[row] = d.nA - first


@kernel
def row_with_same_pattern(m, d, row):
    """A row before this one that shares roots with the same rows: of its pack, or with the only root of this row."""
    if d.efc_pack[row] == 0:
        return row - 1
    root, start = -1, d.efc_Y_rowadr[row]
    for k in range(start, start + d.efc_Y_rownnz[row]):
        if m.M_rownnz[d.efc_Y_colind[k]] == 1:
            if root >= 0:
                return -1
            root = d.efc_Y_colind[k]
    if root < 0:
        return -1
    found = d.root_pattern[root]
    if found < 0:
        d.root_pattern[root] = row
    return found


@kernel
def copy_pattern(d, source, target, count):
    """The columns of another row."""
    for k in independent(count):
        d.efc_AR_colind[target + k] = d.efc_AR_colind[source + k]


@kernel
def list_pattern(m, d, row):
    """Append the columns of a row."""
    start, low, high = d.efc_Y_rowadr[row], row, row
    for k in range(start, start + d.efc_Y_rownnz[row]):
        if m.M_rownnz[d.efc_Y_colind[k]] == 1:
            entry = d.root_entry[d.efc_Y_colind[k]]
            while entry >= 0:
                other = d.entry_row[entry]
                d.row_seen[other] = row
                low, high = minimum(low, other), maximum(high, other)
                entry = d.entry_next[entry]
    # rows that share a root are mostly neighbors
    for other in range(low, high + 1):
        if d.row_seen[other] == row:
            if d.nA < d.A_capacity:
                d.efc_AR_colind[d.nA] = other
            d.nA = d.nA + 1


# --- the numbers


@kernel
def multiply_rows(m, d):
    """Numbers of AR: each product of two rows is made once and written to both places."""
    for dof in awake_dofs(m, d):
        for p in (0, 1, 2, 3):
            d.row_vectors[dof, p] = 0.0
    for row in range(d.nefc):
        size = d.efc_pack[row]
        if size == 4:
            multiply_pack(d, (row, row + 1, row + 2, row + 3))
        elif size == 3:
            multiply_pack(d, (row, row + 1, row + 2))
        elif size == 1:
            multiply_pack(d, (row,))


@kernel
def multiply_pack(d, rows):
    """Products of the rows of a pack with the rows before it, and with each other."""
    x, place = d.row_vectors, d.row_place
    first, width = d.efc_Y_rowadr[rows[0]], d.efc_Y_rownnz[rows[0]]
    for k in range(first, first + width):
        for p, _ in enumerate(rows):
            x[d.efc_Y_colind[k], p] = d.efc_Y[k + p * width]
    # columns are in order: those of later rows are written with those rows
    entry, count = d.efc_AR_rowadr[rows[0]], d.efc_AR_rownnz[rows[0]]
    while d.efc_AR_colind[entry] < rows[0]:
        other = d.efc_AR_colind[entry]
        products = products_with_row(d, other, rows)
        for p, product in enumerate(products):
            d.efc_AR[entry + p * count] = product
            d.efc_AR[place[other] + p] = product
        place[other] = place[other] + len(rows)
        entry += 1
    for q, other in enumerate(rows):
        products = products_with_row(d, other, rows)
        for p, product in enumerate(products):
            d.efc_AR[entry + q + p * count] = product + d.efc_R[other] if p == q else product
        place[other] = entry + q * count + len(rows)
    for k in range(first, first + width):
        for p, _ in enumerate(rows):
            x[d.efc_Y_colind[k], p] = 0.0


@kernel
def products_with_row(d, row, rows):
    """A row of Y times each of the rows of the pack in row_vectors."""
    start = d.efc_Y_rowadr[row]
    totals = tuple(splat(d.efc_R[row], 0.0) for _ in rows)
    for k in range(start, start + d.efc_Y_rownnz[row]):
        dof, value = d.efc_Y_colind[k], d.efc_Y[k]
        totals = tuple(total + value * d.row_vectors[dof, p] for p, total in enumerate(totals))
    return totals
