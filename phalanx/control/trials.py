"""Plans tried out: the same start, other controls, all at once as worlds of a batch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.control.goals import Objective
from phalanx.memory.errors import FieldError, WorldError
from phalanx.memory.fill import numbers, whole
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Share of the expected decrease of the cost that a step has to bring.
_ENOUGH = 1e-4


class Path(NamedTuple):
    """States and sensors over time, (steps + 1, ...), and the controls in between, (steps, nu)."""

    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    sensordata: np.ndarray
    ctrl: np.ndarray


class Update(NamedTuple):
    """A change of a path: of its controls, feedback on its states, and by how much its cost is expected to fall."""

    ctrl: np.ndarray
    gains: np.ndarray
    expected: float


class Trials:
    """Worlds that begin at one state and follow controls; a context, since the batch has threads."""

    def __init__(self, start: Data, objective: Objective, limits: np.ndarray, n: int, threads: int | None):
        self._batch = BatchSim(start.model, n, threads=threads)
        self._start, self._objective, self._limits = start.snapshot(), objective, limits
        # differences of positions need no state, but a Data of their own: that of the user is left alone
        self._scale = start.copy()
        (self._sensors,) = self._batch.bind("sensordata")
        self._errors: list[WorldError | None] = []

    def __enter__(self) -> Trials:
        return self

    def __exit__(self, *error: object) -> None:
        self._batch.close()

    def follow_first(self, ctrl: np.ndarray) -> tuple[Path, float]:
        """The path of controls and its cost.

        Raises:
            FieldError: the world fails on the way.
        """
        paths, costs = self._run(len(ctrl), lambda step: ctrl[step])
        if self._errors[0] is not None:
            raise FieldError(f"the controls to begin with do not work: {self._errors[0]}")
        return world_of(paths, 0), float(costs[0])

    def follow(self, path: Path, update: Update, sizes: np.ndarray, cost: float) -> tuple[Path, float] | None:
        """The cheapest of the paths of several step sizes and its cost; None if it is not cheap enough."""

        def controls(step: int) -> np.ndarray:
            change = self._difference(path, step)
            return path.ctrl[step] + sizes[:, None] * update.ctrl[step] + change @ update.gains[step].T

        paths, costs = self._run(len(path.ctrl), controls)
        gain = np.where(np.isfinite(costs), cost - costs, -np.inf)
        best = int(gain.argmax())
        if gain[best] <= _ENOUGH * sizes[best] * update.expected:
            return None
        return world_of(paths, best), float(costs[best])

    def _difference(self, path: Path, step: int) -> np.ndarray:
        """From the state of the path to that of each world, (n, 2 nv + na)."""
        batch = self._batch
        position = self._scale.differentiate_pos(np.broadcast_to(path.qpos[step], batch.qpos.shape), batch.qpos, 1.0)
        return np.concatenate([position, batch.qvel - path.qvel[step], batch.act - path.act[step]], axis=1)

    def _run(self, steps: int, controls: Any) -> tuple[Path, np.ndarray]:
        """Follow controls, given for each step, in all worlds: paths, with an axis of worlds in front, and costs."""
        batch, objective = self._batch, self._objective
        batch.restore(self._start, np.arange(batch.n))
        states = [np.empty((batch.n, steps + 1, array.shape[1])) for array in (batch.qpos, batch.qvel, batch.act)]
        sensordata = np.empty((batch.n, steps + 1, self._sensors.shape[1]))
        ctrl = np.empty((batch.n, steps, batch.ctrl.shape[1]))
        for step in range(steps):
            for kept, now in zip(states, (batch.qpos, batch.qvel, batch.act), strict=True):
                kept[:, step] = now
            batch.ctrl[:] = ctrl[:, step] = np.clip(controls(step), *self._limits)
            batch.step()
            sensordata[:, step] = self._sensors
        for kept, now in zip(states, (batch.qpos, batch.qvel, batch.act), strict=True):
            kept[:, steps] = now
        self._errors = batch.errors
        batch.forward()
        sensordata[:, steps] = self._sensors
        costs = objective.along(sensordata[:, :-1], ctrl).sum(axis=1) + objective.at_end(sensordata[:, -1])
        qpos, qvel, act = states
        costs[[error is not None for error in self._errors]] = np.inf
        return Path(qpos, qvel, act, sensordata, ctrl), costs


def world_of(paths: Path, world: int) -> Path:
    """One of many paths."""
    return Path._make(array[world] for array in paths)


def control_limits(model: Model) -> np.ndarray:
    """Least and largest controls, (2, nu); infinite where there is no limit."""
    limits = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-np.inf, np.inf])
    return limits.T


def first_controls(start: Data, steps: int | None, ctrl: Any, limits: np.ndarray) -> np.ndarray:
    """Controls to begin with, within their limits, (steps, nu)."""
    nu = start.model.nu
    if nu == 0:
        raise FieldError("the model has no actuators: there is nothing to plan")
    if ctrl is None:
        if steps is None:
            raise FieldError("how long is the plan? Give steps=, or ctrl= with shape (steps, nu)")
        ctrl = np.tile(start.ctrl, (whole("steps", steps, 1), 1))
    ctrl = numbers("ctrl", ctrl).astype(float)
    if ctrl.ndim != 2 or ctrl.shape[1] != nu or not len(ctrl) or (steps is not None and len(ctrl) != steps):
        wanted = f"({'steps' if steps is None else steps}, {nu})"
        raise FieldError(f"ctrl has shape {ctrl.shape}, not {wanted}")
    if not np.isfinite(ctrl).all():
        raise FieldError("ctrl is not finite")
    return np.clip(ctrl, *limits)
