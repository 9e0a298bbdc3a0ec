"""One type from another: integers become numbers, plain numbers fill lanes. Nothing is ever rounded to an integer."""

from __future__ import annotations

from phalanx.native.code import Code
from phalanx.native.diagnosis import Fault
from phalanx.native.types import BOOLEAN, BROKEN, FLOAT, INTEGER, Lane, Mask, Tuple, Type
from phalanx.native.values import TupleValue, Value, integer, number, number_text, splat_text


def convert(code: Code, value: Value, wanted: Type) -> Value:
    """The value as one of the type `wanted`."""
    source = value.type
    if source is wanted:
        return value
    if wanted is FLOAT and (source is INTEGER or source is BOOLEAN):
        if value.is_known:
            return number(float(value.known))
        return Value(FLOAT, (scalar(code, value, "double"),))
    if wanted is INTEGER and source is BOOLEAN:
        return (
            integer(int(value.known))
            if value.is_known
            else Value(INTEGER, (code.emit(f"zext i1 {value.operand} to i64"),))
        )
    if isinstance(wanted, Lane):
        return Value(wanted, (broadcast(code, _one_number(code, value, wanted), wanted.base, wanted.width),))
    if isinstance(wanted, Mask) and (source is BOOLEAN or isinstance(source, Mask)):
        bit = extract(code, value, 0) if isinstance(source, Mask) else value.operand
        return Value(wanted, (broadcast(code, bit, "i1", wanted.width),))
    if isinstance(wanted, Tuple) and isinstance(value, TupleValue) and len(value.parts) == len(wanted.parts):
        return TupleValue([convert(code, part, t) for part, t in zip(value.parts, wanted.parts, strict=True)])
    raise Fault("" if source is BROKEN else f"a {source} stands where a {wanted} is needed")


def _one_number(code: Code, value: Value, wanted: Lane) -> str:
    """The number that all worlds of a lane shall have."""
    if isinstance(value.type, Lane):
        if value.type.base != wanted.base or value.type.width != 1:
            raise Fault(f"a lane of {value.type.leaves[0]} stands where one of {wanted.leaves[0]} is needed")
        return extract(code, value, 0)
    return scalar(code, value, wanted.base)


def scalar(code: Code, value: Value, base: str) -> str:
    """A plain number, integer or condition as one of LLVM type "double" or "float"."""
    t = value.type
    if value.is_known and t in (FLOAT, INTEGER, BOOLEAN):
        return number_text(base, float(value.known))
    if t is FLOAT:
        return value.operand if base == "double" else code.emit(f"fptrunc double {value.operand} to float")
    if t is INTEGER:
        return code.emit(f"sitofp i64 {value.operand} to {base}")
    if t is BOOLEAN:
        return code.emit(f"uitofp i1 {value.operand} to {base}")
    raise Fault("" if t is BROKEN else f"a {t} stands where a number is needed")


def broadcast(code: Code, operand: str, base: str, width: int) -> str:
    """The same operand in every element of a vector."""
    if not operand.startswith("%"):
        return splat_text(base, operand)
    vector = f"<{width} x {base}>"
    first = code.emit(f"insertelement {vector} poison, {base} {operand}, i64 0")
    return code.emit(f"shufflevector {vector} {first}, {vector} poison, <{width} x i32> zeroinitializer")


def extract(code: Code, value: Value, index: int | str) -> str:
    """One element of a lane or a mask."""
    return code.emit(f"extractelement {value.type.leaves[0]} {value.operand}, i64 {index}")


def truth(code: Code, value: Value) -> Value:
    """A value as a condition to branch on: a number counts unless it is zero."""
    t = value.type
    if t is BOOLEAN:
        return value
    if value.is_known and t in (INTEGER, FLOAT):
        return Value(BOOLEAN, ("true" if value.known else "false",), bool(value.known))
    if t is INTEGER:
        return Value(BOOLEAN, (code.emit(f"icmp ne i64 {value.operand}, 0"),))
    if t is FLOAT:
        return Value(BOOLEAN, (code.emit(f"fcmp une double {value.operand}, {number_text('double', 0.0)}"),))
    if isinstance(t, Mask | Lane):
        raise Fault(
            "this decides by a number that differs between the worlds of a batch: use where(condition, a, b), and "
            "and_, or_, not_ instead of and, or, not (a < x < b is two conditions); or run the batch with lanes=1"
        )
    raise Fault("" if t is BROKEN else f"a {t} is neither true nor false")


def index(code: Code, value: Value) -> str:
    """An integer to find an element with."""
    if value.type is INTEGER or value.type is BOOLEAN:
        return convert(code, value, INTEGER).operand
    if value.type is BROKEN:
        raise Fault("")
    raise Fault("an index must be an integer, the same in all worlds: it cannot be computed from numbers of d")
