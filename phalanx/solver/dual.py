"""Projected Gauss-Seidel (PGS): forces are improved block by block, in random order, with momentum between sweeps.

The order depends on how many blocks there are. So worlds of a lane are solved together if they have the same rows, and
one by one otherwise. The slopes of the cost, AR f + b, follow every change of a force; they are computed anew before
each sweep.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, count_, lane_count, lane_get, not_, or_, splat, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.block import AFTER, BEFORE, MAX_RISE, RESIDUAL, SLOPE, find_friction, undo_rise
from phalanx.solver.block import FRICTION as BLOCK_FRICTION
from phalanx.solver.block import UNSCALE as BLOCK_UNSCALE
from phalanx.solver.compact_problem import (
    BLOCK,
    BLOCK_MATRIX,
    DIAGONAL,
    FORCE,
    FRICTION,
    HIGH,
    INVERSE,
    LOW,
    MATRIX,
    SLOPES,
    UNSCALE,
    add_full_row,
    add_row,
    all_worlds,
    compute_slopes,
    fill_rows,
    keep_in_lane,
    keep_in_world,
    lane_problem,
    list_compact_rows,
    make_matrix,
    one_world,
    only,
    store_rows,
    world_problem,
)
from phalanx.solver.constraint_update import update_rows
from phalanx.solver.dual_problem import finish_dual
from phalanx.solver.island_products import inertia_trace, row_times
from phalanx.solver.islands import first_world, list_all
from phalanx.solver.momentum import extrapolate, goes_back, limited, update_states
from phalanx.solver.random_order import START, shuffle, swap_one
from phalanx.solver.statistics import keep, recorded_islands, store_entries
from phalanx.solver.table import solve_island, warm_start
from phalanx.tables.enums import Solver
from phalanx.tables.sizes import NSOLVER

#: So many worlds of a lane with the same rows take longer one by one than together.
TOGETHER = 4


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
    for dof in range(m.nv):
        total[dof] = 0.0
    cost = splat(d.efc_D[0], 0.0)
    for row in range(d.nefc):
        force, start = d.efc_force[row], d.efc_Y_rowadr[row]
        if any_(force != 0.0):
            for k in range(start, start + d.efc_Y_rownnz[row]):
                total[d.efc_Y_colind[k]] = total[d.efc_Y_colind[k]] + d.efc_Y[k] * force
            cost = cost + (0.5 * d.efc_R[row] * force + d.efc_b[row]) * force
    for dof in range(m.nv):
        cost = cost + 0.5 * total[dof] * total[dof]
    is_worse = cost > 0.0
    for row in range(d.nefc):
        d.efc_force[row] = where(is_worse, 0.0, d.efc_force[row])


@solve_island.row(Solver.PGS)
@part("mdcn", "c")
def projected_gauss_seidel(m, d, chosen, island):
    """Sweeps over the blocks of the island, until there is no world left."""
    scale, worlds = 1.0 / inertia_trace(m, d), lane_count(d.efc_D[0])
    remaining, unsolved, most = chosen, and_(chosen, not_(chosen)), 0
    while any_(remaining):
        if worlds > 1:
            group = worlds_with_same_rows(d, remaining)
            if count_(group) >= TOGETHER:
                left, iterations = solve_together(m, d, group, island, scale)
            else:
                world = first_world(group, worlds)
                group = only(scale, world)
                left, iterations = solve_alone(m, d, world, group, island, scale)
        else:
            group = remaining
            left, iterations = solve_alone(m, d, 0, group, island, scale)
        unsolved = or_(unsolved, and_(group, left))
        remaining = and_(remaining, not_(group))
        most = max(most, iterations)
    clear_statistics(m, d, island, chosen, most)
    finish_dual(m, d, chosen)
    return unsolved


@kernel
def worlds_with_same_rows(d, among):
    """The first of some worlds, and those that have the same rows."""
    world = first_world(among, lane_count(d.efc_D[0]))
    for i in range(d.solve_nrow):
        weight = d.efc_D[d.solve_row[i]]
        among = and_(among, weight != 0.0 if any_(lane_get(weight, world) != 0.0) else weight == 0.0)
    return among


@kernel
def solve_together(m, d, group, island, scale):
    """Solve worlds that have the same rows; returns where the limit of iterations was met, and the most iterations."""
    problem = lane_problem(d)
    list_compact_rows(d, group)
    if not make_matrix(m, d, problem, all_worlds, 0):
        return and_(group, not_(group)), 0
    fill_rows(d, problem, all_worlds, 0)
    store_entries(m, d, island, group, d.compact_entries)
    left, iterations = sweeps(m, d, problem, group, group, island, (scale, m.opt.tolerance))
    store_rows(d, problem, keep_in_lane, group, 0)
    return left, iterations


@kernel
def solve_alone(m, d, world, group, island, scale):
    """Solve one world, the only one of its group; returns whether the limit of iterations was met, and how many."""
    problem = world_problem(d)
    list_compact_rows(d, group)
    if not make_matrix(m, d, problem, one_world, world):
        return False, 0
    fill_rows(d, problem, one_world, world)
    store_entries(m, d, island, group, d.compact_entries)
    # options may differ between worlds
    limits = lane_get(scale, world), lane_get(splat(scale, m.opt.tolerance), world)
    left, iterations = sweeps(m, d, problem, True, group, island, limits)
    store_rows(d, problem, keep_in_world, group, world)
    return any_(left), iterations


@kernel
def sweeps(m, d, problem, active, group, island, limits):
    """Sweep until too little is gained; returns where it is not so yet, and the count of sweeps.

    A world that is done keeps its forces. limits = (scale of the cost, tolerance).
    """
    scale, tolerance = limits
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

    An update waits for the one before it. Meanwhile there is time to draw the order of the next sweep.
    """
    order, following, count = d.compact_block, d.compact_next, int(d.compact_nblock)
    for k in range(count):
        order[k] = following[k]
    improvement = splat(problem[FORCE][0], 0.0)
    i = order[0]
    slope = problem[SLOPES][i]
    for k in range(count):
        upcoming = order[min(k + 1, count - 1)]
        dim = d.compact_dim[i]
        if dim == 1:
            change, slope = update_row(d, problem, i, slope, active, upcoming)
        else:
            change = update_cone_block(d, problem, i, dim, active)
            slope = problem[SLOPES][upcoming]
        improvement = improvement - change
        i = upcoming
        if k + 1 < count:
            state = swap_one(following, count - 1 - k, state)
    return improvement, state


