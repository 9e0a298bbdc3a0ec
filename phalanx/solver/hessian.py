"""Hessian of the cost, M + J' D J + cones: its pattern and its assembly; `hessian_factor.py` factors it.

Elimination runs from the last dof to the first, as for M, so that contacts with the world fill in nothing. Row k of the
factor holds, below k: the ancestors of k, the dofs of constraint rows whose largest dof is k, and what the rows
eliminated before pass on to k, the largest entry in them (the elimination tree). Most rows are those of M.

Vertices of flexes may have an order of their own (`elimination_order.py`). So rows and columns here are places of dofs
in that order; of robots they are the dofs.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, independent, is_nonzero, or_, sqrt, where
from phalanx.algebra.tree import is_nested
from phalanx.constraint.couplings import is_along_axis
from phalanx.constraint.hessian_size import (
    dof_at,
    fits_inertia,
    has_own_order,
    largest_dof,
    last_place,
    place_of,
    same_columns,
)
from phalanx.smooth.step_metric import FIRST_AXIS, metric_matrix
from phalanx.solver.hessian_by_place import add_listed, add_products_by_place, begin_packs, list_pack, merged_row
from phalanx.solver.island_products import has_cone
from phalanx.solver.packs import is_any_felt, pack_values, plus1, plus2, plus3, plus4, row_steps
from phalanx.tables.enums import ConstraintState, ConstraintType

#: A row that leaves takes this much more than what remains: rounding errors would remain too.
MAX_LOSS = 1e8
#: So many places are sorted one after another; of more, all places are looked through.
FEW = 32


# --- pattern


@kernel
def list_places(m, d):
    """hessian_place, hessian_rank: the places of the dofs of the island, in ascending order."""
    places, count = d.hessian_place, d.solve_ndof
    if has_own_order(m) and count > FEW:
        count = 0
        for place in range(m.nv):
            rank = d.solve_place[m.place_dof[place]]
            if rank < d.solve_ndof and d.solve_dof[rank] == m.place_dof[place]:
                places[count] = place
                count += 1
    else:
        for end in range(count):
            place, i = place_of(m, d.solve_dof[end]), end
            while i > 0 and places[i - 1] > place:
                places[i] = places[i - 1]
                i -= 1
            places[i] = place
    for i in range(count):
        d.hessian_rank[places[i]] = i


@kernel
def sort_rows_by_place(m, d):
    """Constraint rows that may fill in, listed by their last place; of equal neighbors one is enough."""
    for i in range(d.solve_ndof):
        place = d.hessian_place[i]
        d.hessian_efc[place] = -1
        d.hessian_child[place] = -1
        d.hessian_mark[place] = -1
    previous = -1
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        # couplings along the other axes have the columns of the first
        is_first = not is_along_axis(d, row) or d.efc_id[row] == FIRST_AXIS
        if is_first and (previous < 0 or not same_columns(d, previous, row)):
            previous = row
            if not fits_inertia(m, d, row, largest_dof(d, row)):
                last = last_place(m, d, row)
                d.hessian_efc_next[row] = d.hessian_efc[last]
                d.hessian_efc[last] = row


@kernel
def mark_columns(d, columns, start, count, own, low):
    """Mark columns, in ascending order and not beyond `own`, for its row; returns the lowest seen."""
    for k in range(start, start + count):
        d.hessian_mark[columns[k]] = own
    return min(low, columns[start]) if count > 0 else low


@kernel
def filled_row(m, d, i, address):
    """Columns below the diagonal of a row with more than the inertia has; returns where they end, -1 without room."""
    own = d.hessian_place[i]
    dof, start = dof_at(m, own), address
    if is_row_of_child(m, d, own):
        # nothing to merge
        before, count = d.hessian_rowadr[d.hessian_child[own]], d.hessian_rownnz[d.hessian_child[own]] - 2
        if address + count > d.hessian_capacity:
            return -1
        for k in independent(count):
            d.hessian_colind[start + k] = d.hessian_colind[before + k]
        return begin_parent(d, own, start, start + count)
    if has_own_order(m):
        return begin_parent(d, own, start, merged_row(m, d, own, address))
    low = mark_columns(d, m.M_colind, m.M_rowadr[dof], m.M_rownnz[dof], own, own)
    row = d.hessian_efc[own]
    while row >= 0:
        low = mark_columns(d, d.efc_J_colind, d.efc_J_rowadr[row], d.efc_J_rownnz[row], own, low)
        row = d.hessian_efc_next[row]
    child = d.hessian_child[own]
    while child >= 0:
        low = mark_columns(d, d.hessian_colind, d.hessian_rowadr[child], d.hessian_rownnz[child] - 2, own, low)
        child = d.hessian_sibling[child]
    return begin_parent(d, own, start, list_marked(d, d.hessian_rank[low], i, own, address))


@kernel
def list_marked(d, first, end, own, address):
    """Columns that are marked for a row, among some of the island; returns where they end, or -1."""
    if address + end - first <= d.hessian_capacity:
        # which are is hard to foresee: each is written, and the next one over it if it was not marked
        for j in range(first, end):
            column = d.hessian_place[j]
            d.hessian_colind[address] = column
            address += 1 if d.hessian_mark[column] == own else 0
        return address
    for j in range(first, end):
        column = d.hessian_place[j]
        if d.hessian_mark[column] == own:
            if address == d.hessian_capacity:
                return -1
            d.hessian_colind[address] = column
            address += 1
    return address


@kernel
def is_row_of_child(m, d, own):
    """Is a row what one row before passes on to it, and no more? So it is with two dofs of each vertex."""
    child = d.hessian_child[own]
    if d.hessian_efc[own] >= 0 or child < 0 or d.hessian_sibling[child] >= 0:
        return False
    dof = dof_at(m, own)
    return m.M_rownnz[dof] == 1 or is_nested(dof_at(m, child), dof, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def begin_parent(d, own, start, end):
    """The largest column of a row, which is from `start` up to `end`, gets it as a child; returns end."""
    if end > start:
        parent = d.hessian_colind[end - 1]
        d.hessian_sibling[own] = d.hessian_child[parent]
        d.hessian_child[parent] = own
    return end


@kernel
def hessian_pattern(m, d):
    """Columns of every row of the factor. Returns how many entries there are, -1 if memory has no room for them."""
    list_places(m, d)
    sort_rows_by_place(m, d)
    address = 0
    for i in range(d.solve_ndof - 1, -1, -1):
        own = d.hessian_place[i]
        dof, start = dof_at(m, own), address
        if d.hessian_efc[own] >= 0 or d.hessian_child[own] >= 0:
            address = filled_row(m, d, i, address)
        elif address + m.M_rownnz[dof] <= d.hessian_capacity:
            first = m.M_rowadr[dof]
            for k in range(m.M_rownnz[dof] - 1):
                d.hessian_colind[address] = place_of(m, m.M_colind[first + k])
                address += 1
        else:
            address = -1
        if address < 0 or address == d.hessian_capacity:
            return -1
        d.hessian_colind[address] = own
        address += 1
        d.hessian_rowadr[own] = start
        d.hessian_rownnz[own] = address - start
    return address


# --- values


@kernel
def add_row_of_inertia(m, d, matrix, own, dof):
    """Add the row of M of a dof to its row, which has all columns of it, in the same order."""
    M, columns, start, count = metric_matrix(m, d), d.hessian_colind, m.M_rowadr[dof], m.M_rownnz[dof]
    first, nnz = d.hessian_rowadr[own], d.hessian_rownnz[own]
    if count == nnz:
        for k in range(count):
            matrix[first + k] = matrix[first + k] + M[start + k]
        return
    # simple bodies have nothing else
    last = start + count - 1
    matrix[first + nnz - 1] = matrix[first + nnz - 1] + M[last]
    address = first
    for k in range(start, last):
        wanted = place_of(m, m.M_colind[k])
        while columns[address] != wanted:
            address += 1
        matrix[address] = matrix[address] + M[k]


@kernel
def add_products(m, d, matrix, row, e, plus, scales, steps):
    """Entry e of some rows of a pack meets the entries up to e: add their scaled sum to the row of its dof.

    The rows begin so many steps behind `row`, the first of the pack.
    """
    if has_own_order(m):
        add_products_by_place(m, d, matrix, row, e, plus, scales, steps)
        return
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
def add_pack(m, d, matrix, row, weights):
    """matrix += J' diag(weights) J over the rows of a pack."""
    J, width, size, start = d.efc_J, d.efc_J_rownnz[row], d.efc_pack[row], d.efc_J_rowadr[row]
    if is_along_axis(d, row):
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
                    add_products(m, d, matrix, row, e, plus1, (scale, scale, scale, scale), (0, 0, 0, 0))
        return
    # mostly few rows change their state at a time: the others add nothing in any world
    number, weights, steps = felt_rows(weights, (0, width, 2 * width, (size - 1) * width), size)
    if number == 1:
        add_rows_of_pack(m, d, matrix, row, plus1, weights, steps)
    elif number == 2:
        add_rows_of_pack(m, d, matrix, row, plus2, weights, steps)
    elif number == 3:
        add_rows_of_pack(m, d, matrix, row, plus3, weights, steps)
    else:
        add_rows_of_pack(m, d, matrix, row, plus4, weights, steps)


