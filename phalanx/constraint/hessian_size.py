"""How many entries the factor of Newton's Hessian takes, counted from the rows before any solver runs.

The Hessian M + J' D J is factored from the last place of its order to the first (`hessian_factor.py`): places are the
dofs themselves, unless flexes have an order of their own (`elimination_order.py`). The entries of its factor are
counted without being listed: the elimination tree of Liu (1986) first, then the column counts of Gilbert, Ng and Peyton
(1994), in a time that grows with the entries of M and J. All rows are taken together, as if all worlds had all of them:
no island of a world takes more.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.constraint.couplings import has_couplings, is_along_axis
from phalanx.hook.calls import has_hook
from phalanx.memory.awake import awake_dofs, awake_dofs_backward
from phalanx.tables.sizes import LARGEST_INT, TRIANGLE_AHEAD
from phalanx.tables.solvers import FACTORING


@kernel
def has_own_order(m):
    """Are places others than dofs? Where trees may fall asleep they are not: loops over dofs are over those awake."""
    return m.nsleep == 0 and m.flg_order != 0


@kernel
def place_of(m, dof):
    """The place of a dof."""
    return m.dof_place[dof] if m.nsleep == 0 else dof


@kernel
def dof_at(m, place):
    """The dof at a place."""
    return m.place_dof[place] if m.nsleep == 0 else place


@kernel
def has_room_for_hessian(m, d):
    """Is there memory for the factor of the Hessian? Counted once for the rows that there are, unless any would fit."""
    most = m.nv * (m.nv + 1) // 2
    if (m.opt.solver not in FACTORING and not has_couplings(m)) or most <= d.hessian_capacity:
        return True
    if d.nH == 0:
        if has_couplings(m) and has_hook(d):
            # couplings come after hooks were called: a step that lacks memory would call them again
            d.nH = most
        else:
            count_hessian(m, d)
    return d.nH <= d.hessian_capacity


@kernel
def has_room_for_island(m, d):
    """The same for the island at hand. If it is small, it need not wait for a count of all rows."""
    most = d.solve_ndof * (d.solve_ndof + 1) // 2
    if most > d.hessian_capacity and most <= TRIANGLE_AHEAD:
        d.nH = max(d.nH, most)
        return False
    return most <= d.hessian_capacity or has_room_for_hessian(m, d)


@part()
def count_hessian(m, d):
    """nH: entries of the factor of all rows, the diagonal included."""
    entries, rows = m.nC, list_filling_rows(m, d)
    if rows > 0:
        elimination_tree(m, d, rows)
        count_leaves(m, d, rows, visit_order(m, d))
        entries = sum_counts(m, d)
    d.nH = entries if entries < LARGEST_INT else LARGEST_INT


# --- rows that fill in; from here on a dof is known by its place


@kernel
def same_columns(d, row1, row2):
    """Do two rows of J act on the same dofs?"""
    n = d.efc_J_rownnz[row1]
    if d.efc_J_rownnz[row2] != n:
        return False
    start1, start2 = d.efc_J_rowadr[row1], d.efc_J_rowadr[row2]
    k = 0
    while k < n and d.efc_J_colind[start1 + k] == d.efc_J_colind[start2 + k]:
        k += 1
    return k == n


@kernel
def largest_dof(d, row):
    """The last dof that a row acts on."""
    return d.efc_J_colind[d.efc_J_rowadr[row] + d.efc_J_rownnz[row] - 1]


@kernel
def last_place(m, d, row):
    """The last place that a row acts on: the first to be eliminated."""
    last = largest_dof(d, row)
    if not has_own_order(m):
        return last
    last, start, end = m.dof_place[last], d.efc_J_rowadr[row], d.efc_J_rowadr[row] + d.efc_J_rownnz[row]
    if is_along_axis(d, row):
        # dofs in threes, the last one hangs on the others or is beside them
        for k in range(start + 2, end, 3):
            last = max(last, m.dof_place[d.efc_J_colind[k]])
        return last
    for k in range(start, end):
        last = max(last, m.dof_place[d.efc_J_colind[k]])
    return last


@kernel
def fits_inertia(m, d, row, dof):
    """Are the dofs of a row, of which `dof` is the largest, all ancestors of it? Then the row fills in nothing."""
    place = m.M_rowadr[dof]
    last = place + m.M_rownnz[dof] - 1
    start = d.efc_J_rowadr[row]
    for k in range(start, start + d.efc_J_rownnz[row]):
        while place < last and m.M_colind[place] < d.efc_J_colind[k]:
            place += 1
        if m.M_colind[place] != d.efc_J_colind[k]:
            return False
    return True


@kernel
def list_filling_rows(m, d):
    """fill_row: rows that may fill in, of equal neighbors one. Returns how many."""
    count, previous = 0, -1
    for row in range(d.nefc + d.coupling_num):
        if previous < 0 or not same_columns(d, previous, row):
            previous = row
            if not fits_inertia(m, d, row, largest_dof(d, row)):
                d.fill_row[count] = row
                count += 1
                if has_own_order(m):
                    sort_places(m, d, row)
    return count


@kernel
def sort_places(m, d, row):
    """fill_column: the places of the entries of a row, in ascending order. Those of a vertex are neighbors already."""
    start = d.efc_J_rowadr[row]
    for end in range(start, start + d.efc_J_rownnz[row]):
        item, k = m.dof_place[d.efc_J_colind[end]], end
        while k > start and d.fill_column[k - 1] > item:
            d.fill_column[k] = d.fill_column[k - 1]
            k -= 1
        d.fill_column[k] = item


@kernel
def columns_of_rows(m, d):
    """Places of the entries of rows that may fill in."""
    return d.fill_column if has_own_order(m) else d.efc_J_colind


@kernel
def file_row(d, row, dof):
    """Put a row into the list of a dof."""
    d.fill_row_next[row] = d.fill_dof_row[dof]
    d.fill_dof_row[dof] = row


@kernel
def file_rows(m, d, rows):
    """fill_dof_row: the rows in the lists of their largest dofs."""
    columns = columns_of_rows(m, d)
    for dof in awake_dofs(m, d):
        d.fill_dof_row[dof] = -1
    for k in range(rows):
        row = d.fill_row[k]
        last = d.efc_J_rowadr[row] + d.efc_J_rownnz[row] - 1
        d.fill_row_place[row] = last
        file_row(d, row, columns[last])


# --- the elimination tree


@kernel
def elimination_tree(m, d, rows):
    """fill_parent: the next dof to be eliminated that a dof fills into, -1 if none.

    A clique of dofs ties the same components together as a chain of its neighbors does. So M ties a dof to its nearest
    ancestor only, and a row moves from the list of one of its dofs to that of the next.
    """
    file_rows(m, d, rows)
    for dof in awake_dofs(m, d):
        d.fill_parent[dof] = -1
        d.fill_ancestor[dof] = -1
        d.fill_child[dof] = -1
    for dof in awake_dofs(m, d):
        own = dof_at(m, dof)
        if m.M_rownnz[own] > 1:
            nearest = place_of(m, m.M_colind[m.M_rowadr[own] + m.M_rownnz[own] - 2])
            d.fill_sibling[dof] = d.fill_child[nearest]
            d.fill_child[nearest] = dof
    for dof in awake_dofs_backward(m, d):
        child = d.fill_child[dof]
        while child >= 0:
            tie(d, child, dof)
            child = d.fill_sibling[child]
        tie_rows(m, d, dof)


@kernel
def tie_rows(m, d, dof):
    """Tie a dof to the one before it in each of its rows; the rows move on to the one after it."""
    row, columns = d.fill_dof_row[dof], columns_of_rows(m, d)
    while row >= 0:
        following = d.fill_row_next[row]
        place, start = d.fill_row_place[row], d.efc_J_rowadr[row]
        if place + 1 < start + d.efc_J_rownnz[row]:
            tie(d, columns[place + 1], dof)
        if place > start:
            d.fill_row_place[row] = place - 1
            file_row(d, row, columns[place - 1])
        row = following


@kernel
def tie(d, dof, root):
    """The component of a dof that was eliminated before fills into `root`; paths to the root are shortened."""
    while dof >= 0 and dof != root:
        following = d.fill_ancestor[dof]
        d.fill_ancestor[dof] = root
        if following < 0:
            d.fill_parent[dof] = root
        dof = following


@kernel
def visit_order(m, d):
    """fill_order: the dofs, each after all that fill into it. fill_first: where those begin in this order.

    A subtree is a range of the order that ends with its root, so sizes of subtrees are enough. Returns how many there
    are.
    """
    for dof in awake_dofs(m, d):
        d.fill_size[dof] = 1
    for dof in awake_dofs_backward(m, d):
        if d.fill_parent[dof] >= 0:
            d.fill_size[d.fill_parent[dof]] += d.fill_size[dof]
    # parents have smaller ids than their children
    free = 0
    for dof in awake_dofs(m, d):
        parent = d.fill_parent[dof]
        if parent < 0:
            d.fill_first[dof] = free
            free += d.fill_size[dof]
        else:
            d.fill_first[dof] = d.fill_seen[parent]
            d.fill_seen[parent] += d.fill_size[dof]
        d.fill_seen[dof] = d.fill_first[dof]
        d.fill_order[d.fill_first[dof] + d.fill_size[dof] - 1] = dof
    return free


# --- counts


@kernel
def count_leaves(m, d, rows, count):
    """fill_count: the entries of each row of the factor as differences, which become counts when subtrees are summed.

    The dofs that fill into a dof are a part of the tree below it, known by its leaves: each leaf adds one to the counts
    on the path to that dof, and what paths share is counted once. `count` dofs are in order.
    """
    file_rows(m, d, rows)
    columns = columns_of_rows(m, d)
    for dof in awake_dofs(m, d):
        d.fill_count[dof] = 1 if d.fill_size[dof] == 1 else 0
        d.fill_ancestor[dof] = dof
        d.fill_seen[dof] = -1
        d.fill_leaf[dof] = -1
    for place in range(count):
        dof = d.fill_order[place]
        parent = d.fill_parent[dof]
        if parent >= 0:
            d.fill_count[parent] -= 1
        # what the dof fills into by itself: its ancestors in M, and the dofs of rows that end with it
        own = dof_at(m, dof)
        start = m.M_rowadr[own]
        for k in range(start, start + m.M_rownnz[own] - 1):
            note_leaf(d, place_of(m, m.M_colind[k]), dof)
        row = d.fill_dof_row[dof]
        while row >= 0:
            start = d.efc_J_rowadr[row]
            for k in range(start, start + d.efc_J_rownnz[row] - 1):
                note_leaf(d, columns[k], dof)
            row = d.fill_row_next[row]
        if parent >= 0:
            d.fill_ancestor[dof] = parent


@kernel
def note_leaf(d, root, dof):
    """`dof` fills into `root`: is it a leaf of what does?"""
    if d.fill_first[dof] <= d.fill_seen[root]:
        return
    previous = d.fill_leaf[root]
    d.fill_seen[root] = d.fill_first[dof]
    d.fill_leaf[root] = dof
    d.fill_count[dof] += 1
    if previous >= 0:
        d.fill_count[meeting_point(d, previous)] -= 1


@kernel
def meeting_point(d, dof):
    """Where the path from an earlier leaf meets that from the present one."""
    root = dof
    while d.fill_ancestor[root] != root:
        root = d.fill_ancestor[root]
    while dof != root:
        following = d.fill_ancestor[dof]
        d.fill_ancestor[dof] = root
        dof = following
    return root


@kernel
def sum_counts(m, d):
    """The counts of all rows together."""
    total = 0
    for dof in awake_dofs_backward(m, d):
        total += int(d.fill_count[dof])
        if d.fill_parent[dof] >= 0:
            d.fill_count[d.fill_parent[dof]] += d.fill_count[dof]
    return total
