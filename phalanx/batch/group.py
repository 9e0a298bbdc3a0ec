"""The compiled loop over lane groups: load W worlds, run, store."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
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
from phalanx.pipeline.inverse import inverse
from phalanx.pipeline.step import steps
from phalanx.smooth.kinematics import kinematics

#: Operations of a batch.
STEP, FORWARD, RAYS, ROLLOUT, INVERSE = range(5)

#: Columns of the transfer table: one row for each field that is loaded or stored. Strides count numbers of the array
#: outside, from world to world and from step to step.
WORLD_ADDRESS, LANE_ADDRESS, NUMBERS, WORLD_STRIDE, STEP_STRIDE, LOADED, STORED, IS_WHOLE = range(8)
TRANSFER_COLUMNS = 8
#: When a field is loaded or stored: never, around all steps of a group, or around each step of a rollout.
NEVER, ONCE, EACH_STEP = range(3)


@kernel
def load_field(world, lane, transfer, row, start, order, first, nworld, width):
    """The worlds of a group, from a world-first array into a lane field; the last world fills up a group."""
    numbers, stride = transfer[row, NUMBERS], transfer[row, WORLD_STRIDE]
    for w in range(width):
        source = start + order[minimum(first + w, nworld - 1)] * stride
        for k in range(numbers):
            lane[k * width + w] = world[source + k]


@kernel
def store_field(world, lane, transfer, row, start, order, first, nworld, width):
    """A lane field into the worlds of a group of a world-first array."""
    numbers, stride = transfer[row, NUMBERS], transfer[row, WORLD_STRIDE]
    for w in range(minimum(width, nworld - first)):
        target = start + order[first + w] * stride
        for k in range(numbers):
            world[target + k] = lane[k * width + w]


@kernel
def run_physics(m, d, op, n, done):
    """Forward or inverse, all steps that are left, or one step of a rollout. Returns how many steps are done."""
    d.steps_done = 0
    if op == FORWARD:
        forward(m, d)
    elif op == INVERSE:
        inverse(m, d)
    else:
        steps(m, d, 1 if op == ROLLOUT else n - done)
    note_pattern(d)
    if lacks_memory(d):
        return done + d.steps_done
    # a group that has failed keeps its last state in all steps to come
    return done + 1 if op == ROLLOUT else n


@kernel
def run_rays(m, d, op, n, done):
    """n rays from the present position."""
    kinematics(m, d)
    rays(m, d, n)
    return n


#: Operation -> the entry that has it.
ENTRY_OF = {STEP: "batch", FORWARD: "batch", RAYS: "batch_rays", ROLLOUT: "batch", INVERSE: "batch"}
RUN = {"batch": run_physics, "batch_rays": run_rays}

_MOVE = """
def move(transfer, nfield, column, when, step, order, first, nworld):
    for row in range(nfield):
        if transfer[row, column] == when:
            world, lane = transfer[row, world_address], transfer[row, lane_address]
            start = step * transfer[row, step_stride]
            if column == loaded and transfer[row, is_whole] != 0:
                load_field(integers32_at(world), wholes_at(lane), transfer, row, start, order, first, nworld, width)
            elif column == loaded:
                load_field(numbers_at(world), numbers_at(lane), transfer, row, start, order, first, nworld, width)
            elif transfer[row, is_whole] != 0:
                store_field(integers32_at(world), wholes_at(lane), transfer, row, start, order, first, nworld, width)
            else:
                store_field(numbers_at(world), numbers_at(lane), transfer, row, start, order, first, nworld, width)
"""

_BATCH = """
def batch(op, model_addresses, d_address, transfer_address, nfield, order_address, nworld, last, progress_address, n):
    d = data_at(d_address)
    order = integers_at(order_address)
    models, transfer = integers_at(model_addresses), transfer_at(transfer_address)
    progress = progress_at(progress_address)
    for group in range(progress[0], last):
        m = model_at(models[group])
        first = group * width
        done = progress[1]
        is_short = False
        d.error_code = 0.0
        move(transfer, nfield, loaded, once, 0, order, first, nworld)
        while done < n and not is_short:
            move(transfer, nfield, loaded, each_step, done, order, first, nworld)
            done = run(m, d, op, n, done)
            is_short = lacks_memory(d)
            if not is_short:
                move(transfer, nfield, stored, each_step, done - 1, order, first, nworld)
        move(transfer, nfield, stored, once, 0, order, first, nworld)
        progress[0] = group
        progress[1] = done if is_short else 0
        if is_short:
            return 0
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
        "loaded": LOADED,
        "stored": STORED,
        "once": ONCE,
        "each_step": EACH_STEP,
        "is_whole": IS_WHOLE,
        "world_address": WORLD_ADDRESS,
        "lane_address": LANE_ADDRESS,
        "step_stride": STEP_STRIDE,
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
    names["move"] = kernel(define(_MOVE, names, "move"))
    return define(_BATCH, names, "batch")


def batch_entry(number: NumberType, varied: bool = False, entry: str = "batch") -> Entry:
    """The entry that runs lane groups of this number type."""
    suffix = "_varied" if varied else ""
    return Entry(f"{entry}_{number.name}{suffix}", partial(build_batch, number, varied, entry), arity=10)


@cache
def native_batch(number: NumberType, varied: bool, op: int) -> NativeEntry:
    """The loaded entry that has an operation."""
    return load(batch_entry(number, varied, ENTRY_OF[op]))
