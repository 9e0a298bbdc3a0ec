"""A sphere: radius."""

from __future__ import annotations

from math import pi

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.vector import add_scaled, dot, norm, normalize, sub, where3
from phalanx.collision.convex.table import support
from phalanx.collision.geom.table import Vector, bounds, fit, inertia, is_inside, volume
from phalanx.collision.ray.crossing import ZERO, sphere_distance
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

# --- mass and bounds


@volume.row(GeomType.SPHERE)
def sphere_volume(size: Vector, shell: bool) -> float:
    x, _, _ = size
    return 4 * pi * x * x if shell else 4 * pi * x * x * x / 3


@inertia.row(GeomType.SPHERE)
def sphere_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    value = 2 * mass * size[0] * size[0] / (3 if shell else 5)
    return value, value, value


@fit.row(GeomType.SPHERE)
def sphere_fit(half: Vector, encloses: bool) -> Vector:
    return max(half) if encloses else (half[0] + half[1] + half[2]) / 3, 0.0, 0.0


@bounds.row(GeomType.SPHERE)
@kernel
def sphere_bounds(size):
    return (0.0, 0.0, 0.0, size[0], size[0], size[0]), size[0]


# --- surface


@is_inside.row(GeomType.SPHERE)
@kernel
def in_sphere(m, mesh, size, point):
    return dot(point, point) < size[0] * size[0]


@support.row(GeomType.SPHERE)
@kernel
def support_sphere(m, d, side, direction):
    return add_scaled(load3(d.convex_pos, side), direction, d.convex_size[side, 0])


@ray_shape.row(GeomType.SPHERE)
@kernel
def ray_sphere(pos, mat, size, origin, direction):
    x = sphere_distance(pos, size[0] * size[0], origin, direction)
    normal = normalize(sub(add_scaled(origin, direction, x), pos))
    return x, where3(x >= 0.0, normal, ZERO)


@field_value.row(GeomType.SPHERE)
@kernel
def sphere_value(m, d, size, number, point):
    return norm(point) - size[0]


@field_gradient.row(GeomType.SPHERE)
@kernel
def sphere_gradient(m, d, size, number, point):
    return normalize(point)
