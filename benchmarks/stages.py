"""Smooth stages of both engines on the humanoid, one by one, and whole forward passes in batches."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mujoco
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import SCENES, random_states
from benchmarks.timing import best_times
from phalanx.pipeline.entries import OPERATION_NUMBER

WORLDS = 256
#: Smooth stages that both engines offer by name.
MUJOCO_STAGES = {
    "kinematics": "mj_kinematics", "com_pos": "mj_comPos", "make_m": "mj_makeM", "factor_m": "mj_factorM",
    "com_vel": "mj_comVel", "passive": "mj_passive", "fwd_position": "mj_fwdPosition", "fwd_velocity": "mj_fwdVelocity",
    "forward": "mj_forward",
}  # fmt: skip


def batch_forward(model: Any, mjmodel: Any, dtype: str) -> Callable[[], int]:
    """A contestant: forward passes of a batch on one thread."""
    qpos, qvel, ctrl = random_states(mjmodel, WORLDS)
    batch = phalanx.BatchSim(model, WORLDS, dtype=dtype, threads=1)
    batch.qpos[:], batch.qvel[:], batch.ctrl[:] = qpos, qvel, ctrl
    batch.forward()

    def run() -> int:
        for _ in range(10):
            batch.forward()
        return 10 * WORLDS

    return run


def bench_stages(console: Console, rounds: int) -> None:
    """Smooth stages of one world, one by one, and forward in lanes.

    What a call from Python costs is shown, and not subtracted.
    """
    mjmodel = SCENES[0].load()
    if mjmodel is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
        model = phalanx.Model.from_mujoco(mjmodel)
        data = model.make_data()
    qpos, qvel, _ = random_states(mjmodel, 1)
    mjdata = mujoco.MjData(mjmodel)
    mjdata.qpos[:], mjdata.qvel[:] = qpos[0], qvel[0]
    data.qpos, data.qvel = qpos[0], qvel[0]
    mujoco.mj_forward(mjmodel, mjdata)
    data.forward()
    assert set(MUJOCO_STAGES) <= set(OPERATION_NUMBER)

    def repeat(function: Callable[[], Any], count: int = 2000) -> Callable[[], int]:
        def run() -> int:
            for _ in range(count):
                function()
            return count

        return run

    contestants: dict[str, Callable[[], int]] = {}
    for stage, name in MUJOCO_STAGES.items():
        theirs = getattr(mujoco, name)
        contestants[f"mujoco {stage}"] = repeat(lambda theirs=theirs: theirs(mjmodel, mjdata))
        contestants[f"phalanx {stage}"] = repeat(lambda stage=stage: data.run(stage))
    contestants["mujoco call"] = repeat(lambda: mujoco.mj_version())
    contestants["phalanx call"] = repeat(lambda: data.run("step", 0))
    for dtype in ("float64", "float32"):
        contestants[dtype] = batch_forward(model, mjmodel, dtype)
    times = best_times(contestants, rounds)
    table = Table(title="smooth stages of the humanoid, one world, called from Python, microseconds")
    for column in ("stage", "MuJoCo", "Phalanx", "ratio"):
        table.add_column(column, justify="left" if column == "stage" else "right")
    for stage in ("call", *MUJOCO_STAGES):
        theirs, ours = times[f"mujoco {stage}"], times[f"phalanx {stage}"]
        table.add_row(stage, f"{1e6 * theirs:.2f}", f"{1e6 * ours:.2f}", f"{theirs / ours:.2f}x")
    for dtype in ("float64", "float32"):
        theirs, ours = times["mujoco forward"], times[dtype]
        table.add_row(f"forward, batch {dtype}", f"{1e6 * theirs:.2f}", f"{1e6 * ours:.2f}", f"{theirs / ours:.2f}x")
    console.print(table)
