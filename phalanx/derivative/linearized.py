"""Derivatives of rollouts: every step linearized, tangents forwards and gradients backwards through time.

The states of all steps are kept, which takes little, and steps are linearized in segments of many at once: worlds of a
batch. A gradient goes through the segments backwards, so that the matrices of one segment are all that is in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from phalanx.batch.batch import MAX_THREADS, BatchSim, quiet_data
from phalanx.batch.binding import ADVANCED, KEPT
from phalanx.batch.rollout import controls_of, rollout, states_of
from phalanx.derivative.parameters import Parameter, ParameterDifferences, chosen_parameters
from phalanx.derivative.transition import BatchDifferences, Options, check_differentiable
from phalanx.memory.errors import FieldError
from phalanx.memory.fill import fill, flag, numbers, whole
from phalanx.native.threads import available_threads
from phalanx.world.derivatives import checked_step
from phalanx.world.model import Model

#: Steps that are linearized at once, at least; more with more threads.
SEGMENT = 32
#: What changes from step to step.
_CARRIED = tuple(name for name in ADVANCED if name not in ("history", "plugin_state"))


class Matrices(NamedTuple):
    """Derivatives of k steps, (k, rows, columns): as in `Transition`, P and S as in `ParameterDerivatives`."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    P: np.ndarray
    S: np.ndarray


class Gradient(NamedTuple):
    """What a number that depends on a rollout changes with.

    Attributes:
        state: by the initial states, (worlds, 2 nv + na), positions along velocities.
        controls: by the controls of each step, (worlds, steps, nu).
        parameters: by the parameters, (worlds, count).
    """

    state: np.ndarray
    controls: np.ndarray
    parameters: np.ndarray


class Tangent(NamedTuple):
    """How a rollout changes with its inputs.

    Attributes:
        state: at the start and after each step, (worlds, steps + 1, 2 nv + na), positions along velocities.
        sensors: in each step, (worlds, steps, nsensordata).
    """

    state: np.ndarray
    sensors: np.ndarray


