"""Seconds of each stage of a step, at one state: the stage alone, many times, less the cost of a call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from time import perf_counter

from phalanx.measure.step_stages import INTEGRATE, stages_of
from phalanx.memory.atomic import fixed_memory
from phalanx.memory.store import Store
from phalanx.native.runtime import load
from phalanx.pipeline.entries import world_entry
from phalanx.pipeline.operations import Operations, bind

#: Number of an operation that there is not: such a call does nothing.
_NO_OPERATION = -1
#: How long a measurement takes at least [s]: the clock is not exact.
SHORTEST = 2e-5
#: Measurements of each stage, in turns; the shortest counts.
ROUNDS = 5
#: Calls in one measurement at most.
MOST_CALLS = 400
#: Operations that stages are parts of; the step is measured, too.
FORWARD, STEP = "forward", "step"

Call = Callable[[int], int]


class StageTimer:
    """Measures stages of one world, or of the worlds of a lane group.

    Args:
        model: memory of the Model.
        data: memory of the Data.
    """

    def __init__(self, model: Store, data: Store):
        self.stages = stages_of(model)
        self._operations, self._memory = Operations(model, data), fixed_memory(data)
        self._calls = {name: bind(name, model, data) for name in (*self.stages, FORWARD, STEP)}
        self._nothing = load(world_entry(data.number)).bound(_NO_OPERATION, model.address, data.address)

    def measure(self) -> dict[str, float]:
        """Seconds of each stage and of the whole step at the present state, which is the same afterwards."""
        # memory grows now, not while the clock runs
        self._operations.run_within(FORWARD)
        kept = self._memory.copy()
        best: dict[str, float] = {}

        def note(name: str, seconds: float) -> None:
            best[name] = min(best.get(name, seconds), seconds)

        for _ in range(ROUNDS):
            # stages in the order of the step, so that each finds the caches as the one before has left them
            for name in self.stages:
                if name != INTEGRATE:
                    note(name, self._repeated(self._calls[name]))
            # what changes the state is called once at a time, after what comes before it in a simulation: copying the
            # state back has emptied the caches
            for name, before in ((INTEGRATE, FORWARD), (STEP, STEP)):
                for _ in range(4):
                    self._memory[...] = kept
                    self._calls[before](1)
                    note(name, self._once(self._calls[name], 1))
            self._memory[...] = kept
        self._operations.run_within(FORWARD)
        self._memory[...] = kept
        return {name: max(seconds, 0.0) for name, seconds in best.items()}

    def _repeated(self, call: Call) -> float:
        """Seconds of a call that can be repeated."""
        began = perf_counter()
        call(0)
        count = int(min(max(SHORTEST / max(perf_counter() - began, 1e-9), 1.0), MOST_CALLS))
        return (_loop(call, count) - _loop(self._nothing, count)) / count

    def _once(self, call: Call, n: int) -> float:
        began = perf_counter()
        call(n)
        seconds = perf_counter() - began
        return seconds - min(_loop(self._nothing, 1) for _ in range(3))


def _loop(call: Call, count: int) -> float:
    """Seconds of some calls."""
    began = perf_counter()
    for _ in repeat(None, count):
        call(0)
    return perf_counter() - began
