"""Rows seen through the inertia: Y = J M^(-1/2), and the exact diagonal of Y Y'.

With M = L' D L, Y is J L^-1 D^(-1/2). Its columns are those of J and their ancestors: two rows that share a column
share a root, a dof without ancestors. Matrices are sparse, whatever the option `jacobian` says.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import splat, sqrt
from phalanx.constraint.contact_block import regularize_contact
from phalanx.constraint.dual_matrix import has_dual_matrix, is_dual, make_dual_matrix
from phalanx.constraint.implicit_rows import make_rows_implicit
from phalanx.constraint.row_packs import divide_into_packs
from phalanx.constraint.rows import regularize
from phalanx.memory.awake import awake_dofs
from phalanx.memory.flags import is_enabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import backbone_factor, backbone_inverse, has_step_metric
from phalanx.tables.enums import EnableBit


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
    divide_into_packs(m, d)
    inverse = backbone_inverse(m, d)
    # columns are looked for between the first and the last of a row: dofs that sleep must not be marked, either
    for dof in range(m.nv):
        d.column_seen[dof] = -1
    for dof in awake_dofs(m, d):
        d.inertia_root[dof] = sqrt(inverse[dof])
    d.nY = 0
    for row in range(d.nefc):
        size = d.efc_pack[row]
        if size > 0:
            list_pack(m, d, row, size)
            if d.nY > d.Y_capacity:
                continue
            if size == 4:
                whiten_pack(m, d, (row, row + 1, row + 2, row + 3))
            elif size == 3:
                whiten_pack(m, d, (row, row + 1, row + 2))
            else:
                whiten_pack(m, d, (row,))


@kernel
def list_pack(m, d, row, size):
    """Append the columns of the rows of a pack, which are the same."""
    first = d.nY
    list_columns(m, d, row)
    width = d.nY - first
    d.nY = first + size * width
    for k in range(size):
        d.efc_Y_rowadr[row + k] = first + k * width
        d.efc_Y_rownnz[row + k] = width
    if d.nY <= d.Y_capacity:
        for k in range(width, size * width):
            d.efc_Y_colind[first + k] = d.efc_Y_colind[first + k - width]


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
def whiten_pack(m, d, rows):
    """Numbers of rows of Y that have the same columns."""
    x, columns, first, width = d.row_vectors, d.efc_Y_colind, d.efc_Y_rowadr[rows[0]], d.efc_Y_rownnz[rows[0]]
    factor = backbone_factor(m, d)
    for k in range(first, first + width):
        for p, _ in enumerate(rows):
            x[columns[k], p] = 0.0
    start, count = d.efc_J_rowadr[rows[0]], d.efc_J_rownnz[rows[0]]
    for k in range(start, start + count):
        for p, _ in enumerate(rows):
            x[d.efc_J_colind[k], p] = d.efc_J[k + p * count]
    # from the leaves to the root
    for k in range(first + width - 1, first - 1, -1):
        dof = columns[k]
        values = tuple(x[dof, p] for p, _ in enumerate(rows))
        for p, _ in enumerate(rows):
            d.efc_Y[k + p * width] = values[p] * d.inertia_root[dof]
        address = m.M_rowadr[dof]
        for e in range(address, address + m.M_rownnz[dof] - 1):
            ancestor = m.M_colind[e]
            for p, _ in enumerate(rows):
                x[ancestor, p] = x[ancestor, p] - factor[e] * values[p]


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
