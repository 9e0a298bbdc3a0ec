"""Rollouts of a model on workers: what `phalanx.rollout` does, with the worlds on many machines."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from phalanx.batch.rollout import Rollout, controls_of, count_of_worlds, named, names_of, states_of
from phalanx.batch.rollout import rollout as rollout_here
from phalanx.learn.distributed.crew import Answer, Backend, Crew
from phalanx.learn.distributed.division import Share, divide
from phalanx.learn.distributed.places import backend_of
from phalanx.memory.errors import FieldError, WorldError
from phalanx.memory.fill import numbers, whole
from phalanx.world.data import whole_steps
from phalanx.world.model import Model


class GatheredRollout(Rollout):
    """What workers have given: arrays (worlds, steps, ...) by name. There is no `batch`: worlds stayed where they were.

    Attributes:
        time: simulated time after each step [s].
        errors: what stopped each world, or None.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], time: np.ndarray, errors: list[WorldError | None]):
        self._arrays, self.time, self.errors = dict(arrays), time, errors


class ModelWorker:
    """A model in the process of a worker."""

    def __init__(self, model: Model, options: Mapping[str, Any]):
        self._model, self._options = model, dict(options)

    def load(self, share: Share, snapshot: Any) -> None:
        """Nothing is kept between calls."""

    def rollout(self, share: Share, states: Any, controls: Any, nsteps: int, vary: Any) -> Answer:
        """The worlds of a share."""
        run = rollout_here(self._model, states, controls, nsteps, vary=vary, **self._options)
        return Answer((dict(run), run.time, [counted_from(error, share.first) for error in run.errors]))

    def close(self) -> None:
        """Nothing is left open."""


def counted_from(error: WorldError | None, first: int) -> WorldError | None:
    """An error of a share, with the number that its world has among all."""
    if error is None or error.world is None:
        return error
    error.world += first
    return copy.copy(error)  # its words are made anew


def rollout(
    model: Model,
    initial_states: Any = None,
    controls: Any = None,
    nsteps: int | None = None,
    *,
    outputs: Iterable[str] = ("qpos", "qvel"),
    vary: Mapping[str, Any] | None = None,
    workers: int = 1,
    place: str | Backend = "ray",
    block: int = 1,
    cpus: int = 1,
    retries: int = 3,
    start_timeout: float = 120.0,
    timeout: float | None = None,
    ray_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> GatheredRollout:
    """Simulate many worlds for many steps on many workers: bit for bit what `phalanx.rollout` gives.

    Args:
        model: the model.
        initial_states, controls, nsteps, outputs, vary: as of `phalanx.rollout`.
        workers: how many.
        place: "ray" for actors of Ray, "local" for this process.
        block: worlds that stay together.
        cpus: of each worker; as many threads step its worlds.
        retries: how often in a row a worker may be lost.
        start_timeout, timeout: how long a worker may take to start, and for its worlds [s].
        ray_options: more for `ray.remote`.
        **options: `dtype`, `lanes`, `strict` of `phalanx.rollout`.

    Raises:
        FieldError: unknown names, or shapes that do not fit together.
        WorkerError: workers could not be started, or were lost again and again.
    """
    if not isinstance(model, Model):
        raise FieldError(f"a rollout needs a Model, not {type(model).__name__}")
    names = names_of(outputs, model)
    nsteps = None if nsteps is None else whole_steps(nsteps)
    controls = None if controls is None else numbers("controls", controls)
    states = states_of(model, initial_states)
    vary = {name: numbers(f"vary[{name!r}]", values) for name, values in named(vary, "vary").items()}
    counts = {name: len(np.atleast_1d(array)) for name, array in (*states.items(), *vary.items())}
    n = count_of_worlds(counts, controls, nsteps)
    inputs, nsteps = controls_of(controls, n, model.nu, nsteps)
    # arguments are sound: workers start
    shares = divide(n, workers, block)
    chosen = {"outputs": names, "threads": whole("cpus", cpus, 1), **options}
    backend = backend_of(place, cpus, ray_options, start_timeout, timeout)
    crew = Crew(backend, functools.partial(ModelWorker, model, chosen), shares, retries)

    def own(array: np.ndarray, share: Share) -> np.ndarray:
        """What a share needs of an array of all worlds; of one for all, as many."""
        return array[share.worlds] if len(array) == n else np.repeat(array, share.count, 0)

    try:
        given = [
            (
                {name: own(array, share) for name, array in states.items()} or {"time": np.zeros(share.count)},
                None if inputs is None else own(inputs, share),
                nsteps,
                {name: own(array, share) for name, array in vary.items()} or None,
            )
            for share in shares
        ]
        found = crew.run("rollout", given)
    finally:
        crew.close()
    arrays = {name: np.concatenate([arrays[name] for arrays, _, _ in found]) for name in names}
    time = np.concatenate([time for _, time, _ in found])
    return GatheredRollout(arrays, time, [error for _, _, errors in found for error in errors])
