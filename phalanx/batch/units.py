"""All that can be compiled ahead: one place for `phalanx warmup`, for `phalanx doctor` and for ready-made wheels."""

from __future__ import annotations

from collections.abc import Iterable

from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.batch import AUTO_LANES
from phalanx.batch.group import batch_entry
from phalanx.collision.shape.queries import shapes_entry
from phalanx.native.entry import Unit
from phalanx.native.runtime import CALLER
from phalanx.pipeline.entries import world_entry
from phalanx.pipeline.parts import absent_unit, needed, part_unit
from phalanx.tables.parts import PARTS
from phalanx.world.model import Model

#: Precisions that can be asked for.
DTYPES = tuple(AUTO_LANES)


def all_units(dtypes: Iterable[str] = DTYPES, lanes: int | None = None, vary: bool = True) -> list[Unit]:
    """Everything that a program may need except its own hooks: Model, Data, BatchSim, shapes.

    Args:
        dtypes: "float64", "float32".
        lanes: worlds per vector register of batches; None for what BatchSim chooses.
        vary: also what batches need whose worlds differ in fields of the Model.
    """
    units: dict[str, Unit] = {}

    def add(*more: Unit) -> None:
        units.update({unit.name: unit for unit in more})

    add(CALLER, absent_unit(), world_entry(one_world("float64"), entry="constants"), shapes_entry())
    for dtype in dtypes:
        add(*(world_entry(one_world(dtype), entry=entry) for entry in ("world", "asked")))
        add(batch_entry(one_world(dtype)), *parts_of(one_world(dtype), False))
        width = AUTO_LANES[dtype] if lanes is None else lanes
        if width > 1:
            number = NumberType(dtype, width)
            add(batch_entry(number), *parts_of(number, False))
            if vary:
                # derived constants are recomputed in the lanes of the batch
                add(world_entry(number, varied=True, entry="constants"), batch_entry(number, varied=True))
                add(*parts_of(number, True))
    return list(units.values())


def units_for(model: Model, dtype: str = "float64") -> list[Unit]:
    """What stepping a model takes, in one world and in a batch."""
    one, many = one_world(dtype), NumberType(dtype, AUTO_LANES[dtype])
    wanted = needed(model._store)
    parts = [part_unit(name, number, False) for name in wanted for number in (many, one)]
    return [CALLER, absent_unit(), *parts, batch_entry(many), world_entry(one)]


def parts_of(number: NumberType, varied: bool) -> list[Unit]:
    """All parts for a number type."""
    return [part_unit(name, number, varied) for name in PARTS]


def unit_named(name: str) -> Unit:
    """The unit of this name among all."""
    return next(unit for unit in all_units() if unit.name == name)
