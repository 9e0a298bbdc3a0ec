"""A capsule, a cylinder about z with half balls at its ends: radius, half length of the cylinder."""

from __future__ import annotations

from math import pi

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import abs_, clamp, splat, where
from phalanx.algebra.vector import add_scaled, dot, norm, normalize
from phalanx.collision.convex.features import set_side_line, side_line_end
from phalanx.collision.convex.support import direction_in_shape, to_shape, to_world
from phalanx.collision.convex.table import SEGMENT, edge_end, edges_at, support
from phalanx.collision.geom.table import Vector, bounds, fit, inertia, is_inside, reach, volume
from phalanx.collision.ray.crossing import nearer_cap, roots, side_distance, sphere_distance, to_local, world_normal
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

# --- mass and bounds


@volume.row(GeomType.CAPSULE)
def capsule_volume(size: Vector, shell: bool) -> float:
    """A ball and a cylinder."""
    x, y, _ = size
    height = 2 * y
    return 4 * pi * x * x + 2 * pi * x * height if shell else pi * (x * x * height + 4 * x * x * x / 3)


@inertia.row(GeomType.CAPSULE)
def capsule_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """A cylinder and two half balls, moved out from the middle (parallel axis theorem); mass goes by volume or area."""
    r, half, _ = size
    height = 2 * half
    if shell:
        sphere_area, side_area = 4 * pi * r * r, 2 * pi * r * height
        caps = mass * sphere_area / (sphere_area + side_area)
        side = mass - caps
        across, along = side * (6 * r * r + height * height) / 12, side * r * r
        own = 2 * caps * r * r / 3
        # the center of mass of a half sphere is at half its radius
        at = half + r / 2
        moved = caps * (at * at - (r / 2) ** 2)
    else:
        caps = mass * 4 * r / (4 * r + 3 * height)
        side = mass - caps
        across, along = side * (3 * r * r + height * height) / 12, side * r * r / 2
        own = 2 * caps * r * r / 5
        # that of a half ball at 3/8 of it
        moved = caps * height * (3 * r + 2 * height) / 8
    return across + (own + moved), across + (own + moved), along + own


@fit.row(GeomType.CAPSULE)
def capsule_fit(half: Vector, encloses: bool) -> Vector:
    """Around the box: as wide as the wider side. Of the inertia: the mean width, shortened for the round ends."""
    if encloses:
        radius = max(half[0], half[1])
        return radius, half[2] - radius, 0.0
    radius = (half[0] + half[1]) / 2
    return radius, max(0.0, half[2] - radius / 2), 0.0


@bounds.row(GeomType.CAPSULE)
@kernel
def capsule_bounds(size):
    """Its end on the axis is farthest from the middle."""
    reach = size[0] + size[1]
    return (0.0, 0.0, 0.0, size[0], size[0], reach), reach


# --- surface


@is_inside.row(GeomType.CAPSULE)
@kernel
def in_capsule(m, mesh, size, point):
    """Nearer to the segment than the radius."""
    beyond = point[2] - clamp(point[2], -size[1], size[1])
    return point[0] * point[0] + point[1] * point[1] + beyond * beyond < size[0] * size[0]


@reach.row(GeomType.CAPSULE)
@kernel
def capsule_reach(m, mesh, size, direction):
    """The end that the direction looks to, and the radius."""
    return size[0] + size[1] * abs_(direction[2])


@support.row(SEGMENT)
@kernel
def support_segment(m, d, side, direction):
    """An end of the axis: the capsule without its radius."""
    mat = load9(d.convex_mat, side)
    half = d.convex_size[side, 1]
    along = mat[2] * direction[0] + mat[5] * direction[1] + mat[8] * direction[2]
    return add_scaled(load3(d.convex_pos, side), (mat[2], mat[5], mat[8]), half if along >= 0.0 else -half)


@support.row(GeomType.CAPSULE)
@kernel
def support_capsule(m, d, side, direction):
    """A point of the half ball at the end that the direction looks to."""
    local = direction_in_shape(d, side, direction)
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    end = half if local[2] >= 0.0 else -half
    return to_world(d, side, (local[0] * radius, local[1] * radius, local[2] * radius + end))


@edges_at.row(GeomType.CAPSULE)
@kernel
def capsule_edges(m, d, side):
    """Through the nearest point, inflated as the shape was."""
    local = to_shape(d, side, load3(d.convex_x1, 0) if side == 0 else load3(d.convex_x2, 0))
    set_side_line(d, side, local[0], local[1], -d.convex_size[side, 1])
    return 1


edge_end.row(GeomType.CAPSULE)(side_line_end)


@ray_shape.row(GeomType.CAPSULE)
@kernel
def ray_capsule(pos, mat, size, origin, direction):
    """The round side between the ends, and the outer halves of the balls."""
    radius, half = size[0], size[1]
    reach = radius + half
    may_hit = sphere_distance(pos, reach * reach, origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)

    # the round side, where `cap` is 0
    side = side_distance(p, v, radius, half)
    x, cap = where(side >= 0.0, side, -1.0), splat(p[0], 0.0)
    # the outer halves of the spheres at the ends
    speed2 = dot(v, v)
    top = (p[0], p[1], p[2] - half)
    t0, t1 = roots(speed2, dot(v, top), dot(top, top) - radius * radius)
    bottom = (p[0], p[1], p[2] + half)
    b0, b1 = roots(speed2, dot(v, bottom), dot(bottom, bottom) - radius * radius)
    x, cap = nearer_cap(x, cap, t0, p[2] + t0 * v[2] >= half, 1.0)
    x, cap = nearer_cap(x, cap, t1, p[2] + t1 * v[2] >= half, 1.0)
    x, cap = nearer_cap(x, cap, b0, p[2] + b0 * v[2] <= -half, -1.0)
    x, cap = nearer_cap(x, cap, b1, p[2] + b1 * v[2] <= -half, -1.0)

    x = where(may_hit, x, -1.0)
    point = add_scaled(p, v, x)
    local = normalize((point[0], point[1], where(cap == 0.0, 0.0, point[2] - half * cap)))
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def from_segment(size, point):
    """The vector to a point from the nearest point of the axis."""
    return (point[0], point[1], point[2] - clamp(point[2], -size[1], size[1]))


@field_value.row(GeomType.CAPSULE)
@kernel
def capsule_value(m, d, size, dataid, point):
    """Distance to the segment, less the radius."""
    return norm(from_segment(size, point)) - size[0]


@field_gradient.row(GeomType.CAPSULE)
@kernel
def capsule_gradient(m, d, size, dataid, point):
    """Away from the segment."""
    return normalize(from_segment(size, point))