@kernel
def update_row(d, problem, i, slope, active, upcoming):
    """The best force of a single row; returns the change of the cost, and the slope of the row that comes next."""
    old = problem[FORCE][i]
    force = limited(old - slope * problem[INVERSE][i], problem[LOW][i], problem[HIGH][i])
    force = where(active, force, old)
    step = force - old
    change = 0.5 * step * step * problem[DIAGONAL][i] + step * slope
    if any_(change > MAX_RISE):
        # rare, and apart so that what follows need not wait for the change of the cost
        rises = change > MAX_RISE
        problem[FORCE][i] = where(rises, old, force)
        add_row(d, problem, i, where(rises, 0.0, step))
        return where(rises, 0.0, change), problem[SLOPES][upcoming]
    problem[FORCE][i] = force
    if d.compact_is_full:
        return change, add_full_row(d, problem, i, step, upcoming)
    add_row(d, problem, i, step)
    return change, problem[SLOPES][upcoming]


@kernel
def update_cone_block(d, problem, i, dim, active):
    """Better forces of an elliptic contact: along the present force, then friction alone. Returns the cost's change."""
    block = (problem[BLOCK], problem[BLOCK_MATRIX])
    rows, matrix = block
    load_block(d, problem, i, dim)
    normal = better_normal(block, dim, problem[INVERSE][i])
    for j in range(1, dim):
        slope = rows[j, RESIDUAL] + matrix[j, 0] * (normal - rows[0, BEFORE])
        for k in range(1, dim):
            slope = slope - matrix[j, k] * rows[k, BEFORE]
        rows[j, SLOPE] = slope
    find_friction(block, dim, normal, active)
    rows[0, AFTER] = normal
    change = undo_rise(block, 0, dim)
    for j in range(dim):
        force = where(active, rows[j, AFTER], rows[j, BEFORE])
        problem[FORCE][i + j] = force
        add_row(d, problem, i + j, force - rows[j, BEFORE])
    return change


@kernel
def load_block(d, problem, i, dim):
    """The rows of an elliptic contact as the block at hand."""
    rows, matrix = problem[BLOCK], problem[BLOCK_MATRIX]
    for j in range(dim):
        rows[j, RESIDUAL] = problem[SLOPES][i + j]
        rows[j, BEFORE] = problem[FORCE][i + j]
        rows[j, BLOCK_FRICTION] = problem[FRICTION][i + j]
        rows[j, BLOCK_UNSCALE] = problem[UNSCALE][i + j]
        for k in range(dim):
            address = d.compact_diagonal[i + j] + k - j
            matrix[j, k] = problem[MATRIX][address >> 3, address & 7]


@kernel
def better_normal(block, dim, inverse):
    """The normal force of the least cost along the ray of the present force, or alone where there is hardly any."""
    rows, matrix = block
    old = rows[0, BEFORE]
    along, curvature = splat(old, 0.0), splat(old, 0.0)
    for j in range(dim):
        along = along + rows[j, BEFORE] * rows[j, RESIDUAL]
        product = splat(old, 0.0)
        for k in range(dim):
            product = product + matrix[j, k] * rows[k, BEFORE]
        curvature = curvature + rows[j, BEFORE] * product
    is_curved = curvature >= MINVAL
    step = where(is_curved, -along / where(is_curved, curvature, 1.0), 0.0)
    on_ray = old + step * old
    alone = old - rows[0, RESIDUAL] * inverse
    normal = where(old < MINVAL, alone, on_ray)
    return where(normal < 0.0, 0.0, normal)
