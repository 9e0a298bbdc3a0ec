"""`phalanx view`: a model in the browser."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from phalanx.batch.batch import BatchSim
from phalanx.cli.model_file import Keyframe, ModelPath, key_of, load_model, spoken_warnings
from phalanx.show.viewer.arrangement import Layout
from phalanx.show.viewer.server import HOST, PORT
from phalanx.show.viewer.viewer import view as view_world


def view(
    model_file: ModelPath,
    port: Annotated[int, typer.Option(help="Port of the page; if it is taken, the next free one. 0 for any.")] = PORT,
    host: Annotated[str, typer.Option(help="Address to serve at; 0.0.0.0 for everybody who can reach it.")] = HOST,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser of this machine.")] = False,
    key: Keyframe = None,
    paused: Annotated[bool, typer.Option("--paused", help="Stand still at first.")] = False,
    speed: Annotated[float, typer.Option(help="Simulated seconds per second.")] = 1.0,
    camera: Annotated[str, typer.Option(help="free, tracking, or a camera of the model.")] = "free",
    show: Annotated[str, typer.Option(help='What is drawn besides, such as "contacts contact_forces".')] = "",
    worlds: Annotated[int, typer.Option(help="Run this many worlds at once.", min=1)] = 1,
    layout: Annotated[Layout, typer.Option(help="Many worlds side by side, or in one place.")] = Layout.GRID,
) -> None:
    """Run a model in the browser, until Ctrl-C.

    The page has the address that is printed. It can be paused, stepped, reset; bodies are dragged, actuators and joints
    moved; fields plotted; the model file edited.
    """
    options: dict[str, Any] = {
        "port": port, "host": host, "open_browser": open_browser, "paused": paused, "speed": speed, "camera": camera,
        "show": show or None,
    }  # fmt: skip
    with spoken_warnings():
        model = load_model(model_file)
    start = key_of(model, key)
    if worlds > 1:
        view_world(BatchSim(model, worlds), keyframe=start, worlds=worlds, layout=layout.value, **options)
    else:
        # the file itself, which can be edited in the page
        view_world(model_file, keyframe=start, **options)
