"""`phalanx demo`: simulate humanoids, print a summary, draw a picture, write replays for the browser."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from PIL import Image
from rich.table import Table

from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.batch.units import units_for
from phalanx.cli.console import CommandError, console
from phalanx.cli.plot import plot
from phalanx.cli.scenes import HumanoidTrace, Run, Trace, load_humanoid, run_batch, run_humanoid
from phalanx.cli.strip import picture_strip
from phalanx.cli.warmup import prepare
from phalanx.show.replay.write_page import replay_html

#: Worlds of the batch in its replay.
SHOWN = 16


def demo(
    out: Annotated[Path, typer.Option(help="Where the picture goes.")] = Path("phalanx-demo.png"),
    time: Annotated[float, typer.Option(help="Seconds to simulate.")] = 5.0,
) -> None:
    """Simulate a humanoid that stands and then falls, and many that are pushed; draw them, and write replays.

    Beside the picture there are two pages for the browser, which end in .html: the fall, and some of the many.
    """
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
    with console.status("drawing ..."):
        written = draw(out, humanoid, batch)
    for path, words in written.items():
        console.print(f"wrote {path}: {words}", markup=False, soft_wrap=True)


def draw(out: Path, humanoid: HumanoidTrace, batch: Trace) -> dict[Path, str]:
    """Write a picture and two replays; returns what each file shows."""
    out.parent.mkdir(parents=True, exist_ok=True)
    strip = picture_strip(humanoid)
    if importlib.util.find_spec("matplotlib") is None:
        Image.fromarray(strip).save(out)
        words = 'pictures of the fall (with plots: pip install "phalanx[demo]")'
    else:
        plot(out, strip, humanoid, batch)
        words = "pictures of the fall, plots of energy, height and contacts"
    fall, many = out.with_suffix(".html"), out.with_name(f"{out.stem}-batch.html")
    model = humanoid.trajectory.model
    assert model is not None
    replay_html(model, humanoid.trajectory, fall, show="contact_forces", plots=["energy"], title="A humanoid falls")
    # from the gentlest push to the hardest
    chosen = np.linspace(0, batch.run.worlds - 1, SHOWN).round().astype(int)
    worlds = [batch.trajectory.world(int(world)) for world in chosen]
    names = [f"world {world}" for world in chosen]
    replay_html(load_humanoid(), worlds, many, names=names, title="Humanoids that are pushed", fps=30)
    return {out: words, fall: "the fall, in a browser", many: f"{SHOWN} of the pushed ones, in a browser"}


def table(runs: list[Run]) -> Table:
    """What was done, one run per row."""
    table = Table()
    for name in ("run", "worlds", "steps each", "simulated", "took", "steps/s"):
        table.add_column(name, justify="left" if name == "run" else "right", no_wrap=name != "run")
    for run in runs:
        simulated, took = f"{run.simulated:.2f} s", f"{run.seconds:.2f} s"
        table.add_row(run.title, str(run.worlds), f"{run.steps:,}", simulated, took, f"{run.rate:,.0f}")
    return table
