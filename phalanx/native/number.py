"""The types of numbers by name, and arrays of them at an address: what entries are written with."""

from __future__ import annotations

from phalanx.algebra.number_type import NumberType
from phalanx.native.intrinsics import At
from phalanx.native.types import (
    BYTE_ELEMENT,
    FLOAT,
    FLOAT32_ELEMENT,
    FLOAT64_ELEMENT,
    INT32_ELEMENT,
    INT64_ELEMENT,
    Type,
    dual,
    field,
    lane,
    number_element,
)

_BASES = {"float64": "double", "float32": "float"}
_ELEMENTS = {
    "float64": FLOAT64_ELEMENT,
    "float32": FLOAT32_ELEMENT,
    "int64": INT64_ELEMENT,
    "int32": INT32_ELEMENT,
    "uint8": BYTE_ELEMENT,
}


def number_type(number: NumberType) -> Type:
    """The type of a number of the physics."""
    if number.tangents:
        return dual(number.cells)
    return lane(_BASES[number.base], number.width) if number.width else FLOAT


def array_at(element: str | NumberType, inner: tuple[int, ...] = (), alias: str = "", constant: bool = False) -> At:
    """The intrinsic that makes an array of an address, in an entry.

    Args:
        element: "float64", "float32", "int64", "int32" or "uint8"; or a number of the physics, lanes included.
        inner: the inner shape; () for a flat array.
        alias: arrays of different names never overlap; one without a name may overlap with any.
        constant: nobody writes to it while the entry runs.
    """
    of = _ELEMENTS[element] if isinstance(element, str) else number_element(number_type(element))
    return At(field(of, inner, alias, constant))
