"""Recipes of `docs/adding`, followed to the letter in a copy of the package."""

from __future__ import annotations

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import phalanx

PACKAGE = Path(phalanx.__file__).resolve().parent
PAGES = PACKAGE.parent / "docs" / "adding"


def blocks(page: str) -> list[str]:
    """The code of a page, block by block."""
    text = (PAGES / page).read_text("utf-8")
    return [textwrap.dedent(found) for found in re.findall(r"```text\n(.*?) *```", text, re.DOTALL)]


def copy_package(folder: Path) -> Path:
    """A copy of the package in a folder."""
    copy = folder / "phalanx"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def insert(path: Path, start: str, end: str, text: str, indent: int = 4) -> None:
    """Put indented lines at the end of what begins with `start`, before `end`."""
    whole = path.read_text(encoding="utf-8")
    at = whole.index(end, whole.index(start)) + 1
    path.write_text(whole[:at] + textwrap.indent(text, " " * indent) + whole[at:], encoding="utf-8")


def changed(package: Path) -> set[str]:
    """Source files of a copy that are not those of the package."""
    names = {path.relative_to(root).as_posix() for root in (PACKAGE, package) for path in root.rglob("*.py")}
    return {
        name
        for name in names
        if not ((PACKAGE / name).exists() and filecmp.cmp(PACKAGE / name, package / name, shallow=False))
    }


def run(package: Path, script: str) -> Any:
    """What a script prints, as JSON, in a process that imports the copy."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PHALANX_QUIET": "1"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=package.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