class LinearizedRollout:
    """A rollout of worlds, and its derivatives; what `phalanx.linearize_rollout` gives.

    Attributes:
        qpos, qvel, act: at the start and after each step, (worlds, steps + 1, ...).
        sensordata: in each step, (worlds, steps, nsensordata).
        controls: of each step, (worlds, steps, nu).
        parameters: names of the numbers of the Model, such as "body_mass[3]".
    """

    def __init__(
        self, model: Model, states: dict[str, np.ndarray], inputs: dict[str, np.ndarray], linearizer: Linearizer
    ):
        self._model, self._states, self._inputs, self._linearizer = model, states, inputs, linearizer
        self.qpos, self.qvel, self.act = states["qpos"], states["qvel"], states["act"]
        self.controls, self.sensordata = inputs["ctrl"], states["sensordata"]
        self.parameters = tuple(str(one) for one in linearizer.parameters)
        self.worlds, self.steps = self.controls.shape[:2]
        self.nx = 2 * model.nv + model.na
        self._all: Matrices | None = None

    # --- matrices

    @property
    def A(self) -> np.ndarray:
        """Next state by state in each step, (worlds, steps, 2 nv + na, 2 nv + na); kept from the first use on."""
        return self._matrices.A

    @property
    def B(self) -> np.ndarray:
        """Next state by controls, (worlds, steps, 2 nv + na, nu)."""
        return self._matrices.B

    @property
    def C(self) -> np.ndarray:
        """Sensors by state, (worlds, steps, nsensordata, 2 nv + na)."""
        return self._matrices.C

    @property
    def D(self) -> np.ndarray:
        """Sensors by controls, (worlds, steps, nsensordata, nu)."""
        return self._matrices.D

    @property
    def P(self) -> np.ndarray:
        """Next state by parameters, (worlds, steps, 2 nv + na, count)."""
        return self._matrices.P

    @property
    def S(self) -> np.ndarray:
        """Sensors by parameters, (worlds, steps, nsensordata, count)."""
        return self._matrices.S

    @property
    def _matrices(self) -> Matrices:
        if self._all is None:
            parts = [self._segment(first, last) for first, last in self._segments()]
            shape = self.steps, self.worlds
            # steps come first, as segments run through time
            joined = (
                np.concatenate(arrays).reshape(*shape, *arrays[0].shape[1:]) for arrays in zip(*parts, strict=True)
            )
            self._all = Matrices._make(np.ascontiguousarray(array.swapaxes(0, 1)) for array in joined)
        return self._all

    def _segments(self) -> Iterator[tuple[int, int]]:
        """First and last step of each segment, in the order of time."""
        length = max(1, self._linearizer.at_once // max(self.worlds, 1))
        for first in range(0, self.steps, length):
            yield first, min(first + length, self.steps)

    def _segment(self, first: int, last: int) -> Matrices:
        """Matrices of some steps of all worlds, (steps x worlds, ...)."""
        if self._all is not None:
            return Matrices._make(_flat(array[:, first:last]) for array in self._all)
        rows = {name: _flat(self._states[name][:, first:last]) for name in _CARRIED}
        rows["ctrl"] = _flat(self.controls[:, first:last])
        for name in KEPT:
            if name not in rows:
                rows[name] = np.tile(self._inputs[name], (last - first, *(1,) * (self._inputs[name].ndim - 1)))
        return self._linearizer.matrices(rows)

    # --- products

    def jvp(self, state: Any = None, controls: Any = None, parameters: Any = None) -> Tangent:
        """How the rollout changes with changes of its inputs, to first order; forwards through time.

        Args:
            state: change of the initial states, (worlds, 2 nv + na) or (2 nv + na,), positions along velocities.
            controls: change of the controls, (worlds, steps, nu) or (steps, nu).
            parameters: change of the parameters, (worlds, count) or (count,).
        """
        n, count, nu = self.worlds, len(self.parameters), self.controls.shape[2]
        x = _given("the change of the state", state, (n, self.nx)).copy()
        u = _given("the change of the controls", controls, (n, self.steps, nu))
        p = _given("the change of the parameters", parameters, (n, count))
        states, sensors = np.zeros((n, self.steps + 1, self.nx)), np.zeros((n, self.steps, self._nsensor))
        states[:, 0] = x
        for first, last in self._segments():
            part = self._segment(first, last)
            for step in range(first, last):
                A, B, C, D, P, S = (array[(step - first) * n : (step - first + 1) * n] for array in part)
                sensors[:, step] = _apply(C, x) + _apply(D, u[:, step]) + _apply(S, p)
                x = _apply(A, x) + _apply(B, u[:, step]) + _apply(P, p)
                states[:, step + 1] = x
        return Tangent(states, sensors)

    def vjp(self, state: Any = None, sensors: Any = None) -> Gradient:
        """The gradient of a number by all inputs, from its gradient by states and sensors; backwards through time.

        Args:
            state: its gradient by the states at the start and after each step, (worlds, steps + 1, 2 nv + na),
                positions along velocities; or by the last states alone, (worlds, 2 nv + na).
            sensors: its gradient by the sensors of each step, (worlds, steps, nsensordata).
        """
        n = self.worlds
        given = np.zeros((n, self.steps + 1, self.nx))
        if state is not None:
            array = numbers("the gradient by states", state)
            if array.shape == (n, self.nx):
                given[:, -1] = array
            else:
                given[...] = _given("the gradient by states", array, given.shape)
        read = _given("the gradient by sensors", sensors, (n, self.steps, self._nsensor))
        by_state, by_controls = given[:, -1].copy(), np.zeros(self.controls.shape)
        by_parameters = np.zeros((n, len(self.parameters)))
        # backwards through time, with the matrices of one segment at a time
        for first, last in reversed(list(self._segments())):
            part = self._segment(first, last)
            for step in reversed(range(first, last)):
                A, B, C, D, P, S = (array[(step - first) * n : (step - first + 1) * n] for array in part)
                by_controls[:, step] = _pull(B, by_state) + _pull(D, read[:, step])
                by_parameters += _pull(P, by_state) + _pull(S, read[:, step])
                by_state = _pull(A, by_state) + _pull(C, read[:, step]) + given[:, step]
        return Gradient(by_state, by_controls, by_parameters)

    @property
    def _nsensor(self) -> int:
        return self.sensordata.shape[2]

    def __repr__(self) -> str:
        by = f" by {len(self.parameters)} parameters" if self.parameters else ""
        return f"<LinearizedRollout of {self.worlds} worlds, {self.steps} steps{by}: {self._model!r}>"


def _flat(array: np.ndarray) -> np.ndarray:
    """(worlds, steps, ...) as (steps x worlds, ...)."""
    worlds, steps = array.shape[:2]
    return np.ascontiguousarray(array.swapaxes(0, 1)).reshape(worlds * steps, *array.shape[2:])


def _apply(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return np.einsum("nij,nj->ni", matrices, vectors)


def _pull(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return np.einsum("nij,ni->nj", matrices, vectors)


def _given(what: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """An array of the user in a shape, the axis of worlds may be missing; zero for None."""
    if values is None:
        return np.zeros(shape)
    array = numbers(what, values).astype(np.float64)
    if array.shape not in (shape, shape[1:]):
        raise FieldError(f"{what} has shape {array.shape}, but {shape} is needed")
    return np.broadcast_to(array, shape)


# --- steps


class Linearizer:
    """Derivatives of steps from many states of one model, at most `at_once` in a call.

    Args:
        model: the model.
        parameters: numbers of the Model to differentiate by.
        options: of finite differences.
        threads: how many threads.
        count: how many steps there are in all.
    """

    def __init__(self, model: Model, parameters: tuple[Parameter, ...], options: Options, threads: int, count: int):
        self.parameters, self._options = parameters, options
        self.at_once = max(1, min(SEGMENT * threads, count))
        self._batch = BatchSim(model, self.at_once, threads=1)
        self._differences = BatchDifferences(self._batch, options, self._batch.number, threads)
        if parameters:
            self._data = quiet_data(model, "float64")
            self._parameter_differences = ParameterDifferences(
                self._data, parameters, options.eps, options.centered, options.sensors, "auto", threads
            )

    def matrices(self, rows: dict[str, np.ndarray]) -> Matrices:
        """Derivatives of the steps from k states, with rows (k, ...) of all that a step starts from."""
        count = len(rows["qpos"])
        parts = [
            self._some({name: array[first : first + self.at_once] for name, array in rows.items()})
            for first in range(0, count, self.at_once)
        ]
        return Matrices._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))

    def _some(self, rows: dict[str, np.ndarray]) -> Matrices:
        k, batch = len(rows["qpos"]), self._batch
        for name, array in rows.items():
            batch._arrays[name][:k] = array
            batch._arrays[name][k:] = array[-1]
        found = self._differences.transition(batch, self._options)
        nx = found.A.shape[-1]
        by_parameters = np.zeros((k, found.matrix.shape[1], len(self.parameters)))
        for step in range(k) if self.parameters else ():
            for name, array in rows.items():
                self._data._store.arrays[name][...] = array[step]
            result = self._parameter_differences.derivatives(self._data, self._options.one_sided)
            by_parameters[step] = result.matrix
        A, B, C, D = (array[:k] for array in found)
        return Matrices(A, B, C, D, by_parameters[:, :nx], by_parameters[:, nx:])


def linearize_rollout(
    model: Model,
    initial_states: Any = None,
    controls: Any = None,
    nsteps: int | None = None,
    *,
    wrt: Any = (),
    sensors: bool = True,
    eps: float = 1e-6,
    centered: bool = True,
    one_sided: bool = True,
    threads: int | None = None,
) -> LinearizedRollout:
    """Simulate worlds, and differentiate all their steps by state, controls and parameters of the model.

    Args:
        model: the model.
        initial_states: where worlds start, as in `phalanx.rollout`.
        controls: (worlds, steps, nu), (steps, nu) for all worlds, or as in `phalanx.rollout`.
        nsteps: how many steps; needed if the controls do not tell.
        wrt: parameters to differentiate by, as in `Data.parameter_derivatives`.
        sensors: differentiate sensors, too.
        eps, centered, one_sided: as in `Data.transition`.
        threads: how many threads; None for all CPUs of the process.

    Returns:
        The states of all steps, the matrices of their linearizations, and `jvp` and `vjp`, products with them.

    Raises:
        WorldError: a step fails.
        ModelError: delays of controls or sensors.

    Example:
        >>> result = phalanx.linearize_rollout(model, data, controls)          # doctest: +SKIP
        >>> result.vjp(gradient_by_states).controls                            # doctest: +SKIP
    """
    if not isinstance(model, Model):
        raise FieldError(f"a rollout needs a Model, not {type(model).__name__}")
    check_differentiable(model)
    if isinstance(initial_states, BatchSim) and initial_states.vary:
        raise FieldError("the worlds of a linearized rollout have one model, but those of the batch differ")
    options = Options(
        checked_step(eps), flag("centered", centered), flag("sensors", sensors), flag("one_sided", one_sided)
    )
    threads = available_threads() if threads is None else whole("threads", threads, 1, MAX_THREADS)
    parameters = chosen_parameters(model, wrt)
    outputs = (*_CARRIED, *(("sensordata",) if options.sensors else ()))
    found = rollout(model, initial_states, controls, nsteps, outputs=outputs, threads=threads)
    for error in found.errors:
        if error is not None:
            raise error
    n, count = found.time.shape
    # the start is no output of a rollout
    start = BatchSim(model, n, threads=1)
    for name, values in states_of(model, initial_states).items():
        fill(start._arrays[name], name, np.broadcast_to(values, start._arrays[name].shape))
    given = None if controls is None else controls_of(numbers("controls", controls), n, model.nu, nsteps)[0]
    states = {name: np.concatenate([start._arrays[name][:, None], found[name]], axis=1) for name in _CARRIED}
    states["sensordata"] = found["sensordata"] if options.sensors else np.zeros((n, count, 0))
    inputs = {name: start._arrays[name] for name in KEPT}
    used = start._arrays["ctrl"][:, None] if given is None else given
    inputs["ctrl"] = np.array(np.broadcast_to(used, (n, count, model.nu)), np.float64)
    return LinearizedRollout(model, states, inputs, Linearizer(model, parameters, options, threads, n * count))
