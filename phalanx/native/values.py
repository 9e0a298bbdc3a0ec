"""A value while compiling: its type, the operands that hold it, and what is known of it already."""

from __future__ import annotations

import enum
import math
import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from phalanx.native.diagnosis import Fault
from phalanx.native.types import (
    BOOLEAN,
    BROKEN,
    FLOAT,
    INTEGER,
    NOTHING,
    Known,
    Tuple,
    Type,
    known,
    tuple_of,
)

#: Stands for what is not known before the program runs.
UNKNOWN = object()


class Value:
    """A value of a type with at most one operand: an LLVM register or a constant.

    Attributes:
        type: its type.
        operands: as many as the type has leaves.
        known: the Python value, if it is known when compiling; else UNKNOWN.
    """

    __slots__ = ("known", "operands", "type")

    def __init__(self, type: Type, operands: tuple[str, ...], known: Any = UNKNOWN):
        self.type, self.operands, self.known = type, operands, known

    @property
    def operand(self) -> str:
        """The only operand."""
        return self.operands[0]

    @property
    def is_known(self) -> bool:
        """Is it known when compiling?"""
        return self.known is not UNKNOWN


class TupleValue(Value):
    """A tuple: its parts are values of their own."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Value]):
        self.parts = tuple(parts)
        operands = tuple(operand for part in self.parts for operand in part.operands)
        super().__init__(tuple_of(tuple([part.type for part in self.parts])), operands)


class MethodValue(Value):
    """A kernel that is called with a view as its first argument: `rng.uniform` in `rng.uniform(0.0, 1.0)`."""

    __slots__ = ("owner",)

    def __init__(self, kernel: Any, owner: Value):
        super().__init__(known(kernel), (), kernel)
        self.owner = owner


VOID = Value(NOTHING, ())
BROKEN_VALUE = Value(BROKEN, ())
TRUE, FALSE = Value(BOOLEAN, ("true",), True), Value(BOOLEAN, ("false",), False)


def value_of(t: Type, operands: Iterator[str]) -> Value:
    """The value of a type, taking its operands one after another."""
    if isinstance(t, Tuple):
        return TupleValue([value_of(part, operands) for part in t.parts])
    if isinstance(t, Known):
        return Value(t, (), t.object)
    return Value(t, tuple([next(operands) for _ in t.leaves]))


def integer(x: int) -> Value:
    """A known integer; it wraps around at 64 bits, as in machine code."""
    wrapped = (x + 2**63) % 2**64 - 2**63
    return Value(INTEGER, (str(wrapped),), wrapped)


def boolean(x: bool) -> Value:
    """A known condition."""
    return TRUE if x else FALSE


def number(x: float) -> Value:
    """A known number."""
    return Value(FLOAT, (double_text(x),), x)


def constant(x: Any) -> Value:
    """A Python object that a kernel captures, as a value."""
    if isinstance(x, bool | np.bool_):
        return boolean(bool(x))
    if isinstance(x, int | np.integer):
        if not -(2**63) <= x <= 2**63:  # the least integer is written -(2**63)
            raise Fault(f"{int(x)} does not fit into an integer of 64 bits: write it as a number, {float(x)!r}")
        return integer(int(x))
    if isinstance(x, float | np.floating):
        return number(float(x))
    if isinstance(x, enum.Enum) and isinstance(x.value, int | float | tuple):
        return constant(x.value)
    if isinstance(x, tuple):
        return TupleValue([constant(part) for part in x])
    if x is None:
        return VOID
    return Value(known(x), (), x)


# --- numbers as LLVM writes them


def double_text(x: float) -> str:
    """The bits of a double, in hexadecimal: exact, and the only form that inf and nan have."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


def float_text(x: float) -> str:
    """A number rounded to float32, written as the double that it equals."""
    return double_text(round_to_float32(x))


def round_to_float32(x: float) -> float:
    """The nearest float32; infinity beyond its range, as the hardware rounds."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def number_text(base: str, x: float) -> str:
    """A constant of LLVM type `base`: "double" or "float"."""
    return double_text(x) if base == "double" else float_text(x)


def splat_text(t: str, operand: str) -> str:
    """A constant vector with the same constant everywhere."""
    return f"splat ({t} {operand})"
