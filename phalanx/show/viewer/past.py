"""The past: states of the last minutes, to go back to, in a ring of bounded memory."""

from __future__ import annotations

import numpy as np

from phalanx.memory.errors import FieldError

#: Longest past that is kept [s of simulated time at full frame rate], and the most memory for it [bytes].
SECONDS, MOST_BYTES = 300.0, 256 * 2**20
#: The ring has room for this many states, if they are small enough.
MOST_STATES = 9000


class Past:
    """States with their times, oldest first; when the ring is full, the oldest one makes room.

    Memory is taken as it fills, `MOST_BYTES` at most: the larger the state, the fewer are kept.

    Args:
        size: numbers in a state.
        capacity: states that are kept; None for as many as the limits allow.
    """

    def __init__(self, size: int, capacity: int | None = None):
        allowed = max(2, min(MOST_STATES, MOST_BYTES // (8 * (size + 1))))
        self.capacity = allowed if capacity is None else min(allowed, max(2, capacity))
        self._states = np.empty((0, size))
        self._times = np.empty(0)
        self._first = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Memory that is held now."""
        return self._states.nbytes + self._times.nbytes

    def add(self, time: float, state: np.ndarray) -> None:
        """Keep a state. One that is not later than the last ones replaces them: the world was set back."""
        if not np.isfinite(time):
            raise FieldError(f"a state of the past has a time, not {time}")
        self.forget_from(time)
        if self._count == len(self._times) < self.capacity:
            self._grow()
        place = (self._first + self._count) % len(self._times)
        self._states[place], self._times[place] = state, time
        if self._count < len(self._times):
            self._count += 1
        else:
            self._first = (self._first + 1) % len(self._times)

    def _grow(self) -> None:
        """Twice the room. The ring is not full before it has all of it, so states are in order."""
        room = min(self.capacity, max(64, 2 * len(self._times)))
        states, times = np.empty((room, self._states.shape[1])), np.empty(room)
        order = self._order()
        states[: self._count], times[: self._count] = self._states[order], self._times[order]
        self._states, self._times, self._first = states, times, 0

    def _order(self) -> np.ndarray:
        """Places of all states, oldest first."""
        return (self._first + np.arange(self._count)) % max(1, len(self._times))

    @property
    def span(self) -> tuple[float, float]:
        """Times of the oldest and of the newest state [s]; (0, 0) when there is none."""
        if not self._count:
            return 0.0, 0.0
        order = self._order()
        return float(self._times[order[0]]), float(self._times[order[-1]])

    def at(self, time: float) -> tuple[float, np.ndarray]:
        """The newest state that is not later than a time, or the oldest one: (its time, the state)."""
        if not self._count:
            raise FieldError("there is no past yet: nothing was simulated")
        order = self._order()
        k = max(0, int(np.searchsorted(self._times[order], time, side="right")) - 1)
        return float(self._times[order[k]]), self._states[order[k]].copy()

    def forget_from(self, time: float) -> None:
        """Drop states at this time or later."""
        while self._count and self._times[(self._first + self._count - 1) % len(self._times)] >= time:
            self._count -= 1

    def clear(self) -> None:
        """Forget everything."""
        self._first = self._count = 0
