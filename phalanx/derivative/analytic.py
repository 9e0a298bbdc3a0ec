"""Exact derivatives in the form of `Data.transition` and `BatchSim.transition`; where differences take their place."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from phalanx.batch.batch import BatchSim, quiet_data
from phalanx.batch.binding import KEPT
from phalanx.derivative.directions import labels_of, state_columns
from phalanx.derivative.dual_world import DualWorld
from phalanx.derivative.exact import world_of
from phalanx.memory.errors import WorldError
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.transition_result import Label, Transition

#: Where exact derivatives are not those of the step, so that the hybrid method takes differences.
NOT_OF_THE_STEP = frozenset(("noslip", "solver"))


def analytic_transition(data: Data, has_sensors: bool) -> Transition:
    """Exact derivatives of a step of a Data."""
    source = data
    if data._store.number.base != "float64":
        source = quiet_data(data.model, "float64")
        for name in KEPT:
            source._store.arrays[name][...] = data._store.arrays[name]
    world, m = world_of(source), data.model
    matrix = kept_rows(m, world.derivatives(source), has_sensors)
    findings = np.zeros((matrix.shape[1], 3), np.int64)
    outcome = world.outcome(has_sensors)
    return Transition(
        matrix, 2 * m.nv + m.na, "analytic", findings, labels_for(m), outcome, np.zeros((), bool), world.remaining()
    )


def analytic_transitions(batch: BatchSim, has_sensors: bool) -> Transition:
    """Exact derivatives of the steps of all worlds of a batch, one world after the other."""
    m, n = batch.model, batch.n
    nx, rows = 2 * m.nv + m.na, 2 * m.nv + m.na + (m.nsensordata if has_sensors else 0)
    matrix, failed = np.zeros((n, rows, nx + m.nu)), np.zeros(n, bool)
    sizes = {"qpos": m.nq, "qvel": m.nv, "act": m.na, "sensordata": m.nsensordata if has_sensors else 0}
    outcome = {name: np.zeros((n, size)) for name, size in sizes.items()}
    data, world, left = quiet_data(m, "float64"), DualWorld(m), dict[str, None]()
    for i in range(n):
        # worlds whose Models differ have a memory of their own
        if batch.vary:
            data = quiet_data(batch._variation.model_of(i), "float64")
            world = DualWorld(data.model)
        for name in KEPT:
            data._store.arrays[name][...] = batch._arrays[name][i]
        try:
            matrix[i] = kept_rows(m, world.derivatives(data), has_sensors)
        except WorldError:
            failed[i] = True
            continue
        left |= dict.fromkeys(world.remaining())
        for name, values in world.outcome(has_sensors).items():
            outcome[name][i] = values
    findings = np.zeros((n, nx + m.nu, 3), np.int64)
    return Transition(matrix, nx, "analytic", findings, labels_for(m), outcome, failed, tuple(left))


def kept_rows(model: Model, slopes: np.ndarray, has_sensors: bool) -> np.ndarray:
    """Derivatives of the next state, and of sensors if they are asked for."""
    return slopes[: None if has_sensors else 2 * model.nv + model.na].copy()


def labels_for(model: Model) -> Callable[[], list[Label]]:
    """What columns are by, looked up when somebody asks."""
    return functools.cache(lambda: labels_of(model, state_columns(model, True)))
