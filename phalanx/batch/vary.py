"""Models that differ from world to world: their present values, and the memory that each lane group of a batch reads.

A row that varies is a lane: one number per world. Rows that derive from varied ones are recomputed in lanes by the same
kernels that `Model.replace` uses, so a world sees exactly the numbers of its own replaced model. All other rows are
shared between groups.

Structure (integers and flags) is shared by all worlds: what any world needs, or has needed, is there for all. A world
that does not need it computes the same bits with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.batch.vary_constants import DERIVED, Constants, number_of_constants
from phalanx.batch.vary_memory import GroupMemory, shared_rows
from phalanx.batch.vary_seen import seen_values
from phalanx.batch.vary_structure import Structure
from phalanx.batch.vary_values import Values, check_counts, check_sides, check_vary
from phalanx.memory.store import Store
from phalanx.native.threads import ThreadPool
from phalanx.pipeline import derive
from phalanx.pipeline.exact_frames import FRAME_ROWS
from phalanx.tables.model_fields import SETCONST_INPUTS
from phalanx.world.model import Model

__all__ = ["Variation", "check_vary", "group_models", "model_of_world"]


def model_of_world(model: Model, vary: Mapping[str, np.ndarray], world: int) -> Model:
    """The model of one world on its own."""
    return model.replace(**{name: values[world] for name, values in vary.items()}) if vary else model


def group_models(model: Model, vary: Mapping[str, np.ndarray], n: int, number: NumberType) -> list[Store]:
    """One Model memory per lane group."""
    return Variation(model, vary, n, number, ThreadPool(1)).stores


class Layout:
    """Memory of all lane groups in which the same fields vary, and what computes derived constants of their worlds.

    Attributes:
        names: the fields that vary.
        memory: of the lane groups.
        constants: computes derived constants; None if nothing is derived from the fields that vary.
        has_boxes: do groups have boxes of their own around the geoms of bodies?
    """

    def __init__(
        self, model: Model, number: NumberType, names: set[str], structure: Structure, ngroup: int, pool: ThreadPool
    ):
        self.names, sizes = names, model._store.sizes
        derives = bool(names & SETCONST_INPUTS)
        self.has_boxes = derives and bool(model._store.arrays["flg_sweep"])  # only a sweep looks at them
        frames = set(FRAME_ROWS) if names & set(FRAME_ROWS) else set()
        own = {*names, *frames, *(DERIVED if derives else ()), *(("bvh_aabb",) if self.has_boxes else ())}
        shared = shared_rows(model, number) | structure.rows
        self.memory = GroupMemory(sizes, number, shared, own, ngroup)
        self.constants: Constants | None = None
        if derives:
            computed_in = number_of_constants(number)
            if computed_in != number:
                shared = shared_rows(model, computed_in) | structure.rows
            self.constants = Constants(sizes, computed_in, shared, (names | frames) & SETCONST_INPUTS, ngroup, pool)


class Staged(NamedTuple):
    """What is written when all has been checked and computed.

    Attributes:
        layout: of the memory.
        worlds: that change.
        values: new numbers of the user, (k, *shape).
        rows: what kernels will see, (k, *shape).
        renew: what else to do if the layout is a new one.
    """

    layout: Layout
    worlds: np.ndarray
    values: Values
    rows: Values
    renew: Callable[[], None] | None


class Variation:
    """The fields that differ from world to world, their present values, and the Model memory of all lane groups.

    Args:
        model: of all worlds, where they do not differ.
        vary: values by name of the field, (n, *shape), checked.
        n: how many worlds.
        number: of the batch.
        pool: the threads that compute derived constants.

    Attributes:
        shown: the present values by name of the field, (n, *shape), read-only.
        derived: which worlds have derived constants of their own; the others have those of the model.
        stores: Model memory of each lane group; it stays the same list, with other elements when more fields vary.
        addresses: of the stores, for kernels; it stays the same array.
    """

    def __init__(self, model: Model, vary: Mapping[str, np.ndarray], n: int, number: NumberType, pool: ThreadPool):
        self._model, self._n, self._number, self._pool = model, n, number, pool
        self._values: Values = {}
        self._views: Values = {}
        self.shown: Mapping[str, np.ndarray] = MappingProxyType(self._views)
        self.derived = np.zeros(n, bool)
        self.stores = [model.store_for(number.base)] * -(-n // number.worlds)
        self.addresses = np.array([store.address for store in self.stores] or [0], np.int64)
        self._layout: Layout | None = None
        if n:
            self.change(np.arange(n), dict(vary), lambda: None)
        else:
            self._keep(np.arange(0), dict(vary))

    @cached_property
    def _structure(self) -> Structure:
        return Structure(self._model)

    # --- changes

    def change(self, worlds: np.ndarray, values: Values, renew: Callable[[], None]) -> None:
        """Give some worlds new values and all that follows from them. An error changes nothing.

        Args:
            worlds: k indices.
            values: by name of the field, (k, *shape), checked.
            renew: called when `stores` has other elements than before; may be called again.
        """
        if not len(worlds) or not values:
            return
        own = {name: array[worlds] for name, array in self._values.items()} | values
        check_counts(self._model, own, worlds)
        check_sides(self._model, values, worlds)
        self._structure.check(worlds, values)
        seen = seen_values(self._model, own, number_of_constants(self._number).dtype)
        is_new = self._layout is None or not values.keys() <= self._layout.names
        layout = self._extended({*own}) if is_new or self._layout is None else self._layout
        # from here on nothing can be wrong; more structure does not change what other worlds compute
        self._structure.grow({name: seen[name] for name in values})
        staged = Staged(layout, worlds, values, self._rows(layout, seen, values), renew if is_new else None)
        uninterrupted(lambda: self._commit(staged))

    def _extended(self, names: set[str]) -> Layout:
        """Memory in which more fields vary; every world sees in it what it sees now."""
        layout = Layout(self._model, self._number, names, self._structure, len(self.stores), self._pool)
        if self._layout is not None:
            for name, rows in self._layout.memory.rows.items():
                layout.memory.rows[name][...] = rows
        return layout

    def _rows(self, layout: Layout, seen: Values, values: Values) -> Values:
        """What kernels will see in the worlds that change: new values, and what derives from them."""
        changed = {*values, *(FRAME_ROWS if values.keys() & set(FRAME_ROWS) else ())}
        rows = {name: array for name, array in seen.items() if name in changed}
        if layout.constants is not None and values.keys() & SETCONST_INPUTS:
            inputs = {name: array for name, array in seen.items() if name in SETCONST_INPUTS}
            rows |= layout.constants.compute(inputs)
        return rows

    def _commit(self, staged: Staged) -> None:
        """Write what was computed. Doing it again writes the same."""
        layout, worlds = staged.layout, staged.worlds
        self._keep(worlds, staged.values)
        positions, sources = self._places(worlds)
        with np.errstate(over="ignore"):  # a derived number may be too large for single precision
            for name, rows in staged.rows.items():
                layout.memory.write(name, positions, rows[sources])
        if staged.renew is not None:
            self.addresses[:] = [store.address for store in layout.memory.stores]
            self._layout, self.stores[:] = layout, layout.memory.stores
            staged.renew()
        if staged.values.keys() & SETCONST_INPUTS:
            self.derived[worlds] = True
            for group in np.unique(worlds // self._number.worlds).tolist() if layout.has_boxes else ():
                derive.derive_boxes(self.stores[group].arrays, self._model._store.sizes)

    def _keep(self, worlds: np.ndarray, values: Values) -> None:
        """Note the new values of some worlds, for `shown`."""
        for name, rows in values.items():
            if name not in self._views:
                array = self._model._store.arrays[name]
                self._values[name] = np.repeat(array[None], self._n, axis=0)
                self._views[name] = self._values[name].view()
                self._views[name].flags.writeable = False
            self._values[name][worlds] = rows

    def _places(self, worlds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions in the memory of the groups that some worlds fill, and which of these worlds fills each.

        The last world fills up the last lane group.
        """
        spare = np.arange(self._n, len(self.stores) * self._number.worlds)
        last = np.flatnonzero(worlds == self._n - 1)
        spare = spare[: len(spare) * len(last)]
        return np.concatenate([worlds, spare]), np.concatenate([np.arange(len(worlds)), np.repeat(last, len(spare))])

    @property
    def rows(self) -> Values:
        """Rows of the Model that lane groups own, as kernels see them, (groups, *shape)."""
        return {} if self._layout is None else self._layout.memory.rows

    # --- one world, and another batch

    def model_of(self, world: int) -> Model:
        """The model of one world on its own."""
        values = self._values if self.derived[world] else self.early
        return model_of_world(self._model, values, world)

    @property
    def early(self) -> Values:
        """Fields of which every world has its own values with all that follows, as if it was made with them."""
        if self.derived.all():
            return dict(self._values)
        return {name: array for name, array in self._values.items() if name not in SETCONST_INPUTS}

    @property
    def late(self) -> tuple[np.ndarray, Values]:
        """The other fields, (k, *shape), of the worlds that have values of their own; these worlds come first."""
        worlds, early = np.flatnonzero(self.derived), self.early
        return worlds, {name: array[worlds] for name, array in self._values.items() if name not in early}


def uninterrupted(commit: Callable[[], None]) -> None:
    """Do all of something that may be done again from its start; an interrupt is raised when it is done."""
    interrupt = None
    while True:
        try:
            commit()
            break
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt
