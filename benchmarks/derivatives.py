"""Derivatives of a step on one core: ours, by finite differences in lanes and exact, and MuJoCo's mjd_transitionFD."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.regimes import STATES, small_controls
from benchmarks.scenes import BY_NAME
from benchmarks.timing import best_times

SCENES = ("humanoid", "own_humanoid", "quadruped", "own_quadruped", "half_cheetah", "iiwa14", "shadow_hand")
EPS = 1e-6
#: States of which derivatives are taken, and how often each contestant has its turn in a round.
STARTS, TURNS = 8, 6
#: Steps from one of these states to the next.
BETWEEN = 60
#: What is compared: with sensors and without, to both sides and to one.
WAYS = {"A B C D": (True, True), "A B": (False, True), "A B, one side": (False, False)}
#: The way that exact derivatives are compared with.
EXACT = "A B C D"


def ours(
    data: phalanx.Data, state: dict[str, np.ndarray], sensors: bool, centered: bool, method: str = "fd"
) -> Callable[[], int]:
    """Derivatives at a state; memory is kept with the Data."""

    def run() -> int:
        for name, values in state.items():
            getattr(data, name)[:] = values
        data.transition(method, eps=EPS, sensors=sensors, centered=centered)
        return 1

    return run


def theirs(model: Any, data: Any, state: dict[str, np.ndarray], sensors: bool, centered: bool) -> Callable[[], int]:
    """The same with MuJoCo."""
    nx, ns = 2 * model.nv + model.na, model.nsensordata
    A, B = np.zeros((nx, nx)), np.zeros((nx, model.nu))
    C, D = (np.zeros((ns, nx)), np.zeros((ns, model.nu))) if sensors else (None, None)

    def run() -> int:
        for name, values in state.items():
            getattr(data, name)[:] = values
        mujoco.mjd_transitionFD(model, data, EPS, centered, A, B, C, D)
        return 1

    return run


def starts(model: Any) -> list[dict[str, np.ndarray]]:
    """States on the way from the first pose, with controls in their range: falling, then lying."""
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    found = []
    for _ in range(STARTS):
        data.ctrl[:] = small_controls(model, rng, ())
        mujoco.mj_step(model, data, BETWEEN)
        found.append({name: getattr(data, name).copy() for name in (*STATES, "ctrl")})
    return found


def bench_derivatives(console: Console, names: list[str], rounds: int) -> None:
    """Milliseconds for the derivatives of one step, one core each, measured in turns."""
    table = Table(title="derivatives of a step by differences and exact, milliseconds on one core (MuJoCo / ours)")
    for column in ("scene", "nv", "columns", *WAYS, f"{EXACT}, exact"):
        table.add_column(column, justify="left" if column == "scene" else "right")
    for name in SCENES:
        mjmodel = BY_NAME[name].load_whole() if not names or name in names else None
        if mjmodel is None:
            continue
        if mjmodel.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            mjmodel.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER  # MuJoCo does not differentiate RK4
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
            model = phalanx.Model.from_mujoco(mjmodel)
        states, data, mjdata = starts(mjmodel), model.make_data(), mujoco.MjData(mjmodel)
        contestants = {}
        for way, options in WAYS.items():
            for k, state in enumerate(states):
                contestants[f"ours {way} {k}"] = ours(data, state, *options)
                contestants[f"theirs {way} {k}"] = theirs(mjmodel, mjdata, state, *options)
        for k, state in enumerate(states):
            contestants[f"exact {EXACT} {k}"] = ours(data, state, *WAYS[EXACT], "hybrid")
        # the best time of each state: a call takes less than a turn of the scheduler
        best = best_times(contestants, TURNS * rounds)
        times = {
            (who, way): sum(best[f"{who} {way} {k}"] for k in range(STARTS)) / STARTS
            for who in ("ours", "theirs")
            for way in WAYS
        }
        exact = sum(best[f"exact {EXACT} {k}"] for k in range(STARTS)) / STARTS
        cells = [
            f"{1e3 * times['theirs', way]:.2f} / {1e3 * times['ours', way]:.2f} "
            f"({times['theirs', way] / times['ours', way]:.2f}x)"
            for way in WAYS
        ]
        cells.append(f"{1e3 * exact:.2f} ({times['theirs', EXACT] / exact:.2f}x)")
        table.add_row(name, str(mjmodel.nv), str(2 * mjmodel.nv + mjmodel.na + mjmodel.nu), *cells)
    console.print(table)


if __name__ == "__main__":
    bench_derivatives(Console(width=160), [], 5)
