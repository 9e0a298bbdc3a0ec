"""Many inverse kinematics problems of one model: lane groups of them, over threads."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import numpy as np

from phalanx.algebra.jit import is_interpreted, kernel
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.group import (
    LANE_ADDRESS,
    LOADED,
    NEVER,
    ONCE,
    STORED,
    TRANSFER_COLUMNS,
    WORLD_ADDRESS,
    load_field,
    store_field,
)
from phalanx.memory.layout import IK_SCHEMA
from phalanx.memory.store import PlainView, Store, data_memory
from phalanx.native.entry import Entry
from phalanx.native.runtime import load
from phalanx.native.threads import Stop, ThreadPool
from phalanx.pipeline.inverse_kinematics import solve_ik
from phalanx.pipeline.parts import number_of, suffix_of
from phalanx.tables.field import Kind

#: Rows that differ from problem to problem and are loaded, and rows that are stored.
GIVEN = ("qpos", "goal_pos", "goal_quat")
FOUND = ("qpos", "position_error", "rotation_error", "cost", "converged", "rounds")


def build_ik(number: NumberType) -> Callable[..., int]:
    """The function that solves one lane group of problems: load, solve, store."""
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    width = number.worlds
    model_at = view_at("model", number.one_world, constant=True)
    data_at = view_at("data", number, constant=False)
    problem_at = view_at("ik", number, constant=False)
    transfer_at = array_at("int64", (TRANSFER_COLUMNS,), "ik.transfer", constant=True)
    order_at = array_at("int64", alias="ik.order", constant=True)
    # arrays of all problems, and of the lane group, which the transfer table points to
    numbers_at = array_at(number.base)

    @kernel
    def move(transfer, nfield, column, order, first, n):
        """Load or store the fields of a group."""
        for row in range(nfield):
            if transfer[row, column] == ONCE:
                problem, lane = numbers_at(transfer[row, WORLD_ADDRESS]), numbers_at(transfer[row, LANE_ADDRESS])
                if column == LOADED:
                    load_field(problem, lane, transfer, row, 0, order, first, n, width)
                else:
                    store_field(problem, lane, transfer, row, 0, order, first, n, width)

    def ik(model, data, problem, transfers, nfield, order, first, n, iterations):
        transfer, places = transfer_at(transfers), order_at(order)
        move(transfer, nfield, LOADED, places, first, n)
        solve_ik(model_at(model), data_at(data), problem_at(problem), iterations)
        move(transfer, nfield, STORED, places, first, n)
        return 0

    return ik


@functools.cache
def ik_entry(number: NumberType) -> Entry:
    """The entry that solves a lane group of problems."""
    return Entry(
        f"ik_{suffix_of(number, False)}",
        functools.partial(build_ik, number),
        arity=9,
        origin="phalanx.batch.ik_groups:entry_named",
    )


def entry_named(name: str) -> Entry:
    """The entry of this name, in a process that compiles."""
    return ik_entry(number_of(name.partition("_")[2])[0])


class IkGroups:
    """Memory for problems of one model, and the ways to solve them.

    Attributes:
        asked: rows that are the same in all problems, by name.

    Args:
        model: memory of the Model, double precision.
        asked: see the attribute.
        lanes: problems per vector register, 1 to 16.
        threads: how many threads solve groups side by side.
    """

    def __init__(self, model: Store, asked: Mapping[str, np.ndarray], lanes: int, threads: int):
        self.number = one_world("float64") if lanes == 1 or is_interpreted() else NumberType("float64", lanes)
        self._model, self.asked = model, asked
        self._pool = ThreadPool(threads)
        self._memory: list[tuple[Store, Store]] = []

    def solve(self, given: Mapping[str, np.ndarray], iterations: int) -> dict[str, np.ndarray]:
        """The rows that are found for n problems, arrays (n, ...).

        Args:
            given: arrays (n, ...) of the rows in `GIVEN`.
            iterations: most poses that are tried.
        """
        n = len(given["qpos"])
        found = {name: np.zeros((n, *self._shape(name))) for name in FOUND}
        found["qpos"][...] = given["qpos"]
        groups = range(0, n, self.number.worlds)
        if is_interpreted():
            for problem in groups:
                self._interpret(given, found, problem, iterations)
            return found
        order = np.arange(n, dtype=np.int64)
        tasks, stop = [], Stop()
        threads = min(self._pool.size, len(groups))
        for thread in range(threads):
            run = self._task(thread, given, found, order, iterations)
            tasks.append(functools.partial(_run_share, run, groups[thread::threads], stop))
        self._pool.run(tasks, stop)
        return found

    def _shape(self, name: str) -> tuple[int, ...]:
        problem = self._workspace(0)[1]
        full = problem.full_shape(name)
        return full[:-1] if self.number.width > 1 else full

    def _workspace(self, thread: int) -> tuple[Store, Store]:
        """Working memory of a thread: of a Data and of a problem."""
        while len(self._memory) <= thread:
            data = data_memory(self._model.sizes, self.number)
            arrays, mocap = self._model.arrays, self._model.arrays["body_mocapid"]
            lanes = (..., None) if self.number.width > 1 else (...,)
            # mocap bodies are where the model says
            for body in np.flatnonzero(mocap >= 0):
                data.arrays["mocap_pos"][mocap[body]] = arrays["body_pos"][body][lanes]
                data.arrays["mocap_quat"][mocap[body]] = arrays["body_quat"][body][lanes]
            problem = Store(IK_SCHEMA, self._sizes(), self.number)
            problem.allocate_all()
            for name, values in self.asked.items():
                is_lane = IK_SCHEMA.fields[name].kind is Kind.REAL and self.number.width > 1
                problem.arrays[name][...] = np.asarray(values)[..., None] if is_lane else values
            self._memory.append((data, problem))
        return self._memory[thread]

    def _sizes(self) -> dict[str, int]:
        ntarget, ncoupling, nv = len(self.asked["target_body"]), len(self.asked["coupling"]), self._model.sizes["nv"]
        nblock = ntarget + ncoupling
        return {
            **self._model.sizes, "ntarget": ntarget, "ncoupling": ncoupling, "nblock": nblock, "nentry": nblock * nv,
            "nmatrix": nv * nv,
        }  # fmt: skip

    def _task(
        self,
        thread: int,
        given: Mapping[str, np.ndarray],
        found: Mapping[str, np.ndarray],
        order: np.ndarray,
        iterations: int,
    ) -> Callable[[int], int]:
        """A function that solves the group that begins with a problem."""
        data, problem = self._workspace(thread)
        rows = []
        for name in dict.fromkeys((*GIVEN, *FOUND)):
            array = found[name] if name in found else given[name]
            stride = array.size // len(order)
            columns = (stride, stride, 0, ONCE if name in GIVEN else NEVER, ONCE if name in FOUND else NEVER, 0)
            rows.append((array.ctypes.data, problem.arrays[name].ctypes.data, *columns))
        transfer, entry = np.array(rows, np.int64), load(ik_entry(self.number))
        stores = self._model.address, data.address, problem.address

        def run(first: int) -> int:
            # compiled code gets addresses: this function holds what they point to
            table, places = int(transfer.ctypes.data), int(order.ctypes.data)
            return entry(*stores, table, len(transfer), places, first, len(order), iterations)

        return run

    def _interpret(
        self, given: Mapping[str, np.ndarray], found: Mapping[str, np.ndarray], problem: int, iterations: int
    ) -> None:
        """Solve one problem as plain Python."""
        data, memory = self._workspace(0)
        for name in GIVEN:
            memory.arrays[name][...] = given[name][problem]
        with np.errstate(all="ignore"):
            solve_ik(PlainView(self._model), PlainView(data), PlainView(memory), iterations)
        for name in FOUND:
            found[name][problem] = memory.arrays[name]


def _run_share(run: Callable[[int], int], groups: range, stop: Stop) -> None:
    """Solve groups until all are done, or the run is to end early."""
    for first in groups:
        if stop.is_asked:
            return
        run(first)
