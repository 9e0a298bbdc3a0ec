"""What a call from Python costs where the physics takes next to nothing: a pendulum, beside MuJoCo.

`python -m benchmarks.calls` prints this table alone.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("MUJOCO_GL", "disable")

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.timing import ROUNDS, best_times

PENDULUM = """<mujoco><worldbody><body name="bob"><joint name="hinge" axis="0 1 0"/>
<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body></worldbody></mujoco>"""
#: Worlds of the batch: one lane group.
WORLDS = 8
#: How many times a call is repeated in a round: enough for the clock, not more.
REPEATS = 300

Pair = tuple[Callable[[], Any], Callable[[], Any] | None]


def calls() -> dict[str, Pair]:
    """Calls by name: ours, and MuJoCo's of the same meaning, if there is one."""
    model, mjmodel = phalanx.Model.from_xml_string(PENDULUM), mujoco.MjModel.from_xml_string(PENDULUM)
    data, mjdata, kept = model.make_data(), mujoco.MjData(mjmodel), mujoco.MjData(mjmodel)
    batch = phalanx.BatchSim(model, WORLDS)
    snapshot, state = data.snapshot(), data.get_state()
    sig = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    vector = np.zeros(mujoco.mj_stateSize(mjmodel, sig))
    mujoco.mj_getState(mjmodel, mjdata, vector, sig)

    def set_mujoco() -> None:
        mujoco.mj_setState(mjmodel, mjdata, vector, sig)

    return {
        "data.step()": (data.step, lambda: mujoco.mj_step(mjmodel, mjdata)),
        f"batch.step() of {WORLDS} worlds": (batch.step, None),
        "data.forward()": (data.forward, lambda: mujoco.mj_forward(mjmodel, mjdata)),
        "data.reset()": (data.reset, lambda: mujoco.mj_resetData(mjmodel, mjdata)),
        "data.snapshot()": (data.snapshot, lambda: mujoco.mj_copyData(kept, mjmodel, mjdata)),
        "data.restore(snapshot)": (lambda: data.restore(snapshot), lambda: mujoco.mj_copyData(mjdata, mjmodel, kept)),
        "data.get_state()": (data.get_state, lambda: mujoco.mj_getState(mjmodel, mjdata, vector, sig)),
        "data.set_state(state)": (lambda: data.set_state(state), set_mujoco),
        "data.qpos": (lambda: data.qpos, lambda: mjdata.qpos),
        "data.time": (lambda: data.time, lambda: mjdata.time),
        'data.body("bob").xpos': (lambda: data.body("bob").xpos, lambda: mjdata.body("bob").xpos),
        'data.joint("hinge").qpos': (lambda: data.joint("hinge").qpos, lambda: mjdata.joint("hinge").qpos),
    }  # fmt: skip


def repeated(function: Callable[[], Any]) -> Callable[[], int]:
    """A contestant: a call, again and again."""

    def run() -> int:
        for _ in range(REPEATS):
            function()
        return REPEATS

    return run


def measure(rounds: int) -> dict[str, tuple[float, float | None]]:
    """Best microseconds of each call: ours, and MuJoCo's."""
    contestants, pairs = {}, calls()
    for name, (ours, theirs) in pairs.items():
        contestants[name] = repeated(ours)
        if theirs is not None:
            contestants[f"mujoco {name}"] = repeated(theirs)
    times = {name: 1e6 * seconds for name, seconds in best_times(contestants, rounds).items()}
    return {name: (times[name], times.get(f"mujoco {name}")) for name in pairs}


def bench_calls(console: Console, rounds: int) -> None:
    """The table of calls."""
    table = Table(title="calls from Python on a pendulum, microseconds")
    for column in ("call", "MuJoCo", "Phalanx"):
        table.add_column(column, justify="left" if column == "call" else "right")
    for name, (ours, theirs) in measure(rounds).items():
        table.add_row(name, "" if theirs is None else f"{theirs:.2f}", f"{ours:.2f}")
    console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5 * ROUNDS)
    bench_calls(Console(width=140), parser.parse_args().rounds)
