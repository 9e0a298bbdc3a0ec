"""Hessian of the cost, M + J' D J + cones: its pattern, its assembly, its factorization.

Elimination runs from the last dof to the first, as for M, so that contacts with the world fill in nothing. Row k of the
factor holds, below k: the ancestors of k, the dofs of constraint rows whose largest dof is k, and what the rows
eliminated before pass on to k, the largest entry in them (the elimination tree). Most rows are those of M.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, or_, sqrt, where
from phalanx.algebra.tree import MIN_PIVOT
from phalanx.constraint.hessian_size import fits_inertia, largest_dof, same_columns
from phalanx.solver.island_products import has_cone
from phalanx.tables.enums import ConstraintState, ConstraintType

#: A row that leaves takes this much more than what remains: rounding errors would remain too.
MAX_LOSS = 1e8


# --- pattern


@kernel
def sort_rows_by_dof(m, d):
    """Constraint rows that may fill in, listed by their largest dof; of equal neighbors one is enough."""
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        d.hessian_efc[dof] = -1
        d.hessian_child[dof] = -1
        d.hessian_mark[dof] = -1
    previous = -1
    for i in range(d.solve_nrow):
        row = d.solve_row[i]
        if previous < 0 or not same_columns(d, previous, row):
            previous = row
            last = largest_dof(d, row)
            if not fits_inertia(m, d, row, last):
                d.hessian_efc_next[row] = d.hessian_efc[last]
                d.hessian_efc[last] = row


@kernel
def mark_columns(d, columns, start, count, dof, low):
    """Mark columns below `dof` for its row; returns the lowest seen."""
    for k in range(start, start + count):
        column = columns[k]
        if column < dof:
            d.hessian_mark[column] = dof
            low = column if column < low else low
    return low


@kernel
def filled_row(m, d, i, address):
    """Columns below the diagonal of a row with more than the inertia has; returns where they end."""
    dof = d.solve_dof[i]
    low = mark_columns(d, m.M_colind, m.M_rowadr[dof], m.M_rownnz[dof], dof, dof)
    row = d.hessian_efc[dof]
    while row >= 0:
        low = mark_columns(d, d.efc_J_colind, d.efc_J_rowadr[row], d.efc_J_rownnz[row], dof, low)
        row = d.hessian_efc_next[row]
    child = d.hessian_child[dof]
    while child >= 0:
        low = mark_columns(d, d.hessian_colind, d.hessian_rowadr[child], d.hessian_rownnz[child] - 2, dof, low)
        child = d.hessian_sibling[child]
    start = address
    for j in range(d.solve_place[low], i):
        column = d.solve_dof[j]
        if d.hessian_mark[column] == dof:
            d.hessian_colind[address] = column
            address += 1
    if address > start:
        parent = d.hessian_colind[address - 1]
        d.hessian_sibling[dof] = d.hessian_child[parent]
        d.hessian_child[parent] = dof
    return address


@kernel
def hessian_pattern(m, d):
    """Columns of every row of the factor. Returns how many entries there are."""
    sort_rows_by_dof(m, d)
    address = 0
    for i in range(d.solve_ndof - 1, -1, -1):
        dof = d.solve_dof[i]
        start = address
        if d.hessian_efc[dof] >= 0 or d.hessian_child[dof] >= 0:
            address = filled_row(m, d, i, address)
        else:
            first = m.M_rowadr[dof]
            for k in range(m.M_rownnz[dof] - 1):
                d.hessian_colind[address] = m.M_colind[first + k]
                address += 1
        d.hessian_colind[address] = dof
        address += 1
        d.hessian_rowadr[dof] = start
        d.hessian_rownnz[dof] = address - start
    return address


# --- values


@kernel
def add_scaled_row(matrix, columns, first, nnz, values, wanted, start, count, scale):
    """Add scale * values[start...] to a row of nnz entries from `first` on, which has all `count` columns wanted."""
    if count == nnz:
        for k in range(count):
            matrix[first + k] = matrix[first + k] + scale * values[start + k]
        return
    place = first
    for k in range(start, start + count):
        while columns[place] != wanted[k]:
            place += 1
        matrix[place] = matrix[place] + scale * values[k]


@kernel
def add_outer_product(d, matrix, row, e, scale):
    """Entry e of a row of J meets the entries up to e: add scale * J_row[...e] to the row of its dof."""
    start = d.efc_J_rowadr[row]
    dof = d.efc_J_colind[start + e]
    add_scaled_row(
        matrix, d.hessian_colind, d.hessian_rowadr[dof], d.hessian_rownnz[dof], d.efc_J, d.efc_J_colind, start, e + 1,
        scale,
    )  # fmt: skip


@kernel
def add_row(d, matrix, row, weight):
    """matrix += weight J_row' J_row"""
    start = d.efc_J_rowadr[row]
    for e in range(d.efc_J_rownnz[row]):
        add_outer_product(d, matrix, row, e, weight * d.efc_J[start + e])


@kernel
def inertia_in_pattern(m, d, matrix):
    """matrix <- M"""
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        start, count = m.M_rowadr[dof], m.M_rownnz[dof]
        first, nnz = d.hessian_rowadr[dof], d.hessian_rownnz[dof]
        for k in range(first, first + nnz):
            matrix[k] = 0.0
        add_scaled_row(matrix, d.hessian_colind, first, nnz, d.M, m.M_colind, start, count, 1.0)


@kernel
def row_weight(d, row):
    """D of a row that counts in full, else zero."""
    return where(d.efc_state[row] == ConstraintState.QUADRATIC, d.efc_D[row], 0.0)


