"""Hessian of the cost, M + J' D J + cones: its pattern and its assembly; `hessian_factor.py` factors it.

Elimination runs from the last dof to the first, as for M, so that contacts with the world fill in nothing. Row k of the
factor holds, below k: the ancestors of k, the dofs of constraint rows whose largest dof is k, and what the rows
eliminated before pass on to k, the largest entry in them (the elimination tree). Most rows are those of M.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, independent, is_nonzero, or_, sqrt, where
from phalanx.algebra.tree import is_nested
from phalanx.constraint.couplings import FIRST_AXIS
from phalanx.constraint.hessian_size import fits_inertia, largest_dof, same_columns
from phalanx.smooth.step_metric import metric_matrix
from phalanx.solver.island_products import has_cone
from phalanx.solver.packs import is_any_felt, pack_values, plus1, plus2, plus3, plus4, row_steps
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
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        if previous < 0 or not same_columns(d, previous, row):
            previous = row
            last = largest_dof(d, row)
            if not fits_inertia(m, d, row, last):
                d.hessian_efc_next[row] = d.hessian_efc[last]
                d.hessian_efc[last] = row


@kernel
def mark_columns(d, columns, start, count, dof, low):
    """Mark columns, in ascending order and not beyond `dof`, for its row; returns the lowest seen."""
    for k in range(start, start + count):
        d.hessian_mark[columns[k]] = dof
    return min(low, columns[start]) if count > 0 else low


@kernel
def filled_row(m, d, i, address):
    """Columns below the diagonal of a row with more than the inertia has; returns where they end, -1 without room."""
    dof = d.solve_dof[i]
    start = address
    if is_row_of_child(m, d, dof):
        # nothing to merge
        before, count = d.hessian_rowadr[d.hessian_child[dof]], d.hessian_rownnz[d.hessian_child[dof]] - 2
        if address + count > d.hessian_capacity:
            return -1
        for k in independent(count):
            d.hessian_colind[start + k] = d.hessian_colind[before + k]
        return begin_parent(d, dof, start, start + count)
    low = mark_columns(d, m.M_colind, m.M_rowadr[dof], m.M_rownnz[dof], dof, dof)
    row = d.hessian_efc[dof]
    while row >= 0:
        low = mark_columns(d, d.efc_J_colind, d.efc_J_rowadr[row], d.efc_J_rownnz[row], dof, low)
        row = d.hessian_efc_next[row]
    child = d.hessian_child[dof]
    while child >= 0:
        low = mark_columns(d, d.hessian_colind, d.hessian_rowadr[child], d.hessian_rownnz[child] - 2, dof, low)
        child = d.hessian_sibling[child]
    return begin_parent(d, dof, start, list_marked(d, d.solve_place[low], i, dof, address))


@kernel
def list_marked(d, first, end, dof, address):
    """Columns that are marked for the row of a dof, among some dofs of the island; returns where they end, or -1."""
    if address + end - first <= d.hessian_capacity:
        # which are is hard to foresee: each is written, and the next one over it if it was not marked
        for j in range(first, end):
            column = d.solve_dof[j]
            d.hessian_colind[address] = column
            address += 1 if d.hessian_mark[column] == dof else 0
        return address
    for j in range(first, end):
        column = d.solve_dof[j]
        if d.hessian_mark[column] == dof:
            if address == d.hessian_capacity:
                return -1
            d.hessian_colind[address] = column
            address += 1
    return address


@kernel
def is_row_of_child(m, d, dof):
    """Is the row of a dof what one row before passes on to it, and no more? So it is with two dofs of each vertex."""
    child = d.hessian_child[dof]
    if d.hessian_efc[dof] >= 0 or child < 0 or d.hessian_sibling[child] >= 0:
        return False
    return m.M_rownnz[dof] == 1 or is_nested(child, dof, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def begin_parent(d, dof, start, end):
    """The largest dof in the row of another one, which is from `start` up to `end`, gets it as a child; returns end."""
    if end > start:
        parent = d.hessian_colind[end - 1]
        d.hessian_sibling[dof] = d.hessian_child[parent]
        d.hessian_child[parent] = dof
    return end


@kernel
def hessian_pattern(m, d):
    """Columns of every row of the factor. Returns how many entries there are, -1 if memory has no room for them."""
    sort_rows_by_dof(m, d)
    address = 0
    for i in range(d.solve_ndof - 1, -1, -1):
        dof = d.solve_dof[i]
        start = address
        if d.hessian_efc[dof] >= 0 or d.hessian_child[dof] >= 0:
            address = filled_row(m, d, i, address)
        elif address + m.M_rownnz[dof] <= d.hessian_capacity:
            first = m.M_rowadr[dof]
            for k in range(m.M_rownnz[dof] - 1):
                d.hessian_colind[address] = m.M_colind[first + k]
                address += 1
        else:
            address = -1
        if address < 0 or address == d.hessian_capacity:
            return -1
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
def add_products(d, matrix, row, e, plus, scales, steps):
    """Entry e of some rows of a pack meets the entries up to e: add their scaled sum to the row of its dof.

    The rows begin so many steps behind `row`, the first of the pack.
    """
    J, wanted, start = d.efc_J, d.efc_J_colind, d.efc_J_rowadr[row]
    dof = wanted[start + e]
    columns, place, nnz = d.hessian_colind, d.hessian_rowadr[dof], d.hessian_rownnz[dof]
    if nnz == e + 1:
        for k in independent(e + 1):
            matrix[place + k] = plus(matrix[place + k], J, start + k, steps, scales)
        return
    last = place + nnz - 1
    for k in range(start, start + e + 1):
        # without gaps between them, columns are as far from the last as dofs are
        near = last - (dof - wanted[k])
        if near >= place and columns[near] == wanted[k]:
            place = near
        while columns[place] != wanted[k]:
            place += 1
        matrix[place] = plus(matrix[place], J, k, steps, scales)


@kernel
def add_nonzero_products(d, matrix, row, e, scale):
    """`add_products` for a coupling, which has zeros among its entries."""
    J, wanted, start = d.efc_J, d.efc_J_colind, d.efc_J_rowadr[row]
    dof = wanted[start + e]
    columns, place = d.hessian_colind, d.hessian_rowadr[dof]
    last = place + d.hessian_rownnz[dof] - 1
    for k in range(start, start + e + 1):
        if any_(is_nonzero(J[k])):
            near = last - (dof - wanted[k])
            if near >= place and columns[near] == wanted[k]:
                place = near
            while columns[place] != wanted[k]:
                place += 1
            matrix[place] = matrix[place] + scale * J[k]


@kernel
def add_axis_products(d, matrix, row, e, axis, scale):
    """`add_products` for a coupling along an axis, of which every third entry counts."""
    J, wanted, start = d.efc_J, d.efc_J_colind, d.efc_J_rowadr[row]
    dof = wanted[start + e]
    columns, place = d.hessian_colind, d.hessian_rowadr[dof]
    last = place + d.hessian_rownnz[dof] - 1
    for k in range(start + axis, start + e + 1, 3):
        near = last - (dof - wanted[k])
        if near >= place and columns[near] == wanted[k]:
            place = near
        while columns[place] != wanted[k]:
            place += 1
        matrix[place] = matrix[place] + scale * J[k]


@kernel
def add_pack(d, matrix, row, weights):
    """matrix += J' diag(weights) J over the rows of a pack."""
    J, width, size, start = d.efc_J, d.efc_J_rownnz[row], d.efc_pack[row], d.efc_J_rowadr[row]
    if size == 1 and d.efc_id[row] <= FIRST_AXIS:
        axis = FIRST_AXIS - d.efc_id[row]
        for e in range(axis, width, 3):
            add_axis_products(d, matrix, row, e, axis, weights[0] * J[start + e])
        return
    if size == 1:
        for e in range(width):
            scale = weights[0] * J[start + e]
            # couplings of flexes have an entry for each slider of a vertex, of which one moves the row
            if any_(is_nonzero(scale)):
                if d.efc_id[row] < 0:
                    add_nonzero_products(d, matrix, row, e, scale)
                else:
                    add_products(d, matrix, row, e, plus1, (scale, scale, scale, scale), (0, 0, 0, 0))
        return
    # mostly few rows change their state at a time: the others add nothing in any world
    number, weights, steps = felt_rows(weights, (0, width, 2 * width, (size - 1) * width), size)
    if number == 1:
        add_rows_of_pack(d, matrix, row, plus1, weights, steps)
    elif number == 2:
        add_rows_of_pack(d, matrix, row, plus2, weights, steps)
    elif number == 3:
        add_rows_of_pack(d, matrix, row, plus3, weights, steps)
    else:
        add_rows_of_pack(d, matrix, row, plus4, weights, steps)


