"""The curved part of a shape: its support point, and how that moves when the direction is turned.

The rows of `curve_point` and `curve_change` in `shape_tables.py`. One world at a time, in double precision (see
`support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import sqrt
from phalanx.algebra.vector import MINVAL, add_scaled, dot, multiply_elements, norm, scale
from phalanx.collision.shape_tables import curve_change, curve_point
from phalanx.collision.support import direction_in_shape
from phalanx.tables.enums import GeomType

#: A direction nearer to the axis of a disc points to its center [rad].
UPRIGHT = 1e-12


@curve_point.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_point(m, d, side, direction):
    size = load3(d.convex_size, side)
    on_ball = multiply_elements(direction_in_shape(d, side, direction), size)
    length = norm(on_ball)
    if length < MINVAL:
        return (0.0, 0.0, 0.0)
    return multiply_vector(load9(d.convex_mat, side), multiply_elements(on_ball, scale(size, 1.0 / length)))


@curve_change.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_change(m, d, side, direction, turn):
    """With L = |S n|, the support: (S S t - p (p . t)) / L, where p = S S n / L is the point."""
    size = load3(d.convex_size, side)
    on_ball = multiply_elements(direction_in_shape(d, side, direction), size)
    length = norm(on_ball)
    if length < MINVAL:
        return (0.0, 0.0, 0.0)
    point = multiply_elements(on_ball, scale(size, 1.0 / length))
    local = direction_in_shape(d, side, turn)
    stretched = multiply_elements(multiply_elements(local, size), size)
    change = scale(add_scaled(stretched, point, -dot(point, local)), 1.0 / length)
    return multiply_vector(load9(d.convex_mat, side), change)


@curve_point.row(GeomType.CYLINDER)
@kernel
def disc_point(m, d, side, direction):
    local = direction_in_shape(d, side, direction)
    across = sqrt(local[0] * local[0] + local[1] * local[1])
    stretch = d.convex_size[side, 0] / across if across >= UPRIGHT else 0.0
    return multiply_vector(load9(d.convex_mat, side), (local[0] * stretch, local[1] * stretch, 0.0))


@curve_change.row(GeomType.CYLINDER)
@kernel
def disc_change(m, d, side, direction, turn):
    """Around the rim only, the faster the nearer the direction is to the axis."""
    local = direction_in_shape(d, side, direction)
    across = sqrt(local[0] * local[0] + local[1] * local[1])
    if across < UPRIGHT:
        return (0.0, 0.0, 0.0)
    around = (-local[1] / across, local[0] / across, 0.0)
    speed = d.convex_size[side, 0] / across * dot(around, direction_in_shape(d, side, turn))
    return multiply_vector(load9(d.convex_mat, side), scale(around, speed))