@kernel
def assemble(m, d, matrix):
    """matrix <- M + J' D J over the quadratic rows."""
    inertia_in_pattern(m, d, matrix)
    for i in range(d.solve_nrow):
        row = d.solve_row[i]
        weight = row_weight(d, row)
        d.hessian_weight[row] = weight
        if any_(weight != 0.0):
            add_row(d, matrix, row, weight)


@kernel
def loses_digits(d, row, weight):
    """Worlds where a row that leaves was so heavy that what it leaves behind is inaccurate."""
    start = d.efc_J_rowadr[row]
    lost = weight < weight
    for k in range(start, start + d.efc_J_rownnz[row]):
        dof = d.efc_J_colind[k]
        rest = d.hessian[d.hessian_rowadr[dof] + d.hessian_rownnz[dof] - 1]
        lost = or_(lost, weight * d.efc_J[k] * d.efc_J[k] > MAX_LOSS * rest)
    return lost


@kernel
def update_hessian(m, d):
    """Add the rows that have become quadratic, take away those that have ceased to be."""
    lost = d.solve_Ma[d.solve_dof[0]] != d.solve_Ma[d.solve_dof[0]]
    for i in range(d.solve_nrow):
        row = d.solve_row[i]
        before, weight = d.hessian_weight[row], row_weight(d, row)
        if any_(weight != before):
            add_row(d, d.hessian, row, weight - before)
            d.hessian_weight[row] = weight
            lost = or_(lost, loses_digits(d, row, before - weight))
    if any_(lost):
        # assemble anew, in the memory of the factor, and keep it where it is needed
        assemble(m, d, d.hessian_factor)
        for i in range(d.solve_ndof):
            first = d.hessian_rowadr[d.solve_dof[i]]
            for k in range(first, first + d.hessian_rownnz[d.solve_dof[i]]):
                d.hessian[k] = where(lost, d.hessian_factor[k], d.hessian[k])


@kernel
def cone_hessian(d, row, contact, dim, is_sliding):
    """contact_H: second derivative of the cost of an elliptic contact that slides, zero in other worlds.

    With U = (mu, friction) * jar, N = U_0 and T = |U_1...|:
    H = D_m diag(mu, friction) [[1, -mu/T U'], [., mu N/T^3 U U' + (mu^2 - mu N/T) I]] diag(mu, friction).
    """
    H, jar, friction = d.contact_H, d.solve_jar, d.contact_friction
    own = and_(is_sliding, has_cone(d, row))
    mu = where(own, d.contact_mu[contact], 1.0)
    normal, square = jar[row] * mu, 0.0
    for j in range(1, dim):
        slide = jar[row + j] * where(own, friction[contact, j - 1], 1.0)
        square = square + slide * slide
    # parameters of other worlds may be zero: ones and a mass of zero stand in for them
    tangent = where(own, sqrt(square), 1.0)
    mass = where(own, d.efc_D[row] / (mu * mu * (1.0 + mu * mu)), 0.0)
    straight = mu * mu - mu * normal / tangent
    bend = mu * normal / (tangent * tangent * tangent)
    H[contact, 0] = mass * mu * mu
    for j in range(1, dim):
        scale = where(own, friction[contact, j - 1], 1.0)
        slide = jar[row + j] * scale
        mixed = mass * mu * scale * (-mu / tangent * slide)
        H[contact, j] = mixed
        H[contact, j * dim] = mixed
        for k in range(1, j + 1):
            other = where(own, friction[contact, k - 1], 1.0)
            value = bend * slide * (jar[row + k] * other)
            if k == j:
                value = value + straight
            value = mass * scale * other * value
            H[contact, j * dim + k] = value
            H[contact, k * dim + j] = value


@kernel
def add_cones(d, matrix):
    """Add J' H J of the contacts that slide."""
    i = d.solve_ne + d.solve_nf
    while i < d.solve_nrow:
        row = d.solve_row[i]
        if d.efc_type[row] != ConstraintType.CONTACT_ELLIPTIC:
            i += 1
            continue
        contact = d.efc_id[row]
        dim = d.contact_dim[contact]
        is_sliding = d.efc_state[row] == ConstraintState.CONE
        if any_(is_sliding):
            cone_hessian(d, row, contact, dim, is_sliding)
            for e in range(d.efc_J_rownnz[row]):
                for j in range(dim):
                    scale = 0.0
                    for k in range(dim):
                        scale = scale + d.contact_H[contact, j * dim + k] * d.efc_J[d.efc_J_rowadr[row + k] + e]
                    add_outer_product(d, matrix, row + j, e, scale)
        i += dim


@kernel
def factor_hessian(d):
    """hessian_factor, hessian_inverse: L' D L of the Hessian with its cones."""
    matrix, columns, rowadr, rownnz = d.hessian_factor, d.hessian_colind, d.hessian_rowadr, d.hessian_rownnz
    for i in range(d.solve_ndof):
        first = rowadr[d.solve_dof[i]]
        for k in range(first, first + rownnz[d.solve_dof[i]]):
            matrix[k] = d.hessian[k]
    add_cones(d, matrix)
    for i in range(d.solve_ndof - 1, -1, -1):
        dof = d.solve_dof[i]
        start = rowadr[dof]
        diagonal = start + rownnz[dof] - 1
        pivot = matrix[diagonal]
        inverse = 1.0 / where(pivot < MIN_PIVOT, MIN_PIVOT, pivot)
        d.hessian_inverse[dof] = inverse
        for k in range(diagonal - 1, start - 1, -1):
            other = columns[k]
            factor = matrix[k] * inverse
            add_scaled_row(
                matrix, columns, rowadr[other], rownnz[other], matrix, columns, start, k - start + 1, -factor
            )
            matrix[k] = factor
