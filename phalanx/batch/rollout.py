"""Rollouts: many worlds, many steps, one call; what happens in each step comes back as arrays."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from phalanx.batch import group
from phalanx.batch.batch import BatchSim, quiet_data
from phalanx.batch.binding import ADVANCED, ERRORS, KEPT, check_bindable
from phalanx.batch.runs import Transfers
from phalanx.memory.awake import look_anew
from phalanx.memory.errors import FieldError, WorldError, suggestion
from phalanx.memory.exclusive import exclusive
from phalanx.memory.fill import fill, numbers
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.named import Named, unknown
from phalanx.tables.data_fields import FULL_PHYSICS
from phalanx.world.data import Data, whole_steps
from phalanx.world.model import Model

#: Name of the output that has all of them side by side.
STATE_NAME = "state"


class Rollout(Named[np.ndarray]):
    """What a rollout has given: arrays (worlds, steps, ...) by name, as items and as attributes.

    Attributes:
        time: simulated time after each step [s].
        errors: what stopped each world, or None; such a world keeps its last good state to the end.
        batch: the worlds after the last step.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], time: np.ndarray, batch: BatchSim):
        self._arrays, self.time, self.batch = dict(arrays), time, batch
        self.errors: list[WorldError | None] = batch.errors

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise unknown(name, self)
        return self._arrays[name]

    def __iter__(self) -> Any:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        arrays = self.__dict__.get("_arrays", {})
        if name not in arrays:
            raise FieldError(f"the rollout has no output {name!r}{suggestion(name, arrays)}; ask for it in outputs=")
        return arrays[name]

    def __repr__(self) -> str:
        failed = sum(error is not None for error in self.errors)
        note = f", {failed} failed" if failed else ""
        worlds, steps = self.time.shape
        return f"<Rollout of {worlds} worlds, {steps} steps: {', '.join(self)}{note}>"


def rollout(
    model: Model,
    initial_states: Any = None,
    controls: Any = None,
    nsteps: int | None = None,
    *,
    outputs: Iterable[str] = ("qpos", "qvel"),
    dtype: str = "float64",
    lanes: int | str = "auto",
    threads: int | None = None,
    vary: Mapping[str, Any] | None = None,
    strict: bool = False,
    device: str = "cpu",
) -> Rollout:
    """Simulate many worlds for many steps in compiled code; each world as `Data.step` would, bit for bit.

    With a `control` hook the loop is closed: it is called in each step, after the controls of the step are set.

    Args:
        model: the model.
        initial_states: where worlds start: None (the initial state), fields by name with or without an axis of worlds,
            an array (worlds, n) or (n,) of full physics states in MuJoCo's order, a Data, or a BatchSim; the last two
            are not changed.
        controls: (worlds, steps, nu), where an axis of length 1 serves all; (steps, nu) for all worlds; (worlds, nu) or
            (nu,) for all steps; None to keep those of the initial states.
        nsteps: how many steps; needed if the controls do not tell.
        outputs: fields of Data to keep after each step, "state" for the full physics state.
        dtype: "float64" or "float32".
        lanes: worlds per vector register, as in BatchSim.
        threads: how many threads; None for all CPUs of the process.
        vary: fields of the Model that differ from world to world, as in BatchSim.
        strict: a world whose constraint solver does not converge fails, before the step.
        device: where worlds run, as in BatchSim.

    Raises:
        FieldError: unknown names, or shapes that do not fit together.

    Example:
        >>> result = rollout(model, {"qpos": starts}, nsteps=100, outputs=("qpos", "xpos"))      # doctest: +SKIP
        >>> result.qpos.shape                                                                   # doctest: +SKIP
    """
    if not isinstance(model, Model):
        raise FieldError(f"a rollout needs a Model, not {type(model).__name__}")
    names = names_of(outputs, model)
    nsteps = None if nsteps is None else whole_steps(nsteps)
    if controls is not None:
        controls = numbers("controls", controls)
    states = states_of(model, initial_states)
    late: tuple[np.ndarray, dict[str, np.ndarray]] = (np.arange(0), {})
    if isinstance(initial_states, BatchSim) and vary is None:
        vary, late = initial_states._variation.early, initial_states._variation.late
    vary = {name: numbers(f"vary[{name!r}]", values) for name, values in named(vary, "vary").items()}
    counts = {name: len(np.atleast_1d(array)) for name, array in (*states.items(), *vary.items())}
    n = count_of_worlds(counts, controls, nsteps)
    inputs, nsteps = controls_of(controls, n, model.nu, nsteps)
    batch = BatchSim(model, n, dtype=dtype, lanes=lanes, threads=threads, vary=vary, device=device)
    batch._change_models(*late)
    for name, values in states.items():
        fill(batch._arrays[name], name, np.broadcast_to(values, batch._arrays[name].shape))
    asked = [name for name in names if name != STATE_NAME]
    kept = dict.fromkeys(("time", *asked, *(FULL_PHYSICS if STATE_NAME in names else ())))
    batch.bind(*asked)
    arrays = {name: empty_output(batch, name, nsteps) for name in kept}
    start = batch.time.copy()
    # a single world is faster without lanes, with the same bits
    if n and nsteps:
        loaded = {} if inputs is None else {"ctrl": np.ascontiguousarray(inputs, batch.number.dtype)}
        if n == 1 and lanes == "auto" and device == "cpu":
            step_alone(batch, nsteps, strict, loaded, arrays)
        else:
            batch._run(group.ROLLOUT, nsteps, strict, Transfers(loaded, arrays))
        hold_last(batch, arrays, start)
    if STATE_NAME in names:
        parts = [arrays[name].reshape(n, nsteps, -1) for name in FULL_PHYSICS]
        arrays[STATE_NAME] = np.concatenate([part for part in parts if part.size or not n * nsteps], axis=2)
    return Rollout({name: arrays[name] for name in names}, arrays["time"], batch)


