"""Numbers with tangents: what arithmetic of duals compiles to.

The value of a dual is computed exactly as one world computes it, bit for bit, and decides comparisons and branches. Its
tangents, a vector, follow by the rules of the differential calculus. Where a function has no derivative, tangents are
those of one side, or zero where that would be infinite; `docs/concepts/duals.md` lists the conventions.
"""

from __future__ import annotations

import ast

from phalanx.native.code import Code
from phalanx.native.convert import broadcast, convert
from phalanx.native.types import FLOAT, Dual, Type
from phalanx.native.values import Value, double_text

_REAL = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
#: Tangents of a number that does not change.
_NONE = "zeroinitializer"
_ZERO, _HALF, _ONE = double_text(0.0), double_text(0.5), double_text(1.0)


def primal(code: Code, value: Value) -> Value:
    """The value of a number without its tangents."""
    if isinstance(value.type, Dual):
        return Value(FLOAT, (value.operand,))
    return convert(code, value, FLOAT)


def arithmetic(code: Code, op: type[ast.operator], t: Dual, a: Value, b: Value) -> Value:
    """`a op b` for + - * /, where at least one of them is a dual; the other may be a plain number, which is cheaper."""
    x, y = primal(code, a).operand, primal(code, b).operand
    value = code.emit(f"{_REAL[op]} double {x}, {y}")
    dx, dy = _tangents(a), _tangents(b)
    if op is ast.Add:
        tangents = dy if not dx else (dx if not dy else _do(code, t, "fadd", dx, dy))
    elif op is ast.Sub:
        tangents = dx if not dy else (_do(code, t, "fsub", dx, dy) if dx else _negative(code, t, dy))
    elif op is ast.Mult:
        tangents = _sum(code, t, _scaled(code, t, dx, y), _scaled(code, t, dy, x))
    else:
        # (x / y)' = (x' - (x / y) y') / y
        inverse = code.emit(f"fdiv double {_ONE}, {y}")
        if dy:
            lost = _scaled(code, t, dy, value)
            dx = _do(code, t, "fsub", dx, lost) if dx else _negative(code, t, lost)
        tangents = _scaled(code, t, dx, inverse)
    return Value(t, (value, tangents or _NONE))


def negative(code: Code, value: Value) -> Value:
    """`-value`."""
    t = value.type
    assert isinstance(t, Dual)
    return Value(t, (code.emit(f"fneg double {value.operand}"), _negative(code, t, value.operands[1])))


def chosen(code: Code, t: Type, condition: str, a: Value, b: Value) -> Value:
    """`a` if the condition holds, else `b`: every leaf of the type."""
    leaves = zip(t.leaves, a.operands, b.operands, strict=True)
    return Value(t, tuple([code.emit(f"select i1 {condition}, {leaf} {x}, {leaf} {y}") for leaf, x, y in leaves]))


def with_tangents(code: Code, value: Value, source: Value) -> Value:
    """A value with the tangents of another number."""
    plain = primal(code, value)
    if not isinstance(source.type, Dual):
        return plain
    return Value(source.type, (plain.operand, source.operands[1]))


# --- words


def root(code: Code, x: Value, value: str) -> Value:
    """The square root; its tangents are zero where it is zero."""
    t = x.type
    assert isinstance(t, Dual)
    slope = code.emit(f"fdiv double {_HALF}, {value}")
    is_zero = code.emit(f"fcmp oeq double {value}, {_ZERO}")
    slope = code.emit(f"select i1 {is_zero}, double {_ZERO}, double {slope}")
    return Value(t, (value, _scaled(code, t, x.operands[1], slope) or _NONE))


def signed(code: Code, x: Value, value: str) -> Value:
    """`x` or its opposite: the one that has this value. At zero, and for NaN, tangents are those of `x`."""
    t = x.type
    assert isinstance(t, Dual)
    is_opposite = code.emit(f"fcmp one double {value}, {x.operand}")
    opposite = _negative(code, t, x.operands[1])
    tangents = code.emit(f"select i1 {is_opposite}, {t.leaves[1]} {opposite}, {t.leaves[1]} {x.operands[1]}")
    return Value(t, (value, tangents))


def changes(code: Code, x: Value) -> str:
    """Is one of the tangents not zero?"""
    t = x.type
    assert isinstance(t, Dual)
    differs = code.emit(f"fcmp une {t.leaves[1]} {x.operands[1]}, zeroinitializer")
    bits = code.emit(f"bitcast <{t.cells} x i1> {differs} to i{t.cells}")
    # the first cell is no tangent
    bits = code.emit(f"and i{t.cells} {bits}, -2")
    return code.emit(f"icmp ne i{t.cells} {bits}, 0")


# --- memory


def from_memory(code: Code, t: Dual, cells: str) -> Value:
    """The number that memory holds: the value is the first of its cells."""
    return Value(t, (code.emit(f"extractelement {t.leaves[1]} {cells}, i64 0"), cells))


def to_memory(code: Code, value: Value) -> str:
    """The number as memory holds it."""
    leaf = value.type.leaves[1]
    return code.emit(f"insertelement {leaf} {value.operands[1]}, double {value.operand}, i64 0")


# --- vectors of tangents; "" are those of a plain number


def _tangents(value: Value) -> str:
    return value.operands[1] if isinstance(value.type, Dual) and value.operands[1] != _NONE else ""


def _do(code: Code, t: Dual, instruction: str, a: str, b: str) -> str:
    # a product and a sum may become one instruction: bits of tangents are promised to nobody
    return code.emit(f"{instruction} contract {t.leaves[1]} {a}, {b}")


def _negative(code: Code, t: Dual, tangents: str) -> str:
    return code.emit(f"fneg {t.leaves[1]} {tangents}") if tangents else ""


def _scaled(code: Code, t: Dual, tangents: str, factor: str) -> str:
    if tangents in ("", _NONE):
        return ""
    return _do(code, t, "fmul", tangents, broadcast(code, factor, "double", t.cells))


def _sum(code: Code, t: Dual, a: str, b: str) -> str:
    if not a or not b:
        return a or b
    return _do(code, t, "fadd", a, b)
