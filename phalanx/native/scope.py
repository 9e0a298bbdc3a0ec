"""Variables of one function: what each is at the moment, and how they meet where ways of the program meet.

A variable that is assigned once, before everything that reads it, is just its value. Any other is kept in memory, which
LLVM turns into registers. Its type may change along the way: `x = 0` and later `x = x + y`. Where two ways meet, the
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
    """A way from one block to another: what the variables are there, and where conversions can be written."""

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
        slot = self._slots.get((name, value.type))
        if slot is None:
            slot = Slot(value.type, tuple([self.code.slot(leaf) for leaf in value.type.leaves]))
            self._slots[name, value.type] = slot
        for leaf, place, operand in zip(value.type.leaves, slot.places, value.operands, strict=True):
            self.code.do(f"store {leaf} {operand}, ptr {place}")
        return slot

    # --- ways that meet

    def leave(self) -> Edge:
        """The way out of the block that is being written; a jump must follow."""
        return Edge(self.code.reserve(), self.variables)

    def join(self, edges: Sequence[Edge]) -> None:
        """Go on where ways meet; conversions are written at the end of each."""
        if len(edges) == 1:
            self.variables = dict(edges[0].variables)
            return
        names = dict.fromkeys(name for edge in edges for name in edge.variables)
        self.variables = {}
        for name in names:
            self._meet(name, edges)

    def _meet(self, name: str, edges: Sequence[Edge]) -> None:
        """What a variable is after ways have met; on a way that does not assign it, it keeps the number it had, or zero."""
        found = [edge.variables.get(name) for edge in edges]
        first = found[0]
        if first is not None and all(variable is first for variable in found):
            self.variables[name] = first
            return
        if name in self.direct:
            return  # it is not read from here on
        slots = [variable for variable in found if isinstance(variable, Slot)]
        common = common_type([slot.type for slot in slots])
        if isinstance(common, Conflict):
            self.variables[name] = Slot(common, ())
            return
        for edge, slot in zip(edges, found, strict=True):
            if isinstance(slot, Slot):
                self.variables[name] = self._settled(name, slot, common, edge)

    def _settled(self, name: str, slot: Slot, wanted: Type, edge: Edge) -> Slot:
        """The slot of a variable of another type, converted at the end of a way."""
        if slot.type is wanted:
            return slot
        with self.code.at(edge.place):
            return self._stored(name, convert(self.code, self._loaded(name, slot), wanted))

    # --- loops

    def widened(self, head: Mapping[str, Value | Slot], back: Sequence[Edge]) -> dict[str, Type]:
        """Variables that the body of a loop makes wider than they were at its head, with their common types."""
        wider: dict[str, Type] = {}
        for name, slot in head.items():
            if isinstance(slot, Slot):
                others = [edge.variables.get(name, slot).type for edge in back]
                common = common_type([slot.type, *others])
                if common is not slot.type:
                    wider[name] = common
        return wider

    def widen(self, types: Mapping[str, Type]) -> None:
        """Convert variables before a loop to what its body makes of them."""
        for name, wanted in types.items():
            slot = self.variables[name]
            assert isinstance(slot, Slot)
            if isinstance(wanted, Conflict):
                self.variables[name] = Slot(wanted, ())
            elif slot.type is not wanted:
                self.variables[name] = self._stored(name, convert(self.code, self._loaded(name, slot), wanted))

    def close_loop(self, head: Variables, back: Sequence[Edge]) -> Variables:
        """Make variables at the ends of the body what they are at the head; returns what they are when it ends there.

        A variable that only the body assigns is known after the loop, as in Python.
        """
        for name, slot in head.items():
            if isinstance(slot, Slot) and not isinstance(slot.type, Conflict):
                for edge in back:
                    other = edge.variables.get(name, slot)
                    if isinstance(other, Slot):
                        self._settled(name, other, slot.type, edge)
        after = dict(head)
        for name in dict.fromkeys(name for edge in back for name in edge.variables):
            if name not in head and name not in self.direct:
                saved, self.variables = self.variables, after
                self._meet(name, back)
                self.variables = saved
        return after


def common_type(types: Sequence[Type]) -> Type:
    """The type that all of these unify to, a Conflict if there is none, BROKEN if one of them is."""
    if BROKEN in types:
        return BROKEN
    common = types[0]
    for t in types[1:]:
        unified = None if isinstance(common, Conflict) or isinstance(t, Conflict) else unify(common, t)
        if unified is None:
            return common if isinstance(common, Conflict) else Conflict(common, t)
        common = unified
    return common
