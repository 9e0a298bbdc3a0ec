"""What a step costs when most of a scene sleeps: many boxes of which ten move, beside those ten alone and MuJoCo.

    python -m benchmarks.sleep [how many boxes ...]

Measured are steps one by one, each of which has to look at what the user may have changed, and a hundred at once.
MuJoCo compiles large scenes slowly: beyond `MOST_FOR_MUJOCO` boxes only our times are taken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import mujoco
from rich.console import Console
from rich.table import Table

import phalanx

COUNTS = (1000, 10000, 20000)
MOVING = 10
MOST_FOR_MUJOCO = 10000
#: Distance of boxes, and half their size [m].
PITCH, HALF = 0.3, 0.1
ROUNDS, STEPS = 15, 100


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


def seconds_per_step(runs: dict[str, tuple[Callable[[], Any], int]]) -> dict[str, float]:
    """The best time of a step of each, taken by turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, (run, steps) in runs.items():
            began = perf_counter()
            run()
            best[name] = min(best[name], (perf_counter() - began) / steps)
    return best


def one_by_one(data: phalanx.Data) -> Callable[[], None]:
    """Steps in calls of their own."""

    def run() -> None:
        for _ in range(STEPS):
            data.step()

    return run


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
