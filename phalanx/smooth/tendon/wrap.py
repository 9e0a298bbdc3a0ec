"""Paths around spheres and cylinders: where a tendon between two points touches, and how long the arc is.

Both shapes come down to a circle in a plane: the plane through the center and both points for a sphere, the cross
section for a cylinder. Around the circle the path is the shortest that winds around the center by the same angle as
straight lines to the side site and on; without a side site, as the straight line. A side site inside the shape makes
the path pass through the inside, where it touches the circle at one point.

Pure functions of numbers and tuples. Results are finite in every world, also where there is nothing to touch.
"""

from __future__ import annotations

from phalanx.algebra.elementary import HALF_PI, acos, asin, atan2, sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, and_, any_, maximum, minimum, not_, or_, splat, sqrt, where
from phalanx.algebra.vector import MINVAL, add, cross, dot, norm, normalize, scale, sub, where3

#: How exactly the point inside a circle is found: residual of an angle, and iterations.
TOLERANCE = 1e-6
ITERATIONS = 20


# --- in the plane


@kernel
def dot2(a, b):
    """Scalar product in the plane."""
    return a[0] * b[0] + a[1] * b[1]


@kernel
def cross2(a, b):
    """Area that a and b span, positive if b is to the left of a."""
    return a[0] * b[1] - a[1] * b[0]


@kernel
def where2(condition, a, b):
    """A point of the plane chosen as a whole, world by world."""
    return (where(condition, a[0], b[0]), where(condition, a[1], b[1]))


@kernel
def normalize2(a):
    """The unit vector along `a`; the x axis when `a` has no length."""
    length = sqrt(dot2(a, a))
    has_length = length >= MINVAL
    inverse = 1.0 / where(has_length, length, 1.0)
    return where2(has_length, (a[0] * inverse, a[1] * inverse), (1.0, 0.0))


@kernel
def angle_between(a, b):
    """Angle from a to b in [-pi, pi]."""
    return atan2(cross2(a, b), dot2(a, b))


@kernel
def tangent_point(point, square, radius, side):
    """Where a line from an outer point touches the circle, on its left (side 1) or right (-1) seen from the center."""
    root, bottom = sqrt(maximum(square - radius * radius, 0.0)), maximum(square, MINVAL)
    x = (point[0] * (radius * radius) - side * radius * point[1] * root) / bottom
    y = (point[1] * (radius * radius) + side * radius * point[0] * root) / bottom
    return (x, y)


@kernel
def tangent_angle(square, radius):
    """Angle at the center between an outer point and where its line touches the circle."""
    return atan2(sqrt(maximum(square - radius * radius, 0.0)), radius)


@kernel
def tangent_points(start, end, squares, radius, sense):
    """First and last point on the circle of a path that goes around it to the left (sense 1) or to the right (-1)."""
    return tangent_point(start, squares[0], radius, sense), tangent_point(end, squares[1], radius, -sense)


@kernel
def shorter_sense(start, end, squares, radius):
    """1 to go around to the left, -1 to the right: whichever leaves the circle sooner; left if both are equal."""
    left1, left2 = tangent_points(start, end, squares, radius, 1.0)
    right1, right2 = tangent_points(start, end, squares, radius, -1.0)
    left, right = (left1[0] - left2[0], left1[1] - left2[1]), (right1[0] - right2[0], right1[1] - right2[1])
    return where(dot2(right, right) < dot2(left, left), -1.0, 1.0)


@kernel
def wrap_outside(start, end, radius, has_side, side):
    """Around a circle: (whether, length of the arc, first and last point on the circle)."""
    squares = (dot2(start, start), dot2(end, end))
    if has_side:
        angle = angle_between(start, side) + angle_between(side, end)
        sense = where(angle > 0.0, 1.0, -1.0)
    else:
        angle = angle_between(start, end)
        sense = shorter_sense(start, end, squares, radius)
    arc = abs_(angle) - tangent_angle(squares[0], radius) - tangent_angle(squares[1], radius)
    is_outer = and_(squares[0] >= radius * radius, squares[1] >= radius * radius)
    wraps = and_(and_(is_outer, radius >= MINVAL), arc > 0.0)
    first, last = tangent_points(start, end, squares, radius, sense)
    return wraps, radius * arc, first, last


@kernel
def is_blocked(start, end, radius):
    """Does the straight line between two points meet the circle between them?"""
    along = (end[0] - start[0], end[1] - start[1])
    square = dot2(along, along)
    place = -dot2(along, start) / where(square > MINVAL, square, 1.0)
    nearest = (start[0] + place * along[0], start[1] + place * along[1])
    is_between = and_(square > MINVAL, and_(place > 0.0, place < 1.0))
    return and_(is_between, sqrt(dot2(nearest, nearest)) <= radius)


@kernel
def mirror_residual(theta, ratio1, ratio2, between):
    """By how much the angles at the center miss those of a path that meets the circle at `theta` on both sides."""
    s, _ = sincos(theta)
    return asin(ratio1 * s) + asin(ratio2 * s) - 2.0 * theta + between


@kernel
def mirror_slope(theta, ratio1, ratio2):
    """Derivative of `mirror_residual`."""
    s, c = sincos(theta)
    root1 = sqrt(maximum(1.0 - ratio1 * s * (ratio1 * s), 0.0))
    root2 = sqrt(maximum(1.0 - ratio2 * s * (ratio2 * s), 0.0))
    return ratio1 * c / maximum(root1, MINVAL) + ratio2 * c / maximum(root2, MINVAL) - 2.0


