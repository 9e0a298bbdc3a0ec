"""Derived constants of many worlds at once, by the kernels that `Model.replace` uses.

The chosen worlds are packed into lane groups of their own, however they are spread over the groups of the batch: what
is computed costs as much as those worlds do, and no other world is touched. The kernels give each lane the bits of one
world alone.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.vary_memory import GroupMemory
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.store import Store, data_memory
from phalanx.native.entry import Entry
from phalanx.native.runtime import NativeEntry, load
from phalanx.native.threads import Stop, ThreadPool
from phalanx.pipeline.checks import SHORT
from phalanx.pipeline.derived import CONSTANTS
from phalanx.pipeline.entries import ENTRY_OF, OPERATION_NUMBER, parts_for, world_entry
from phalanx.pipeline.operations import run_interpreted
from phalanx.pipeline.parts import link_parts, relieve
from phalanx.tables.field import Kind
from phalanx.tables.model_fields import SETCONST_INPUTS

#: Real rows that are derived.
DERIVED = tuple(name for name, row in MODEL_SCHEMA.fields.items() if row.setconst and row.kind is Kind.REAL)
#: Derived rows that the kernels also read: in part, or in some kinds of objects, they are numbers of the user.
READ_AND_DERIVED = tuple(name for name in DERIVED if name in SETCONST_INPUTS)
#: Most lane groups that are filled before kernels run: enough for all threads, little enough for the cache.
GROUPS_AT_ONCE = 32
#: Lane groups for which waking another thread pays.
GROUPS_PER_THREAD = 4


def number_of_constants(number: NumberType) -> NumberType:
    """What constants are computed in: lanes in their own precision, single worlds in double as by `Model.replace`."""
    return number if number.width > 1 else one_world("float64")


class Constants:
    """Computes derived constants of worlds with the given numbers.

    Args:
        sizes: of the Model.
        number: see `number_of_constants`.
        shared: rows of the Model for that number type.
        inputs: rows that differ from world to world.
        ngroup: most lane groups that the worlds of one call fill.
        pool: the threads that work.
    """

    def __init__(
        self,
        sizes: Mapping[str, int],
        number: NumberType,
        shared: Mapping[str, np.ndarray],
        inputs: set[str],
        ngroup: int,
        pool: ThreadPool,
    ):
        self._sizes, self._number, self._shared, self._pool = sizes, number, shared, pool
        self._memory = GroupMemory(sizes, number, shared, inputs | set(DERIVED), min(ngroup, GROUPS_AT_ONCE))
        self._derived = [name for name in DERIVED if self._memory.rows[name].size]
        self._poses: list[Store] = []

    def compute(self, values: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The derived rows of k worlds, (k, *shape).

        Args:
            values: numbers of these worlds, as kernels see them, (k, *shape).
        """
        k = len(next(iter(values.values())))
        at_once = len(self._memory.stores) * self._number.worlds
        parts: dict[str, list[np.ndarray]] = {name: [] for name in self._derived}
        for first in range(0, k, at_once):
            count = min(at_once, k - first)
            self._load({name: array[first : first + count] for name, array in values.items()}, count)
            self._run(-(-count // self._number.worlds))
            for name, found in parts.items():
                found.append(self._memory.read(name, np.arange(count)))
        return {name: found[0] if len(found) == 1 else np.concatenate(found) for name, found in parts.items()}

    def _load(self, values: Mapping[str, np.ndarray], k: int) -> None:
        """Fill lane groups with k worlds, the rest of the last one with its last world."""
        ngroup = -(-k // self._number.worlds)
        positions = np.arange(ngroup * self._number.worlds)
        sources = np.minimum(positions, k - 1)
        for name in READ_AND_DERIVED:
            self._memory.rows[name][:ngroup] = self._shared[name]
        for name, array in values.items():
            self._memory.write(name, positions, array[sources])

    def _run(self, ngroup: int) -> None:
        """The kernels on the first lane groups."""
        waiting, stop = self._memory.stores[:ngroup], Stop()
        if is_interpreted():
            for store in waiting:
                for operation in CONSTANTS:
                    run_interpreted(operation, store, self._pose(0))
            return
        threads = min(self._pool.size, max(ngroup // GROUPS_PER_THREAD, 1))
        poses = [self._pose(thread) for thread in range(threads)]
        for pose in poses:
            if not pose.parts:
                link_parts(pose, self._is_varied, parts_for(CONSTANTS[0], waiting[0]), [self._entry])
        self._pool.run([functools.partial(self._work, pose, waiting, stop) for pose in poses], stop)

    @functools.cached_property
    def _native(self) -> NativeEntry:
        return load(self._entry)

    @property
    def _entry(self) -> Entry:
        return world_entry(self._number, self._is_varied, ENTRY_OF[CONSTANTS[0]])

    @property
    def _is_varied(self) -> bool:
        return self._number.width > 1

    def _pose(self, thread: int) -> Store:
        """Memory of a Data for a thread."""
        while len(self._poses) <= thread:
            self._poses.append(data_memory(self._sizes, self._number))
        return self._poses[thread]

    def _work(self, pose: Store, waiting: list[Store], stop: Stop) -> None:
        """Take groups while there are any, or until `stop` is asked."""
        call = self._native.call
        while not stop.is_asked:
            try:
                store = waiting.pop()  # threads take turns: one of them gets it
            except IndexError:
                return
            for operation in CONSTANTS:
                arguments = (OPERATION_NUMBER[operation], store.address, pose.address, 0)
                while call(*arguments) == SHORT and not stop.is_asked:
                    relieve(pose, self._is_varied)
