"""Iterative linear quadratic regulator: the controls that reach goals at least cost, with feedback around them.

Each iteration linearizes the steps of the present plan, solves the linear quadratic problem backwards in time, and
tries the result with several step sizes at once, as worlds of a batch. Li and Todorov 2004; limits of controls as in
Tassa, Mansard and Todorov, "Control-limited differential dynamic programming", 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.control.box_quadratic import minimize_in_box
from phalanx.control.goals import Goal, Objective, objective_of
from phalanx.control.sensor_plot import plot_over_time
from phalanx.control.trials import Path, Trials, Update, control_limits, first_controls
from phalanx.derivative.transition import transition
from phalanx.mechanism.quantities import positive
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import whole
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.transition_result import Transition

#: Step sizes that are tried at once.
_SIZES = 0.6 ** np.arange(16)
#: So many steps in a row that bring little are the end.
_PATIENCE = 3
#: Damping: how its factor grows, its least value, what is small, and what is without hope.
_FACTOR, _LEAST, _SMALL, _MOST = 1.6, 1e-8, 1e-2, 1e10


@dataclass(frozen=True, eq=False)
class Plan:
    """What `phalanx.ilqr` found.

    Attributes:
        qpos, qvel, act: states of the plan, (steps + 1, ...).
        sensordata: what the sensors read there, (steps + 1, nsensordata).
        ctrl: the controls that lead there, (steps, nu).
        gains: feedback, (steps, nu, 2 nv + na): the change of the controls for a change of the state.
        cost: of the plan.
        costs: after each iteration, the first one that of the controls to begin with.
        converged: whether the last iteration brought no more than the tolerance.
    """

    model: Model
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    sensordata: np.ndarray
    ctrl: np.ndarray
    gains: np.ndarray
    cost: float
    costs: tuple[float, ...]
    converged: bool

    @arguments_checked
    def control(self, step: int, data: Data) -> np.ndarray:
        """Controls for a Data that is near the plan, (nu,): those of the step, and feedback on the difference."""
        step = whole("step", step, 0, len(self.ctrl) - 1)
        position = data.differentiate_pos(self.qpos[step], data.qpos, 1.0)
        change = np.concatenate([position, data.qvel - self.qvel[step], data.act - self.act[step]])
        return np.clip(self.ctrl[step] + self.gains[step] @ change, *control_limits(self.model))

    def plot(self, path: str | FilePath | None = None, *, sensors: Sequence[str] | None = None) -> Any:
        """Draw sensors and controls over time; needs matplotlib.

        Args:
            path: a picture file to write; None for none.
            sensors: names of the sensors to draw; None for all.

        Returns:
            The figure of matplotlib.
        """
        return plot_over_time(self.model, [("plan", "-", self.sensordata)], self.ctrl, path, sensors=sensors)

    def __repr__(self) -> str:
        state = "converged" if self.converged else "NOT converged"
        return (
            f"<Plan of {len(self.ctrl)} steps, {state} in {len(self.costs) - 1} iterations: "
            f"cost {self.costs[0]:.4g} -> {self.cost:.4g}>"
        )


def ilqr(
    start: Data,
    goals: Sequence[Goal] | Goal,
    *,
    steps: int | None = None,
    ctrl: Any = None,
    effort: Any = 1e-3,
    around: Any = 0.0,
    iterations: int = 200,
    tolerance: float = 1e-6,
    method: str = "fd",
    threads: int | None = None,
) -> Plan:
    """Plan controls that bring sensors to targets, from the state of a Data, by iLQR.

    The goals are sums of squares of sensor readings, so their second derivatives are those of Gauss and Newton, and the
    plan is a local optimum: give controls to begin with where there are several.

    Args:
        start: where the plan begins; it is not changed.
        goals: sensors and their targets.
        steps: length of the plan [time steps]; not needed with `ctrl`.
        ctrl: controls to begin with, (steps, nu); those of `start` if None.
        effort: cost of a squared control [1/s], one number or (nu,).
        around: controls that cost no effort, one number or (nu,): zero for motors, a pose for servos.
        iterations: most iterations.
        tolerance: share of the cost that an iteration has to bring for another one to be worth it.
        method: how steps are differentiated, as in `Data.transition`.
        threads: how many threads; None for all CPUs of the process.

    Raises:
        FieldError: arguments that do not fit together, or a plan to begin with that blows up.

    Example:
        >>> import phalanx
        >>> data = phalanx.load("cartpole").make_data().reset("upright")
        >>> data.qpos[0] = 0.2
        >>> plan = ilqr(data, [Goal("cart_position", weight=1.0), Goal("pole_angle", weight=1.0)], steps=100)
        >>> bool(plan.cost < plan.costs[0])
        True
    """
    if not isinstance(start, Data):
        raise FieldError(f"a plan begins with a Data, not with {type(start).__name__}")
    model = start.model
    objective, limits = objective_of(model, goals, effort, around), control_limits(model)
    iterations, tolerance = whole("iterations", iterations), positive("tolerance", tolerance)
    controls = first_controls(start, steps, ctrl, limits)
    with (
        Trials(start, objective, limits, len(_SIZES), threads) as trials,
        BatchSim(model, len(controls) + 1, threads=threads) as moments,
    ):
        moments.restore(start.snapshot(), np.arange(moments.n))
        path, cost = trials.follow_first(controls)
        costs, damping, update, converged, small_steps = [cost], Damping(), None, False, 0
        slopes = linearized(moments, path, method)
        while len(costs) <= iterations and not (converged or damping.is_hopeless):
            update = backward(slopes, path, objective, limits, damping.value)
            if update is None:
                damping = damping.raised()
                continue
            # a damped step is small for another reason
            converged = damping.is_small and bool(update.expected <= tolerance * cost)
            if converged:
                break
            tried = trials.follow(path, update, _SIZES, cost)
            if tried is None:
                damping = damping.raised()
                continue
            path, cost = tried
            small_steps = small_steps + 1 if costs[-1] - cost <= tolerance * cost else 0
            converged = small_steps >= _PATIENCE
            costs.append(cost)
            damping, slopes = damping.lowered(), linearized(moments, path, method)
    # feedback around the last path, not around the one that led to it
    update = backward(slopes, path, objective, limits, damping.value) or update
    gains = np.zeros((len(path.ctrl), model.nu, 2 * model.nv + model.na)) if update is None else update.gains
    return Plan(model, *path, gains, cost, tuple(costs), converged)


def linearized(moments: BatchSim, path: Path, method: str) -> Transition:
    """Derivatives of all steps of a path, each a world; of the last state, which has no step, those of its sensors."""
    moments.qpos[:], moments.qvel[:], moments.act[:] = path.qpos, path.qvel, path.act
    moments.ctrl[:-1], moments.ctrl[-1] = path.ctrl, path.ctrl[-1]
    return transition(moments, method, threads=moments.threads)


# --- the linear quadratic problem


def backward(slopes: Transition, path: Path, objective: Objective, limits: np.ndarray, damping: float) -> Update | None:
    """The best change of all controls, from the last step to the first; None where a Hessian is not positive.

    With V(x) the least cost from a state on, Q(x, u) is the cost of a step plus V of the next state. Its minimum over u
    within the limits gives the change of the control and the feedback, and V one step earlier.
    """
    steps, nu = path.ctrl.shape
    change, gains = np.zeros((steps, nu)), np.zeros((steps, nu, slopes.A.shape[-1]))
    expected, error = 0.0, path.sensordata - objective.target
    C = slopes.C[-1]
    slope, curve = C.T @ (objective.final * error[-1]), C.T @ (objective.final[:, None] * C)
    last = np.zeros(nu)
    for step in range(steps - 1, -1, -1):
        A, B, C, D = slopes.A[step], slopes.B[step], slopes.C[step], slopes.D[step]
        weighted = objective.running * error[step]
        weighted_C, weighted_D = objective.running[:, None] * C, objective.running[:, None] * D
        curve_A, curve_B = curve @ A, curve @ B
        # second derivatives of sensors are left out, as Gauss and Newton do
        Qx = C.T @ weighted + A.T @ slope
        Qu = D.T @ weighted + objective.effort * (path.ctrl[step] - objective.around) + B.T @ slope
        Qxx = C.T @ weighted_C + A.T @ curve_A
        Qux = D.T @ weighted_C + B.T @ curve_A
        Quu = D.T @ weighted_D + np.diag(objective.effort) + B.T @ curve_B
        damped = Quu + damping * (np.trace(Quu) / nu) * np.eye(nu)
        best = minimize_in_box(damped, Qu, limits[0] - path.ctrl[step], limits[1] - path.ctrl[step], last)
        if best is None:
            return None
        last, k, K = best.x, best.x, gains[step]
        free = best.is_free
        K[free] = -np.linalg.solve(damped[np.ix_(free, free)], Qux[free])
        # what the change brings, and the cost from here on, without damping
        change[step] = k
        expected -= Qu @ k + 0.5 * k @ Quu @ k
        slope = Qx + K.T @ (Quu @ k + Qu) + Qux.T @ k
        curve = Qxx + K.T @ Quu @ K + K.T @ Qux + Qux.T @ K
        curve = 0.5 * (curve + curve.T)
    return Update(change, gains, expected)


@dataclass(frozen=True)
class Damping:
    """How much the Hessian of the controls is enlarged, as a multiple of its mean diagonal.

    It grows and shrinks faster and faster, as Tassa and others do: quadratic steps where they work.
    """

    value: float = 0.0
    factor: float = 1.0

    @property
    def is_small(self) -> bool:
        """Whether steps are about those of the undamped problem."""
        return self.value <= _SMALL

    @property
    def is_hopeless(self) -> bool:
        """Whether steps have become so small that none will ever help."""
        return self.value > _MOST

    def raised(self) -> Damping:
        """After a step that did not help."""
        factor = max(_FACTOR, self.factor * _FACTOR)
        return Damping(max(_LEAST, self.value * factor), factor)

    def lowered(self) -> Damping:
        """After a step that did."""
        factor = min(1.0 / _FACTOR, self.factor / _FACTOR)
        value = self.value * factor
        return Damping(value if value > _LEAST else 0.0, factor)
