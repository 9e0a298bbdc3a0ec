"""`phalanx profile`: where the time of a step goes, and what else a simulation costs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Annotated

import typer

from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.cli.bench import reads_with_mujoco
from phalanx.cli.console import CommandError, console
from phalanx.cli.model_file import Keyframe, ModelPath, Seed, key_of, load_model, mujoco_model, spoken_warnings
from phalanx.cli.profile_plot import plot_profile
from phalanx.measure.mujoco_timers import mujoco_phases
from phalanx.measure.profile import Profile, profile


def profile_command(
    model_file: ModelPath,
    time: Annotated[
        float | None, typer.Option(help="Seconds to simulate.", show_default="2, unless --steps is given")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Steps to simulate instead.", min=1)] = None,
    worlds: Annotated[int, typer.Option(help="Worlds of the batch.", min=1)] = 64,
    key: Keyframe = None,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    plot: Annotated[Path | None, typer.Option(help="File for a picture, such as profile.png.")] = None,
) -> None:
    """Show where the time of a step goes: stage by stage, in one world and in lanes, next to MuJoCo's timers.

    Also what a step works on: contacts, constraint rows, iterations of the solver, geoms that never touch; and memory.
    """
    if is_interpreted():
        raise CommandError(f"interpreted kernels are not worth measuring: unset {INTERPRETED_VARIABLE}")
    if plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise CommandError('a plot needs matplotlib: pip install "phalanx[demo]"')
    model = load_model(model_file)
    start = key_of(model, key)
    with spoken_warnings():
        found = profile(model, time=time, steps=steps, worlds=worlds, key=start, seed=seed)
    # MuJoCo reads the same file, and takes as many steps, if they are not too many
    if reads_with_mujoco(model_file):
        mujoco, mjmodel = mujoco_model(model_file, "profile")
        found = found.with_mujoco(mujoco_phases(mujoco, mjmodel, start, min(found.steps, 5000), seed))
    show(found, as_json)
    if plot is not None:
        plot_profile(plot, found)
        if not as_json:
            console.print(f"\nwrote {plot}", markup=False, soft_wrap=True)


def show(found: Profile, as_json: bool) -> None:
    """Print the tables, or all numbers."""
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
        return
    console.print(repr(found), markup=False, soft_wrap=True)
    if not found.mujoco:
        console.print("\nno MuJoCo to compare with")
