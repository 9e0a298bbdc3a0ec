"""The Hessian where vertices of flexes have an order of their own: columns of its rows, and what constraints add to it.

Entries of constraint rows are in the order of dofs, not of places. So what they add is sorted by place once, the three
dofs of a vertex together, and then each row of the matrix takes what is its own: its columns are looked up once.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.tree import is_nested
from phalanx.constraint.couplings import is_along_axis
from phalanx.constraint.row_packs import ALONG_AXES, ANY_COLUMNS
from phalanx.smooth.step_metric import FIRST_AXIS

# --- columns


@kernel
def merged_row(m, d, own, address):
    """Columns below the diagonal of a row: of M, of the constraint rows that end there, of the rows that fill into it.

    Returns where they end, -1 if memory has no room.
    """
    dof = m.place_dof[own]
    end = merge(d, own, address, address, sort_new(m, d, own, m.M_colind, m.M_rowadr[dof], m.M_rownnz[dof] - 1))
    child = d.hessian_child[own]
    while child >= 0 and end >= 0:
        fresh = list_new(d, own, d.hessian_rowadr[child], d.hessian_rownnz[child] - 2)
        end = merge(d, own, address, end, fresh)
        child = d.hessian_sibling[child]
    row = d.hessian_efc[own]
    while row >= 0 and end >= 0:
        end = merge(d, own, address, end, sort_new(m, d, own, d.efc_J_colind, d.efc_J_rowadr[row], d.efc_J_rownnz[row]))
        row = d.hessian_efc_next[row]
    return end


@kernel
def list_new(d, own, start, count):
    """new_column: columns of another row that the row at hand has not yet. Returns how many."""
    fresh, columns = 0, d.hessian_colind
    for k in range(start, start + count):
        column = columns[k]
        d.new_column[fresh] = column
        fresh += 1 if d.hessian_mark[column] != own else 0
        d.hessian_mark[column] = own
    return fresh


@kernel
def sort_new(m, d, own, dofs, start, count):
    """The same for dofs in their own order."""
    fresh = 0
    for k in range(start, start + count):
        column = m.dof_place[dofs[k]]
        if column != own and d.hessian_mark[column] != own:
            d.hessian_mark[column] = own
            i = fresh
            while i > 0 and d.new_column[i - 1] > column:
                d.new_column[i] = d.new_column[i - 1]
                i -= 1
            d.new_column[i] = column
            fresh += 1
    return fresh


@kernel
def merge(d, own, start, end, fresh):
    """Put new columns among those of a row, which are in ascending order; returns where they end, -1 without room."""
    if end + fresh > d.hessian_capacity:
        return -1
    columns, old, target = d.hessian_colind, end - 1, end + fresh - 1
    for k in range(fresh - 1, -1, -1):
        column = d.new_column[k]
        while old >= start and columns[old] > column:
            columns[target] = columns[old]
            old -= 1
            target -= 1
        columns[target] = column
        target -= 1
    return end + fresh


# --- packs, sorted by place


@kernel
def begin_packs(d):
    """No pack is listed."""
    d.nmeeting = 0
    for i in range(d.solve_ndof):
        d.place_meeting[d.hessian_place[i]] = -1


@kernel
def list_pack(m, d, row):
    """List a pack; three couplings along the axes as one, with the first, if all their entries are of vertices."""
    axis = FIRST_AXIS - d.efc_id[row] if is_along_axis(d, row) else -1
    if axis <= 0:
        d.efc_columns[row] = ANY_COLUMNS if row >= d.nefc else d.efc_columns[row]
        only_vertices = list_entries(m, d, row)
        if axis == 0 and only_vertices:
            d.efc_columns[row] = ALONG_AXES
        elif axis == 0:
            for other in (row + 1, row + 2):
                d.efc_columns[other] = ANY_COLUMNS
                list_entries(m, d, other)


@kernel
def list_entries(m, d, row):
    """List the entries of a pack by place, those of a vertex as one. Returns whether all are such."""
    start, first, only_vertices = d.efc_J_rowadr[row], d.nmeeting, True
    k, end = start, start + d.efc_J_rownnz[row]
    while k < end:
        place = m.dof_place[d.efc_J_colind[k]]
        width = 3 if is_vertex(m, d, k, end, place) else 1
        # they are few, and mostly in order
        i = d.nmeeting
        while i > first and d.meeting_place[i - 1] > place:
            d.meeting_place[i] = d.meeting_place[i - 1]
            d.meeting_entry[i] = d.meeting_entry[i - 1]
            d.meeting_width[i] = d.meeting_width[i - 1]
            i -= 1
        d.meeting_place[i] = place
        d.meeting_entry[i] = k
        d.meeting_width[i] = width
        d.nmeeting = d.nmeeting + 1
        only_vertices = only_vertices and width == 3
        k += width
    for i in range(first, d.nmeeting):
        place = d.meeting_place[i]
        d.meeting_row[i] = row
        d.meeting_first[i] = first
        d.meeting_next[i] = d.place_meeting[place]
        d.place_meeting[place] = i
    return only_vertices


@kernel
def is_vertex(m, d, k, end, place):
    """Are entries k, k + 1 and k + 2 those of the three dofs of a vertex, or of another body, one after another?"""
    if k + 2 >= end or place + 2 >= m.nv:
        return False
    dof = d.efc_J_colind[k]
    if d.efc_J_colind[k + 2] != dof + 2 or m.place_dof[place + 1] != dof + 1 or m.place_dof[place + 2] != dof + 2:
        return False
    return has_same_columns(d, place)


@kernel
def has_same_columns(d, place):
    """Have rows of three neighboring places the columns of the first one, and each other?"""
    rownnz, rowadr, columns = d.hessian_rownnz, d.hessian_rowadr, d.hessian_colind
    if not is_nested(place + 1, place, rownnz, rowadr, columns):
        return False
    return is_nested(place + 2, place + 1, rownnz, rowadr, columns)


@kernel
def add_listed(d, matrix):
    """matrix += J' diag(hessian_weight) J over the packs that are listed."""
    columns = d.hessian_colind
    for i in range(d.solve_ndof):
        own = d.hessian_place[i]
        meeting = d.place_meeting[own]
        if meeting >= 0:
            for k in range(d.hessian_rowadr[own], d.hessian_rowadr[own] + d.hessian_rownnz[own]):
                d.column_address[columns[k]] = k
        while meeting >= 0:
            row = d.meeting_row[meeting]
            width = d.efc_J_rownnz[row]
            if d.efc_pack[row] == 4:
                add_meeting(d, matrix, meeting, (row, row + 1, row + 2, row + 3), (0, width, 2 * width, 3 * width))
            elif d.efc_pack[row] == 3:
                add_meeting(d, matrix, meeting, (row, row + 1, row + 2), (0, width, 2 * width))
            elif row >= d.nefc and d.efc_columns[row] == ALONG_AXES:
                add_along_axes(d, matrix, meeting, row)
            else:
                add_meeting(d, matrix, meeting, (row,), (0,))
            meeting = d.meeting_next[meeting]


