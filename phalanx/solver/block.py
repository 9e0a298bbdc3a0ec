"""The block at hand: rows of an elliptic contact, or two edges of a pyramid, whose forces are improved together.

A block is a pair of fields. The first has a line for each row with the columns below; the second is the matrix between
the rows. There is one for lanes (`block_rows`, `block_matrix`) and one for a single world of a lane.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, maximum, splat, sqrt, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.qcqp import ball2, ball3, ball5

#: An update of a block that raises the cost by more than this is undone.
MAX_RISE = 1e-10

#: Columns: residual, forces before and after the update, coefficient of friction and its inverse, slope of the cost
#: without friction.
RESIDUAL, BEFORE, AFTER, FRICTION, UNSCALE, SLOPE = 0, 1, 2, 3, 4, 5


@kernel
def lane_block(d):
    """The block of the lane group."""
    return d.block_rows, d.block_matrix


@kernel
def undo_rise(block, first, end):
    """Change of the cost; a block that would raise it keeps its forces."""
    rows, matrix = block
    change = splat(rows[first, AFTER], 0.0)
    for j in range(first, end):
        product = rows[j, RESIDUAL]
        for k in range(first, end):
            product = product + 0.5 * (matrix[j, k] * (rows[k, AFTER] - rows[k, BEFORE]))
        change = change + (rows[j, AFTER] - rows[j, BEFORE]) * product
    rises = change > MAX_RISE
    for j in range(first, end):
        rows[j, AFTER] = where(rises, rows[j, BEFORE], rows[j, AFTER])
    return where(rises, 0.0, change)


# --- friction


@kernel
def scaled(block, j, k):
    """An element of the matrix in coordinates where the limit of friction is a ball."""
    rows, matrix = block
    return matrix[j, k] * rows[j, FRICTION] * rows[k, FRICTION]


@kernel
def scaled_slope(block, j):
    """Its slope without friction, in the same coordinates."""
    rows = block[0]
    return rows[j, SLOPE] * rows[j, FRICTION]


@kernel
def find_friction(block, dim, normal, worlds):
    """The best friction at a given normal force, from the slope of the cost without friction."""
    rows = block[0]
    if dim == 3:
        is_bound, is_regular = slide(block, normal, worlds)
    elif dim == 4:
        is_bound, is_regular = slide_and_spin(block, normal, worlds)
    else:
        is_bound, is_regular = slide_spin_and_roll(block, normal, worlds)
    has_friction = and_(is_regular, normal >= MINVAL)
    for j in range(1, dim):
        rows[j, AFTER] = where(has_friction, rows[j, AFTER] * rows[j, FRICTION], 0.0)
    if any_(is_bound):
        bring_to_boundary(block, dim, normal, friction_square(block, dim), is_bound)


@kernel
def slide(block, normal, worlds):
    """Two directions of friction, scaled. Returns where they are at their limit and where the problem is regular."""
    rows = block[0]
    A = (scaled(block, 1, 1), scaled(block, 2, 1), scaled(block, 2, 2))
    b = (scaled_slope(block, 1), scaled_slope(block, 2))
    x, outcome = ball2(A, b, normal, worlds)
    for k, value in enumerate(x):
        rows[k + 1, AFTER] = value
    return outcome


@kernel
def slide_and_spin(block, normal, worlds):
    """Three directions."""
    rows = block[0]
    A = (
        scaled(block, 1, 1), scaled(block, 2, 1), scaled(block, 2, 2), scaled(block, 3, 1), scaled(block, 3, 2),
        scaled(block, 3, 3),
    )  # fmt: skip
    b = (scaled_slope(block, 1), scaled_slope(block, 2), scaled_slope(block, 3))
    x, outcome = ball3(A, b, normal, worlds)
    for k, value in enumerate(x):
        rows[k + 1, AFTER] = value
    return outcome


@kernel
def slide_spin_and_roll(block, normal, worlds):
    """Five directions."""
    rows = block[0]
    A = (
        scaled(block, 1, 1), scaled(block, 2, 1), scaled(block, 2, 2), scaled(block, 3, 1), scaled(block, 3, 2),
        scaled(block, 3, 3), scaled(block, 4, 1), scaled(block, 4, 2), scaled(block, 4, 3), scaled(block, 4, 4),
        scaled(block, 5, 1), scaled(block, 5, 2), scaled(block, 5, 3), scaled(block, 5, 4), scaled(block, 5, 5),
    )  # fmt: skip
    b = tuple(scaled_slope(block, k) for k in range(1, 6))
    x, outcome = ball5(A, b, normal, worlds)
    for k, value in enumerate(x):
        rows[k + 1, AFTER] = value
    return outcome


@kernel
def friction_square(block, dim):
    """Square of the friction in coordinates where its limit is a ball."""
    rows = block[0]
    total = splat(rows[1, AFTER], 0.0)
    for j in range(1, dim):
        push = rows[j, AFTER] * rows[j, UNSCALE]
        total = total + push * push
    return total


@kernel
def bring_to_boundary(block, dim, normal, square, worlds):
    """Scale the friction of the block, of which the square is given, to its limit."""
    rows = block[0]
    ratio = sqrt(normal * normal / maximum(MINVAL, square))
    for j in range(1, dim):
        rows[j, AFTER] = where(worlds, rows[j, AFTER] * ratio, rows[j, AFTER])
