"""What a ray can hit, by type of geom. Rows are with the shapes (`collision/geom`).

A ray starts at `origin` and reaches the points origin + x direction for x >= 0. A row returns (distance, normal): the
smallest x on the surface, and the unit normal of the surface there, outward also when the ray comes from inside. A ray
that misses has distance -1 and normal zero.

    @ray_shape.row(GeomType.SPHERE)
    @kernel
    def ray_sphere(pos, mat, size, origin, direction): ...
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import splat
from phalanx.tables.geoms import MODULES


@kernel
def no_hit(like):
    """The result of a ray that misses, in the number type of `like`."""
    zero = splat(like, 0.0)
    return splat(like, -1.0), (zero, zero, zero)


@kernel
def no_shape(pos, mat, size, origin, direction):
    """Hit a shape given by its world position, world rotation and sizes, in all worlds of a lane.

    Without a row: nothing to hit.
    """
    return no_hit(pos[0])


@kernel
def no_asset(m, d, geom, world, origin, direction, limit):
    """Hit a geom (pos, mat, size, dataid) whose surface is an asset of the model, in one world of a lane.

    What is farther than `limit` need not be found; -1: there is none. Without a row: nothing to hit.
    """
    return no_hit(geom[0][0])


#: By geom_type: of types without an asset, of types with one.
ray_shape = Table("ray_shape", no_shape, MODULES)
ray_asset = Table("ray_asset", no_asset, MODULES)