@kernel
def weighted(d, rows, steps, entry):
    """D J of one dof, for each row of a pack."""
    return tuple(d.hessian_weight[row] * d.efc_J[entry + step] for row, step in zip(rows, steps, strict=True))


@kernel
def add_meeting(d, matrix, meeting, rows, steps):
    """A dof of a pack, or the three of a vertex, meets all that are not behind it."""
    own, entry, address = d.meeting_place[meeting], d.meeting_entry[meeting], d.hessian_rowadr
    if d.meeting_width[meeting] == 1:
        scales = weighted(d, rows, steps, entry)
        for i in range(d.meeting_first[meeting], meeting + 1):
            at, k = d.column_address[d.meeting_place[i]], d.meeting_entry[i]
            for c in range(d.meeting_width[i]):
                matrix[at + c] = with_products(d, matrix[at + c], scales, steps, k + c)
        return
    x = address[own]
    # how far an entry of the first row is from that in the same column of the others
    y, z = address[own + 1] - x, address[own + 2] - x
    first, second = weighted(d, rows, steps, entry), weighted(d, rows, steps, entry + 1)
    third = weighted(d, rows, steps, entry + 2)
    for i in range(d.meeting_first[meeting], meeting):
        at, k = d.column_address[d.meeting_place[i]], d.meeting_entry[i]
        for c in range(d.meeting_width[i]):
            matrix[at + c] = with_products(d, matrix[at + c], first, steps, k + c)
            matrix[at + y + c] = with_products(d, matrix[at + y + c], second, steps, k + c)
            matrix[at + z + c] = with_products(d, matrix[at + z + c], third, steps, k + c)
    at = d.column_address[own]
    matrix[at] = with_products(d, matrix[at], first, steps, entry)
    for c in (0, 1):
        matrix[at + y + c] = with_products(d, matrix[at + y + c], second, steps, entry + c)
    for c in (0, 1, 2):
        matrix[at + z + c] = with_products(d, matrix[at + z + c], third, steps, entry + c)


@kernel
def with_products(d, value, scales, steps, k):
    """An element with the products of scales and entry k of each row."""
    for scale, step in zip(scales, steps, strict=True):
        value = value + scale * d.efc_J[k + step]
    return value


@kernel
def add_along_axes(d, matrix, meeting, row):
    """`add_meeting` for three couplings of the same vertices, each along one of the axes."""
    own, entry, J, width = d.meeting_place[meeting], d.meeting_entry[meeting], d.efc_J, d.efc_J_rownnz[row]
    x, weight = d.hessian_rowadr[own], d.hessian_weight[row]
    y, z = d.hessian_rowadr[own + 1] - x + 1, d.hessian_rowadr[own + 2] - x + 2
    a, b, c = weight * J[entry], weight * J[entry + width + 1], weight * J[entry + 2 * width + 2]
    for i in range(d.meeting_first[meeting], meeting + 1):
        at, k = d.column_address[d.meeting_place[i]], d.meeting_entry[i]
        matrix[at] = matrix[at] + a * J[k]
        matrix[at + y] = matrix[at + y] + b * J[k + width + 1]
        matrix[at + z] = matrix[at + z] + c * J[k + 2 * width + 2]


# --- packs that change


@kernel
def add_products_by_place(m, d, matrix, row, e, plus, scales, steps):
    """Entry e of some rows of a pack meets all that are not behind it: add their scaled sum to the row of its place."""
    wanted, start = d.efc_J_colind, d.efc_J_rowadr[row]
    own = m.dof_place[wanted[start + e]]
    columns, first = d.hessian_colind, d.hessian_rowadr[own]
    address, last = first, first + d.hessian_rownnz[own] - 1
    for k in range(start, start + d.efc_J_rownnz[row]):
        place = m.dof_place[wanted[k]]
        if place <= own:
            # dofs of a body are neighbors
            if address < last and columns[address + 1] == place:
                address += 1
            else:
                address = find_column(columns, first, last + 1 - first, place)
            matrix[address] = plus(matrix[address], d.efc_J, k, steps, scales)


@kernel
def find_column(columns, first, count, wanted):
    """Where a column is among some in ascending order: halves, without a branch that is hard to foresee."""
    while count > 1:
        half = count >> 1
        first = first + half if columns[first + half] <= wanted else first
        count = count - half
    return first
