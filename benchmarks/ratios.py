"""What the times of a row say: medians of its runs, and how many times faster than MuJoCo each way is."""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.cases import BARS, CASES, Bar, Case
from benchmarks.contestants import WAYS
from benchmarks.results import Results

#: Our ways, of which there are ratios.
OURS = tuple(name for name, way in WAYS.items() if way.against)


def best_of_mujoco(times: dict[str, float], way: str) -> float:
    """Seconds of the fastest way of MuJoCo that a way is compared with."""
    return min(times[name] for name in WAYS[way].against)


def ratio(record: dict[str, Any], way: str) -> float:
    """How many times faster than MuJoCo, in the median run."""
    return median(best_of_mujoco(times, way) / times[way] for times in record["runs"])


def seconds(record: dict[str, Any], way: str) -> float:
    """Seconds per step of one world, in the median run."""
    return median(times[way] for times in record["runs"])


def spread(record: dict[str, Any], way: str) -> float:
    """How far the ratios of the runs are apart, as a part of their median."""
    found = [best_of_mujoco(times, way) / times[way] for times in record["runs"]]
    return (max(found) - min(found)) / median(found)


def measured(results: Results) -> list[tuple[Case, dict[str, Any]]]:
    """Rows that were measured, in the order of the cases."""
    return [(case, results.steps[case.key]) for case in CASES if case.key in results.steps]


def slower(results: Results, way: str) -> list[tuple[Case, float]]:
    """Rows in which a way is slower than MuJoCo, the slowest first."""
    found = [(case, ratio(record, way)) for case, record in measured(results)]
    return sorted((row for row in found if row[1] < 1), key=lambda row: row[1])


def worst(results: Results, bar: Bar) -> tuple[Case, float] | None:
    """The row of a bar with the lowest ratio."""
    rows = [(case, ratio(record, bar.way)) for case, record in measured(results) if bar.covers(case)]
    return min(rows, key=lambda row: row[1], default=None)


def bars(results: Results) -> list[tuple[Bar, Case, float]]:
    """All bars of which a row was measured, with the row that is nearest to missing them, or misses most."""
    return [(bar, *found) for bar in BARS if (found := worst(results, bar)) is not None]
