"""A rollout as a function of arrays, with its gradient: what `phalanx.jax` and `phalanx.torch` are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from phalanx.batch.rollout import rollout
from phalanx.derivative.coordinates import Coordinates
from phalanx.derivative.linearized import LinearizedRollout, linearize_rollout
from phalanx.derivative.transition import check_differentiable
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import flag
from phalanx.world.derivatives import checked_step
from phalanx.world.model import Model


class Rolled(NamedTuple):
    """States of a rollout from the start on, (..., steps + 1, nq) and so on; sensors (..., steps, nsensordata)."""

    qpos: Any
    qvel: Any
    act: Any
    sensordata: Any


class RolloutFunction:
    """(qpos, qvel, act, controls, values of parameters) -> states and sensors, and the gradient by all of them.

    Arrays have any axes in front, which are worlds. Axes in front of the values of parameters are those of whole calls,
    each with a model of its own; they are in front of the other arrays, too.

    Args:
        model: the model.
        wrt: fields of the Model whose values are arguments.
        sensors: are sensors part of the result?
        eps, centered, one_sided: as in `Data.transition`.
        threads: how many threads; None for all CPUs of the process.
    """

    def __init__(
        self,
        model: Model,
        wrt: Sequence[str] = (),
        *,
        sensors: bool = False,
        eps: float = 1e-6,
        centered: bool = True,
        one_sided: bool = True,
        threads: int | None = None,
    ):
        if not isinstance(model, Model):
            raise FieldError(f"a rollout needs a Model, not {type(model).__name__}")
        check_differentiable(model)
        self.model, self.wrt = model, (wrt,) if isinstance(wrt, str) else tuple(wrt)
        self.has_sensors = flag("sensors", sensors)
        self.shapes = tuple(np.shape(model._store.arrays[_known(model, name)]) for name in self.wrt)
        self._options: dict[str, Any] = {
            "eps": checked_step(eps),
            "centered": centered,
            "one_sided": one_sided,
            "threads": threads,
        }
        self._coordinates = Coordinates(model)

    def result_shapes(self, controls: tuple[int, ...]) -> Rolled:
        """Shapes of the result, from that of the controls (..., steps, nu)."""
        m, (*axes, steps, _) = self.model, controls
        ns = m.nsensordata if self.has_sensors else 0
        qpos, qvel, act = ((*axes, steps + 1, size) for size in (m.nq, m.nv, m.na))
        return Rolled(qpos, qvel, act, (*axes, steps, ns))

    def forward(self, qpos: Any, qvel: Any, act: Any, controls: Any, *values: Any) -> Rolled:
        """The rollout."""
        arrays = [np.asarray(array, np.float64) for array in (qpos, qvel, act, controls)]
        found = Rolled(*(np.zeros(shape) for shape in self.result_shapes(arrays[3].shape)))
        for call, model in self._calls(values):
            states, u, axes = self._worlds([array[call] for array in arrays])
            rolled = rollout(
                model, states, u, u.shape[1], outputs=("qpos", "qvel", "act", "sensordata"), **self._threads
            )
            for error in rolled.errors:
                if error is not None:
                    raise error
            for name, array in zip(("qpos", "qvel", "act"), found[:3], strict=True):
                whole = np.concatenate([states[name][:, None], rolled[name]], axis=1)
                array[call] = whole.reshape(*axes, *whole.shape[1:])
            if self.has_sensors:
                found.sensordata[call] = rolled.sensordata.reshape(*axes, *rolled.sensordata.shape[1:])
        return found

    def backward(self, inputs: Sequence[Any], gradient: Sequence[Any]) -> tuple[np.ndarray, ...]:
        """The gradient by each input, from that by each result."""
        arrays = [np.asarray(array, np.float64) for array in inputs]
        by_result = [np.asarray(array, np.float64) for array in gradient]
        found = tuple(np.zeros(array.shape) for array in arrays)
        for call, model in self._calls(arrays[4:]):
            states, u, axes = self._worlds([array[call] for array in arrays[:4]])
            steps = linearize_rollout(
                model, states, u, u.shape[1], wrt=self.wrt, sensors=self.has_sensors, **self._options
            )
            own = [array[call].reshape(len(u), *array[call].shape[len(axes) :]) for array in by_result]
            for target, part in zip(found, self._pull(steps, own), strict=True):
                target[call] = part.reshape(target[call].shape)
        return found

    @property
    def _threads(self) -> dict[str, Any]:
        return {"threads": self._options["threads"]}

    def _pull(self, steps: LinearizedRollout, gradient: list[np.ndarray]) -> list[np.ndarray]:
        """Gradients of one call: of worlds, and of parameters summed over worlds."""
        by_qpos, by_qvel, by_act, by_sensors = gradient
        directions = self._coordinates.to_directions(steps.qpos, by_qpos)
        states = np.concatenate([directions, by_qvel, by_act], axis=2)
        pulled = steps.vjp(states, by_sensors if self.has_sensors else None)
        nv = self.model.nv
        by_start = self._coordinates.to_numbers(steps.qpos[:, 0], pulled.state[:, :nv])
        parts = [by_start, pulled.state[:, nv : 2 * nv], pulled.state[:, 2 * nv :], pulled.controls]
        total, first = pulled.parameters.sum(axis=0), 0
        for shape in self.shapes:
            count = int(np.prod(shape, dtype=int))
            parts.append(total[first : first + count])
            first += count
        return parts

    def _calls(self, values: Sequence[Any]) -> Iterator[tuple[Any, Model]]:
        """The index of each call in the axes in front, and its model."""
        if not self.wrt:
            yield (), self.model
            return
        arrays = [np.asarray(value, np.float64) for value in values]
        axes = arrays[0].shape[: arrays[0].ndim - len(self.shapes[0])]
        for array, shape, name in zip(arrays, self.shapes, self.wrt, strict=True):
            if array.shape != (*axes, *shape):
                raise FieldError(f"values of {name} have shape {array.shape}, but {(*axes, *shape)} is needed")
        for call in np.ndindex(*axes):
            yield call, self.model.replace(**{name: array[call] for name, array in zip(self.wrt, arrays, strict=True)})

    def _worlds(self, arrays: Sequence[np.ndarray]) -> tuple[dict[str, np.ndarray], np.ndarray, tuple[int, ...]]:
        """States by name and controls, with one axis of worlds, and the axes that it stands for."""
        qpos, qvel, act, controls = arrays
        axes, m = qpos.shape[:-1], self.model
        for what, array, shape in (
            ("qpos", qpos, (m.nq,)), ("qvel", qvel, (m.nv,)), ("act", act, (m.na,)),
            ("controls", controls, (*controls.shape[-2:-1], m.nu)),
        ):  # fmt: skip
            if array.shape != (*axes, *shape):
                raise FieldError(f"{what} has shape {array.shape}, but {(*axes, *shape)} is needed")
        n = int(np.prod(axes, dtype=int))
        states = {"qpos": qpos.reshape(n, m.nq), "qvel": qvel.reshape(n, m.nv), "act": act.reshape(n, m.na)}
        return states, controls.reshape(n, *controls.shape[-2:]), axes


def _known(model: Model, name: Any) -> str:
    """A name of a field of the Model."""
    model.row(str(name))
    return str(name)
