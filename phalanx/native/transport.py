"""How arguments and results travel between modules.

Views, integers and numbers travel as they are, a dual as memory holds it. A condition travels as an integer with a bit
for each world: calling conventions have no masks, or each target another one.
"""

from __future__ import annotations

from phalanx.native import duals
from phalanx.native.code import Code
from phalanx.native.convert import convert
from phalanx.native.types import BOOLEAN, INTEGER, NOTHING, Dual, Mask, Type
from phalanx.native.values import Value


def leaf_of(t: Type) -> str:
    """The LLVM type as which a value of a type travels; "void" for None."""
    if t is NOTHING:
        return "void"
    if isinstance(t, Dual):
        return t.leaves[1]
    return "i64" if t is BOOLEAN or isinstance(t, Mask) else t.leaves[0]


def packed(code: Code, value: Value, t: Type) -> str:
    """The operand that travels for a value of a type."""
    if isinstance(t, Dual):
        return duals.to_memory(code, convert(code, value, t))
    operand = convert(code, value, t).operand
    if t is BOOLEAN:
        return code.emit(f"zext i1 {operand} to i64")
    if isinstance(t, Mask):
        bits = code.emit(f"bitcast {t.leaves[0]} {operand} to i{t.width}")
        return code.emit(f"zext i{t.width} {bits} to i64")
    return operand


def unpacked(code: Code, operand: str, t: Type) -> Value:
    """The value of a type that an operand has brought."""
    if t is BOOLEAN:
        return Value(t, (code.emit(f"trunc i64 {operand} to i1"),))
    if isinstance(t, Mask):
        bits = code.emit(f"trunc i64 {operand} to i{t.width}")
        return Value(t, (code.emit(f"bitcast i{t.width} {bits} to {t.leaves[0]}"),))
    if isinstance(t, Dual):
        return duals.from_memory(code, t, operand)
    return Value(t, (operand,)) if t.leaves else Value(NOTHING, ())


def call_address(code: Code, address: Value, arguments: list[Value], types: list[Type], result: Type) -> Value:
    """Call compiled code by its address. LLVM knows nothing of it, so it may change any memory."""
    pointer = code.emit(f"inttoptr i64 {convert(code, address, INTEGER).operand} to ptr")
    operands = ", ".join(f"{leaf_of(t)} {packed(code, value, t)}" for value, t in zip(arguments, types, strict=True))
    text = f"call {leaf_of(result)} {pointer}({operands})"
    if result is NOTHING:
        code.do(text)
        return Value(NOTHING, ())
    return unpacked(code, code.emit(text), result)
