"""Runs of lane groups: what is loaded and stored for each, and how threads share them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from phalanx.batch import group
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.tables.field import Kind


class Transfers(NamedTuple):
    """Arrays outside a lane group by field: what goes in, and what comes out."""

    loaded: Mapping[str, np.ndarray]
    stored: Mapping[str, np.ndarray]


NO_TRANSFERS = Transfers({}, {})


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
    """A stretch of groups for each thread; threads that are done early take from those of others."""
    return [(ngroup * k // threads, ngroup * (k + 1) // threads) for k in range(threads)]


def is_whole(name: str) -> bool:
    """Is the field one of whole numbers?"""
    return DATA_SCHEMA.fields[name].kind is Kind.WHOLE
