"""Operations on the memory of a Model and a Data: bound once, run with as much memory and code as they take."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.hook.hooks import link_hooks
from phalanx.memory.atomic import VARIABLE_FIELDS, change_whole, fixed_memory
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.exclusive import Usage, busy
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native.pace import Pace
from phalanx.native.runtime import load
from phalanx.pipeline.checks import FINE, SHORT, STOPPED, status
from phalanx.pipeline.entries import ENTRY_OF, OPERATION_NUMBER, OPERATIONS, parts_for, world_entry
from phalanx.pipeline.parts import link_parts, relieve
from phalanx.tables.data_fields import DATA, VARIABLE_SIZES
from phalanx.tables.enums import SleepPolicy
from phalanx.tables.scratch_fields import CAPACITY

#: What a step advances.
STATE = tuple(row.name for key in ("state", "sleep") for row in DATA[key])
#: Fields of fixed size that a new Data does not have as zeros.
_DEFAULTS = {
    name: row.default for name, row in DATA_SCHEMA.fields.items() if np.any(row.default) and name not in VARIABLE_FIELDS
}
#: Counts that an operation finds; a caller decides the others.
_COUNTS = tuple(size for size in VARIABLE_SIZES if size not in ("nray", "nlisted", "nsolution"))


class Operations(Usage):
    """The operations of one world, by name: `run("step", 10)`. One at a time: a second entry is an error.

    Args:
        model: memory of the Model.
        data: memory of the Data.
        interpreted: run as plain Python, without compiled code; None for what this process does.
    """

    def __init__(self, model: Store, data: Store, interpreted: bool | None = None):
        self._model, self._data, self._interpreted = model, data, interpreted
        self._calls: dict[str, Callable[[int], int]] = {}
        self._pace = Pace()

    def run(self, operation: str, n: int = 0) -> int:
        """Run an operation; n is the integer that it takes, if any. Returns what is to be attended to, see `status`."""
        if self.is_busy:
            raise busy()
        self.is_busy = True
        try:
            call = self._calls.get(operation)
            if call is None or n > 1:
                return self.run_within(operation, n)
            found = call(n)
            return self._relieved(operation, call, n, found) if found == SHORT else found
        except BaseException:
            self._abandon()
            raise
        finally:
            self.is_busy = False

    def run_within(self, operation: str, n: int = 0) -> int:
        """As `run`, within a method that keeps others out."""
        call = self._calls.get(operation)
        if call is None:
            call = self._calls[operation] = bind(operation, self._model, self._data, self._interpreted)
        try:
            if operation == "step":
                return self._run_steps(call, n)
            return self._relieved(operation, call, n, call(n))
        except BaseException:
            self._abandon()
            raise

    def _run_steps(self, call: Callable[[int], int], n: int) -> int:
        """n steps, in calls that take a moment each, so that Python can handle signals in between."""
        found = FINE
        while n > 0:
            amount, began = min(n, self._pace.amount), perf_counter()
            found = self._relieved("step", call, amount, call(amount))
            if found == STOPPED:
                break
            self._pace.note(amount, perf_counter() - began)
            n -= amount
        return found

    def _relieved(self, operation: str, call: Callable[[int], int], n: int, found: int) -> int:
        """Go on with more memory or code while an operation lacks it."""
        while found == SHORT:
            # nothing of the state has changed in the step that ran out of memory
            n -= int(self._data.arrays["steps_done"]) if operation == "step" else 0
            relieve(self._data, self._model.number.width > 1)
            found = call(n)
        return found

    def _abandon(self) -> None:
        """After an operation that was interrupted: no counts of more than there is memory for, and no error."""
        arrays = self._data.arrays
        arrays["error_code"].fill(0)
        if arrays["is_short"]:
            for count in _COUNTS:
                arrays[count].fill(0)
            arrays["is_short"].fill(False)

    def begin(self) -> None:
        """The first state of a new Data, whose memory is zero."""
        for name, value in _DEFAULTS.items():
            self._data.arrays[name][...] = value
        self.run_within("initial_state")
        if SleepPolicy.INIT in self._model.arrays["tree_sleep_policy"] and self._model.sizes["nsleep"]:
            self.run_within("begin_asleep")

    def reset(self, then: Callable[[], None] | None = None) -> None:
        """All fields as they are in a new Data, and what `then` does with them; all of it, or nothing."""

        def begin_anew() -> None:
            fixed_memory(self._data).fill(0)
            for size, capacity in CAPACITY.items():
                arrays[capacity][...] = self._data.sizes[size]
            self.begin()
            if then is not None:
                then()

        arrays = self._data.arrays
        change_whole(self._data, begin_anew)
        # nobody sees these any more: their counts are zero
        for name in VARIABLE_FIELDS:
            if arrays[name].size:
                arrays[name][...] = self._data.schema.fields[name].default


def bind(operation: str, model: Store, data: Store, interpreted: bool | None = None) -> Callable[[int], int]:
    """A function of n that runs an operation on the memory of a Model and a Data, compiled or interpreted.

    It returns what must be attended to, see `status`.
    """
    if operation not in OPERATIONS:
        raise FieldError(f"there is no operation {operation!r}{suggestion(operation, OPERATIONS)}")
    if is_interpreted() if interpreted is None else interpreted:
        if operation == "step":
            return lambda n: step_interpreted(model, data, n)
        return lambda n: run_interpreted(operation, model, data, n)
    varied = model.number.width > 1
    entry = world_entry(data.number, varied, ENTRY_OF[operation])
    link_hooks(data, varied)
    link_parts(data, varied, parts_for(operation, model), [entry])
    return load(entry).bound(OPERATION_NUMBER[operation], model.address, data.address)


def run_interpreted(operation: str, model: Store, data: Store, n: int = 0) -> int:
    """Run an operation as plain Python, for one world."""
    if data.number.width:
        raise ValueError("lanes cannot run interpreted: use one world in float64")
    function, arguments = OPERATIONS[operation]
    available = {"m": PlainView(model), "d": PlainView(data), "c": PlainView(model), "n": n}
    with np.errstate(all="ignore"):
        function(*(available[name] for name in arguments.split(", ")))
        data.arrays["is_short"][()] = lacks_memory(available["d"])
        return int(status(available["d"]))


def step_interpreted(model: Store, data: Store, n: int) -> int:
    """n steps as plain Python; one that is interrupted leaves the state before it."""
    arrays, found, done = data.arrays, FINE, 0
    while done < n and found not in (SHORT, STOPPED):
        kept = {name: arrays[name].copy() for name in STATE}
        try:
            found = run_interpreted("step", model, data, 1)
        except BaseException:
            for name, values in kept.items():
                arrays[name][...] = values
            raise
        done += int(arrays["steps_done"])
    arrays["steps_done"][...] = done
    return found
