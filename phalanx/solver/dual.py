"""Projected Gauss-Seidel (PGS): forces are improved block by block, in random order, with momentum between sweeps.

The order depends on how many blocks there are. So worlds of a lane are solved together if they have the same rows, and
one by one otherwise. The slopes of the cost, AR f + b, follow every change of a force; they are computed anew before
each sweep.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load8, store8
from phalanx.algebra.number import and_, any_, independent, splat, where
from phalanx.memory.awake import awake_dofs
from phalanx.solver.block import MAX_RISE
from phalanx.solver.by_world import solve_by_world
from phalanx.solver.compact_problem import (
    DIAGONAL,
    FORCE,
    HIGH,
    INVERSE,
    LOW,
    POINT,
    SLOPES,
    add_full_row,
    add_row,
    compute_slopes,
    entry_between,
    full_width,
)
from phalanx.solver.cone_update import update_cone_block
from phalanx.solver.constraint_update import update_rows
from phalanx.solver.dual_result import finish_dual
from phalanx.solver.island_products import inertia_trace, row_times
from phalanx.solver.islands import list_all
from phalanx.solver.momentum import extrapolate, goes_back, limited
from phalanx.solver.noslip import friction_sweeps
from phalanx.solver.random_order import START, shuffle, swap_one
from phalanx.solver.row_states import update_states
from phalanx.solver.statistics import keep, recorded_islands, store_entries
from phalanx.solver.table import solve_island, warm_start
from phalanx.tables.enums import Solver
from phalanx.tables.sizes import NSOLVER


@warm_start.row(Solver.PGS)
@part()
def start_forces(m, d):
    """The forces at the last acceleration, unless their cost is above zero, the cost of no forces.

    The cost, f' AR f / 2 + b' f, is that of the force on dofs, Y' f, and of the regularization.
    """
    for row in range(d.nefc):
        d.solve_jar[row] = row_times(d, row, d.qacc_warmstart) - d.efc_aref[row]
    list_all(m, d)
    update_rows(d, splat(d.efc_D[0], 0.0) == 0.0)
    total = d.solve_Mgrad
    for dof in awake_dofs(m, d):
        total[dof] = 0.0
    cost = splat(d.efc_D[0], 0.0)
    for row in range(d.nefc):
        force, start = d.efc_force[row], d.efc_Y_rowadr[row]
        if any_(force != 0.0):
            for k in range(start, start + d.efc_Y_rownnz[row]):
                total[d.efc_Y_colind[k]] = total[d.efc_Y_colind[k]] + d.efc_Y[k] * force
            cost = cost + (0.5 * d.efc_R[row] * force + d.efc_b[row]) * force
    for dof in awake_dofs(m, d):
        cost = cost + 0.5 * total[dof] * total[dof]
    is_worse = cost > 0.0
    for row in range(d.nefc):
        d.efc_force[row] = where(is_worse, 0.0, d.efc_force[row])


@solve_island.row(Solver.PGS)
@part("mdcn", "c")
def projected_gauss_seidel(m, d, chosen, island):
    """Sweeps over the blocks of the island, until there is no world left."""
    limits = 1.0 / inertia_trace(m, d), m.opt.tolerance, m.opt.noslip_tolerance
    unsolved, most = solve_by_world(m, d, chosen, island, limits, all_sweeps)
    clear_statistics(m, d, island, chosen, most)
    finish_dual(m, d, chosen)
    return unsolved


@kernel
def all_sweeps(m, d, problem, active, group, island, limits):
    """Sweep, and then once more over friction alone if a noslip pass is asked for: the problem is at hand.

    Returns where too much is still gained by the former, and their count. limits = (scale of the cost, tolerance,
    tolerance of the noslip pass).
    """
    left, iterations = sweeps(m, d, problem, active, group, island, (limits[0], limits[1]))
    if m.opt.noslip_iterations > 0:
        friction_sweeps(m, d, problem, active, group, island, (limits[0], limits[2]))
    return left, iterations


@kernel
def sweeps(m, d, problem, active, group, island, limits):
    """Sweep until too little is gained; returns where it is not so yet, and the count of sweeps.

    A world that is done keeps its forces. limits = (scale of the cost, tolerance).
    """
    scale, tolerance = limits
    store_entries(m, d, island, group, d.compact_entries)
    none = splat(scale, 0.0)
    momentum, done, iteration = none, none, 0
    state = shuffle(d.compact_next, int(d.compact_nblock), START)
    update_states(d, problem, active)
    while any_(active) and iteration < m.opt.iterations:
        extrapolate(d, problem, (momentum - 1.0) / (momentum + 2.0), active)
        compute_slopes(d, problem)
        improvement, state = sweep(d, problem, active, state)
        improvement = scale * improvement
        record_sweep(m, d, island, iteration, and_(group, active), improvement, update_states(d, problem, active))
        momentum = where(goes_back(d, problem), 0.0, momentum + 1.0)
        done = where(active, done + 1.0, done)
        iteration += 1
        active = and_(active, improvement >= tolerance)
    for k in range(recorded_islands(m)):
        keep(d.solver_niter, k, and_(group, island == k), d.solver_niter[k] + done)
    return active, iteration


@kernel
def record_sweep(m, d, island, iteration, here, improvement, counts):
    """Rows solver_* of one sweep that PGS has numbers for; `clear_statistics` sees to the others."""
    if iteration >= NSOLVER:
        return
    for k in range(recorded_islands(m)):
        mine = and_(here, island == k)
        if any_(mine):
            place = k * NSOLVER + iteration
            keep(d.solver_improvement, place, mine, improvement)
            keep(d.solver_nactive, place, mine, counts[0])
            keep(d.solver_nchange, place, mine, counts[1])


@kernel
def clear_statistics(m, d, island, chosen, iterations):
    """The other rows solver_*, of all worlds at a time: nothing."""
    for k in range(recorded_islands(m)):
        mine = and_(chosen, island == k)
        if any_(mine):
            for place in range(k * NSOLVER, k * NSOLVER + min(iterations, NSOLVER)):
                keep(d.solver_gradient, place, mine, 0.0)
                keep(d.solver_lineslope, place, mine, 0.0)
                keep(d.solver_nupdate, place, mine, 0.0)
                keep(d.solver_neval, place, mine, 0.0)


# --- a sweep


@kernel
def sweep(d, problem, active, state):
    """Update every block once; returns by how much the cost decreases, and the next state of the random order.

    That a row must not raise the cost is seen at the end, since a decision in between makes each update wait for the
    whole one before it. It hardly ever happens; then the sweep is made again, from where it began.
    """
    order, following, count = d.compact_block, d.compact_next, int(d.compact_nblock)
    for k in independent(count):
        order[k] = following[k]
    improvement, rise, state = update_blocks(d, problem, active, state, with_rises)
    if any_(rise > MAX_RISE):
        for k in range(0, d.compact_nrow, 8):
            store8(problem[FORCE], k, load8(problem[POINT], k))
        compute_slopes(d, problem)
        improvement, rise, state = update_blocks(d, problem, active, state, without_rises)
    return improvement, state


@kernel
def update_blocks(d, problem, active, state, accept):
    """Update every block; returns the decrease of the cost, the most that a row raised it, and the next state.

    An update waits for the one before it. Meanwhile there is time to draw the order of the next sweep, once. What is
    done about a row that raises the cost is the other function's.
    """
    order, following, count = d.compact_block, d.compact_next, int(d.compact_nblock)
    improvement = splat(problem[FORCE][0], 0.0)
    i, rise, width = order[0], improvement, full_width(d)
    aim = best_force(problem, i)
    for k in range(count):
        upcoming = order[min(k + 1, count - 1)]
        dim = d.compact_dim[i]
        if dim == 1:
            change, aim = update_row(d, problem, i, aim, active, upcoming, accept, width)
            rise = where(change > rise, change, rise)
        else:
            change = update_cone_block(d, problem, i, dim, active)
            aim = best_force(problem, upcoming)
        improvement = improvement - change
        i = upcoming
        if accept is with_rises and k + 1 < count:
            state = swap_one(following, count - 1 - k, state)
    return improvement, rise, state


@kernel
def with_rises(old, force, step, change):
    """(force, step, change of the cost) of an update, whatever it does to the cost."""
    return force, step, change


@kernel
def without_rises(old, force, step, change):
    """The same of an update that is undone where it raises the cost."""
    rises = change > MAX_RISE
    return where(rises, old, force), where(rises, 0.0, step), where(rises, 0.0, change)


@kernel
def best_force(problem, i):
    """The force that would be best for a row without limits."""
    return problem[FORCE][i] - problem[SLOPES][i] * problem[INVERSE][i]


@kernel
def force_after(d, problem, i, other, step, width):
    """The same after a step of another row, before the slopes follow. All but the step is known ahead."""
    share = entry_between(d, problem, other, i, width) * problem[INVERSE][i]
    return best_force(problem, i) - share * step


@kernel
def update_row(d, problem, i, aim, active, upcoming, accept, width):
    """Bring the force of a single row as near as it may to its best one; returns the change of the cost.

    And the best force of the row that comes next, which waits for one product and one difference.
    """
    old, slope = problem[FORCE][i], problem[SLOPES][i]
    force = where(active, limited(aim, problem[LOW][i], problem[HIGH][i]), old)
    step = force - old
    change = 0.5 * step * step * problem[DIAGONAL][i] + step * slope
    force, step, change = accept(old, force, step, change)
    problem[FORCE][i] = force
    following = force_after(d, problem, upcoming, i, step, width)
    if width > 0:
        add_full_row(problem, i, step, width)
    else:
        add_row(d, problem, i, step)
    return change, following
