"""Derivatives of a step by finite differences: all nudged worlds are lanes, stepped at once.

What is needed for that is kept with the Data or the batch, so that the next call allocates nothing but its result.
"""

from __future__ import annotations

import functools

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.batch.batch import MAX_THREADS, BatchSim, choose_number
from phalanx.batch.binding import KEPT
from phalanx.batch.difference_groups import DifferenceGroups, Slopes
from phalanx.derivative.analytic import NOT_OF_THE_STEP, analytic_transition, analytic_transitions
from phalanx.derivative.directions import (
    Columns,
    Sides,
    control_sides,
    labels_of,
    one_by_one,
    side_by_side,
    state_columns,
)
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import flag, lanes_asked, whole
from phalanx.pipeline.nudged import BACKWARD
from phalanx.world.data import Data
from phalanx.world.derivatives import checked_step
from phalanx.world.model import Model
from phalanx.world.provided import provide
from phalanx.world.transition_result import Transition

#: What an outcome is made of, with sensors and without.
STATE_OUTPUTS, ALL_OUTPUTS = ("qpos", "qvel", "act"), ("qpos", "qvel", "act", "sensordata")
#: Bytes of outcomes of a batch that are kept at once, about.
OUTCOME_BYTES = 1 << 24
#: Ways to compute derivatives.
METHODS = ("fd", "analytic", "hybrid")


def transition(
    data: Data | BatchSim,
    method: str = "fd",
    *,
    eps: float = 1e-6,
    centered: bool = True,
    sensors: bool = True,
    one_sided: bool = True,
    lanes: int | str = "auto",
    threads: int = 1,
) -> Transition:
    """Derivatives of a step of a Data or of all worlds of a BatchSim, which do not change; see `Data.transition`."""
    if not isinstance(method, str) or method not in METHODS:
        raise FieldError(f"method is {' or '.join(map(repr, METHODS))}, not {method!r}")
    options = Options(
        checked_step(eps), flag("centered", centered), flag("sensors", sensors), flag("one_sided", one_sided)
    )
    threads = whole("threads", threads, 1, MAX_THREADS)
    check_differentiable(data.model)
    # a model that nothing can change has no columns
    if method != "fd" and data.model.nv + data.model.na + data.model.nu:
        if isinstance(data, BatchSim):
            found = analytic_transitions(data, options.sensors)
        else:
            found = analytic_transition(data, options.sensors)
        if method == "analytic" or not NOT_OF_THE_STEP & set(found.remaining):
            return found
        # what exact derivatives leave out is in the differences of steps
    if isinstance(data, BatchSim):
        return batch_differences(data, options, lanes, threads)
    return differences_of(data, options, lanes, threads).transition(data, options)


class Options:
    """How finite differences are taken.

    Attributes:
        eps: size of the nudges.
        centered: to both sides?
        sensors: are sensors differentiated, too?
        one_sided: at a kink, is the side taken that is on the same piece of the physics?
    """

    def __init__(self, eps: float, centered: bool, sensors: bool, one_sided: bool):
        self.eps, self.centered, self.sensors, self.one_sided = eps, centered, sensors, one_sided


def check_awake(model: Model) -> None:
    """Refuse models whose trees can sleep."""
    if model.nsleep:
        raise ModelError(
            "derivatives do not go with sleep: states nearby would wake trees, or not; "
            'take a model without the flag: model.replace(opt={"enableflags": 0})'
        )


def check_differentiable(model: Model) -> None:
    """Refuse models whose state is more than positions, velocities and activations: delays, and trees that sleep."""
    check_awake(model)
    if model.nhistory:
        raise ModelError(
            "delays of controls or sensors cannot be differentiated: the next state depends on what was stored before, "
            "which is no part of (qpos, qvel, act)"
        )


# --- one world


def differences_of(data: Data, options: Options, lanes: int | str, threads: int) -> WorldDifferences:
    """What a Data keeps for differences of this kind; made when it is first asked for."""
    kept = data.__dict__.setdefault("_kept_differences", {})
    key = options.centered, options.sensors, lanes_asked(lanes), threads
    if key not in kept:
        kept[key] = WorldDifferences(data, options, lanes, threads)
    return kept[key]


