"""The order in which Newton's method eliminates the trees of a heap: an island of many trees that touch few others.

Each next tree is one with few neighbors, counted in dofs: the approximate minimum degree of Amestoy, Davis and Duff
(1996). A constraint row is an element, a set of trees that are neighbors of each other. A tree that is eliminated
becomes an element in place of those that it was in. What such an element consists of are the trees that fill into the
row of the factor, so the pattern of the factor is there when the order is.

The order depends on the rows of a world, and so do the numbers that come of it: worlds of a lane are taken one by one.
Islands do not know of each other: the trees of each are in the order that they would have without the others.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import any_, lane_get
from phalanx.tables.sizes import MANY_TREES


@kernel
def may_have_heaps(m):
    """Can islands have many trees that are loose? Those of flexes are not.

    They are neighbors in all worlds: the order of their bodies fills in little, and lanes share it.
    """
    return m.ntree >= MANY_TREES and m.nflex == 0


@kernel
def is_heap(m, d):
    """Does the island at hand have many trees?"""
    trees, last = 0, -1
    for i in range(d.solve_ndof if may_have_heaps(m) else 0):
        tree = m.dof_treeid[d.solve_dof[i]]
        if tree != last:
            trees, last = trees + 1, tree
            if trees == MANY_TREES:
                return True
    return False


@kernel
def is_felt(d, row, world):
    """Has a world this row?"""
    return any_(lane_get(d.efc_D[row], world) != 0.0)


# --- trees and elements


@kernel
def begin_heap(d):
    """No trees and no elements."""
    d.heap_ntree = 0
    d.heap_nelement = 0
    d.heap_nmember = 0


@kernel
def append_tree(d, tree):
    """A tree that is to be eliminated."""
    d.heap_tree[d.heap_ntree] = tree
    d.heap_ntree = d.heap_ntree + 1
    d.heap_listnum[tree] = 0
    d.heap_mark[tree] = -1


@kernel
def append_element(m, d, row):
    """The trees that a row acts on, if they are several, and others than those of the last row of the first of them."""
    start, first, count, last = d.efc_J_rowadr[row], d.heap_nmember, 0, -1
    for k in range(start, start + d.efc_J_rownnz[row]):
        tree = m.dof_treeid[d.efc_J_colind[k]]
        if tree != last:
            d.heap_member[first + count] = tree
            count, last = count + 1, tree
    if count < 2 or is_known_element(d, first, count):
        return
    element = d.heap_nelement
    d.heap_mark[d.heap_member[first]] = element
    d.heap_memberadr[element] = first
    d.heap_membernum[element] = count
    d.heap_elementsize[element] = 0
    d.heap_elementseen[element] = -1
    for k in range(first, first + count):
        tree = d.heap_member[k]
        d.heap_listnum[tree] = d.heap_listnum[tree] + 1
        d.heap_elementsize[element] = d.heap_elementsize[element] + m.tree_dofnum[tree]
    d.heap_nmember = first + count
    d.heap_nelement = element + 1


@kernel
def is_known_element(d, first, count):
    """Has the last element of the first of some trees the same trees?"""
    last = d.heap_mark[d.heap_member[first]]
    if last < 0 or d.heap_membernum[last] != count:
        return False
    known, k = d.heap_memberadr[last], 0
    while k < count and d.heap_member[known + k] == d.heap_member[first + k]:
        k += 1
    return k == count


@kernel
def list_elements(d):
    """heap_list: the elements that each tree is in."""
    address = 0
    for i in range(d.heap_ntree):
        tree = d.heap_tree[i]
        d.heap_listadr[tree] = address
        address += d.heap_listnum[tree]
        d.heap_listnum[tree] = 0
    for element in range(d.heap_nelement):
        first = d.heap_memberadr[element]
        for k in range(first, first + d.heap_membernum[element]):
            tree = d.heap_member[k]
            d.heap_list[d.heap_listadr[tree] + d.heap_listnum[tree]] = element
            d.heap_listnum[tree] = d.heap_listnum[tree] + 1


# --- trees by degree: a list for each


@kernel
def file_tree(d, tree, degree):
    """Put a tree into the list of its degree."""
    while d.heap_top < degree:
        d.heap_top = d.heap_top + 1
        d.heap_bucket[d.heap_top] = -1
    following = d.heap_bucket[degree]
    d.heap_degree[tree] = degree
    d.heap_next[tree] = following
    d.heap_before[tree] = -1
    if following >= 0:
        d.heap_before[following] = tree
    d.heap_bucket[degree] = tree


@kernel
def take_tree(d, tree):
    """Take a tree out of its list."""
    following, before = d.heap_next[tree], d.heap_before[tree]
    if following >= 0:
        d.heap_before[following] = before
    if before >= 0:
        d.heap_next[before] = following
    else:
        d.heap_bucket[d.heap_degree[tree]] = following


@kernel
def file_trees(m, d):
    """All trees, by the size of their elements; trees of smaller ids come first out of the lists."""
    d.heap_top = -1
    for i in range(d.heap_ntree - 1, -1, -1):
        tree, degree = d.heap_tree[i], 0
        first = d.heap_listadr[tree]
        for k in range(first, first + d.heap_listnum[tree]):
            degree += d.heap_elementsize[d.heap_list[k]] - m.tree_dofnum[tree]
        d.heap_mark[tree] = -1
        d.heap_seen[tree] = -1
        file_tree(d, tree, min(degree, m.nv - 1))


# --- elimination


@kernel
def eliminate_trees(m, d):
    """heap_order, and in heap_fill the trees that each fills into. If memory has no room, nfill says so."""
    list_elements(d)
    file_trees(m, d)
    fill, degree = 0, 0
    for place in range(d.heap_ntree):
        while d.heap_bucket[degree] < 0:
            degree += 1
        tree = d.heap_bucket[degree]
        take_tree(d, tree)
        d.heap_order[place] = tree
        d.heap_place[tree] = place
        d.heap_adr[tree] = fill
        fill = merge_elements(m, d, tree, fill)
        if fill > d.fill_capacity:
            d.nfill = fill
            return
        d.heap_num[tree] = fill - d.heap_adr[tree]
        degree = min(degree, count_neighbors(m, d, tree))
    d.nfill = max(d.nfill, fill)


@kernel
def merge_elements(m, d, tree, fill):
    """The trees of all elements that a tree is in, without itself; these elements are no more.

    Returns where memory ends, and where it has no room, what would be enough for the present.
    """
    d.heap_mark[tree] = tree
    first, size = d.heap_listadr[tree], 0
    for k in range(first, first + d.heap_listnum[tree]):
        element = d.heap_list[k]
        if size_of(d, element) == 0:
            continue
        members, start, count = element < 0, members_of(d, element), count_of(d, element)
        if fill + count > d.fill_capacity:
            return 2 * (fill + count) + d.heap_ntree
        for i in range(start, start + count):
            other = d.heap_fill[i] if members else d.heap_member[i]
            if d.heap_mark[other] != tree:
                d.heap_mark[other] = tree
                d.heap_fill[fill] = other
                fill += 1
                size += m.tree_dofnum[other]
        set_size(d, element, 0)
    d.heap_size[tree] = size
    return fill


@kernel
def count_neighbors(m, d, tree):
    """Degrees of the trees that a tree has filled into; returns the least of them.

    Of another element of such a tree counts what is not in the new one, of which nothing may be left.
    """
    first = d.heap_adr[tree]
    end, size, least = first + d.heap_num[tree], d.heap_size[tree], d.heap_degree[tree]
    for i in range(first, end):
        other = d.heap_fill[i]
        start = d.heap_listadr[other]
        for k in range(start, start + d.heap_listnum[other]):
            note_shared(d, d.heap_list[k], tree, m.tree_dofnum[other])
    for i in range(first, end):
        other = d.heap_fill[i]
        start, kept, degree = d.heap_listadr[other], 0, size - m.tree_dofnum[other]
        bound = d.heap_degree[other] + degree
        for k in range(start, start + d.heap_listnum[other]):
            element = d.heap_list[k]
            rest = rest_of(d, element) if size_of(d, element) > 0 else 0
            if rest == 0:
                set_size(d, element, 0)
            else:
                degree += rest
                d.heap_list[start + kept] = element
                kept += 1
        # at least one of its elements is no more, so that there is room for the new one
        d.heap_list[start + kept] = -1 - tree
        d.heap_listnum[other] = kept + 1
        take_tree(d, other)
        degree = min(degree, bound, m.nv - 1)
        file_tree(d, other, degree)
        least = min(least, degree)
    return least


# --- elements: rows have numbers from 0 on, trees that are eliminated negative ones


@kernel
def members_of(d, element):
    """Where the trees of an element begin."""
    return d.heap_memberadr[element] if element >= 0 else d.heap_adr[-1 - element]


@kernel
def count_of(d, element):
    """How many trees it has."""
    return d.heap_membernum[element] if element >= 0 else d.heap_num[-1 - element]


@kernel
def size_of(d, element):
    """Their dofs; 0 if the element is no more."""
    return d.heap_elementsize[element] if element >= 0 else d.heap_size[-1 - element]


@kernel
def set_size(d, element, size):
    """Change it."""
    if element >= 0:
        d.heap_elementsize[element] = size
    else:
        d.heap_size[-1 - element] = size


@kernel
def rest_of(d, element):
    """Dofs of an element that the last tree does not fill into."""
    return d.heap_elementrest[element] if element >= 0 else d.heap_rest[-1 - element]


@kernel
def note_shared(d, element, tree, dofs):
    """So many dofs of an element are among those that a tree fills into."""
    if element >= 0:
        if d.heap_elementseen[element] != tree:
            d.heap_elementseen[element] = tree
            d.heap_elementrest[element] = d.heap_elementsize[element]
        d.heap_elementrest[element] = d.heap_elementrest[element] - dofs
    else:
        other = -1 - element
        if d.heap_seen[other] != tree:
            d.heap_seen[other] = tree
            d.heap_rest[other] = d.heap_size[other]
        d.heap_rest[other] = d.heap_rest[other] - dofs
