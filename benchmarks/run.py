"""`make bench`: ratios of Phalanx to MuJoCo, measured in turns.

Every number is the best of several rounds; in each round all contestants run one after the other, so that a slow phase
of the machine hits them alike. Times are microseconds per step of one world on one core.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable
from typing import Any

os.environ.setdefault("MUJOCO_GL", "disable")

import mujoco
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.broadphase import bench_broadphase
from benchmarks.collision import bench_collision
from benchmarks.compile import bench_compile
from benchmarks.hooks import bench_hooks
from benchmarks.scenes import SCENES, random_states
from benchmarks.start import bench_start
from benchmarks.steps import bench_steps
from benchmarks.timing import ROUNDS, best_times
from benchmarks.vary import bench_vary
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", help="names of scenes; all if none is given")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--no-start", action="store_true", help="skip the start-up times, which compile anew")
    arguments = parser.parse_args()
    console = Console(width=140)
    bench_steps(console, arguments.scenes, arguments.rounds)
    bench_stages(console, arguments.rounds)
    bench_collision(console, arguments.scenes, arguments.rounds)
    bench_broadphase(console, arguments.scenes, arguments.rounds)
    bench_compile(console, arguments.scenes, arguments.rounds)
    bench_vary(console, arguments.scenes, arguments.rounds)
    if not arguments.scenes or "humanoid" in arguments.scenes:
        bench_hooks(console, arguments.rounds)
    if not arguments.no_start:
        bench_start(console)


if __name__ == "__main__":
    main()
