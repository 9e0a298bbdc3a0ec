"""What one thread of a device does: the operation of a batch in one world, with all that it calls in one module."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from phalanx.algebra.jit import Part, kernel
from phalanx.algebra.number_type import NumberType
from phalanx.batch.group import run_physics
from phalanx.memory.growth import lacks_memory
from phalanx.native.device_entry import DeviceEntry, Linked
from phalanx.pipeline.parts import kernels_of, letters, number_of, suffix_of
from phalanx.sleep.awake_lists import run_over_all
from phalanx.tables.data_fields import SOLVER_STATISTICS
from phalanx.tables.enums import WarningType
from phalanx.tables.hooks import HOOKS
from phalanx.tables.parts import PART_SLOTS, PARTS

#: What a launch has to say, each a place of `status`: some world lacks memory or code; a control was taken as zero; a
#: number of a task was none.
LACKING, BAD_CONTROL, FOUND = range(3)
STATUS_LENGTH = 3

#: Rows that worlds of a device have no memory for: what solvers did in each iteration, which would be most of a world.
UNKEPT = tuple(row.name for row in SOLVER_STATISTICS)

#: Integers that all threads are given: addresses of the Model, the Data, how many steps worlds have done, the status
#: and the order of worlds (0: all in their order); how many worlds there are; the operation, what it takes or until
#: which step worlds run; and whether it begins with this launch.
ARITY = 9


@kernel
def run_world(m, d, world, progress, status, op, until, begins):
    """An operation in one world, or as much of it as memory allows."""
    d.absent_part = 0
    if begins != 0:
        progress[world] = 0
        d.error_code = 0
    done = progress[world]
    if done >= until:
        return
    bad = d.warning_number[WarningType.BADCTRL]
    run_over_all(d)
    done = run_physics(m, d, op, until, done)
    progress[world] = done
    # many threads may write here, all the same
    if lacks_memory(d):
        status[LACKING] = 1
    if d.warning_number[WarningType.BADCTRL] > bad:
        status[BAD_CONTROL] = 1


def build_world(number: NumberType, varied: bool) -> Callable[..., None]:
    """The function of a thread, for the numbers of a device."""
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    model_at = view_at("model", number if varied else number.one_world, constant=True)
    data_at = view_at("data", number, constant=False)
    progress_at = array_at("int64", alias="device.progress")
    status_at = array_at("int64", alias="device.status")
    order_at = array_at("int64", alias="device.order", constant=True)

    def device_world(model, data, progress, status, order, nworld, op, until, begins, thread):
        world = thread
        if order != 0:
            world = order_at(order)[thread]
        d = data_at(data, world, nworld)
        arrays = progress_at(progress), status_at(status)
        if varied:
            run_world(model_at(model, world, nworld), d, world, *arrays, op, until, begins)
        else:
            run_world(model_at(model), d, world, *arrays, op, until, begins)

    return device_world


# --- units


def linked_parts(parts: tuple[str, ...], hooks: Mapping[str, Part]) -> Linked:
    """What the module of some parts and hooks has.

    Args:
        parts: rows of the table of parts.
        hooks: functions of the user by slot.
    """
    return Linked(
        parts=frozenset(part for name in parts for part in kernels_of(name)),
        absent={slot: k + 1 for k, slot in enumerate(PART_SLOTS)},
        places={hook.slot: 1 + [*hooks].index(hook.slot) if hook.slot in hooks else 0 for hook in HOOKS.values()},
        functions=tuple(hooks.values()),
        unkept=frozenset(f"data.{name}" for name in UNKEPT),
    )


def device_entry(
    number: NumberType, varied: bool, parts: Iterable[str], threads: str, hooks: Mapping[str, Any] | None = None
) -> DeviceEntry:
    """The entry of a device.

    Args:
        number: of its memory: `spread`.
        varied: has the Model its own numbers per world?
        parts: rows of the table of parts that are compiled in.
        threads: kind of threads: see `native/device_entry.py`.
        hooks: hooks of the user by name.
    """
    chosen = tuple(name for name in PARTS if name in set(parts))
    name = f"device_{threads}_{digits_of(chosen)}_{suffix_of(number, varied)}"
    if not hooks:
        return _plain_entry(name, number, varied, chosen, threads)
    digest = "".join(hook.digest[:8] for hook in hooks.values())
    bodies = {hook.row.slot: hook.body for hook in hooks.values()}
    return _entry(f"{name}_{digest}", number, varied, threads, functools.partial(linked_parts, chosen, bodies), "")


@functools.cache
def _plain_entry(name: str, number: NumberType, varied: bool, parts: tuple[str, ...], threads: str) -> DeviceEntry:
    origin = "phalanx.device.world_kernel:entry_named"
    return _entry(name, number, varied, threads, functools.partial(linked_parts, parts, {}), origin)


def _entry(
    name: str, number: NumberType, varied: bool, threads: str, linked: Callable[[], Linked], origin: str
) -> DeviceEntry:
    build = functools.partial(build_world, number, varied)
    return DeviceEntry(name, build, ARITY, functools.partial(letters, number, varied), linked, threads, origin)


def digits_of(parts: tuple[str, ...]) -> str:
    """Which parts, as a number: the bit of each is its place in the table."""
    return f"{sum(1 << k for k, name in enumerate(PARTS) if name in parts):x}"


def entry_named(name: str) -> DeviceEntry:
    """The entry of this name, in a process that compiles."""
    _, threads, digits, suffix = name.split("_", 3)
    bits = int(digits, 16)
    parts = [part for k, part in enumerate(PARTS) if bits >> k & 1]
    return device_entry(*number_of(suffix), parts, threads)
