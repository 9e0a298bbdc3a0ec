"""What a module for browsers is compiled of: an entry with the operations that a page runs, parts, stubs, hooks.

Browsers check the signature of a function that is called through its address, so each part that a module does not have
is a stub with the signature of that part.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
from collections.abc import Iterable, Sequence

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, Part
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.hook.hooks import UserHook
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.native.entry import Entry, PartUnit, Unit
from phalanx.native.wasm.web_module import web_module
from phalanx.pipeline.entries import build_switch, jac_at_point, solve_vector
from phalanx.pipeline.forward import forward, fwd_position
from phalanx.pipeline.initial_state import initial_state_of_all
from phalanx.pipeline.parts import kernels_of, letters, number_of, part_unit
from phalanx.pipeline.step import put_first_sleepers, steps
from phalanx.tables.parts import PART_SLOTS, PARTS

#: What a page can run, in the order of their numbers: kernels and their arguments.
OPERATIONS: dict[str, tuple[Kernel, str]] = {
    "step": (steps, "m, d, n"),
    "forward": (forward, "m, d"),
    "fwd_position": (fwd_position, "m, d"),
    "initial_state": (initial_state_of_all, "m, d"),
    "begin_asleep": (put_first_sleepers, "m, d"),
    "jac": (jac_at_point, "m, d, n"),
    "solve_m": (solve_vector, "m, d"),
}
#: Names of the units, and of the section by which a page knows what a module is.
ENTRY, ABSENT, SECTION = "web", "web_absent", "phalanx"
_ORIGIN = "phalanx.web.web_units:unit_named"
#: What a stub returns, by the letter of the result.
_NOTHING = {"": "", "i": "return 0", "f": "return 0.0", "n": "return 0.0", "p": "return 0.0", "c": "return False"}


def unit_named(name: str) -> Unit:
    """The unit of this name, in a process that compiles."""
    kind, _, suffix = name.rpartition("_")
    number, _ = number_of(suffix)
    return web_entry(number) if kind == ENTRY else absent_web_unit(number)


def number_for(parts: Iterable[str]) -> NumberType:
    """Pages compute in double precision, one world; whether its trees may fall asleep is compiled in."""
    return one_world("float64", sleeps="sleep" in parts)


@functools.cache
def web_entry(number: NumberType) -> Entry:
    """The entry that runs operations."""
    return Entry(
        f"{ENTRY}_{number.name}",
        functools.partial(build_switch, number, False, OPERATIONS),
        arity=4,
        letters=functools.partial(letters, number, False),
        origin=_ORIGIN,
    )


@functools.cache
def absent_web_unit(number: NumberType) -> PartUnit:
    """The unit of the stubs."""
    return PartUnit(f"{ABSENT}_{number.name}", _stubs, functools.partial(letters, number, False), _ORIGIN)


def _stubs() -> tuple[Part, ...]:
    parts = {part.slot: part for name in PARTS for part in kernels_of(name)}
    return tuple(_stub(k, parts[slot]) for k, slot in enumerate(PART_SLOTS))


def _stub(index: int, part: Part) -> Part:
    """What stands in for a part: it notes the place of its slot, counted from 1."""
    name = f"absent_{part.slot}"
    given = ", ".join("d" if letter == "d" else f"a{k}" for k, letter in enumerate(part.takes))
    lines = [f"def {name}({given}):", f"    d.absent_part = {index + 1}", f"    {_NOTHING[part.returns]}".rstrip()]
    return Part(define("\n".join(filter(None, lines)) + "\n", {}, name), part.takes, part.returns)


def stub_name(slot: str) -> str:
    """The exported name of what stands in for a part."""
    return f"part_absent_{slot}"


def layout_digest() -> str:
    """A hash of where everything is in the memory of a Model and a Data: a module and an image must agree on it."""
    rows = [
        (schema.name, [*schema.slot], [(name, row.kind.value, row.shape) for name, row in schema.fields.items()])
        for schema in (MODEL_SCHEMA, DATA_SCHEMA)
    ]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def module_of(parts: Iterable[str], hooks: Sequence[UserHook] = ()) -> bytes:
    """The WebAssembly module with these parts and hooks.

    Args:
        parts: names of parts; with "sleep" the module is for models whose trees fall asleep, without it for all others.
        hooks: functions of the user.
    """
    names = list(parts)
    number = number_for(names)
    units: list[Unit] = [web_entry(number), absent_web_unit(number)]
    units += [part_unit(name, number, False) for name in names]
    about = {
        "layout": layout_digest(), "entry": web_entry(number).name, "operations": list(OPERATIONS), "parts": names,
        "sleeps": number.sleeps, "hooks": [hook.row.name for hook in hooks],
    }  # fmt: skip
    custom, renamed = {SECTION: json.dumps(about).encode()}, {}
    for hook in hooks:
        unit = hook.unit(number, False)
        units.append(unit)
        renamed[unit.name] = {hook.body.slot: hook.row.slot}
    with contextlib.ExitStack() as stack:
        for hook in hooks:
            stack.enter_context(hook.mistakes())
        return web_module(units, custom, renamed)
