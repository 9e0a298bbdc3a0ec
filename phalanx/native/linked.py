"""Modules that call nothing by address: those of devices, where code has no address that others could know.

All parts that a model needs are in one module and are called directly. A call of one that is not there notes so, as the
stub of a part does that is not loaded (`pipeline/parts.py`). Functions of the user are called directly, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phalanx.algebra.jit import Part
from phalanx.native import views
from phalanx.native.convert import convert
from phalanx.native.diagnosis import Fault
from phalanx.native.types import BOOLEAN, NOTHING, Mask, Type
from phalanx.native.values import FALSE, VOID, Value, integer

if TYPE_CHECKING:
    from phalanx.native.expressions import Expressions


def call_linked(f: Expressions, part: Part, arguments: list[Value], types: list[Type], result: Type) -> Value:
    """Call a part or a function of the user directly, with arguments and a result of the types of its signature."""
    linked = f.program.linked
    assert linked is not None
    if part not in linked.parts and part not in linked.functions:
        return _note_absence(f, part, arguments, result)
    given = [convert(f.code, value, t) for value, t in zip(arguments, types, strict=True)]
    found = f.call_instance(part, given)
    return VOID if result is NOTHING else convert(f.code, found, result)


def call_function(f: Expressions, place: Value, arguments: list[Value]) -> Value:
    """Call a function of the user by its place, which is known when compiling; nothing happens if there is none."""
    linked = f.program.linked
    assert linked is not None
    if not place.is_known:
        raise Fault("a function of the user is called through an attribute of d")
    if place.known == 0:
        return VOID
    part = linked.functions[place.known - 1]
    types, result = f.program.signature(part)
    return call_linked(f, part, arguments, types, result)


def _note_absence(f: Expressions, part: Part, arguments: list[Value], result: Type) -> Value:
    """`d.absent_part = ...`, and zero as the result."""
    linked = f.program.linked
    assert linked is not None
    views.set_attribute(f, arguments[part.takes.index("d")], "absent_part", integer(linked.absent[part.slot]))
    if result is NOTHING:
        return VOID
    return convert(f.code, FALSE if result is BOOLEAN or isinstance(result, Mask) else integer(0), result)
