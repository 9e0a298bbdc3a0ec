"""Attributes of `m` and `d`: one load from the table that a view points to, marked invariant so that LLVM hoists it.

On a device the table has the addresses of all worlds together; a field begins at the element of the world of the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phalanx.native import fields, runtime_checks
from phalanx.native.diagnosis import Fault
from phalanx.native.types import INTEGER, Member, View, checked_field, field, spread_field, view
from phalanx.native.values import Value, integer

if TYPE_CHECKING:
    from phalanx.native.expressions import Expressions


def get_attribute(f: Expressions, base: Value, name: str) -> Value:
    """`d.xpos`, `m.nbody`, `d.time`, `m.opt`."""
    t = base.type
    assert isinstance(t, View)
    path = t.prefix + name
    member = t.schema.member(path)
    if member is None:
        if t.schema.is_record(path):
            return Value(view(t.schema, t.constant, path + "."), base.operands)
        raise Fault(t.schema.explain(path))
    if member.known is not None:
        return integer(member.known)
    if member.element is None:
        if f.program.linked is not None and path in f.program.linked.places:
            return integer(f.program.linked.places[path])
        return Value(INTEGER, (_slot(f, base, member, "i64"),))
    pointer = _address(f, base, member)
    if member.inner is None:
        return fields.load(f, member.element, pointer, member.alias, t.constant)
    return _field(f, base, t, path, member, pointer)


def _field(f: Expressions, base: Value, t: View, path: str, member: Member, pointer: str) -> Value:
    found = t.fields.get(path)
    if found is None:
        assert member.element is not None and member.inner is not None
        found = field(member.element, member.inner, member.alias, t.constant)
        found = t.fields[path] = spread_field(found) if member.is_spread else found
    if member.is_spread:
        return Value(found, (pointer, base.operands[2]))
    if not f.program.checked or member.extent == "":
        return Value(found, (pointer,))
    return Value(checked_field(found), (pointer, _extent(f, base, t, member)))


def _extent(f: Expressions, base: Value, t: View, member: Member) -> str:
    """How many rows a field has."""
    if isinstance(member.extent, int):
        return str(member.extent)
    size = t.schema.member(member.extent)
    assert size is not None
    return _slot(f, base, size, "i64")


def set_attribute(f: Expressions, base: Value, name: str, value: Value) -> None:
    """`d.time = t`: a scalar is written in place."""
    t = base.type
    if not isinstance(t, View):
        raise Fault(f"attributes of {t:a} cannot be set")
    path = t.prefix + name
    member = t.schema.member(path)
    if member is None:
        raise Fault(t.schema.explain(path))
    if t.constant:
        raise Fault("a Model does not change while it is simulated; see Model.replace")
    if member.element is None:
        raise Fault(f"{path} is a size: it does not change while a kernel runs")
    if member.inner is not None:
        indices = ", ".join("ijk"[: 1 + len(member.inner)])
        raise Fault(f"{path} is a field: set its numbers, {path}[{indices}] = ...")
    runtime_checks.stored(f, member.alias, value)
    fields.store(f, member.element, _address(f, base, member), member.alias, value)


def _address(f: Expressions, base: Value, member: Member) -> str:
    """The address of a field or a scalar; of one that is spread, in the world of the view."""
    pointer = _slot(f, base, member, "ptr")
    if not member.is_spread:
        return pointer
    assert member.element is not None
    return f.code.emit(f"getelementptr inbounds {member.element.storage}, ptr {pointer}, i64 {base.operands[1]}")


def _slot(f: Expressions, base: Value, member: Member, leaf: str) -> str:
    """What stands in the table at the slot of a member: an integer or an address."""
    pointer = base.operand
    if member.slot:
        pointer = f.code.emit(f"getelementptr inbounds i64, ptr {pointer}, i64 {member.slot}")
    return f.code.emit(f"load {leaf}, ptr {pointer}, !invariant.load !0")
