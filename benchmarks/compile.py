"""Compile times of model files, next to MuJoCo's.

Both engines remember assets. Four cases, each in turns with MuJoCo in the same situation:

- cold: nothing is remembered, neither in memory nor on disk.
- new process: Phalanx finds processed meshes on disk; MuJoCo, which keeps them in memory only, starts cold.
- edited: the model file has changed, its meshes and pictures are in the memory of both.
- again: nothing has changed since the last time in the same process.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import mujoco
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import models_folder
from phalanx.compiler.asset import heightfield_asset, texture_asset, texture_builtin
from phalanx.compiler.text import files
from phalanx.mesh import cache
from phalanx.world import model_memory

PUBLIC = {
    "humanoid": ("dm_control", "suite/humanoid.xml"), "walker": ("dm_control", "suite/walker.xml"),
    "quadruped": ("dm_control", "suite/quadruped.xml"), "ant": ("gymnasium", "envs/mujoco/assets/ant.xml"),
    "hopper": ("gymnasium", "envs/mujoco/assets/hopper.xml"),
}  # fmt: skip
ROBOTS = (
    "skydio_x2/x2", "kuka_iiwa_14/iiwa14", "robotiq_2f85/2f85", "wonik_allegro/right_hand", "shadow_hand/right_hand",
    "google_barkour_vb/barkour_vb", "agility_cassie/cassie", "trs_so_arm100/so_arm100", "trossen_wx250s/wx250s",
    "bitcraze_crazyflie_2/cf2", "iit_softfoot/softfoot",
)  # fmt: skip
CASES = ("cold", "new process", "edited", "again")


def model_files() -> Iterator[tuple[str, Path]]:
    """Names and files of the models that are there."""
    for name, (package, file) in PUBLIC.items():
        spec = find_spec(package)
        if spec is not None and spec.origin:
            yield name, Path(spec.origin).parent / file
    for robot in ROBOTS:
        path = models_folder() / "menagerie" / f"{robot}.xml"
        if path.exists():
            yield robot.split("/")[0], path


def forget(case: str, folder: Path) -> None:
    """Bring both engines to the situation of a case."""
    if case != "again":
        model_memory.clear()
    if case in ("cold", "new process"):
        cache.clear_memory()
        files.forget_files()
        heightfield_asset._heights.cache_clear()
        texture_asset._picture.cache_clear()
        texture_asset._pattern.cache_clear()
        texture_builtin.random_dots.cache_clear()
        mujoco.mj_clearCache(mujoco.mj_getCache())
    if case == "cold":
        for entry in folder.glob("*"):
            entry.unlink()


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compile_times(path: Path, rounds: int, at_least: float = 0.0) -> dict[str, tuple[float, float]]:
    """Case -> best seconds of MuJoCo and of Phalanx in so many rounds, and more until `at_least` seconds are over."""
    best = dict.fromkeys(CASES, (float("inf"), float("inf")))
    with tempfile.TemporaryDirectory() as name, mock.patch.object(cache, "folder", lambda: Path(name)):
        phalanx.load(path)
        mujoco.MjModel.from_xml_path(str(path))
        start, done = time.perf_counter(), 0
        while done < rounds or time.perf_counter() - start < at_least:
            done += 1
            for case in CASES:
                times = []
                for load in (lambda: mujoco.MjModel.from_xml_path(str(path)), lambda: phalanx.load(path)):
                    forget(case, Path(name))
                    times.append(seconds(load))
                best[case] = tuple(map(min, zip(best[case], times, strict=True)))  # type: ignore[assignment]
                # both remember everything now
                mujoco.MjModel.from_xml_path(str(path))
    return best


def bench_compile(console: Console, names: list[str], rounds: int) -> None:
    """Milliseconds of MuJoCo and of Phalanx, and how many times longer Phalanx takes."""
    table = Table(title="compile times, milliseconds: MuJoCo, Phalanx (ratio)")
    for column in ("model", *CASES):
        table.add_column(column, justify="left" if column == "model" else "right")
    for name, path in model_files():
        if not names or name in names:
            # small models take less than what disturbs them on a busy machine
            times = compile_times(path, max(2, rounds // 3), at_least=2.0)
            cells = [f"{1e3 * theirs:.1f}, {1e3 * ours:.1f} ({ours / theirs:.1f}x)" for theirs, ours in times.values()]
            table.add_row(name, *cells)
    console.print(table)


if __name__ == "__main__":
    bench_compile(Console(width=140), [], 5)
