"""The noslip pass: after any solver, friction is improved once more as if it had no regularization.

PGS makes it itself, with the problem at hand (`dual.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, clamp, maximum, splat, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.block import best_friction, undo_rise, without
from phalanx.solver.by_world import solve_by_world
from phalanx.solver.compact_problem import (
    DIAGONAL,
    FORCE,
    FRICTION,
    HIGH,
    LOW,
    REGULAR,
    SLOPES,
    UNSCALE,
    add_row,
    add_rows,
    compute_slopes,
    load_matrix,
    load_rows,
)
from phalanx.solver.dual_result import finish_dual
from phalanx.solver.island_products import inertia_trace
from phalanx.solver.row_states import update_states
from phalanx.solver.statistics import count_iterations, store_more_statistics
from phalanx.tables.enums import ConstraintType

#: Smallest element of the diagonal of a block without regularization.
MIN_DIAGONAL = 1e-10


@part("mdcn")
def noslip(m, d, chosen, island):
    """Sweeps over the friction of the island at hand, then its accelerations anew."""
    limits = 1.0 / inertia_trace(m, d), m.opt.noslip_tolerance
    solve_by_world(m, d, chosen, island, limits, friction_sweeps)
    finish_dual(m, d, chosen)


@kernel
def friction_sweeps(m, d, problem, active, group, island, limits):
    """Sweep until too little is gained; returns where it is not so yet, and the count of sweeps."""
    scale, tolerance = limits
    none, iteration = splat(scale, 0.0), 0
    update_states(d, problem, active)
    while any_(active) and iteration < m.opt.noslip_iterations:
        improvement = regularization_cost(d, problem) if iteration == 0 else none
        compute_slopes(d, problem)
        improvement = scale * (improvement + sweep_friction(d, problem, active))
        counts, here = update_states(d, problem, active), and_(group, active)
        store_more_statistics(m, d, island, here, (improvement, none, none), (*counts, none), none)
        count_iterations(m, d, island, here)
        iteration += 1
        active = and_(active, improvement >= tolerance)
    return active, iteration


@kernel
def regularization_cost(d, problem):
    """What the cost loses with its regularization."""
    force, regular = problem[FORCE], problem[REGULAR]
    total = splat(force[0], 0.0)
    for i in range(d.compact_nrow):
        total = total + 0.5 * force[i] * force[i] * regular[i]
    return total


@kernel
def sweep_friction(d, problem, active):
    """Update friction losses, pairs of edges of pyramids and friction of cones; returns the decrease of the cost."""
    improvement, i = splat(problem[FORCE][0], 0.0), 0
    while i < d.compact_nrow:
        kind, dim = d.efc_type[d.compact_row[i]], d.compact_dim[i]
        if kind > ConstraintType.EQUALITY and kind <= ConstraintType.FRICTION_TENDON:
            improvement = improvement - update_loss(d, problem, i, active)
        elif dim == 3:
            improvement = improvement - update_friction(d, problem, (i, i + 1, i + 2), active)
        elif dim == 4:
            improvement = improvement - update_friction(d, problem, (i, i + 1, i + 2, i + 3), active)
        elif dim == 6:
            rows = (i, i + 1, i + 2, i + 3, i + 4, i + 5)
            improvement = improvement - update_friction(d, problem, rows, active)
        elif kind == ConstraintType.CONTACT_PYRAMIDAL and goes_on(d, i):
            improvement = improvement - update_edges(d, problem, (i, i + 1), active)
            dim = 2
        i += dim
    return improvement


@kernel
def goes_on(d, i):
    """Does the contact of a row have another row after it?"""
    if i + 1 >= d.compact_nrow:
        return False
    row, following = d.compact_row[i], d.compact_row[i + 1]
    return following == row + 1 and d.efc_id[following] == d.efc_id[row] and d.efc_type[following] == d.efc_type[row]


@kernel
def update_loss(d, problem, i, active):
    """The best force of a friction loss; returns the change of the cost."""
    old, regular = problem[FORCE][i], problem[REGULAR][i]
    slope = problem[SLOPES][i] - regular * old
    diagonal = maximum(MINVAL, problem[DIAGONAL][i] - regular)
    force = where(active, clamp(old - slope / diagonal, problem[LOW][i], problem[HIGH][i]), old)
    problem[FORCE][i] = force
    step = force - old
    add_row(d, problem, i, step)
    return 0.5 * step * step * diagonal + step * slope


@kernel
def load_bare_block(d, problem, rows):
    """(matrix, slopes, forces) of some rows without their regularization."""
    A, forces, regular = (
        load_matrix(d, problem, rows),
        load_rows(problem[FORCE], rows),
        load_rows(problem[REGULAR], rows),
    )
    n = len(rows)
    slopes = tuple(problem[SLOPES][rows[j]] - regular[j] * forces[j] for j in range(n))
    bare = tuple(
        tuple(maximum(MIN_DIAGONAL, A[j][j] - regular[j]) if k == j else A[j][k] for k in range(n)) for j in range(n)
    )
    return bare, slopes, forces


@kernel
def keep_block(d, problem, rows, before, after, active):
    """Store forces of a block and follow with the slopes."""
    after = tuple(where(active, new, old) for new, old in zip(after, before, strict=True))
    for row, force in zip(rows, after, strict=True):
        problem[FORCE][row] = force
    add_rows(d, problem, rows, tuple(new - old for new, old in zip(after, before, strict=True)))


@kernel
def update_edges(d, problem, rows, active):
    """The best division of their sum between two opposite edges of a pyramid; returns the change of the cost."""
    A, slopes, before = load_bare_block(d, problem, rows)
    middle = 0.5 * (before[0] + before[1])
    curvature = A[0][0] + A[1][1] - A[0][1] - A[1][0]
    slope = middle * (A[0][0] - A[1][1]) + without(A[0], slopes[0], before) - without(A[1], slopes[1], before)
    is_curved = curvature >= MINVAL
    y = where(is_curved, -slope / where(is_curved, curvature, 1.0), 0.0)
    is_low, is_high = y < -middle, y > middle
    first = where(is_low, 0.0, where(is_high, 2.0 * middle, middle + y))
    second = where(is_low, 2.0 * middle, where(is_high, 0.0, middle - y))
    after, change = undo_rise(A, slopes, before, (first, second))
    keep_block(d, problem, rows, before, after, active)
    return change


@kernel
def update_friction(d, problem, rows, active):
    """The best friction of an elliptic contact at its normal force; returns the change of the cost."""
    tangent = rows[1:]
    A, slopes, before = load_bare_block(d, problem, tangent)
    alone = tuple(without(row, slope, before) for row, slope in zip(A, slopes, strict=True))
    coefficients, inverses = load_rows(problem[FRICTION], tangent), load_rows(problem[UNSCALE], tangent)
    friction = best_friction(A, alone, coefficients, inverses, problem[FORCE][rows[0]], active)
    after, change = undo_rise(A, slopes, before, friction)
    keep_block(d, problem, tangent, before, after, active)
    return change