@kernel
def add_rows_of_pack(d, matrix, row, plus, weights, steps):
    """matrix += J' diag(weights) J over as many rows of a pack as `plus` adds; they begin some steps behind `row`."""
    J, start = d.efc_J, d.efc_J_rowadr[row]
    for e in range(d.efc_J_rownnz[row]):
        scales = tuple(weights[j] * J[start + e + steps[j]] for j in range(4))
        add_products(d, matrix, row, e, plus, scales, steps)


@kernel
def felt_rows(weights, steps, size):
    """(how many, weights, steps): the rows of a pack of three or four whose weight is not zero in some world."""
    number = size
    if not any_(is_nonzero(weights[2])):
        weights = (weights[0], weights[1], weights[3], weights[3])
        steps = (steps[0], steps[1], steps[3], steps[3])
        number -= 1
    if not any_(is_nonzero(weights[1])):
        weights = (weights[0], weights[2], weights[3], weights[3])
        steps = (steps[0], steps[2], steps[3], steps[3])
        number -= 1
    if not any_(is_nonzero(weights[0])):
        weights = (weights[1], weights[2], weights[3], weights[3])
        steps = (steps[1], steps[2], steps[3], steps[3])
        number -= 1
    # the fourth is the last of those that are left
    if size == 4 and not any_(is_nonzero(weights[3])):
        number -= 1
    return number, weights, steps


