"""`phalanx check`: everything that is wrong with model files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from phalanx.cli.console import console
from phalanx.cli.model_file import print_problems
from phalanx.compiler.text.errors import MjcfError
from phalanx.world.spec import load


def check(
    files: Annotated[list[Path], typer.Argument(help="Model files.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the problems as JSON.")] = False,
) -> None:
    """Compile model files and list every problem, with file, line and column. The exit code is 1 if there are any."""
    reports = []
    for path in files:
        try:
            model = load(path)
        except MjcfError as error:
            reports.append({"file": str(path), "problems": [problem.as_dict() for problem in error.problems]})
            if not as_json:
                print_problems(error, console)
        else:
            reports.append({"file": str(path), "problems": []})
            if not as_json:
                console.print(f"{path}: {model!r}", markup=False, soft_wrap=True)
    if as_json:
        console.print(json.dumps(reports, indent=2), markup=False, soft_wrap=True)
    if any(report["problems"] for report in reports):
        raise typer.Exit(1)
