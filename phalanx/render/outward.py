"""Outward normals of shapes at a point on their surface, in the frame of the shape, in lanes; not of unit length."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, clamp, copysign, where
from phalanx.render.entering import CONE
from phalanx.tables.enums import GeomType


@kernel
def upward(size, p):
    """The normal at a point. Without a row: up, as that of a plane."""
    zero = 0.0 * p[0]
    return (zero, zero, zero + 1.0)


#: By kind of shape.
outward = Table("outward", upward)


@outward.row(GeomType.SPHERE)
@kernel
def of_sphere(size, p):
    """Away from the center."""
    return p


@outward.row(GeomType.ELLIPSOID)
@kernel
def of_ellipsoid(size, p):
    """The gradient of the sum of squares."""
    return (p[0] / (size[0] * size[0]), p[1] / (size[1] * size[1]), p[2] / (size[2] * size[2]))


@outward.row(GeomType.CAPSULE)
@kernel
def of_capsule(size, p):
    """Away from the nearest point of the axis."""
    return (p[0], p[1], p[2] - clamp(p[2], -size[1], size[1]))


@outward.row(GeomType.CYLINDER)
@kernel
def of_cylinder(size, p):
    """Of the side or of an end, whichever is nearer."""
    to_side = abs_(p[0] * p[0] + p[1] * p[1] - size[0] * size[0])
    to_end = abs_(p[2] * p[2] - size[1] * size[1])
    is_side = to_side * size[1] * size[1] < to_end * size[0] * size[0]
    zero = 0.0 * p[0]
    return (where(is_side, p[0], zero), where(is_side, p[1], zero), where(is_side, zero, copysign(1.0, p[2])))


@outward.row(GeomType.BOX)
@kernel
def of_box(size, p):
    """Of the nearest face."""
    x, y, z = abs_(p[0]) - size[0], abs_(p[1]) - size[1], abs_(p[2]) - size[2]
    is_x = and_(x >= y, x >= z)
    is_y = y >= z
    zero = 0.0 * p[0]
    return (
        where(is_x, copysign(1.0, p[0]), zero),
        where(is_x, zero, where(is_y, copysign(1.0, p[1]), zero)),
        where(is_x, zero, where(is_y, zero, copysign(1.0, p[2]))),
    )


@outward.row(CONE)
@kernel
def of_cone(size, p):
    """Of the side or of the base, whichever is nearer."""
    k = size[0] / size[1]
    q = k * (size[1] - p[2])
    is_side = abs_(p[0] * p[0] + p[1] * p[1] - q * q) < abs_(p[2]) * size[0]
    zero = 0.0 * p[0]
    return (where(is_side, p[0], zero), where(is_side, p[1], zero), where(is_side, k * q, -1.0))
