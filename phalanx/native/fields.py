"""Loads and stores: bare instructions on typed addresses, without bounds, wraparound or reference counts.

Each field has its own alias class, so LLVM knows that a store to one field leaves the others alone; fields of a Model
are constant while a kernel runs, so their loads can be hoisted out of loops. Elements of a field that is spread over
the worlds of a device lie as many elements apart as there are worlds. With checks (`runtime_checks.py`) an index out of
bounds and a NaN that is stored are reported with the line of the kernel.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from phalanx.native import duals, runtime_checks
from phalanx.native.code import Code
from phalanx.native.convert import convert, extract, index, scalar, whole
from phalanx.native.diagnosis import Fault
from phalanx.native.types import (
    ALIGNMENT,
    BOOLEAN,
    BROKEN,
    FLOAT,
    INTEGER,
    CheckedField,
    Dual,
    Element,
    Field,
    Known,
    Lane,
    SpreadField,
)
from phalanx.native.values import TupleValue, Value, integer, number

if TYPE_CHECKING:
    from phalanx.native.expressions import Expressions

_BITS = {"i32": 32, "i8": 8}


# --- one element at an address


def load(f: Expressions, element: Element, pointer: str, alias: str, constant: bool) -> Value:
    """The element at an address."""
    marks = f.program.alias_mark(alias) + (", !invariant.load !0" if constant else "")
    register = f.code.emit(f"load {element.cell}, ptr {pointer}{_alignment(element)}{marks}")
    if isinstance(element.loaded, Dual):
        return duals.from_memory(f.code, element.loaded, register)
    if element.widen:
        wide = "double" if element.loaded is FLOAT else "i64"
        register = f.code.emit(f"{element.widen} {element.storage} {register} to {wide}")
    return Value(element.loaded, (register,))


def store(f: Expressions, element: Element, pointer: str, alias: str, value: Value) -> None:
    """Write an element."""
    operand = _stored_form(f, element, value)
    f.code.do(f"store {element.cell} {operand}, ptr {pointer}{_alignment(element)}{f.program.alias_mark(alias)}")


def _alignment(element: Element) -> str:
    return f", align {min(ALIGNMENT, element.nbytes)}" if isinstance(element.loaded, Lane | Dual) else ""


def _stored_form(f: Expressions, element: Element, value: Value) -> str:
    """A value as an array keeps it."""
    code = f.code
    if isinstance(element.loaded, Lane):
        return convert(code, value, element.loaded).operand
    if isinstance(element.loaded, Dual):
        return duals.to_memory(code, convert(code, value, element.loaded))
    if isinstance(value.type, Lane):  # the number of one world
        if value.type.width != 1:
            raise Fault("a number that differs between worlds cannot be stored where there is one for all")
        if value.type.base == element.storage:
            return extract(code, value, 0)
        wide = extract(code, value, 0)
        wide = code.emit(f"fpext float {wide} to double") if value.type.base == "float" else wide
        value = Value(FLOAT, (wide,))
    if element.loaded is FLOAT:
        return scalar(code, value, element.cell)
    return _stored_integer(f, element, value)


def _stored_integer(f: Expressions, element: Element, value: Value) -> str:
    """An integer of the width that an array has; a number is cut off at the point."""
    if isinstance(value.type, Dual):
        value = duals.primal(f.code, value)
    if value.type is FLOAT:
        operand = whole(f.code, value)
    elif value.type is BROKEN:
        raise Fault("")
    elif value.type is INTEGER or value.type is BOOLEAN:
        converted = convert(f.code, value, INTEGER)
        if converted.is_known and element.storage in _BITS:
            half = 1 << (_BITS[element.storage] - 1)
            return str((converted.known + half) % (2 * half) - half)
        operand = converted.operand
    else:
        raise Fault(f"{value.type:a} cannot be stored in an array of integers")
    return operand if element.storage == "i64" else f.code.emit(f"trunc i64 {operand} to {element.storage}")


# --- elements of a field


def get_item(f: Expressions, base: Value, position: Value) -> Value:
    """`field[i]`, `field[i, k]`."""
    t = _field_type(base)
    if _is_unkept(f, t):
        return convert(f.code, integer(0), t.element.loaded)
    return load(f, t.element, _element_pointer(f, base, t, position), t.alias, t.constant)


def set_item(f: Expressions, base: Value, position: Value, value: Value) -> None:
    """`field[i] = value`."""
    t = _writable(base)
    if _is_unkept(f, t):
        return
    pointer = _element_pointer(f, base, t, position)
    runtime_checks.stored(f, _checked_name(t), value)
    store(f, t.element, pointer, t.alias, value)


def has_worlds(base: Value) -> bool:
    """Is it a field whose elements hold the numbers of several worlds?"""
    element = base.type.element if isinstance(base.type, Field) else None
    return element is not None and isinstance(element.loaded, Lane) and element.loaded.width > 1


def set_world(f: Expressions, base: Value, position: Value, world: Value, value: Value) -> None:
    """`field[i] = lane_set(field[i], world, value)`: write the number of one world, and leave those beside it alone."""
    t = _writable(base)
    assert isinstance(t.element.loaded, Lane)
    kind = t.element.loaded.base
    operand = extract(f.code, value, 0) if isinstance(value.type, Lane) else scalar(f.code, value, kind)
    pointer = _element_pointer(f, base, t, position)
    runtime_checks.stored(f, _checked_name(t), value)
    place = f.code.emit(f"getelementptr inbounds {kind}, ptr {pointer}, i64 {index(f.code, world)}")
    f.code.do(f"store {kind} {operand}, ptr {place}{f.program.alias_mark(t.alias)}")


def load_row(f: Expressions, base: Value, row: Value, count: int) -> Value:
    """`load3(field, i)`: numbers of a row, or from an address of a flat field."""
    t = _field_type(base)
    pointers = _row_pointers(f, base, t, row, count)
    return TupleValue([load(f, t.element, pointer, t.alias, t.constant) for pointer in pointers])


def store_row(f: Expressions, base: Value, row: Value, values: Value, count: int) -> None:
    """`store3(field, i, v)`."""
    t = _writable(base)
    if not isinstance(values, TupleValue) or len(values.parts) != count:
        given = values.type
        raise Fault("" if given is BROKEN else f"store{count} takes a tuple of {count} numbers, not {given:a}")
    for pointer, part in zip(_row_pointers(f, base, t, row, count), values.parts, strict=True):
        runtime_checks.stored(f, _checked_name(t), part)
        store(f, t.element, pointer, t.alias, part)


def element_pointer(f: Expressions, base: Value, position: Value) -> str:
    """The address of `field[i]`."""
    return _element_pointer(f, base, _field_type(base), position)


def _is_unkept(f: Expressions, t: Field) -> bool:
    """Has the field no memory in this module?"""
    return f.program.linked is not None and t.alias in f.program.linked.unkept


def _field_type(base: Value) -> Field:
    if not isinstance(base.type, Field):
        raise Fault("" if base.type is BROKEN else f"{base.type:a} has no elements")
    return base.type


def _writable(base: Value) -> Field:
    t = _field_type(base)
    if t.constant:
        raise Fault("a Model does not change while it is simulated; see Model.replace")
    return t


def _element_pointer(f: Expressions, base: Value, t: Field, position: Value) -> str:
    parts = position.parts if isinstance(position, TupleValue) else (position,)
    if len(parts) != 1 + len(t.inner):
        raise Fault(f"{t.alias or 'the field'} has {1 + len(t.inner)} axes, not {len(parts)}")
    indices = [_in_bounds(f, base, t, axis, index(f.code, part)) for axis, part in enumerate(parts)]
    offset = indices[0]
    for part, extent in zip(indices[1:], t.inner, strict=True):
        offset = _sum(f, _product(f, offset, extent), part)
    offset = _apart(f, base, t, offset)
    return f.code.emit(f"getelementptr inbounds {t.element.storage}, ptr {base.operands[0]}, i64 {offset}")


def _apart(f: Expressions, base: Value, t: Field, offset: str) -> str:
    """How many elements of memory lie before an element of a field."""
    if not isinstance(t, SpreadField) or offset == "0":
        return offset
    stride = base.operands[1]
    return stride if offset == "1" else f.code.emit(f"mul i64 {offset}, {stride}")


def _in_bounds(f: Expressions, base: Value, t: Field, axis: int, operand: str) -> str:
    """The index; with checks, zero if it is out of bounds."""
    if not isinstance(t, CheckedField):
        return operand
    bound = base.operands[1] if axis == 0 else str(t.inner[axis - 1])
    return runtime_checks.in_bounds(f, t, axis, operand, bound)


def _checked_name(t: Field) -> str:
    """The name of a field that is checked; "" of any other."""
    return t.alias if isinstance(t, CheckedField) else ""


def _row_pointers(f: Expressions, base: Value, t: Field, row: Value, count: int) -> list[str]:
    first = index(f.code, row)
    if t.inner and count > math.prod(t.inner):
        raise Fault(f"{count} numbers are more than a row of {t.alias or 'the field'} has: {math.prod(t.inner)}")
    if isinstance(t, CheckedField):
        first = runtime_checks.in_bounds(f, t, 0, first, base.operands[1])
        if not t.inner:
            first = runtime_checks.in_bounds(f, t, 0, _sum(f, first, str(count - 1)), base.operands[1], first)
    for extent in t.inner:
        first = _product(f, first, extent)
    storage, pointer = t.element.storage, base.operands[0]
    if first != "0":
        pointer = f.code.emit(f"getelementptr inbounds {storage}, ptr {pointer}, i64 {_apart(f, base, t, first)}")
    step = f"getelementptr inbounds {storage}, ptr {pointer}, i64"
    return [pointer, *(f.code.emit(f"{step} {_apart(f, base, t, str(k))}") for k in range(1, count))]


def _product(f: Expressions, operand: str, factor: int) -> str:
    if not operand.startswith("%"):
        return str(int(operand) * factor)
    return operand if factor == 1 else f.code.emit(f"mul i64 {operand}, {factor}")


def _sum(f: Expressions, a: str, b: str) -> str:
    if not a.startswith("%") and not b.startswith("%"):
        return str(int(a) + int(b))
    return a if b == "0" else f.code.emit(f"add i64 {a}, {b}")


# --- arrays of constants, which a hook captures


def get_constant(f: Expressions, base: Value, position: Value) -> Value:
    """An element of a NumPy array that is known when compiling, at an index that may not be."""
    assert isinstance(base.type, Known)
    array = base.known
    parts = position.parts if isinstance(position, TupleValue) else (position,)
    if len(parts) != array.ndim:
        raise Fault(f"the array has {array.ndim} axes, not {len(parts)}: index it down to one number")
    if array.size == 0:
        return number(0.0) if array.dtype.kind == "f" else integer(0)
    offset = "0"
    for part, extent in zip(parts, array.shape, strict=True):
        operand = _wrapped(f, index(f.code, part), extent)
        offset = _sum(f, _product(f, offset, extent), operand)
    symbol, leaf = f.program.array(array)
    pointer = f.code.emit(f"getelementptr inbounds {leaf}, ptr {symbol}, i64 {offset}")
    return Value(FLOAT if leaf == "double" else INTEGER, (f.code.emit(f"load {leaf}, ptr {pointer}"),))


def _wrapped(f: Expressions, operand: str, extent: int) -> str:
    """An index of a captured array: negative ones count from the end, and none leaves the array."""
    code = f.code
    if not operand.startswith("%"):
        position = int(operand)
        if not -extent <= position < extent:
            raise Fault(f"index {position} is out of bounds: the array has {extent} elements along this axis")
        return str(position % extent)
    low = code.emit(f"call i64 @llvm.smax.i64(i64 {from_end(code, operand, extent)}, i64 0)")
    f.program.declare("llvm.smax.i64", "i64", "i64", "i64")
    f.program.declare("llvm.smin.i64", "i64", "i64", "i64")
    return code.emit(f"call i64 @llvm.smin.i64(i64 {low}, i64 {extent - 1})")


def from_end(code: Code, operand: str, extent: int) -> str:
    """An index as Python counts: negative ones from the end."""
    is_negative = code.emit(f"icmp slt i64 {operand}, 0")
    counted_back = code.emit(f"add i64 {operand}, {extent}")
    return code.emit(f"select i1 {is_negative}, i64 {counted_back}, i64 {operand}")
