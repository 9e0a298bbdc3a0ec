"""The files of the package as the checkers read them: names, docstrings and comments, with their lines."""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "phalanx"
#: Pages and texts that are written by hand.
PAGES = (
    ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.parent.name != "reference" and p.stem != "status"),
)  # fmt: skip

Function = ast.FunctionDef | ast.AsyncFunctionDef


@functools.cache
def package_files() -> tuple[Path, ...]:
    """Every source of the package."""
    return tuple(sorted(PACKAGE.rglob("*.py")))


def folder_of(path: Path) -> str:
    """The folder of the package that a file belongs to, "" for the top."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


@functools.cache
def tree_of(path: Path) -> ast.Module:
    """The parsed file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@functools.cache
def comments(path: Path) -> tuple[tuple[int, str], ...]:
    """(line, text) of every comment."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return tuple((token.start[0], token.string.lstrip("#: ")) for token in tokens if token.type == tokenize.COMMENT)


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, text) of docstrings: of the module, classes and functions, and strings that explain an assignment."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", ()) if isinstance(node, ast.Module | ast.ClassDef | Function) else ():
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.lineno, value.value


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, text) of every string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def identifiers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, name) of everything that a file gives a name: functions, classes, parameters, variables, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def place(path: Path, line: int) -> str:
    """How a finding names its line."""
    return f"{path.relative_to(ROOT).as_posix()}:{line}"


def assert_none(findings: Iterable[tuple[Path, int, str]]) -> None:
    """No findings; if there are any, the places and reasons of all of them are told."""
    lines = [f"{place(path, line)}: {reason}" for path, line, reason in sorted(findings)]
    assert not lines, "\n".join(["", *lines])
