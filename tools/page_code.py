"""Run the code of pages and notebooks as a reader would: every Python and sh block, in order, in an empty folder.

Usage: python tools/page_code.py [--no-mujoco] [--skip COMMAND] PAGE ...

A block marked `python` runs; with `>>>` in it, what it prints is compared. A block marked `sh` runs in a shell that
stops at the first error. Blocks of other languages are not run: `console` is for commands in a clone of the sources,
`text` for everything else. Of a notebook (.ipynb) the cells run, and what they print is compared with what is stored.

With --skip, lines of sh blocks that begin with a command are left out. Only the standard library is imported, so that
this file runs in any environment. What fails is printed, nothing else.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import doctest
import io
import json
import linecache
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Longest time of a sh block [s].
PATIENCE = 600
#: Most lines that are printed of a failure.
MOST_LINES = 20
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text without indentation, and the line where the text begins."""

    language: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in FENCE.finditer(page):
        indent, language, text = found.groups()
        lines = [line.removeprefix(indent) for line in text.splitlines()]
        yield Block(language, "\n".join(lines) + "\n", page.count("\n", 0, found.start()) + 2)


def run_page(path: Path, skipped: str = "") -> list[str]:
    """Run a page or a notebook in the working folder; returns what failed, in words.

    Lines of sh blocks that begin with `skipped` are left out.
    """
    if path.suffix == ".ipynb":
        return run_notebook(path)
    names: dict[str, Any] = {"__name__": "__main__"}
    failures = []
    for block in blocks(path.read_text(encoding="utf-8")):
        place = f"{path.parent.name}/{path.name}:{block.line}"
        if block.language == "python":
            run = run_doctest if ">>> " in block.text else run_python
            failures += [f"{place}: {failure}" for failure in run(block.text, names, place)]
        elif block.language == "sh":
            lines = [line for line in block.text.splitlines() if not (skipped and line.startswith(skipped))]
            failures += [f"{place}: {failure}" for failure in run_shell("\n".join(lines))]
    return failures


def run_doctest(text: str, names: dict[str, Any], place: str) -> list[str]:
    """Run the examples of a block and compare what they print."""
    test = doctest.DocTestParser().get_doctest(text, {}, place, place, 0)
    # functions of one block call those of others, so all blocks share their names
    test.globs = names
    # a function is compiled when it is used, perhaps in a later block: its source must still be found
    for k, example in enumerate(test.examples):
        keep_source(f"<doctest {place}[{k}]>", example.source)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=OPTIONS).run(test, out=said.append, clear_globs=False)
    return [shortened("".join(said).strip("*\n"))] if said else []


def keep_source(place: str, text: str) -> None:
    """Let `inspect` and tracebacks find the source of code that is in no file."""
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place


def shortened(text: str) -> str:
    """The first lines of a long text."""
    lines = text.splitlines()
    return "\n".join(lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], "..."])


def run_python(text: str, names: dict[str, Any], place: str) -> list[str]:
    """Run a block that says nothing about what it prints."""
    keep_source(place, text)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, place, "exec"), names)
    except Exception:
        return [traceback.format_exc(limit=-3)]
    return []


def run_shell(text: str) -> list[str]:
    """Run a sh block; the programs of this environment come first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = ["bash", "-euo", "pipefail", "-c", text]
    done = subprocess.run(
        command, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE,
    )  # fmt: skip
    said = (done.stdout + done.stderr).strip().splitlines()[-12:]
    return ["\n".join([f"exit code {done.returncode}", *said])] if done.returncode else []


# --- notebooks


def run_notebook(path: Path) -> list[str]:
    """Run the code cells of a notebook and compare what they print and show with what is stored."""
    names: dict[str, Any] = {"__name__": "__main__"}
    failures = []
    for k, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] != "code":
            continue
        place = f"{path.name}, cell {k + 1}"
        stored = "".join(_stored_text(output) for output in cell["outputs"])
        try:
            printed = run_cell("".join(cell["source"]), names, place)
        except Exception:
            failures.append(f"{place}: {traceback.format_exc(limit=-3)}")
            break
        if printed.split() != stored.split():
            failures.append(f"{place} shows\n{printed}\nand has stored\n{stored}")
    return failures


def run_cell(source: str, names: dict[str, Any], place: str) -> str:
    """Run a cell; returns what it prints, and the value of its last line if that is an expression."""
    keep_source(place, source)
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, place, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
            # a line that ends with a semicolon shows nothing, as in Jupyter
            if value is not None and not source.rstrip().endswith(";"):
                print(repr(value))
    return printed.getvalue()


def _stored_text(output: dict[str, Any]) -> str:
    """The text of an output of a cell; of a picture there is none."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    data = output.get("data", {})
    return "" if "image/png" in data else "".join(data.get("text/plain", "")) + "\n"


# --- command line


@contextlib.contextmanager
def empty_folder() -> Iterator[Path]:
    """An empty working folder, removed afterwards."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def main(arguments: list[str]) -> int:
    """Run pages, each in an empty folder; the exit code is 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-mujoco", action="store_true", help="as if the mujoco package were not installed")
    parser.add_argument("--skip", default="", metavar="COMMAND", help="leave out lines of sh blocks that begin so")
    parser.add_argument("pages", nargs="+", metavar="PAGE")
    options = parser.parse_args(arguments)
    if options.no_mujoco:
        sys.modules["mujoco"] = None  # type: ignore[assignment]
    # this folder is no place to import from
    sys.path = [folder for folder in sys.path if Path(folder or ".").resolve() != Path(__file__).resolve().parent]
    failures = []
    for name in options.pages:
        page = Path(name).resolve()
        with empty_folder():
            failures += run_page(page, options.skip)
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
