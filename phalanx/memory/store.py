"""Memory of a Model, a Data, or a lane group: arrays by name, and the table of their addresses for kernels."""

from __future__ import annotations

import functools
import math
import struct
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from phalanx.algebra.arrays import ALIGNMENT, aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import OutOfMemoryError
from phalanx.memory.layout import EXTENT, SCHEMAS, Schema, dtype_of, shape_of
from phalanx.native.notice import LOG
from phalanx.tables.data_fields import AHEAD, VARIABLE_SIZES
from phalanx.tables.field import Kind
from phalanx.tables.scratch_fields import CAPACITY, COUNTED
from phalanx.tables.sizes import LARGEST_INT, extent


@dataclass(frozen=True)
class Plan:
    """The order of all fields of a schema in memory, for models of any size. Fields of one element type are neighbors.

    Attributes:
        rows: field name -> its index, its shape in names of sizes, its type, and the letter of the type, in the order
            of the schema.
        axes: every size and integer that occurs in a shape; the last is 1.
        shapes: (axis, field) index into `axes`, fields in the order of memory; shorter shapes are filled up with 1.
        itemsize: bytes of an element, in the order of memory.
        place: index of each field in the order of memory.
        floats: floating-point type -> (first, end) of its fields in the order of memory.
        slots: slots of the fields in the table of addresses.
    """

    rows: dict[str, tuple[int, tuple[str | int, ...], np.dtype, str]]
    axes: tuple[str | int, ...]
    shapes: np.ndarray
    itemsize: np.ndarray
    place: np.ndarray
    floats: dict[str, tuple[int, int]]
    slots: slice


@functools.cache
def plan_of(schema_name: str, number: NumberType) -> Plan:
    """The plan of a schema for a number type."""
    schema = SCHEMAS[schema_name]
    dtypes = [dtype_of(row, number) for row in schema.fields.values()]
    shapes = [row.shape + schema.cells(row, number) for row in schema.fields.values()]
    axes = [*dict.fromkeys(axis for shape in shapes for axis in shape if axis != 1), 1]
    most = max(map(len, shapes))
    # numbers first, in double precision before single
    order = sorted(range(len(shapes)), key=lambda k: (dtypes[k].kind != "f", -dtypes[k].itemsize))
    kinds = [dtypes[k].str for k in order]
    floats = {
        kind: (kinds.index(kind), kinds.index(kind) + kinds.count(kind)) for kind in dict.fromkeys(kinds) if "f" in kind
    }
    first = schema.slot[next(iter(schema.fields))]
    return Plan(
        rows={name: (k, shapes[k], dtypes[k], dtypes[k].char) for k, name in enumerate(schema.fields)},
        axes=tuple(axes),
        shapes=np.array([[axes.index(axis) for axis in (*shapes[k], *(1,) * most)[:most]] for k in order]).T,
        itemsize=np.array([dtypes[k].itemsize for k in order]),
        place=np.argsort(order),
        floats=floats,
        slots=slice(first, first + len(shapes)),
    )


@functools.lru_cache(maxsize=1024)
def _packer(count: int, code: str) -> Callable[..., None]:
    """A function that writes `count` values into memory, from an offset on. `struct` has NumPy's letters of types."""
    return struct.Struct(f"{count}{code}").pack_into


class Loan:
    """A field of which arrays are made when they are asked for, and whether somebody may have changed it.

    Attributes:
        mark: one while nobody can have changed the field.
        ref: to the array that others have, themselves or a part of it, if there is one that has not been settled.

    Args:
        shape: of the field.
        place: its bytes.
    """

    __slots__ = ("_dtype", "_place", "_shape", "mark", "ref")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype, place: np.ndarray, mark: np.ndarray):
        # a buffer that is no array: NumPy lets what shows it be the base of every array that shows a part of it
        self._shape, self._dtype, self._place = shape, dtype, place.data
        self.mark = mark
        self.ref: weakref.ref[np.ndarray] | None = None
        mark.fill(1)

    def array(self) -> np.ndarray:
        """The numbers, of the array that somebody has or of a new one."""
        self.mark.fill(0)
        array = self.ref() if self.ref is not None else None
        if array is None:
            array = np.frombuffer(self._place, self._dtype)
            self.ref = weakref.ref(array)
        return array.reshape(self._shape)

    def settle(self, ref: weakref.ref[np.ndarray]) -> None:
        """What was done through an array that is gone has been seen; unless there is another one by now."""
        if self.ref is ref:
            self.ref = None
            self.mark.fill(1)


