"""Texture coordinates (u to the right, v down, 0 to 1) of points on shapes, by kind, in lanes; as MuJoCo lays them."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.elementary import asin, atan2
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, clamp, copysign, floor, maximum, sqrt, where
from phalanx.tables.enums import GeomType

TWO_PI = 6.283185307179586
PI = 3.141592653589793


@kernel
def from_above(size, p):
    """Texture coordinates of a point. Without a row: those of a plane; without an end, two meters are one picture."""
    u = where(size[0] > 0.0, (p[0] / where(size[0] > 0.0, size[0], 1.0) + 1.0) * 0.5, 0.5 * p[0])
    v = where(size[1] > 0.0, (1.0 - p[1] / where(size[1] > 0.0, size[1], 1.0)) * 0.5, -0.5 * p[1])
    return u, v


#: By kind of shape.
texture_place = Table("texture_place", from_above)


@kernel
def around(p):
    """The angle around the z axis, 0 to 1."""
    angle = atan2(p[1], p[0]) / TWO_PI
    return angle - floor(angle)


@kernel
def on_sphere(x, y, z):
    """Longitude and latitude of a point of a unit sphere."""
    length = sqrt(maximum(x * x + y * y + z * z, 1e-300))
    return around((x, y)), 0.5 - asin(clamp(z / length, -1.0, 1.0)) / PI


@texture_place.row(GeomType.SPHERE)
@kernel
def place_on_sphere(size, p):
    """Longitude and latitude."""
    return on_sphere(p[0], p[1], p[2])


@texture_place.row(GeomType.ELLIPSOID)
@kernel
def place_on_ellipsoid(size, p):
    """Longitude and latitude on the unit sphere."""
    return on_sphere(p[0] / size[0], p[1] / size[1], p[2] / size[2])


@texture_place.row(GeomType.CAPSULE)
@kernel
def place_on_capsule(size, p):
    """Around and along the side; halves of spheres at the ends."""
    beyond = p[2] - clamp(p[2], -size[1], size[1])
    u, latitude = on_sphere(p[0], p[1], abs_(beyond))
    end = where(beyond > 0.0, 2.0 * latitude, 1.0 - 2.0 * latitude)
    return u, where(beyond == 0.0, 0.5 - 0.5 * p[2] / size[1], end)


@texture_place.row(GeomType.CYLINDER)
@kernel
def place_on_cylinder(size, p):
    """Around and along the side; a disk in the middle of the picture at the ends."""
    x, y = p[0] / size[0], p[1] / size[0]
    is_side = abs_(x * x + y * y - 1.0) < abs_(1.0 - abs_(p[2]) / size[1])
    u = where(is_side, around(p), 0.5 + 0.5 * x)
    return u, where(is_side, 0.5 - 0.5 * p[2] / size[1], 0.5 + 0.5 * y)


@texture_place.row(GeomType.BOX)
@kernel
def place_on_box(size, p):
    """The whole picture on each face."""
    x, y, z = p[0] / size[0], p[1] / size[1], p[2] / size[2]
    is_x = and_(abs_(x) >= abs_(y), abs_(x) >= abs_(z))
    is_y = abs_(y) >= abs_(z)
    main = where(is_x, x, where(is_y, -y, z))
    u, v = where(is_x, y, x), where(is_x, z, where(is_y, z, y))
    # faces on the far side are upside down
    return 0.5 + 0.5 * u, 0.5 - 0.5 * v * copysign(1.0, main)
