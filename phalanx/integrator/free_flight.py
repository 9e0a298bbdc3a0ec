"""Free bodies that nothing touches, in the metric of a step: their gyroscopic forces are those after the step, too.

The slope of these forces is not symmetric, so it has no place in the metric. A body without constraints and couplings
needs no solver: its own 6x6 system may have it.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, where
from phalanx.integrator.bias_derivative import bias_slope, bias_slopes, is_free_tree
from phalanx.integrator.implicit import WIDTH, solve_free_body
from phalanx.memory.growth import lacks_memory


@part()
def free_flight(m, d):
    """qacc of the free bodies that no constraint or coupling acts on."""
    if lacks_memory(d):
        return
    find_bound_trees(m, d)
    for tree in range(m.ntree):
        is_free = d.tree_bound[tree] == 0.0
        if is_free_tree(m, tree) and any_(is_free):
            first = m.tree_dofadr[tree]
            make_system(m, d, tree, first)
            for row in range(6):
                d.implicit_block[WIDTH * row + 6] = d.metric_force[first + row]
            chosen = and_(is_free, solve_free_body(d.implicit_block))
            for k in range(6):
                d.qacc[first + k] = where(chosen, d.implicit_block[WIDTH * k + 6], d.qacc[first + k])


@kernel
def find_bound_trees(m, d):
    """tree_bound: where constraints act on a tree, or couplings."""
    for tree in range(m.ntree):
        d.tree_bound[tree] = 0.0
    for row in range(d.nefc + d.coupling_num):
        acts, last = d.efc_D[row] != 0.0, -1
        for k in range(d.efc_J_rowadr[row], d.efc_J_rowadr[row] + d.efc_J_rownnz[row]):
            tree = m.dof_treeid[d.efc_J_colind[k]]
            if tree != last:
                d.tree_bound[tree] = where(acts, 1.0, d.tree_bound[tree])
            last = tree


@kernel
def make_system(m, d, tree, first):
    """implicit_block: the metric and h times the slope of the bias force; its seventh column is zero."""
    block, step = d.implicit_block, m.opt.timestep
    bias_slopes(m, d, tree)
    for k in range(WIDTH * 6):
        block[k] = 0.0
    for row in range(6):
        dof = first + row
        for address in range(m.M_rowadr[dof], m.M_rowadr[dof] + m.M_rownnz[dof]):
            column = m.M_colind[address] - first
            block[WIDTH * row + column] = d.metric[address]
            block[WIDTH * column + row] = d.metric[address]
    for row in range(6):
        for column in range(6):
            place = WIDTH * row + column
            block[place] = block[place] + step * bias_slope(d, first + row, first + column)


@kernel
def add_gyroscopic_forces(m, d, force):
    """force += h (slope of the bias force) qacc, of the free bodies in flight: the inverse of `free_flight`."""
    find_bound_trees(m, d)
    for tree in range(m.ntree):
        is_free = d.tree_bound[tree] == 0.0
        if is_free_tree(m, tree) and any_(is_free):
            first = m.tree_dofadr[tree]
            bias_slopes(m, d, tree)
            for row in range(6):
                total = 0.0
                for column in range(6):
                    total = total + bias_slope(d, first + row, first + column) * d.qacc[first + column]
                change = m.opt.timestep * total
                force[first + row] = where(is_free, force[first + row] + change, force[first + row])