@kernel
def mirror_angle(searches, ratio1, ratio2, between):
    """The angle of incidence of the shortest path that touches the circle from the inside, by Newton's method."""
    theta = splat(between, HALF_PI)
    residual = mirror_residual(theta, ratio1, ratio2, between)
    searches = and_(searches, abs_(residual) > TOLERANCE)
    count = 0
    while count < ITERATIONS and any_(searches):
        moved = theta - residual / minimum(mirror_slope(theta, ratio1, ratio2), -MINVAL)
        theta = where(searches, moved, theta)
        residual = mirror_residual(theta, ratio1, ratio2, between)
        searches = and_(searches, abs_(residual) > TOLERANCE)
        count += 1
    return theta


@kernel
def touch_inside(start, end, radius):
    """Through the inside of a circle: (whether, where the path touches)."""
    length1, length2 = sqrt(dot2(start, start)), sqrt(dot2(end, end))
    is_outer = and_(and_(length1 > radius, length2 > radius), radius >= MINVAL)
    touches = and_(is_outer, not_(is_blocked(start, end, radius)))
    product = where(is_outer, length1 * length2, 1.0)
    along = (end[0] - start[0], end[1] - start[1])
    cosine = (length1 * length1 + length2 * length2 - dot2(along, along)) / (2.0 * product)
    touches = and_(touches, not_(cosine < -1.0 + MINVAL))
    is_bent = and_(touches, not_(cosine > 1.0 - MINVAL))

    ratio1 = radius / where(is_outer, length1, radius + 1.0)
    ratio2 = radius / where(is_outer, length2, radius + 1.0)
    between = acos(where(is_bent, cosine, 0.0))
    theta = mirror_angle(is_bent, ratio1, ratio2, between)
    s, _ = sincos(theta)
    is_left = cross2(start, end) > 0.0
    origin = normalize2(where2(is_left, start, end))
    ds, dc = sincos(theta - asin(where(is_left, ratio1, ratio2) * s))
    bent = (dc * origin[0] - ds * origin[1], ds * origin[0] + dc * origin[1])
    straight = normalize2((0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1])))
    point = where2(is_bent, bent, straight)
    return touches, (radius * point[0], radius * point[1])


@kernel
def wrap_circle(start, end, radius, has_side, side, is_inside):
    """Around or through a circle: (whether, length of the arc, first and last point on the circle)."""
    wraps, arc, first, last = wrap_outside(start, end, radius, has_side, side)
    if has_side and any_(is_inside):
        touches, point = touch_inside(start, end, radius)
        wraps = or_(and_(is_inside, touches), and_(not_(is_inside), wraps))
        arc = where(is_inside, 0.0, arc)
        first, last = where2(is_inside, point, first), where2(is_inside, point, last)
    return wraps, arc, first, last


# --- in space


@kernel
def plane_axes(a, b):
    """Axes of the plane through the center, a and b, the first along a. Of parallel vectors: some plane."""
    x = normalize(a)
    normal = cross(a, b)
    is_parallel = norm(normal) < MINVAL
    size = (abs_(x[0]), abs_(x[1]), abs_(x[2]))
    is_y = and_(size[1] > size[0], size[1] > size[2])
    is_z = and_(size[2] > size[0], size[2] > size[1])
    is_x = not_(or_(is_y, is_z))
    other = (where(is_x, 0.0, 1.0), where(is_y, 0.0, 1.0), where(is_z, 0.0, 1.0))
    normal = normalize(where3(is_parallel, cross(x, other), normal))
    return x, normalize(cross(normal, x))


@kernel
def cross_section_axes(a):
    """The axes of the cross section of a cylinder, as numbers of the same type as those of `a`."""
    one, zero = splat(a[0], 1.0), splat(a[0], 0.0)
    return (one, zero, zero), (zero, one, zero)


@kernel
def climb(start, end, arc, first, last):
    """Along the axis of a cylinder: how far up the first and last point on it are, and the length of the helix.

    The path rises evenly with its length in the cross section.
    """
    before, after = (start[0] - first[0], start[1] - first[1]), (end[0] - last[0], end[1] - last[1])
    length1, length2 = sqrt(dot2(before, before)), sqrt(dot2(after, after))
    total = length1 + arc + length2
    rise = (end[2] - start[2]) / where(total > 0.0, total, 1.0)
    z1, z2 = start[2] + rise * length1, start[2] + rise * (length1 + arc)
    return z1, z2, sqrt(arc * arc + (z2 - z1) * (z2 - z1))


@kernel
def wrap(start, end, center, frame, radius, is_sphere, has_side, side):
    """The path from start to end around (or through) a sphere or an infinite cylinder.

    Returns (whether it touches, length of the arc, first and last point on the surface). All points are in the world.
    """
    a, b = sub(start, center), sub(end, center)
    a, b = multiply_transposed(frame, a), multiply_transposed(frame, b)
    s = multiply_transposed(frame, sub(side, center))
    # in the frame of the geom, down to a circle in a plane
    if is_sphere:
        x, y = plane_axes(a, b)
    else:
        x, y = cross_section_axes(a)
    wraps, arc, first, last = wrap_circle(
        (dot(a, x), dot(a, y)),
        (dot(b, x), dot(b, y)),
        radius,
        has_side,
        (dot(s, x), dot(s, y)),
        norm(s) < radius,
    )
    point1 = add(scale(x, first[0]), scale(y, first[1]))
    point2 = add(scale(x, last[0]), scale(y, last[1]))
    if not is_sphere:
        z1, z2, arc = climb(a, b, arc, first, last)
        point1, point2 = (point1[0], point1[1], z1), (point2[0], point2[1], z2)
    # an end at the center has no direction
    wraps = and_(wraps, and_(norm(a) >= MINVAL, norm(b) >= MINVAL))
    return wraps, arc, add(multiply_vector(frame, point1), center), add(multiply_vector(frame, point2), center)
