"""A plane: the half space below z = 0 of its frame."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, or_, where
from phalanx.algebra.vector import MINVAL, where3
from phalanx.collision.geom.table import Vector, bounds, is_inside, size_problem
from phalanx.collision.ray.crossing import ZERO, to_local
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import field_gradient, field_value
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import MAXVAL


@size_problem.row(GeomType.PLANE)
def plane_problem(size: Vector) -> str:
    """The third size is the spacing of the grid that is drawn."""
    return f"the third size of a plane must be positive, not {size[2]:g}" if size[2] <= 0 else ""


@bounds.row(GeomType.PLANE)
@kernel
def plane_bounds(size):
    """Everything below the plane; no sphere holds it, which radius 0 says."""
    return (0.0, 0.0, -0.5 * MAXVAL, MAXVAL, MAXVAL, 0.5 * MAXVAL), 0.0


@is_inside.row(GeomType.PLANE)
@kernel
def in_plane(m, mesh, size, point):
    """Below the plane, whatever its sizes."""
    return point[2] < 0.0


@ray_shape.row(GeomType.PLANE)
@kernel
def ray_plane(pos, mat, size, origin, direction):
    """The front of a plane, inside its rectangle; a size of zero is endless."""
    p, v = to_local(pos, mat, origin, direction)
    is_facing = v[2] <= -MINVAL
    x = -p[2] / where(is_facing, v[2], -1.0)
    in_x = or_(size[0] <= 0.0, abs_(p[0] + x * v[0]) <= size[0])
    in_y = or_(size[1] <= 0.0, abs_(p[1] + x * v[1]) <= size[1])
    is_hit = and_(and_(is_facing, x >= 0.0), and_(in_x, in_y))
    return where(is_hit, x, -1.0), where3(is_hit, (mat[2], mat[5], mat[8]), ZERO)


@field_value.row(GeomType.PLANE)
@kernel
def plane_value(m, d, size, dataid, point):
    """Height over the plane."""
    return point[2]


@field_gradient.row(GeomType.PLANE)
@kernel
def plane_gradient(m, d, size, dataid, point):
    """Up."""
    return (0.0, 0.0, 1.0)