class WorldDifferences:
    """Differences of the steps of one Data: a job for each nudge, side by side in lanes."""

    def __init__(self, data: Data, options: Options, lanes: int | str, threads: int):
        model = self.model = data.model
        self.columns = state_columns(model, options.centered)
        self._labels = functools.cache(lambda: labels_of(model, self.columns))
        number = choose_number(model, len(self.columns.jobs), "float64", lanes)
        arrays = data._store.arrays
        # double precision is read where it is
        self._is_double = data._store.number.base == "float64"
        self._base = {name: arrays[name][None] if self._is_double else as_double(arrays[name][None]) for name in KEPT}
        self.groups = DifferenceGroups(
            model,
            self._base,
            self.columns.jobs,
            np.zeros(len(self.columns.jobs), np.int64),
            side_by_side(model, self.columns, number.worlds),
            ALL_OUTPUTS if options.sensors else STATE_OUTPUTS,
            number=number,
            threads=threads,
            is_reported=options.sensors and model.nsensor > 0,
        )
        self.slopes = Slopes(self.groups, columns_table(self.columns))
        self._nx = 2 * model.nv + model.na
        self._is_limited = bool(model.actuator_ctrllimited.any())
        self._eps = 0.0
        self._placed = b""

    def transition(self, data: Data, options: Options) -> Transition:
        """The derivatives at the present state of the Data."""
        if not self._is_double:
            for name, array in self._base.items():
                array[0] = data._store.arrays[name]
        if options.eps != self._eps:
            self._eps = options.eps
            self.groups.amounts[:] = options.eps * self.columns.signs
            self.slopes.widths[:] = options.eps
            self._placed = b""
        if self._is_limited:
            self._place_controls(self._base["ctrl"][0], options)
        outcome = self.groups.run()
        if outcome[0, -1]:
            data._copied().step()  # raises what stops the world
        matrix, ncolumn = np.empty((self.slopes.rows, len(self.slopes.columns))), len(self.slopes.columns)
        self.slopes.take(matrix.reshape(-1), 0, ncolumn, ncolumn, options.one_sided)
        findings = self.slopes.findings.copy()
        after = outcome[0].copy()
        rows = {name: after[place] for name, place in self.groups.places.items()}
        rows.setdefault("sensordata", np.zeros(0))
        found = Transition(matrix, self._nx, "fd", findings, self._labels, rows, np.zeros((), bool))
        if options.one_sided and not options.centered and findings[:, 0].any():
            look_back(data, found, findings, options, self)
        return found

    def _place_controls(self, ctrl: np.ndarray, options: Options) -> None:
        """Controls at the end of their range are nudged inwards; beyond it not at all."""
        m, columns, values = self.model, self.columns, ctrl.tobytes()
        if values == self._placed:
            return
        self._placed = values
        sides = control_sides(m.actuator_ctrllimited, m.actuator_ctrlrange, ctrl, options.eps, options.centered)
        first = self._nx
        place_controls(self.slopes.columns[first:], self.groups.amounts, columns, sides, options.eps, first)


def look_back(
    data: Data, found: Transition, findings: np.ndarray, options: Options, differences: WorldDifferences
) -> None:
    """Of forward differences that reach beyond a kink, take the backward ones that do not."""
    both = Options(options.eps, True, options.sensors, True)
    groups = differences.groups
    other = differences_of(data, both, groups.number.worlds, len(groups._stretches)).transition(data, both)
    better = np.flatnonzero((findings[:, 0] != 0) & (other._findings[:, 2] == BACKWARD))
    found.matrix[:, better] = other.matrix[:, better]
    findings[better] = other._findings[better]


def columns_table(columns: Columns) -> np.ndarray:
    """Jobs of each column: forwards, backwards, without a nudge."""
    return np.stack([columns.plus, columns.minus, np.zeros_like(columns.plus)], axis=1)


def place_controls(
    table: np.ndarray, amounts: np.ndarray, columns: Columns, sides: Sides, eps: float, first: int
) -> None:
    """Which jobs the columns of controls are differences of.

    Args:
        table: rows of these columns, written.
        amounts: of all jobs, written.
        columns: all of them.
        sides: where controls can go.
        eps: size of the nudges.
        first: index of the first column of a control.
    """
    plus, minus = columns.plus[first:], columns.minus[first:]
    has_backward_jobs = minus.any()
    # with jobs forwards only, a control at its upper end takes the other way
    back = minus if has_backward_jobs else plus
    amounts[plus] = np.where(sides.forward, eps, 0.0 if has_backward_jobs else -eps)
    if has_backward_jobs:
        amounts[minus] = np.where(sides.backward, -eps, 0.0)
    table[:, 0] = np.where(sides.forward, plus, 0)
    table[:, 1] = np.where(sides.backward, back, 0)


def as_double(array: np.ndarray) -> np.ndarray:
    """A copy in double precision; whole numbers stay what they are."""
    return array.astype(np.float64) if array.dtype.kind == "f" else array.copy()


# --- many worlds


def batch_differences(batch: BatchSim, options: Options, lanes: int | str, threads: int) -> Transition:
    """Derivatives of the steps of all worlds of a batch."""
    if batch.number.base != "float64":
        batch = double_twin(batch, lanes)
    model, n = batch.model, batch.n
    number = batch.number if lanes_asked(lanes) == "auto" else choose_number(model, n, "float64", lanes)
    if batch.vary and number != batch.number:
        raise FieldError("worlds whose models differ have their places in lanes: leave lanes to the batch")
    differences = BatchDifferences(batch, options, number, threads)
    return differences.transition(batch, options)


def double_twin(batch: BatchSim, lanes: int | str) -> BatchSim:
    """The worlds of a batch in double precision."""
    vary, late = batch._variation.early, batch._variation.late
    twin = BatchSim(batch.model, batch.n, lanes=lanes, threads=batch.threads, vary=vary)
    twin._change_models(*late)
    for name in KEPT:
        twin._arrays[name][...] = batch._arrays[name]
    return twin


