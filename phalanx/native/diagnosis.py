"""What is wrong with a kernel: problems with their places, all of them at once."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable
from dataclasses import dataclass


class Fault(Exception):
    """A mistake in the expression or statement at hand; "" if it follows from one that is reported already."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason
        self.node: ast.AST | None = None


class FaultsInside(Exception):
    """A function that is called here has problems of its own."""

    def __init__(self, problems: tuple[Problem, ...]):
        super().__init__()
        self.problems = problems


@dataclass(frozen=True)
class Place:
    """A line of a function."""

    file: str
    line: int
    function: str

    @property
    def source(self) -> str:
        """The text of the line, without its indentation."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


@dataclass(frozen=True)
class Problem:
    """One mistake: why, and where, the innermost place first, then the calls that led to it."""

    reason: str
    places: tuple[Place, ...]

    def called_from(self, place: Place) -> Problem:
        """The same problem seen from a function that called; a function that calls itself is named once."""
        return self if place == self.places[-1] else Problem(self.reason, (*self.places, place))

    def __str__(self) -> str:
        first, *calls = self.places
        lines = [f"{first}: {self.reason}", f"    {first.source}", *(f"  called at {place}" for place in calls)]
        return "\n".join(lines)


class KernelError(TypeError):
    """Kernels that cannot be compiled: every problem that was found.

    Attributes:
        problems: in the order of the source; what is wrong in one place is told once, however often it is called.
    """

    def __init__(self, problems: Iterable[Problem]):
        first: dict[tuple[str, Place], Problem] = {}
        for problem in problems:
            first.setdefault((problem.reason, problem.places[0]), problem)
        self.problems = tuple(first.values())
        super().__init__("\n".join(map(str, self.problems)))
