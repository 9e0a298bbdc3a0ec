"""Memory of the factor of a heap: trees that fill into the same others are a panel, a dense matrix.

A panel has a row for each dof of its trees, and a column for each dof of its trees and of those that they fill into, in
the order of elimination. Rows have a multiple of eight columns; those that are too many stay zero. Nobody reads entries
below the diagonal.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import lane_count
from phalanx.constraint.couplings import has_couplings
from phalanx.constraint.heap_order import append_element, append_tree, begin_heap, eliminate_trees, is_felt
from phalanx.memory.awake import awake_trees

#: Trees with other neighbors than the next one join its panel if at most one in so many of its entries is then zero.
MOST_ZEROS = 8


@kernel
def lay_out_heap(m, d):
    """Order of the trees, panels, and how much memory they take. Returns whether there is enough."""
    eliminate_trees(m, d)
    if d.nfill > d.fill_capacity:
        return False
    find_parents(d)
    put_parents_behind(d)
    begin = 2 * buffer_size(m, d)
    end = divide_into_panels(m, d, begin)
    d.heap_nentry = end - begin
    d.nheap = max(d.nheap, end)
    return d.nheap <= d.heap_capacity


@part()
def heap_room(m, d):
    """nfill, nheap: memory that heaps of these rows can take, before a solver finds out which there are."""
    if has_couplings(m):
        # they come later, and may tie any trees together
        d.nfill = m.ntree * m.ntree
        d.nheap = (m.nv + 2) * padded(m.nv)
        return
    for world in range(lane_count(d.efc_D[0])):
        begin_heap(d)
        for tree in awake_trees(m, d):
            append_tree(d, tree)
        for row in range(d.nefc):
            if is_felt(d, row, world):
                append_element(m, d, row)
        lay_out_heap(m, d)


@kernel
def buffer_size(m, d):
    """Memory for a row of any panel."""
    dofs = 0
    for i in range(d.heap_ntree):
        dofs += m.tree_dofnum[d.heap_tree[i]]
    return padded(dofs)


@kernel
def padded(count):
    """The next multiple of eight."""
    return (count + 7) & -8


# --- the order, so that trees of one panel are neighbors in it


@kernel
def find_parents(d):
    """heap_parent: of the trees that a tree fills into the one that is eliminated next, -1 if none; heap_count: of how
    many trees those that fill into it, and so on, consist.
    """
    for i in range(d.heap_ntree):
        d.heap_count[d.heap_order[i]] = 1
    for i in range(d.heap_ntree):
        tree = d.heap_order[i]
        first, parent, place = d.heap_adr[tree], -1, d.heap_ntree
        for k in range(first, first + d.heap_num[tree]):
            other = d.heap_fill[k]
            if d.heap_place[other] < place:
                parent, place = other, d.heap_place[other]
        d.heap_parent[tree] = parent
        if parent >= 0:
            d.heap_count[parent] = d.heap_count[parent] + d.heap_count[tree]


@kernel
def put_parents_behind(d):
    """Another order with the same pattern: each tree directly behind the last of those that fill into it."""
    free = d.heap_ntree
    for i in range(d.heap_ntree - 1, -1, -1):
        tree = d.heap_order[i]
        parent = d.heap_parent[tree]
        # heap_rest: where there is still room for those that fill into a tree
        if parent < 0:
            free -= 1
            place = free
            free -= d.heap_count[tree] - 1
        else:
            place = d.heap_rest[parent]
            d.heap_rest[parent] = place - d.heap_count[tree]
        d.heap_rest[tree] = place - 1
        d.heap_place[tree] = place
    for i in range(d.heap_ntree):
        tree = d.heap_tree[i]
        d.heap_order[d.heap_place[tree]] = tree


# --- panels


@kernel
def divide_into_panels(m, d, address):
    """Panels in the order of elimination, from an address on; returns where memory ends."""
    d.heap_npanel = 0
    pivot, place = 0, 0
    while place < d.heap_ntree:
        last = end_of_panel(m, d, place)
        panel, rows, tree = d.heap_npanel, 0, d.heap_order[last]
        for k in range(place, last + 1):
            member = d.heap_order[k]
            d.heap_panel[member] = panel
            d.heap_pivot[member] = pivot + rows
            rows += m.tree_dofnum[member]
        sort_fill(d, tree)
        columns = list_offsets(m, d, tree, rows)
        d.panel_tree[panel] = tree
        d.panel_pivot[panel] = pivot
        d.panel_rows[panel] = rows
        d.panel_columns[panel] = columns
        d.panel_adr[panel] = address
        address += rows * padded(columns)
        d.heap_npanel = panel + 1
        pivot += rows
        place = last + 1
    return address


@kernel
def dofs_filled(m, d, tree):
    """Dofs that a tree fills into."""
    first, dofs = d.heap_adr[tree], 0
    for k in range(first, first + d.heap_num[tree]):
        dofs += m.tree_dofnum[d.heap_fill[k]]
    return dofs


@kernel
def end_of_panel(m, d, place):
    """The last place of the panel that begins at a place."""
    tree = d.heap_order[place]
    rows, zeros, filled = m.tree_dofnum[tree], 0, dofs_filled(m, d, tree)
    while place + 1 < d.heap_ntree and d.heap_parent[tree] == d.heap_order[place + 1]:
        # the next tree fills into all that this one fills into, and perhaps more
        tree = d.heap_order[place + 1]
        further = dofs_filled(m, d, tree)
        zeros += rows * (further + m.tree_dofnum[tree] - filled)
        rows += m.tree_dofnum[tree]
        filled = further
        if MOST_ZEROS * zeros > rows * (rows + filled):
            break
        place += 1
    return place


@kernel
def sort_fill(d, tree):
    """The trees that a tree fills into, in the order of elimination (Shell's sort)."""
    first, count = d.heap_adr[tree], d.heap_num[tree]
    gap = 1
    while gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, first + count):
            item, k = d.heap_fill[i], i
            while k >= first + gap and d.heap_place[d.heap_fill[k - gap]] > d.heap_place[item]:
                d.heap_fill[k] = d.heap_fill[k - gap]
                k -= gap
            d.heap_fill[k] = item
        gap = gap // 3


@kernel
def list_offsets(m, d, tree, rows):
    """heap_offset: first columns of the trees that a panel fills into; returns how many columns it has."""
    first, column = d.heap_adr[tree], rows
    for k in range(first, first + d.heap_num[tree]):
        d.heap_offset[k] = column
        column += m.tree_dofnum[d.heap_fill[k]]
    return column


@kernel
def column_of(d, panel, tree):
    """First column of a tree in a panel, which has it."""
    if d.heap_panel[tree] == panel:
        return d.heap_pivot[tree] - d.panel_pivot[panel]
    low = d.heap_adr[d.panel_tree[panel]]
    high, place = low + d.heap_num[d.panel_tree[panel]] - 1, d.heap_place[tree]
    while low < high:
        middle = (low + high) >> 1
        if d.heap_place[d.heap_fill[middle]] < place:
            low = middle + 1
        else:
            high = middle
    return d.heap_offset[low]
