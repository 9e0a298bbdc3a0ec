"""What `f` is inside a compiled kernel: a pointer to the table of addresses of a Frame."""

from __future__ import annotations

import functools
import hashlib

from phalanx.algebra.number_type import NumberType
from phalanx.native.intrinsics import At
from phalanx.native.number import number_type
from phalanx.native.types import (
    BYTE_ELEMENT,
    FLOAT32_ELEMENT,
    FLOAT64_ELEMENT,
    INT32_ELEMENT,
    INT64_ELEMENT,
    Element,
    Member,
    number_element,
    view,
)
from phalanx.render.picture_rows import LANE, ROWS, SLOTS, Row

_ELEMENTS = {
    "float64": FLOAT64_ELEMENT,
    "float32": FLOAT32_ELEMENT,
    "int64": INT64_ELEMENT,
    "int32": INT32_ELEMENT,
    "uint8": BYTE_ELEMENT,
}


class FrameSchema:
    """What the compiler must know of a Frame whose lanes have a number type: see `native/types.py`."""

    name = "frame"
    base = None
    is_spread = False

    def __init__(self, number: NumberType):
        self._lane: Element = number_element(number_type(number))
        self._members = {name: self._member(row) for name, row in ROWS.items()}

    def _member(self, row: Row) -> Member:
        element = self._lane if row.element == LANE else _ELEMENTS[row.element]
        return Member(SLOTS[row.name], element, row.inner, alias=f"frame.{row.name}")

    def member(self, path: str) -> Member | None:
        """The row of this name."""
        return self._members.get(path)

    @functools.cached_property
    def digest(self) -> str:
        """The whole layout, for the keys of compiled code."""
        text = repr([(row.name, row.element, row.inner) for row in ROWS.values()]) + self._lane.storage
        return hashlib.sha256(text.encode()).hexdigest()

    def is_record(self, path: str) -> bool:
        """A frame has no records inside."""
        return False

    def method(self, path: str) -> None:
        """A frame has no methods."""
        return None

    def explain(self, path: str) -> str:
        """What to say of a name that is no row."""
        return f"a Frame has no {path!r}"


@functools.cache
def frame_schema(number: NumberType) -> FrameSchema:
    """The layout for a number type."""
    return FrameSchema(number)


def frame_at(number: NumberType) -> At:
    """The intrinsic that makes a view of the address of a Frame, in an entry."""
    return At(view(frame_schema(number), constant=False))