@kernel
def add_rows_of_pack(m, d, matrix, row, plus, weights, steps):
    """matrix += J' diag(weights) J over as many rows of a pack as `plus` adds; they begin some steps behind `row`."""
    J, start = d.efc_J, d.efc_J_rowadr[row]
    for e in range(d.efc_J_rownnz[row]):
        scales = tuple(weights[j] * J[start + e + steps[j]] for j in range(4))
        add_products(m, d, matrix, row, e, plus, scales, steps)


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
    for i in range(d.solve_ndof):
        own = d.hessian_place[i]
        first = d.hessian_rowadr[own]
        for k in range(first, first + d.hessian_rownnz[own]):
            matrix[k] = 0.0
        add_row_of_inertia(m, d, matrix, own, dof_at(m, own))


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
    if has_own_order(m):
        begin_packs(d)
        # the first ones come first out of the lists
        for i in range(d.solve_npack - 1, -1, -1):
            if any_(is_any_felt(new_weights(d, d.solve_pack[i]))):
                list_pack(m, d, d.solve_pack[i])
        add_listed(d, matrix)
        return
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        weights = new_weights(d, row)
        if any_(is_any_felt(weights)):
            add_pack(m, d, matrix, row, weights)


@kernel
def new_weights(d, row):
    """Weights of the rows of a pack, as the Hessian has them from now on."""
    weights = pack_weights(d, row, d.efc_pack[row])
    store_weights(d, row, d.efc_pack[row], weights)
    return weights


