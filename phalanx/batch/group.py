"""The compiled loop over lane groups: load W worlds, run, store."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.number import any_, minimum
from phalanx.algebra.number_type import NumberType
from phalanx.algebra.sharing import shared_get, shared_set
from phalanx.batch.board import (
    AMOUNT,
    AT_WORK,
    BAD_CONTROL,
    BEGIN,
    COMPLETE,
    DATA,
    DONE,
    FIELDS,
    FOUND,
    GROUP,
    GROUPS,
    HELP,
    IDLE,
    LACKING,
    MODELS,
    NONE,
    OP,
    ORDER,
    SLEEPERS,
    SLICE,
    STOP,
    TRANSFER,
    WAITING,
    WORKED,
    WORLDS,
    N,
    await_run,
    close_run,
    leave_run,
    open_run,
    place_of,
    take_group,
)
from phalanx.batch.pattern import note_pattern
from phalanx.collision.ray.ray import rays
from phalanx.memory.growth import lacks_memory
from phalanx.native.entry import Entry
from phalanx.native.runtime import NativeEntry, load
from phalanx.pipeline.forward import forward
from phalanx.pipeline.initial_state import initial_state_where
from phalanx.pipeline.inverse import inverse
from phalanx.pipeline.parts import letters, number_of, suffix_of
from phalanx.pipeline.requested import requested_rows
from phalanx.pipeline.step import begin_asleep, steps
from phalanx.pipeline.world_queries import jacobians, list_contacts
from phalanx.sleep.awake_lists import run_over_all
from phalanx.smooth.kinematics import kinematics
from phalanx.tables.enums import WarningType

#: Operations of a batch.
STEP, FORWARD, RAYS, ROLLOUT, INVERSE, INITIAL, JACOBIANS, CONTACTS = range(8)
#: A Jacobian is asked for by one integer, counted from 1: its kind, and so many times the object.
JACOBIAN_KINDS = 8

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
    """What a batch is asked for: steps, or something at the present state. Returns how many steps are done.

    n is how many steps in all, how many rays, which Jacobian, or for how many contacts there is room.
    """
    d.steps_done = 0
    if op == FORWARD:
        forward(m, d)
        if d.requests != 0 and not lacks_memory(d):
            requested_rows(m, d)
    elif op == INVERSE:
        inverse(m, d)
    elif op == INITIAL:
        initial_state_where(m, d)
        if any_(d.is_reset != 0.0):
            begin_asleep(m, d)
        return done if lacks_memory(d) else n
    elif op == RAYS:
        kinematics(m, d)
        rays(m, d, n)
    elif op == JACOBIANS:
        jacobians(m, d, (n - 1) % JACOBIAN_KINDS, (n - 1) // JACOBIAN_KINDS)
    elif op == CONTACTS:
        forward(m, d)
        if not lacks_memory(d):
            list_contacts(m, d, n)
    else:
        steps(m, d, 1 if op == ROLLOUT else n - done)
    note_pattern(d)
    if lacks_memory(d):
        return done + d.steps_done
    # a group that has failed keeps its last state in all steps to come
    return done + 1 if op == ROLLOUT else n


@kernel
def has_bad_control(d):
    """Was a control taken as zero?"""
    return any_(d.warning_number[WarningType.BADCTRL] > 0.0)


def group_loop(data_at: Any, run_group: Kernel, counted: tuple[int, ...], has_finding: Kernel) -> Callable[..., int]:
    """The function of an entry by which threads share lane groups: see `board.py`.

    Args:
        data_at: makes the view of the Data of an address.
        run_group: runs a group: `f(models, d, board, place, group, until)`; returns whether it lacks memory or code.
        counted: operations of which n counts steps, that may be done some at a time.
        has_finding: of a Data: is there something that the caller must be told?
    """
    from phalanx.native.number import array_at

    integers_at = array_at("int64", alias="batch.models", constant=True)
    board_at = array_at("int64", alias="batch.board")

    @kernel
    def run_share(board, thread):
        """Take groups and run them until there are no more, or the thread has done as much as a call may."""
        place, op, n = place_of(thread), board[OP], board[N]
        models, d = integers_at(board[place + MODELS]), data_at(board[place + DATA])
        is_counted = op in counted
        board[place + WORKED] = 0
        while shared_get(board, STOP) == 0:
            if board[place + WORKED] >= board[AMOUNT]:
                return SLICE
            if board[place + GROUP] == NONE:
                board[place + GROUP] = take_group(board, thread)
                board[place + DONE] = 0
            if board[place + GROUP] == NONE:
                break
            group = board[place + GROUP]
            if board[place + GROUPS] != 0:
                group = integers_at(board[place + GROUPS])[group]
            # of a group with very many steps, some at a time
            done = board[place + DONE]
            until = min(n, done + board[AMOUNT] - board[place + WORKED]) if is_counted else n
            if run_group(models, d, board, place, group, until):
                return LACKING
            board[place + WORKED] = board[place + WORKED] + (max(until - done, 1) if is_counted else 1)
            if board[place + DONE] >= n:
                board[place + GROUP] = NONE
        board[place + GROUP] = NONE
        if has_finding(d):
            shared_set(board, FOUND, 1)
        return COMPLETE

    # the first argument is the address of the board
    def batch(board, thread, what, op, n, amount, patience):
        board = board_at(board)
        if what == HELP:
            while board[place_of(thread) + AT_WORK] != 0 or await_run(board, thread, patience):
                status = run_share(board, thread)
                if status != COMPLETE:
                    return status
                leave_run(board, thread)
            return IDLE
        if what == BEGIN and open_run(board, op, n, amount):
            return SLEEPERS
        board[AMOUNT] = amount
        status = run_share(board, thread)
        if status != COMPLETE:
            return status
        if not close_run(board, patience):
            return WAITING
        return BAD_CONTROL if shared_get(board, FOUND) != 0 else COMPLETE

    return batch


def build_batch(number: NumberType, varied: bool) -> Callable[..., int]:
    """The function that runs lane groups of a number type."""
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    width = number.worlds
    model_at = view_at("model", number if varied else number.one_world, constant=True)
    data_at = view_at("data", number, constant=False)
    integers_at = array_at("int64", alias="batch.models", constant=True)
    transfer_at = array_at("int64", (TRANSFER_COLUMNS,), "batch.transfer", constant=True)
    # arrays of the user and of the lane group, which the transfer table points to
    numbers_at, integers32_at = array_at(number.base), array_at("int32")
    wholes_at = array_at(number.base if number.width > 1 else "int32")

    @kernel
    def move(transfer, nfield, column, when, step, order, first, nworld):
        """Load or store the fields that are due."""
        for row in range(nfield):
            if transfer[row, column] == when:
                world, lane = transfer[row, WORLD_ADDRESS], transfer[row, LANE_ADDRESS]
                start = step * transfer[row, STEP_STRIDE]
                place = (transfer, row, start, order, first, nworld, width)
                if column == LOADED and transfer[row, IS_WHOLE] != 0:
                    load_field(integers32_at(world), wholes_at(lane), *place)
                elif column == LOADED:
                    load_field(numbers_at(world), numbers_at(lane), *place)
                elif transfer[row, IS_WHOLE] != 0:
                    store_field(integers32_at(world), wholes_at(lane), *place)
                else:
                    store_field(numbers_at(world), numbers_at(lane), *place)

    @kernel
    def run_group(models, d, board, place, group, until):
        """Load, run and store one lane group, up to a count of steps. Returns whether it lacks memory or code."""
        transfer, order = transfer_at(board[place + TRANSFER]), integers_at(board[place + ORDER])
        nfield, nworld = board[place + FIELDS], board[place + WORLDS]
        m, first, done, is_short = model_at(models[group]), group * width, board[place + DONE], False
        d.error_code = 0.0
        d.absent_part = 0
        move(transfer, nfield, LOADED, ONCE, 0, order, first, nworld)
        run_over_all(d)
        while done < until and not is_short:
            move(transfer, nfield, LOADED, EACH_STEP, done, order, first, nworld)
            done = run_physics(m, d, board[OP], until, done)
            is_short = lacks_memory(d)
            if not is_short:
                move(transfer, nfield, STORED, EACH_STEP, done - 1, order, first, nworld)
        move(transfer, nfield, STORED, ONCE, 0, order, first, nworld)
        board[place + DONE] = done
        return is_short

    return group_loop(data_at, run_group, (STEP, ROLLOUT), has_bad_control)


def batch_entry(number: NumberType, varied: bool = False) -> Entry:
    """The entry that runs lane groups of this number type."""
    return _batch_entry(number, varied)


@functools.cache
def _batch_entry(number: NumberType, varied: bool) -> Entry:
    return Entry(
        f"batch_{suffix_of(number, varied)}",
        functools.partial(build_batch, number, varied),
        arity=7,
        letters=functools.partial(letters, number, varied),
        origin="phalanx.batch.group:entry_named",
    )


def entry_named(name: str) -> Entry:
    """The entry of this name, in a process that compiles."""
    return batch_entry(*number_of(name.partition("_")[2]))


def native_batch(number: NumberType, varied: bool) -> NativeEntry:
    """The loaded entry."""
    return load(batch_entry(number, varied))
