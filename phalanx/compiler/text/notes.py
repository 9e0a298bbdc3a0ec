"""What was assumed when a model was translated from another language: notes with places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from phalanx.compiler.text.errors import Problem


@dataclass(frozen=True)
class Note(Problem):
    """Something that a file leaves open or that has no effect, and what became of it; no mistake.

    Attributes:
        message: what was assumed, or has no effect.
        file, line, column: place in the file.
        element: tag and name of the element, "joint 'elbow'".
    """


def note_of(problem: Problem) -> Note:
    """The note at the place of a problem, with its message."""
    return Note(problem.message, problem.file, problem.line, problem.column, problem.element)


def summary(notes: Iterable[Note]) -> list[str]:
    """A line for each message: the first place, and how many more there are."""
    first: dict[str, Note] = {}
    count: dict[str, int] = {}
    for note in notes:
        first.setdefault(note.message, note)
        count[note.message] = count.get(note.message, 0) + 1
    return [
        f"{note}" + (f" (and {count[message] - 1} more like it)" if count[message] > 1 else "")
        for message, note in first.items()
    ]