@kernel
def loses_digits(m, d, row, weight):
    """Worlds where a row that leaves was so heavy that what it leaves behind is inaccurate."""
    start = d.efc_J_rowadr[row]
    leaves, lost = weight > 0.0, weight < weight
    if any_(leaves):
        for k in range(start, start + d.efc_J_rownnz[row]):
            own = place_of(m, d.efc_J_colind[k])
            rest = d.hessian[d.hessian_rowadr[own] + d.hessian_rownnz[own] - 1]
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
            add_pack(m, d, d.hessian, row, change)
            store_weights(d, row, size, after)
            lost = or_(lost, loses_digits(m, d, row, -change[0]))
            if size >= 3:
                lost = or_(lost, or_(loses_digits(m, d, row + 1, -change[1]), loses_digits(m, d, row + 2, -change[2])))
            if size == 4:
                lost = or_(lost, loses_digits(m, d, row + 3, -change[3]))
    if any_(lost):
        # assemble anew, in the memory of the factor, and keep it where it is needed
        assemble(m, d, d.hessian_factor)
        for i in range(d.solve_ndof):
            own = d.hessian_place[i]
            for k in range(d.hessian_rowadr[own], d.hessian_rowadr[own] + d.hessian_rownnz[own]):
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
def add_cone(m, d, matrix, row, contact, dim):
    """matrix += J' H J of a contact: its packs have three rows, or one has four."""
    for e in range(d.efc_J_rownnz[row]):
        if dim == 4:
            add_products(
                m, d, matrix, row, e, plus4,
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
                add_products(m, d, matrix, row + j, e, plus3, (*scales, scales[2]), row_steps(d.efc_J_rownnz[row]))


@kernel
def curved_row(d, row, contact, dim, j, e):
    """Row j of H J at entry e."""
    width, start = d.efc_J_rownnz[row], d.efc_J_rowadr[row] + e
    total = 0.0
    for k in range(dim):
        total = total + d.contact_H[contact, j * dim + k] * d.efc_J[start + k * width]
    return total


@kernel
def add_cones(m, d, matrix):
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
            add_cone(m, d, matrix, row, contact, dim)
        i += dim
