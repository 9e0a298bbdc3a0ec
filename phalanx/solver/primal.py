"""What Newton's method and conjugate gradients share: the point, its gradient, the loop of line searches."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, maximum, minimum, not_, or_, splat, sqrt, where
from phalanx.algebra.vector import MINVAL
from phalanx.constraint.heap_order import is_heap
from phalanx.constraint.hessian_size import has_room_for_island
from phalanx.memory.awake import awake_dofs
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import backbone_factor, backbone_inverse, mul_metric, smooth_force
from phalanx.solver.constraint_update import constraint_cost, update_rows
from phalanx.solver.heap_factor import divide_by_heap_hessian
from phalanx.solver.hessian import assemble, hessian_pattern, update_hessian
from phalanx.solver.hessian_factor import divide_by_factors, factor_hessian
from phalanx.solver.island_products import (
    divide_by_factored_inertia,
    dot_dofs,
    inertia_trace,
    island_dofs,
)
from phalanx.solver.islands import keep_rows
from phalanx.solver.line_search import line_search, point_at, prepare_line
from phalanx.solver.packs import all_rows_times, force_to_dofs
from phalanx.solver.statistics import count_iterations, store_entries, store_statistics
from phalanx.solver.table import solve_island, warm_start
from phalanx.tables.enums import Solver

#: Bound of the conjugate direction's share of the old one (Hager and Zhang).
ETA = 0.01


@warm_start.row(Solver.NEWTON, Solver.CG)
@kernel
def start_acceleration(m, d):
    """Start from the last acceleration where its cost is not above that of qacc_smooth; one choice for all islands."""
    Ma, jar, smooth = d.solve_Ma, d.search_Jv, smooth_force(m, d)
    all_rows_times(d, d.qacc_warmstart, jar)
    for row in range(d.nefc):
        jar[row] = jar[row] - d.efc_aref[row]
    mul_metric(m, d, Ma, d.qacc_warmstart)
    cost = constraint_cost(d, jar)
    for dof in awake_dofs(m, d):
        cost = cost + 0.5 * (Ma[dof] - smooth[dof]) * (d.qacc_warmstart[dof] - d.qacc_smooth[dof])
    is_worse = cost > constraint_cost(d, d.efc_b)
    for row in range(d.nefc):
        d.solve_jar[row] = where(is_worse, d.efc_b[row], jar[row])
    for dof in awake_dofs(m, d):
        d.qacc[dof] = where(is_worse, d.qacc_smooth[dof], d.qacc_warmstart[dof])
    if any_(is_worse):
        mul_metric(m, d, Ma, d.qacc)


@kernel
def update_gradient(m, d, chosen):
    """Forces and gradient at the present point. Returns the counts of `update_rows`."""
    counts, smooth = update_rows(d, chosen), smooth_force(m, d)
    force_to_dofs(d, chosen)
    for dof in island_dofs(d):
        d.solve_grad[dof] = d.solve_Ma[dof] - smooth[dof] - d.qfrc_constraint[dof]
    return counts


@kernel
def divide_by_inertia(m, d):
    """solve_Mgrad <- M^-1 grad, with M the factored part of the inertia."""
    factor, inverse = backbone_factor(m, d), backbone_inverse(m, d)
    for dof in island_dofs(d):
        d.solve_Mgrad[dof] = d.solve_grad[dof]
    divide_by_factored_inertia(m, d, d.solve_Mgrad, factor, inverse)


@kernel
def divide_by_hessian(m, d):
    """solve_Mgrad <- H^-1 grad, with the Hessian factored at the present point."""
    factor_hessian(m, d)
    for dof in island_dofs(d):
        d.solve_Mgrad[dof] = d.solve_grad[dof]
    divide_by_factors(m, d, d, d.solve_Mgrad)


@kernel
def expected_decrease(d, scale):
    """Scaled decrease of the cost that the quadratic model promises: grad . Mgrad / 2."""
    return maximum(0.0, 0.5 * scale * dot_dofs(d, d.solve_grad, d.solve_Mgrad))


@kernel
def gradient_norm(d, scale):
    """Scaled length of the gradient."""
    return scale * sqrt(dot_dofs(d, d.solve_grad, d.solve_grad))


@kernel
def move(d, step, active):
    """Take a step along the search direction."""
    for dof in island_dofs(d):
        d.qacc[dof] = where(active, d.qacc[dof] + step * d.search[dof], d.qacc[dof])
        d.solve_Ma[dof] = where(active, d.solve_Ma[dof] + step * d.search_Mv[dof], d.solve_Ma[dof])
    rows, count = d.solve_row, d.solve_nrow
    if rows[count - 1] - rows[0] == count - 1:
        for row in range(rows[0], rows[0] + count):
            d.solve_jar[row] = where(active, d.solve_jar[row] + step * d.search_Jv[row], d.solve_jar[row])
        return
    for i in range(count):
        row = rows[i]
        d.solve_jar[row] = where(active, d.solve_jar[row] + step * d.search_Jv[row], d.solve_jar[row])


@solve_island.row(Solver.NEWTON)
@kernel
def newton(m, d, chosen, island):
    """Newton's method with an exact line search."""
    tolerance = m.opt.tolerance
    scale = 1.0 / inertia_trace(m, d)
    update_gradient(m, d, chosen)
    store_entries(m, d, island, chosen, d.nJ)
    divide_by_inertia(m, d)
    # the cost is at most half of grad' M^-1 grad above its minimum: a good start needs no Hessian
    is_flat = gradient_norm(d, scale) < tolerance
    active = and_(chosen, not_(and_(is_flat, expected_decrease(d, scale) < tolerance)))
    if not any_(active):
        return active
    is_apart = is_heap(m, d)
    if m.opt.noslip_iterations == 0 and any_(and_(chosen, not_(active))):
        keep_rows(d, active)
    if is_apart:
        d.heap_world = -1
        divide_by_heap_hessian(m, d, active)
        if lacks_memory(d):
            return active
        store_entries(m, d, island, active, d.heap_nentry)
    else:
        entries = hessian_pattern(m, d)
        if entries < 0:
            # counted, so that there will be room
            has_room_for_island(m, d)
            return active
        store_entries(m, d, island, active, entries)
        assemble(m, d, d.hessian)
        divide_by_hessian(m, d)
    active = and_(active, not_(and_(is_flat, expected_decrease(d, scale) < tolerance)))
    iteration = 0
    while any_(active) and iteration < m.opt.iterations:
        for dof in island_dofs(d):
            d.search[dof] = -d.solve_Mgrad[dof]
        terms, slope = prepare_line(m, d), dot_dofs(d, d.solve_grad, d.search)
        # the Hessian is that of the start, so the slope and the second derivative there are opposites
        start = (splat(slope, 0.0), slope, -slope)
        step, improvement, slope, evaluations = line_search(m, d, active, scale, terms, start)
        active = and_(active, step != 0.0)
        if not any_(active):
            break
        move(d, step, active)
        counts = update_gradient(m, d, active)
        gradient = gradient_norm(d, scale)
        store_statistics(m, d, island, iteration, active, (scale * improvement, gradient, slope), counts, evaluations)
        count_iterations(m, d, island, active)
        iteration += 1
        done = and_(active, has_converged(scale * improvement, gradient, tolerance))
        active = and_(active, not_(done))
        if any_(active):
            if m.opt.noslip_iterations == 0 and any_(done):
                keep_rows(d, active)
            if is_apart:
                divide_by_heap_hessian(m, d, active)
            else:
                update_hessian(m, d)
                divide_by_hessian(m, d)
            active = and_(active, not_(expected_decrease(d, scale) < tolerance))
    return active


