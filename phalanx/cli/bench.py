"""`phalanx bench`: steps per second of a model, next to MuJoCo's where it is installed."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.batch.batch import BatchSim
from phalanx.cli.console import CommandError, console
from phalanx.cli.model_file import (
    Keyframe,
    ModelPath,
    Seed,
    key_of,
    load_model,
    mujoco_model,
    random_controls,
    spoken_warnings,
)
from phalanx.native.threads import available_threads
from phalanx.world.model import Model

#: Steps with random controls before the measurement: contacts are as they are in use.
WARM = 100
#: One world takes so many times the steps of each world of a batch, to be measured as long.
LONGER = 10
#: What the worlds start from.
STATE = ("qpos", "qvel", "act", "qacc_warmstart")


@dataclass(frozen=True)
class Contestant:
    """One way of stepping: `prepare` brings it to the start, `run` takes the steps and returns their count."""

    name: str
    prepare: Callable[[], None]
    run: Callable[[], int]
    #: the one it is compared with
    rival: str = ""


@dataclass(frozen=True)
class Start:
    """State and controls of the worlds, the same for everyone."""

    state: dict[str, np.ndarray]
    controls: np.ndarray
    steps: int

    def copy_to(self, target: Any) -> None:
        """Bring one world, or the arrays of many, to the start."""
        for name, values in self.state.items():
            getattr(target, name)[...] = values


def bench(
    model_file: ModelPath,
    worlds: Annotated[int, typer.Option(help="Worlds of the batch.", min=1)] = 256,
    steps: Annotated[int, typer.Option(help="Steps of each world in a round.", min=1)] = 50,
    rounds: Annotated[int, typer.Option(help="Rounds; the best one counts.", min=1)] = 5,
    threads: Annotated[int | None, typer.Option(help="Threads of the batch.", min=1, show_default="all CPUs")] = None,
    key: Keyframe = None,
    seed: Seed = 0,
) -> None:
    """Measure steps per second: one world and a batch, in turns with MuJoCo if it is installed.

    All start from the same state, reached with random controls, and take turns, so that a slow phase of the machine
    hits them alike. A ratio above 1 means that Phalanx is faster.
    """
    if is_interpreted():
        raise CommandError(f"interpreted kernels are not worth measuring: unset {INTERPRETED_VARIABLE}")
    model = load_model(model_file)
    has_mujoco = reads_with_mujoco(model_file)
    with spoken_warnings(), console.status("measuring ..."):
        start = make_start(model, key_of(model, key), worlds, steps, np.random.default_rng(seed))
        # as many threads for everyone
        threads = threads or available_threads()
        contestants = ours(model, start, threads)
        if has_mujoco:
            contestants = theirs(model_file, start, threads) + contestants
        seconds = measure(contestants, rounds)
    show(contestants, seconds)
    if not has_mujoco:
        console.print("no MuJoCo to compare with")


def reads_with_mujoco(model_file: Path) -> bool:
    """Is MuJoCo there, and can it read the file? Not what `Model.save` wrote."""
    return util.find_spec("mujoco") is not None and model_file.suffix.lower() != ".npz"


def make_start(model: Model, key: int | None, worlds: int, steps: int, rng: np.random.Generator) -> Start:
    """One state after some steps of random controls, and a control for every world."""
    data = model.make_data().reset(key)
    for _ in range(WARM):
        data.ctrl[:] = random_controls(model, rng)
        data.step(on_error="reset")
    return Start({name: getattr(data, name).copy() for name in STATE}, random_controls(model, rng, worlds), steps)


def measure(contestants: list[Contestant], rounds: int) -> dict[str, float]:
    """Best seconds per step of one world, of each contestant."""
    best = {contestant.name: np.inf for contestant in contestants}
    for k in range(rounds + 1):
        for contestant in contestants:
            contestant.prepare()
            start = clock.perf_counter()
            count = contestant.run()
            seconds = (clock.perf_counter() - start) / count
            if k > 0:  # the first round loads code and fills caches
                best[contestant.name] = min(best[contestant.name], seconds)
    return best


# --- Phalanx


def ours(model: Model, start: Start, threads: int) -> list[Contestant]:
    """One world, and batches in both precisions."""
    data = model.make_data()

    def prepare() -> None:
        data.reset()
        start.copy_to(data)
        data.ctrl[:] = start.controls[0]

    def run() -> int:
        data.step(LONGER * start.steps, on_error="reset")
        return LONGER * start.steps

    one = Contestant("Phalanx, one world", prepare, run, "MuJoCo, one world")
    batches = [
        batch_of(BatchSim(model, len(start.controls), dtype=dtype, threads=threads), start, dtype, threads)
        for dtype in ("float64", "float32")
    ]
    return [one, *batches]


def batch_of(batch: BatchSim, start: Start, dtype: str, threads: int) -> Contestant:
    """A batch of Phalanx; it is compared with MuJoCo's of as many worlds and threads."""
    worlds = len(start.controls)

    def prepare() -> None:
        batch.reset_all()
        start.copy_to(batch)
        batch.ctrl[:] = start.controls

    def run() -> int:
        batch.step(start.steps)
        return worlds * start.steps

    return Contestant(f"Phalanx, {batch_name(worlds, threads)}, {dtype}", prepare, run,
                      f"MuJoCo, {batch_name(worlds, threads)}")  # fmt: skip


def batch_name(worlds: int, threads: int) -> str:
    """How a batch is called in the table."""
    return f"{worlds} worlds, {threads} thread{'s' * (threads > 1)}"


# --- MuJoCo


def theirs(model_file: Path, start: Start, threads: int) -> list[Contestant]:
    """One world, and MuJoCo's own batch, which old versions do not have."""
    mujoco, mjmodel = mujoco_model(model_file, "bench")
    data = mujoco.MjData(mjmodel)

    def prepare() -> None:
        mujoco.mj_resetData(mjmodel, data)
        start.copy_to(data)
        data.ctrl[:] = start.controls[0]

    def run() -> int:
        mujoco.mj_step(mjmodel, data, LONGER * start.steps)
        return LONGER * start.steps

    one = Contestant("MuJoCo, one world", prepare, run)
    return [one, their_batch(mjmodel, start, threads)] if util.find_spec("mujoco.batch") else [one]


def their_batch(mjmodel: Any, start: Start, threads: int) -> Contestant:
    """MuJoCo's own batch, brought to the same start through bound arrays."""
    from mujoco.batch import Batch

    worlds = len(start.controls)
    batch = Batch(mjmodel, nsim=worlds, nthread=threads)
    fields = {name: batch.bind(name) for name in (*STATE, "ctrl")}

    def prepare() -> None:
        for name, values in start.state.items():
            fields[name][...] = values
        fields["ctrl"][...] = start.controls

    def run() -> int:
        batch.step(nstep=start.steps)
        return worlds * start.steps

    return Contestant(f"MuJoCo, {batch_name(worlds, threads)}", prepare, run)


# --- the table


def show(contestants: list[Contestant], seconds: dict[str, float]) -> None:
    """Print the table; ratios above 1 mean that Phalanx is faster."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("", "steps/s", "us/step", "ratio"):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    for contestant in contestants:
        time = seconds[contestant.name]
        ratio = f"{seconds[contestant.rival] / time:.2f}" if contestant.rival in seconds else ""
        table.add_row(contestant.name, f"{1 / time:,.0f}", f"{1e6 * time:.2f}", ratio)
    console.print(table)
