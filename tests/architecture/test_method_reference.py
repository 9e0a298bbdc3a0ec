"""The method reference: every public name is on a page, and the examples of docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest

import phalanx
from tests.architecture.sources import PACKAGE, package_files
from tools.method_reference import PAGES, as_written, markdown, object_lines, resolve, signature_lines, split_arguments

#: Public names that are no classes or functions; those in `mechanism` and `transforms` are on pages.
ELSEWHERE = {"__version__", "enums", "learn", "mechanism", "transforms"}
ON_PAGES = [name for row in PAGES.values() for name in row.objects]
WITH_EXAMPLES = [path for path in package_files() if ">>> " in path.read_text(encoding="utf-8")]


def test_every_public_name_is_on_one_page():
    assert len(ON_PAGES) == len(set(ON_PAGES))
    assert {f"phalanx.{name}" for name in phalanx.__all__ if name not in ELSEWHERE} <= set(ON_PAGES)
    for module in (phalanx.mechanism, phalanx.transforms):
        assert {f"{module.__name__}.{name}" for name in module.__all__} <= set(ON_PAGES)


@pytest.mark.parametrize("name", ON_PAGES)
def test_an_object_has_more_than_a_heading(name):
    lines = list(object_lines(name, resolve(name)))
    assert lines[0].startswith("## ")
    assert sum(bool(line) for line in lines) >= 2


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_examples_of_docstrings_are_true(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(module, optionflags=options).failed == 0


def test_a_docstring_becomes_markdown():
    doc = """What it is.

Text with a_name and `code_of *mine*`.

Args:
    n: how many,
        continued.
    x, y: two numbers.

Returns:
    The sum.

Example:
    >>> f(1)        # doctest: +SKIP
    2
"""
    text = "\n".join(markdown(doc))
    assert "Text with a\\_name and `code_of *mine*`." in text
    assert "- `n`: how many,\n  continued.\n- `x`, `y`: two numbers." in text
    assert "**Returns**\n\nThe sum." in text
    assert "```pycon\n>>> f(1)\n2\n```" in text


def test_a_signature_is_as_in_the_source():
    def function(a: int, *, long_name_of_an_argument: tuple[int, str] = (1, "a, b"), other_argument: str = "x") -> None:
        pass

    assert "\n".join(signature_lines("f", function)).startswith("```py\nf(\n    a: int,\n    *,\n    long_name_of")
    assert split_arguments("a: dict[str, int] = {}, b") == ["a: dict[str, int] = {}", "b"]
    assert repr(as_written("np.ndarray")) == "np.ndarray"


def test_defaults_that_are_members_of_enums_have_their_names():
    def function(sig: int = phalanx.enums.StateBit.FULLPHYSICS) -> None:
        pass

    assert "f(sig: int = StateBit.FULLPHYSICS) -> None" in "\n".join(signature_lines("f", function))
