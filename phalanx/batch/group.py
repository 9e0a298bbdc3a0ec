"""The compiled loop over lane groups: load W worlds, run, store."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from phalanx.algebra.compile import Entry, NativeEntry, load
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import minimum
from phalanx.algebra.number_type import NumberType
from phalanx.batch.pattern import note_pattern
from phalanx.collision.ray import rays
from phalanx.model.growth import lacks_memory
from phalanx.pipeline.entries import define
from phalanx.pipeline.forward import forward
from phalanx.pipeline.step import steps
from phalanx.smooth.kinematics import kinematics

#: Operations of a batch.
STEP, FORWARD, RAYS = range(3)

#: Columns of the transfer table: one row for each field that is loaded or stored.
WORLD_ADDRESS, LANE_ADDRESS, NUMBERS, IS_LOADED, IS_STORED, IS_WHOLE = range(6)
TRANSFER_COLUMNS = 6


@kernel
def load_field(world, lane, numbers, order, first, nworld, width):
    """The worlds of a group, from a world-first array into a lane field; the last world fills up a group."""
    for w in range(width):
        start = order[minimum(first + w, nworld - 1)] * numbers
        for k in range(numbers):
            lane[k * width + w] = world[start + k]


@kernel
def store_field(world, lane, numbers, order, first, nworld, width):
    """A lane field into the worlds of a group of a world-first array."""
    for w in range(minimum(width, nworld - first)):
        start = order[first + w] * numbers
        for k in range(numbers):
            world[start + k] = lane[k * width + w]


@kernel
def run_physics(m, d, op, n, progress):
    """Step or forward; a step that is repeated goes on where it was."""
    if op == STEP:
        steps(m, d, n - progress[1])
    else:
        forward(m, d)
    note_pattern(d)


@kernel
def run_rays(m, d, op, n, progress):
    """n rays from the present position."""
    kinematics(m, d)
    rays(m, d, n)


#: Operation -> the entry that has it.
ENTRY_OF = {STEP: "batch", FORWARD: "batch", RAYS: "batch_rays"}
RUN = {"batch": run_physics, "batch_rays": run_rays}

_SOURCE = """
def batch(op, model_addresses, d_address, transfer_address, nfield, order_address, nworld, last, progress_address, n):
    d = data_at(d_address)
    order = integers_at(order_address)
    models, transfer = integers_at(model_addresses), transfer_at(transfer_address)
    progress = progress_at(progress_address)
    for group in range(progress[0], last):
        m = model_at(models[group])
        first = group * width
        for row in range(nfield):
            if transfer[row, is_loaded] != 0:
                world, lane, count = transfer[row, world_address], transfer[row, lane_address], transfer[row, numbers]
                if transfer[row, is_whole] != 0:
                    load_field(integers32_at(world), wholes_at(lane), count, order, first, nworld, width)
                else:
                    load_field(numbers_at(world), numbers_at(lane), count, order, first, nworld, width)
        d.error_code = 0.0
        run(m, d, op, n, progress)
        for row in range(nfield):
            if transfer[row, is_stored] != 0:
                world, lane, count = transfer[row, world_address], transfer[row, lane_address], transfer[row, numbers]
                if transfer[row, is_whole] != 0:
                    store_field(integers32_at(world), wholes_at(lane), count, order, first, nworld, width)
                else:
                    store_field(numbers_at(world), numbers_at(lane), count, order, first, nworld, width)
        progress[0] = group
        if lacks_memory(d):
            progress[1] = progress[1] + d.steps_done
            return 0
        progress[1] = 0
    progress[0] = last
    return 0
"""


def build_batch(number: NumberType, varied: bool, entry: str) -> Callable[..., int]:
    """The function that runs lane groups of a number type."""
    from numba import types

    from phalanx.algebra.fields import FieldType, field_at
    from phalanx.model.view import ViewType, view_at

    scalar = getattr(types, number.base)
    model_number = (number if varied else number.one_world).numba
    names: dict[str, Any] = {
        "width": number.worlds,
        "is_loaded": IS_LOADED,
        "is_stored": IS_STORED,
        "is_whole": IS_WHOLE,
        "world_address": WORLD_ADDRESS,
        "lane_address": LANE_ADDRESS,
        "numbers": NUMBERS,
        "load_field": load_field,
        "store_field": store_field,
        "run": RUN[entry],
        "model_at": view_at(ViewType("model", model_number, constant=True)),
        "data_at": view_at(ViewType("data", number.numba, constant=False)),
        "integers_at": field_at(FieldType(types.int64, (), "batch.models", True)),
        "progress_at": field_at(FieldType(types.int64, (), "batch.progress", False)),
        "lacks_memory": lacks_memory,
        "transfer_at": field_at(FieldType(types.int64, (TRANSFER_COLUMNS,), "batch.transfer", True)),
        "numbers_at": field_at(FieldType(scalar, (), "", False)),
        "integers32_at": field_at(FieldType(types.int32, (), "", False)),
        "wholes_at": field_at(FieldType(scalar if number.width > 1 else types.int32, (), "", False)),
    }
    return define(_SOURCE, names, "batch")


def batch_entry(number: NumberType, varied: bool = False, entry: str = "batch") -> Entry:
    """The entry that runs lane groups of this number type."""
    suffix = "_varied" if varied else ""
    return Entry(f"{entry}_{number.name}{suffix}", lambda: build_batch(number, varied, entry), arity=10)


@cache
def native_batch(number: NumberType, varied: bool, op: int) -> NativeEntry:
    """The loaded entry that has an operation."""
    return load(batch_entry(number, varied, ENTRY_OF[op]))
