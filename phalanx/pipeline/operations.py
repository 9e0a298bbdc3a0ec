"""Operations on the memory of a Model and a Data: bound once, run with as much memory and code as they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.algebra.jit import is_interpreted
from phalanx.hook.hooks import link_hooks
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.growth import lacks_memory
from phalanx.memory.store import PlainView, Store
from phalanx.native.runtime import load
from phalanx.pipeline.entries import ENTRY_OF, OPERATION_NUMBER, OPERATIONS, parts_for, world_entry
from phalanx.pipeline.parts import link_parts, relieve
from phalanx.tables.scratch_fields import CAPACITY


class Operations:
    """The operations of one world, by name: `run("step", 10)`.

    Args:
        model: memory of the Model.
        data: memory of the Data.
    """

    def __init__(self, model: Store, data: Store):
        self._model, self._data = model, data
        self._calls: dict[str, Callable[[int], Any]] = {}
        self._is_short = data.arrays["is_short"]

    def run(self, operation: str, n: int = 0) -> None:
        """Run an operation; n is the integer that it takes, if any."""
        call = self._calls.get(operation)
        if call is None:
            call = self._calls[operation] = bind(operation, self._model, self._data)
        call(n)
        while self._is_short:
            # nothing of the state has changed in the step that ran out of memory
            n -= int(self._data.arrays["steps_done"]) if operation == "step" else 0
            relieve(self._data, self._model.number.width > 1)
            call(n)

    def reset(self) -> None:
        """All fields as they are in a new Data."""
        arrays = self._data.arrays
        for name, row in self._data.schema.fields.items():
            arrays[name][...] = row.default
        for size, capacity in CAPACITY.items():
            arrays[capacity][...] = self._data.sizes[size]
        self.run("initial_state")


def bind(operation: str, model: Store, data: Store) -> Callable[[int], Any]:
    """A function of n that runs an operation on the memory of a Model and a Data, compiled or interpreted.

    If memory was too small or a part absent, `is_short` is true afterwards.
    """
    if operation not in OPERATIONS:
        raise FieldError(f"there is no operation {operation!r}{suggestion(operation, OPERATIONS)}")
    if is_interpreted():
        return lambda n: run_interpreted(operation, model, data, n)
    varied = model.number.width > 1
    entry = world_entry(data.number, varied, ENTRY_OF[operation])
    link_hooks(data, varied)
    link_parts(data, varied, parts_for(operation, model), [entry])
    return load(entry).bound(OPERATION_NUMBER[operation], model.address, data.address)


def run_interpreted(operation: str, model: Store, data: Store, n: int = 0) -> None:
    """Run an operation as plain Python, for one world."""
    if data.number.width:
        raise ValueError("lanes cannot run interpreted: use one world in float64")
    function, arguments = OPERATIONS[operation]
    available = {"m": PlainView(model), "d": PlainView(data), "c": PlainView(model), "n": n}
    with np.errstate(all="ignore"):
        function(*(available[name] for name in arguments.split(", ")))
    data.arrays["is_short"][()] = lacks_memory(available["d"])
