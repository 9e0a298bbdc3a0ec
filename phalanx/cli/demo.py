"""`phalanx demo`: simulate humanoids, print a summary, draw a picture."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.batch.units import units_for
from phalanx.cli.console import CommandError, console
from phalanx.cli.plot import plot
from phalanx.cli.scenes import Run, load_humanoid, run_batch, run_humanoid
from phalanx.cli.warmup import prepare


def demo(
    out: Annotated[Path, typer.Option(help="Where the picture goes.")] = Path("phalanx-demo.png"),
    time: Annotated[float, typer.Option(help="Seconds to simulate.")] = 5.0,
) -> None:
    """Simulate a humanoid that stands and then falls, and many that are pushed; draw energy, height and contacts."""
    if not time > 0 or time > 3600:
        raise CommandError(f"--time is between 0 and 3600 seconds, not {time:g}")
    if is_interpreted():
        raise CommandError(f"interpreted kernels are too slow for the demo: unset {INTERPRETED_VARIABLE}")
    prepare(units_for(load_humanoid()))
    with console.status("simulating ..."):
        humanoid, batch = run_humanoid(time), run_batch(time)
    runs = [humanoid.run, batch.run]
    console.print(table(runs))
    for run in runs:
        console.print(f"{run.title}: {run.remark}")
    if importlib.util.find_spec("matplotlib") is None:
        console.print('no picture without matplotlib: pip install "phalanx\\[demo]"')
        return
    plot(out, humanoid, batch)
    console.print(f"wrote {out}", soft_wrap=True)


def table(runs: list[Run]) -> Table:
    """What was done, one run per row."""
    table = Table()
    for name in ("run", "worlds", "steps each", "simulated", "took", "steps/s"):
        table.add_column(name, justify="left" if name == "run" else "right", no_wrap=name != "run")
    for run in runs:
        simulated, took = f"{run.simulated:.2f} s", f"{run.seconds:.2f} s"
        table.add_row(run.title, str(run.worlds), f"{run.steps:,}", simulated, took, f"{run.rate:,.0f}")
    return table
