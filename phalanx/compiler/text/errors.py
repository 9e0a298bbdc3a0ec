"""Problems of a model file: one error reports all of them, each with file, line and column."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from phalanx.memory.errors import ModelError

#: Problems listed in the text of an error; `problems` has all of them.
SHOWN = 20
#: Longest piece of a file, and longest path, that a message quotes; in characters.
QUOTED, LONGEST_PATH = 60, 400

#: The start of a tag up to its first attribute, and an attribute with its value.
_TAG = re.compile(rb"<[^\s/>]*")
_PAIR = re.compile(rb"""\s*([^\s=/>"']+)\s*=\s*(?:"[^"]*"|'[^']*')""")


class Source:
    """The bytes of a model file, or of a text given instead of one, with places in it."""

    def __init__(self, name: str, data: bytes):
        self.name, self.data = name, data
        #: the last tag whose attributes were looked for, and where they are
        self._scanned: tuple[int, dict[bytes, int]] = (-1, {})

    @cached_property
    def _lines(self) -> list[int]:
        """Byte where each line begins."""
        return [0, *(match.end() for match in re.finditer(b"\n", self.data))]

    @cached_property
    def _characters(self) -> np.ndarray:
        """Characters that begin before each byte; bytes that continue a character in UTF-8 are 10xxxxxx."""
        begins = (np.frombuffer(self.data, np.uint8) & 0xC0) != 0x80
        return np.concatenate([[0], np.cumsum(begins)])

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte, both counted from one."""
        line = bisect_right(self._lines, offset)
        start = self._lines[line - 1]
        if self.data.isascii():
            return line, offset - start + 1
        return line, int(self._characters[offset] - self._characters[start]) + 1

    def attribute_offset(self, offset: int, name: str) -> int:
        """Byte where an attribute begins in the start tag at `offset`; `offset` itself if it is not found."""
        if self._scanned[0] != offset:
            self._scanned = offset, self._attributes_of_tag(offset)
        return self._scanned[1].get(name.encode(), offset)

    def _attributes_of_tag(self, offset: int) -> dict[bytes, int]:
        """Byte where each attribute of the start tag at `offset` begins.

        expat reports the place of tags only, so the tag is scanned again, words outside of quotes.
        """
        found: dict[bytes, int] = {}
        name = _TAG.match(self.data, offset)
        position = name.end() if name else offset + 1
        while (pair := _PAIR.match(self.data, position)) is not None:
            found.setdefault(pair.group(1), pair.start(1))
            position = pair.end()
        return found


@dataclass(frozen=True)
class Problem:
    """One mistake.

    Attributes:
        message: what is wrong, with the offending text and the nearest valid name.
        file: name of the file that holds it.
        line, column: place in the file, from one; 0 when it has none.
        element: tag and name of the element, "geom 'foot'".
    """

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    element: str = ""

    def __str__(self) -> str:
        place = ":".join([self.file or "model", *(str(count) for count in (self.line, self.column) if count)])
        element = f"{self.element}: " if self.element else ""
        return f"{place}: {element}{self.message}"

    def as_dict(self) -> dict[str, str | int]:
        """The same as a dict, for JSON."""
        return {
            "file": self.file, "line": self.line, "column": self.column, "element": self.element,
            "message": self.message,
        }  # fmt: skip


class MjcfError(ModelError):
    """A model file that cannot be compiled.

    Attributes:
        problems: everything that is wrong, in the order of the file.
    """

    def __init__(self, problems: Iterable[Problem]):
        self.problems = tuple(problems)
        shown = [str(problem) for problem in self.problems[:SHOWN]]
        more = len(self.problems) - SHOWN
        super().__init__("\n".join([*shown, f"... and {more} more problems"] if more > 0 else shown))

    def __reduce__(self) -> tuple:
        return type(self), (self.problems,)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Problems sorted by their place in the file, without repetitions."""
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line, problem.column))


#: A mistake that a check found: the message, and the attribute that it is about ("" for the whole element).
Wrong = tuple[str, str]


class ElementProblem(Exception):
    """Raised inside the compiler when the element at hand cannot be compiled; who catches it knows the element.

    An empty message means: this follows from another problem, which is reported elsewhere. It ends the computation and
    adds nothing to the list.
    """

    def __init__(self, message: str, attribute: str = ""):
        super().__init__(message)
        self.attribute = attribute
        #: this problem, and those that were found with it
        self.wrong: list[Wrong] = [(message, attribute)]


def refuse(wrong: Iterable[Wrong]) -> None:
    """Raise one ElementProblem with all mistakes of an element, if there are any."""
    found = list(wrong)
    if found:
        problem = ElementProblem(*found[0])
        problem.wrong = found
        raise problem


def quoted(text: str) -> str:
    """A piece of the file in quotes, shortened if it is long."""
    text = " ".join(text.split())
    return repr(text if len(text) <= QUOTED else text[: QUOTED - 3] + "...")


def quoted_path(path: str) -> str:
    """A path in quotes, only its end if it is very long."""
    return repr(path if len(path) <= LONGEST_PATH else "..." + path[3 - LONGEST_PATH :])


def meant(name: object, known: Iterable[str]) -> str:
    """The valid name most similar to a wrong one, "" if none is similar."""
    if not isinstance(name, str):
        return ""
    folded = {candidate.lower(): candidate for candidate in known if candidate}
    close = difflib.get_close_matches(name.lower()[:200], list(folded)[:5000], n=1, cutoff=0.6)
    return folded[close[0]] if close else ""


def nearest(name: object, known: Iterable[str]) -> str:
    """A hint for a message: the most similar valid name, or all valid names if they are few, or ""."""
    names = [candidate for candidate in known if candidate]
    close = meant(name, names)
    if close:
        return f"; did you mean {close!r}?"
    return f"; valid: {', '.join(names)}" if 0 < len(names) <= 8 else ""
