"""What can be compiled: entries, which Python calls, and parts, which entries call.

Each becomes an image of its own. A unit is described by little and builds its functions only when it must be compiled
or its key is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from phalanx.algebra.jit import Part
from phalanx.native.key import PARTS_INSIDE

if TYPE_CHECKING:
    from phalanx.native.types import Type

#: LLVM's optimization level. The highest, 3, takes twice as long, and few kernels are faster for it.
USUAL_EFFORT = 1

#: What the letters in the signature of a part stand for, for one number type: see `Part`.
Letters = Mapping[str, "Type"]


class Unit(Protocol):
    """Something that becomes an image."""

    @property
    def name(self) -> str:
        """Tells the unit from all others; part of the file name."""

    @property
    def origin(self) -> str:
        """ "module:function" that makes the unit from its name in another process; "" if none does."""

    @property
    def effort(self) -> int:
        """How hard LLVM tries: see `llvm.py`."""

    def __hash__(self) -> int: ...

    def text(self, checked: bool) -> str:
        """The module as LLVM IR."""

    def roots(self) -> list[Any]:
        """Functions, kernels and types that decide the machine code, with all they can reach."""


@dataclass(frozen=True)
class Entry:
    """A function of integers (addresses and counts) that returns an integer status.

    Attributes:
        name: tells the entry from all others; the exported symbol.
        build: makes the Python function.
        arity: how many integers the function takes.
        letters: makes the types that parts take, if parts are to be called through addresses; without it they are
            compiled into the entry like any kernel.
        origin, effort: see `Unit`.
    """

    name: str
    build: Callable[[], Callable[..., Any]]
    arity: int
    letters: Callable[[], Letters] | None = None
    origin: str = ""
    effort: int = USUAL_EFFORT

    def text(self, checked: bool) -> str:
        """The entry and all kernels it calls; parts too, unless they are called by address."""
        from phalanx.native.program import Program

        program = Program(checked, None if self.letters is None else self.letters())
        program.export(self.name, self.build(), self.arity)
        return program.module()

    def roots(self) -> list[Any]:
        """The function, its count of arguments, and the types of what parts take."""
        has_parts = [PARTS_INSIDE] if self.letters is None else []
        return [*has_parts, self.build(), self.arity, *_letter_roots(self.letters)]


@dataclass(frozen=True)
class PartUnit:
    """Kernels that are compiled together and called through their addresses.

    Attributes:
        name: tells the unit from all others.
        build: makes the list of kernels.
        letters: makes the types that parts take.
        origin, effort: see `Unit`.
    """

    name: str
    build: Callable[[], tuple[Part, ...]]
    letters: Callable[[], Letters]
    origin: str = ""
    effort: int = USUAL_EFFORT

    def text(self, checked: bool) -> str:
        """The parts as exported functions; parts of other units are called by address."""
        from phalanx.native.program import Program

        parts = self.build()
        program = Program(checked, self.letters(), own=frozenset(parts))
        for part in parts:
            program.export_part(part)
        return program.module()

    def roots(self) -> list[Any]:
        """The bodies of the parts and the types of what parts take."""
        # the kernels themselves, not the addresses through which others call them
        return [*(part.function for part in self.build()), *_letter_roots(self.letters)]


@dataclass(frozen=True)
class TextUnit:
    """A module that is written as LLVM IR already."""

    name: str
    module: str
    origin: str = ""
    effort: int = USUAL_EFFORT

    def text(self, checked: bool) -> str:
        """The module as it was given; it has no checks."""
        return self.module

    def roots(self) -> list[Any]:
        """The text of the module decides everything."""
        return [self.module]


def _letter_roots(letters: Callable[[], Letters] | None) -> list[Any]:
    return [] if letters is None else [*letters().values()]
