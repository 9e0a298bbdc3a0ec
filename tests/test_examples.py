"""The examples run and their assertions hold; so does the code of the documentation, and its links lead somewhere.

All of it runs without the mujoco package, in empty folders; `tools/first_hour.py` repeats it with the installed wheel.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import phalanx
from tools.first_hour import EXAMPLES, NEEDS_MUJOCO, NOTEBOOKS
from tools.page_code import blocks, run_notebook, run_page

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}
WITH_PYTHON = [page for page, text in TEXT.items() if any(block.language == "python" for block in blocks(text))]
#: Languages of blocks: run by this file, run by the first hour, for a clone of the sources, not code.
LANGUAGES = {"python", "sh", "console", "text", ""}
#: In the reference also signatures and the examples of docstrings, which are run where they stand.
REFERENCE_LANGUAGES = {"py", "pycon"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def no_mujoco(monkeypatch, tmp_path):
    """As if the mujoco package were not installed, in an empty folder."""
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("example", [path for path in EXAMPLES if "interpreted" not in path.name], ids=name_of)
@pytest.mark.usefixtures("no_mujoco")
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


@pytest.mark.parametrize("page", [page for page in WITH_PYTHON if page != NEEDS_MUJOCO], ids=name_of)
@pytest.mark.usefixtures("no_mujoco")
def test_the_code_of_the_page_runs_without_mujoco(page, monkeypatch):
    """The Python of it; what the shell runs is tried by the first hour."""
    monkeypatch.setattr("tools.page_code.run_shell", lambda text: [])
    assert run_page(page) == []


def test_the_page_that_compares_with_mujoco_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert run_page(NEEDS_MUJOCO) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
@pytest.mark.usefixtures("no_mujoco")
def test_the_notebook_runs_and_shows_what_is_stored(notebook, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    assert run_notebook(notebook) == []


def test_pages_with_code_are_found():
    expected = {"README.md", "docs/quickstart.md", "docs/concepts/kernels.md", "docs/tutorials/arm.md"}
    assert expected <= {name_of(page) for page in WITH_PYTHON}
    assert NOTEBOOKS


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_code_stands_in_blocks_that_say_what_they_are(page):
    is_reference = page.parent.name == "reference"
    allowed = LANGUAGES | REFERENCE_LANGUAGES if is_reference else LANGUAGES
    assert {block.language for block in blocks(TEXT[page])} <= allowed
    # an example outside of a block would not be run
    assert "\n>>> " not in re.sub(r"(?ms)^( *)```.*?^\1```", "", TEXT[page])
    for block in blocks(TEXT[page]):
        assert block.language in ("python", "pycon") or ">>> " not in block.text, block.line
        if block.language == "console":
            assert all(line.startswith(("$ ", "  ")) for line in block.text.splitlines()), block.line


@pytest.mark.parametrize("page", [page for page in PAGES if page != NEEDS_MUJOCO], ids=name_of)
def test_only_one_page_imports_mujoco(page):
    code = "\n".join(block.text for block in blocks(TEXT[page]) if block.language in ("python", "sh"))
    # plugins are called by MuJoCo's names
    code = re.sub(r"\"mujoco\.[a-z._]+\"", "", code)
    assert not re.search(r"import.*\bmujoco\b|\bmujoco\.|phalanx compare", code)


def test_no_example_imports_mujoco():
    assert [path.name for path in EXAMPLES if "import mujoco" in path.read_text(encoding="utf-8")] == []


def test_targets_of_make_that_pages_name_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = {name for text in TEXT.values() for name in re.findall(r"(?:`|\$ )make ([a-z-]+)", text)}
    assert named and named <= targets


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


def test_every_page_is_in_the_table_of_contents_of_the_site():
    """`make docs` would say so; this takes no time."""
    docs = ROOT / "docs"
    listed = re.findall(
        r"^([\w/]+)$", "".join(re.findall(r"```{toctree}(.*?)```", TEXT[docs / "index.md"], re.S)), re.M
    )
    pages = {path.relative_to(docs).with_suffix("").as_posix() for path in (*docs.rglob("*.md"), *NOTEBOOKS)}
    assert sorted(listed) == sorted(pages - {"index"})


def test_every_built_in_model_has_a_picture():
    text = TEXT[ROOT / "docs" / "models.md"]
    for name in phalanx.models():
        assert (ROOT / "docs" / "pictures" / f"{name}.webp").stat().st_size < 30_000
        assert f"pictures/{name}.webp" in text and f"| [{name}](#{name}) |" in text
        keys = phalanx.load(name).names.names["key"]
        assert ", ".join(f"`{key}`" for key in keys) in text
