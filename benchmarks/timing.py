"""Contestants take turns, and the best time of each counts: a slow phase of the machine hits all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

ROUNDS = 9


def best_times(contestants: dict[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, float]:
    """Best seconds per unit of work; each contestant returns how many units it did."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.perf_counter()
            units = run()
            best[name] = min(best[name], (time.perf_counter() - start) / units)
    return best


def best_own_times(
    contestants: Mapping[str, Callable[[], int]], rounds: int = ROUNDS, at_least: float = 0.0
) -> dict[str, float]:
    """Like best_times, but counting only the `seconds` that a contestant says it spent.

    There are so many rounds, and more until `at_least` seconds are over.
    """
    best = dict.fromkeys(contestants, float("inf"))
    begin, done = time.perf_counter(), 0
    while done < rounds or time.perf_counter() - begin < at_least:
        done += 1
        for name, run in contestants.items():
            units = run()
            best[name] = min(best[name], run.seconds / units)  # type: ignore[attr-defined]
    return best
