"""How a batch runs: memory of its threads, what goes in and out of lane groups, and the calls of compiled code."""

from __future__ import annotations

import functools
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import is_interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.batch import group
from phalanx.batch import vary as varying
from phalanx.batch.arrange import BLOCK, Arrangement, arrange_entry
from phalanx.batch.binding import (
    ERRORS,
    KEPT,
    is_stored,
    parts_of,
)
from phalanx.batch.runs import (
    NO_TRANSFERS,
    Transfers,
    run_until_done,
    split_groups,
    transfer_table,
)
from phalanx.batch.team import Plan, Share, Team
from phalanx.hook.hooks import link_hooks, prepare_hooks
from phalanx.memory.errors import BadControlWarning, FieldError
from phalanx.memory.exclusive import Usage
from phalanx.memory.fill import flag
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.store import PlainView, Store
from phalanx.native.pace import Pace
from phalanx.native.threads import ThreadPool
from phalanx.pipeline.parts import link_parts, needed
from phalanx.sleep.awake_lists import run_over_all
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
        _plan_of_all: Plan | None
        _workspaces: list[Store]

    @functools.cached_property
    def _team(self) -> Team:
        return Team(self._pool, group.native_batch(self.number, self._is_varied))

    @functools.cached_property
    def _arrangement(self) -> Arrangement:
        return Arrangement(self._arrays["error_code"], self._arrays["row_pattern"], self._order)

    @property
    def _workers(self) -> Sequence[Share]:
        """What the threads work with in steps of all worlds, once there was one."""
        return self._plan_of_all.shares if self._plan_of_all else ()

    def _set_requests(self, requests: int) -> None:
        """Ask steps and forward passes to compute rows that they do not always compute."""
        self._requests = requests
        for workspace in self._workspaces:
            workspace.arrays["requests"].fill(requests)

    def _set_strict(self, strict: bool) -> None:
        is_strict = strict is not False and flag("strict", strict)
        if is_strict != self._is_strict:
            self._is_strict = is_strict
            for workspace in self._workspaces:
                workspace.arrays["is_strict"].fill(is_strict)

    def _retained(self) -> list[str]:
        """Bound rows of which a pass may leave elements as they were: with trees that sleep, any."""
        return [name for name in self._bound if name in RETAINED or self.model.nsleep]

    def _kept_array(self, name: str) -> np.ndarray:
        """Memory of a row that the batch has of all worlds: state, inputs, bound outputs."""
        return self._world_array(name)

    def _make_room(self, size: str, count: int, given: Mapping[str, Any]) -> None:
        """Make room for so many rays or contacts that are asked for, and write what is the same for all worlds."""
        for thread in range(min(self.threads, max(len(self._models), 1))):
            workspace = self._workspace(thread)
            if workspace.sizes[size] < count or is_interpreted():  # which copies whole rows
                workspace.resize(size, count)
            for name, values in given.items():
                workspace.arrays[name][...] = values

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
        self,
        around: Transfers,
        each_step: Transfers = NO_TRANSFERS,
        order: np.ndarray | None = None,
        groups: np.ndarray | None = None,
    ) -> Plan:
        """A share for each thread, and the fields that they load and store: around all steps, in each of a rollout.

        Args:
            around: arrays (n, ...).
            each_step: arrays (n, steps, ...).
            order: worlds in the order in which lane groups take them; None for all, alike ones together.
            groups: which lane groups; None for all.
        """
        order = self._order if order is None else order
        models, first_world = int(self._model_addresses.ctypes.data), int(order.ctypes.data)
        shares, wanted = [], [*needed(self._models[0]), *parts_of(self._requests)]
        ngroup = self._count_groups(len(order)) if groups is None else len(groups)
        threads = min(self.threads, ngroup)
        entries = [group.batch_entry(self.number, self._is_varied), arrange_entry(self.number.base)]
        for thread in range(threads):
            workspace = self._workspace(thread)
            link_hooks(workspace, self._is_varied)
            link_parts(workspace, self._is_varied, wanted, entries)
            transfer = transfer_table(workspace, self.n, around, each_step)
            # compiled code gets addresses: the share holds what they point to
            addresses = models, workspace.address, int(transfer.ctypes.data), len(transfer), first_world, len(order)
            held = (self._models, self._model_addresses, order, transfer, around, each_step)
            shares.append(Share(addresses, workspace, self._is_varied, held))
        return Plan(shares, split_groups(ngroup, threads), groups)

    def _count_groups(self, count: int) -> int:
        """How many lane groups so many worlds are."""
        return -(-count // self.number.worlds)

    def _groups_of(self, worlds: np.ndarray) -> np.ndarray:
        """The lane groups of some worlds, in the order of all."""
        return np.unique(worlds // self.number.worlds).astype(np.int64)

    def _run(
        self, op: int, n: int, strict: bool, each_step: Transfers = NO_TRANSFERS, worlds: np.ndarray | None = None
    ) -> None:
        """Steps or a forward pass of all worlds or of some."""
        if self.n == 0:
            return
        if strict is not self._is_strict:
            self._set_strict(strict)
        if worlds is not None:
            self._arrays["error_code"][worlds] = 0
            self._run_chosen(op, n, self._around(), worlds)
        elif is_interpreted():
            self._arrays["error_code"][...] = 0
            self._run_interpreted(op, n, self._around(), each_step)
        else:
            plan = self._plan_of_all
            if each_step is not NO_TRANSFERS:
                plan = self._plan(self._around(), each_step)
            elif plan is None:
                plan = self._plan_of_all = self._plan(self._around())
            # the numbers of varied models have their places in lanes
            self._arrangement.renew(0 if self.vary or self.number.width < 2 else BLOCK)
            self._run_plan(plan, op, n)

    def _run_chosen(self, op: int, n: int, around: Transfers, worlds: np.ndarray) -> None:
        """An operation in some worlds; the arrays of the others do not change."""
        if not len(worlds):
            return
        if is_interpreted():
            self._run_interpreted(op, n, around, worlds=worlds)
        elif self.vary:
            # lane groups have their places: neighbors run, too, and get back what they had
            groups, width = self._groups_of(worlds), self.number.worlds
            others = (groups[:, None] * width + np.arange(width)).reshape(-1)
            others = np.setdiff1d(others[others < self.n], worlds)
            before = {name: array[others] for name, array in around.stored.items()}
            order = np.arange(self.n, dtype=np.int64)
            try:
                self._run_plan(self._plan(around, order=order, groups=groups), op, n)
            finally:
                for name, values in before.items():
                    around.stored[name][others] = values
        else:
            order = worlds[np.argsort(self._arrays["row_pattern"][worlds], kind="stable")].astype(np.int64)
            self._run_plan(self._plan(around, order=order), op, n)

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
        kept = (*KEPT, *ERRORS, "contact_count", *self._retained())
        arrays = self._arrays if self.model.nsleep else {**self._arrays}
        if not self.model.nsleep:
            del arrays["tree_asleep"]  # nothing changes it
        return Transfers(
            {name: arrays[name] for name in kept if name in arrays},
            {name: array for name, array in arrays.items() if is_stored(name) or self.model._hooks},
        )

    def _run_plan(self, plan: Plan, op: int, n: int) -> None:
        """Run an operation in the lane groups of a plan."""
        if "warning_number" not in self._bound:
            if self._team.run(plan, op, n, self._paces[op]):
                self._warn_of_controls([share.workspace for share in plan.shares])
            return
        # where worlds count their warnings, there may be old ones
        counts = self._arrays["warning_number"][:, WarningType.BADCTRL]
        before = counts.copy()
        self._team.run(plan, op, n, self._paces[op])
        if np.any(counts > before):
            self._warn_of_controls([share.workspace for share in plan.shares])

    def _warn_of_controls(self, workspaces: Iterable[Store]) -> None:
        """Name a bad control, or say that there was one; forget that it was noted."""
        for workspace in workspaces:
            workspace.arrays["warning_number"][WarningType.BADCTRL] = 0
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
            # the memory was that of another world, of which others may have slept
            run_over_all(PlainView(store))
            for step in range(n if is_rollout else 1):
                for name, array in each_step.loaded.items():
                    store.arrays[name][...] = array[world % len(array), step % array.shape[1]]
                run_until_done(op, self._models[world], store, n)
                for name, array in each_step.stored.items():
                    array[world, step] = store.arrays[name]
            for name, array in around.stored.items():
                array[world] = store.arrays[name]
