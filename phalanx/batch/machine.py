"""How a batch runs: memory of its threads, what goes in and out of lane groups, and the calls of compiled code."""

from __future__ import annotations

import functools
import warnings
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.batch import group
from phalanx.batch import vary as varying
from phalanx.batch.binding import (
    ERRORS,
    KEPT,
    is_stored,
    parts_of,
)
from phalanx.batch.runs import (
    NO_TRANSFERS,
    Signal,
    Transfers,
    Worker,
    run_ranges,
    run_until_done,
    split_groups,
    transfer_table,
)
from phalanx.batch.threads import ThreadPool
from phalanx.hook.hooks import link_hooks, prepare_hooks
from phalanx.memory.errors import BadControlWarning, FieldError
from phalanx.memory.exclusive import Usage
from phalanx.memory.fill import flag
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.store import Store
from phalanx.native.pace import Pace
from phalanx.pipeline.parts import link_parts, needed
from phalanx.tables.enums import WarningType
from phalanx.tables.field import Kind
from phalanx.tables.requests import RETAINED
from phalanx.tables.sizes import MAXVAL
from phalanx.world.faults import control_warning
from phalanx.world.model import Model
from phalanx.world.typed import BatchFields


class Machine(BatchFields):
    """Memory and runs of a batch; `phalanx.BatchSim` adds what users see."""

    if TYPE_CHECKING:
        model: Model
        n: int
        number: NumberType
        threads: int
        vary: Mapping[str, np.ndarray]
        _arrays: dict[str, np.ndarray]
        _bound: dict[str, None]
        _is_strict: bool
        _models: list[Store]
        _model_addresses: np.ndarray
        _order: np.ndarray
        _paces: defaultdict[int, Pace]
        _pool: ThreadPool
        _requests: int
        _sizes: dict[str, int]
        _usage: Usage
        _variation: varying.Variation
        _workers: list[Worker]
        _workspaces: list[Store]

    @functools.cached_property
    def _native_call(self) -> Callable[..., int]:
        return group.native_batch(self.number, self._is_varied).call

    def _set_requests(self, requests: int) -> None:
        """Ask steps and forward passes to compute rows that they do not always compute."""
        self._requests = requests
        for workspace in self._workspaces:
            workspace.arrays["requests"].fill(requests)

    def _set_strict(self, strict: bool) -> None:
        is_strict = flag("strict", strict)
        if is_strict != self._is_strict:
            self._is_strict = is_strict
            for workspace in self._workspaces:
                workspace.arrays["is_strict"].fill(is_strict)

    def _retained(self) -> list[str]:
        """Bound rows of which a pass may leave elements as they were."""
        return [name for name in RETAINED if name in self._bound]

    def _world_array(self, name: str) -> np.ndarray:
        row = DATA_SCHEMA.fields[name]
        dtype = np.int32 if row.kind is Kind.WHOLE else self.number.dtype
        try:
            return aligned_zeros((self.n, *shape_of(row, self._sizes)), np.dtype(dtype))
        except (MemoryError, ValueError, OverflowError):
            raise FieldError(f"there is not enough memory for {name} of {self.n} worlds: ask for fewer") from None

    def _workspace(self, thread: int) -> Store:
        while len(self._workspaces) <= thread:
            store = Store(DATA_SCHEMA, self._sizes, self.number)
            store.allocate_all()
            store.arrays["is_strict"].fill(self._is_strict)
            store.arrays["requests"].fill(self._requests)
            prepare_hooks(store, self.model._hooks, self._is_varied)
            self._workspaces.append(store)
        return self._workspaces[thread]

    @property
    def _is_varied(self) -> bool:
        """Are numbers of the Model lanes, too?"""
        return bool(self.vary) and self.number.width > 1

    def _plan(
        self, around: Transfers, each_step: Transfers = NO_TRANSFERS, order: np.ndarray | None = None
    ) -> list[Worker]:
        """A worker for each thread, and the fields that they load and store: around all steps, in each of a rollout.

        Args:
            around: arrays (n, ...).
            each_step: arrays (n, steps, ...).
            order: worlds in the order in which lane groups take them; None for all, alike ones together.
        """
        order = self._order if order is None else order
        models, first_world = int(self._model_addresses.ctypes.data), int(order.ctypes.data)
        workers, wanted = [], [*needed(self._models[0]), *parts_of(self._requests)]
        for thread in range(min(self.threads, self._count_groups(len(order)))):
            workspace = self._workspace(thread)
            link_hooks(workspace, self._is_varied)
            link_parts(workspace, self._is_varied, wanted, [group.batch_entry(self.number, self._is_varied)])
            transfer = transfer_table(workspace, self.n, around, each_step)
            progress = np.zeros(2, np.int64)
            # compiled code gets addresses: the worker holds what they point to
            arguments = (models, workspace.address, int(transfer.ctypes.data), len(transfer), first_world, len(order))
            held = (self._models, self._model_addresses, order, around, each_step)
            workers.append(
                Worker(arguments, progress, int(progress.ctypes.data), transfer, workspace, self._is_varied, held)
            )
        return workers

    def _count_groups(self, count: int) -> int:
        """How many lane groups so many worlds are."""
        return -(-count // self.number.worlds)

    def _ranges_of(self, worlds: np.ndarray) -> list[tuple[int, int]]:
        """The lane groups of some worlds, in the order of all."""
        return [(first, first + 1) for first in np.unique(worlds // self.number.worlds).tolist()]

    def _run(
        self, op: int, n: int, strict: bool, each_step: Transfers = NO_TRANSFERS, worlds: np.ndarray | None = None
    ) -> None:
        """Steps or a forward pass of all worlds or of some."""
        if self.n == 0:
            return
        self._set_strict(strict)
        self._arrays["error_code"][slice(None) if worlds is None else worlds] = 0
        if worlds is not None:
            self._run_chosen(op, n, self._around(), worlds)
        elif is_interpreted():
            self._run_interpreted(op, n, self._around(), each_step)
        else:
            if any(each_step):
                workers = self._plan(self._around(), each_step)
            else:
                workers = self._workers = self._workers or self._plan(self._around())
            if self.number.width > 1 and not self.vary:  # the numbers of varied models have their places in lanes
                self._order[:] = np.argsort(self._arrays["row_pattern"], kind="stable")
            self._run_workers(workers, op, n)

    def _run_chosen(self, op: int, n: int, around: Transfers, worlds: np.ndarray) -> None:
        """An operation in some worlds; the arrays of the others do not change."""
        if not len(worlds):
            return
        if is_interpreted():
            self._run_interpreted(op, n, around, worlds=worlds)
        elif self.vary:
            # lane groups have their places: neighbors run, too, and get back what they had
            ranges = self._ranges_of(worlds)
            width = self.number.worlds
            others = np.concatenate([np.arange(first * width, min(last * width, self.n)) for first, last in ranges])
            others = np.setdiff1d(others, worlds)
            before = {name: array[others] for name, array in around.stored.items()}
            order = np.arange(self.n, dtype=np.int64)
            try:
                self._run_workers(self._plan(around, order=order), op, n, ranges)
            finally:
                for name, values in before.items():
                    around.stored[name][others] = values
        else:
            order = worlds[np.argsort(self._arrays["row_pattern"][worlds], kind="stable")].astype(np.int64)
            workers = self._plan(around, order=order)
            self._run_workers(workers, op, n, split_groups(self._count_groups(len(order)), len(workers)))

    def _ask(
        self,
        op: int,
        n: int,
        answers: dict[str, np.ndarray],
        given: Mapping[str, np.ndarray] | None = None,
        worlds: np.ndarray | None = None,
    ) -> dict[str, np.ndarray]:
        """Fill arrays (n, ...) by field with what an operation finds at the present state, which does not change.

        Args:
            op: the operation.
            n: what it takes.
            answers: the arrays.
            given: what is loaded beside state and inputs, by field.
            worlds: which; None for all.
        """
        if self.n and any(array.size for array in answers.values()):
            around = Transfers({**{name: self._arrays[name] for name in KEPT}, **(given or {})}, answers)
            self._set_strict(False)
            self._run_chosen(op, n, around, np.arange(self.n) if worlds is None else worlds)
        return answers

    def _around(self) -> Transfers:
        """What every run loads and stores; hooks may write inputs, too."""
        return Transfers(
            {name: self._arrays[name] for name in (*KEPT, *ERRORS, "contact_count", *self._retained())},
            {name: array for name, array in self._arrays.items() if is_stored(name) or self.model._hooks},
        )

    def _run_workers(self, workers: list[Worker], op: int, n: int, ranges: list[tuple[int, int]] | None = None) -> None:
        """Run an operation in ranges of groups, by default all of them."""
        call, stop = self._native_call, Signal()
        ranges = split_groups(len(self._models), len(workers)) if ranges is None else ranges
        task = functools.partial(run_ranges, call, ranges, op, n, self._paces[op], stop)
        counts = self._arrays["warning_number"][:, WarningType.BADCTRL] if "warning_number" in self._bound else None
        before = None if counts is None else counts.copy()
        self._pool.run([functools.partial(task, worker) for worker in workers], stop)
        # where worlds count their warnings, there may be old ones
        if stop.has_bad_control if counts is None else np.any(counts > before):
            self._warn_of_controls(workers)

    def _warn_of_controls(self, workers: list[Worker]) -> None:
        """Name a bad control, or say that there was one."""
        for worker in workers:
            worker.workspace.arrays["warning_number"][WarningType.BADCTRL] = 0
        words = "a control was NaN, infinite or beyond 1e10: all controls of its world were taken as zero in that step"
        for name in ("ctrl", "history"):
            bad = np.argwhere(~(np.abs(self._arrays[name]) <= MAXVAL))
            if len(bad):
                world, index = bad[0].tolist()
                arrays = {field: self._arrays[field][world] for field in ("ctrl", "history")}
                words = control_warning(self.model, arrays, index if name == "ctrl" else 0, world)
                break
        warnings.warn(words, BadControlWarning, stacklevel=6)

    def _run_interpreted(
        self,
        op: int,
        n: int,
        around: Transfers,
        each_step: Transfers = NO_TRANSFERS,
        worlds: np.ndarray | None = None,
    ) -> None:
        if self.number.width:
            raise FieldError("a batch runs interpreted only in float64, with lanes=1")
        store = self._workspace(0)
        is_rollout = any(each_step)
        for world in range(self.n) if worlds is None else worlds.tolist():
            store.arrays["error_code"][...] = 0
            for name, array in around.loaded.items():
                store.arrays[name][...] = array[world]
            for step in range(n if is_rollout else 1):
                for name, array in each_step.loaded.items():
                    store.arrays[name][...] = array[world % len(array), step % array.shape[1]]
                run_until_done(op, self._models[world], store, n)
                for name, array in each_step.stored.items():
                    array[world, step] = store.arrays[name]
            for name, array in around.stored.items():
                array[world] = store.arrays[name]
