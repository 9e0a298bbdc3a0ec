"""Snapshots of a Data: all its fields at one moment, in memory that nobody can write to.

A snapshot that a Data has made and that nobody could change is known to fit every Data of the same model: its bytes
are copied back as they are. Contents from elsewhere (files, pickles, mappings of the user) are checked field by field
first, see `restore.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from phalanx.memory.atomic import VARIABLE_FIELDS, complete, fixed_memory
from phalanx.memory.awake import look_anew
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.named import Named, unknown
from phalanx.memory.store import FieldsOnDemand, Store
from phalanx.tables.data_domains import ASKED_FOR
from phalanx.tables.scratch_fields import CAPACITY

#: Fields that users see, in the order of the tables.
PUBLIC = tuple(name for name, row in DATA_SCHEMA.fields.items() if not row.scratch)
#: Those whose memory grows, by the field that counts their valid rows.
_ROWS = tuple(DATA_SCHEMA.fields[name] for name in VARIABLE_FIELDS if name in PUBLIC)
_GROWING = {str(row.live): tuple(other.name for other in _ROWS if other.live == row.live) for row in _ROWS}
#: Counts that there may be too little memory for.
_ROOM = frozenset((*CAPACITY, *ASKED_FOR))
#: Those whose memory does not.
_FIXED = frozenset(name for name in PUBLIC if name not in VARIABLE_FIELDS)
#: Memory of a field without elements.
_VOID = bytes(8)


class Layout(NamedTuple):
    """Where the fields of fixed size are; the same in every Data of a model and a precision, which share this object.

    Attributes:
        stretches: parts of the memory of a Data that hold them: first and last byte.
        places: field -> where it is in these parts, one after the other, its shape and its type.
        without_rows: field whose memory grows -> what it is while it has none.
    """

    stretches: tuple[tuple[int, int], ...]
    places: Mapping[str, tuple[int, tuple[int, ...], np.dtype]]
    without_rows: Mapping[str, np.ndarray]


def layout_of(data: Store) -> Layout:
    """The layout of a Data."""
    assert isinstance(data.arrays, FieldsOnDemand)
    stretches: list[tuple[int, int]] = []
    places, length = {}, 0
    for first, last, name in data.arrays.in_order():
        if name not in _FIXED:
            continue
        # neighbors are copied together
        if stretches and stretches[-1][1] == first:
            stretches[-1] = stretches[-1][0], last
        else:
            stretches.append((first, last))
        places[name] = length, data.arrays[name].shape, data.arrays[name].dtype
        length += last - first
    growing = {name: data.arrays[name] for names in _GROWING.values() for name in names}
    void = {name: np.ndarray((0, *array.shape[1:]), array.dtype, _VOID) for name, array in growing.items()}
    return Layout(tuple(stretches), places, void)


class Snapshot(Named[np.ndarray]):
    """Everything a Data holds at one moment. Pickles, and restores into any Data of the same model.

    Its arrays cannot be written: copy one to change it, `{**snapshot, "qpos": other}` restores another.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], layout: Layout | None = None, memory: bytes = b""):
        self._arrays, self._layout, self._memory = dict(arrays), layout, memory

    def __getitem__(self, name: str) -> np.ndarray:
        if not isinstance(name, str):
            raise unknown(name, self)
        array, layout = self._arrays.get(name), self._layout
        if array is None:
            if layout is not None and name in layout.without_rows:
                return layout.without_rows[name]
            if layout is None or name not in layout.places:
                raise unknown(name, self)
            place, shape, dtype = layout.places[name]
            array = np.ndarray(shape, dtype, self._memory, place)
            live = DATA_SCHEMA.fields[name].live
            array = self._arrays[name] = array[: int(self[live])] if live else array
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays) if self._layout is None else iter(PUBLIC)

    def __len__(self) -> int:
        return len(self._arrays) if self._layout is None else len(PUBLIC)

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot, (dict(self),)

    def __repr__(self) -> str:
        return f"<Snapshot of {len(self)} fields at time {float(self['time']):g}>"


def take(data: Store, layout: Layout) -> Snapshot:
    """A copy of every field of a Data."""
    arrays, memory, kept = data.arrays, fixed_memory(data), {}
    for count, names in _GROWING.items():
        rows = int(arrays[count])
        for name in names if rows else ():
            array = arrays[name]
            # bytes cannot be written, whatever flags say
            kept[name] = np.ndarray((rows, *array.shape[1:]), array.dtype, array[:rows].tobytes() or _VOID)
    return Snapshot(kept, layout, b"".join([memory[first:last].tobytes() for first, last in layout.stretches]))


def known_snapshot(snapshot: Any, data: Store, layout: Layout) -> Snapshot | None:
    """The snapshot, if it was taken of a Data with this layout and there is room for it; else None."""
    if type(snapshot) is not Snapshot or snapshot._layout is not layout:
        return None
    has_room = all(int(snapshot[size]) <= data.sizes[size] for size in _GROWING if size in _ROOM)
    return snapshot if has_room else None


def put(snapshot: Snapshot, data: Store) -> None:
    """Write a known snapshot into the memory of a Data. An interrupt comes when all of it is written."""
    layout = snapshot._layout
    assert layout is not None
    source, target = np.frombuffer(snapshot._memory, np.uint8), fixed_memory(data)

    def write() -> None:
        place = 0
        for first, last in layout.stretches:
            target[first:last] = source[place : place + last - first]
            place += last - first
        # what the solver needs for these rows is counted when it runs
        for count in ("nH", "nfill", "nheap"):
            data.arrays[count].fill(0)
        look_anew(data.arrays)
        for count, names in _GROWING.items():
            rows = int(snapshot[count])
            for name in names if rows else ():
                data.arrays[name][:rows] = snapshot[name]

    complete(write)
