"""A private Model of one or two solids, so that shapes run through the colliders and rays of geoms."""

from __future__ import annotations

import functools
import threading

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.collision.shape.shapes import Solid
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA, shape_of
from phalanx.memory.store import Store
from phalanx.tables.data_fields import VARIABLE_SIZES

FLOAT64 = NumberType("float64")
#: Where each asset row of a second solid continues after the first: row of addresses -> row that it points into.
ADDRESSES = {
    "mesh_vertadr": "mesh_vert",
    "mesh_faceadr": "mesh_face",
    "mesh_bvhadr": "bvh_nodeid",
    "mesh_graphadr": "mesh_graph",
    "mesh_polyadr": "mesh_polynormal",
    "mesh_polyvertadr": "mesh_polyvert",
    "mesh_polymapadr": "mesh_polymap",
    "hfield_adr": "hfield_data",
    "grid_adr": "grid_value",
}
#: How accurate a search is at least, as a part of the smaller solid.
PART_OF_SOLID = 1e-4
#: Half the size of a box around a solid that has no end [m].
ENDLESS = 1e10
#: How many private models are kept.
KEPT_MODELS = 256

#: Cache of working memory, one Data for each thread; it ends with its thread.
_memory = threading.local()


@functools.lru_cache(maxsize=1)
def blank() -> Store:
    """A Model with nothing in it, and the default options."""
    store = Store(MODEL_SCHEMA, dict.fromkeys(MODEL_SCHEMA.sizes, 0), FLOAT64)
    store.allocate_all()
    for name, row in MODEL_SCHEMA.fields.items():
        store.arrays[name][...] = row.default
    return store


def scratch(model: Store) -> Store:
    """Data of two geoms, of this thread; every query overwrites it. It has memory for the hull polygons of a model."""
    polygon = model.sizes["npolygonmax"]
    if not hasattr(_memory, "data") or _memory.data.sizes["npolygonmax"] < polygon:
        sizes = {**blank().sizes, **dict.fromkeys(VARIABLE_SIZES, 0), "ngeom": 2, "npolygonmax": polygon}
        _memory.data = Store(DATA_SCHEMA, sizes, FLOAT64)
        _memory.data.allocate_all()
    # what is kept is of the meshes of another model
    _memory.data.arrays["kept_entry"][:] = 0
    return _memory.data


@functools.lru_cache(maxsize=KEPT_MODELS)
def model_of(*solids: Solid) -> Store:
    """A Model whose geoms are the solids."""
    rows = asset_rows(solids)
    rows["geom_type"] = np.array([solid.kind for solid in solids])
    rows["geom_size"] = np.array([solid.size for solid in solids])
    rows["geom_rbound"] = np.array([solid.reach for solid in solids])
    rows["geom_aabb"] = np.array([(0.0, 0.0, 0.0, *[solid.reach or ENDLESS] * 3) for solid in solids])
    empty = blank()
    sizes = dict(empty.sizes)
    for name, array in rows.items():
        sizes[str(MODEL_SCHEMA.fields[name].shape[0])] = len(array)
    sizes["npolygonmax"] = int(rows.get("mesh_polyvertnum", np.zeros(0)).max(initial=0))
    rows["opt.ccd_tolerance"] = search_tolerance(solids)
    store = Store(MODEL_SCHEMA, sizes, FLOAT64)
    for name, row in MODEL_SCHEMA.fields.items():
        if shape_of(row, sizes) == empty.arrays[name].shape and name not in rows:
            store.attach(name, empty.arrays[name])
        else:
            array = store.allocate(name)
            array[...] = rows.get(name, row.default)
            store.attach(name, array)
    return store


def search_tolerance(solids: tuple[Solid, ...]) -> np.ndarray:
    """MuJoCo's accuracy of a search, or a small part of a tiny solid [m]."""
    smallest = min((solid.reach for solid in solids if solid.reach > 0.0), default=np.inf)
    return np.minimum(blank().arrays["opt.ccd_tolerance"], PART_OF_SOLID * smallest)


def asset_rows(solids: tuple[Solid, ...]) -> dict[str, np.ndarray]:
    """The rows of all assets one after the other, and which geom has which asset."""
    rows: dict[str, np.ndarray] = {}
    family = [next(iter(solid.asset)).split("_")[0] if solid.asset else "" for solid in solids]
    dataid = np.full(len(solids), -1)
    for geom, solid in enumerate(solids):
        if not solid.asset:
            continue
        # signed distance fields have ids after those of the meshes
        before = family.count("mesh") if family[geom] == "grid" else 0
        dataid[geom] = before + family[:geom].count(family[geom])
        shifted = dict(solid.asset)
        for address, target in ADDRESSES.items():
            if address in shifted:
                start = shifted[address]
                shifted[address] = np.where(start < 0, start, start + len(rows.get(target, ())))
        for name, array in shifted.items():
            rows[name] = np.concatenate([rows[name], array]) if name in rows else array
    rows["geom_dataid"] = dataid
    return rows
