"""`phalanx replay`: a trajectory as a page or as a film."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phalanx.cli.console import CommandError, console
from phalanx.cli.model_file import load_model, spoken_warnings
from phalanx.cli.pictured import PAGE, Height, SeenBy, Width
from phalanx.memory.array_file import suffix_of
from phalanx.show.film.encoders import ENCODERS, IN_FOLDER
from phalanx.show.film.record import record
from phalanx.show.replay.frames import check_finite
from phalanx.show.replay.replay import replay_html
from phalanx.show.trajectory import Trajectory


def replay(
    trajectory: Annotated[Path, typer.Argument(help="File of `phalanx simulate --out`, or of Trajectory.save.")],
    model: Annotated[Path, typer.Option(help="The model that it is of: a file, or the name of a built-in one.")],
    out: Annotated[
        Path, typer.Option(help=f"What to write: a page (.html), or a film ({', '.join(ENCODERS)}).")
    ] = Path("replay.html"),
    plot: Annotated[
        list[str] | None, typer.Option(help="Field to plot in the page, such as qpos or qpos.knee.", show_default=False)
    ] = None,
    show: Annotated[
        str, typer.Option(help='What is shown beside geoms, such as "contacts joints".', show_default=False)
    ] = "",
    title: Annotated[str | None, typer.Option(help="Title of the page.", show_default=False)] = None,
    world: Annotated[int | None, typer.Option(help="One of several worlds.", show_default=False)] = None,
    camera: SeenBy = None,
    width: Width = 640,
    height: Height = 480,
    fps: Annotated[
        float | None, typer.Option(help="Frames per second: 60 in a page, 30 in a film.", show_default=False)
    ] = None,
) -> None:
    """Show a trajectory: as a page that opens in any browser without a network, or as a film."""
    is_page = suffix_of(out / IN_FOLDER if out.is_dir() else out, (*PAGE, *ENCODERS), "writer of replays") in PAGE
    with spoken_warnings():
        loaded = load_model(model)
        states = Trajectory.load(trajectory, loaded)
        states = states if world is None else states.world(world)
        out.parent.mkdir(parents=True, exist_ok=True)
        if is_page:
            replay_html(loaded, states, out, fps=fps or 60.0, show=show, plots=plot or (), title=title)
            console.print(f"wrote {out}: {out.stat().st_size / 1e6:.2f} MB", markup=False, soft_wrap=True)
            return
        if states.worlds is not None:
            raise CommandError(f"{trajectory} has {states.worlds} worlds, and a film shows one: choose it with --world")
        check_finite(states)
        data = loaded.make_data()
        with record(out, data, fps=fps or 30.0, show=show, camera=camera, width=width, height=height) as film:
            for row in range(len(states)):
                states.put(row, data)
                data.forward()
                film.capture()
    console.print(f"wrote {out}: {film.frames} frames", markup=False, soft_wrap=True)
