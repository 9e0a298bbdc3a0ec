"""The fields of a compiled model, read object by object, as values of attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.element import Element
from phalanx.memory.errors import ModelError
from phalanx.memory.names import KIND_BY_ACCESSOR, NameIndex
from phalanx.tables.enums import ObjType
from phalanx.tables.mjcf_row import Attribute, Holds
from phalanx.tables.mjcf_schema import ELEMENTS


def numbers(array: np.ndarray) -> tuple[Any, ...]:
    """The elements of an array as Python numbers; those in single precision with as few digits as tell them apart."""
    if array.dtype == np.float32:
        return tuple(float(str(value)) for value in array.ravel())
    return tuple(array.ravel().tolist())


class CompiledFields:
    """A compiled model.

    Attributes:
        sizes: by name.
        arrays: fields by name.
        names: of all objects, by kind.
    """

    def __init__(self, sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray]):
        self.sizes, self.arrays = sizes, arrays
        self.names = NameIndex(arrays).names

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]

    def integer(self, name: str, *index: int) -> int:
        """One integer of a field."""
        return int(self.arrays[name][index])

    def values(self, name: str, objid: int) -> tuple[Any, ...]:
        """The numbers of an object in a field."""
        return numbers(self.arrays[name][objid])

    # --- elements

    def element(self, key: str, kind: str, objid: int) -> Element:
        """An element for an object, with its name and all attributes that are plain copies of fields."""
        element = Element(ELEMENTS[key])
        if self.names[kind][objid]:
            element.attributes["name"] = self.names[kind][objid]
        for name, row in element.row.attributes.items():
            if row.field and "." not in row.field:
                self.put(element, name, stored(row, self.arrays[row.field][objid]))
        prefix = KIND_BY_ACCESSOR[kind].prefix.removesuffix("_")
        given = self.arrays.get(f"{prefix}_user")
        if given is not None and "user" in element.row.attributes and given[objid].any():
            element.attributes["user"] = numbers(given[objid])
        return element

    def put(self, element: Element, name: str, value: AttributeValue) -> None:
        """Write an attribute unless it has the value that the schema gives it anyway."""
        row = element.row.attributes[name]
        if row.is_scalar and isinstance(value, tuple):
            (value,) = value
        if value != row.default:
            element.attributes[name] = value

    def refer(self, element: Element, name: str, kind: str, objid: int) -> None:
        """Write the name of another object; -1 is none."""
        if objid >= 0:
            element.attributes[name] = self.name_of(kind, objid, element)

    def name_of(self, kind: str, objid: int, element: Element) -> str:
        """The name of an object that an element refers to.

        Raises:
            ModelError: it has none.
        """
        name = self.names[kind][objid]
        if not name:
            raise ModelError(f"{element} refers to {kind} {objid}, which has no name: MJCF cannot say which it means")
        return name

    def refer_typed(self, element: Element, end: str, code: int, objid: int) -> None:
        """Write type and name of an object; `end` is "obj" or "ref"."""
        word = ObjType(code).name.lower()
        element.attributes[f"{end}type"] = word
        element.attributes[f"{end}name"] = self.name_of("body" if word == "xbody" else word, objid, element)


def stored(row: Attribute, value: np.ndarray) -> AttributeValue:
    """A value of a field as the attribute that it is a copy of has it."""
    given = numbers(np.asarray(value))
    if row.holds is Holds.KEYWORD:
        return word_of(row, given[0])
    if row.holds is Holds.BOOL:
        return bool(given[0])
    return given[0] if row.is_scalar else given


def word_of(row: Attribute, code: int) -> str:
    """The keyword that stands for an integer.

    Raises:
        ModelError: there is none.
    """
    for word, known in row.keywords.items():
        if known == code:
            return word
    raise ModelError(f"{row.name} {code} has no word in MJCF")


def words_of(row: Attribute, bits: int, *, are_shifts: bool) -> tuple[str, ...]:
    """The keywords of a set of bits; they stand for places of bits if `are_shifts`, else for the bits themselves."""
    return tuple(word for word, code in row.keywords.items() if bits & (1 << code if are_shifts else code))
