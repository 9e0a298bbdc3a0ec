"""Options of commands that write what people look at: replays and films."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phalanx.memory.array_file import suffix_of
from phalanx.show.film.encoders import ENCODERS, IN_FOLDER
from phalanx.show.trajectory_file import WRITERS

Html = Annotated[
    Path | None, typer.Option(help="File for a replay: a page (.html) for any browser.", show_default=False)
]
Video = Annotated[
    Path | None,
    typer.Option(help=f"File for a film: {', '.join(ENCODERS)} (run_%04d.png).", show_default=False),
]
SeenBy = Annotated[str | None, typer.Option("--camera", help="Camera of the film, by name.", show_default=False)]
Width = Annotated[int, typer.Option(help="Pixels in a row of the film.", min=1)]
Height = Annotated[int, typer.Option(help="Rows of pixels of the film.", min=1)]
Fps = Annotated[float, typer.Option(help="Frames per second of the film.")]
#: What the replay of a command can be written to.
PAGE = (".html",)


def check_outputs(out: Path | None, html: Path | None, video: Path | None) -> None:
    """Refuse endings that nobody writes, before anything is simulated; make the folders."""
    for path, known, who in (
        (out, WRITERS, "writer of trajectories"), (html, PAGE, "writer of replays"),
        (video, ENCODERS, "writer of films"),
    ):  # fmt: skip
        if path is not None:
            suffix_of(path / IN_FOLDER if path.is_dir() and known is ENCODERS else path, known, who)
            path.parent.mkdir(parents=True, exist_ok=True)
