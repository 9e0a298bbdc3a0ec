"""`phalanx simulate`: run a model, keep the trajectory, say how it went."""

from __future__ import annotations

import contextlib
import time as clock
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from phalanx.cli.console import CommandError, console, errors
from phalanx.cli.model_file import (
    Keyframe,
    ModelPath,
    Seed,
    UrdfOptions,
    key_of,
    load_model,
    random_controls,
    spoken_warnings,
)
from phalanx.cli.pictured import Fps, Height, Html, SeenBy, Video, Width, check_outputs
from phalanx.measure.controls import HOLD
from phalanx.memory.errors import WorldError
from phalanx.native.build import seconds_waited
from phalanx.show.film.record import Film, record
from phalanx.show.replay.write_page import replay_html
from phalanx.show.trajectory import Trajectory
from phalanx.tables.enums import EnableBit, WarningType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Longest simulation [s].
LONGEST = 1e6


class Controls(StrEnum):
    """What drives the actuators."""

    REST = "rest"
    RANDOM = "random"


@dataclass
class Outcome:
    """A simulation, as far as it went.

    Attributes:
        trajectory: the states that were kept.
        seconds: time that stepping took.
        compiling: time that was spent on compiling before and meanwhile.
    """

    trajectory: Trajectory = field(init=False)
    steps: int = 0
    seconds: float = 0.0
    compiling: float = 0.0
    error: str = ""
    interrupted: bool = False
    warnings: dict[str, int] = field(default_factory=dict)


def simulate(
    model_file: ModelPath,
    time: Annotated[float, typer.Option(help="Seconds to simulate.")] = 5.0,
    ctrl: Annotated[
        Controls, typer.Option(help=f"Controls: those of the start, or random ones, new every {1000 * HOLD:.0f} ms.")
    ] = Controls.REST,
    seed: Seed = 0,
    key: Keyframe = None,
    out: Annotated[
        Path | None, typer.Option(help="File for the trajectory: .npz (arrays) or .csv (a table).", show_default=False)
    ] = None,
    every: Annotated[int, typer.Option(help="Keep every n-th step.", min=1)] = 1,
    html: Html = None,
    video: Video = None,
    camera: SeenBy = None,
    width: Width = 640,
    height: Height = 480,
    fps: Fps = 30.0,
    urdf: UrdfOptions = None,
) -> None:
    """Simulate a model and print a summary.

    A world whose state becomes NaN, infinite or too large stops there. What was simulated until then is written all the
    same, and the exit code is 1.
    """
    if not 0 < time <= LONGEST:
        raise CommandError(f"--time is between 0 and {LONGEST:g} seconds, not {time:g}")
    check_outputs(out, html, video)
    waited = seconds_waited()
    model = load_model(model_file, urdf)
    start = key_of(model, key)
    with spoken_warnings():
        # with the energy of every state; physics is the same
        model = model.replace(opt={"enableflags": model.opt.enableflags | EnableBit.ENERGY})
        data = model.make_data().reset(start)
    rng = np.random.default_rng(seed) if ctrl is Controls.RANDOM else None
    with contextlib.ExitStack() as stack:
        film = None
        if video is not None:
            film = stack.enter_context(record(video, data, fps=fps, camera=camera, width=width, height=height))
        outcome = run(data, max(1, round(time / model.opt.timestep)), every, rng, film)
    outcome.compiling = seconds_waited() - waited
    if out is not None:
        outcome.trajectory.save(out)
    report(model, outcome)
    if out is not None:
        console.print(f"wrote {out}: {len(outcome.trajectory)} rows", markup=False, soft_wrap=True)
    if html is not None:
        replay_html(model, outcome.trajectory, html)
        console.print(f"wrote {html}: {html.stat().st_size / 1e6:.2f} MB", markup=False, soft_wrap=True)
    if film is not None:
        console.print(f"wrote {video}: {film.frames} frames", markup=False, soft_wrap=True)
    if outcome.error:
        errors.print(f"phalanx: {outcome.error}", markup=False, soft_wrap=True)
    if outcome.error or outcome.interrupted:
        raise typer.Exit(1)


def run(data: Data, steps: int, every: int, rng: np.random.Generator | None, film: Film | None = None) -> Outcome:
    """Step a world, recording each kept state with what belongs to it; stops early at an error or at Ctrl-C."""
    model = data.model
    recorder = Trajectory.recorder(data)
    hold = max(1, round(HOLD / model.opt.timestep))
    outcome = Outcome()
    with progress_bar() as progress:
        task = progress.add_task("simulating", total=steps)
        start, waited = clock.perf_counter(), seconds_waited()
        shown = start
        try:
            for k in range(steps):
                if rng is not None and k % hold == 0:
                    data.ctrl[:] = random_controls(model, rng)
                # a row holds the state before the step and what the step computed from it
                is_kept = k % every == 0
                if is_kept:
                    recorder.begin()
                data.step()
                outcome.steps += 1
                if film is not None:
                    film.capture()
                if is_kept:
                    recorder.finish()
                # drawing the bar takes longer than a small step
                if clock.perf_counter() - shown > 0.1:
                    shown = clock.perf_counter()
                    progress.update(task, completed=k + 1)
            recorder.begin()
            data.forward()
            recorder.finish()
        except WorldError as error:
            outcome.error = str(error)
        except KeyboardInterrupt:
            outcome.interrupted = True
        # code that nobody expected a step to need is compiled in the middle of it
        outcome.seconds = clock.perf_counter() - start - (seconds_waited() - waited)
    counts = data.warning_number
    outcome.warnings = {kind.name: int(counts[kind]) for kind in WarningType if counts[kind]}
    outcome.trajectory = recorder.trajectory
    return outcome


def progress_bar() -> Progress:
    """A bar on the standard error, if that is a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)


def report(model: Model, outcome: Outcome) -> None:
    """The summary of a run."""
    trajectory, seconds = outcome.trajectory, max(outcome.seconds, 1e-9)
    simulated = outcome.steps * model.opt.timestep
    total = trajectory.energy.sum(axis=1)
    total = total[np.isfinite(total)]
    energy = "not known"
    if len(total):
        energy = f"{total[0]:.6g} J at the start, {total[-1]:.6g} J at the end, at most {total.max():.6g} J"
    rate = f"{outcome.steps / seconds:,.0f} steps/s, {simulated / seconds:.3g} x real time"
    lines = [
        ("simulated", f"{simulated:g} s in {outcome.steps:,} steps" + (", interrupted" * outcome.interrupted)),
        *([("compiling", f"{outcome.compiling:.3g} s, once")] if outcome.compiling else []),
        ("took", f"{outcome.seconds:.3g} s: {rate}"),
        ("energy", energy),
        ("contacts", f"{trajectory.ncon[-1]} at the end, at most {trajectory.ncon.max()}"),
        ("warnings", ", ".join(f"{name} x {count}" for name, count in outcome.warnings.items()) or "none"),
    ]
    for name, text in lines:
        console.print(f"{name:10}{text}", markup=False, soft_wrap=True)
