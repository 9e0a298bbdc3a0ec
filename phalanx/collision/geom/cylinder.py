"""A cylinder about z: radius, half length."""

from __future__ import annotations

import math
from math import pi

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, maximum, minimum, pick, splat, sqrt, where
from phalanx.algebra.vector import MINVAL, add_scaled, normalize, scale, where3
from phalanx.collision.convex.features import (
    direction_in_world,
    put_corner,
    search_end,
    set_side_line,
    side_line_end,
)
from phalanx.collision.convex.support import direction_in_shape, to_world
from phalanx.collision.convex.table import edge_end, edges_at, face_normal, face_outline, faces_at, support
from phalanx.collision.geom.table import Vector, bounds, fit, inertia, is_inside, reach, volume
from phalanx.collision.ray.crossing import (
    disk_distance,
    nearer_cap,
    side_distance,
    sphere_distance,
    to_local,
    world_normal,
)
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType

#: Corners of the polygon that stands for a cap, and where they are on a circle.
CAP = 16
COSINES = tuple(math.cos(2.0 * math.pi * k / CAP) for k in range(CAP))
SINES = tuple(math.sin(2.0 * math.pi * k / CAP) for k in range(CAP))
#: Shortest radius that a direction is taken from.
TINY = 1e-10


# --- mass and bounds


@volume.row(GeomType.CYLINDER)
def cylinder_volume(size: Vector, shell: bool) -> float:
    """Volume, or area of the side and both caps."""
    x, y, _ = size
    height = 2 * y
    return 2 * pi * x * x + 2 * pi * x * height if shell else pi * x * x * height


@inertia.row(GeomType.CYLINDER)
def cylinder_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """A shell is a tube and two disks, with mass by area."""
    r, half, _ = size
    height = 2 * half
    if not shell:
        across = mass * (3 * r * r + height * height) / 12
        return across, across, mass * r * r / 2
    disk_area, side_area = pi * r * r, 2 * pi * r * height
    disk = mass * disk_area / (2 * disk_area + side_area)
    side = mass - 2 * disk
    across = side * (6 * r * r + height * height) / 12 + 2 * (disk * r * r / 4 + disk * half * half)
    return across, across, side * r * r + 2 * (disk * r * r / 2)


@fit.row(GeomType.CYLINDER)
def cylinder_fit(half: Vector, encloses: bool) -> Vector:
    """Around the box: as wide as the wider side. Of the inertia: the mean width."""
    return max(half[0], half[1]) if encloses else (half[0] + half[1]) / 2, half[2], 0.0


@bounds.row(GeomType.CYLINDER)
@kernel
def cylinder_bounds(size):
    """The rims are farthest from the middle."""
    radius, half = size[0], size[1]
    return (0.0, 0.0, 0.0, radius, radius, half), sqrt(radius * radius + half * half)


# --- surface


@is_inside.row(GeomType.CYLINDER)
@kernel
def in_cylinder(m, mesh, size, point):
    """Between the caps, and nearer to the axis than the radius."""
    return and_(abs_(point[2]) < size[1], point[0] * point[0] + point[1] * point[1] < size[0] * size[0])


@reach.row(GeomType.CYLINDER)
@kernel
def cylinder_reach(m, mesh, size, direction):
    """The rim that the direction looks to."""
    return size[0] * sqrt(direction[0] * direction[0] + direction[1] * direction[1]) + size[1] * abs_(direction[2])


@support.row(GeomType.CYLINDER)
@kernel
def support_cylinder(m, d, side, direction):
    """A point of the rim that the direction looks to; the middle of the cap if it looks along the axis."""
    local = direction_in_shape(d, side, direction)
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    across = sqrt(local[0] * local[0] + local[1] * local[1])
    stretch = radius / across if across >= MINVAL else 0.0
    return to_world(d, side, (local[0] * stretch, local[1] * stretch, half if local[2] >= 0.0 else -half))


@faces_at.row(GeomType.CYLINDER)
@kernel
def cylinder_faces(m, d, side, n, outward):
    """The cap that all vertices are on, if they are on one."""
    ups = 0
    for k in range(n):
        ups += 1 if search_end(d, side, k)[2] > 0.0 else 0
    d.clip_faces[side, 0] = 0 if ups == n else 1
    return 1 if ups in (0, n) else 0


@face_normal.row(GeomType.CYLINDER)
@kernel
def cap_normal(m, d, side, face):
    """Along the axis: cap 0 is the upper one, cap 1 the lower one."""
    return direction_in_world(d, side, (0.0, 0.0, 1.0 - 2.0 * face))


@face_outline.row(GeomType.CYLINDER)
@kernel
def cap_outline(m, d, side, face):
    """A regular polygon in the circle of the cap."""
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    for k in range(CAP):
        i = (CAP - k) % CAP if face == 0 else k
        point = (radius * pick(COSINES, i), radius * pick(SINES, i), half if face == 0 else -half)
        put_corner(d, side, k, point)
    return CAP


@edges_at.row(GeomType.CYLINDER)
@kernel
def cylinder_edges(m, d, side):
    """From the first vertex, drawn back to the radius."""
    point = search_end(d, side, 0)
    across = scale(normalize((point[0], point[1], 0.0)), d.convex_size[side, 0])
    half = d.convex_size[side, 1]
    set_side_line(d, side, across[0], across[1], half if point[2] >= 0.0 else -half)
    return 1


edge_end.row(GeomType.CYLINDER)(side_line_end)


@ray_shape.row(GeomType.CYLINDER)
@kernel
def ray_cylinder(pos, mat, size, origin, direction):
    """The caps, then the round side between them."""
    radius, half = size[0], size[1]
    may_hit = sphere_distance(pos, radius * radius + half * half, origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)

    # the flat ends, bottom first, then the round side, where `cap` is 0
    bottom, on_bottom = disk_distance(p, v, -half, radius)
    top, on_top = disk_distance(p, v, half, radius)
    x, cap = nearer_cap(splat(p[0], -1.0), splat(p[0], 0.0), bottom, on_bottom, -1.0)
    x, cap = nearer_cap(x, cap, top, on_top, 1.0)
    x, cap = nearer_cap(x, cap, side_distance(p, v, radius, half), may_hit, 0.0)

    x = where(may_hit, x, -1.0)
    point = add_scaled(p, v, x)
    round_normal = normalize((point[0], point[1], 0.0 * point[2]))
    local = where3(cap == 0.0, round_normal, (0.0, 0.0, cap))
    return x, world_normal(x >= 0.0, mat, local)


@field_value.row(GeomType.CYLINDER)
@kernel
def cylinder_value(m, d, size, dataid, point):
    """Distance to the side or a cap, outside both to the rim."""
    side = sqrt(point[0] * point[0] + point[1] * point[1]) - size[0]
    cap = abs_(point[2]) - size[1]
    out0, out1 = maximum(side, 0.0), maximum(cap, 0.0)
    return minimum(maximum(side, cap), 0.0) + sqrt(out0 * out0 + out1 * out1)


@field_gradient.row(GeomType.CYLINDER)
@kernel
def cylinder_gradient(m, d, size, dataid, point):
    """Away from the nearer of side and cap, outside both from the rim."""
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
