"""Which images the step of a model is made of, and how a Data finds them.

`tables/parts.py` says which kernels form a part and which models need it. The table of slots of a Data holds the
address of each kernel that is a part; for one that is not loaded, that of a stub which notes that it was called.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from phalanx.algebra.jit import Part
from phalanx.algebra.number_type import NumberType, spread
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime
from phalanx.native.entry import Letters, PartUnit
from phalanx.tables.parts import PART_SLOTS, PARTS

#: Makes a part's unit from its name, in a process that compiles.
ORIGIN = "phalanx.pipeline.parts:unit_named"
#: Image of the stubs.
ABSENT = "absent"


def suffix_of(number: NumberType, varied: bool) -> str:
    """What the names of all units for a number type end with; `varied`: the Model has its own numbers per world."""
    return f"{number.name}_varied" if varied else number.name


def number_of(suffix: str) -> tuple[NumberType, bool]:
    """The number type that a name ends with, and whether the Model has its own numbers per world."""
    kind, _, varied = suffix.partition("_")
    base, sleeps = {"f64": "float64", "f32": "float32"}[kind[:3]], kind.endswith("s")
    if kind[3:4] == "w":
        return spread(base, sleeps), varied == "varied"
    count = int(kind[4:].removesuffix("s") or 0)
    if kind[3:4] == "d":
        return NumberType(base, tangents=count), varied == "varied"
    return NumberType(base, count, sleeps=sleeps), varied == "varied"


def letters(number: NumberType, varied: bool) -> Letters:
    """Types that parts take."""
    from phalanx.memory.view import part_letters

    return part_letters(number, varied)


# --- units


@functools.cache
def part_unit(name: str, number: NumberType, varied: bool) -> PartUnit:
    """The unit of a row of the table, for a number type."""
    if number.sleeps and not PARTS[name].sleeps:
        return part_unit(name, replace(number, sleeps=False), varied)
    make = functools.partial(letters, number, varied)
    build = functools.partial(kernels_of, name)
    return PartUnit(f"{name}_{suffix_of(number, varied)}", build, make, ORIGIN, PARTS[name].effort)


@functools.cache
def absent_unit() -> PartUnit:
    """The unit of the stubs; they fit all number types, as they touch an integer only."""
    make = functools.partial(letters, NumberType("float64"), False)
    return PartUnit(ABSENT, stubs, make, ORIGIN)


def unit_named(name: str) -> PartUnit:
    """The unit of this name."""
    if name == ABSENT:
        return absent_unit()
    row = next(row for row in sorted(PARTS, key=len, reverse=True) if name.startswith(f"{row}_"))
    return part_unit(row, *number_of(name[len(row) + 1 :]))


def kernels_of(name: str) -> tuple[Part, ...]:
    """The kernels of a row of the table."""
    found = []
    for path in PARTS[name].kernels:
        module, _, kernel = path.partition(":")
        found.append(getattr(importlib.import_module(module), kernel))
    return tuple(found)


def stubs() -> tuple[Part, ...]:
    """What stands in for each part that is not loaded: it notes which one was called."""
    return tuple(stub(k) for k in range(len(PART_SLOTS)))


def stub(index: int) -> Part:
    """What stands in for one part: it notes the place of its slot, counted from 1."""

    def absent(m, d):
        d.absent_part = index + 1
        return 0

    absent.__name__ = f"absent_{index}"
    return Part(absent, "md", "i")


# --- addresses


def needed(model: Store) -> list[str]:
    """The parts that the step of a model is expected to call."""
    m = PlainView(model)
    return [name for name, row in PARTS.items() if row.needed(m)]


def link_parts(data: Store, varied: bool, wanted: Iterable[str] = (), units: Iterable[Any] = ()) -> None:
    """Load parts and put their addresses where the step finds them; others that are loaded stay.

    Args:
        data: memory of a Data.
        varied: has the Model its own numbers per world?
        wanted: parts to load.
        units: what else to load at the same time.
    """
    chosen = {name: part_unit(name, data.number, varied) for name in wanted if name not in data.parts}
    is_new = not data.parts
    runtime.prepare([*([absent_unit()] if is_new else []), *units, *chosen.values()])
    if is_new:
        for k, slot in enumerate(PART_SLOTS):
            data.table[data.schema.slot[slot]] = runtime.address_of(absent_unit(), f"part_absent_{k}")
    for name, unit in chosen.items():
        for slot in PARTS[name].slots:
            data.table[data.schema.slot[slot]] = runtime.address_of(unit, slot)
    data.parts |= {*chosen, ABSENT}


def relieve(data: Store, varied: bool) -> None:
    """Give an operation what it lacked: a part that was absent, else more memory."""
    absent = int(data.arrays["absent_part"])
    if absent == 0:
        data.grow()
        return
    slot = PART_SLOTS[absent - 1]
    link_parts(data, varied, [name for name, row in PARTS.items() if slot in row.slots])
