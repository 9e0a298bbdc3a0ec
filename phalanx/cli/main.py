"""The `phalanx` command. An error is one line on the standard error and an exit code of 1, never a traceback."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import phalanx
from phalanx.cli.bench import bench
from phalanx.cli.check import check
from phalanx.cli.compare import compare
from phalanx.cli.console import CommandError, console, errors
from phalanx.cli.demo import demo
from phalanx.cli.doctor import doctor
from phalanx.cli.export import export_commands
from phalanx.cli.info import info
from phalanx.cli.models import models
from phalanx.cli.profile import profile_command
from phalanx.cli.replay import replay
from phalanx.cli.simulate import simulate
from phalanx.cli.view import view
from phalanx.cli.warmup import warmup

#: Errors whose message is meant for the user. Others are ours, and their type is told too.
FOR_THE_USER = (CommandError, phalanx.PhalanxError, OSError)


class Commands(TyperGroup):
    """Runs a command; what goes wrong becomes one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error ends it with exit code 1, and with --debug as a traceback."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            # usage errors and exits belong to typer
            if ctx.params.get("debug") or type(error).__module__.split(".")[0] in ("typer", "click"):
                raise
            _complain(error)
        raise typer.Exit(1)


def _complain(error: Exception) -> None:
    is_expected = isinstance(error, FOR_THE_USER)
    message = " ".join(str(error).split()) or type(error).__name__
    text = message if is_expected else f"{type(error).__name__}: {message} (run with --debug to see where)"
    errors.print(f"phalanx: {text}", markup=False, soft_wrap=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(phalanx.__version__)
        raise typer.Exit


app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def phalanx_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Phalanx: a MuJoCo-compatible physics engine written in Python."""


for command in (
    models, info, check, simulate, view, replay, compare, bench, profile_command, demo, warmup, doctor,
):  # fmt: skip
    app.command(command.__name__.partition("_")[0])(command)
app.add_typer(export_commands, name="export")
