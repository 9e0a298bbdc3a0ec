"""The instructions of one function, as text of LLVM IR."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

#: How instructions begin that read or write memory.
_ACCESSES = ("load ", "store ", "call ")


class Code:
    """Instructions in the order in which they are written.

    A place can be kept free (`reserve`) and written to later (`at`): what a variable must be converted to at the end of
    a branch is known only when the other branch is complete.

    Attributes:
        block: label of the block that is being written.
        is_reachable: can the program get to the next instruction? After a jump it cannot.
        access_mark: what is added to every instruction that reads or writes memory.
    """

    def __init__(self) -> None:
        self._lines: list[Any] = []
        self._slots: list[str] = []
        self._count = 0
        self.block = "entry"
        self.is_reachable = True
        self.access_mark = ""

    # --- instructions

    def emit(self, text: str) -> str:
        """An instruction with a result; returns its register."""
        self._count += 1
        register = f"%r{self._count}"
        mark = self.access_mark if text.startswith(_ACCESSES) else ""
        self._lines.append(f"{register} = {text}{mark}")
        return register

    def do(self, text: str) -> None:
        """An instruction without a result."""
        self._lines.append(text + self.access_mark if text.startswith(_ACCESSES) else text)

    def slot(self, leaf: str) -> str:
        """Memory for one operand of a variable, zero at first; LLVM replaces it by registers."""
        self._count += 1
        place = f"%s{self._count}"
        self._slots.append(f"{place} = alloca {leaf}\nstore {leaf} zeroinitializer, ptr {place}")
        return place

    # --- blocks

    def label(self) -> str:
        """A label that has not been used."""
        self._count += 1
        return f"b{self._count}"

    def start(self, label: str) -> None:
        """Begin a block."""
        self._lines.append(f"{label}:")
        self.block, self.is_reachable = label, True

    def jump(self, label: str, mark: str = "") -> None:
        """End the block, if the program can get here."""
        if self.is_reachable:
            self._lines.append(f"br label %{label}{mark}")
            self.is_reachable = False

    def branch(self, condition: str, yes: str, no: str) -> None:
        """End the block with a choice."""
        self._lines.append(f"br i1 {condition}, label %{yes}, label %{no}")
        self.is_reachable = False

    def loop_index(self, start: str, entry: str, again: str) -> tuple[str, str]:
        """The index of a counting loop, and the register that the next one must be written to."""
        self._count += 1
        index, following = f"%i{self._count}", f"%j{self._count}"
        self._lines.append(f"{index} = phi i64 [{start}, %{entry}], [{following}, %{again}]")
        return index, following

    # --- places that are written to later

    def reserve(self) -> list[Any]:
        """A place in the text that is filled later, by `at`."""
        place: list[Any] = []
        self._lines.append(place)
        return place

    @contextlib.contextmanager
    def at(self, place: list[Any]) -> Iterator[None]:
        """Write to a reserved place while the block lasts."""
        lines, self._lines = self._lines, place
        try:
            yield
        finally:
            self._lines = lines

    # --- going back

    def position(self) -> tuple[int, str]:
        """What has been written so far, to `rewind` to."""
        return len(self._lines), self.block

    def rewind(self, position: tuple[int, str]) -> None:
        """Discard everything that was written after a position."""
        length, self.block = position
        del self._lines[length:]
        self.is_reachable = True

    def text(self) -> str:
        """The body of the function: allocations first, then the instructions."""
        lines: list[str] = list(self._slots)
        _flatten(self._lines, lines)
        return "\n".join(lines)


def _flatten(lines: list[Any], into: list[str]) -> None:
    for line in lines:
        if isinstance(line, str):
            into.append(line)
        else:
            _flatten(line, into)
