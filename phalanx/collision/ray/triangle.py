"""Where a ray meets triangles and boxes of a tree, one world at a time."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, any_, not_, or_, splat, where
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, normalize, sub

# --- triangles


@kernel
def across(v):
    """Two unit vectors normal to the ray and to each other: the plane that triangles are projected on."""
    x, y, z = abs_(v[0]), abs_(v[1]), abs_(v[2])
    is_x = and_(x >= y, x >= z)
    is_y = and_(not_(is_x), y >= z)
    is_z = and_(not_(is_x), not_(is_y))
    most = (where(is_x, 0.0, 1.0), where(is_y, 0.0, 1.0), where(is_z, 0.0, 1.0))
    second = normalize(add_scaled(most, v, -dot(v, most) / dot(v, v)))
    return normalize(cross(second, v)), second


@kernel
def triangle_distance(a, b, c, p, v, across1, across2):
    """Distance along the line to the triangle, negative behind the origin; -1 if it misses."""
    a0, b0, c0 = dot(across1, sub(a, p)), dot(across1, sub(b, p)), dot(across1, sub(c, p))
    miss = splat(a0, -1.0)
    if any_(or_(are_beyond(a0, b0, c0), are_beyond(-a0, -b0, -c0))):
        return miss
    a1, b1, c1 = dot(across2, sub(a, p)), dot(across2, sub(b, p)), dot(across2, sub(c, p))
    if any_(or_(are_beyond(a1, b1, c1), are_beyond(-a1, -b1, -c1))):
        return miss
    # weights of the first two corners
    ac0, bc0, ac1, bc1 = a0 - c0, b0 - c0, a1 - c1, b1 - c1
    determinant = ac0 * bc1 - bc0 * ac1
    if any_(abs_(determinant) < MINVAL):
        return miss
    weight_a = (bc1 * -c0 - bc0 * -c1) / determinant
    weight_b = (-ac1 * -c0 + ac0 * -c1) / determinant
    if any_(or_(or_(weight_a < 0.0, weight_b < 0.0), weight_a + weight_b > 1.0)):
        return miss
    normal = cross(sub(a, c), sub(b, c))
    approach = dot(v, normal)
    if any_(abs_(approach) < MINVAL):
        return miss
    return -dot(sub(p, c), normal) / approach


@kernel
def are_beyond(a, b, c):
    """Are all three corners on the positive side?"""
    return and_(and_(a > 0.0, b > 0.0), c > 0.0)


# --- boxes


@kernel
def triangle_normal(a, b, c, like):
    """Unit normal of a triangle, in the number type of `like`."""
    normal = normalize(cross(sub(a, c), sub(b, c)))
    return (splat(like, normal[0]), splat(like, normal[1]), splat(like, normal[2]))


@kernel
def box_interval(box, p, inverse):
    """Where a ray enters and leaves a box (center, half sizes); it meets the box if it enters before it leaves."""
    x0, x1 = (box[0] - box[3] - p[0]) * inverse[0], (box[0] + box[3] - p[0]) * inverse[0]
    y0, y1 = (box[1] - box[4] - p[1]) * inverse[1], (box[1] + box[4] - p[1]) * inverse[1]
    z0, z1 = (box[2] - box[5] - p[2]) * inverse[2], (box[2] + box[5] - p[2]) * inverse[2]
    enter, leave = larger(0.0, smaller(x0, x1)), larger(x1, x0)
    enter, leave = larger(enter, smaller(y0, y1)), smaller(leave, larger(y1, y0))
    return larger(enter, smaller(z0, z1)), smaller(leave, larger(z1, z0))


@kernel
def smaller(a, b):
    """The smaller, `b` when in doubt: 0 * inf of a ray inside the plane of a side is NaN, and then the ray misses."""
    return where(a < b, a, b)


@kernel
def larger(a, b):
    """The larger, `b` when in doubt."""
    return where(a > b, a, b)
