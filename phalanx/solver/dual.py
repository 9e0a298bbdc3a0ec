"""Projected Gauss-Seidel (PGS): forces are improved block by block, in random order, with momentum between sweeps.

The order depends on how many blocks there are, so that worlds of a lane are solved together if they have the same rows.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, clamp, lane_count, lane_get, not_, or_, splat, where
from phalanx.algebra.vector import MINVAL
from phalanx.constraint.rows import is_dense
from phalanx.solver.constraint_update import update_rows
from phalanx.solver.dual_problem import (
    MAX_RISE,
    bring_to_boundary,
    find_friction,
    finish_dual,
    friction_square,
    list_dual_rows,
    load_block,
    load_friction,
    residual,
    store_block,
    undo_rise,
    update_states,
)
from phalanx.solver.island_products import inertia_trace, row_times
from phalanx.solver.islands import first_world, list_all
from phalanx.solver.random_order import START, shuffle
from phalanx.solver.statistics import count_iterations, store_entries, store_statistics
from phalanx.solver.table import solve_island, warm_start
from phalanx.tables.enums import ConstraintType, Solver


@warm_start.row(Solver.PGS)
@part()
def start_forces(m, d):
    """The forces at the last acceleration, unless their cost is above zero, the cost of no forces."""
    for row in range(d.nefc):
        d.solve_jar[row] = row_times(d, row, d.qacc_warmstart) - d.efc_aref[row]
    list_all(m, d)
    update_rows(d, splat(d.efc_D[0], 0.0) == 0.0)
    cost = 0.0
    for row in range(d.nefc):
        slope, start = 2.0 * d.efc_b[row], d.efc_AR_rowadr[row]
        for k in range(start, start + d.efc_AR_rownnz[row]):
            slope = slope + d.efc_AR[k] * d.efc_force[d.efc_AR_colind[k]]
        cost = cost + 0.5 * d.efc_force[row] * slope
    is_worse = cost > 0.0
    for row in range(d.nefc):
        d.efc_force[row] = where(is_worse, 0.0, d.efc_force[row])


@solve_island.row(Solver.PGS)
@part("mdcn", "c")
def projected_gauss_seidel(m, d, chosen, island):
    """Sweeps over the blocks of the island, for all worlds with the same blocks at a time."""
    scale = 1.0 / inertia_trace(m, d)
    remaining, unsolved = chosen, and_(chosen, not_(chosen))
    while any_(remaining):
        group = worlds_with_same_rows(d, remaining)
        list_dual_rows(d, group)
        store_entries(m, d, island, group, matrix_size(m, d))
        unsolved = or_(unsolved, sweeps(m, d, group, island, scale))
        remaining = and_(remaining, not_(group))
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
def matrix_size(m, d):
    """Entries of the matrix as MuJoCo keeps it."""
    if is_dense(m):
        return d.dual_nrow * d.dual_nrow
    entries = 0
    for i in range(d.dual_nrow):
        entries += d.dual_rownnz[d.dual_row[i]]
    return entries


@kernel
def sweeps(m, d, group, island, scale):
    """Sweep until too little is gained; returns where it is not so yet. A world that is done keeps its forces."""
    active, state, iteration = group, START, 0
    momentum = splat(d.efc_D[0], 0.0)
    none = splat(d.efc_D[0], 0.0)
    update_states(d, group)
    while any_(active) and iteration < m.opt.iterations:
        extrapolate(d, (momentum - 1.0) / (momentum + 2.0), active)
        state = shuffle(d.dual_block, d.dual_nblock, state)
        improvement = scale * sweep(d, active)
        counts = update_states(d, active)
        store_statistics(m, d, island, iteration, active, (improvement, none, none), (*counts, none), none)
        count_iterations(m, d, island, active)
        momentum = where(goes_back(d), 0.0, momentum + 1.0)
        iteration += 1
        active = and_(active, improvement >= m.opt.tolerance)
    return active


# --- momentum (Nesterov), given up where it leads back (O'Donoghue and Candes)


@kernel
def extrapolate(d, beta, active):
    """Go on in the direction of the last sweep, within the limits of the forces."""
    force, old = d.efc_force, d.dual_old
    moves = and_(active, beta > 0.0)
    has_moves = any_(moves)
    i = 0
    while i < d.dual_nrow:
        row = d.dual_row[i]
        dim = d.dual_dim[row]
        for k in range(row, row + dim):
            before = force[k]
            d.block_new[k - row] = before + beta * (before - old[k]) if has_moves else before
            old[k] = before
        if has_moves:
            project_block(d, row, dim)
            store_block(d, row, 0, dim, moves)
        for k in range(row, row + dim):
            d.dual_point[k] = force[k]
        i += dim


@kernel
def project_block(d, row, dim):
    """Bring the forces of a block within their limits."""
    new = d.block_new
    if dim == 1:
        new[0] = bounded(d, row, new[0])
        return
    load_friction(d, row, dim)
    normal = new[0]
    bring_to_boundary(d, dim, normal, friction_square(d, dim) > normal * normal)
    for j in range(dim):
        new[j] = where(normal < 0.0, 0.0, new[j])


@kernel
def goes_back(d):
    """Worlds where the sweep went against the extrapolation before it."""
    total = splat(d.efc_D[0], 0.0)
    for i in range(d.dual_nrow):
        row = d.dual_row[i]
        total = total + (d.efc_force[row] - d.dual_point[row]) * (d.dual_point[row] - d.dual_old[row])
    return total < 0.0


# --- a sweep


@kernel
def sweep(d, active):
    """Update every block once; returns by how much the cost decreases."""
    improvement = splat(d.efc_D[0], 0.0)
    for i in range(d.dual_nblock):
        row = d.dual_block[i]
        dim = d.dual_dim[row]
        if dim == 1:
            improvement = improvement - update_row(d, row, active)
        else:
            improvement = improvement - update_cone_block(d, row, dim, active)
    return improvement


@kernel
def bounded(d, row, force):
    """The force of a single row within its limits."""
    if d.efc_type[row] == ConstraintType.EQUALITY:
        return force
    if d.efc_type[row] <= ConstraintType.FRICTION_TENDON:
        return clamp(force, -d.efc_frictionloss[row], d.efc_frictionloss[row])
    return where(force < 0.0, 0.0, force)


@kernel
def update_row(d, row, active):
    """The best force of a single row; returns the change of the cost."""
    slope, old = residual(d, row), d.efc_force[row]
    force = bounded(d, row, old - slope * d.dual_inverse[row])
    step = force - old
    change = 0.5 * step * step * d.dual_matrix[d.dual_diagonal[row]] + step * slope
    rises = change > MAX_RISE
    d.efc_force[row] = where(and_(active, not_(rises)), force, old)
    return where(rises, 0.0, change)


@kernel
def update_cone_block(d, row, dim, active):
    """Better forces of an elliptic contact: along the present force, then friction alone. Returns the cost's change."""
    load_block(d, row, 0, dim)
    load_friction(d, row, dim)
    matrix, old, slope = d.block_matrix, d.block_old, d.block_slope
    normal = better_normal(d, row, dim)
    for j in range(1, dim):
        slope[j] = d.block_residual[j] + matrix[j, 0] * (normal - old[0])
        for k in range(1, dim):
            slope[j] = slope[j] - matrix[j, k] * old[k]
    find_friction(d, dim, normal, active)
    d.block_new[0] = normal
    change = undo_rise(d, 0, dim)
    store_block(d, row, 0, dim, active)
    return change


@kernel
def better_normal(d, row, dim):
    """The normal force of the least cost along the ray of the present force, or alone where there is hardly any."""
    old = d.block_old
    along, curvature = splat(old[0], 0.0), splat(old[0], 0.0)
    for j in range(dim):
        along = along + old[j] * d.block_residual[j]
        product = splat(old[0], 0.0)
        for k in range(dim):
            product = product + d.block_matrix[j, k] * old[k]
        curvature = curvature + old[j] * product
    is_curved = curvature >= MINVAL
    step = where(is_curved, -along / where(is_curved, curvature, 1.0), 0.0)
    on_ray = old[0] + step * old[0]
    alone = old[0] - d.block_residual[0] * d.dual_inverse[row]
    normal = where(old[0] < MINVAL, alone, on_ray)
    return where(normal < 0.0, 0.0, normal)
