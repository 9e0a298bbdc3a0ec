"""Signed distance fields by kind of shape: the distance to the surface, negative inside, and its gradient.

Rows are with the shapes (`collision/geom`).

A field is a tuple (kind, size, dataid): a geom type or one of the kinds below, the three sizes of the geom, and the
id of its mesh, height field or grid. Points are in the frame of the geom, everything in double precision.

The SDF of a geom is given by its id (`geom_shapeid`): those below `nmesh` are octrees of meshes, then come the grids,
and then the geoms whose field is that of a plugin.

    @field_value.row(GeomType.SPHERE)
    @kernel
    def sphere_value(m, d, size, dataid, point): ...
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.tables.geoms import MODULES

#: Kinds that are no geom types: a grid of distances, a box with the true distance inside too, and a plugin, whose
#: dataid is that of the geom.
GRID, TRUE_BOX, PLUGIN = 30, 31, 32


@kernel
def no_value(m, d, size, dataid, point):
    """Signed distance of a point. Without a row: far away."""
    return 1e10


@kernel
def no_gradient(m, d, size, dataid, point):
    """Direction in which the distance grows, about a unit vector. Without a row: up."""
    return (0.0, 0.0, 1.0)


field_value = Table("field_value", no_value, MODULES)
field_gradient = Table("field_gradient", no_gradient, MODULES)
