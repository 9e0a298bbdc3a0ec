"""What a step costs when most of a scene sleeps: boxes of which ten move, stacks and a crowd that have come to rest.

    python -m benchmarks.sleep [how many boxes ...]

`make bench` measures the scenes of `SCENES` next to MuJoCo; this command the boxes alone, with what it takes to load
them. Steps one by one have to look at what the user may have changed, a hundred at once do so once. Batches have
`WORLDS` worlds of the scene. MuJoCo compiles large scenes slowly: beyond `MOST_FOR_MUJOCO` boxes only our times are
taken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import mujoco
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import BY_NAME

COUNTS = (1000, 10000, 20000)
MOVING = 10
MOST_FOR_MUJOCO = 10000
#: Distance of boxes, and half their size [m].
PITCH, HALF = 0.3, 0.1
ROUNDS, STEPS = 15, 100
#: Worlds of a batch.
WORLDS = 4
#: Speed below which trees of the large scenes fall asleep [m/s].
SLOW = 1e-2


# --- scenes


def boxes(count: int, moving: int) -> str:
    """Boxes on a floor, of which some never sleep, spread evenly; the others sleep from the start."""
    side, every = int(count**0.5) + 1, count // moving
    bodies = []
    for k in range(count):
        moves = k % every == every // 2 and k // every < moving
        place, policy = f"{PITCH * (k % side):g} {PITCH * (k // side):g} {HALF:g}", "never" if moves else "init"
        box = f'<geom type="box" size="{HALF} {HALF} {HALF}"/>'
        bodies.append(f'<body pos="{place}" sleep="{policy}"><freejoint/>{box}</body>')
    flag = '<option><flag sleep="enable"/></option><size memory="2G"/>'
    return f'<mujoco>{flag}<worldbody><geom type="plane" size="1 1 1"/>{"".join(bodies)}</worldbody></mujoco>'


def large(name: str, sleeps: bool) -> Any:
    """MuJoCo's model of a scene of many trees, with or without the flag."""
    mjmodel = BY_NAME[name].load_whole()
    if mjmodel is not None and sleeps:
        mjmodel.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        mjmodel.opt.sleep_tolerance = SLOW
    return mjmodel


@dataclass(frozen=True)
class QuietScene:
    """A row of the table.

    Attributes:
        label: what the row is called.
        load: MuJoCo's model, or None when its file is not there.
        settle: steps before the measurement, in which the scene comes to rest.
    """

    label: str
    load: Callable[[], Any]
    settle: int = STEPS


def _boxes(count: int) -> Callable[[], Any]:
    return lambda: mujoco.MjModel.from_xml_string(boxes(count, MOVING))


SCENES = (
    QuietScene(f"{MOVING} boxes, all moving", _boxes(MOVING)),
    QuietScene(f"{MOST_FOR_MUJOCO} boxes, {MOVING} moving", _boxes(MOST_FOR_MUJOCO)),
    QuietScene("1000 boxes in stacks, asleep", lambda: large("1000_boxes", True), 300),
    QuietScene("1000 boxes in stacks, without the flag", lambda: large("1000_boxes", False), 300),
    # motors keep humanoids awake: what the flag costs where nothing sleeps
    QuietScene("100 humanoids, awake", lambda: large("own_100_humanoids", True)),
    QuietScene("100 humanoids, without the flag", lambda: large("own_100_humanoids", False)),
)


# --- times