@kernel
def has_converged(improvement, gradient, tolerance):
    """Too little is gained, or too little is left."""
    return or_(and_(improvement > 0.0, improvement < tolerance), gradient < tolerance)


@solve_island.row(Solver.CG)
@kernel
def conjugate_gradient(m, d, chosen, island):
    """Conjugate gradients of Hager and Zhang, preconditioned by M, with an exact line search."""
    tolerance = m.opt.tolerance
    scale = 1.0 / inertia_trace(m, d)
    update_gradient(m, d, chosen)
    store_entries(m, d, island, chosen, d.nJ)
    divide_by_inertia(m, d)
    active = and_(chosen, not_(expected_decrease(d, scale) < tolerance))
    for dof in island_dofs(d):
        d.search[dof] = -d.solve_Mgrad[dof]
    iteration = 0
    while any_(active) and iteration < m.opt.iterations:
        terms = prepare_line(m, d)
        start = point_at(d, splat(terms, 0.0))
        step, improvement, slope, evaluations = line_search(m, d, active, scale, terms, start)
        active = and_(active, step != 0.0)
        if not any_(active):
            break
        move(d, step, active)
        for dof in island_dofs(d):
            d.solve_grad_old[dof] = d.solve_grad[dof]
            d.solve_Mgrad_old[dof] = d.solve_Mgrad[dof]
        counts = update_gradient(m, d, chosen)
        gradient = gradient_norm(d, scale)
        # there is no factor that would be updated
        counts = (counts[0], counts[1], 0.0 * counts[2])
        store_statistics(m, d, island, iteration, active, (scale * improvement, gradient, slope), counts, evaluations)
        count_iterations(m, d, island, active)
        iteration += 1
        active = and_(active, not_(has_converged(scale * improvement, gradient, tolerance)))
        if any_(active):
            divide_by_inertia(m, d)
            conjugate_direction(d)
    return active


@kernel
def conjugate_direction(d):
    """search <- -M^-1 grad + beta search"""
    grad, Mgrad, search = d.solve_grad, d.solve_Mgrad, d.search
    # the old gradients become their changes
    y, My = d.solve_grad_old, d.solve_Mgrad_old
    for dof in island_dofs(d):
        y[dof] = grad[dof] - y[dof]
        My[dof] = Mgrad[dof] - My[dof]
    search_y, y_My = dot_dofs(d, search, y), dot_dofs(d, y, My)
    y_Mgrad, search_grad = dot_dofs(d, y, Mgrad), dot_dofs(d, search, grad)
    is_conjugate = search_y >= MINVAL
    divisor = where(is_conjugate, search_y, 1.0)
    beta = (y_Mgrad - 2.0 * (y_My / divisor) * search_grad) / divisor
    norm, gradient = sqrt(dot_dofs(d, search, search)), sqrt(dot_dofs(d, grad, grad))
    floor = -1.0 / maximum(MINVAL, norm * minimum(ETA, gradient))
    beta = where(is_conjugate, maximum(floor, beta), 0.0)
    for dof in island_dofs(d):
        search[dof] = -Mgrad[dof] + beta * search[dof]
