"""The pass of a task in one thread of a device: an action, what comes of it, and a new episode where one begins.

On the CPU a lane group is loaded, run, and stored if nothing was missing. On a device worlds are changed in place. A
world that finds too little memory is therefore brought back to where it was: to before the action, or, if the action is
done and an episode begins, to after it. The next launch goes on from there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.device.world_kernel import BAD_CONTROL, FOUND, LACKING, digits_of, linked_parts
from phalanx.learn.task import Task
from phalanx.learn.task_pass import LOOK, SAME_STEP, STEP
from phalanx.native.device_entry import DeviceEntry
from phalanx.native.entry import Letters
from phalanx.pipeline.parts import suffix_of
from phalanx.sleep.awake_lists import run_over_all
from phalanx.tables.enums import Request, WarningType

#: Integers that all threads are given: addresses of the Model, the Data, how far worlds are and the status; how many
#: worlds there are; the operation, and whether it begins with this launch; and the address of observations.
ARITY = 8

#: How far a world is: at the start, after the action, at the end.
WAITING, ACTED, COMPLETE = range(3)


def build_task_world(task: Task, number: NumberType, varied: bool, observed: str) -> Callable[..., None]:
    """The function of a thread.

    Args:
        task: the task.
        number: of the memory of the device, `spread`.
        varied: has the Model its own numbers per world?
        observed: "float32" or "float64", of observations.
    """
    from phalanx.learn.task_view import task_data_at
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    layout, passes = task.layout, task.passes
    act, begin, choose, look, keep, undo = (
        passes.act, passes.begin, passes.choose, passes.look, passes.keep, passes.undo
    )  # fmt: skip
    # a Model that is changed in the pass must not be taken as constant
    model_at = view_at("model", number if varied else number.one_world, constant=not layout.varied)
    nominal_at = view_at("model", number.one_world, constant=True)
    data_at, task_at = view_at("data", number, constant=False), task_data_at(layout, number)
    progress_at = array_at("int64", alias="device.progress")
    status_at = array_at("int64", alias="device.status")
    # what users see is in types of their own; an action is theirs, and that of the world ends with the episode
    seen_at, final_at = array_at(observed, alias="device.seen"), array_at(observed, alias="device.final")
    given_at = array_at(number.base, alias="device.given", constant=True)
    flags_at = array_at("uint8", alias="device.flags")
    nobs, naction, requests = layout.nobs, layout.naction, task.requests & int(Request.ENERGY)

    @kernel
    def advance(m, d, t, nominal, op, progress, world):
        """As much as memory allows. Returns whether it lacks memory or code; the world is then as it was before."""
        if op == LOOK:
            if look(m, d, t, nominal, d):
                undo(m, d, t)
                return True
            return False
        if progress[world] == WAITING and op == STEP:
            keep(m, d, t)
            if act(m, d, t):
                undo(m, d, t)
                return True
            progress[world] = ACTED
        elif progress[world] == WAITING:
            choose(t)
        if t.outcome.chosen == 0.0:
            return False
        # constants of the Model are computed in the Data itself, which begins anew afterwards
        if begin(m, d, t, nominal, d):
            undo(m, d, t)
            return True
        return False

    @kernel
    def show(t, op, world, nworld, seen):
        """Observations and flags."""
        for i in range(nobs):
            seen[i * nworld + world] = t.outcome.observation[i]
        # those of worlds whose episode ended are followed by those where it was cut off
        flags = flags_at(t.outcome.flags_address)
        flags[world] = t.outcome.terminated
        flags[nworld + world] = t.outcome.truncated
        if op == STEP and t.outcome.autoreset == SAME_STEP and t.outcome.chosen != 0.0:
            final = final_at(t.outcome.final_address)
            for i in range(nobs):
                final[i * nworld + world] = t.outcome.final_observation[i]

    @kernel
    def run_task_world(m, d, t, op, begins, world, nworld, progress, status):
        """An operation in one world. Returns whether it is complete with this launch."""
        if begins != 0:
            progress[world] = WAITING
            if op != STEP and t.outcome.chosen == 0.0:
                progress[world] = COMPLETE
        if progress[world] == COMPLETE:
            return False
        given = given_at(t.outcome.given_address)
        for i in range(naction):
            t.action[i] = given[i * nworld + world]
        # only steps tell what they met; a batch asks for other rows
        former, code, index = d.requests, d.error_code, d.error_id
        pattern, contacts = d.row_pattern, d.contact_count
        bad = d.warning_number[WarningType.BADCTRL]
        d.requests = requests
        d.absent_part = 0
        if progress[world] == WAITING:
            d.error_code = 0
        run_over_all(d)
        is_short = advance(m, d, t, nominal_at(t.outcome.nominal_address), op, progress, world)
        d.requests = former
        if op != STEP:
            d.error_code = code
            d.error_id = index
            d.row_pattern = pattern
            d.contact_count = contacts
        if is_short:
            status[LACKING] = 1
            return False
        progress[world] = COMPLETE
        if d.warning_number[WarningType.BADCTRL] > bad:
            status[BAD_CONTROL] = 1
        if t.outcome.bad != 0.0:
            status[FOUND] = 1
        return True

    def task_world(model, data, progress, status, nworld, op, begins, seen, world):
        d, t = data_at(data, world, nworld), task_at(data, world, nworld)
        arrays = progress_at(progress), status_at(status)
        if varied:
            done = run_task_world(model_at(model, world, nworld), d, t, op, begins, world, nworld, *arrays)
        else:
            done = run_task_world(model_at(model), d, t, op, begins, world, nworld, *arrays)
        if done:
            show(t, op, world, nworld, seen_at(seen))

    return task_world


def task_letters(number: NumberType, varied: bool, changes: bool) -> Letters:
    """Types that parts take: of a task that changes models, Models that are not constant."""
    from phalanx.memory.view import part_letters, view_type

    letters = part_letters(number, varied)
    return {**letters, "m": view_type("model", number, constant=False)} if changes and varied else letters


def task_entry(
    task: Task,
    number: NumberType,
    varied: bool,
    parts: tuple[str, ...],
    threads: str,
    hooks: Mapping[str, Any],
    observed: str,
) -> DeviceEntry:
    """The entry of a task on a device.

    Args:
        task: the task.
        number: of the memory of the device, `spread`.
        varied: has the Model its own numbers per world?
        parts: rows of the table of parts that are compiled in.
        threads: kind of threads: see `native/device_entry.py`.
        hooks: hooks of the user by name.
        observed: "float32" or "float64", of observations.
    """
    # the name tells it from all others: which functions, which parts, which numbers
    digest = "".join([task.frozen.digest, *(hook.digest[:8] for hook in hooks.values())])
    ways = f"{task.refresh or 'stale'}_{task.requests}_{observed}"
    bodies = {hook.row.slot: hook.body for hook in hooks.values()}
    return DeviceEntry(
        f"task_{threads}_{digits_of(parts)}_{suffix_of(number, varied)}_{ways}_{digest}",
        functools.partial(build_task_world, task, number, varied, observed),
        ARITY,
        functools.partial(task_letters, number, varied, bool(task.layout.varied)),
        functools.partial(linked_parts, parts, bodies),
        threads,
    )
