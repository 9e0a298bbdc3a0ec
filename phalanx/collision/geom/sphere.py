"""A sphere: radius."""

from __future__ import annotations

from math import pi

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.vector import add_scaled, dot, norm, normalize, sub, where3
from phalanx.collision.convex.table import support
from phalanx.collision.geom.table import Vector, bounds, fit, inertia, is_inside, reach, volume
from phalanx.collision.ray.crossing import ZERO, sphere_distance
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

# --- mass and bounds


@volume.row(GeomType.SPHERE)
def sphere_volume(size: Vector, shell: bool) -> float:
    """Volume, or area of the surface."""
    x, _, _ = size
    return 4 * pi * x * x if shell else 4 * pi * x * x * x / 3


@inertia.row(GeomType.SPHERE)
def sphere_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """2/5 m r², of a shell 2/3 m r²."""
    value = 2 * mass * size[0] * size[0] / (3 if shell else 5)
    return value, value, value


@fit.row(GeomType.SPHERE)
def sphere_fit(half: Vector, encloses: bool) -> Vector:
    """Around the box, the largest half size; of the inertia, the mean."""
    return max(half) if encloses else (half[0] + half[1] + half[2]) / 3, 0.0, 0.0


@bounds.row(GeomType.SPHERE)
@kernel
def sphere_bounds(size):
    """The sphere itself."""
    return (0.0, 0.0, 0.0, size[0], size[0], size[0]), size[0]


# --- surface


@is_inside.row(GeomType.SPHERE)
@kernel
def in_sphere(m, mesh, size, point):
    """Nearer to the center than the radius."""
    return dot(point, point) < size[0] * size[0]


@reach.row(GeomType.SPHERE)
@kernel
def sphere_reach(m, mesh, size, direction):
    """The radius."""
    return size[0] + 0.0 * direction[0]


@support.row(GeomType.SPHERE)
@kernel
def support_sphere(m, d, side, direction):
    """The center, moved by the radius."""
    return add_scaled(load3(d.convex_pos, side), direction, d.convex_size[side, 0])


@ray_shape.row(GeomType.SPHERE)
@kernel
def ray_sphere(pos, mat, size, origin, direction):
    """The first crossing; the normal looks away from the center."""
    x = sphere_distance(pos, size[0] * size[0], origin, direction)
    normal = normalize(sub(add_scaled(origin, direction, x), pos))
    return x, where3(x >= 0.0, normal, ZERO)


@field_value.row(GeomType.SPHERE)
@kernel
def sphere_value(m, d, size, dataid, point):
    """Distance to the center, less the radius."""
    return norm(point) - size[0]


@field_gradient.row(GeomType.SPHERE)
@kernel
def sphere_gradient(m, d, size, dataid, point):
    """Away from the center."""
    return normalize(point)
