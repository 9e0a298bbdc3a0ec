"""What happens between two sweeps of PGS: momentum (Nesterov), given up where it leads back (O'Donoghue and Candes).

Eight rows at a time. Sums over rows are eight sums, added at the end in a fixed order.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load8, store8
from phalanx.algebra.number import and_, any_, splat, sqrt, where
from phalanx.solver.block import AFTER, bring_to_boundary, friction_square
from phalanx.solver.block import UNSCALE as BLOCK_UNSCALE
from phalanx.solver.compact_problem import (
    AT_HIGH,
    AT_LOW,
    BLOCK,
    BLOCK_MATRIX,
    FORCE,
    FRICTION,
    HIGH,
    LOW,
    OLD,
    POINT,
    STATE,
    UNSCALE,
    WITHIN,
    eight_zeros,
)
from phalanx.tables.enums import ConstraintState


@kernel
def limited(force, low, high):
    """A force within its limits; NaN stays NaN. The later comparison does not wait for the first."""
    force = where(force > high, high, force)
    return where(force < low, low, force)


@kernel
def eight_limited(problem, k, forces):
    """Forces of eight rows within their limits."""
    low, high = load8(problem[LOW], k), load8(problem[HIGH], k)
    return tuple(limited(forces[j], low[j], high[j]) for j in range(8))


@kernel
def has_cones(d):
    """Are there blocks of several rows?"""
    return d.compact_nblock < d.compact_nrow


@kernel
def sum8(x):
    """The sum of eight numbers, in a fixed order."""
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))


# --- extrapolation


@kernel
def extrapolate(d, problem, beta, active):
    """Go on in the direction of the last sweep, within the limits of the forces."""
    moves = and_(active, beta > 0.0)
    is_moving = any_(moves)
    for k in range(0, d.compact_nrow, 8):
        force = load8(problem[FORCE], k)
        if is_moving:
            old = load8(problem[OLD], k)
            ahead = eight_limited(problem, k, tuple(force[j] + beta * (force[j] - old[j]) for j in range(8)))
            store8(problem[FORCE], k, tuple(where(moves, ahead[j], force[j]) for j in range(8)))
        store8(problem[OLD], k, force)
    if is_moving and has_cones(d):
        limit_cones(d, problem, moves)
    for k in range(0, d.compact_nrow, 8):
        store8(problem[POINT], k, load8(problem[FORCE], k))


@kernel
def limit_cones(d, problem, moves):
    """Bring forces that were moved out of their cones back to them."""
    i = 0
    while i < d.compact_nrow:
        dim = d.compact_dim[i]
        if dim > 1:
            limit_cone(problem, i, dim, moves)
        i += dim


@kernel
def limit_cone(problem, i, dim, moves):
    """The same for one elliptic contact."""
    block = (problem[BLOCK], problem[BLOCK_MATRIX])
    for j in range(dim):
        block[0][j, AFTER] = problem[FORCE][i + j]
        block[0][j, BLOCK_UNSCALE] = problem[UNSCALE][i + j]
    normal, square = block[0][0, AFTER], friction_square(block, dim)
    is_outside = square > normal * normal
    if any_(is_outside):
        bring_to_boundary(block, dim, normal, square, is_outside)
    for j in range(dim):
        moved = where(normal < 0.0, 0.0, block[0][j, AFTER])
        problem[FORCE][i + j] = where(moves, moved, problem[FORCE][i + j])


@kernel
def goes_back(d, problem):
    """Worlds where the sweep went against the extrapolation before it."""
    total = eight_zeros(problem)
    for k in range(0, d.compact_nrow, 8):
        force, point, old = load8(problem[FORCE], k), load8(problem[POINT], k), load8(problem[OLD], k)
        total = tuple(total[j] + (force[j] - point[j]) * (point[j] - old[j]) for j in range(8))
    return sum8(total) < 0.0


# --- states


@kernel
def update_states(d, problem, active):
    """States of the rows from their forces. Returns how many are active and how many changed."""
    if has_cones(d):
        find_cone_states(d, problem)
    count, changed = eight_zeros(problem), eight_zeros(problem)
    for k in range(0, d.compact_nrow, 8):
        before, state = load8(problem[STATE], k), eight_states(problem, k)
        count = tuple(count[j] + where(state[j] != ConstraintState.SATISFIED, 1.0, 0.0) for j in range(8))
        changed = tuple(changed[j] + where(state[j] != before[j], 1.0, 0.0) for j in range(8))
        store8(problem[STATE], k, tuple(where(active, state[j], before[j]) for j in range(8)))
    return sum8(count), sum8(changed)


@kernel
def eight_states(problem, k):
    """States of eight rows from their forces."""
    force, low, high = load8(problem[FORCE], k), load8(problem[LOW], k), load8(problem[HIGH], k)
    at_low, at_high, within = load8(problem[AT_LOW], k), load8(problem[AT_HIGH], k), load8(problem[WITHIN], k)
    upper = tuple(where(force[j] >= high[j], at_high[j], within[j]) for j in range(8))
    return tuple(where(force[j] <= low[j], at_low[j], upper[j]) for j in range(8))


@kernel
def find_cone_states(d, problem):
    """States of elliptic contacts, where those of rows without limits are looked up."""
    i = 0
    while i < d.compact_nrow:
        dim = d.compact_dim[i]
        if dim > 1:
            state = cone_state(problem, i, dim)
            for k in range(i, i + dim):
                problem[WITHIN][k] = state
        i += dim


@kernel
def cone_state(problem, i, dim):
    """On which piece of the cone a force is."""
    mu, square = problem[FRICTION][i], splat(problem[FORCE][i], 0.0)
    normal = problem[FORCE][i] * problem[UNSCALE][i]
    for j in range(1, dim):
        push = problem[FORCE][i + j] * problem[UNSCALE][i + j]
        square = square + push * push
    tangent = sqrt(square)
    top, bottom = mu * normal >= tangent, normal + mu * tangent <= 0.0
    state = where(bottom, ConstraintState.QUADRATIC, ConstraintState.CONE)
    return where(top, ConstraintState.SATISFIED, state)
