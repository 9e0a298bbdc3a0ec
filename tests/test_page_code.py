"""The runner of pages finds what fails, and only that."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tools import first_hour
from tools.page_code import blocks, empty_folder, main, run_page

PAGE = """# A page

```python
x = 1
```

1. indented:

   ```python
   >>> def f(): return x + 1
   >>> f()
   2
   ```

```sh
echo hello > file.txt
test "$(cat file.txt)" = hello   # a comment
```

```console
$ no-such-program
```
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Writes a page, and runs in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def write(text, name="page.md"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def test_blocks_have_a_language_a_text_and_a_line():
    found = list(blocks(PAGE))
    assert [(block.language, block.line) for block in found] == [
        ("python", 4),
        ("python", 10),
        ("sh", 16),
        ("console", 21),
    ]
    assert found[1].text.startswith(">>> def f()")


def test_a_page_that_works_says_nothing(page, capsys):
    assert run_page(page(PAGE)) == []
    assert main([str(page(PAGE))]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("x = 1", "x = 1 / 0", ("page.md:4", "ZeroDivisionError")),
        ("   2\n", "   3\n", ("page.md:10", "Expected:", "3", "Got:", "2")),
        ("= hello ", "= goodbye ", ("page.md:16", "exit code 1")),
        ("echo hello", "no-such-program; echo hello", ("page.md:16", "exit code 127", "no-such-program")),
    ],
)
def test_what_fails_is_told_with_its_line(page, capsys, old, new, words):
    assert main([str(page(PAGE.replace(old, new)))]) == 1
    out = capsys.readouterr().out
    assert all(word in out for word in words)


def test_commands_can_be_left_out(page):
    path = page("```sh\nno-such-program --all\ntrue\n```\n")
    assert run_page(path) != []
    assert run_page(path, "no-such-program") == []


def test_each_page_runs_in_an_empty_folder(page):
    with empty_folder() as folder:
        assert list(folder.iterdir()) == []
    assert not folder.exists()


def cell(source, **outputs):
    return {"cell_type": "code", "source": source, "outputs": [outputs] if outputs else []}


@pytest.mark.parametrize(
    "cells, failures",
    [
        ([cell("x = 1"), cell("x + 1", output_type="execute_result", data={"text/plain": ["2"]})], 0),
        ([cell("print(3)", output_type="stream", text=["3\n"])], 0),
        ([cell("x = 1\nx"), cell("1 / 0")], 2),
        ([cell("x = 1\nx;")], 0),
        ([cell("'a'", output_type="execute_result", data={"text/plain": ["'b'"]})], 1),
        ([{"cell_type": "markdown", "source": "# words"}], 0),
    ],
)
def test_a_notebook_shows_what_is_stored(page, cells, failures):
    assert len(run_page(page(json.dumps({"cells": cells}), "book.ipynb"))) == failures


# --- the first hour


def test_dependencies_are_followed_and_extras_are_not():
    found = first_hour.with_dependencies(["typer>=0.1"])
    assert {"typer", "rich", "markdown-it-py", "mdurl"} <= set(found)
    assert "pytest" not in found


@pytest.mark.parametrize(
    "code, options, problem",
    [
        ("print(1)", {}, ""),
        ("raise SystemExit('bad luck')", {}, "bad luck"),
        ("import sys; print('needs X', file=sys.stderr); sys.exit(1)", {"fails_with": "needs X"}, ""),
        ("print('needs X')", {"fails_with": "needs X"}, "does not end with one line"),
        ("open('here', 'w')", {"makes": "here"}, ""),
        ("pass", {"makes": "here"}, "has not written here"),
    ],
)
def test_a_task_says_what_went_wrong(tmp_path, code, options, problem):
    found, _ = first_hour.Task("task", (sys.executable, "-c", code), **options).run(tmp_path)
    assert problem in found if problem else found == ""


@pytest.mark.conformance
def test_the_first_hour_of_a_new_user():
    """Everything works with the installed wheel. What compiles every kernel is left out: other tests do that."""
    command = [sys.executable, "-m", "tools.first_hour", "--skip", "phalanx warmup"]
    done = subprocess.run(command, cwd=first_hour.ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
