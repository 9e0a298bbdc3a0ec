"""Hessian of the cost of a heap, M + J' D J + cones, in the panels of its factor (`constraint/heap_panels.py`)."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load6, store6, store8
from phalanx.algebra.number import any_, lane_get, splat
from phalanx.constraint.heap_order import append_element, append_tree, begin_heap, is_felt
from phalanx.constraint.heap_panels import column_of, lay_out_heap, padded
from phalanx.smooth.step_metric import metric_matrix
from phalanx.solver.hessian import cone_hessian, row_weight
from phalanx.tables.enums import ConstraintState, ConstraintType


@kernel
def lay_out_island(m, d, world):
    """Order and panels of the island at hand with the rows of one world. Returns whether there is memory for them."""
    begin_heap(d)
    last = -1
    for i in range(d.solve_ndof):
        tree = m.dof_treeid[d.solve_dof[i]]
        if tree != last:
            append_tree(d, tree)
            last = tree
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        if is_felt(d, row, world):
            append_element(m, d, row)
    return lay_out_heap(m, d)


@kernel
def assemble_heap(m, d, world):
    """heap_values <- the Hessian of one world."""
    clear_panels(d)
    add_inertia(m, d, world)
    for i in range(d.solve_npack):
        row = d.solve_pack[i]
        if is_felt(d, row, world):
            size = d.efc_pack[row]
            if size == 4:
                add_weighted(m, d, world, (row, row + 1, row + 2, row + 3))
            elif size == 3:
                add_weighted(m, d, world, (row, row + 1, row + 2))
            else:
                add_weighted(m, d, world, (row,))
    add_curved(m, d, world)


@kernel
def clear_panels(d):
    """No entries."""
    last = d.heap_npanel - 1
    zeros = tuple(splat(d.heap_values[0], 0.0) for _ in range(8))
    for k in range(d.panel_adr[0], d.panel_adr[last] + d.panel_rows[last] * padded(d.panel_columns[last]), 8):
        store8(d.heap_values, k, zeros)


@kernel
def row_address(d, panel, pivot):
    """Where the row of a pivot begins in its panel."""
    return d.panel_adr[panel] + (pivot - d.panel_pivot[panel]) * padded(d.panel_columns[panel])


@kernel
def add_inertia(m, d, world):
    """M of each tree; what is a row in M is a column here."""
    M = metric_matrix(m, d)
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        tree = m.dof_treeid[dof]
        panel, pivot = d.heap_panel[tree], d.heap_pivot[tree] - m.tree_dofadr[tree]
        column = pivot + dof - d.panel_pivot[panel]
        start = m.M_rowadr[dof]
        for k in range(start, start + m.M_rownnz[dof]):
            place = row_address(d, panel, pivot + m.M_colind[k]) + column
            d.heap_values[place] = d.heap_values[place] + lane_get(M[k], world)


# --- J' W J


@kernel
def add_weighted(m, d, world, rows):
    """J' D J over the rows of a pack that count in full."""
    weights = tuple(lane_get(row_weight(d, row), world) for row in rows)
    is_any_felt = False
    for weight in weights:
        is_any_felt = is_any_felt or any_(weight != 0.0)
    if is_any_felt:
        add_pack(m, d, world, rows, weights, weighted)


@kernel
def weighted(d, world, rows, weights, k):
    """D J of one dof."""
    start, width = d.efc_J_rowadr[rows[0]], d.efc_J_rownnz[rows[0]]
    return tuple(weight * lane_get(d.efc_J[start + r * width + k], world) for r, weight in enumerate(weights))


@kernel
def add_curved(m, d, world):
    """J' H J of the contacts that slide."""
    i = d.solve_ne + d.solve_nf
    while i < d.solve_nrow:
        row = d.solve_row[i]
        if d.efc_type[row] != ConstraintType.CONTACT_ELLIPTIC:
            i += 1
            continue
        dim = d.contact_dim[d.efc_id[row]]
        if any_(lane_get(d.efc_state[row] == ConstraintState.CONE, world)):
            cone_hessian(d, row, d.efc_id[row], dim, d.efc_state[row] == ConstraintState.CONE)
            if dim == 3:
                add_pack(m, d, world, (row, row + 1, row + 2), (0.0,), curved)
            elif dim == 4:
                add_pack(m, d, world, (row, row + 1, row + 2, row + 3), (0.0,), curved)
            else:
                add_pack(m, d, world, (row, row + 1, row + 2, row + 3, row + 4, row + 5), (0.0,), curved)
        i += dim


@kernel
def curved(d, world, rows, weights, k):
    """H J of one dof."""
    start, width, contact, dim = d.efc_J_rowadr[rows[0]], d.efc_J_rownnz[rows[0]], d.efc_id[rows[0]], len(rows)
    column = tuple(lane_get(d.efc_J[start + r * width + k], world) for r in range(dim))
    return tuple(
        sum(lane_get(d.contact_H[contact, r * dim + q], world) * column[q] for q in range(dim)) for r in range(dim)
    )


@kernel
def add_pack(m, d, world, rows, weights, scaled):
    """J' W J over rows that act on the same dofs, W J is what `scaled` says: tree by tree, each with those after it."""
    start, width = d.efc_J_rowadr[rows[0]], d.efc_J_rownnz[rows[0]]
    first = 0
    while first < width:
        tree = m.dof_treeid[d.efc_J_colind[start + first]]
        end = end_of_tree(m, d, start, width, first, tree)
        panel, place = d.heap_panel[tree], d.heap_place[tree]
        other_first = 0
        while other_first < width:
            other = m.dof_treeid[d.efc_J_colind[start + other_first]]
            other_end = end_of_tree(m, d, start, width, other_first, other)
            if d.heap_place[other] >= place:
                column = column_of(d, panel, other) - m.tree_dofadr[other]
                for k in range(first, end):
                    pivot = d.heap_pivot[tree] + d.efc_J_colind[start + k] - m.tree_dofadr[tree]
                    scales, begin = scaled(d, world, rows, weights, k), k if other == tree else other_first
                    add_entries(d, world, rows, scales, row_address(d, panel, pivot) + column, begin, other_end)
            other_first = other_end
        first = end


@kernel
def end_of_tree(m, d, start, width, first, tree):
    """Where the columns of a tree end among those of a row."""
    last = m.tree_dofadr[tree] + m.tree_dofnum[tree]
    end = first + 1
    while end < width and d.efc_J_colind[start + end] < last:
        end += 1
    return end


@kernel
def add_entries(d, world, rows, scales, target, begin, end):
    """Products of scales with some entries of the rows; `target` is where dof 0 would be."""
    start, width, J, values = d.efc_J_rowadr[rows[0]], d.efc_J_rownnz[rows[0]], d.efc_J, d.heap_values
    dof = d.efc_J_colind[start + begin]
    if d.efc_J_colind[start + end - 1] - dof == end - 1 - begin:
        place, source = target + dof, start + begin
        if end - begin == 6:
            # the dofs of a free body
            totals = load6(values, place)
            for r, scale in enumerate(scales):
                row = load6(J, source + r * width)
                totals = tuple(totals[k] + scale * lane_get(row[k], world) for k in range(6))
            store6(values, place, totals)
            return
        for k in range(end - begin):
            total = values[place + k]
            for r, scale in enumerate(scales):
                total = total + scale * lane_get(J[source + r * width + k], world)
            values[place + k] = total
        return
    for k in range(start + begin, start + end):
        total = values[target + d.efc_J_colind[k]]
        for r, scale in enumerate(scales):
            total = total + scale * lane_get(J[k + r * width], world)
        values[target + d.efc_J_colind[k]] = total
