"""Plots of the demo, below its pictures. Needs matplotlib, which nothing else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phalanx.cli.scenes import FALLEN, HumanoidTrace, Trace

BLUE, ORANGE, GRAY = "#2a5b8c", "#d9822b", "#8a8a8a"
#: Size of the whole [inches], its resolution [dots per inch], and how much higher the pictures are than the plots.
SIZE, DPI, PICTURES = (16, 8), 120, 1.25


def plot(path: Path, strip: np.ndarray, humanoid: HumanoidTrace, batch: Trace) -> None:
    """Pictures above; energy, height and contacts of one humanoid and heights of many below."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplot_mosaic(
        [["pictures"] * 4, ["energy", "height", "contacts", "batch"]], height_ratios=(PICTURES, 1)
    )
    axes["pictures"].imshow(strip)
    axes["pictures"].set_axis_off()
    axes["pictures"].set_title("A humanoid stands with servos, then goes limp")
    draw_energy(axes["energy"], humanoid)
    draw_height(axes["height"], humanoid)
    draw_contacts(axes["contacts"], humanoid)
    draw_batch(axes["batch"], batch)
    figure.savefig(path, dpi=DPI)


def draw_energy(axes: Any, humanoid: HumanoidTrace) -> None:
    """Potential and kinetic energy of the humanoid, and their sum, over time."""
    potential, kinetic = humanoid.energy.T
    axes.plot(humanoid.time, potential, color=BLUE, label="potential")
    axes.plot(humanoid.time, kinetic, color=ORANGE, label="kinetic")
    axes.plot(humanoid.time, potential + kinetic, color="black", linewidth=1, label="sum")
    axes.legend(frameon=False)
    finish(axes, "Energy", "energy [J]", humanoid)


def draw_height(axes: Any, humanoid: HumanoidTrace) -> None:
    """Height of the pelvis over time."""
    axes.plot(humanoid.time, humanoid.height, color=BLUE)
    axes.set_ylim(bottom=0)
    finish(axes, "Height of the pelvis", "height [m]", humanoid)


def draw_contacts(axes: Any, humanoid: HumanoidTrace) -> None:
    """Count of contacts over time, in steps."""
    axes.step(humanoid.time, humanoid.contacts, color=BLUE, where="post")
    finish(axes, "Contacts", "number", humanoid)


def finish(axes: Any, title: str, label: str, humanoid: HumanoidTrace) -> None:
    """Titles, and a mark where the servos are switched off."""
    axes.axvline(humanoid.limp, color=GRAY, linewidth=1, linestyle="--")
    axes.set(title=title, xlabel="time [s]", ylabel=label)


def draw_batch(axes: Any, batch: Trace) -> None:
    """Heights of all worlds of the batch; below the dashed line a humanoid has fallen."""
    axes.plot(batch.time, batch.height, color=BLUE, alpha=0.25, linewidth=0.7)
    axes.axhline(FALLEN, color=GRAY, linewidth=1, linestyle="--")
    axes.set_ylim(bottom=0)
    axes.set(title=batch.run.title, xlabel="time [s]", ylabel="height [m]")
