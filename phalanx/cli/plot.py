"""The picture of the demo. Needs matplotlib, which nothing else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phalanx.cli.scenes import BAR, BatchTrace, ChainTrace, GymnastTrace

#: How many poses of the gymnast are drawn.
POSES = 9
BLUE, ORANGE, GRAY = "#2a5b8c", "#d9822b", "#8a8a8a"


def plot(path: Path, chain: ChainTrace, gymnast: GymnastTrace, batch: BatchTrace) -> None:
    """Draw the three runs of the demo side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15, 5), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    draw_energies(left, chain)
    draw_poses(middle, gymnast)
    draw_heights(right, batch)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def draw_energies(axes: Any, chain: ChainTrace) -> None:
    total = chain.potential + chain.kinetic
    axes.plot(chain.time, chain.potential, color=BLUE, label="potential")
    axes.plot(chain.time, chain.kinetic, color=ORANGE, label="kinetic")
    axes.plot(chain.time, total, color="black", label="sum")
    axes.set(title="A chain of ball joints keeps its energy", xlabel="time [s]", ylabel="energy [J]")
    axes.legend(frameon=False)


def draw_poses(axes: Any, gymnast: GymnastTrace) -> None:
    """Poses over the last swing, the older the paler."""
    recent = gymnast.segments[-round(0.4 * len(gymnast.segments)) - 1 :]
    frames = np.unique(np.linspace(0, len(recent) - 1, POSES).astype(int))
    for age, frame in enumerate(reversed(frames)):
        for (start, end), radius in zip(recent[frame], gymnast.radius, strict=True):
            axes.plot(
                (start[0], end[0]), (start[2], end[2]), color=BLUE, alpha=0.9 * 0.78**age + 0.05, zorder=-age,
                linewidth=120 * radius, solid_capstyle="round",
            )  # fmt: skip
    axes.plot(0, BAR, "o", color=ORANGE, markersize=8)
    axes.set(title="A gymnast with servos pumps to swing higher", xlabel="x [m]", ylabel="z [m]")
    axes.set_xlim(-2.2, 2.2)
    axes.set_ylim(0.4, 4.6)
    axes.set_aspect("equal")


def draw_heights(axes: Any, batch: BatchTrace) -> None:
    for low, high, alpha in ((0, 100, 0.15), (10, 90, 0.25), (25, 75, 0.4)):
        edges = np.percentile(batch.height, (low, high), axis=1)
        axes.fill_between(batch.time, *edges, color=BLUE, alpha=alpha, linewidth=0, label=f"{high - low} % of worlds")
    axes.plot(batch.time, np.median(batch.height, axis=1), color="black", linewidth=1, label="median")
    axes.axhline(BAR, color=GRAY, linewidth=1, linestyle="--")
    axes.set(title=batch.run.title, xlabel="time [s]", ylabel="height of the feet [m]")
    axes.set_ylim(top=3.6)
    axes.legend(frameon=False, loc="upper left", ncols=2)
