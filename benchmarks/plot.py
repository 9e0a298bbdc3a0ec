"""The picture of the benchmark: for each row how many times faster than MuJoCo, by regime."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from benchmarks.cases import Case
from benchmarks.ratios import measured, ratio
from benchmarks.regimes import REGIMES
from benchmarks.results import Results

#: Way -> label, color, marker.
MARKS = {
    "one": ("one world", "#7a7a7a", "o"),
    "f64": ("batch, f64", "#b4530b", "s"),
    "f32": ("batch, f32", "#1f6fb2", "D"),
}
#: Key of the picture's metadata that names the results it was drawn from.
SOURCE_KEY = "Source"
TICKS = (0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24)


def fingerprint(results: Results) -> str:
    """Hash of the numbers in the picture."""
    numbers = [(case.key, [f"{ratio(record, way):.3f}" for way in MARKS]) for case, record in measured(results)]
    return hashlib.sha256(repr(numbers).encode()).hexdigest()[:16]


def panels(results: Results) -> dict[str, list[tuple[Case, dict[str, Any]]]]:
    """Title -> rows."""
    rows = measured(results)
    found = {
        regime.title: [row for row in rows if row[0].regime == regime.name and not row[0].variant]
        for regime in REGIMES.values()
    }
    found["Solvers, cones and noslip, lying"] = [row for row in rows if row[0].variant]
    return {title: rows for title, rows in found.items() if rows}


def draw(results: Results, path: Path) -> None:
    """Write the picture."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = panels(results)
    heights = [len(rows) for rows in found.values()]
    figure, all_axes = plt.subplots(
        len(found), sharex=True, squeeze=False, figsize=(8.5, 1.1 + 0.23 * sum(heights) + 0.3 * len(found)),
        height_ratios=[height + 0.6 for height in heights], layout="constrained",
    )  # fmt: skip
    for axes, (title, rows) in zip(all_axes[:, 0], found.items(), strict=True):
        draw_panel(axes, title, rows)
    last = all_axes[-1, 0]
    last.set_xticks(TICKS, [f"{tick:g}x" for tick in TICKS])
    last.set_xlim(*limits(results))
    last.set_xlabel("times faster than MuJoCo on one thread (log scale)")
    handles, labels = all_axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(MARKS), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={SOURCE_KEY: fingerprint(results), "Software": None})
    plt.close(figure)


def limits(results: Results) -> tuple[float, float]:
    """Ends of the axis, so that all marks are inside."""
    found = [ratio(record, way) for _, record in measured(results) for way in MARKS]
    return min(0.8, 0.9 * min(found)), max(8.0, 1.1 * max(found))


def draw_panel(axes: Any, title: str, rows: list[tuple[Case, dict[str, Any]]]) -> None:
    """One regime: a line for each row, from the slowest of our ways to the fastest."""
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.axvspan(1e-3, 1, color="#c0392b", alpha=0.08, linewidth=0)
    axes.axvline(1, color="#c0392b", linewidth=1)
    places = range(len(rows))
    ratios = {way: [ratio(record, way) for _, record in rows] for way in MARKS}
    ends = [(min(row), max(row)) for row in zip(*ratios.values(), strict=True)]
    axes.hlines(places, *zip(*ends, strict=True), color="#d0d0d0", linewidth=1.2, zorder=1)
    for way, (label, color, marker) in MARKS.items():
        axes.scatter(ratios[way], places, s=22, color=color, marker=marker, label=label, zorder=2)
    axes.set_yticks(places, [case.label for case, _ in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="x", color="#e8e8e8", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.set_title(title, fontsize=10, loc="left", fontweight="bold")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
