"""A block: rows whose forces are improved together, those of an elliptic contact or two edges of a pyramid.

Its forces, slopes of the cost and coefficients of friction are tuples with a number for each row; the matrix between
its rows is a tuple of rows.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, maximum, splat, sqrt, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.qcqp import ball2, ball3, ball5

#: An update of a block that raises the cost by more than this is undone.
MAX_RISE = 1e-10


@kernel
def undo_rise(A, slopes, before, after):
    """(forces, change of the cost): the forces after an update, or those before it where they would raise the cost."""
    steps = tuple(new - old for new, old in zip(after, before, strict=True))
    change = splat(after[0], 0.0)
    for row, slope, step in zip(A, slopes, steps, strict=True):
        for entry, other in zip(row, steps, strict=True):
            slope = slope + 0.5 * (entry * other)
        change = change + step * slope
    rises = change > MAX_RISE
    return tuple(where(rises, old, new) for new, old in zip(after, before, strict=True)), where(rises, 0.0, change)


@kernel
def without(row, slope, forces):
    """A slope of the cost less what forces have to do with it; `row` is that of the matrix."""
    for entry, force in zip(row, forces, strict=True):
        slope = slope - entry * force
    return slope


# --- friction


@kernel
def friction_square(friction, inverses):
    """Square of the friction in coordinates where its limit is a ball; the coefficients are given by their inverses."""
    total = splat(friction[0], 0.0)
    for force, inverse in zip(friction, inverses, strict=True):
        push = force * inverse
        total = total + push * push
    return total


@kernel
def brought_to_boundary(friction, normal, square, worlds):
    """Friction, of which the square is given, scaled to its limit."""
    ratio = sqrt(normal * normal / maximum(MINVAL, square))
    return tuple(where(worlds, force * ratio, force) for force in friction)


@kernel
def best_friction(A, slopes, coefficients, inverses, normal, worlds):
    """The friction of the least cost at a given normal force, from the matrix and the slopes without friction."""
    n = len(A)
    # in coordinates where its limit is a ball
    scaled = tuple(A[j][k] * coefficients[j] * coefficients[k] for j in range(n) for k in range(n) if k <= j)
    b = tuple(slope * coefficient for slope, coefficient in zip(slopes, coefficients, strict=True))
    x, (is_bound, is_regular) = least_in_ball(scaled, b, normal, worlds)
    has_friction = and_(is_regular, normal >= MINVAL)
    friction = tuple(where(has_friction, x[k] * coefficients[k], 0.0) for k in range(n))
    if any_(is_bound):
        friction = brought_to_boundary(friction, normal, friction_square(friction, inverses), is_bound)
    return friction


@kernel
def least_in_ball(A, b, radius, worlds):
    """Friction in two, three or five directions: slide, spin, roll."""
    if len(b) == 2:
        return ball2(A, b, radius, worlds)
    elif len(b) == 3:
        return ball3(A, b, radius, worlds)
    else:
        return ball5(A, b, radius, worlds)
