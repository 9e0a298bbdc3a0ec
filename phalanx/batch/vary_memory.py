"""Memory of Models that differ from world to world: rows that lane groups own, and rows that all of them share.

A row that groups own is one array for all groups, (groups, *shape, worlds of a group), so that the numbers of any
choice of worlds are read or written at once. Kernels see the part of their group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from phalanx.algebra.arrays import ALIGNMENT, aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.batch.vary_seen import effective_gravcomp
from phalanx.memory.layout import MODEL_SCHEMA, dtype_of
from phalanx.memory.store import Store
from phalanx.world.model import Model


def shared_rows(model: Model, number: NumberType) -> dict[str, np.ndarray]:
    """All rows of a Model as kernels see them: a number that is the same in all worlds is repeated in each lane."""
    seen = model.store_for(number.base if number.width <= 1 else "float64")
    store = Store(MODEL_SCHEMA, model._store.sizes, number)
    shared = {}
    for name, row in MODEL_SCHEMA.fields.items():
        array = seen.seen(name)
        if name == "body_gravcomp":
            array = effective_gravcomp(array)
        if number.width > 1 and MODEL_SCHEMA.lanes(row):
            lanes = store.allocate(name)
            lanes[...] = array[..., None]
            array = lanes
        shared[name] = array
    return shared


class GroupMemory:
    """Model memory of several lane groups.

    Attributes:
        rows: arrays of the rows that groups own, by name: (groups, *shape), in lanes with the worlds as last axis.
        stores: what kernels of each group read.
    """

    def __init__(
        self,
        sizes: Mapping[str, int],
        number: NumberType,
        shared: Mapping[str, np.ndarray],
        own: Iterable[str],
        count: int,
    ):
        self._width = number.width
        own = frozenset(own)
        common = Store(MODEL_SCHEMA, sizes, number)
        for name, array in shared.items():
            common.attach(name, array)
        self.rows = {name: _rows_of_groups(common, name, count) for name in MODEL_SCHEMA.fields if name in own}
        for name, rows in self.rows.items():
            rows[...] = shared[name]
        self.stores = [_store_of_group(common, self.rows, group) for group in range(count)]

    def _places(self, positions: np.ndarray) -> tuple[Any, ...]:
        """The index of worlds in `rows`, by their position among all worlds of all groups."""
        if self._width <= 1:
            return (positions,)
        return positions // self._width, ..., positions % self._width

    def read(self, name: str, positions: np.ndarray) -> np.ndarray:
        """A row in some worlds, (k, *shape)."""
        return self.rows[name][self._places(positions)]

    def write(self, name: str, positions: np.ndarray, values: np.ndarray) -> None:
        """Set a row in some worlds, from (k, *shape)."""
        self.rows[name][self._places(positions)] = values


def _rows_of_groups(store: Store, name: str, count: int) -> np.ndarray:
    """Memory of a row for all groups; that of each begins at a cache line."""
    shape, dtype = store.full_shape(name), dtype_of(MODEL_SCHEMA.fields[name], store.number)
    stride = -(-max(math.prod(shape) * dtype.itemsize, 1) // ALIGNMENT) * ALIGNMENT
    memory = aligned_zeros((count * stride,), np.uint8)
    inner = np.empty(shape, dtype).strides
    return np.ndarray((count, *shape), dtype, memory, strides=(stride, *inner))


def _store_of_group(common: Store, rows: Mapping[str, np.ndarray], group: int) -> Store:
    """What all groups share, and the own rows of one."""
    store = Store(MODEL_SCHEMA, common.sizes, common.number)
    store.arrays = dict(common.arrays)
    store.table[:] = common.table
    for name, array in rows.items():
        store.attach(name, array[group, ...])
    return store
