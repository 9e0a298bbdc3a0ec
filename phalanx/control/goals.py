"""What a plan is to achieve: sensors with targets and weights, and the effort that controls may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import items, numbers
from phalanx.world.model import Model


@dataclass(frozen=True)
class Goal:
    """A sensor that is to read a target.

    The cost is weight / 2 times the squared distance from the target, integrated over time, and at the end of the plan
    final / 2 times the squared distance.

    Attributes:
        sensor: name of the sensor.
        target: what it is to read: a number, or as many as the sensor has.
        weight: cost along the way [1/s per squared unit of the sensor], one number or one for each of the sensor.
        final: cost at the end [per squared unit], likewise.
    """

    sensor: str
    target: Any = 0.0
    weight: Any = 0.0
    final: Any = 0.0


@dataclass(frozen=True)
class Objective:
    """Goals and effort as one sum of squares over `sensordata` and `ctrl`.

    Attributes:
        target: (nsensordata,).
        running, final: weights, (nsensordata,); the first one times the time step.
        effort: weights of squared controls, (nu,), times the time step.
        around: controls that cost nothing, (nu,).
    """

    target: np.ndarray
    running: np.ndarray
    final: np.ndarray
    effort: np.ndarray
    around: np.ndarray

    def along(self, sensordata: np.ndarray, ctrl: np.ndarray) -> np.ndarray:
        """Cost of steps: of sensors (..., nsensordata) and controls (..., nu)."""
        error = sensordata - self.target
        return 0.5 * (error**2 @ self.running + (ctrl - self.around) ** 2 @ self.effort)

    def at_end(self, sensordata: np.ndarray) -> np.ndarray:
        """Cost of the last state, of sensors (..., nsensordata)."""
        return 0.5 * (sensordata - self.target) ** 2 @ self.final


def objective_of(model: Model, goals: Sequence[Goal] | Goal, effort: Any, around: Any = 0.0) -> Objective:
    """Weights and targets in the places of their sensors.

    Raises:
        FieldError: no goal, the same sensor twice, or numbers that do not fit the sensor.
        UnknownNameError: a sensor that the model does not have.
    """
    goals = (goals,) if isinstance(goals, Goal) else tuple(items(goals))
    if not goals or not all(isinstance(goal, Goal) for goal in goals):
        raise FieldError("a plan needs at least one Goal; phalanx.Goal('sensor', target, weight=1.0)")
    target, running, final = np.zeros((3, model.nsensordata))
    seen: set[str] = set()
    for goal in goals:
        if goal.sensor in seen:
            raise FieldError(f"sensor {goal.sensor!r} has two goals")
        seen.add(goal.sensor)
        # the numbers of a sensor stand side by side in sensordata
        sensor = model.sensor(goal.sensor).id
        place = slice(model.sensor_adr[sensor], model.sensor_adr[sensor] + model.sensor_dim[sensor])
        for column, name in ((target, "target"), (running, "weight"), (final, "final")):
            column[place] = fitted(f"{name} of goal {goal.sensor!r}", getattr(goal, name), column[place].shape)
    if min(running.min(), final.min()) < 0:
        raise FieldError("weights of goals are not negative")
    if not (running.any() or final.any()):
        raise FieldError("all weights of the goals are zero; give weight= (along the way) or final= (at the end)")
    costs = fitted("effort", effort, (model.nu,))
    if costs.min(initial=0.0) < 0:
        raise FieldError("effort is not negative")
    timestep = float(model.opt.timestep)
    return Objective(target, running * timestep, final, costs * timestep, fitted("around", around, (model.nu,)))


def fitted(name: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of the user in a shape, finite; one number serves all."""
    array = numbers(name, value).astype(float)
    if array.shape not in ((), shape):
        raise FieldError(f"{name} has shape {array.shape}, not {shape}")
    if not np.isfinite(array).all():
        raise FieldError(f"{name} is not finite")
    return np.broadcast_to(array, shape)
