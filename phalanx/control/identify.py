"""System identification: parameters of a model from what its sensors have read.

Least squares of the differences between measured and simulated sensors, by the Gauss-Newton method of SciPy in a trust
region. The Jacobian is made of simulations with slightly other parameters, all at once as worlds of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.batch.rollout import rollout
from phalanx.control.sensor_plot import plot_over_time
from phalanx.control.unknowns import Place, Unknown, field_of
from phalanx.mechanism.quantities import positive
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import items, numbers, whole
from phalanx.world.model import Model

#: A parameter is moved by this share of its size to find out what follows: the third root of the rounding error, where
#: that and the truncation error of a central difference are alike.
_SHARE = 6e-6


@dataclass(frozen=True, eq=False)
class Recording:
    """What was measured: controls that were applied, and what the sensors have read.

    Attributes:
        qpos, qvel: state at the beginning, (nq,) and (nv,).
        ctrl: controls of each step, (steps, nu).
        sensordata: sensors in each step, before it moves, (steps, nsensordata); NaN where nothing was measured.
    """

    qpos: np.ndarray
    qvel: np.ndarray
    ctrl: np.ndarray
    sensordata: np.ndarray


@dataclass(frozen=True, eq=False)
class Identification:
    """What `phalanx.identify` found.

    Attributes:
        values: of the unknowns, in their order.
        errors: standard deviation of each, from the scatter that is left; infinite where measurements do not tell.
        labels: what they are.
        model: the model with these values.
        residual: root mean square of the differences that are left, in multiples of `scale`.
        converged: whether the search came to its end.
        evaluations: how many sets of parameters were simulated.
    """

    values: np.ndarray
    errors: np.ndarray
    labels: tuple[str, ...]
    model: Model
    residual: float
    converged: bool
    evaluations: int

    @arguments_checked
    def plot(
        self, recording: Recording, path: str | Path | None = None, *, sensors: Sequence[str] | None = None
    ) -> Any:
        """Draw what was measured, and what the model with the found values reads; needs matplotlib.

        Args:
            recording: what was measured.
            path: a picture file to write; None for none.
            sensors: names of the sensors to draw; None for all.

        Returns:
            The figure of matplotlib.
        """
        start = {"qpos": recording.qpos, "qvel": recording.qvel}
        found = rollout(self.model, start, np.asarray(recording.ctrl, float)[None], outputs="sensordata").sensordata[0]
        lines = [("measured", ".", np.asarray(recording.sensordata)), ("model", "-", found)]
        return plot_over_time(self.model, lines, None, path, sensors=sensors)

    def __repr__(self) -> str:
        state = "converged" if self.converged else "NOT converged"
        lines = [f"<Identification {state} after {self.evaluations} simulations, residual {self.residual:.4g}>"]
        width = max(map(len, self.labels))
        for label, value, error in zip(self.labels, self.values, self.errors, strict=True):
            lines.append(f"  {label:{width}}  {value:.5g} ± {error:.2g}")
        return "\n".join(lines)


@arguments_checked
def identify(
    model: Model,
    unknowns: Sequence[Unknown],
    recordings: Sequence[Recording] | Recording,
    *,
    scale: Any = 1.0,
    iterations: int = 50,
    tolerance: float = 1e-8,
    threads: int | None = None,
) -> Identification:
    """Find parameters with which the model reads what was measured, beginning at those that it has.

    Args:
        model: the model, with a first guess of the unknowns.
        unknowns: what is to be found.
        recordings: one or several, each from its own start.
        scale: size of the noise of each sensor, (nsensordata,) or one number: differences are divided by it.
        iterations: most sets of parameters that are tried.
        tolerance: relative change of cost and parameters at which the search ends.
        threads: how many threads; None for all CPUs of the process.

    Raises:
        FieldError: unknowns or recordings that do not fit the model; an unknown that no measurement depends on.

    Example:
        >>> found = identify(model, [Unknown("dof_damping", "elbow")], recording)       # doctest: +SKIP
    """
    recordings = (recordings,) if isinstance(recordings, Recording) else tuple(items(recordings))
    unknowns = items(unknowns)
    if not all(isinstance(each, Recording) for each in recordings) or not all(
        isinstance(each, Unknown) for each in unknowns
    ):
        raise FieldError("identify takes several of Unknown, and several of Recording")
    places = [Place.of(model, unknown) for unknown in unknowns]
    if not places or not recordings:
        raise FieldError("identify needs at least one Unknown and one Recording")
    for recording in recordings:
        check_recording(model, recording)
    noise = numbers("scale", scale).astype(float)
    if noise.shape not in ((), (model.nsensordata,)) or not (noise > 0).all():
        raise FieldError(f"scale is above zero: one number, or one for each of {model.nsensordata} of sensordata")
    # late: it takes a quarter of a second to import
    from scipy.optimize import least_squares

    problem = Problem(model, places, recordings, noise, threads)
    lower, upper = np.array([place.bounds for place in places]).T
    start = np.clip([place.value for place in places], lower, upper)
    slopes = problem.jacobian(start).T
    unfelt = [unknown.label for unknown, slope in zip(unknowns, slopes, strict=True) if not slope.any()]
    if unfelt:
        raise FieldError(f"nothing that was measured depends on {' or '.join(unfelt)}, so that it cannot be found")
    found = least_squares(
        problem.residuals, start, jac=problem.jacobian, bounds=(lower, upper), x_scale=problem.sizes, method="trf",
        max_nfev=whole("iterations", iterations, 1), xtol=positive("tolerance", tolerance), ftol=tolerance, gtol=None,
    )  # fmt: skip
    return Identification(
        found.x, standard_errors(found.jac, found.fun), tuple(unknown.label for unknown in unknowns),
        problem.model_with(found.x), float(np.sqrt(np.mean(found.fun**2))), bool(found.status > 0), int(found.nfev),
    )  # fmt: skip


def check_recording(model: Model, recording: Recording) -> None:
    """Shapes of a recording."""
    steps = len(np.atleast_1d(recording.sensordata))
    wanted = {
        "qpos": (model.nq,), "qvel": (model.nv,), "ctrl": (steps, model.nu), "sensordata": (steps, model.nsensordata)
    }  # fmt: skip
    for name, shape in wanted.items():
        found = numbers(f"{name} of a recording", getattr(recording, name)).shape
        if found != shape:
            raise FieldError(f"{name} of a recording has shape {found}, not {shape}")
    if not steps or not model.nsensordata:
        raise FieldError("a recording needs steps, and the model sensors, to compare with")


def standard_errors(jacobian: np.ndarray, residuals: np.ndarray) -> np.ndarray:
    """Square roots of the diagonal of s² inv(J'J), s² the variance that is left; infinite without information."""
    left = max(1, len(residuals) - jacobian.shape[1])
    _, sizes, directions = np.linalg.svd(jacobian, full_matrices=False)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(directions.T == 0.0, 0.0, directions.T / sizes)
    return np.sqrt((terms**2).sum(axis=1) * (residuals @ residuals) / left)


class Problem:
    """Differences between measured and simulated sensors as a function of the unknowns, and their derivatives."""

    def __init__(
        self,
        model: Model,
        places: Sequence[Place],
        recordings: Sequence[Recording],
        noise: np.ndarray,
        threads: int | None,
    ):
        self._model, self._places, self._recordings = model, places, recordings
        self._noise, self._threads = noise, threads
        #: How large the unknowns are, about; a first guess of zero does not tell.
        self.sizes = np.array([abs(place.value) or 1e-2 for place in places])

    def model_with(self, values: np.ndarray) -> Model:
        """The model with values of the unknowns."""
        return self._model.replace(**{name: array[0] for name, array in self._fields(values[None]).items()})

    def residuals(self, values: np.ndarray) -> np.ndarray:
        """Differences in multiples of the noise, those of all recordings one after the other."""
        return self._differences(values[None])[0]

    def jacobian(self, values: np.ndarray) -> np.ndarray:
        """Their derivatives, (differences, unknowns); one-sided for an unknown at its bound."""
        lower, upper = np.array([place.bounds for place in self._places]).T
        size = _SHARE * np.maximum(np.abs(values), self.sizes)
        ahead, behind = np.minimum(values + size, upper), np.maximum(values - size, lower)
        count = len(values)
        sets = np.tile(values, (2 * count, 1))
        np.fill_diagonal(sets[:count], ahead)
        np.fill_diagonal(sets[count:], behind)
        differences = self._differences(sets)
        return ((differences[:count] - differences[count:]) / (ahead - behind)[:, None]).T

    def _differences(self, sets: np.ndarray) -> np.ndarray:
        """For each set of values, (sets, differences). A world that fails is as far off as it was before it failed."""
        vary, parts = self._fields(sets), []
        for recording in self._recordings:
            start = {"qpos": recording.qpos, "qvel": recording.qvel}
            controls = np.asarray(recording.ctrl, float)[None]
            tried = rollout(self._model, start, controls, outputs="sensordata", vary=vary, threads=self._threads)
            off = (tried.sensordata - recording.sensordata) / self._noise
            parts.append(np.where(np.isnan(recording.sensordata), 0.0, off).reshape(len(sets), -1))
        return np.concatenate(parts, axis=1)

    def _fields(self, sets: np.ndarray) -> dict[str, np.ndarray]:
        """Fields of the Model for each set of values, (sets, *shape)."""
        fields: dict[str, np.ndarray] = {}
        for place, values in zip(self._places, sets.T, strict=True):
            for name in place.names:
                if name not in fields:
                    fields[name] = np.repeat(field_of(self._model, name)[None].astype(float), len(sets), axis=0)
                place.write(name, fields[name], values)
        return fields
