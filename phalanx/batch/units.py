"""All that can be compiled ahead: one place for `phalanx warmup`, for `phalanx doctor` and for ready-made wheels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.arrange import arrange_entry
from phalanx.batch.batch import AUTO_LANES
from phalanx.batch.difference_groups import groups_entry, slopes_entry
from phalanx.batch.group import batch_entry
from phalanx.batch.ik_groups import ik_entry
from phalanx.collision.sdf.plugin_samples import plugin_samples_entry
from phalanx.collision.shape.queries import shapes_entry
from phalanx.native.entry import Unit
from phalanx.native.runtime import CALLER
from phalanx.pipeline.entries import ENTRIES, world_entry
from phalanx.pipeline.parts import absent_unit, needed, part_unit
from phalanx.render.picture_entry import NUMBER as PIXELS
from phalanx.render.picture_entry import render_entry
from phalanx.tables.parts import PARTS
from phalanx.world.model import Model

#: Precisions that can be asked for.
DTYPES = tuple(AUTO_LANES)
#: Worlds per vector register that can be asked for.
LANES = (1, 2, 4, 8, 16)
#: All of them, where a number is expected.
ALL_LANES = "all"


class Use(Enum):
    """What a unit is compiled for."""

    #: whatever the numbers are
    ANY = auto()
    #: models, which are double precision
    MODEL = auto()
    #: one world
    WORLD = auto()
    #: worlds in lanes
    BATCH = auto()
    #: worlds in lanes that differ in fields of the Model
    VARIED = auto()


@dataclass(frozen=True)
class Family:
    """Units that differ in nothing but the number type.

    Attributes:
        uses: what they are compiled for.
        make: the unit of a number type; the second argument says whether numbers of the Model are lanes, too.
        bases: precisions that they are compiled for.
    """

    uses: tuple[Use, ...]
    make: Callable[[NumberType, bool], Unit]
    bases: tuple[str, ...] = DTYPES


#: Entries of the pipeline that are not compiled for everything: derived constants of models are double precision, and
#: only a Data is asked for more than a step computes.
_USES_OF_ENTRIES = {
    "world": (Use.WORLD, Use.BATCH), "constants": (Use.MODEL, Use.VARIED), "asked": (Use.WORLD,),
}  # fmt: skip
_EVERY_USE = (Use.WORLD, Use.BATCH, Use.VARIED)


def _entry_family(entry: str) -> Family:
    uses = _USES_OF_ENTRIES.get(entry, _EVERY_USE)
    return Family(uses, lambda number, varied: world_entry(number, varied, entry))


def _part_family(name: str) -> Family:
    return Family(_EVERY_USE, lambda number, varied: part_unit(name, number, varied))


#: Everything that the package compiles, hooks of the user aside.
FAMILIES: tuple[Family, ...] = (
    Family((Use.ANY,), lambda number, varied: CALLER),
    Family((Use.ANY,), lambda number, varied: absent_unit()),
    Family((Use.ANY,), lambda number, varied: shapes_entry()),
    Family((Use.ANY,), lambda number, varied: plugin_samples_entry()),
    Family((Use.ANY,), lambda number, varied: render_entry(PIXELS)),
    Family((Use.ANY,), lambda number, varied: slopes_entry()),
    *(_entry_family(entry) for entry in ENTRIES),
    Family(_EVERY_USE, lambda number, varied: arrange_entry(number.base)),
    Family(_EVERY_USE, batch_entry),
    Family((Use.MODEL, Use.BATCH, Use.VARIED), groups_entry, bases=("float64",)),
    Family((Use.MODEL, Use.BATCH), lambda number, varied: ik_entry(number), bases=("float64",)),
    *(_part_family(name) for name in PARTS),
)


def all_units(dtypes: Iterable[str] = DTYPES, lanes: int | str | None = None, vary: bool = True) -> list[Unit]:
    """Everything that a program may need except its own hooks: Model, Data, BatchSim, shapes, pictures, profiles.

    Args:
        dtypes: "float64", "float32".
        lanes: worlds per vector register of batches; None for what BatchSim chooses, "all" for every choice.
        vary: also what batches need whose worlds differ in fields of the Model.
    """
    units: dict[str, Unit] = {}
    for use, number in _number_types(dtypes, lanes, vary):
        for family in FAMILIES:
            if use in family.uses and number.base in family.bases:
                unit = family.make(number, use is Use.VARIED)
                units[unit.name] = unit
    return list(units.values())


def _number_types(dtypes: Iterable[str], lanes: int | str | None, vary: bool) -> Iterator[tuple[Use, NumberType]]:
    """What to compile for, and with which number type."""
    double = one_world("float64")
    yield from ((Use.ANY, double), (Use.MODEL, double))
    for dtype in dtypes:
        yield Use.WORLD, one_world(dtype)
        yield Use.WORLD, one_world(dtype, sleeps=True)
        for width in LANES if lanes == ALL_LANES else (AUTO_LANES[dtype] if lanes is None else int(lanes),):
            if width > 1:
                yield Use.BATCH, NumberType(dtype, width)
                if vary:
                    yield Use.VARIED, NumberType(dtype, width)


def units_for(model: Model, dtype: str = "float64") -> list[Unit]:
    """What stepping a model takes, in one world and in a batch."""
    one = one_world(dtype, sleeps=model.nsleep > 0)
    many = one if one.sleeps else NumberType(dtype, AUTO_LANES[dtype])
    wanted = needed(model._store)
    parts = [part_unit(name, number, False) for name in wanted for number in dict.fromkeys((many, one))]
    return [CALLER, absent_unit(), *parts, arrange_entry(dtype), batch_entry(many), world_entry(one)]


def unit_named(name: str) -> Unit:
    """The unit of this name among all."""
    return next(unit for unit in all_units() if unit.name == name)