def names_of(outputs: Any, model: Model) -> tuple[str, ...]:
    """Which outputs are asked for."""
    try:
        names = tuple(dict.fromkeys((outputs,) if isinstance(outputs, str) else outputs))
    except TypeError:
        raise FieldError(f"outputs are names of fields, such as ('qpos', 'qvel'), not {outputs!r:.60}") from None
    for name in names:
        if name != STATE_NAME:
            check_bindable(name, model)
    return names


def named(values: Any, what: str) -> Mapping[str, Any]:
    """Arrays by name, none for None."""
    if values is not None and not isinstance(values, Mapping):
        raise FieldError(f"{what} has arrays by name of the field, unlike {type(values).__name__}")
    return values or {}


def empty_output(batch: BatchSim, name: str, nsteps: int) -> np.ndarray:
    """Memory for a field in all worlds and steps."""
    shape = batch.n, nsteps, *shape_of(DATA_SCHEMA.fields[name], batch._sizes)
    try:
        return np.zeros(shape, batch._arrays[name].dtype)
    except (MemoryError, ValueError, OverflowError):
        raise FieldError(f"there is not enough memory for {name} of {batch.n} worlds in {nsteps} steps") from None


def states_of(model: Model, states: Any) -> dict[str, np.ndarray]:
    """Initial states as arrays by name, with an axis of worlds that may have length 1."""
    if states is None:
        return {}
    if isinstance(states, BatchSim | Data):
        return _kept_by(states)
    if not isinstance(states, Mapping):
        return split_state(model, states)
    checked = {}
    for name, value in states.items():
        if name not in KEPT:
            raise FieldError(f"{name!r} is not a state or an input{suggestion(name, KEPT)}")
        shape, array = shape_of(DATA_SCHEMA.fields[name], model._store.sizes), numbers(f"initial {name}", value)
        if not len(shape) <= array.ndim <= len(shape) + 1 or array.shape[array.ndim - len(shape) :] != shape:
            raise FieldError(f"initial {name} has shape {array.shape}, but (worlds, *{shape}) or {shape} is needed")
        checked[name] = array if array.ndim > len(shape) else array[None]
    return checked


@exclusive
def _kept_by(source: BatchSim | Data) -> dict[str, np.ndarray]:
    """State and inputs that worlds are in now."""
    if isinstance(source, BatchSim):
        return {name: source._arrays[name].copy() for name in KEPT}
    return {name: source._store.arrays[name][None].copy() for name in KEPT}


