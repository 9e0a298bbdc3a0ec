"""Runs of lane groups: what is loaded and stored for each, and how threads share them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from phalanx.batch import group
from phalanx.batch.threads import Stop
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native.pace import Pace
from phalanx.pipeline.parts import relieve
from phalanx.tables.field import Kind

#: Parts of the work that a thread takes at a time, if there are several threads.
RANGES_PER_THREAD = 4


class Transfers(NamedTuple):
    """Arrays outside a lane group by field: what goes in, and what comes out."""

    loaded: Mapping[str, np.ndarray]
    stored: Mapping[str, np.ndarray]


NO_TRANSFERS = Transfers({}, {})


class Signal(Stop):
    """What tasks and the thread that waits for them tell each other."""

    has_bad_control = False


class Worker(NamedTuple):
    """What one thread works with. It keeps alive all memory that its addresses point to."""

    arguments: tuple[int, ...]
    progress: np.ndarray
    progress_address: int
    transfer: np.ndarray
    workspace: Store
    is_varied: bool
    held: tuple[Any, ...]


def run_until_done(op: int, model: Store, store: Store, n: int) -> None:
    """Run an operation of a batch in one world interpreted, with as much memory as it takes."""
    m, d, done = PlainView(model), PlainView(store), 0
    with np.errstate(all="ignore"):
        done = group.run_physics(m, d, op, n, done)
        while lacks_memory(d):
            store.grow()
            done = group.run_physics(m, d, op, n, done)


def transfer_table(workspace: Store, n: int, around: Transfers, each_step: Transfers) -> np.ndarray:
    """What is loaded and stored for each lane group of n worlds; see the columns in group.py.

    Args:
        workspace: memory of a lane group.
        n: how many worlds.
        around: arrays (n, ...) that are loaded before and stored after all steps of a group.
        each_step: arrays (n, steps, ...) of a rollout; an axis of length 1 serves all worlds or all steps.
    """
    rows = []
    for name, array in {**around.loaded, **around.stored}.items():
        loads, stores = (group.ONCE if name in arrays else group.NEVER for arrays in around)
        rows.append((name, array, array.size // n, array.size // n, 0, loads, stores))
    for arrays, times in zip(each_step, ((group.EACH_STEP, group.NEVER), (group.NEVER, group.EACH_STEP)), strict=True):
        for name, array in arrays.items():
            count, (worlds, steps) = array[0, 0].size, array.shape[:2]
            strides = (count * steps if worlds > 1 else 0, count if steps > 1 else 0)
            rows.append((name, array, count, *strides, *times))
    table = [
        (array.ctypes.data, workspace.arrays[name].ctypes.data, *columns, is_whole(name))
        for name, array, *columns in rows
        if array.size
    ]
    return np.array(table, np.int64).reshape(len(table), group.TRANSFER_COLUMNS)


def split_groups(ngroup: int, threads: int) -> list[tuple[int, int]]:
    """Ranges of groups, a few for each thread, so that those that are done early can take more."""
    count = min(ngroup, RANGES_PER_THREAD * threads) if threads > 1 else 1
    return list(itertools.pairwise(np.linspace(0, ngroup, count + 1).astype(int).tolist()))


def run_ranges(
    call: Callable[..., Any],
    ranges: list[tuple[int, int]],
    op: int,
    n: int,
    pace: Pace,
    stop: Signal,
    worker: Worker,
) -> None:
    """Take ranges of groups while there are any, or until `stop` is asked.

    Args:
        call: the entry of the batch.
        ranges: what is left to do, of all threads.
        op: what to do.
        n: how many steps, or what else the operation takes.
        pace: how many steps of groups a call may take, so that signals are handled in between.
        stop: whether to end early.
        worker: memory of this thread.
    """
    steps = n if op in (group.STEP, group.ROLLOUT) else 1
    while True:
        try:
            first, last = ranges.pop()  # threads take turns: one of them gets it
        except IndexError:
            return
        while first < last:
            # several groups with all their steps, or some steps of one group
            count = min(max(pace.amount // max(steps, 1), 1), last - first)
            if steps <= pace.amount:
                run_groups(call, worker, (first, first + count), op, n, (0, n), pace, stop)
            else:
                run_some_steps(call, worker, first, op, n, pace, stop)
            if stop.is_asked:
                return
            first += count


def run_some_steps(
    call: Callable[..., Any], worker: Worker, first: int, op: int, n: int, pace: Pace, stop: Signal
) -> None:
    """All steps of one group, in several calls."""
    done = 0
    while done < n and not stop.is_asked:
        until = min(done + pace.amount, n)
        run_groups(call, worker, (first, first + 1), op, until, (done, until), pace, stop)
        done = until


def run_groups(
    call: Callable[..., Any],
    worker: Worker,
    groups: tuple[int, int],
    op: int,
    n: int,
    steps: tuple[int, int],
    pace: Pace,
    stop: Signal,
) -> None:
    """Some steps of some groups; a group that runs out of memory goes on where it was, with more."""
    first, last = groups
    began = perf_counter()
    worker.progress[:] = first, steps[0]
    arguments = (op, *worker.arguments, last, worker.progress_address, n)
    found = call(*arguments)
    while worker.progress[0] < last and not stop.is_asked:
        relieve(worker.workspace, worker.is_varied)
        found = call(*arguments)
    if found:
        stop.has_bad_control = True
    amount = (last - first) * (steps[1] - steps[0] if op in (group.STEP, group.ROLLOUT) else 1)
    pace.note(amount, perf_counter() - began)


def is_whole(name: str) -> bool:
    """Is the field one of whole numbers?"""
    return DATA_SCHEMA.fields[name].kind is Kind.WHOLE
