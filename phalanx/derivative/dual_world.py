"""The memory of a world with tangents, and of its twin without, which finds the solutions of constraints."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.number_type import NumberType
from phalanx.derivative.dual_units import STATE, link_dual_parts, passes_entry, put_solver, recorded_entry
from phalanx.derivative.exact_remaining import Remains
from phalanx.hook.hooks import prepare_hooks
from phalanx.memory.store import data_memory
from phalanx.native.runtime import load
from phalanx.pipeline.checks import SHORT, STOPPED
from phalanx.pipeline.parts import relieve
from phalanx.tables.enums import Integrator
from phalanx.tables.integrators import STAGED
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Most evaluations of forward dynamics in a step.
STAGES = 4
#: Directions that a pass takes at once.
TANGENTS = 15


class DualWorld:
    """Derivatives of steps of one model.

    Args:
        model: the model.
        tangents: how many directions a pass takes: 7, 15 or 31.
    """

    def __init__(self, model: Model, tangents: int = TANGENTS):
        self.model, self.number = model, NumberType("float64", tangents=tangents)
        # a twin without tangents, and what derivatives leave out
        self._probe, self._remains = Data(model), Remains(model)
        self._plain = self._probe._store
        self._dual = data_memory(model._store.sizes, self.number)
        prepare_hooks(self._dual, model._hooks)
        link_dual_parts(model._store, self._dual)
        self._is_discrete = model._store.arrays["opt.integrator"] == Integrator.DISCRETE
        self.inputs = 2 * model.nv + model.na + model.nu
        self.outputs = 2 * model.nv + model.na + model.nsensordata
        self._count = -(-self.inputs // tangents)
        self._seeds = seeds(self.inputs, self._count, tangents)
        self._results = aligned_zeros((self._count, self.outputs, self.number.cells), np.float64)
        self._passes = load(passes_entry(self.number))
        self._is_staged = int(model._store.arrays["opt.integrator"]) in STAGED
        if self._is_staged:
            self._recorded = load(recorded_entry())
        # rows that this model has
        self._state = tuple(name for name in STATE if self._plain.arrays[name].size)

    def derivatives(self, data: Data) -> np.ndarray:
        """Derivatives (outputs, inputs) of a step from the state of `data`, which does not change.

        Outputs are (change of position, velocity, activation) after the step, and the sensors at its start; inputs the
        same of the state before, and the controls.

        Raises:
            WorldError: a value of the step is NaN, infinite or huge.
        """
        if not self.inputs:
            return np.zeros((self.outputs, 0))
        self._take_state(data)
        if self._is_staged:
            self._record(data)
        else:
            self._solve()
        if self._is_staged or self.model._hooks:
            # the step has moved the twin on, a hook may have changed its inputs
            self._take_state(data)
        self._run(data)
        tangents = self._results[:, :, 1:].transpose(1, 0, 2).reshape(self.outputs, -1)
        return tangents[:, : self.inputs]

    def outcome(self, has_sensors: bool) -> dict[str, np.ndarray]:
        """What the step comes to whose derivatives were taken last: the next state, and readings of sensors."""
        found = {name: self._dual.arrays[name][:, 0].copy() for name in ("qpos", "qvel", "act", "sensordata")}
        return found if has_sensors else found | {"sensordata": np.zeros(0)}

    def _take_state(self, data: Data) -> None:
        """Let the twin begin where the Data is."""
        plain, source = self._plain.arrays, data._store.arrays
        for name in self._state:
            plain[name][...] = source[name]

    def remaining(self) -> tuple[str, ...]:
        """What the last derivatives leave out."""
        return self._remains.after(self._probe, float(self._dual.arrays["solver_gradient"][0, 0]))

    def _solve(self) -> None:
        """The solution of the constraints of the twin, which does not move, for the world with tangents."""
        self._probe._operations.run("forward")
        arrays, nv, nefc = self._plain.arrays, self.model.nv, self._probe.nefc
        if nefc:
            self._reserve(2 * nv + nefc)
            solution = self._dual.arrays["solution"][:, 0]
            solution[:nv], solution[nv : 2 * nv] = arrays["qacc"], arrays["qfrc_constraint"]
            solution[2 * nv : 2 * nv + nefc] = arrays["efc_force"][:nefc]

    def _record(self, data: Data) -> None:
        """A step of the twin: the solutions of constraints on its way, for the world with tangents."""
        twin, size = self._plain, STAGES * (2 * self.model.nv + self._plain.sizes["nefc"])
        while True:
            self._reserve(size)
            found = self._recorded(self.model._store.address, twin.address)
            size = int(twin.arrays["solution_place"])
            if found == STOPPED:
                self._raise_error(data)
            if found == SHORT:
                relieve(twin, False)
            elif size <= twin.sizes["nsolution"]:
                break
            self._take_state(data)
        self._dual.arrays["solution"][:size, 0] = twin.arrays["solution"][:size]

    def _reserve(self, size: int) -> None:
        """Make room for solutions of so many numbers, in both worlds."""
        if self._plain.sizes["nsolution"] < size:
            for store in (self._plain, self._dual):
                store.resize("nsolution", size)
                store.arrays["nsolution"].fill(size)

    def _raise_error(self, data: Data) -> NoReturn:
        """What stops the step of a Data."""
        self._plain.arrays["error_code"].fill(0)
        self._take_state(data)
        self._probe.step()
        raise AssertionError("a world stopped, and its twin did not")

    def _run(self, data: Data) -> None:
        """All passes, with as much memory and code as they take."""
        addresses = (
            self.model._store.address, self._dual.address, self._plain.address, self._seeds.ctypes.data,
            self._results.ctypes.data,
        )  # fmt: skip
        while (found := self._passes(*addresses, self._count)) == SHORT:
            relieve(self._dual, False)
            put_solver(self._dual, self._is_discrete)
        if found == STOPPED:
            self._raise_error(data)


def seeds(inputs: int, count: int, tangents: int) -> np.ndarray:
    """(passes, inputs, cells): input k changes in direction k, which is a tangent of one of the passes."""
    array = aligned_zeros((count, inputs, tangents + 1), np.float64)
    for k in range(inputs):
        array[k // tangents, k, 1 + k % tangents] = 1.0
    return array