def split_state(model: Model, states: Any) -> dict[str, np.ndarray]:
    """Full physics states by name."""
    array, sizes = numbers("initial states", states), model._store.sizes
    lengths = [int(np.prod(shape_of(DATA_SCHEMA.fields[name], sizes), dtype=int)) for name in FULL_PHYSICS]
    if array.ndim not in (1, 2) or array.shape[-1] != sum(lengths):
        raise FieldError(f"initial states have shape {array.shape}, but (worlds, {sum(lengths)}) is needed")
    parts = np.split(np.atleast_2d(array), np.cumsum(lengths)[:-1], axis=1)
    named = dict(zip(FULL_PHYSICS, parts, strict=True))
    return {**named, "time": named["time"][:, 0]}


def count_of_worlds(counts: Mapping[str, int], controls: Any, nsteps: int | None) -> int:
    """How many worlds the arguments speak of; an axis of length 1 fits any count."""
    shape: tuple[int, ...] = np.shape(controls) if controls is not None else ()
    counts = dict(counts)
    if len(shape) == 3 or (len(shape) == 2 and nsteps is not None and shape[0] != nsteps):
        counts["controls"] = shape[0]
    told = {name: count for name, count in counts.items() if count != 1}
    if len(set(told.values())) > 1:
        raise FieldError(f"numbers of worlds do not agree: {', '.join(f'{n} has {c}' for n, c in told.items())}")
    return next(iter(told.values()), 1)


def controls_of(controls: Any, n: int, nu: int, nsteps: int | None) -> tuple[np.ndarray | None, int]:
    """(controls with axes of worlds and steps, either of length 1 if it serves all; how many steps)"""
    if controls is None:
        if nsteps is None:
            raise FieldError("nsteps is needed, because there are no controls that tell")
        return None, nsteps
    array = np.asarray(controls)
    if not 1 <= array.ndim <= 3 or array.shape[-1] != nu:
        raise FieldError(f"controls have shape {array.shape}, but (worlds, steps, {nu}) is needed")
    # missing axes become axes of length 1; two axes are steps if there are so many, else worlds
    if array.ndim == 1:
        array = array[None, None]
    elif array.ndim == 2:
        if nsteps is not None and n == nsteps == len(array) and n > 1:
            raise FieldError(
                f"controls of shape {array.shape} could be of {n} worlds or of {n} steps: give them three axes, "
                f"({n}, 1, {nu}) or (1, {n}, {nu})"
            )
        array = array[None] if nsteps is None or len(array) == nsteps else array[:, None]
    if nsteps is None:
        nsteps = array.shape[1]
    if array.shape[0] not in (1, n) or array.shape[1] not in (1, nsteps):
        raise FieldError(f"controls have shape {np.shape(controls)}, but there are {n} worlds and {nsteps} steps")
    return array, nsteps


def step_alone(
    batch: BatchSim, nsteps: int, strict: bool, loaded: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
) -> None:
    """One world: the code of `Data.step` fits it better than that of a batch, which would often have to be compiled."""
    data = quiet_data(batch._variation.model_of(0), batch.number.base)
    memory = data._store.arrays
    memory["requests"][...] = batch._requests
    for name in (*KEPT, *batch._retained()):
        memory[name][...] = batch._arrays[name][0]
    look_anew(memory)
    for step in range(nsteps):
        for name, array in loaded.items():
            memory[name][...] = array[0, step % array.shape[1]]
        if not memory["error_code"]:
            with contextlib.suppress(WorldError):
                data.step(strict=strict)
        for name, array in arrays.items():
            array[0, step] = memory[name]
    for name in (*KEPT, *ERRORS, *batch._bound):
        batch._arrays[name][0] = memory[name]
    batch._arrays["contact_count"][0] = memory["ncon"]


def hold_last(batch: BatchSim, arrays: Mapping[str, np.ndarray], start: np.ndarray) -> None:
    """In the steps that a failed world did not take, outputs stay what they were; zero if it took none."""
    for world in np.flatnonzero(batch._arrays["error_code"]):
        times = np.concatenate([start[world : world + 1], arrays["time"][world]])
        done = int(np.count_nonzero(np.diff(times)))
        for name, array in arrays.items():
            if name not in ADVANCED:
                array[world, done:] = array[world, done - 1] if done else 0
