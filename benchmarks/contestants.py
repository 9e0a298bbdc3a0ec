"""The ways to step many worlds: MuJoCo's three and ours, on one thread and on all of them.

Each contestant starts from the same states and gets the same controls, a new one before each of TIMED steps. Only the
steps count: states are set before, and every world has been stepped before the first round.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import mujoco.batch
import mujoco.rollout
import numpy as np

import phalanx
from benchmarks.regimes import TIMED, Start


class Contestant:
    """A way to step: call it to prepare and run once; it returns how many steps it took.

    Attributes:
        seconds: what the steps of the last call took, without preparing.
    """

    seconds = 0.0

    def __init__(
        self, run: Callable[[], int], prepare: Callable[[], None], qpos: Callable[[], np.ndarray] | None = None
    ) -> None:
        self._run, self._prepare, self._qpos = run, prepare, qpos
        self()

    def __call__(self) -> int:
        self._prepare()
        start = time.perf_counter()
        steps = self._run()
        self.seconds = time.perf_counter() - start
        return steps

    def positions(self) -> np.ndarray:
        """Joint positions of all worlds after the last call."""
        assert self._qpos is not None
        return np.array(self._qpos(), dtype=float)


def timed(run: Callable[[], int], prepare: Callable[[], None]) -> Contestant:
    """Run after preparing; only the run counts."""
    return Contestant(run, prepare)


def mujoco_loop(mjmodel: Any, start: Start) -> Contestant:
    """`mj_step` in a loop of Python, one world after the other."""
    datas = [mujoco.MjData(mjmodel) for _ in range(start.worlds)]

    def prepare() -> None:
        for world, data in enumerate(datas):
            for name, rows in start.states.items():
                getattr(data, name)[:] = rows[world]

    def run() -> int:
        for world, data in enumerate(datas):
            for t in range(TIMED):
                data.ctrl[:] = start.controls[world, t]
                mujoco.mj_step(mjmodel, data)
        return TIMED * len(datas)

    return Contestant(run, prepare)


def phalanx_loop(model: phalanx.Model, start: Start) -> Contestant:
    """`Data.step` in a loop of Python, one world after the other."""
    datas = [model.make_data() for _ in range(start.worlds)]

    def prepare() -> None:
        for world, data in enumerate(datas):
            data.reset()
            for name, rows in start.states.items():
                setattr(data, name, rows[world])

    def run() -> int:
        for world, data in enumerate(datas):
            for t in range(TIMED):
                data.ctrl[:] = start.controls[world, t]
                data.step()
        return TIMED * len(datas)

    return Contestant(run, prepare)


def mujoco_rollout(mjmodel: Any, start: Start, threads: int = 1) -> Contestant:
    """`mujoco.rollout`: all steps in one call, with a pool of threads that stays."""
    datas, kind = [mujoco.MjData(mjmodel) for _ in range(threads)], mujoco.mjtState.mjSTATE_FULLPHYSICS
    initial = np.zeros((start.worlds, mujoco.mj_stateSize(mjmodel, kind)))
    for world in range(start.worlds):
        for name, rows in start.states.items():
            getattr(datas[0], name)[:] = rows[world]
        mujoco.mj_getState(mjmodel, datas[0], initial[world], kind)
    warm = start.states["qacc_warmstart"]
    pool = mujoco.rollout.Rollout(nthread=threads if threads > 1 else 0)
    # memory for what it returns, so that allocating it does not count
    states = np.zeros((start.worlds, TIMED, initial.shape[1]))
    sensors = np.zeros((start.worlds, TIMED, mjmodel.nsensordata))

    def run() -> int:
        pool.rollout(mjmodel, datas, initial, start.controls, initial_warmstart=warm, state=states, sensordata=sensors)
        return TIMED * start.worlds

    return Contestant(run, lambda: None)


def mujoco_batch(mjmodel: Any, start: Start, threads: int) -> Contestant:
    """`mujoco.batch`: a call for each step of all worlds."""
    batch = mujoco.batch.Batch(mjmodel, nsim=start.worlds, nthread=threads)
    return _stepped(batch, {name: batch.bind(name) for name in (*start.states, "ctrl")}, start)


def phalanx_batch(model: phalanx.Model, start: Start, dtype: str, threads: int) -> Contestant:
    """`BatchSim`: a call for each step of all worlds."""
    batch = phalanx.BatchSim(model, start.worlds, dtype=dtype, threads=threads)
    return _stepped(batch, {name: getattr(batch, name) for name in (*start.states, "ctrl")}, start)


def _stepped(batch: Any, fields: dict[str, np.ndarray], start: Start) -> Contestant:
    def prepare() -> None:
        for name, rows in start.states.items():
            fields[name][:] = rows

    def run() -> int:
        for t in range(TIMED):
            fields["ctrl"][:] = start.controls[:, t]
            batch.step()
        return TIMED * start.worlds

    return Contestant(run, prepare, lambda: fields["qpos"])


@dataclass(frozen=True)
class Way:
    """A column of the tables.

    Attributes:
        label: its heading.
        make: (MuJoCo's model, ours, states, all threads) -> contestant.
        against: ways of MuJoCo that it is compared with, of which the fastest counts; none for those of MuJoCo.
        on_all: does it use all threads?
    """

    label: str
    make: Callable[[Any, phalanx.Model, Start, int], Contestant]
    against: tuple[str, ...] = ()
    on_all: bool = False


_SINGLE, _ALL = ("mj_step", "rollout", "batch"), ("rollout_all", "batch_all")

#: All ways, in the order in which they take turns.
WAYS = {
    "mj_step": Way("`mj_step`", lambda theirs, ours, start, n: mujoco_loop(theirs, start)),
    "one": Way("one world", lambda theirs, ours, start, n: phalanx_loop(ours, start), ("mj_step",)),
    "rollout": Way("`rollout`", lambda theirs, ours, start, n: mujoco_rollout(theirs, start)),
    "batch": Way("`mujoco.batch`", lambda theirs, ours, start, n: mujoco_batch(theirs, start, 1)),
    "f64": Way("f64", lambda theirs, ours, start, n: phalanx_batch(ours, start, "float64", 1), _SINGLE),
    "f32": Way("f32", lambda theirs, ours, start, n: phalanx_batch(ours, start, "float32", 1), _SINGLE),
    "rollout_all": Way("`rollout`", lambda theirs, ours, start, n: mujoco_rollout(theirs, start, n), (), True),
    "batch_all": Way("`mujoco.batch`", lambda theirs, ours, start, n: mujoco_batch(theirs, start, n), (), True),
    "f64_all": Way("f64", lambda theirs, ours, start, n: phalanx_batch(ours, start, "float64", n), _ALL, True),
    "f32_all": Way("f32", lambda theirs, ours, start, n: phalanx_batch(ours, start, "float32", n), _ALL, True),
}
