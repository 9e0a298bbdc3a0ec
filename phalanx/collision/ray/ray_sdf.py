"""Rays against signed distance fields: steps as long as the distance to the surface, then the crossing.

A sampled distance may be a little too large, so steps are somewhat shorter, and a change of sign shows a surface that
was stepped over; it is found by halving. In double precision, one world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.number import abs_, maximum, narrow
from phalanx.algebra.vector import MINVAL, add_scaled, norm, normalize, scale
from phalanx.collision.convex.support import widen3
from phalanx.collision.ray.ray_primitive import ray_box, to_local
from phalanx.collision.ray.table import no_hit, ray_asset
from phalanx.collision.sdf.pair import field_of, has_field, widened
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

#: Most steps, part of the distance that a step takes, shortest step relative to the size of the geom.
STEPS, PART, SHORTEST = 500, 0.9, 1e-4
#: Halvings of the interval around a crossing.
HALVINGS = 60


@kernel
def crossing(m, d, field, p, u, low, high, is_inside):
    """Where between two places on a ray the surface is crossed."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        value = field_value(field[0], m, d, field[1], field[2], add_scaled(p, u, middle))
        if (value < 0.0) == is_inside:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@kernel
def march(m, d, field, p, u, start, end, size):
    """Distance to the surface along a unit vector, between two places; -1 if there is none."""
    place = start
    value = field_value(field[0], m, d, field[1], field[2], add_scaled(p, u, place))
    is_inside = value < 0.0
    for _ in range(STEPS):
        if place > end:
            break
        ahead = place + maximum(PART * abs_(value), SHORTEST * size)
        value = field_value(field[0], m, d, field[1], field[2], add_scaled(p, u, ahead))
        if (value < 0.0) != is_inside:
            return crossing(m, d, field, p, u, place, ahead, is_inside)
        place = ahead
    return -1.0


@ray_asset.row(GeomType.SDF)
@kernel
def ray_sdf(m, d, geom, world, origin, direction):
    """The surface of an SDF, from outside or inside."""
    miss, none = no_hit(geom[0][0])
    speed = norm(widen3(direction))
    if not has_field(m, geom[3]) or speed < MINVAL:
        return miss, none
    pos, mat, _, _ = widened(geom)
    size = widen3(geom[2])
    origin, direction = widen3(origin), scale(widen3(direction), 1.0 / speed)
    box, _ = ray_box(pos, mat, size, origin, direction)
    if box < 0.0:
        return miss, none
    p, u = to_local(pos, mat, origin, direction)
    is_within = abs_(p[0]) <= size[0] and abs_(p[1]) <= size[1] and abs_(p[2]) <= size[2]
    start = 0.0 if is_within else box
    field = field_of(m, GeomType.SDF, geom)
    x = march(m, d, field, p, u, start, start + 2.0 * norm(size), norm(size))
    if x < 0.0:
        return miss, none
    slope = field_gradient(field[0], m, d, field[1], field[2], add_scaled(p, u, x))
    normal = multiply_vector(mat, normalize(slope))
    like = geom[0][0]
    return narrow(like, x / speed), (narrow(like, normal[0]), narrow(like, normal[1]), narrow(like, normal[2]))
