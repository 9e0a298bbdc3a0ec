"""An ellipsoid: radii along x, y, z."""

from __future__ import annotations

from math import pi

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import maximum, minimum, sqrt
from phalanx.algebra.vector import MINVAL, add_scaled, multiply_elements, norm, normalize, scale
from phalanx.collision.convex.support import direction_in_shape, to_world
from phalanx.collision.convex.table import support
from phalanx.collision.geom.table import Vector, bounds, fit, inertia, is_inside, reach, volume
from phalanx.collision.ray.crossing import first_root, to_local, world_normal
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

#: Exponent of Thomsen's approximation of the surface, as MuJoCo has it.
THOMSEN = 1.6075
#: Thickness of the shell whose inertia stands for that of the surface [m].
SKIN = 1e-6
#: Shortest vector that a direction is taken from.
TINY = 1e-10


# --- mass and bounds


@volume.row(GeomType.ELLIPSOID)
def ellipsoid_volume(size: Vector, shell: bool) -> float:
    """Volume, or Thomsen's approximation of the area."""
    x, y, z = size
    if not shell:
        return 4 * pi * x * y * z / 3
    mean = ((x * y) ** THOMSEN + (y * z) ** THOMSEN + (z * x) ** THOMSEN) / 3
    return 4 * pi * mean ** (1 / THOMSEN)


def solid_inertia(mass: float, a: float, b: float, c: float) -> Vector:
    """Inertia of a solid ellipsoid."""
    return mass * (b * b + c * c) / 5, mass * (a * a + c * c) / 5, mass * (a * a + b * b) / 5


@inertia.row(GeomType.ELLIPSOID)
def ellipsoid_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """A shell is the difference of two solids, as in MuJoCo: the surface has no simple integral."""
    if not shell:
        return solid_inertia(mass, *size)
    x, y, z = size
    grown = (x + SKIN, y + SKIN, z + SKIN)
    inner, outer = 4 * pi * x * y * z / 3, 4 * pi * grown[0] * grown[1] * grown[2] / 3
    density = mass / (outer - inner)
    a, b = solid_inertia(inner * density, *size), solid_inertia(outer * density, *grown)
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


@fit.row(GeomType.ELLIPSOID)
def ellipsoid_fit(half: Vector, encloses: bool) -> Vector:
    """The half sizes themselves."""
    return half


@bounds.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_bounds(size):
    """The longest radius reaches farthest."""
    return (0.0, 0.0, 0.0, size[0], size[1], size[2]), maximum(maximum(size[0], size[1]), size[2])


# --- surface


@is_inside.row(GeomType.ELLIPSOID)
@kernel
def in_ellipsoid(m, mesh, size, point):
    """Inside the unit ball, in units of the radii."""
    x, y = point[0] * point[0] / (size[0] * size[0]), point[1] * point[1] / (size[1] * size[1])
    return x + y + point[2] * point[2] / (size[2] * size[2]) < 1.0


@reach.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_reach(m, mesh, size, direction):
    """That of the unit ball along the stretched direction."""
    return norm(multiply_elements(direction, size))


@support.row(GeomType.ELLIPSOID)
@kernel
def support_ellipsoid(m, d, side, direction):
    """The support point of the unit ball, stretched by the radii."""
    size = load3(d.convex_size, side)
    on_ball = multiply_elements(direction_in_shape(d, side, direction), size)
    length = sqrt(on_ball[0] * on_ball[0] + on_ball[1] * on_ball[1] + on_ball[2] * on_ball[2])
    if length < MINVAL:
        return to_world(d, side, (size[0], 0.0, 0.0))
    return to_world(d, side, multiply_elements(on_ball, scale(size, 1.0 / length)))


@ray_shape.row(GeomType.ELLIPSOID)
@kernel
def ray_ellipsoid(pos, mat, size, origin, direction):
    """A ray at the unit ball, in units of the radii."""
    p, v = to_local(pos, mat, origin, direction)
    s = (1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2]))
    a = s[0] * v[0] * v[0] + s[1] * v[1] * v[1] + s[2] * v[2] * v[2]
    b = s[0] * v[0] * p[0] + s[1] * v[1] * p[1] + s[2] * v[2] * p[2]
    c = s[0] * p[0] * p[0] + s[1] * p[1] * p[1] + s[2] * p[2] * p[2] - 1.0
    x = first_root(a, b, c)
    point = add_scaled(p, v, x)
    local = normalize((s[0] * point[0], s[1] * point[1], s[2] * point[2]))
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def stretched(size, point):
    """The point in units of the sizes, and the same again: half the gradient of its squared length."""
    a = (point[0] / size[0], point[1] / size[1], point[2] / size[2])
    return a, (a[0] / size[0], a[1] / size[1], a[2] / size[2])


@field_value.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_value(m, d, size, dataid, point):
    """The distance to first order: what the stretched length exceeds 1 by, over its slope."""
    a, b = stretched(size, point)
    length, slope = norm(a), norm(b)
    if slope < TINY:
        return -minimum(size[0], minimum(size[1], size[2]))
    return length * (length - 1.0) / slope


@field_gradient.row(GeomType.ELLIPSOID)
@kernel
def ellipsoid_gradient(m, d, size, dataid, point):
    """The gradient of `ellipsoid_value`."""
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
