"""`phalanx check`: everything that is wrong with model files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from phalanx.cli.console import console
from phalanx.cli.model_file import UrdfOptions, recorded_warnings, urdf_arguments
from phalanx.compiler.text.errors import MjcfError, Problem
from phalanx.compiler.text.notes import Note, summary
from phalanx.memory.errors import PhalanxError
from phalanx.pipeline.supported import check_model
from phalanx.world.spec import load


@dataclass(frozen=True)
class Report:
    """What a file holds, what is wrong with it, and what has no effect."""

    path: Path
    summary: str
    problems: Sequence[Problem]
    warnings: list[str]
    notes: Sequence[Note] = ()

    def print(self) -> None:
        """A line for each problem, each warning and each kind of note; the summary of a sound model comes last."""
        for problem in self.problems:
            console.print(str(problem), markup=False, soft_wrap=True)
        for warning in self.warnings:
            place = "" if warning.startswith(str(self.path)) else f"{self.path}: "
            console.print(f"warning: {place}{warning}", markup=False, soft_wrap=True)
        for line in summary(self.notes):
            console.print(f"note: {line}", markup=False, soft_wrap=True)
        if not self.problems:
            console.print(f"{self.path}: {self.summary}", markup=False, soft_wrap=True)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        problems = [problem.as_dict() for problem in self.problems]
        notes = [note.as_dict() for note in self.notes]
        return {"file": str(self.path), "problems": problems, "warnings": self.warnings, "notes": notes}


def report_on(path: Path, urdf: list[str] | None = None) -> Report:
    """Compile a model file."""
    words = ""
    problems: Sequence[Problem] = ()
    notes: Sequence[Note] = ()
    with recorded_warnings() as warnings:
        try:
            model = load(path, **urdf_arguments(urdf))
            check_model(model)
            words, notes = repr(model), model.report
        except MjcfError as error:
            problems = error.problems
        except PhalanxError as error:
            problems = [Problem(str(error).removeprefix(f"{path}: "), str(path))]
    return Report(path, words, problems, warnings, notes)


def check(
    files: Annotated[list[Path], typer.Argument(help="Model files.", show_default=False)],
    urdf: UrdfOptions = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the problems as JSON.")] = False,
) -> None:
    """Compile model files and list every problem, with file, line and column. The exit code is 1 if there are any.

    Warnings are listed too: what has no effect, and what is not simulated; and of URDF files what was assumed.
    """
    reports = [report_on(path, urdf) for path in files]
    if as_json:
        console.print(json.dumps([report.as_dict() for report in reports], indent=2), markup=False, soft_wrap=True)
    else:
        for report in reports:
            report.print()
    if any(report.problems for report in reports):
        raise typer.Exit(1)
