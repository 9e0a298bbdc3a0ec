"""Snapshots of the worlds of a task: all that they show and all that decides what they do next, as arrays by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.batch.binding import ERRORS, KEPT, NOTED
from phalanx.memory.errors import ModelError

#: What names of arrays begin with: of the batch, and of fields of the Model that differ between worlds.
STATE, VARY = "state.", "vary."
#: What a world is told when it observes.
OBSERVATION = "observation"


def task_arrays(worlds: Any) -> dict[str, np.ndarray]:
    """Arrays of the worlds themselves, by name: live, (n, ...) each."""
    batch = worlds.batch
    return {
        **{f"{STATE}{name}": batch._arrays[name] for name in (*KEPT, *ERRORS, *NOTED)},
        **worlds._arrays,
        OBSERVATION: worlds.observation,
    }


def take(worlds: Any) -> dict[str, np.ndarray]:
    """A copy of everything, (n, ...) each."""
    varied = {f"{VARY}{name}": np.array(values) for name, values in worlds.batch.vary.items()}
    return {**{name: array.copy() for name, array in task_arrays(worlds).items()}, **varied}


def put(worlds: Any, snapshot: Mapping[str, Any]) -> None:
    """Bring worlds into the state of a snapshot. One that does not fit changes nothing.

    Raises:
        ModelError: it is of another task, or of another count of worlds.
    """
    if not isinstance(snapshot, Mapping):
        raise ModelError(f"a snapshot has arrays by name, unlike {type(snapshot).__name__}")
    arrays, batch = task_arrays(worlds), worlds.batch
    known = {*arrays, *(f"{VARY}{name}" for name in batch.vary)}
    if known != {*snapshot}:
        differing = min(map(str, known ^ {*snapshot}))
        raise ModelError(f"this is no snapshot of {worlds.task.name}: {differing} is in one only")
    for name, array in arrays.items():
        values = np.asarray(snapshot[name])
        if values.shape != array.shape or values.dtype != array.dtype:
            words = f"{name} has shape {values.shape} of {values.dtype}, not {array.shape} of {array.dtype}"
            raise ModelError(f"this snapshot does not fit {worlds.n} worlds of {worlds.task.name}: {words}")
    # models first: their values are checked
    varied = {name: snapshot[f"{VARY}{name}"] for name in batch.vary}
    if varied:
        batch._set_vary(np.ones(worlds.n, bool), varied)
    for name, array in arrays.items():
        array[...] = snapshot[name]
    worlds.has_failed = bool(worlds.failed.any())
