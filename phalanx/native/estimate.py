"""How long compiling will take, and lines on the terminal about how far it is."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Mapping, Sequence

from phalanx.native import cache
from phalanx.native.entry import Unit
from phalanx.native.key import Walk
from phalanx.native.notice import is_logged, say
from phalanx.native.target import Target, host_target

#: Seconds that a kernel takes to compile, on average over all units: measured.
SECONDS_PER_KERNEL = 0.01
#: How far measured times may move the estimate of what has not been measured.
LEAST_FACTOR, MOST_FACTOR = 0.2, 20.0


def cpus() -> int:
    """CPUs that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@functools.cache
def usual_seconds(unit: Unit) -> float:
    """Seconds that a unit is expected to take before it was compiled anywhere: it has so many kernels."""
    walk = Walk()
    for root in unit.roots():
        walk.visit(root)
    return SECONDS_PER_KERNEL * (1 + walk.count)


def expected_times(units: Sequence[Unit], target: Target | None = None) -> dict[str, float]:
    """Seconds of each unit: what it took here the last time, else by its kernels and by how fast this machine was."""
    known = cache.known_times(target or host_target())
    usual = {unit.name: usual_seconds(unit) for unit in units}
    factor = speed_factor({name: known[name] for name in usual if name in known}, usual)
    return {name: known.get(name, factor * seconds) for name, seconds in usual.items()}


def speed_factor(measured: Mapping[str, float], expected: Mapping[str, float]) -> float:
    """How many times as long as expected the units took that were measured; 1 if there are none.

    >>> speed_factor({"a": 4.0}, {"a": 2.0, "b": 3.0})
    2.0
    """
    total = sum(expected[name] for name in measured)
    if not total:
        return 1.0
    return min(max(sum(measured.values()) / total, LEAST_FACTOR), MOST_FACTOR)


def expected_seconds(times: Mapping[str, float]) -> float:
    """Estimated seconds for all units, from the seconds of each and the count of CPUs."""
    workers = max(1, min(len(times), cpus()))
    return max(1.0, *times.values(), sum(times.values()) / workers) if times else 0.0


def span(seconds: float) -> str:
    """A time that is an estimate, in words.

    >>> span(12.3), span(200.0)
    ('12 s', '3 min')
    """
    return f"{seconds:.0f} s" if seconds < 120.0 else f"{seconds / 60.0:.0f} min"


class Progress:
    """Lines on the terminal about what is being compiled, how far it is, and how long it will take.

    Args:
        units: what is to be compiled.
        keeps: is it kept for other processes?
        target: what it is compiled for; None for this machine.
    """

    def __init__(self, units: Sequence[Unit], keeps: bool = True, target: Target | None = None):
        target = target or host_target()
        self._expected = expected_times(units, target)
        self._measured: dict[str, float] = {}
        self._is_terminal = sys.stderr.isatty() and not is_logged()
        count = len(self._expected)
        self._what = next(iter(self._expected)) if count == 1 else f"{count} parts"
        place = f"once; kept in {cache.cache_folder(target)}" if keeps else "for this process only"
        purpose = " for browsers" if target.is_web else ""
        say(f"phalanx: compiling {self._what}{purpose}, about {span(self.seconds_left())} ({place}) ...")

    def seconds_left(self) -> float:
        """What remains, by what was expected and how long the first units really took."""
        factor = speed_factor(self._measured, self._expected)
        return expected_seconds({n: factor * s for n, s in self._expected.items() if n not in self._measured})

    def done(self, name: str, seconds: float) -> None:
        """Count a unit as compiled; on a terminal the line is written anew."""
        if name in self._expected:
            self._measured[name] = seconds
        done, count = len(self._measured), len(self._expected)
        if self._is_terminal and done < count:
            say(f"\r\033[Kphalanx: compiled {done} of {count}, about {span(self.seconds_left())} left ", end=False)

    def end(self, seconds: float) -> None:
        """The last line: what was compiled, and the seconds it took."""
        clear = "\r\033[K" if self._is_terminal else ""
        say(f"{clear}phalanx: compiled {self._what} in {seconds:.1f} s")

    def stop(self) -> None:
        """What was begun is not ended: leave a line that other text can follow."""
        if self._is_terminal and self._measured:
            say("")
