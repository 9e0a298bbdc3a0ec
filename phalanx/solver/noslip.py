"""The noslip pass: after any solver, friction is improved once more as if it had no regularization."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, clamp, maximum, splat, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.block import AFTER, BEFORE, RESIDUAL, SLOPE, find_friction, lane_block, undo_rise
from phalanx.solver.dual_problem import (
    finish_dual,
    goes_on,
    list_dual_rows,
    load_block,
    load_friction,
    residual,
    store_block,
    update_states,
)
from phalanx.solver.island_products import has_cone, inertia_trace
from phalanx.solver.statistics import count_iterations, store_more_statistics
from phalanx.tables.enums import ConstraintType

#: Smallest element of the diagonal of a block without regularization.
MIN_DIAGONAL = 1e-10


@part("mdcn")
def noslip(m, d, chosen, island):
    """Sweeps over the friction of the island at hand, then its accelerations anew."""
    scale = 1.0 / inertia_trace(m, d)
    list_dual_rows(d, chosen)
    update_states(d, chosen)
    active, iteration = chosen, 0
    none = splat(d.efc_D[0], 0.0)
    while any_(active) and iteration < m.opt.noslip_iterations:
        improvement = regularization_cost(d) if iteration == 0 else none
        improvement = scale * (improvement + sweep_friction(d, active))
        counts = update_states(d, active)
        store_more_statistics(m, d, island, active, (improvement, none, none), (*counts, none), none)
        count_iterations(m, d, island, active)
        iteration += 1
        active = and_(active, improvement >= m.opt.noslip_tolerance)
    finish_dual(m, d, chosen)


@kernel
def regularization_cost(d):
    """What the cost loses with its regularization."""
    total = splat(d.efc_D[0], 0.0)
    for i in range(d.dual_nrow):
        row = d.dual_row[i]
        total = total + 0.5 * d.efc_force[row] * d.efc_force[row] * d.efc_R[row]
    return total


@kernel
def sweep_friction(d, active):
    """Update friction losses, pairs of edges of pyramids and friction of cones; returns the decrease of the cost."""
    improvement, i = splat(d.efc_D[0], 0.0), 0
    while i < d.dual_nrow:
        row = d.dual_row[i]
        dim = d.dual_dim[row]
        own = and_(active, d.efc_D[row] != 0.0)
        if d.efc_type[row] > ConstraintType.EQUALITY and d.efc_type[row] <= ConstraintType.FRICTION_TENDON:
            improvement = improvement - where(own, update_loss(d, row, own), 0.0)
        elif dim > 1:
            own = and_(active, has_cone(d, row))
            improvement = improvement - where(own, update_friction(d, row, dim, own), 0.0)
        elif d.efc_type[row] == ConstraintType.CONTACT_PYRAMIDAL and goes_on(d, i):
            own = and_(own, d.efc_D[row + 1] != 0.0)
            improvement = improvement - where(own, update_edges(d, row, own), 0.0)
            dim = 2
        i += dim
    return improvement


@kernel
def update_loss(d, row, own):
    """The best force of a friction loss; returns the change of the cost."""
    old, loss = d.efc_force[row], d.efc_frictionloss[row]
    slope = residual(d, row) - d.efc_R[row] * old
    diagonal = maximum(MINVAL, d.dual_matrix[d.dual_diagonal[row]] - d.efc_R[row])
    force = clamp(old - slope / diagonal, -loss, loss)
    d.efc_force[row] = where(own, force, old)
    step = force - old
    return 0.5 * step * step * diagonal + step * slope


@kernel
def load_bare_block(d, row, first, end):
    """The block at hand without its regularization."""
    load_block(d, row, first, end)
    rows, matrix = lane_block(d)
    for j in range(first, end):
        rows[j, RESIDUAL] = rows[j, RESIDUAL] - d.efc_R[row + j] * rows[j, BEFORE]
        matrix[j, j] = maximum(MIN_DIAGONAL, matrix[j, j] - d.efc_R[row + j])


@kernel
def bare_slope(d, j, first, end):
    """Slope of the cost along one row without the forces of the block."""
    rows, matrix = lane_block(d)
    slope = rows[j, RESIDUAL]
    for k in range(first, end):
        slope = slope - matrix[j, k] * rows[k, BEFORE]
    return slope


@kernel
def update_edges(d, row, own):
    """The best division of their sum between two opposite edges of a pyramid; returns the change of the cost."""
    load_bare_block(d, row, 0, 2)
    rows, A = lane_block(d)
    middle = 0.5 * (rows[0, BEFORE] + rows[1, BEFORE])
    curvature = A[0, 0] + A[1, 1] - A[0, 1] - A[1, 0]
    slope = middle * (A[0, 0] - A[1, 1]) + bare_slope(d, 0, 0, 2) - bare_slope(d, 1, 0, 2)
    is_curved = curvature >= MINVAL
    y = where(is_curved, -slope / where(is_curved, curvature, 1.0), 0.0)
    is_low, is_high = y < -middle, y > middle
    rows[0, AFTER] = where(is_low, 0.0, where(is_high, 2.0 * middle, middle + y))
    rows[1, AFTER] = where(is_low, 2.0 * middle, where(is_high, 0.0, middle - y))
    change = undo_rise(lane_block(d), 0, 2)
    store_block(d, row, 0, 2, own)
    return change


@kernel
def update_friction(d, row, dim, own):
    """The best friction of an elliptic contact at its normal force; returns the change of the cost."""
    load_bare_block(d, row, 1, dim)
    load_friction(d, row, dim)
    for j in range(1, dim):
        d.block_rows[j, SLOPE] = bare_slope(d, j, 1, dim)
    find_friction(lane_block(d), dim, d.efc_force[row], own)
    change = undo_rise(lane_block(d), 1, dim)
    store_block(d, row, 1, dim, own)
    return change