class BatchDifferences:
    """Differences of the steps of many worlds: lanes are worlds, and all of a group have the same number nudged."""

    def __init__(self, batch: BatchSim, options: Options, number: NumberType, threads: int):
        model, self._width = batch.model, number.worlds
        self.columns = state_columns(model, options.centered)
        self._labels = functools.cache(lambda: labels_of(model, self.columns))
        self._njob, self._nx = len(self.columns.jobs), 2 * model.nv + model.na
        size = 2 * model.nv + model.nq + model.na + model.nsensordata
        blocks = -(-batch.n // self._width)
        # as many blocks of worlds at once as the memory for outcomes has room for
        self._blocks = max(1, min(blocks, OUTCOME_BYTES // (8 * size * self._njob * self._width) // threads * threads))
        jobs = np.tile(np.repeat(self.columns.jobs, self._width, axis=0), (self._blocks, 1))
        base = {name: batch._arrays[name] for name in KEPT}
        self._is_varied = bool(batch.vary)
        models = batch._models[:1] * (self._blocks * self._njob) if self._is_varied else None
        self.groups = DifferenceGroups(
            model,
            base,
            jobs,
            np.zeros(len(jobs), np.int64),
            one_by_one(model, self.columns, self._blocks),
            ALL_OUTPUTS if options.sensors else STATE_OUTPUTS,
            number=number,
            threads=threads,
            is_reported=options.sensors and model.nsensor > 0,
            models=models,
        )
        self.slopes = Slopes(self.groups, np.tile(columns_table(self.columns), (self._blocks * self._width, 1)))

    def transition(self, batch: BatchSim, options: Options) -> Transition:
        """The derivatives at the present states of a batch."""
        n, ncolumn, at_once = batch.n, len(self.columns.kinds), self._blocks * self._width
        matrix = aligned_zeros((n, self.slopes.rows, ncolumn), np.dtype(np.float64))
        findings, rows = np.zeros((n, ncolumn, 3), np.int64), np.zeros((n, self.groups.numbers))
        failed = np.zeros(n, bool)
        for first in range(0, n, at_once):
            worlds = np.arange(first, min(first + at_once, n))
            self._aim(batch, worlds, options)
            outcome = self.groups.run().reshape(self._blocks, self._njob, self._width, -1)
            for k, world in enumerate(worlds.tolist()):
                self.slopes.take(matrix[world].reshape(-1), k * ncolumn, (k + 1) * ncolumn, ncolumn, options.one_sided)
                after = outcome[k // self._width, 0, k % self._width]
                rows[world], failed[world] = after[: self.groups.numbers], after[-1] != 0
            findings[worlds] = self.slopes.findings.reshape(-1, ncolumn, 3)[: len(worlds)]
        outputs = {name: rows[:, place] for name, place in self.groups.places.items()}
        outputs.setdefault("sensordata", np.zeros((n, 0)))
        return Transition(matrix, self._nx, "fd", findings, self._labels, outputs, failed)

    def _aim(self, batch: BatchSim, worlds: np.ndarray, options: Options) -> None:
        """Point jobs and columns at some worlds; the last one fills up lane groups."""
        blocks, width, njob = self._blocks, self._width, self._njob
        padded = np.append(worlds, np.repeat(worlds[-1:], blocks * width - len(worlds))).reshape(blocks, 1, width)
        self.groups.set_sources(np.broadcast_to(padded, (blocks, njob, width)).reshape(-1))
        if self._is_varied:
            order = [batch._models[block] for block in (padded[:, 0, 0] // width).tolist() for _ in range(njob)]
            self.groups.set_models(order)
        # jobs (block, job, lane); columns (block, lane, column)
        amounts = self.groups.amounts.reshape(blocks, njob, width)
        amounts[...] = (options.eps * self.columns.signs)[:, None]
        self.slopes.widths[:] = options.eps
        table = columns_table(self.columns)
        places = self.slopes.columns.reshape(blocks, width, -1, 3)
        lane, start = np.arange(width)[:, None, None], (np.arange(blocks) * njob * width)[:, None, None, None]
        places[...] = table * width + lane + start
        if batch.model.actuator_ctrllimited.any():
            self._place_controls(batch, padded.reshape(blocks, width), options, amounts, places)

    def _place_controls(
        self, batch: BatchSim, worlds: np.ndarray, options: Options, amounts: np.ndarray, places: np.ndarray
    ) -> None:
        """As for one world, in each."""
        m, first = batch.model, self._nx
        ranges = batch.vary.get("actuator_ctrlrange", m.actuator_ctrlrange[None])
        for block, lane in np.ndindex(*worlds.shape):
            world = worlds[block, lane]
            bounds = ranges[world % len(ranges)]
            ctrl = batch._arrays["ctrl"][world]
            sides = control_sides(m.actuator_ctrllimited, bounds, ctrl, options.eps, options.centered)
            table, own = np.zeros((m.nu, 3), np.int64), amounts[block, :, lane].copy()
            place_controls(table, own, self.columns, sides, options.eps, first)
            amounts[block, :, lane] = own
            places[block, lane, first:] = table * self._width + lane + block * self._njob * self._width


provide("transition", transition)
