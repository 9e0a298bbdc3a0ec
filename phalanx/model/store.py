"""Memory of a Model, a Data, or a lane group: arrays by name, and the table of their addresses for kernels."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.algebra.arrays import ALIGNMENT, aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.model.layout import SCHEMAS, Schema, dtype_of, shape_of
from phalanx.tables.data_fields import BOUNDED, CAPACITY
from phalanx.tables.field import Kind
from phalanx.tables.sizes import extent


@dataclass(frozen=True)
class Plan:
    """What does not depend on sizes about the memory of all fields of a schema; like element types are neighbors.

    Attributes:
        names, dtypes, shapes: of the fields; shapes in terms of sizes.
        slots: their places in the table of addresses.
        axes: everything that occurs in the shapes.
        floats: element type -> its first and last field, of types that hold numbers.
    """

    names: tuple[str, ...]
    dtypes: tuple[np.dtype, ...]
    shapes: tuple[tuple[str | int, ...], ...]
    slots: np.ndarray
    axes: frozenset[str | int]
    floats: dict[str, tuple[int, int]]


@functools.cache
def plan_of(schema_name: str, number: NumberType) -> Plan:
    """The plan of a schema for a number type."""
    schema = SCHEMAS[schema_name]
    worlds = (number.width,) if number.width > 1 else ()
    rows = [
        (name, dtype_of(row, number), row.shape + (worlds if schema.lanes(row) else ()))
        for name, row in schema.fields.items()
    ]
    # numbers first, in double precision before single
    rows.sort(key=lambda row: (row[1].kind != "f", -row[1].itemsize))
    names, dtypes, shapes = zip(*rows, strict=True)
    axes = frozenset(axis for shape in shapes for axis in shape)
    kinds = [dtype.str for dtype in dtypes]
    floats = {
        kind: (kinds.index(kind), kinds.index(kind) + kinds.count(kind)) for kind in dict.fromkeys(kinds) if "f" in kind
    }
    return Plan(names, dtypes, shapes, np.array([schema.slot[name] for name in names]), axes, floats)


class Store:
    """Arrays of one schema. Real fields have a trailing axis of worlds when the number type is a lane group.

    Attributes:
        arrays: name -> array; scalars are arrays of shape () (or (W,) in lanes).
        redirected: fields of which kernels see another version.
        hooks: functions of the user by slot (`model/hooks.py`).
        table: sizes and addresses, in the order of the schema's slots.
        address: of the table; what a kernel receives.
    """

    def __init__(self, schema: Schema, sizes: Mapping[str, int], number: NumberType):
        self.schema = schema
        self.sizes = dict(sizes) | {size: sizes[bound] for size, bound in BOUNDED.items() if size in sizes}
        self.number = number
        self.arrays: dict[str, np.ndarray] = {}
        self.redirected: dict[str, np.ndarray] = {}
        self.hooks: dict[str, Any] = {}
        self._numbers: list[np.ndarray] = []
        self.table = np.zeros(len(schema.slot), np.int64)
        self.address = int(self.table.ctypes.data)
        for name in schema.sizes:
            self.table[schema.slot[name]] = self.sizes[name]

    def full_shape(self, name: str) -> tuple[int, ...]:
        """Shape of a field, with the axis of worlds where it has one."""
        row = self.schema.fields[name]
        worlds = (self.number.width,) if self.number.width > 1 and self.schema.lanes(row) else ()
        return shape_of(row, self.sizes) + worlds

    def allocate(self, name: str) -> np.ndarray:
        """Zeroed memory for a field, not yet attached."""
        row = self.schema.fields[name]
        return aligned_zeros(self.full_shape(name), dtype_of(row, self.number))

    def attach(self, name: str, array: np.ndarray) -> None:
        """Make `array` the memory of a field."""
        self.arrays[name] = array
        self.table[self.schema.slot[name]] = array.__array_interface__["data"][0]

    def redirect(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Let kernels see other numbers than users do."""
        for name, values in arrays.items():
            if not np.array_equal(values, self.arrays[name]):
                self.redirected[name] = self.allocate(name)
                self.redirected[name][...] = values
                self.table[self.schema.slot[name]] = self.redirected[name].ctypes.data

    def seen(self, name: str) -> np.ndarray:
        """A field as kernels see it."""
        return self.redirected.get(name, self.arrays[name])

    def allocate_all(self) -> None:
        """Zeroed memory for all fields, in one piece; each begins at a cache line, as if it were allocated alone."""
        plan = plan_of(self.schema.name, self.number)
        length = {axis: extent(axis, self.sizes) for axis in plan.axes}
        shapes = [tuple(map(length.__getitem__, shape)) for shape in plan.shapes]
        starts, end = [], 0
        for shape, dtype in zip(shapes, plan.dtypes, strict=True):
            starts.append(end)
            end += -(-max(math.prod(shape) * dtype.itemsize, 1) // ALIGNMENT) * ALIGNMENT
        memory = aligned_zeros((end,), np.uint8)
        # padding is zero, so that all numbers of one type can be looked at together
        places = [*starts, end]
        self._numbers = [memory[places[a] : places[b]].view(kind) for kind, (a, b) in plan.floats.items()]
        made = {
            name: np.ndarray(shape, dtype, memory, start)
            for name, shape, dtype, start in zip(plan.names, shapes, plan.dtypes, starts, strict=True)
        }
        self.arrays = {name: made[name] for name in self.schema.fields}
        self.table[plan.slots] = memory.ctypes.data + np.array(starts)

    def is_finite(self) -> bool:
        """Are all numbers finite that are where `allocate_all` put them?"""
        return all(bool(np.isfinite(numbers).all()) for numbers in self._numbers)

    def set_size(self, size: str, count: int) -> None:
        """Change a size of the schema; rows that have it need fresh memory."""
        self.sizes[size] = count
        self.table[self.schema.slot[size]] = count

    def grow(self) -> None:
        """Make room for as much as the last call found, and half as much again."""
        for size in CAPACITY:
            needed = int(self.arrays[size])
            if needed > self.sizes[size]:
                self.resize(size, needed + needed // 2)

    def resize(self, size: str, count: int) -> None:
        """Give the rows of a variable size fresh memory for `count` elements."""
        self.sizes[size] = count
        for name, row in self.schema.fields.items():
            if size in row.shape:
                self.attach(name, self.allocate(name))
        if size in CAPACITY:
            self.arrays[CAPACITY[size]].fill(count)


class PlainView:
    """What a kernel sees when it runs interpreted: fields by attribute, scalars read and written as values."""

    __slots__ = ("_prefix", "_store")

    def __init__(self, store: Store, prefix: str = ""):
        object.__setattr__(self, "_store", store)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name: str) -> Any:
        store = self._store
        if name in store.schema.sizes and not self._prefix:
            return store.sizes[name]
        if name in store.schema.hooks:
            return store.hooks[name].body if name in store.hooks else 0
        if name in store.schema.records:
            return PlainView(store, name + ".")
        try:
            array = store.seen(self._prefix + name)
        except KeyError:
            raise AttributeError(f"{store.schema.name} has no field {self._prefix + name!r}") from None
        if store.schema.fields[self._prefix + name].kind is Kind.FLOAT32:
            array = array.astype(np.float64)  # compiled kernels widen what they load, too
        return array[()] if array.ndim == 0 else array

    def __setattr__(self, name: str, value: Any) -> None:
        self._store.arrays[self._prefix + name][()] = value