def seconds_per_step(runs: dict[str, tuple[Callable[[], Any], int]], rounds: int = ROUNDS) -> dict[str, float]:
    """The best time of a step of each, taken by turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, (run, steps) in runs.items():
            began = perf_counter()
            run()
            best[name] = min(best[name], (perf_counter() - began) / steps)
    return best


def one_by_one(data: phalanx.Data, steps: int = STEPS) -> Callable[[], None]:
    """Steps in calls of their own."""

    def run() -> None:
        for _ in range(steps):
            data.step()

    return run


def measure_scene(scene: QuietScene, mjmodel: Any, rounds: int) -> list[str]:
    """A row of the table: how many trees sleep, and microseconds of a step in all ways."""
    model = phalanx.Model.from_mujoco(mjmodel)
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    data.step(scene.settle)
    mujoco.mj_step(mjmodel, mjdata, scene.settle)
    count = STEPS if data.ntree_awake < model.ntree or model.ntree <= MOVING else STEPS // 10
    runs: dict[str, tuple[Callable[[], Any], int]] = {
        "mujoco": (lambda: mujoco.mj_step(mjmodel, mjdata, count // 10), count // 10),
        "single": (one_by_one(data, count), count),
        "many": (lambda: data.step(count), count),
    }
    for threads in (1, 2):
        batch = phalanx.BatchSim(model, WORLDS, threads=threads)
        batch.step(scene.settle)
        runs[f"batch {threads}"] = (lambda batch=batch: batch.step(count), count * WORLDS)  # type: ignore[misc]
    asleep = model.ntree - int(data.ntree_awake) if model.nsleep else 0
    # short runs are repeated more often: other work on the machine hits them whole
    times = seconds_per_step(runs, rounds if count < STEPS else 5 * rounds)
    return [scene.label, f"{asleep}", *(f"{1e6 * times[name]:.1f}" for name in runs)]


def bench_sleep(console: Console, rounds: int) -> None:
    """Microseconds of a step of one world."""
    table = Table(title="sleep: microseconds per step of one world")
    ways = ("`mj_step`", "`step()`", f"`step({STEPS})`", f"{WORLDS} worlds, 1 thread", f"{WORLDS} worlds, 2 threads")
    for column in ("scene", "asleep", *ways):
        table.add_column(column, justify="left" if column == "scene" else "right")
    for scene in SCENES:
        mjmodel = scene.load()
        if mjmodel is not None:
            table.add_row(*measure_scene(scene, mjmodel, rounds))
    console.print(table)


# --- the command


def measure(count: int) -> tuple[list[str], float]:
    """A row of the table, and the time of a step of many at once [s]."""
    began = perf_counter()
    model = phalanx.Model.from_xml_string(boxes(count, MOVING))
    data = model.make_data()
    loading = perf_counter() - began
    data.step(STEPS)
    runs: dict[str, tuple[Callable[[], Any], int]] = {
        "single": (one_by_one(data), STEPS),
        "many": (lambda: data.step(STEPS), STEPS),
    }
    if count <= MOST_FOR_MUJOCO:
        mjmodel = mujoco.MjModel.from_xml_string(boxes(count, MOVING))
        mjdata = mujoco.MjData(mjmodel)
        mujoco.mj_step(mjmodel, mjdata, STEPS)
        runs["mujoco"] = (lambda: mujoco.mj_step(mjmodel, mjdata, 10), 10)
    times = seconds_per_step(runs)
    theirs = f"{1e6 * times['mujoco']:.0f}" if "mujoco" in times else ""
    memory = f"{(model.nbytes + data.nbytes) / 1e6:.0f}"
    cells = [f"{count}", f"{1e6 * times['single']:.0f}", f"{1e6 * times['many']:.0f}", theirs, f"{loading:.1f}", memory]
    return cells, times["many"]


def main(arguments: list[str]) -> int:
    """Print the table."""
    table = Table(title=f"boxes of which {MOVING} move: microseconds of a step")
    for column in ("boxes", "one by one", f"{STEPS} at once", "MuJoCo", "loading [s]", "memory [MB]", "to those alone"):
        table.add_column(column, justify="right")
    cells, alone = measure(MOVING)
    table.add_row(*cells, "1.0x")
    for count in [int(argument) for argument in arguments] or COUNTS:
        cells, many = measure(count)
        table.add_row(*cells, f"{many / alone:.1f}x")
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
