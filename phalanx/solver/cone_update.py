"""An elliptic contact in PGS: better forces, along the present force and then of friction alone."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import splat, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.block import best_friction, undo_rise, without
from phalanx.solver.compact_problem import (
    FORCE,
    FRICTION,
    INVERSE,
    SLOPES,
    UNSCALE,
    add_rows,
    load_matrix,
    load_rows,
)


@kernel
def update_cone_block(d, problem, i, dim, active):
    """Better forces of the contact that begins at a row; returns the change of the cost."""
    if dim == 3:
        return update_cone(d, problem, (i, i + 1, i + 2), active)
    if dim == 4:
        return update_cone(d, problem, (i, i + 1, i + 2, i + 3), active)
    return update_cone(d, problem, (i, i + 1, i + 2, i + 3, i + 4, i + 5), active)


@kernel
def update_cone(d, problem, rows, active):
    """Better forces of the rows of an elliptic contact; returns the change of the cost."""
    A, slopes, before = load_matrix(d, problem, rows), load_rows(problem[SLOPES], rows), load_rows(problem[FORCE], rows)
    normal = better_normal(A, slopes, before, problem[INVERSE][rows[0]])
    rise, n = normal - before[0], len(rows)
    friction = best_friction(
        tuple(A[j][1:] for j in range(1, n)),
        tuple(without(A[j][1:], slopes[j] + A[j][0] * rise, before[1:]) for j in range(1, n)),
        load_rows(problem[FRICTION], rows[1:]),
        load_rows(problem[UNSCALE], rows[1:]),
        normal,
        active,
    )
    after, change = undo_rise(A, slopes, before, (normal, *friction))
    after = tuple(where(active, new, old) for new, old in zip(after, before, strict=True))
    for row, force in zip(rows, after, strict=True):
        problem[FORCE][row] = force
    add_rows(d, problem, rows, tuple(new - old for new, old in zip(after, before, strict=True)))
    return change


@kernel
def better_normal(A, slopes, forces, inverse):
    """The normal force of the least cost along the ray of the present force, or alone where there is hardly any."""
    old = forces[0]
    along, curvature = splat(old, 0.0), splat(old, 0.0)
    for row, slope, force in zip(A, slopes, forces, strict=True):
        along = along + force * slope
        product = splat(old, 0.0)
        for entry, other in zip(row, forces, strict=True):
            product = product + entry * other
        curvature = curvature + force * product
    is_curved = curvature >= MINVAL
    step = where(is_curved, -along / where(is_curved, curvature, 1.0), 0.0)
    on_ray = old + step * old
    alone = old - slopes[0] * inverse
    normal = where(old < MINVAL, alone, on_ray)
    return where(normal < 0.0, 0.0, normal)
