"""The ellipsoid that stands for a geom in a fluid."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import Kernel, kernel
from phalanx.tables.geoms import GEOMS, GeomRow


@kernel
def sizes_as_axes(size):
    """Semi-axes of the ellipsoid, from the sizes of the geom. Without a row: the sizes themselves."""
    return size


#: By geom_type; rows follow from the column `semi_axes` of the geoms.
semi_axes = Table("semi_axes", sizes_as_axes)


def file_axes(row: GeomRow) -> Kernel:
    """File the semi-axes of a type of geom."""
    sums = row.semi_axes

    @kernel
    def axes(size):
        return tuple(sum(tuple(size[k] for k in terms[1:]), size[terms[0]]) for terms in sums)

    return semi_axes.row(row.type)(axes)


for _row in GEOMS.values():
    file_axes(_row)
