"""Predictive sampling: at each moment many plans are tried in a batch, and the best one is followed.

A plan is a line through a few controls ("knots") over the horizon. Each time the plan of before, moved to the present,
is tried beside random changes of it. Howell and others, "Predictive Sampling: Real-time Behaviour Synthesis with
MuJoCo", 2022. No derivatives are needed, so it works through contacts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx.batch.rollout import rollout
from phalanx.control.goals import Goal, fitted, objective_of
from phalanx.control.trials import control_limits
from phalanx.mechanism.quantities import positive
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, WorldError
from phalanx.memory.fill import real, whole
from phalanx.world.data import Data
from phalanx.world.model import Model

#: How far a plan looks ahead [time steps], and by how many knots it is described, at most.
MOST_STEPS, MOST_KNOTS = 100_000, 1000


class PredictiveSampling:
    """A controller that looks ahead by simulating many plans at once.

    Attributes:
        model: the model that it plans with.
        steps: how far it looks ahead [time steps].
        knots: controls of the present plan, (knots, nu), evenly spread over the horizon from the time of planning.
        cost: of the plan, when it was made; infinite before.

    Example:
        >>> import phalanx
        >>> data = phalanx.load("cartpole").make_data().reset("upright")
        >>> controller = PredictiveSampling(data.model, Goal("pole_angle", weight=1.0), horizon=0.3, samples=15)
        >>> data.ctrl[:] = controller.plan(data)
        >>> data = data.step()
    """

    @arguments_checked
    def __init__(
        self,
        model: Model,
        goals: Sequence[Goal] | Goal,
        *,
        horizon: float,
        knots: int = 5,
        samples: int = 63,
        noise: Any = 0.1,
        effort: Any = 0.0,
        around: Any = 0.0,
        seed: int = 0,
        threads: int | None = None,
    ):
        """
        Args:
            model: the model.
            goals: sensors and their targets. `final` counts at the last step of the horizon.
            horizon: how far to look ahead [s].
            knots: numbers that describe the plan of each control.
            samples: plans that are tried beside the present one.
            noise: standard deviation of their change, as a share of the range of the control, (nu,) or one number;
                in the unit of the control where it has no range.
            effort: cost of a squared control [1/s], one number or (nu,).
            around: controls that cost no effort, one number or (nu,).
            seed: of the random numbers.
            threads: how many threads; None for all CPUs of the process.
        """
        if model.nu == 0:
            raise FieldError("the model has no actuators: there is nothing to plan")
        self.model = model
        steps = positive("horizon", horizon) / float(model.opt.timestep)
        if steps > MOST_STEPS:
            raise FieldError(f"horizon is {steps:g} time steps; a plan has {MOST_STEPS} at most")
        self.steps = max(1, round(steps))
        self._objective, self._limits = objective_of(model, goals, effort, around), control_limits(model)
        self._samples, self._threads = whole("samples", samples, 1), threads
        # controls without a range have no middle, and their noise is in their own unit
        is_limited = model.actuator_ctrllimited.astype(bool)
        self._deviation = fitted("noise", noise, (model.nu,)) * np.where(
            is_limited, np.ptp(model.actuator_ctrlrange, axis=1), 1.0
        )
        self._rng = np.random.default_rng(whole("seed", seed))
        self._middle = np.where(is_limited, model.actuator_ctrlrange.mean(axis=1), 0.0)
        self.knots = np.empty((whole("knots", knots, 2, MOST_KNOTS), model.nu))
        self._lines = straight_lines(self.steps, len(self.knots))
        self.reset()

    def reset(self, ctrl: Any = None) -> None:
        """Forget the plan; begin with these controls, (nu,), or with the middle of their ranges."""
        first = self._middle if ctrl is None else fitted("ctrl", ctrl, self._middle.shape)
        self.knots = np.tile(np.clip(first, *self._limits), (len(self.knots), 1))
        self.cost: float = np.inf
        self._planned_at: float | None = None

    @arguments_checked
    def plan(self, data: Data) -> np.ndarray:
        """Improve the plan from the state of a Data, which is not changed; returns the controls for now, (nu,).

        Raises:
            WorldError: every plan blows up.
        """
        self._move_to(float(data.time))
        change = self._deviation * self._rng.standard_normal((self._samples, *self.knots.shape))
        plans = np.clip(np.concatenate([self.knots[None], self.knots + change]), *self._limits)
        controls = self._lines @ plans
        tried = rollout(self.model, data, controls, outputs=("sensordata",), threads=self._threads)
        costs = self._objective.along(tried.sensordata, controls).sum(axis=1)
        costs += self._objective.at_end(tried.sensordata[:, -1])
        costs[[error is not None for error in tried.errors]] = np.inf
        best = int(np.argmin(costs))
        if not np.isfinite(costs[best]):
            raise next(error for error in tried.errors if isinstance(error, WorldError))
        self.knots, self.cost = plans[best], float(costs[best])
        return self.knots[0].copy()

    def control(self, time: float) -> np.ndarray:
        """Controls of the present plan at a time of the simulation [s], (nu,)."""
        since = 0.0 if self._planned_at is None else real("time", time) - self._planned_at
        return (lines_at(np.array([since / self._duration]), len(self.knots)) @ self.knots)[0]

    @property
    def _duration(self) -> float:
        return self.steps * float(self.model.opt.timestep)

    def _move_to(self, time: float) -> None:
        """The plan as it looks from now on; its last control is held."""
        if self._planned_at is not None:
            passed = np.clip((time - self._planned_at) / self._duration, 0.0, 1.0)
            places = passed + np.linspace(0.0, 1.0, len(self.knots))
            self.knots = lines_at(places, len(self.knots)) @ self.knots
        self._planned_at = time

    def __repr__(self) -> str:
        return (
            f"<PredictiveSampling of {self._samples + 1} plans, {len(self.knots)} knots, "
            f"{self._duration:g} s ahead: cost {self.cost:.4g}>"
        )


def straight_lines(steps: int, knots: int) -> np.ndarray:
    """Weights (steps, knots) that make a control for each step of lines through knots."""
    return lines_at(np.arange(steps) / steps, knots)


def lines_at(places: np.ndarray, knots: int) -> np.ndarray:
    """Weights (places, knots) of linear interpolation; 0 is the first knot, 1 the last one, which holds beyond.

    >>> lines_at(np.array([0.0, 0.25, 2.0]), 3)
    array([[1. , 0. , 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0. , 1. ]])
    """
    return np.maximum(0.0, 1.0 - np.abs(np.clip(places, 0.0, 1.0)[:, None] * (knots - 1) - np.arange(knots)))
