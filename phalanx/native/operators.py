"""What + - * / and comparisons compile to. Arithmetic is exact IEEE, in the order of the source."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from phalanx.native import duals
from phalanx.native.code import Code
from phalanx.native.convert import convert, truth
from phalanx.native.diagnosis import Fault
from phalanx.native.types import (
    BOOLEAN,
    BROKEN,
    FLOAT,
    INTEGER,
    Dual,
    Known,
    Lane,
    Mask,
    Nothing,
    Tuple,
    Type,
    mask,
    promote,
)
from phalanx.native.values import FALSE, TRUE, TupleValue, Value, boolean, constant, integer, number

SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_REAL = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_WHOLE = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_BITS = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_PYTHON: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_SIGNED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge"}
_ORDERED = {ast.Eq: "oeq", ast.NotEq: "une", ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge"}
_REFUSED = {
    ast.Pow: "** differs between libraries: write x * x, or power(x, y) from phalanx.kernels",
    ast.MatMult: "@ works on arrays: write the sum as a loop",
}


# --- arithmetic


def binary(code: Code, op: type[ast.operator], a: Value, b: Value) -> Value:
    """`a op b`."""
    if op is ast.Pow and a.type is INTEGER and b.type is INTEGER and a.is_known and b.is_known and b.known >= 0:
        return constant(a.known**b.known)
    if op in _REFUSED:
        raise Fault(_REFUSED[op])
    if op is ast.Add and isinstance(a, TupleValue) and isinstance(b, TupleValue):
        return TupleValue((*a.parts, *b.parts))
    if op is ast.Mult and isinstance(a, TupleValue) and b.type is INTEGER and b.is_known:
        return TupleValue(a.parts * b.known)
    if a.type is BOOLEAN and b.type is BOOLEAN and op in _BITS:
        return Value(BOOLEAN, (code.emit(f"{_BITS[op]} i1 {a.operand}, {b.operand}"),))
    common = _operand_type(op, a.type, b.type)
    if common is INTEGER:
        return _whole(code, op, convert(code, a, INTEGER), convert(code, b, INTEGER))
    if op not in _REAL:
        raise Fault(f"{SYMBOLS[op]} works on integers; {_instead_of(op)}")
    if isinstance(common, Dual):
        return duals.arithmetic(code, op, common, a, b)
    x, y = convert(code, a, common), convert(code, b, common)
    return Value(common, (code.emit(f"{_REAL[op]} {common.leaves[0]} {x.operand}, {y.operand}"),))


def _operand_type(op: type[ast.operator], a: Type, b: Type) -> Type:
    for t in (a, b):
        if isinstance(t, Tuple | Known | Nothing | Mask):
            hint = "; use and_, or_, not_" if isinstance(t, Mask) else ""
            raise Fault(f"{SYMBOLS[op]} is not available for ({a}, {b}){hint}")
    common = promote(a, b)
    return FLOAT if op is ast.Div and common is INTEGER else common


def _instead_of(op: type[ast.operator]) -> str:
    return "for numbers write x - y * floor(x / y)" if op is ast.Mod else "for numbers use floor, minimum, where, ..."


def _whole(code: Code, op: type[ast.operator], a: Value, b: Value) -> Value:
    """Arithmetic of 64-bit integers, which wrap around."""
    is_division = op in (ast.FloorDiv, ast.Mod)
    if a.is_known and b.is_known:
        if is_division and b.known == 0:
            return integer(0)
        if op not in (ast.LShift, ast.RShift) or 0 <= b.known < 64:
            return integer(_PYTHON[op](a.known, b.known))
    if is_division:
        return Value(INTEGER, (_floor_division(code, op, a.operand, b),))
    if op in (ast.LShift, ast.RShift):
        return Value(INTEGER, (_shift(code, op, a.operand, b),))
    return Value(INTEGER, (code.emit(f"{_WHOLE[op]} i64 {a.operand}, {b.operand}"),))


def _shift(code: Code, op: type[ast.operator], a: str, count: Value) -> str:
    """`a << b` and `a >> b`: by 64 bits or more nothing of `a` is left but, to the right, its sign."""
    if count.is_known and count.known < 0:
        raise Fault(f"{SYMBOLS[op]} shifts by 0 or more bits, not by {count.known}")
    shifted = code.emit(f"{_WHOLE[op]} i64 {a}, {count.operand}")
    if count.is_known and count.known < 64:
        return shifted
    rest = "0" if op is ast.LShift else code.emit(f"ashr i64 {a}, 63")
    is_short = code.emit(f"icmp ult i64 {count.operand}, 64")
    return code.emit(f"select i1 {is_short}, i64 {shifted}, i64 {rest}")


def _floor_division(code: Code, op: type[ast.operator], a: str, divisor: Value) -> str:
    """Python's // and %: the quotient is rounded down, the remainder has the divisor's sign. By zero both are 0.

    The processor must not see a division by zero, nor that of the least integer by -1: it would end the program.
    """
    if not divisor.is_known:
        is_zero = code.emit(f"icmp eq i64 {divisor.operand}, 0")
        is_minus_one = code.emit(f"icmp eq i64 {divisor.operand}, -1")
        is_special = code.emit(f"or i1 {is_zero}, {is_minus_one}")
        b = code.emit(f"select i1 {is_special}, i64 1, i64 {divisor.operand}")
        usual = _divided(code, op, a, b)
        opposite = code.emit(f"sub i64 0, {a}") if op is ast.FloorDiv else "0"
        by_minus_one = code.emit(f"select i1 {is_minus_one}, i64 {opposite}, i64 {usual}")
        return code.emit(f"select i1 {is_zero}, i64 0, i64 {by_minus_one}")
    if divisor.known == -1:
        return code.emit(f"sub i64 0, {a}") if op is ast.FloorDiv else "0"
    return "0" if divisor.known == 0 else _divided(code, op, a, divisor.operand)


def _divided(code: Code, op: type[ast.operator], a: str, b: str) -> str:
    """The quotient or the remainder by a divisor that is neither 0 nor -1."""
    remainder = code.emit(f"srem i64 {a}, {b}")
    is_inexact = code.emit(f"icmp ne i64 {remainder}, 0")
    signs = code.emit(f"xor i64 {remainder}, {b}")
    signs_differ = code.emit(f"icmp slt i64 {signs}, 0")
    is_off = code.emit(f"and i1 {is_inexact}, {signs_differ}")
    if op is ast.Mod:
        plain, corrected = remainder, code.emit(f"add i64 {remainder}, {b}")
    else:
        plain = code.emit(f"sdiv i64 {a}, {b}")
        corrected = code.emit(f"sub i64 {plain}, 1")
    return code.emit(f"select i1 {is_off}, i64 {corrected}, i64 {plain}")


def negative(code: Code, value: Value) -> Value:
    """`-value`."""
    if value.type is BOOLEAN:
        value = convert(code, value, INTEGER)
    if value.type is INTEGER:
        return integer(-value.known) if value.is_known else Value(INTEGER, (code.emit(f"sub i64 0, {value.operand}"),))
    if value.type is FLOAT and value.is_known:
        return number(-value.known)
    if isinstance(value.type, Dual):
        return duals.negative(code, value)
    if value.type is FLOAT or isinstance(value.type, Lane):
        return Value(value.type, (code.emit(f"fneg {value.type.leaves[0]} {value.operand}"),))
    raise Fault("" if value.type is BROKEN else f"- is not available for {value.type:a}")


def positive(code: Code, value: Value) -> Value:
    """`+value`."""
    if value.type is BOOLEAN:
        return convert(code, value, INTEGER)
    if value.type in (INTEGER, FLOAT) or isinstance(value.type, Lane | Dual):
        return value
    raise Fault(f"+ is not available for {value.type:a}")


def inverted(code: Code, value: Value) -> Value:
    """`~value`: all bits of an integer."""
    if value.type is not INTEGER:
        raise Fault(
            "" if value.type is BROKEN else f"~ is not available for {value.type:a}; use not, or not_ for lanes"
        )
    return integer(~value.known) if value.is_known else Value(INTEGER, (code.emit(f"xor i64 {value.operand}, -1"),))


def logical_not(code: Code, value: Value) -> Value:
    """`not value`."""
    condition = truth(code, value)
    if condition.is_known:
        return boolean(not condition.known)
    return Value(BOOLEAN, (code.emit(f"xor i1 {condition.operand}, true"),))


# --- comparisons


def compare(code: Code, op: type[ast.cmpop], a: Value, b: Value) -> Value:
    """`a op b`: a condition, or a mask if one of them is a lane. Comparisons with NaN are false, except !=."""
    if op in (ast.In, ast.NotIn):
        return _contains(code, op, a, b)
    if op in (ast.Is, ast.IsNot):
        return _same_object(op, a, b)
    if isinstance(a.type, Known) and isinstance(b.type, Known) and op in (ast.Eq, ast.NotEq):
        return boolean((a.known == b.known) is (op is ast.Eq))
    if a.type is BOOLEAN and b.type is BOOLEAN and op in (ast.Eq, ast.NotEq):
        return Value(BOOLEAN, (code.emit(f"icmp {_SIGNED[op]} i1 {a.operand}, {b.operand}"),))
    for t in (a.type, b.type):
        if isinstance(t, Tuple | Known | Nothing | Mask):
            raise Fault(f"{a.type:a} and {b.type:a} cannot be compared")
    common = promote(a.type, b.type)
    if isinstance(common, Dual):  # decided by the values, as in one world
        a, b, common = duals.primal(code, a), duals.primal(code, b), FLOAT
    x, y = convert(code, a, common), convert(code, b, common)
    if common is INTEGER:
        if x.is_known and y.is_known:
            return boolean(_PYTHON[op](x.known, y.known))
        return Value(BOOLEAN, (code.emit(f"icmp {_SIGNED[op]} i64 {x.operand}, {y.operand}"),))
    result = mask(common.base, common.width) if isinstance(common, Lane) else BOOLEAN
    return Value(result, (code.emit(f"fcmp {_ORDERED[op]} {common.leaves[0]} {x.operand}, {y.operand}"),))


def _contains(code: Code, op: type[ast.cmpop], value: Value, container: Value) -> Value:
    """`value in (a, b, c)`."""
    if not isinstance(container, TupleValue):
        raise Fault(f"in looks into a tuple, not into {container.type:a}")
    found: Value = FALSE
    for part in container.parts:
        is_equal = compare(code, ast.Eq, value, part)
        if is_equal.type is not BOOLEAN:
            raise Fault("in cannot be asked of a number that differs between worlds: use where and or_")
        if is_equal.is_known and is_equal.known:
            found = TRUE
        elif not is_equal.is_known and not found.is_known:
            found = Value(BOOLEAN, (code.emit(f"or i1 {found.operand}, {is_equal.operand}"),))
        elif not is_equal.is_known and not found.known:
            found = is_equal
    return found if op is ast.In else logical_not(code, found)


def _same_object(op: type[ast.cmpop], a: Value, b: Value) -> Value:
    """`a is b`, which is decided when compiling: for None, and for functions."""
    if (
        isinstance(a.type, Known)
        or isinstance(b.type, Known)
        or isinstance(a.type, Nothing)
        or isinstance(b.type, Nothing)
    ):
        return boolean((a.type is b.type) is (op is ast.Is))
    raise Fault("is compares functions or None; compare numbers with ==")
