"""`phalanx models`: the built-in models, and their files."""

from __future__ import annotations

from typing import Annotated

import typer

from phalanx.cli.console import console
from phalanx.world.builtin import DESCRIPTIONS, model_path


def models(
    name: Annotated[str | None, typer.Argument(help="Print the MJCF of this model.", show_default=False)] = None,
) -> None:
    """List the built-in models, which every command takes by name; or print the file of one, to make your own of it.

    `phalanx models arm > my_arm.xml` is a start for an arm of your own.
    """
    if name is not None:
        path = model_path(name)
        typer.echo(path.read_text(encoding="utf-8"), nl=False)
        return
    width = max(map(len, DESCRIPTIONS)) + 2
    for known, line in DESCRIPTIONS.items():
        console.print(f"[bold]{known:{width}}[/bold]{line}", highlight=False, soft_wrap=True)
