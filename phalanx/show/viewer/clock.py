"""Time: which steps are due, so that simulated time keeps up with the clock on the wall, times a factor."""

from __future__ import annotations

import math
from collections import deque

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import real

#: A world that is this far behind [s of the wall] is too slow; it does not try to catch up.
MOST_LAG = 0.1
#: The measured speed is that of the last moments [s of the wall].
MEASURED_OVER = 0.5
#: Bounds of the speed factor.
SLOWEST, FASTEST = 1e-3, 1e3


class Clock:
    """Tells how many steps are due.

    Args:
        timestep: simulated time of a step [s].
        speed: simulated seconds per second of the wall.
    """

    def __init__(self, timestep: float, speed: float = 1.0):
        self.timestep = timestep
        self._speed = checked_speed(speed)
        self._start: float | None = None
        self._done = 0
        self._marks: deque[tuple[float, int]] = deque()

    @property
    def speed(self) -> float:
        """Simulated seconds per second of the wall."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._speed = checked_speed(speed)
        self.stop()

    def stop(self) -> None:
        """The world stands still; `due` counts from the next call on."""
        self._start, self._done = None, 0
        self._marks.clear()

    def due(self, now: float) -> int:
        """Steps that are due at a time of the wall [s]."""
        if self._start is None:
            self._start, self._done = now, 0
        wanted = (now - self._start) * self._speed / self.timestep
        lag = (wanted - self._done) * self.timestep / self._speed
        if lag > MOST_LAG:
            # too slow: from here on as if it were on time
            self._start += lag - MOST_LAG
            wanted = self._done + MOST_LAG * self._speed / self.timestep
        return max(0, math.floor(wanted) - self._done)

    def count(self, steps: int, now: float) -> None:
        """Note steps that were taken."""
        self._done += steps
        self._marks.append((now, self._done))
        while len(self._marks) > 2 and now - self._marks[0][0] > MEASURED_OVER:
            self._marks.popleft()

    def until_next(self, now: float) -> float:
        """Seconds of the wall until the next step is due."""
        if self._start is None:
            return 0.0
        return max(0.0, self._start + (self._done + 1) * self.timestep / self._speed - now)

    @property
    def measured(self) -> float:
        """Simulated seconds per second of the wall, lately; 0 while nothing moves."""
        if len(self._marks) < 2:
            return 0.0
        (first, before), (last, after) = self._marks[0], self._marks[-1]
        return (after - before) * self.timestep / (last - first) if last > first else 0.0


class Brake:
    """Holds back a loop of the user that would run ahead of the clock."""

    def __init__(self) -> None:
        self._start: tuple[float, float] | None = None

    def release(self) -> None:
        """Count from the next call on."""
        self._start = None

    def delay(self, now: float, time: float, speed: float) -> float:
        """Seconds of the wall to wait when simulated time is `time`, so that it keeps to a speed factor.

        Args:
            now: time of the wall [s].
            time: simulated [s].
            speed: simulated seconds per second of the wall.
        """
        if self._start is None or time < self._start[1]:
            self._start = now, time
        ahead = (time - self._start[1]) / speed - (now - self._start[0])
        if ahead < -MOST_LAG:
            # too slow: from here on as if it were on time
            self._start = now, time
        return max(0.0, ahead)


def checked_speed(speed: float) -> float:
    """A factor of speed that the user gave."""
    speed = real("speed", speed)
    if not SLOWEST <= speed <= FASTEST:
        raise FieldError(f"speed is between {SLOWEST:g} and {FASTEST:g} times real time, not {speed:g}")
    return speed
