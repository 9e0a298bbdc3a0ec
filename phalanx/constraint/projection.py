"""Rows seen through the inertia: Y = J M^(-1/2), the exact diagonal of Y Y', and the matrix of dual solvers, Y Y' + R.

With M = L' D L, Y is J L^-1 D^(-1/2). Its columns are those of J and their ancestors: two rows that share a column
share a root, a dof without ancestors. Matrices are sparse, whatever the option `jacobian` says.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import lane_count, maximum, minimum, splat, sqrt
from phalanx.constraint.contact_rows import regularize_contact
from phalanx.constraint.implicit_rows import make_rows_implicit
from phalanx.constraint.rows import is_dense, regularize
from phalanx.memory.flags import is_enabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import backbone_factor, backbone_inverse, has_step_metric
from phalanx.tables.enums import EnableBit
from phalanx.tables.solvers import COMPACT, DUAL


@kernel
def is_dual(m):
    """Does some solver of this model work on forces? Then it needs the matrix AR."""
    return m.opt.solver in DUAL or m.opt.noslip_iterations > 0


@kernel
def has_dual_matrix(m, d):
    """Is efc_AR computed? In lanes, whose worlds have few rows in common, a solver may multiply rows on its own."""
    is_compact = lane_count(d.qLDiagInv[0]) > 1 and is_dense(m) and m.opt.noslip_iterations == 0
    return is_dual(m) and not (is_compact and m.opt.solver in COMPACT)


@part()
def project_constraint(m, d):
    """efc_Y, weights of the rows from its exact diagonal if the model asks for it, efc_AR if a solver needs it.

    With the metric of a step, that is what Y sees, and weights and references become those after the step.
    """
    is_exact = is_enabled(m, EnableBit.DIAGEXACT)
    if is_exact or is_dual(m):
        whiten_rows(m, d)
    if is_exact and not lacks_memory(d):
        use_exact_diagonal(m, d)
    if has_step_metric(m) and not lacks_memory(d):
        make_rows_implicit(m, d, is_exact)
    if has_dual_matrix(m, d) and not lacks_memory(d):
        make_dual_matrix(m, d)


# --- Y


@kernel
def whiten_rows(m, d):
    """efc_Y and its columns. If memory has no room, only counted."""
    inverse = backbone_inverse(m, d)
    for dof in range(m.nv):
        d.column_seen[dof] = -1
        d.inertia_root[dof] = sqrt(inverse[dof])
    d.nY = 0
    for row in range(d.nefc):
        start = d.nY
        d.efc_Y_rowadr[row] = start
        list_columns(m, d, row)
        d.efc_Y_rownnz[row] = d.nY - start
        if d.nY <= d.Y_capacity:
            whiten_row(m, d, row)


@kernel
def list_columns(m, d, row):
    """Append the columns of a row of Y: the dofs of the row of J and all their ancestors."""
    start = d.efc_J_rowadr[row]
    last = d.efc_J_colind[start + d.efc_J_rownnz[row] - 1]
    lowest = last
    for k in range(start + d.efc_J_rownnz[row] - 1, start - 1, -1):
        dof = d.efc_J_colind[k]
        if d.column_seen[dof] != row:
            first = m.M_rowadr[dof]
            for e in range(first, first + m.M_rownnz[dof]):
                d.column_seen[m.M_colind[e]] = row
            lowest = m.M_colind[first] if m.M_colind[first] < lowest else lowest
    for dof in range(lowest, last + 1):
        if d.column_seen[dof] == row:
            if d.nY < d.Y_capacity:
                d.efc_Y_colind[d.nY] = dof
            d.nY = d.nY + 1


@kernel
def whiten_row(m, d, row):
    """Numbers of a row of Y."""
    x, columns, factor = d.row_vector, d.efc_Y_colind, backbone_factor(m, d)
    first = d.efc_Y_rowadr[row]
    end = first + d.efc_Y_rownnz[row]
    for k in range(first, end):
        x[columns[k]] = 0.0
    start = d.efc_J_rowadr[row]
    for k in range(start, start + d.efc_J_rownnz[row]):
        x[d.efc_J_colind[k]] = d.efc_J[k]
    for k in range(end - 1, first - 1, -1):
        dof = columns[k]
        value = x[dof]
        d.efc_Y[k] = value * d.inertia_root[dof]
        address = m.M_rowadr[dof]
        for e in range(address, address + m.M_rownnz[dof] - 1):
            ancestor = m.M_colind[e]
            x[ancestor] = x[ancestor] - factor[e] * value


# --- the exact diagonal


@kernel
def use_exact_diagonal(m, d):
    """Weights of all rows from the inertia at the present position instead of that at qpos0."""
    row = 0
    while row < d.ne + d.nf + d.nl:
        impedance = d.efc_KBIP[row, 2]
        regularize(d, row, impedance > 0.0, impedance, exact_diagonal(d, row))
        row += 1
    for contact in range(d.ncon):
        row = d.contact_efc_address[contact]
        if row >= 0:
            regularize_contact(m, d, contact, row, exact_diagonal(d, row))


@kernel
def exact_diagonal(d, row):
    """J M^-1 J' of one row: the square of the row of Y."""
    total = splat(d.qLDiagInv[0], 0.0)
    start = d.efc_Y_rowadr[row]
    for k in range(start, start + d.efc_Y_rownnz[row]):
        total = total + d.efc_Y[k] * d.efc_Y[k]
    return total


# --- AR


@kernel
def make_dual_matrix(m, d):
    """efc_AR = Y Y' + R"""
    list_rows_by_root(m, d)
    dual_pattern(m, d)
    if d.nA <= d.A_capacity:
        multiply_rows(m, d)


@kernel
def list_rows_by_root(m, d):
    """For each dof without ancestors, the entries of Y in its column."""
    for dof in range(m.nv):
        d.root_entry[dof] = -1
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
        first = d.nA
        for other in range(low, high + 1):
            if d.row_seen[other] == row:
                if d.nA < d.A_capacity:
                    d.efc_AR_colind[d.nA] = other
                d.nA = d.nA + 1
        d.efc_AR_rowadr[row] = first
        d.efc_AR_rownnz[row] = d.nA - first


@kernel
def multiply_rows(m, d):
    """Numbers of AR: each product of two rows is made once and written to both places."""
    x, place = d.row_vector, d.row_place
    for dof in range(m.nv):
        x[dof] = 0.0
    for row in range(d.nefc):
        first = d.efc_Y_rowadr[row]
        end = first + d.efc_Y_rownnz[row]
        for k in range(first, end):
            x[d.efc_Y_colind[k]] = d.efc_Y[k]
        # columns are in order: those of later rows are written with those rows
        entry = d.efc_AR_rowadr[row]
        while d.efc_AR_colind[entry] < row:
            other = d.efc_AR_colind[entry]
            product = product_with_row(d, other)
            d.efc_AR[entry] = product
            d.efc_AR[place[other]] = product
            place[other] = place[other] + 1
            entry += 1
        d.efc_AR[entry] = product_with_row(d, row) + d.efc_R[row]
        place[row] = entry + 1
        for k in range(first, end):
            x[d.efc_Y_colind[k]] = 0.0


@kernel
def product_with_row(d, row):
    """A row of Y times the vector in row_vector."""
    start = d.efc_Y_rowadr[row]
    total = splat(d.efc_R[row], 0.0)
    for k in range(start, start + d.efc_Y_rownnz[row]):
        total = total + d.efc_Y[k] * d.row_vector[d.efc_Y_colind[k]]
    return total
