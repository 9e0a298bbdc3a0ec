"""Is a point inside a shape: rows of `is_inside`."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load4
from phalanx.algebra.number import abs_, and_, clamp, widen
from phalanx.algebra.quaternion import conjugate, rotate
from phalanx.algebra.vector import dot, sub
from phalanx.sensor.table import is_inside
from phalanx.tables.enums import GeomType


@is_inside.row(GeomType.SPHERE)
@kernel
def in_sphere(m, mesh, size, point):
    return dot(point, point) < size[0] * size[0]


@is_inside.row(GeomType.CAPSULE)
@kernel
def in_capsule(m, mesh, size, point):
    beyond = point[2] - clamp(point[2], -size[1], size[1])
    return point[0] * point[0] + point[1] * point[1] + beyond * beyond < size[0] * size[0]


@is_inside.row(GeomType.ELLIPSOID)
@kernel
def in_ellipsoid(m, mesh, size, point):
    x, y = point[0] * point[0] / (size[0] * size[0]), point[1] * point[1] / (size[1] * size[1])
    return x + y + point[2] * point[2] / (size[2] * size[2]) < 1.0


@is_inside.row(GeomType.CYLINDER)
@kernel
def in_cylinder(m, mesh, size, point):
    return and_(abs_(point[2]) < size[1], point[0] * point[0] + point[1] * point[1] < size[0] * size[0])


@is_inside.row(GeomType.BOX)
@kernel
def in_box(m, mesh, size, point):
    return and_(and_(abs_(point[0]) < size[0], abs_(point[1]) < size[1]), abs_(point[2]) < size[2])


@is_inside.row(GeomType.PLANE)
@kernel
def in_plane(m, mesh, size, point):
    return point[2] < 0.0


@is_inside.row(GeomType.MESH)
@kernel
def in_hull(m, mesh, size, point):
    """Below every face of the convex hull. The frame of a site is that of the mesh as it was read."""
    first = m.mesh_polyadr[mesh]
    point = rotate(sub(point, load3(m.mesh_pos, mesh)), conjugate(load4(m.mesh_quat, mesh)))
    inside = point[0] == point[0]
    for polygon in range(first, first + m.mesh_polynum[mesh]):
        corner = load3(m.mesh_vert, m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[polygon]])
        offset = sub(point, (widen(corner[0]), widen(corner[1]), widen(corner[2])))
        inside = and_(inside, dot(load3(m.mesh_polynormal, polygon), offset) <= 0.0)
    return inside
