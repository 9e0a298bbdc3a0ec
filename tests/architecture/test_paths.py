"""Files that pages, docstrings and comments name exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.sources import PAGES, ROOT, assert_none, comments, docstrings, package_files, place, tree_of

#: Files of a reader, in examples.
EXAMPLES = {"my_script.py", "robot.py"}
#: What belongs to the repository.
ROOTS = ("phalanx", "tests", "tools", "benchmarks", "docs", "examples")
#: A file of Python, with as many folders as it is named with.
NAMED = re.compile(r"(?<![\w./<*-])((?:[\w-]+/)*[\w-]+\.py)\b")


@cache
def known_paths() -> frozenset[str]:
    """Every path of a Python file of the repository, from each of its folders on."""
    files = [path.relative_to(ROOT) for root in ROOTS for path in (ROOT / root).rglob("*.py")]
    return frozenset("/".join(path.parts[k:]) for path in files for k in range(len(path.parts)))


def missing(text: str) -> Iterator[str]:
    """Files that a text names and that do not exist."""
    for name in NAMED.findall(text):
        if name not in known_paths() and name not in EXAMPLES:
            yield name


# recipes in docs/adding name files that the reader is to write
@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "adding"], ids=lambda page: page.name)
def test_files_named_on_a_page_exist(page: Path) -> None:
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
    found = [f"{place(page, k)}: {name}" for k, line in lines for name in missing(line)]
    assert not found, "\n".join(["", *found])


def missing_in_source(path: Path) -> Iterator[tuple[Path, int, str]]:
    for line, text in (*docstrings(tree_of(path)), *comments(path)):
        for name in missing(text):
            yield path, line, f"{name} does not exist"


def test_files_named_in_the_package_exist() -> None:
    assert_none(finding for path in package_files() for finding in missing_in_source(path))


def test_files_named_in_the_tools_exist() -> None:
    assert [finding for path in (ROOT / "tools").glob("*.py") for finding in missing_in_source(path)] == []


@pytest.mark.parametrize(
    "text, found",
    [
        ("see `memory/store.py` and store.py", []),
        ("see `phalanx/no/such.py`", ["phalanx/no/such.py"]),
        ("`such_a_file.py`, of course", ["such_a_file.py"]),
        ("test_<file>.py and docs/*.py", []),
    ],
)
def test_a_file_that_does_not_exist_is_found(text: str, found: list[str]) -> None:
    assert [*missing(text)] == found
