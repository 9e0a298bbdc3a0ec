"""The picture of a profile. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from phalanx.measure.profile import Profile
from phalanx.measure.step_stages import PHASES, REST

BLUE, GRAY = "#2a5b8c", "#8a8a8a"


def plot_profile(path: Path, profile: Profile) -> None:
    """Draw phases of the step side by side, the iterations of the solver, and the largest fields in memory."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 8), layout="constrained")
    axes = figure.subplot_mosaic([["time", "time"], ["solver", "memory"]], height_ratios=(1.3, 1))
    figure.suptitle(profile.title, fontsize=10)
    draw_time(axes["time"], profile)
    draw_solver(axes["solver"], profile)
    draw_memory(axes["memory"], profile)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def draw_time(axes: Any, profile: Profile) -> None:
    """A bar for each way of stepping, cut into phases."""
    from matplotlib import colormaps

    bars = {"one world": {**profile.world.phases, REST: profile.world.rest}}
    if profile.batch is not None:
        bars[f"{profile.batch.worlds} in lanes"] = {**profile.batch.phases, REST: profile.batch.rest}
    if profile.mujoco:
        bars["MuJoCo"] = {phase: value for phase, value in profile.mujoco.items() if phase != "step"}
    names, left = list(bars), dict.fromkeys(bars, 0.0)
    colors = colormaps["tab20"].colors  # type: ignore[attr-defined]
    for k, phase in enumerate((*PHASES, REST)):
        widths = [1e6 * max(bars[name].get(phase, 0.0), 0.0) for name in names]
        if any(widths):
            color = GRAY if phase == REST else colors[k % len(colors)]
            axes.barh(names, widths, left=list(left.values()), color=color, label=phase)
        left = {name: left[name] + width for name, width in zip(names, widths, strict=True)}
    axes.invert_yaxis()
    axes.set(title="Where the time of a step goes", xlabel="time per step of a world [us]")
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.15), fontsize=8)


def draw_solver(axes: Any, profile: Profile) -> None:
    """In how many steps the solver took how many iterations."""
    axes.bar(list(profile.iterations), list(profile.iterations.values()), color=BLUE)
    axes.set(title="Iterations of the solver", xlabel="iterations in a step", ylabel="steps")


def draw_memory(axes: Any, profile: Profile) -> None:
    """The largest fields of a Data."""
    largest = list(profile.memory["Data"].items())[:8]
    axes.barh([name for name, _ in largest], [size / 1e3 for _, size in largest], color=BLUE)
    axes.invert_yaxis()
    axes.set(title="Largest fields of a Data", xlabel="memory [kB]")
