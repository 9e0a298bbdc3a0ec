"""The examples run and their assertions hold; so does the code of the documentation, and its links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_CODE = [page for page in PAGES if "\n>>> " in page.read_text(encoding="utf-8")]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("example", [path for path in EXAMPLES if "interpreted" not in path.name], ids=name_of)
def test_the_example_runs(example):
    runpy.run_path(str(example), run_name="__main__")


def test_the_interpreted_example_runs_without_compiling(tmp_path):
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    (example,) = [path for path in EXAMPLES if "interpreted" in path.name]
    done = subprocess.run([sys.executable, str(example)], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "kinematics" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_an_example_fits_on_a_page_and_ends_with_an_assertion(example):
    lines = example.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    body = "\n".join(lines).split('\n\n\nif __name__ == "__main__":')[0].splitlines()
    assert body[-1].lstrip().startswith("assert ")


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_the_code_of_the_page_runs(page):
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0


def test_pages_with_code_are_found():
    assert {"docs/quickstart.md", "docs/concepts/kernels.md"} <= {name_of(page) for page in WITH_CODE}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_named_in_the_text_exist(page):
    """`docs/x.md`, `phalanx/y.py` in backquotes; a recipe may name a file that is still to be written."""
    to_be_written = {
        "phalanx/smooth/momentum.py",
        "phalanx/smooth/actuator/dead_band.py",
        "phalanx/smooth/actuator/height_transmission.py",
        "phalanx/smooth/joint/screw.py",
    }
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:docs|examples|phalanx|tests|tools)/[\w/.]+\.(?:py|pyi|md))`", text)) - to_be_written
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
