"""Where a ray crosses spheres, round sides and disks, in lanes; what all rays need."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, and_, lane_get, not_, or_, splat, sqrt, where
from phalanx.algebra.vector import MINVAL, dot, sub, where3

ZERO = (0.0, 0.0, 0.0)
#: Part of a length by which bounds are widened, so that rounding never leaves out what a ray hits.
BEYOND, BEYOND_SINGLE = 1e-9, 1e-3


# --- what all shapes need


@kernel
def to_local(pos, mat, origin, direction):
    """Origin and direction of the ray in the frame of the geom."""
    return multiply_transposed(mat, sub(origin, pos)), multiply_transposed(mat, direction)


@kernel
def is_nearer(candidate, x):
    """Is the candidate a hit, nearer than the hit (or miss) x?"""
    return and_(candidate >= 0.0, or_(x < 0.0, candidate < x))


@kernel
def is_after(x, known, slack):
    """Is a place of the ray behind a hit that is known (-1: none is), rounding included?"""
    return and_(known >= 0.0, x > known + slack * known)


@kernel
def roots(a, b, c):
    """Both solutions of a x^2 + 2 b x + c = 0, the smaller first; twice -1 if there are none."""
    square = b * b - a * c
    is_real = not_(or_(square < 0.0, a < MINVAL))
    root = sqrt(where(is_real, square, 0.0))
    divisor = where(is_real, a, 1.0)
    return where(is_real, (-b - root) / divisor, -1.0), where(is_real, (-b + root) / divisor, -1.0)


@kernel
def first_root(a, b, c):
    """The smallest solution that is not negative, or -1."""
    x0, x1 = roots(a, b, c)
    return where(x0 >= 0.0, x0, where(x1 >= 0.0, x1, -1.0))


@kernel
def sphere_distance(center, radius2, origin, direction):
    """Distance to a sphere of given squared radius."""
    offset = sub(origin, center)
    return first_root(dot(direction, direction), dot(direction, offset), dot(offset, offset) - radius2)


@kernel
def world_normal(is_hit, mat, local):
    """The normal in the world; zero where nothing was hit."""
    return where3(is_hit, multiply_vector(mat, local), ZERO)


@kernel
def of_world(like, x, world):
    """The number of one world; a number that all worlds of the lane `like` share is the same in each."""
    return lane_get(splat(like, x), world)


@kernel
def of_world3(like, v, world):
    """The vector of one world, see `of_world`."""
    return (of_world(like, v[0], world), of_world(like, v[1], world), of_world(like, v[2], world))


# --- surfaces that several shapes have


@kernel
def side_distance(p, v, radius, half):
    """Distance to the round side of a cylinder: to the first point on the endless one, if it is between the ends."""
    x = first_root(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius)
    return where(and_(x >= 0.0, abs_(p[2] + x * v[2]) <= half), x, -1.0)


@kernel
def nearer_cap(x, cap, candidate, is_on_cap, sign):
    """(distance, end) after a candidate on the end with the given sign."""
    is_better = and_(is_on_cap, is_nearer(candidate, x))
    return where(is_better, candidate, x), where(is_better, sign, cap)


@kernel
def disk_distance(p, v, height, radius):
    """Distance to the plane at a height, and whether it is met inside a circle."""
    is_crossing = abs_(v[2]) > MINVAL
    x = (height - p[2]) / where(is_crossing, v[2], 1.0)
    p0, p1 = p[0] + x * v[0], p[1] + x * v[1]
    return x, and_(is_crossing, p0 * p0 + p1 * p1 <= radius * radius)
