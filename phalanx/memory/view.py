"""Views: what `m` and `d` are inside a compiled kernel. The only file that knows how a field is addressed.

A view is one pointer to a table of sizes and field addresses (`Store.table`). The compiler asks a `TableSchema` what
stands at which slot; the rows of the tables and the number type decide.
"""

from __future__ import annotations

import functools
import hashlib

from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import suggestion
from phalanx.memory.layout import EXTENT, SCHEMAS
from phalanx.native.intrinsics import At
from phalanx.native.number import number_type
from phalanx.native.types import (
    BOOLEAN,
    BYTE_ELEMENT,
    FLOAT,
    FLOAT32_ELEMENT,
    FLOAT64_ELEMENT,
    INT32_ELEMENT,
    INT64_ELEMENT,
    INTEGER,
    Dual,
    Element,
    Lane,
    Member,
    Type,
    View,
    mask,
    number_element,
    one_world,
    view,
)
from phalanx.tables.field import Field, Kind

_ELEMENTS = {
    Kind.INT: INT32_ELEMENT,
    Kind.WHOLE: INT32_ELEMENT,
    Kind.BOOL: BYTE_ELEMENT,
    Kind.BYTE: BYTE_ELEMENT,
    Kind.SIZE: INT64_ELEMENT,
    Kind.FLOAT32: FLOAT32_ELEMENT,
    Kind.FLOAT64: FLOAT64_ELEMENT,
}


class TableSchema:
    """The attributes of a Model or a Data whose real fields hold numbers of one type.

    Attributes:
        name: "model" or "data".
        base: None: see `native/types.py`.
        is_spread: have worlds of a device their own elements in some fields?
    """

    base = None

    def __init__(self, name: str, number: NumberType):
        self.name = name
        self._schema = SCHEMAS[name]
        self._number: Type = number_type(number)
        self._is_wide = number.width > 1
        self._layout, self.is_spread = number, number.spread
        # whether trees may fall asleep decides how loops are compiled, so that other models do not pay for it
        self._known = {"nsleep": int(number.sleeps)}
        self._members: dict[str, Member | None] = {}

    def member(self, path: str) -> Member | None:
        """Slot and element type of the attribute `path`; None if there is none that a kernel can address."""
        if path not in self._members:
            self._members[path] = self._found(path)
        return self._members[path]

    def _found(self, path: str) -> Member | None:
        schema = self._schema
        row = schema.fields.get(path)
        if row is None:
            return Member(schema.slot[path], known=self._known.get(path)) if path in schema.slot else None
        inner = tuple(extent for extent in row.shape[1:] if isinstance(extent, int))
        if len(inner) < len(row.shape) - 1:
            return None  # an inner extent that only the model knows: kernels cannot address it
        element, alias = self._element(row), f"{self.name}.{path}"
        is_spread = schema.is_spread(row, self._layout)
        if row.is_scalar:
            return Member(schema.slot[path], element, alias=alias, is_spread=is_spread)
        extent = row.shape[0]
        named = extent if isinstance(extent, int) else EXTENT + extent
        return Member(schema.slot[path], element, inner, named, alias, is_spread)

    def _element(self, row: Field) -> Element:
        if isinstance(self._number, Dual) and self._schema.is_dual(row):
            return number_element(self._number)
        if row.kind is Kind.REAL or (row.kind is Kind.WHOLE and self._is_wide):
            return number_element(self._number)
        return number_element(one_world(self._number)) if row.kind is Kind.SCALAR else _ELEMENTS[row.kind]

    @functools.cached_property
    def digest(self) -> str:
        """The whole layout, for the keys of compiled code."""
        rows = [(name, row.kind.value, row.shape) for name, row in self._schema.fields.items()]
        rest = (self._known, [*self._schema.slot], rows, self.is_spread)
        text = repr((self.name, self._number.leaves, *rest))
        return hashlib.sha256(text.encode()).hexdigest()

    def is_record(self, path: str) -> bool:
        """Is the attribute a nested record, `m.opt` or `m.stat`?"""
        return path in self._schema.records

    def method(self, path: str) -> None:
        """A Model and a Data have no methods in kernels."""
        return None

    def explain(self, path: str) -> str:
        """Why `member` found nothing, with the nearest name of a field that exists."""
        owner = self.name.capitalize()
        if path in self._schema.fields:
            return f"{path} of the {owner} cannot be read in a kernel: its rows have a length that only the model knows"
        known = [*self._schema.sizes, *(name for name, row in self._schema.fields.items() if not row.scratch)]
        return f"{owner} has no field {path!r}{suggestion(path, known)}"


@functools.cache
def _schema(name: str, number: NumberType) -> TableSchema:
    return TableSchema(name, number)


def view_type(name: str, number: NumberType, constant: bool) -> View:
    """The type of a view.

    Args:
        name: "model" or "data".
        number: type of real elements.
        constant: fields do not change while a kernel runs (the Model, except to its own constants).
    """
    return view(_schema(name, number), constant)


def view_at(name: str, number: NumberType, constant: bool) -> At:
    """The intrinsic that makes a view of an address, in an entry."""
    return At(view_type(name, number, constant))


def part_letters(number: NumberType, varied: bool) -> dict[str, Type]:
    """What the letters in signatures of parts stand for.

    Args:
        number: the numbers of the Data.
        varied: has the Model its own numbers per world?
    """
    model_number = number if varied else number.one_world
    mine = number_type(number)
    return {
        "m": view_type("model", model_number, constant=True),
        "d": view_type("data", number, constant=False),
        "i": INTEGER,
        "f": FLOAT,
        "n": mine,
        "p": number_type(model_number),
        "c": mask(mine.base, mine.width) if isinstance(mine, Lane) else BOOLEAN,
    }
