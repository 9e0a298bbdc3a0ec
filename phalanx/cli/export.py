"""`phalanx export`: models for browsers and for programs in JavaScript."""

from __future__ import annotations

import runpy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from phalanx.cli.console import CommandError, console
from phalanx.cli.model_file import Keyframe, ModelPath, UrdfOptions, key_of, load_model, spoken_warnings
from phalanx.memory.errors import suggestion
from phalanx.web.export_image import export_image
from phalanx.web.export_page import export_web
from phalanx.web.javascript_package import write_package
from phalanx.world.data import Data

export_commands = typer.Typer(no_args_is_help=True, help="Write a model for browsers, or for programs in JavaScript.")

Shown = Annotated[
    str, typer.Option("--show", help='What is shown beside geoms, such as "contacts joints".', show_default=False)
]


@export_commands.command("web")
def export_web_command(
    model: ModelPath,
    out: Annotated[Path | None, typer.Option(help="The page (.html).", show_default="NAME.html")] = None,
    key: Keyframe = None,
    plot: Annotated[
        list[str] | None, typer.Option(help="Field to plot at first, such as qpos or qpos.knee.", show_default=False)
    ] = None,
    controller: Annotated[
        str | None,
        typer.Option(help="Function of (m, d) that sets d.ctrl, as control.py:stand.", show_default=False),
    ] = None,
    show: Shown = "",
    title: Annotated[str | None, typer.Option(help="Title of the page.", show_default=False)] = None,
    paused: Annotated[bool, typer.Option("--paused", help="Wait until somebody presses run.")] = False,
    urdf: UrdfOptions = None,
) -> None:
    """Write a page that simulates a model in any browser, without a network: one file, the same bits as here."""
    out = out or Path(f"{model.stem}.html")
    with spoken_warnings():
        data = _world(model, key, urdf)
        out.parent.mkdir(parents=True, exist_ok=True)
        # without the time that compiling for this machine takes
        begin = time.perf_counter()
        export_web(
            data.model, out, data=data, controller=_controller(controller), show=show, plots=plot or (), title=title,
            autoplay=not paused,
        )  # fmt: skip
    _tell(out, begin)


@export_commands.command("image")
def export_image_command(
    model: ModelPath,
    out: Annotated[Path | None, typer.Option(help="The image (.phx).", show_default="NAME.phx")] = None,
    module: Annotated[
        Path | None, typer.Option(help="A module (.wasm) with what this model needs.", show_default=False)
    ] = None,
    key: Keyframe = None,
    urdf: UrdfOptions = None,
) -> None:
    """Write a model and a state for programs in JavaScript that simulate it."""
    out = out or Path(f"{model.stem}.phx")
    with spoken_warnings():
        data = _world(model, key, urdf)
        begin = time.perf_counter()
        export_image(data.model, out, data=data, module=module)
    _tell(out, begin)


@export_commands.command("npm")
def export_npm_command(
    out: Annotated[Path, typer.Option(help="The folder of the package.")] = Path("phalanx-physics"),
) -> None:
    """Write the JavaScript package, ready for `npm pack`: a module with all parts, and types."""
    begin = time.perf_counter()
    _tell(write_package(out) / "phalanx.wasm", begin)


def _world(model: Path, key: str | None, urdf: list[str] | None) -> Data:
    """The Data that is exported."""
    loaded = load_model(model, urdf)
    start, data = key_of(loaded, key), loaded.make_data()
    return data if start is None else data.reset(start)


def _controller(text: str | None) -> Callable[..., Any] | None:
    """The function that the name of a file and of a function stand for; the file is run."""
    if text is None:
        return None
    file, _, name = text.rpartition(":")
    if not file.endswith(".py") or not name:
        raise CommandError(f"--controller is a function in a file of Python, as control.py:stand, not {text!r}")
    if not Path(file).is_file():
        raise CommandError(f"--controller: there is no file {file}")
    scope = runpy.run_path(file, run_name="controller")
    found: Callable[..., Any] | None = scope.get(name)
    if not callable(found):
        functions = [key for key, value in scope.items() if callable(value) and not key.startswith("_")]
        raise CommandError(f"--controller: {file} has no function {name!r}{suggestion(name, functions)}")
    return found


def _tell(path: Path, begin: float) -> None:
    seconds = time.perf_counter() - begin
    console.print(f"wrote {path}: {path.stat().st_size / 1e6:.2f} MB, {seconds:.1f} s", markup=False, soft_wrap=True)
