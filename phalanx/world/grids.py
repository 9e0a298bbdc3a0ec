"""Models in which geoms have the shape of a signed distance grid: `Model.with_sdf`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.collision.sdf.grid import SDF
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import Store
from phalanx.pipeline import derive
from phalanx.tables.enums import GeomType

#: Rows that change with the shape of a geom; its body keeps its mass.
_CHANGED = ("geom_type", "geom_dataid", "geom_size", "geom_aabb", "geom_rbound", "bvh_aabb")


def with_grids(
    sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray], grids: Mapping[int, SDF]
) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """Sizes and arrays of a model in which some geoms (by id) have the shape of a grid."""
    # a grid that several geoms have is stored once
    distinct = list({id(sdf): sdf for sdf in grids.values()}.values())
    starts = np.cumsum([sizes["ngriddata"], *(sdf.values.size for sdf in distinct)])
    added = {
        "grid_shape": [sdf.values.shape for sdf in distinct],
        "grid_adr": starts[:-1],
        "grid_cell": [sdf.cell for sdf in distinct],
        "grid_origin": [sdf.origin for sdf in distinct],
        "grid_aabb": [sdf.aabb for sdf in distinct],
        "grid_value": np.concatenate([sdf.values.ravel() for sdf in distinct]),
    }
    sizes = {**sizes, "ngrid": sizes["ngrid"] + len(distinct), "ngriddata": int(starts[-1])}
    store = Store(MODEL_SCHEMA, sizes, NumberType("float64"))
    changed = {name: store.allocate(name) for name in (*_CHANGED, *added)}
    for name in _CHANGED:
        changed[name][...] = arrays[name]
    for name, rows in added.items():
        changed[name][...] = np.concatenate([arrays[name], np.asarray(rows)])
    # ids of grids follow those of meshes
    first = sizes["nmesh"] + sizes["ngrid"] - len(distinct)
    dataids = {id(sdf): first + k for k, sdf in enumerate(distinct)}
    for geom, sdf in grids.items():
        # the geom keeps its frame, so its sizes reach from there to the far side of the grid
        half = np.abs(sdf.aabb[:3]) + sdf.aabb[3:]
        changed["geom_type"][geom], changed["geom_dataid"][geom] = GeomType.SDF, dataids[id(sdf)]
        changed["geom_size"][geom], changed["geom_aabb"][geom] = half, sdf.aabb
        changed["geom_rbound"][geom] = np.linalg.norm(half)
    new = {**arrays, **changed}
    derive.derive_boxes(new, sizes)
    return sizes, new
