"""Signed distance fields by kind of shape: the distance to the surface, negative inside, and its gradient.

Rows are with the shapes (`collision/geom`).

A field is a tuple (kind, size, dataid): a geom type or one of the kinds below, the three sizes of the geom, and the
id of its mesh, height field or grid. Points are in the frame of the geom, everything in double precision.

The SDF of a geom is given by an id (`shape_of`): those below `nmesh` are octrees of meshes, then come the grids,
and then the geoms whose field is that of a plugin.

    @field_value.row(GeomType.SPHERE)
    @kernel
    def sphere_value(m, d, size, dataid, point): ...
"""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import MODULES
from phalanx.tables.plugins import FIELDS

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


@kernel
def shape_of(m, geom):
    """The id of what gives a geom its shape: geom_dataid, or after meshes and grids the geom itself, with a plugin."""
    dataid = m.geom_dataid[geom]
    if m.nplugin > 0 and m.geom_type[geom] == GeomType.SDF and dataid >= 0 and dataid < m.nmesh:
        instance = m.geom_plugin[geom]
        if instance >= 0 and m.plugin_type[instance] in FIELDS:
            return m.nmesh + m.ngrid + geom
    return dataid
