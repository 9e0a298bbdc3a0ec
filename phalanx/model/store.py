"""Memory of a Model, a Data, or a lane group: arrays by name, and the table of their addresses for kernels."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
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
        names, dtypes: of the fields, in the order of the schema.
        form: the shape of each field, as its place in `shapes`.
        shapes: the shapes that occur, in terms of sizes.
        axes: everything that occurs in them.
        place: where each field is in the order of memory.
        form_in_memory, itemsize: shapes, as in `form`, and bytes of an element, in the order of memory.
        floats: element type -> its first and last field in memory, of types that hold numbers.
        slots: places of the fields in the table of addresses.
        index: name -> number of the field.
    """

    names: tuple[str, ...]
    dtypes: tuple[np.dtype, ...]
    form: tuple[int, ...]
    shapes: tuple[tuple[str | int, ...], ...]
    axes: tuple[str | int, ...]
    place: np.ndarray
    form_in_memory: np.ndarray
    itemsize: np.ndarray
    floats: dict[str, tuple[int, int]]
    slots: slice
    index: dict[str, int]


@functools.cache
def plan_of(schema_name: str, number: NumberType) -> Plan:
    """The plan of a schema for a number type."""
    schema = SCHEMAS[schema_name]
    worlds = (number.width,) if number.width > 1 else ()
    dtypes = [dtype_of(row, number) for row in schema.fields.values()]
    each = [row.shape + (worlds if schema.lanes(row) else ()) for row in schema.fields.values()]
    shapes = tuple(dict.fromkeys(each))
    # numbers first, in double precision before single
    order = sorted(range(len(each)), key=lambda k: (dtypes[k].kind != "f", -dtypes[k].itemsize))
    kinds = [dtypes[k].str for k in order]
    floats = {
        kind: (kinds.index(kind), kinds.index(kind) + kinds.count(kind)) for kind in dict.fromkeys(kinds) if "f" in kind
    }
    form = [shapes.index(shape) for shape in each]
    first = schema.slot[next(iter(schema.fields))]
    return Plan(
        names=tuple(schema.fields),
        dtypes=tuple(dtypes),
        form=tuple(form),
        shapes=shapes,
        axes=tuple(dict.fromkeys(axis for shape in shapes for axis in shape)),
        place=np.argsort(order),
        form_in_memory=np.array(form)[order],
        itemsize=np.array([dtypes[k].itemsize for k in order]),
        floats=floats,
        slots=slice(first, first + len(each)),
        index={name: k for k, name in enumerate(schema.fields)},
    )


class FieldsOnDemand(dict[str, np.ndarray]):
    """Arrays by name, each made when it is first asked for."""

    def __init__(self, make: Callable[[str], np.ndarray]):
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> np.ndarray:
        array = self[name] = self._make(name)
        return array


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
        # sizes come first
        self.table[: len(schema.sizes)] = [self.sizes[name] for name in schema.sizes]

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

    def allocate_all(self, on_demand: bool = False) -> None:
        """Zeroed memory for all fields, in one piece; each begins at a cache line, as if it were allocated alone.

        With `on_demand` kernels find all fields, but `arrays` holds only those that are asked for.
        """
        plan = plan_of(self.schema.name, self.number)
        length = {axis: extent(axis, self.sizes) for axis in plan.axes}
        shapes = [tuple([length[axis] for axis in shape]) for shape in plan.shapes]
        counts = np.array(list(map(math.prod, shapes)))[plan.form_in_memory]
        lines = np.maximum(-(-counts * plan.itemsize // ALIGNMENT), 1)
        # where each field in memory begins, and where the last one ends
        places = np.concatenate([[0], np.cumsum(lines)]) * ALIGNMENT
        memory = aligned_zeros((int(places[-1]),), np.uint8)
        # padding is zero, so that all numbers of one type can be looked at together
        self._numbers = [memory[places[a] : places[b]].view(kind) for kind, (a, b) in plan.floats.items()]
        starts = places[plan.place]
        if on_demand:

            def make(name: str) -> np.ndarray:
                k = plan.index[name]
                return np.ndarray(shapes[plan.form[k]], plan.dtypes[k], memory, int(starts[k]))

            self.arrays = FieldsOnDemand(make)
        else:
            rows = zip(plan.names, plan.form, plan.dtypes, starts.tolist(), strict=True)
            self.arrays = {name: np.ndarray(shapes[form], dtype, memory, start) for name, form, dtype, start in rows}
        self.table[plan.slots] = memory.ctypes.data + starts

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
