"""Newton's direction in a heap: the factor of its Hessian, panel by panel, and the solve with it.

H = U' D U. Row k of a panel becomes D_k U_k; heap_inverse has 1 / D. A panel that is done is subtracted from the rows
of the trees that it fills into: two of them at a time are summed in buffers, over all pivots of the panel, six of them
at a time. Rows are taken in stretches of eight columns, from the last multiple of eight before the diagonal on.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load6, load8, store6, store8
from phalanx.algebra.number import any_, lane_count, lane_get, lane_set, splat, where
from phalanx.algebra.tree import MIN_PIVOT
from phalanx.constraint.heap_panels import padded
from phalanx.solver.compact_problem import sum8
from phalanx.solver.heap_hessian import assemble_heap, lay_out_island, row_address


@part("mdc")
def divide_by_heap_hessian(m, d, active):
    """solve_Mgrad <- H^-1 grad in the active worlds, one by one. If memory has no room, nothing."""
    for world in range(lane_count(d.efc_D[0])):
        if any_(lane_get(active, world)):
            # the order of a world that is alone stays from one iteration to the next
            if d.heap_world != world:
                d.heap_world = world
                if not lay_out_island(m, d, world):
                    return
            assemble_heap(m, d, world)
            for panel in range(d.heap_npanel):
                factor_panel(d, panel)
                subtract_panel(m, d, panel)
            solve_heap(m, d, world)


# --- rows


@kernel
def nothing8(field, k):
    """Eight zeros, as if they were loaded."""
    zero = splat(field[0], 0.0)
    return (zero, zero, zero, zero, zero, zero, zero, zero)


@kernel
def less_product(total, factor, stretch):
    """total - factor * stretch"""
    return tuple(total[k] - factor * stretch[k] for k in range(8))


@kernel
def subtract_rows(values, begin, sources, targets, factors, first, end):
    """Take multiples of some rows out of others; `begin` is what the others are before: `load8` or `nothing8`."""
    for k in range(first, end, 8):
        stretches = tuple(load8(values, source + k) for source in sources)
        for target, own in zip(targets, factors, strict=True):
            total = begin(values, target + k)
            for stretch, factor in zip(stretches, own, strict=True):
                total = less_product(total, factor, stretch)
            store8(values, target + k, total)


@kernel
def factors_of(d, sources, pivot, column):
    """Factors of rows that begin with a pivot, for the row whose own column is given."""
    return tuple(d.heap_values[source + column] * d.heap_inverse[pivot + k] for k, source in enumerate(sources))


# --- a panel


@kernel
def factor_panel(d, panel):
    """Eliminate the dofs of a panel, six, three or one at a time."""
    rows, i = d.panel_rows[panel], 0
    while i < rows:
        first, width = row_address(d, panel, d.panel_pivot[panel] + i), padded(d.panel_columns[panel])
        if i + 6 <= rows:
            eliminate(d, panel, i, tuple(first + k * width for k in range(6)))
            i += 6
        elif i + 3 <= rows:
            eliminate(d, panel, i, tuple(first + k * width for k in range(3)))
            i += 3
        else:
            eliminate(d, panel, i, (first,))
            i += 1


@kernel
def eliminate(d, panel, i, sources):
    """Eliminate neighbors, of which the first is row i: among themselves, then out of the rows of the panel below."""
    values, pivot, rows = d.heap_values, d.panel_pivot[panel] + i, d.panel_rows[panel]
    width, first, count = padded(d.panel_columns[panel]), i & -8, len(sources)
    for a in range(count):
        source = sources[0] + a * width
        diagonal = values[source + i + a]
        inverse = 1.0 / where(diagonal < MIN_PIVOT, MIN_PIVOT, diagonal)
        d.heap_inverse[pivot + a] = inverse
        for b in range(a + 1, count):
            factor = values[source + i + b] * inverse
            subtract_rows(values, load8, (source,), (sources[0] + b * width,), ((factor,),), first, width)
    row = i + count
    while row < rows:
        target = sources[0] + (row - i) * width
        factors = factors_of(d, sources, pivot, row)
        if row + 1 < rows:
            others = factors_of(d, sources, pivot, row + 1)
            subtract_rows(values, load8, sources, (target, target + width), (factors, others), row & -8, width)
            row += 2
        else:
            subtract_rows(values, load8, sources, (target,), (factors,), row & -8, width)
            row += 1


# --- what it does to others


@kernel
def subtract_panel(m, d, panel):
    """Take a panel out of the rows of the trees that it fills into."""
    tree, width, mapped = d.panel_tree[panel], padded(d.panel_columns[panel]), -1
    first = d.heap_adr[tree]
    end = first + d.heap_num[tree]
    for k in range(first, end):
        other = d.heap_fill[k]
        target = d.heap_panel[other]
        if target != mapped:
            map_columns(d, target, k, end)
            mapped = target
        dofs, row = m.tree_dofnum[other], 0
        while row < dofs:
            column = d.heap_offset[k] + row
            place = row_address(d, target, d.heap_pivot[other] + row)
            if row + 1 < dofs:
                sum_products(d, panel, (0, width), (column, column + 1))
                scatter(m, d, k, end, row, 0, place)
                scatter(m, d, k, end, row + 1, width, place + padded(d.panel_columns[target]))
                row += 2
            else:
                sum_products(d, panel, (0,), (column,))
                scatter(m, d, k, end, row, 0, place)
                row += 1


@kernel
def map_columns(d, target, first, end):
    """heap_column: columns that trees from one entry of heap_fill on have in another panel, which has all of them."""
    entry = d.heap_adr[d.panel_tree[target]]
    for k in range(first, end):
        other = d.heap_fill[k]
        if d.heap_panel[other] == target:
            d.heap_column[k - first] = d.heap_pivot[other] - d.panel_pivot[target]
        else:
            while d.heap_fill[entry] != other:
                entry += 1
            d.heap_column[k - first] = d.heap_offset[entry]
    d.heap_mapped = first


@kernel
def sum_products(d, panel, buffers, columns):
    """Minus the products of the rows of a panel with their entries in some columns, one buffer for each."""
    rows, pivot, i = d.panel_rows[panel], d.panel_pivot[panel], 0
    width = padded(d.panel_columns[panel])
    while i < rows:
        first = row_address(d, panel, pivot + i)
        if i + 6 <= rows:
            add_products(d, tuple(first + k * width for k in range(6)), i, pivot, buffers, columns, width)
            i += 6
        elif i + 3 <= rows:
            add_products(d, tuple(first + k * width for k in range(3)), i, pivot, buffers, columns, width)
            i += 3
        else:
            add_products(d, (first,), i, pivot, buffers, columns, width)
            i += 1


@kernel
def add_products(d, sources, i, pivot, buffers, columns, width):
    """The part of some neighbors, of which the first is row i; the first of all begin the sums."""
    factors = tuple(factors_of(d, sources, pivot + i, own) for own in columns)
    if i == 0:
        subtract_rows(d.heap_values, nothing8, sources, buffers, factors, columns[0] & -8, width)
    else:
        subtract_rows(d.heap_values, load8, sources, buffers, factors, columns[0] & -8, width)


@kernel
def scatter(m, d, k, end, row, buffer, place):
    """Add a buffer to a row of another panel: of the tree of entry k of heap_fill the columns from `row` on."""
    values, begin = d.heap_values, row
    for entry in range(k, end):
        source, target = buffer + d.heap_offset[entry], place + d.heap_column[entry - d.heap_mapped]
        dofs = m.tree_dofnum[d.heap_fill[entry]]
        if begin == 0 and dofs == 6:
            before, change = load6(values, target), load6(values, source)
            store6(values, target, tuple(before[c] + change[c] for c in range(6)))
        else:
            for c in range(begin, dofs):
                values[target + c] = values[target + c] + values[source + c]
        begin = 0


# --- the solve


@kernel
def solve_heap(m, d, world):
    """solve_Mgrad <- H^-1 grad in one world."""
    x, count = d.heap_x, d.solve_ndof
    for i in range(count):
        dof = d.solve_dof[i]
        tree = m.dof_treeid[dof]
        x[d.heap_pivot[tree] + dof - m.tree_dofadr[tree]] = lane_get(d.solve_grad[dof], world)
    for panel in range(d.heap_npanel):
        solve_forward(m, d, panel)
    for panel in range(d.heap_npanel - 1, -1, -1):
        solve_backward(m, d, panel)
    for i in range(count):
        dof = d.solve_dof[i]
        tree = m.dof_treeid[dof]
        value = x[d.heap_pivot[tree] + dof - m.tree_dofadr[tree]]
        d.solve_Mgrad[dof] = lane_set(d.solve_Mgrad[dof], world, value) if lane_count(d.efc_D[0]) > 1 else value


@kernel
def copy(to, target, source, place, count):
    """Copy the numbers of a tree, most often of a free body."""
    if count == 6:
        store6(to, target, load6(source, place))
    else:
        for c in range(count):
            to[target + c] = source[place + c]


@kernel
def gather(m, d, panel):
    """The numbers of the trees that a panel fills into, in the buffer; zeros up to its next multiple of eight."""
    tree, values, columns = d.panel_tree[panel], d.heap_values, d.panel_columns[panel]
    for k in range(columns, padded(columns)):
        values[k] = 0.0
    first = d.heap_adr[tree]
    for k in range(first, first + d.heap_num[tree]):
        target, source = d.heap_offset[k], d.heap_pivot[d.heap_fill[k]]
        copy(values, target, d.heap_x, source, m.tree_dofnum[d.heap_fill[k]])


@kernel
def solve_forward(m, d, panel):
    """x <- U'^-1 x with the rows of a panel."""
    values, x, pivot = d.heap_values, d.heap_x, d.panel_pivot[panel]
    rows, width = d.panel_rows[panel], padded(d.panel_columns[panel])
    for i in range(rows):
        values[i] = x[pivot + i]
    gather(m, d, panel)
    for i in range(rows):
        x[pivot + i] = values[i]
        factor = values[i] * d.heap_inverse[pivot + i]
        source = row_address(d, panel, pivot + i)
        subtract_rows(values, load8, (source,), (0,), ((factor,),), i & -8, width)
    first = d.heap_adr[d.panel_tree[panel]]
    for k in range(first, first + d.heap_num[d.panel_tree[panel]]):
        source, target = d.heap_offset[k], d.heap_pivot[d.heap_fill[k]]
        copy(x, target, values, source, m.tree_dofnum[d.heap_fill[k]])


@kernel
def solve_backward(m, d, panel):
    """x <- U^-1 D^-1 x with the rows of a panel."""
    values, x, pivot, rows = d.heap_values, d.heap_x, d.panel_pivot[panel], d.panel_rows[panel]
    for i in range(rows):
        values[i] = 0.0
    gather(m, d, panel)
    for i in range(rows - 1, -1, -1):
        source, totals = row_address(d, panel, pivot + i), nothing8(values, 0)
        for k in range(i & -8, padded(d.panel_columns[panel]), 8):
            row, known = load8(values, source + k), load8(values, k)
            totals = tuple(totals[j] + row[j] * known[j] for j in range(8))
        value = (x[pivot + i] - sum8(totals)) * d.heap_inverse[pivot + i]
        values[i] = value
        x[pivot + i] = value
