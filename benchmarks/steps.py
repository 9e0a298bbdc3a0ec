"""Whole steps under random controls, with all constraints, of both engines from the same states.

Worlds start where MuJoCo has brought them from the first keyframe (or qpos0) in 50 to 150 steps of random controls,
each with its own; then a new control is set before each of TIMED steps. Contestants: `mj_step` called in a loop,
`mujoco.rollout` and `mujoco.batch`, `Data.step`, batches in both precisions; on one thread, and some on all.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import mujoco.batch
import mujoco.rollout
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import STEP_SCENES
from benchmarks.timing import best_own_times

WORLDS, TIMED = 256, 20
#: Steps of the worlds before the measurement: at least, at most.
WARM = (50, 150)
#: Worlds that are stepped in a loop of Python.
LOOPED = 32
#: Above this many dofs there are fewer worlds.
LARGE, FEW = 100, 16


@dataclass(frozen=True)
class Start:
    """States of all worlds, and the controls of the steps that are timed."""

    states: dict[str, np.ndarray]
    controls: np.ndarray

    @property
    def worlds(self) -> int:
        return len(self.controls)


def random_controls(mjmodel: Any, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    low, high = np.where(mjmodel.actuator_ctrllimited[:, None], mjmodel.actuator_ctrlrange, [[-1.0, 1.0]]).T
    return rng.uniform(low, high, (*shape, mjmodel.nu))


def make_start(mjmodel: Any) -> Start:
    rng, data = np.random.default_rng(0), mujoco.MjData(mjmodel)
    worlds = WORLDS if mjmodel.nv <= LARGE else FEW
    found: dict[str, list[np.ndarray]] = {name: [] for name in ("qpos", "qvel", "act", "qacc_warmstart")}
    for _ in range(worlds):
        mujoco.mj_resetDataKeyframe(mjmodel, data, 0) if mjmodel.nkey else mujoco.mj_resetData(mjmodel, data)
        for _ in range(int(rng.integers(*WARM))):
            data.ctrl[:] = random_controls(mjmodel, rng, ())
            mujoco.mj_step(mjmodel, data)
        for name, rows in found.items():
            rows.append(np.array(getattr(data, name)))
    controls = random_controls(mjmodel, rng, (worlds, TIMED))
    return Start({name: np.array(rows) for name, rows in found.items()}, controls)


# --- contestants: each returns how many steps it took, and notes the seconds that they took


def timed(run: Callable[[], int], prepare: Callable[[], None]) -> Callable[[], int]:
    """Run after preparing; only the run counts."""

    def contestant() -> int:
        prepare()
        start = time.perf_counter()
        steps = run()
        contestant.seconds = time.perf_counter() - start  # type: ignore[attr-defined]
        return steps

    contestant()
    return contestant


def mujoco_loop(mjmodel: Any, start: Start) -> Callable[[], int]:
    datas = [mujoco.MjData(mjmodel) for _ in range(min(LOOPED, start.worlds))]

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

    return timed(run, prepare)


def phalanx_loop(model: phalanx.Model, start: Start) -> Callable[[], int]:
    datas = [model.make_data() for _ in range(min(LOOPED, start.worlds))]

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

    return timed(run, prepare)


def mujoco_rollout(mjmodel: Any, start: Start) -> Callable[[], int]:
    data, kind = mujoco.MjData(mjmodel), mujoco.mjtState.mjSTATE_FULLPHYSICS
    initial = np.zeros((start.worlds, mujoco.mj_stateSize(mjmodel, kind)))
    for world in range(start.worlds):
        for name, rows in start.states.items():
            getattr(data, name)[:] = rows[world]
        mujoco.mj_getState(mjmodel, data, initial[world], kind)
    warm = start.states["qacc_warmstart"]

    def run() -> int:
        mujoco.rollout.rollout(mjmodel, data, initial, start.controls, initial_warmstart=warm, skip_checks=False)
        return TIMED * start.worlds

    return timed(run, lambda: None)


def mujoco_batch(mjmodel: Any, start: Start, threads: int) -> Callable[[], int]:
    batch = mujoco.batch.Batch(mjmodel, nsim=start.worlds, nthread=threads)
    return timed(*batch_functions(batch, {name: batch.bind(name) for name in (*start.states, "ctrl")}, start))


def phalanx_batch(model: phalanx.Model, start: Start, dtype: str, threads: int) -> Callable[[], int]:
    batch = phalanx.BatchSim(model, start.worlds, dtype=dtype, threads=threads)
    return timed(*batch_functions(batch, {name: getattr(batch, name) for name in (*start.states, "ctrl")}, start))


def batch_functions(batch: Any, fields: dict[str, np.ndarray], start: Start) -> tuple[Any, Any]:
    def prepare() -> None:
        for name, rows in start.states.items():
            fields[name][:] = rows

    def run() -> int:
        for t in range(TIMED):
            fields["ctrl"][:] = start.controls[:, t]
            batch.step()
        return TIMED * start.worlds

    return run, prepare


# --- the table


def contestants(mjmodel: Any, threads: int) -> dict[str, Callable[[], int]]:
    start, model = make_start(mjmodel), phalanx.Model.from_mujoco(mjmodel)
    return {
        "mj_step": mujoco_loop(mjmodel, start),
        "rollout": mujoco_rollout(mjmodel, start),
        "mujoco.batch": mujoco_batch(mjmodel, start, 1),
        "one world": phalanx_loop(model, start),
        "f64": phalanx_batch(model, start, "float64", 1),
        "f32": phalanx_batch(model, start, "float32", 1),
        f"mujoco.batch, {threads} threads": mujoco_batch(mjmodel, start, threads),
        f"f64, {threads} threads": phalanx_batch(model, start, "float64", threads),
    }


def bench_steps(console: Console, names: list[str], rounds: int) -> None:
    """Microseconds per step of one world; how many times faster than the fastest way of MuJoCo on as many threads."""
    threads = phalanx.batch.threads.available_threads()
    table = Table(title="whole steps, microseconds per step of one world (times faster than the best of MuJoCo)")
    for scene in STEP_SCENES:
        mjmodel = scene.load_whole() if not names or scene.name in names else None
        if mjmodel is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
            times = best_own_times(contestants(mjmodel, threads), rounds)
        if not table.columns:
            for column in ("scene", "nv", *times):
                table.add_column(column, justify="left" if column == "scene" else "right")
        single = min(times[name] for name in ("mj_step", "rollout", "mujoco.batch"))
        reference = {
            "one world": times["mj_step"], "f64": single, "f32": single,
            f"f64, {threads} threads": times[f"mujoco.batch, {threads} threads"],
        }  # fmt: skip
        cells = [
            f"{1e6 * t:.2f}" + (f" ({reference[name] / t:.2f}x)" if name in reference else "")
            for name, t in times.items()
        ]
        table.add_row(scene.name, str(mjmodel.nv), *cells)
    console.print(table)
