"""One type from another: integers become numbers, plain numbers fill lanes. Nothing is ever rounded to an integer."""

from __future__ import annotations

from phalanx.native.code import Code
from phalanx.native.diagnosis import Fault
from phalanx.native.types import (
    BOOLEAN,
    BROKEN,
    FLOAT,
    INTEGER,
    Dual,
    Field,
    Lane,
    Mask,
    Tuple,
    Type,
    View,
    is_plain,
    unify,
)
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
    if isinstance(wanted, Dual) and is_plain(source):
        return Value(wanted, (scalar(code, value, "double"), "zeroinitializer"))
    if isinstance(wanted, Lane):
        return Value(wanted, (broadcast(code, _one_number(code, value, wanted), wanted.base, wanted.width),))
    if isinstance(wanted, Mask) and (source is BOOLEAN or isinstance(source, Mask)):
        return Value(wanted, (_mask(code, value, wanted.width),))
    if isinstance(wanted, Tuple) and isinstance(value, TupleValue) and len(value.parts) == len(wanted.parts):
        return TupleValue([convert(code, part, t) for part, t in zip(value.parts, wanted.parts, strict=True)])
    # a view that others may only read, or that has more attributes behind those of the wanted one
    if isinstance(wanted, View) and isinstance(source, View) and wanted.schema in (source.schema, source.schema.base):
        return Value(wanted, value.operands)
    # a field that is one of two: the address stays, what is known of overlaps is lost
    if isinstance(wanted, Field) and isinstance(source, Field) and unify(source, wanted) is wanted:
        return Value(wanted, value.operands)
    if isinstance(source, Dual) and is_plain(wanted):
        raise Fault("a number with tangents stands where one without is needed: write primal(x) if it may lose them")
    if isinstance(source, Lane | Mask) and is_plain(wanted):
        raise Fault(f"{source:a} that differs between worlds stands where one for all worlds is needed")
    raise Fault("" if source is BROKEN else f"{source:a} stands where {wanted:a} is needed")


def _mask(code: Code, value: Value, width: int) -> str:
    """A condition for each of `width` worlds."""
    t = value.type
    if not isinstance(t, Mask):
        return broadcast(code, value.operand, "i1", width)
    if t.width == width:
        return value.operand
    if t.width != 1:
        raise Fault(f"conditions of {t.width} and of {width} worlds do not mix")
    return broadcast(code, extract(code, value, 0), "i1", width)


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
    raise Fault("" if t is BROKEN else f"{t:a} stands where a number is needed")


def broadcast(code: Code, operand: str, base: str, width: int) -> str:
    """The same operand in every element of a vector."""
    if width == 1:
        return operand
    if not operand.startswith("%"):
        return splat_text(base, operand)
    vector = f"<{width} x {base}>"
    first = code.emit(f"insertelement {vector} poison, {base} {operand}, i64 0")
    return code.emit(f"shufflevector {vector} {first}, {vector} poison, <{width} x i32> zeroinitializer")


def extract(code: Code, value: Value, index: int | str) -> str:
    """One element of a lane or a mask."""
    assert isinstance(value.type, Lane | Mask)
    if value.type.width == 1:
        return value.operand
    return code.emit(f"extractelement {value.type.leaves[0]} {value.operand}, i64 {index}")


def whole(code: Code, value: Value) -> str:
    """A number cut off at the point: the nearest integer that 64 bits hold if it is beyond them, zero if it is NaN."""
    return code.emit(f"call i64 @llvm.fptosi.sat.i64.f64(double {value.operand})")


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
    if isinstance(t, Dual):
        return truth(code, Value(FLOAT, (value.operand,)))
    if isinstance(t, Mask) and t.width == 1:
        return Value(BOOLEAN, (extract(code, value, 0),))
    if isinstance(t, Lane) and t.width == 1:
        number = extract(code, value, 0)
        return Value(BOOLEAN, (code.emit(f"fcmp une {t.base} {number}, {number_text(t.base, 0.0)}"),))
    if isinstance(t, Mask | Lane):
        raise Fault(
            "this decides by a number that differs between the worlds of a batch: use where(condition, a, b), and "
            "and_, or_, not_ instead of and, or, not (a < x < b is two conditions); or run the batch with lanes=1"
        )
    raise Fault("" if t is BROKEN else f"{t:a} is neither true nor false")


def index(code: Code, value: Value) -> str:
    """An integer to find an element with."""
    if value.type is INTEGER or value.type is BOOLEAN:
        return convert(code, value, INTEGER).operand
    if value.type is BROKEN:
        raise Fault("")
    raise Fault("an index must be an integer, the same in all worlds: it cannot be computed from numbers of d")
