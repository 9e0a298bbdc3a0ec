"""What happens between two sweeps of PGS: momentum (Nesterov), given up where it leads back (O'Donoghue and Candes).

Eight rows at a time. Sums over rows are eight sums, added at the end in a fixed order.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load8, store8
from phalanx.algebra.number import and_, any_, where
from phalanx.solver.block import brought_to_boundary, friction_square
from phalanx.solver.compact_problem import (
    FORCE,
    HIGH,
    LOW,
    OLD,
    POINT,
    UNSCALE,
    eight_zeros,
    has_cones,
    load_rows,
    sum8,
)


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
        if dim == 3:
            limit_cone(problem, (i, i + 1, i + 2), moves)
        elif dim == 4:
            limit_cone(problem, (i, i + 1, i + 2, i + 3), moves)
        elif dim == 6:
            limit_cone(problem, (i, i + 1, i + 2, i + 3, i + 4, i + 5), moves)
        i += dim


@kernel
def limit_cone(problem, rows, moves):
    """The same for one elliptic contact."""
    forces = load_rows(problem[FORCE], rows)
    normal, friction = forces[0], forces[1:]
    square = friction_square(friction, load_rows(problem[UNSCALE], rows[1:]))
    is_outside = square > normal * normal
    if any_(is_outside):
        friction = brought_to_boundary(friction, normal, square, is_outside)
    for row, force, moved in zip(rows, forces, (normal, *friction), strict=True):
        problem[FORCE][row] = where(moves, where(normal < 0.0, 0.0, moved), force)


@kernel
def goes_back(d, problem):
    """Worlds where the sweep went against the extrapolation before it."""
    total = eight_zeros(problem)
    for k in range(0, d.compact_nrow, 8):
        force, point, old = load8(problem[FORCE], k), load8(problem[POINT], k), load8(problem[OLD], k)
        total = tuple(total[j] + (force[j] - point[j]) * (point[j] - old[j]) for j in range(8))
    return sum8(total) < 0.0
