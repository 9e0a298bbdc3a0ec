"""Variables of one function: the value of each, and how they are unified where paths of control flow join.

A variable that is assigned once, before everything that reads it, is just its value. Any other is kept in memory, which
LLVM replaces by registers. Its type may change: `x = 0` and later `x = x + y`. Where two paths join, the
types are unified and both are converted; a variable whose types have nothing in common must not be read from there on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from phalanx.native.code import Code
from phalanx.native.convert import convert
from phalanx.native.diagnosis import Fault
from phalanx.native.types import BROKEN, Conflict, Type, unify
from phalanx.native.values import Value, value_of


class Slot:
    """Memory of a variable while it has one type."""

    __slots__ = ("places", "type")

    def __init__(self, type: Type, places: tuple[str, ...]):
        self.type, self.places = type, places


Variables = dict[str, Value | Slot]


@dataclass
class Edge:
    """An edge of the control flow: the variables at its start, and the place where conversions can be written."""

    place: list[Any]
    variables: Variables


class Scope:
    """The variables of a function.

    Args:
        code: where loads and stores are written.
        direct: names of variables that are assigned once, before everything that reads them.
    """

    def __init__(self, code: Code, direct: frozenset[str]):
        self.code, self.direct = code, direct
        self.variables: Variables = {}
        self._slots: dict[tuple[str, Type], Slot] = {}
        self._once: dict[str, Type] = {}
        self._changing: dict[str, None] = {}

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        self.variables[name] = value if name in self.direct else self._stored(name, value)

    def read(self, name: str) -> Value | None:
        """The value of a variable, or None if it has none yet."""
        variable = self.variables.get(name)
        return self._loaded(name, variable) if isinstance(variable, Slot) else variable

    def _loaded(self, name: str, slot: Slot) -> Value:
        if isinstance(slot.type, Conflict):
            first, second = slot.type.first, slot.type.second
            raise Fault(f"{name} is not the same kind of value everywhere: {first} and {second}")
        leaves = zip(slot.type.leaves, slot.places, strict=True)
        return value_of(slot.type, iter([self.code.emit(f"load {leaf}, ptr {place}") for leaf, place in leaves]))

    def _stored(self, name: str, value: Value) -> Slot:
        slot = self._slot(name, value.type)
        for leaf, place, operand in zip(value.type.leaves, slot.places, value.operands, strict=True):
            self.code.do(f"store {leaf} {operand}, ptr {place}")
        return slot

    def _slot(self, name: str, t: Type) -> Slot:
        """The memory of a variable while it has this type."""
        if isinstance(t, Conflict) or t is BROKEN:
            return Slot(t, ())
        slot = self._slots.get((name, t))
        if slot is None:
            slot = self._slots[name, t] = Slot(t, tuple([self.code.slot(leaf) for leaf in t.leaves]))
            if self._once.setdefault(name, t) is not t:
                self._changing[name] = None
        return slot

    # --- paths that join

    def leave(self) -> Edge:
        """The edge that leaves the block being written; a jump must follow."""
        return Edge(self.code.reserve(), self.variables)

    def join(self, edges: Sequence[Edge]) -> None:
        """Go on where edges join; conversions are written at the end of each."""
        if len(edges) == 1:
            self.variables = dict(edges[0].variables)
            return
        names = dict.fromkeys(name for edge in edges for name in edge.variables)
        self.variables = {}
        for name in names:
            self._meet(name, edges)

    def _meet(self, name: str, edges: Sequence[Edge]) -> None:
        """The variable after a join. A path that does not assign it leaves what its memory held, at first zero."""
        found = [edge.variables.get(name) for edge in edges]
        first = found[0]
        if first is not None and all(variable is first for variable in found):
            self.variables[name] = first
            return
        if name in self.direct:
            return  # it is not read from here on
        slots = [variable for variable in found if isinstance(variable, Slot)]
        common = common_type([slot.type for slot in slots])
        self.variables[name] = self._slot(name, common)
        for edge, slot in zip(edges, found, strict=True):
            if isinstance(slot, Slot):
                self._settle(name, slot, common, edge)

    def _settle(self, name: str, slot: Slot, wanted: Type, edge: Edge) -> None:
        """Convert a variable of another type at the end of an edge."""
        if slot.type is not wanted and not isinstance(wanted, Conflict) and BROKEN not in (wanted, slot.type):
            with self.code.at(edge.place):
                self._stored(name, convert(self.code, self._loaded(name, slot), wanted))

    # --- loops

    def widened(self, head: Mapping[str, Value | Slot], back: Sequence[Edge]) -> dict[str, Type]:
        """Variables that the body of a loop makes wider than they were at its head, with their common types.

        A variable that only the body assigns may be read in a later round. Its memory is at hand then; but if it has
        several types, the head must know in which of them it arrives. A mistake in the body leaves the head alone: it
        is found again when the loop is compiled again.
        """
        wider: dict[str, Type] = {}
        for name, slot in head.items():
            if isinstance(slot, Slot):
                common = common_type([slot.type, *_sound_types(name, back)])
                if common is not slot.type:
                    wider[name] = common
        for name in self._changing:
            types = _sound_types(name, back)
            if types and name not in head:
                wider[name] = common_type(types)
        return wider

    def widen(self, types: Mapping[str, Type]) -> None:
        """Convert variables before a loop to the wider types that its body needs."""
        for name, wanted in types.items():
            slot = self.variables.get(name)
            if slot is None or isinstance(wanted, Conflict):
                self.variables[name] = self._slot(name, wanted)
            elif slot.type is not wanted:
                assert isinstance(slot, Slot)
                self.variables[name] = self._stored(name, convert(self.code, self._loaded(name, slot), wanted))

    def close_loop(self, head: Variables, back: Sequence[Edge]) -> Variables:
        """Convert variables at the ends of the body to their types at the head; returns the variables after the loop.

        A variable that only the body assigns is known after the loop, as in Python.
        """
        for name, slot in head.items():
            if isinstance(slot, Slot):
                for edge in back:
                    other = edge.variables.get(name, slot)
                    if isinstance(other, Slot):
                        self._settle(name, other, slot.type, edge)
        after = head | {name: self._slot(name, BROKEN) for name in head if _is_broken(name, back)}
        for name in dict.fromkeys(name for edge in back for name in edge.variables):
            if name not in head and name not in self.direct:
                saved, self.variables = self.variables, after
                self._meet(name, back)
                self.variables = saved
        return after


def _sound_types(name: str, edges: Sequence[Edge]) -> list[Type]:
    """Types of a variable on edges that have it, except where it is broken."""
    found = [edge.variables[name].type for edge in edges if name in edge.variables]
    return [t for t in found if t is not BROKEN]


def _is_broken(name: str, edges: Sequence[Edge]) -> bool:
    return any(edge.variables[name].type is BROKEN for edge in edges if name in edge.variables)


def common_type(types: Sequence[Type]) -> Type:
    """The type that all of these unify to, a Conflict if there is none, BROKEN if one of them is."""
    if BROKEN in types:
        return BROKEN
    common = types[0]
    for t in types[1:]:
        unified = None if isinstance(common, Conflict) or isinstance(t, Conflict) else unify(common, t)
        if unified is None:
            return next((c for c in (common, t) if isinstance(c, Conflict)), Conflict(common, t))
        common = unified
    return common