class FieldsOnDemand(dict[str, np.ndarray]):
    """Arrays of all fields by name in one piece of memory, each made when it is first asked for."""

    def __init__(
        self,
        plan: Plan,
        length: Mapping[str | int, int],
        memory: np.ndarray,
        starts: list[int],
        counts: np.ndarray,
    ):
        super().__init__()
        self.memory = memory
        self._rows, self._length, self._starts, self._counts = plan.rows, length, starts, counts
        self._unseen: dict[str, np.ndarray] = {}
        self._loans: dict[str, Loan] = {}
        self._shapes: dict[tuple[str | int, ...], tuple[int, ...]] = {}

    def __missing__(self, name: str) -> np.ndarray:
        if name in self._loans:
            return self._loans[name].array()
        k, row_shape, dtype, _ = self._rows[name]
        shape = self._shapes.get(row_shape)
        if shape is None:
            length = self._length
            shape = self._shapes[row_shape] = tuple([length[axis] for axis in row_shape])
        if name in self._unseen:
            self._unseen.pop(name).fill(0)
        array = self[name] = np.ndarray(shape, dtype, self.memory, self._starts[k])
        return array

    def put_on_loan(self, name: str, mark: np.ndarray) -> None:
        """Make an array of a field whenever it is asked for, and keep none.

        A mark is one while nobody can have changed it: it is zero from when an array is made until that is settled,
        after nobody has it, or a part of it, any more.
        """
        array, (k, _, dtype, _) = self[name], self._rows[name]
        start = self._starts[k]
        self._loans[name] = Loan(array.shape, dtype, self.memory[start : start + array.nbytes], mark)
        del self[name]

    def given_back(self) -> list[tuple[Loan, weakref.ref[np.ndarray]]]:
        """Loans of arrays that nobody has any more, which are to be settled when their numbers have been looked at."""
        return [(loan, loan.ref) for loan in self._loans.values() if loan.ref is not None and loan.ref() is None]

    def tell_when_made(self, name: str, mark: np.ndarray) -> None:
        """Let a mark be one for as long as nobody has asked for a field: from then on, anybody may write to it."""
        is_made = super().__contains__(name)
        mark.fill(0 if is_made else 1)
        if not is_made:
            self._unseen[name] = mark

    def fill(self, columns: Mapping[str, Any]) -> None:
        """Write values into fields by name: one value, an array, a list of values or of tuples of values.

        Values are packed straight into memory: making an array of each field would take most of the time.
        """
        memory, starts, counts = self.memory, self._starts, self._counts.tolist()
        for name, values in columns.items():
            k, _, _, code = self._rows[name]
            count, kind = counts[k], type(values)
            if not count or (kind is list and not values):
                continue
            flat = values if kind is list or kind is tuple else (values,)
            first = type(flat[0])
            if first is tuple:
                flat = chain.from_iterable(flat)
            if first is not np.ndarray:
                try:
                    _packer(count, code)(memory, starts[k], *flat)
                    continue
                except (struct.error, TypeError, OverflowError):
                    pass
            # the general case: arrays, one row for all, values of other types
            self[name][...] = values

    def in_order(self) -> list[tuple[int, int, str]]:
        """First and last byte of each field in the piece of memory, its last cache line filled up; in order."""
        starts = sorted((self._starts[row[0]], name) for name, row in self._rows.items())
        ends = [*(start for start, _ in starts[1:]), self.memory.nbytes]
        return [(start, end, name) for (start, name), end in zip(starts, ends, strict=True)]

    def made(self) -> ValuesView[np.ndarray]:
        """The arrays that have been asked for."""
        return super().values()

    def apart(self) -> list[np.ndarray]:
        """The arrays that have left the piece of memory: those that grew, or were put in place of others."""
        first = self.memory.__array_interface__["data"][0]
        joint = range(first, first + max(self.memory.nbytes, 1))
        return [array for array in self.made() if array.__array_interface__["data"][0] not in joint]

    # a dict of all names, whether their arrays are made or not

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    get = Mapping.get  # type: ignore[assignment]
    keys = Mapping.keys  # type: ignore[assignment]
    values = Mapping.values  # type: ignore[assignment]
    items = Mapping.items  # type: ignore[assignment]

    def copy(self) -> dict[str, np.ndarray]:
        """A plain dict with the arrays of all fields, made now; the memory is shared."""
        return dict(self)

    def __or__(self, other: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:  # type: ignore[override]
        return {**self, **other}


class Store:
    """Arrays of one schema. Real fields have a trailing axis of worlds when the number type is a lane group, of a value
    and its tangents when it is a dual. On a device all fields of a Data have a trailing axis of worlds, `nworld`.

    Attributes:
        arrays: name -> array; scalars are arrays of shape () (or (W,) in lanes).
        redirected: fields of which kernels see another version.
        hooks: functions of the user by slot (`hook/hooks.py`).
        parts: names of compiled parts whose addresses the table has (`pipeline/parts.py`).
        table: sizes and addresses, in the order of the schema's slots, and `spare` slots for rows that others add.
        address: of the table; what a kernel receives.

    Args:
        zeros: makes zeroed memory of a shape and a type that kernels can reach.
    """

    def __init__(
        self,
        schema: Schema,
        sizes: Mapping[str, int],
        number: NumberType,
        spare: int = 0,
        zeros: Callable[[tuple[int, ...], Any], np.ndarray] = aligned_zeros,
    ):
        self.schema = schema
        self.sizes = dict(sizes) | {size: room(sizes) for size, room in AHEAD.items() if size in sizes}
        self.number = number
        self.arrays: dict[str, np.ndarray] = {}
        self.redirected: dict[str, np.ndarray] = {}
        self.hooks: dict[str, Any] = {}
        self.parts: set[str] = set()
        self._numbers: list[np.ndarray] = []
        self._zeros = zeros
        self.table = zeros((len(schema.slot) + spare,), np.int64)
        self.address: int = self.table.__array_interface__["data"][0]
        # sizes come first
        self.table[: len(schema.sizes)] = [self.sizes[name] for name in schema.sizes]
        self._set_extents()

    def full_shape(self, name: str) -> tuple[int, ...]:
        """Shape of a field, with the axis of worlds or of tangents where it has one."""
        row = self.schema.fields[name]
        cells = self.schema.cells(row, self.number)
        return shape_of(row, self.sizes) + tuple(extent(axis, self.sizes) for axis in cells)

    def allocate(self, name: str) -> np.ndarray:
        """Zeroed memory for a field, not yet attached."""
        row = self.schema.fields[name]
        return self._zeros(self.full_shape(name), dtype_of(row, self.number))

    def attach(self, name: str, array: np.ndarray) -> None:
        """Make `array` the memory of a field."""
        self.arrays[name] = array
        self.table[self.schema.slot[name]] = array.__array_interface__["data"][0]

    def redirect(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Let kernels read these arrays, while users see the attached ones."""
        for name, values in arrays.items():
            if not np.array_equal(values, self.arrays[name]):
                self.redirected[name] = self.allocate(name)
                self.redirected[name][...] = values
                self.table[self.schema.slot[name]] = self.redirected[name].ctypes.data

    def seen(self, name: str) -> np.ndarray:
        """A field as kernels see it."""
        return self.redirected.get(name, self.arrays[name])

    def allocate_all(self) -> None:
        """Zeroed memory for all fields, in one piece; each begins at a cache line.

        Kernels find fields by address. NumPy arrays are made only of fields that Python asks for.
        """
        plan = plan_of(self.schema.name, self.number)
        sizes = self.sizes
        # most axes are sizes, which need no call
        length = {axis: sizes[axis] if axis in sizes else extent(axis, sizes) for axis in plan.axes}
        counts = np.multiply.reduce(np.array([*length.values()]).take(plan.shapes))
        lines = np.maximum(-(-counts * plan.itemsize // ALIGNMENT), 1)
        # where each field in memory begins, and where the last one ends
        places = np.zeros(len(lines) + 1, np.int64)
        np.cumsum(lines, out=places[1:])
        places *= ALIGNMENT
        memory = self._zeros((int(places[-1]),), np.uint8)
        # padding is zero, so that all numbers of one type can be checked together
        self._numbers = [memory[places[a] : places[b]].view(kind) for kind, (a, b) in plan.floats.items()]
        starts = places[plan.place]
        self.arrays = FieldsOnDemand(plan, length, memory, starts.tolist(), counts[plan.place])
        self.table[plan.slots] = memory.__array_interface__["data"][0] + starts
        self.tell_room()

    def allocate_more(self, names: Iterable[str]) -> None:
        """Zeroed memory for some fields, in one piece; each begins at a cache line."""
        fields = [(name, self.full_shape(name), dtype_of(self.schema.fields[name], self.number)) for name in names]
        sizes = [math.prod(shape) * dtype.itemsize for _, shape, dtype in fields]
        places = np.cumsum([0, *(-(-max(size, 1) // ALIGNMENT) * ALIGNMENT for size in sizes)]).tolist()
        memory = self._zeros((places[-1],), np.uint8)
        for (name, shape, dtype), start, size in zip(fields, places, sizes, strict=False):
            self.attach(name, memory[start : start + size].view(dtype).reshape(shape))

    def tell_room(self) -> None:
        """Tell kernels where there is room already."""
        for size in AHEAD:
            if size in CAPACITY and self.sizes.get(size, 0) and CAPACITY[size] in self.arrays:
                self.arrays[CAPACITY[size]].fill(self.sizes[size])

    def fill(self, columns: Mapping[str, Any]) -> None:
        """Write numbers into fields by name, in memory that `allocate_all` made."""
        assert isinstance(self.arrays, FieldsOnDemand)
        self.arrays.fill(columns)

    def freeze(self) -> None:
        """Make all arrays read-only, for Python."""
        if isinstance(self.arrays, FieldsOnDemand):
            self.arrays.memory.setflags(write=False)
            arrays = self.arrays.made()
        else:
            arrays = self.arrays.values()
        for array in arrays:
            array.setflags(write=False)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the arrays take, those that grew and those that kernels see instead included."""
        arrays, others = self.arrays, self.redirected.values()
        if isinstance(arrays, FieldsOnDemand):
            return arrays.memory.nbytes + sum(array.nbytes for array in (*arrays.apart(), *others))
        return sum(array.nbytes for array in (*arrays.values(), *others))

    def is_finite(self) -> bool:
        """Are all numbers finite in the memory that `allocate_all` made?"""
        # a sum is not finite if one number is not; it may also overflow, so then each number is checked
        return all(bool(np.isfinite(numbers.sum()) or np.isfinite(numbers).all()) for numbers in self._numbers)

    def variant(self, changed: Iterable[str]) -> Store:
        """The same fields, shared, except for copies of some that may then be changed."""
        other = Store(self.schema, self.sizes, self.number)
        for name, array in self.arrays.items():
            if name in changed:
                array = other.allocate(name)
                array[...] = self.arrays[name]
            other.attach(name, array)
        other.redirect(self.redirected)
        return other

    def _set_extents(self) -> None:
        """How many rows fields have, for kernels that check their indices."""
        for axis in self.schema.extents:
            self.table[self.schema.slot[EXTENT + axis]] = extent(axis, self.sizes)

    def set_size(self, size: str, count: int) -> None:
        """Change a size of the schema; rows that have it need fresh memory."""
        self.sizes[size] = count
        self.table[self.schema.slot[size]] = count
        self._set_extents()

    def grow(self) -> None:
        """Make room for the counts that the last call found, and half as much again.

        Raises:
            OutOfMemoryError: there is not so much memory.
        """
        for size in CAPACITY:
            needed = int(self.arrays[size].max(initial=0))  # of the world of a device that needs most
            if needed <= self.sizes[size]:
                continue
            try:
                if needed == LARGEST_INT:
                    raise MemoryError  # a count that went beyond what integers can hold
                self.resize(size, min(needed + needed // 2, LARGEST_INT))
                LOG.debug("memory grows: room for %d %s", self.sizes[size], COUNTED[size])
            except MemoryError:
                is_factor = size in ("nH", "nfill", "nheap")
                hint = 'the option solver="CG" needs none of it' if is_factor else "the scene is too large"
                words = f"there is not enough memory for {needed} {COUNTED[size]}: {hint}"
                raise OutOfMemoryError(f"{words}. The state is that before the step.") from None

    def resize(self, size: str, count: int) -> None:
        """Give the rows of a variable size fresh memory for `count` elements.

        Kernels are told last that there is more, so that a call that is interrupted leaves memory that fits.
        """
        former, self.sizes[size] = self.sizes[size], count
        try:
            rows = [name for name, row in self.schema.fields.items() if size in row.shape and name in self.arrays]
            fresh = {name: self.allocate(name) for name in rows}
        finally:
            self.sizes[size] = former
        is_less = count < former
        if is_less:
            self._tell_size(size, count)
        for name, array in fresh.items():
            self.attach(name, array)
        if not is_less:
            self._tell_size(size, count)

    def take_sizes(self, sizes: Mapping[str, int]) -> None:
        """The sizes of former memory, which is attached again."""
        self.sizes.update(sizes)
        self._set_extents()

    def _tell_size(self, size: str, count: int) -> None:
        """Let kernels know how many elements there is memory for."""
        if size in CAPACITY:
            self.arrays[CAPACITY[size]].fill(count)
        self.sizes[size] = count
        self._set_extents()


def memory_beyond(known: Store, stores: Iterable[Store]) -> int:
    """Bytes of arrays that stores have and `known` does not; those that several share count once."""
    own = [array for store in stores for array in (*store.arrays.values(), *store.redirected.values())]
    found = {array.__array_interface__["data"][0]: array.nbytes for array in own if array.size}
    for array in (*known.arrays.values(), *known.redirected.values()):
        found.pop(array.__array_interface__["data"][0], None)
    return sum(found.values())


def data_memory(sizes: Mapping[str, int], number: NumberType) -> Store:
    """Memory of a Data for a model of these sizes, all zero, without room yet for pairs, contacts and rows."""
    store = Store(SCHEMAS["data"], {**sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}, number)
    store.allocate_all()
    return store


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
