"""Signed distance fields of the shapes that have a formula.

Outside, the distances are those to the surface (of an ellipsoid: to first order). Inside a box the gradient turns from
radial to the normals of the faces, as in MuJoCo; the kind TRUE_BOX has the distance to the nearest face instead.

In double precision, one point at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, clamp, copysign, maximum, minimum, sqrt
from phalanx.algebra.vector import norm, normalize
from phalanx.collision.sdf.table import TRUE_BOX, field_gradient, field_value
from phalanx.tables.enums import GeomType

#: Shortest radius that a direction is taken from.
TINY = 1e-10


# --- planes, spheres, capsules


@field_value.row(GeomType.PLANE)
@kernel
def plane_value(m, d, size, number, point):
    return point[2]


@field_gradient.row(GeomType.PLANE)
@kernel
def plane_gradient(m, d, size, number, point):
    return (0.0, 0.0, 1.0)


@field_value.row(GeomType.SPHERE)
@kernel
def sphere_value(m, d, size, number, point):
    return norm(point) - size[0]


@field_gradient.row(GeomType.SPHERE)
@kernel
def sphere_gradient(m, d, size, number, point):
    return normalize(point)


@kernel
def from_segment(size, point):
    """The vector to a point from the nearest point of the axis."""
    return (point[0], point[1], point[2] - clamp(point[2], -size[1], size[1]))


@field_value.row(GeomType.CAPSULE)
@kernel
def capsule_value(m, d, size, number, point):
    return norm(from_segment(size, point)) - size[0]


@field_gradient.row(GeomType.CAPSULE)
@kernel
def capsule_gradient(m, d, size, number, point):
    return normalize(from_segment(size, point))


# --- ellipsoids


@kernel
def stretched(size, point):
    """The point in units of the sizes, and the same again: half the gradient of its squared length."""
    a = (point[0] / size[0], point[1] / size[1], point[2] / size[2])
    return a, (a[0] / size[0], a[1] / size[1], a[2] / size[2])


@field_value.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_value(m, d, size, number, point):
    a, b = stretched(size, point)
    length, slope = norm(a), norm(b)
    if slope < TINY:
        return -minimum(size[0], minimum(size[1], size[2]))
    return length * (length - 1.0) / slope


@field_gradient.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_gradient(m, d, size, number, point):
    a, b = stretched(size, point)
    length, slope = norm(a), norm(b)
    if slope < TINY:
        return (1.0, 0.0, 0.0)
    by_length = (2.0 * length - 1.0) / (slope * length)
    by_slope = length * (length - 1.0) / (slope * slope * slope)
    return normalize((
        b[0] * (by_length - by_slope / (size[0] * size[0])),
        b[1] * (by_length - by_slope / (size[1] * size[1])),
        b[2] * (by_length - by_slope / (size[2] * size[2])),
    ))  # fmt: skip


# --- cylinders


@field_value.row(GeomType.CYLINDER)
@kernel
def cylinder_value(m, d, size, number, point):
    side = sqrt(point[0] * point[0] + point[1] * point[1]) - size[0]
    cap = abs_(point[2]) - size[1]
    out0, out1 = maximum(side, 0.0), maximum(cap, 0.0)
    return minimum(maximum(side, cap), 0.0) + sqrt(out0 * out0 + out1 * out1)


@field_gradient.row(GeomType.CYLINDER)
@kernel
def cylinder_gradient(m, d, size, number, point):
    radius, height = sqrt(point[0] * point[0] + point[1] * point[1]), abs_(point[2])
    side, cap = radius - size[0], height - size[1]
    around = (point[0] / maximum(radius, TINY), point[1] / maximum(radius, TINY))
    up = point[2] / maximum(height, TINY)
    if side > cap:
        by_side, by_cap = 1.0, 0.0
    else:
        by_side, by_cap = 0.0, 1.0
    if side >= 0.0 or cap >= 0.0:
        out0, out1 = maximum(side, 0.0), maximum(cap, 0.0)
        length = maximum(sqrt(out0 * out0 + out1 * out1), TINY)
        by_side, by_cap = out0 / length, out1 / length
    return (around[0] * by_side, around[1] * by_side, up * by_cap)


# --- boxes


@kernel
def beyond_faces(size, point):
    """How far a point is beyond the faces of a box, by axis."""
    return (abs_(point[0]) - size[0], abs_(point[1]) - size[1], abs_(point[2]) - size[2])


@kernel
def is_within(beyond):
    return beyond[0] < 0.0 and beyond[1] < 0.0 and beyond[2] < 0.0


@kernel
def outside_part(beyond):
    return (maximum(beyond[0], 0.0), maximum(beyond[1], 0.0), maximum(beyond[2], 0.0))


@kernel
def signed(vector, point):
    """The vector in the octant of the point."""
    return (copysign(vector[0], point[0]), copysign(vector[1], point[1]), copysign(vector[2], point[2]))


@kernel
def inner_direction(size, beyond):
    """Unit vector along which the distance inside a box is measured, in the positive octant."""
    return normalize((-size[0] / beyond[0], -size[1] / beyond[1], -size[2] / beyond[2]))


@field_value.row(GeomType.BOX)
@kernel
def box_value(m, d, size, number, point):
    beyond = beyond_faces(size, point)
    if not is_within(beyond):
        return norm(outside_part(beyond))
    along = inner_direction(size, beyond)
    return -minimum(-beyond[0] / along[0], minimum(-beyond[1] / along[1], -beyond[2] / along[2]))


@field_gradient.row(GeomType.BOX)
@kernel
def box_gradient(m, d, size, number, point):
    beyond = beyond_faces(size, point)
    if is_within(beyond):
        return signed(inner_direction(size, beyond), point)
    outside = outside_part(beyond)
    if norm(outside) > 0.0:
        return signed(normalize(outside), point)
    return true_box_gradient(m, d, size, number, point)


@field_value.row(TRUE_BOX)
@kernel
def true_box_value(m, d, size, number, point):
    beyond = beyond_faces(size, point)
    return norm(outside_part(beyond)) + minimum(maximum(beyond[0], maximum(beyond[1], beyond[2])), 0.0)


@field_gradient.row(TRUE_BOX)
@kernel
def true_box_gradient(m, d, size, number, point):
    beyond = beyond_faces(size, point)
    outside = outside_part(beyond)
    if norm(outside) > 0.0:
        return signed(normalize(outside), point)
    if beyond[0] >= beyond[1] and beyond[0] >= beyond[2]:
        return (copysign(1.0, point[0]), 0.0, 0.0)
    if beyond[1] >= beyond[2]:
        return (0.0, copysign(1.0, point[1]), 0.0)
    return (0.0, 0.0, copysign(1.0, point[2]))
