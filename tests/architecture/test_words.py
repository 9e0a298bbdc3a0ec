"""One word, one meaning: words that the glossary rules out appear in no name, docstring, comment or page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from phalanx.tables.glossary import RULED_OUT, WORDS, RuledOut
from tests.architecture.sources import (
    PAGES,
    assert_none,
    comments,
    docstrings,
    folder_of,
    identifiers,
    package_files,
    place,
    texts,
    tree_of,
)

#: Where the words are listed, and what is written by hand about them.
GLOSSARY_FILE = "glossary.py"
#: Any word that is ruled out: most texts have none, and are not looked at more closely.
ANY_FORM = re.compile(rf"\b(?:{'|'.join(form for row in RULED_OUT for form in row.forms)})\b", re.IGNORECASE)


def words_in_name(name: str) -> list[str]:
    """`turned_frame`, `TurnedFrame` and `TURNED_FRAME` as words in lower case."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_")


def ruled_out_in_name(name: str) -> list[str]:
    return [word for word in words_in_name(name) if any(word in row.forms for row in RULED_OUT)]


def ruled_out_in_text(text: str) -> list[str]:
    """Words that a text uses other than in a phrase that is allowed; quoted code does not count."""
    if not ANY_FORM.search(text):
        return []
    text = re.sub(r"``?[^`\n]*``?", " ", " ".join(text.lower().split()))
    found = []
    for row in RULED_OUT:
        rest = text
        for phrase in row.true_uses:
            rest = re.sub(rf"\b{re.escape(phrase)}\b", " ", rest)
        found += re.findall(rf"\b(?:{'|'.join(row.forms)})\b", rest)
    return found


def ruled_out_in_file(path: Path) -> Iterator[tuple[Path, int, str]]:
    tree = tree_of(path)
    # rows of tables are documented by strings
    prose = texts(tree) if folder_of(path) == "tables" else docstrings(tree)
    for line, name in identifiers(tree):
        for word in ruled_out_in_name(name):
            yield path, line, f"the name {name} has the word {word}"
    for line, text in (*prose, *comments(path)):
        for word in ruled_out_in_text(text):
            yield path, line, f"the word {word}"


def test_the_package_keeps_to_its_words():
    files = [path for path in package_files() if path.name != GLOSSARY_FILE]
    assert_none(finding for path in files for finding in ruled_out_in_file(path))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_keep_to_our_words(page):
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
    found = [f"{place(page, k)}: the word {word}" for k, line in lines for word in ruled_out_in_text(line)]
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize(
    "name, words",
    [
        ("turned_frame", ["turned"]), ("TurnedFrame", ["turned"]), ("UNTURNED", ["unturned"]), ("returns", []),
        ("something", []), ("any_thing", ["thing"]),
    ],
)  # fmt: skip
def test_words_of_a_name(name, words):
    assert ruled_out_in_name(name) == words


@pytest.mark.parametrize(
    "text, words",
    [
        ("A body that turns.", ["turns"]),
        ("worlds take\n    turns, in turn", []),
        ("The things of the world", ["things"]),
        ("what `turn` returns", []),
        ("nothing and everything", []),
    ],
)
def test_words_of_a_text(text, words):
    assert ruled_out_in_text(text) == words


def test_every_word_has_one_meaning():
    forms = [form for row in RULED_OUT for form in row.forms]
    assert len(forms) == len(set(forms))
    assert not set(forms) & set(WORDS)
    assert all(isinstance(row, RuledOut) and row.instead for row in RULED_OUT)
    assert all(WORDS.values())
