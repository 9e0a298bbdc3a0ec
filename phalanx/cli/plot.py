"""The picture of the demo. Needs matplotlib, which nothing else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phalanx.cli.scenes import FALLEN, HumanoidTrace, Trace

#: When poses of the humanoid are drawn, in seconds after it went limp.
POSES = (0.0, 0.25, 0.4, 0.6, 1.5)
#: Distance between drawn poses [m].
SPACING = 1.25
BLUE, PALE, ORANGE, GRAY = "#2a5b8c", "#7fa3c4", "#d9822b", "#8a8a8a"


def plot(path: Path, humanoid: HumanoidTrace, batch: Trace) -> None:
    """Draw the runs of the demo: poses above; energy, height and contacts of one humanoid and heights of many below."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(16, 8), layout="constrained")
    axes = figure.subplot_mosaic([["poses"] * 4, ["energy", "height", "contacts", "batch"]], height_ratios=(1.1, 1))
    draw_poses(axes["poses"], humanoid)
    draw_energy(axes["energy"], humanoid)
    draw_height(axes["height"], humanoid)
    draw_contacts(axes["contacts"], humanoid)
    draw_batch(axes["batch"], batch)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def draw_poses(axes: Any, humanoid: HumanoidTrace) -> None:
    """The humanoid from the side at some moments, next to each other."""
    for place, wait in enumerate(POSES):
        frame = int(np.argmin(np.abs(humanoid.time - humanoid.limp - wait)))
        segments = humanoid.segments[frame]
        for limb in np.argsort(-segments[:, :, 1].mean(axis=1)):  # from the far side to the near one
            is_near = segments[limb, :, 1].mean() < 0.01
            start, end = segments[limb, :, ::2] + (place * SPACING, 0.0)
            draw_capsule(axes, start, end, humanoid.radius[limb], BLUE if is_near else PALE)
        axes.text(place * SPACING, 1.75, f"{humanoid.time[frame]:.2f} s", ha="center")
    axes.axhline(0, color=GRAY, linewidth=1)
    axes.set(title="A humanoid stands with servos, then goes limp", ylabel="z [m]", xticks=[])
    axes.set_xlim(-1.0, (len(POSES) - 1) * SPACING + 1.0)
    axes.set_ylim(-0.1, 1.95)
    axes.set_aspect("equal")


def draw_capsule(axes: Any, start: np.ndarray, end: np.ndarray, radius: float, color: str) -> None:
    """A capsule seen from the side."""
    from matplotlib.patches import Circle, Polygon

    along = end - start
    across = np.array([-along[1], along[0]]) * radius / max(float(np.linalg.norm(along)), 1e-9)
    axes.add_patch(Polygon([start + across, end + across, end - across, start - across], color=color, linewidth=0))
    for center in (start, end):
        axes.add_patch(Circle(tuple(center), radius, color=color, linewidth=0))


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
