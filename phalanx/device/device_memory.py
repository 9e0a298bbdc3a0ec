"""Memory of the worlds of a device: the Model that they share, or that is spread where they differ, and their Data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.device.protocol import Device
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA, NWORLD
from phalanx.memory.store import Store
from phalanx.pipeline.derive import derive_boxes


def data_on(device: Device, sizes: Mapping[str, int], number: NumberType, n: int, spare: int = 0) -> Store:
    """Memory of n worlds that has no fields yet, and spare places in its table for rows of others."""
    return Store(DATA_SCHEMA, {**sizes, NWORLD: n}, number, spare=spare, zeros=device.zeros)


def add_fields(store: Store, names: Iterable[str]) -> None:
    """Give fields memory that have none.

    Raises:
        MemoryError: the device has not so much.
    """
    missing = [name for name in store.schema.fields if name in set(names) and name not in store.arrays]
    if missing:
        store.allocate_more(missing)
        store.tell_room()


def model_on(device: Device, seen: Store, rows: Mapping[str, np.ndarray], number: NumberType, n: int) -> Store:
    """A copy of a Model in the memory of a device.

    Args:
        device: where to.
        seen: the Model as kernels of one world see it.
        rows: fields that differ, (n, *shape) each; none if all worlds share the Model.
        number: of the memory of the Data, `spread`.
        n: how many worlds.
    """
    store = Store(MODEL_SCHEMA, {**seen.sizes, NWORLD: n}, number if rows else number.one_world, zeros=device.zeros)
    store.allocate_all()
    write_model(store, seen, rows)
    return store


def write_model(store: Store, seen: Store, rows: Mapping[str, np.ndarray]) -> None:
    """Write a Model into the memory of a device; see `model_on`."""
    for name, row in MODEL_SCHEMA.fields.items():
        array = store.arrays[name]
        if not MODEL_SCHEMA.is_spread(row, store.number):
            array[...] = seen.seen(name)
        elif name in rows:
            array[...] = np.moveaxis(rows[name], 0, -1)
        else:
            array[...] = seen.seen(name)[..., None]
    # boxes that all worlds share are around the geoms of all of them
    if "bvh_aabb" in rows:
        derive_boxes(store.arrays, store.sizes)


def world_first(array: np.ndarray) -> np.ndarray:
    """A field of all worlds, (n, *shape): the same memory, in which worlds are neighbors."""
    return np.moveaxis(array, -1, 0)