@kernel
def inertia_in_pattern(m, d, matrix):
    """matrix <- M, or what stands for it in the metric of a step."""
    inertia = metric_matrix(m, d)
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        start, count = m.M_rowadr[dof], m.M_rownnz[dof]
        first, nnz = d.hessian_rowadr[dof], d.hessian_rownnz[dof]
        for k in range(first, first + nnz):
            matrix[k] = 0.0
        add_scaled_row(matrix, d.hessian_colind, first, nnz, inertia, m.M_colind, start, count, 1.0)


@kernel
def row_weight(d, row):
    """D of a row that counts in full, else zero."""
    return where(d.efc_state[row] == ConstraintState.QUADRATIC, d.efc_D[row], 0.0)


@kernel
def pack_weights(d, row, size):
    """Weights of the rows of a pack; of four, the last repeated."""
    if size == 4:
        return row_weight(d, row), row_weight(d, row + 1), row_weight(d, row + 2), row_weight(d, row + 3)
    if size == 3:
        last = row_weight(d, row + 2)
        return row_weight(d, row), row_weight(d, row + 1), last, last
    weight = row_weight(d, row)
    return weight, weight, weight, weight


@kernel
def store_weights(d, row, size, weights):
    """hessian_weight of the rows of a pack."""
    d.hessian_weight[row] = weights[0]
    if size >= 3:
        d.hessian_weight[row + 1] = weights[1]
        d.hessian_weight[row + 2] = weights[2]
    if size == 4:
        d.hessian_weight[row + 3] = weights[3]


@kernel
def assemble(m, d, matrix):
    """matrix <- M + J' D J over the quadratic rows."""
    inertia_in_pattern(m, d, matrix)
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        size = d.efc_pack[row]
        weights = pack_weights(d, row, size)
        store_weights(d, row, size, weights)
        if any_(is_any_felt(weights)):
            add_pack(d, matrix, row, weights)


@kernel
def loses_digits(d, row, weight):
    """Worlds where a row that leaves was so heavy that what it leaves behind is inaccurate."""
    start = d.efc_J_rowadr[row]
    leaves, lost = weight > 0.0, weight < weight
    if any_(leaves):
        for k in range(start, start + d.efc_J_rownnz[row]):
            dof = d.efc_J_colind[k]
            rest = d.hessian[d.hessian_rowadr[dof] + d.hessian_rownnz[dof] - 1]
            lost = or_(lost, weight * d.efc_J[k] * d.efc_J[k] > MAX_LOSS * rest)
    return and_(leaves, lost)


@kernel
def update_hessian(m, d):
    """Add the rows that have become quadratic, take away those that have ceased to be."""
    lost = d.solve_Ma[d.solve_dof[0]] != d.solve_Ma[d.solve_dof[0]]
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        size = d.efc_pack[row]
        before, after = pack_values(d.hessian_weight, row, size), pack_weights(d, row, size)
        change = (after[0] - before[0], after[1] - before[1], after[2] - before[2], after[3] - before[3])
        if any_(is_any_felt(change)):
            add_pack(d, d.hessian, row, change)
            store_weights(d, row, size, after)
            lost = or_(lost, loses_digits(d, row, -change[0]))
            if size >= 3:
                lost = or_(lost, or_(loses_digits(d, row + 1, -change[1]), loses_digits(d, row + 2, -change[2])))
            if size == 4:
                lost = or_(lost, loses_digits(d, row + 3, -change[3]))
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
def add_cone(d, matrix, row, contact, dim):
    """matrix += J' H J of a contact: its packs have three rows, or one has four."""
    for e in range(d.efc_J_rownnz[row]):
        if dim == 4:
            add_products(
                d, matrix, row, e, plus4,
                (
                    curved_row(d, row, contact, 4, 0, e), curved_row(d, row, contact, 4, 1, e),
                    curved_row(d, row, contact, 4, 2, e), curved_row(d, row, contact, 4, 3, e),
                ),
                row_steps(d.efc_J_rownnz[row]),
            )  # fmt: skip
        else:
            for j in range(0, dim, 3):
                scales = (
                    curved_row(d, row, contact, dim, j, e),
                    curved_row(d, row, contact, dim, j + 1, e),
                    curved_row(d, row, contact, dim, j + 2, e),
                )
                add_products(d, matrix, row + j, e, plus3, (*scales, scales[2]), row_steps(d.efc_J_rownnz[row]))


@kernel
def curved_row(d, row, contact, dim, j, e):
    """Row j of H J at entry e."""
    width, start = d.efc_J_rownnz[row], d.efc_J_rowadr[row] + e
    total = 0.0
    for k in range(dim):
        total = total + d.contact_H[contact, j * dim + k] * d.efc_J[start + k * width]
    return total


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
            add_cone(d, matrix, row, contact, dim)
        i += dim
