"""Snapshots of worlds of a batch: copies of their states, checked as a whole before they go into worlds again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.batch.binding import ERRORS, KEPT, NOTED
from phalanx.memory.errors import FieldError, ModelError
from phalanx.memory.fill import MOST, check_whole, numbers, whole
from phalanx.memory.named import Named, unknown

#: What goes into a world only if the snapshot has it: it follows from the state.
_FOLLOWING = (*ERRORS, *NOTED)


class BatchSnapshot(Named[np.ndarray]):
    """States and bound outputs of some worlds of a batch at one moment: arrays (k, ...) by field. Pickles.

    `snapshot[name]` is an array, `len(snapshot)` counts fields, `snapshot.n` is how many worlds there are, and
    `snapshot.world(k)` is the snapshot of one of them.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._arrays = dict(arrays)

    @property
    def n(self) -> int:
        """How many worlds it holds."""
        return len(self._arrays["time"])

    def world(self, k: int) -> BatchSnapshot:
        """The snapshot of one of its worlds."""
        k = whole("a world of the snapshot", k, -MOST)
        if not -self.n <= k < self.n:
            raise FieldError(f"the snapshot has no world {k}: it has {self.n}")
        k %= self.n
        return BatchSnapshot({name: array[k : k + 1].copy() for name, array in self._arrays.items()})

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise unknown(name, self)
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<BatchSnapshot of {self.n} worlds, {len(self)} fields>"


def take(arrays: Mapping[str, np.ndarray], worlds: np.ndarray) -> BatchSnapshot:
    """A copy of everything that a batch has of some worlds."""
    return BatchSnapshot({name: array[worlds] for name, array in arrays.items()})


def checked(snapshot: Any, arrays: Mapping[str, np.ndarray], count: int) -> dict[str, np.ndarray]:
    """The rows of a snapshot that a batch has, as arrays (1 or count, ...); ModelError if they do not fit.

    Args:
        snapshot: of a batch, or of a Data, which has no axis of worlds.
        arrays: memory of the batch, (n, ...).
        count: how many worlds they are for.
    """
    if not isinstance(snapshot, Mapping):
        raise ModelError(f"a snapshot has arrays by name, as `batch.snapshot()` gives them, unlike {snapshot!r:.60}")
    missing = [name for name in KEPT if name not in snapshot]
    if missing:
        raise ModelError(f"this is no snapshot of a world: it has no {missing[0]}")
    # the time of one world has no axis
    is_alone = np.ndim(snapshot["time"]) == 0
    rows = {}
    for name, array in arrays.items():
        if name in snapshot:
            values = _numbers(name, snapshot[name])
            rows[name] = _fitting(name, values[None] if is_alone else values, array)
    lengths = {len(values) for values in rows.values()}
    if len(lengths) > 1:
        raise ModelError(f"the fields of this snapshot are of different numbers of worlds: {sorted(lengths)}")
    if lengths - {1, count}:
        raise ModelError(
            f"a snapshot of {lengths.pop()} worlds does not fit {count} worlds; choose as many, or take one"
        )
    return rows


def check_pickle(state: Any) -> None:
    """Refuse what is no pickle of a batch; values in it are checked when they are used."""
    needed = {"model", "n", "number", "threads", "vary", "arrays", "bound"}
    if not isinstance(state, Mapping) or not state.keys() >= needed:
        raise ModelError("this is no pickle of a batch of this version of Phalanx")
    late = state.get("late", ((), {}))
    types = {"number": NumberType, "arrays": Mapping, "bound": tuple}
    bad = [name for name, wanted in types.items() if not isinstance(state[name], wanted)]
    is_pair = isinstance(late, tuple) and len(late) == 2
    if not is_pair or np.ndim(late[0]) != 1 or not isinstance(late[1], Mapping):
        bad.append("late")
    if bad:
        raise ModelError(f"the pickle of a batch is damaged: {bad[0]} is {state[bad[0]]!r:.60}")


def _numbers(name: str, values: Any) -> np.ndarray:
    try:
        return numbers(name, values)
    except FieldError as error:
        raise ModelError(f"this snapshot does not fit: {error}") from None


def _fitting(name: str, values: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Values of a row for some worlds, in the shape and of the type that the batch has."""
    if values.shape[1:] != array.shape[1:] or not values.ndim:
        raise ModelError(
            f"this snapshot is of another model: {name} of a world has shape {values.shape[1:]}, not {array.shape[1:]}"
        )
    if array.dtype.kind != "f":
        try:
            check_whole(name, values, array.dtype)
        except FieldError as error:
            raise ModelError(f"this snapshot does not fit: {error}") from None
    with np.errstate(over="ignore"):
        return values.astype(array.dtype)


def put(rows: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray], worlds: np.ndarray) -> None:
    """Rows that have been checked, into some worlds of a batch."""
    for name in _FOLLOWING:
        arrays[name][worlds] = 0
    for name, values in rows.items():
        arrays[name][worlds] = values
