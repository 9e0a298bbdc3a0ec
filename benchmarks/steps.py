"""Whole steps of both engines from the same states, with all constraints and sensors: every row of `cases.py`.

Besides times, a row says how many contacts and constraint rows a world has, how many standing robots still stand, and
how far the joint positions of both engines are apart after the timed steps: both did the same work.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import mujoco
import numpy as np

import phalanx
from benchmarks.cases import Case
from benchmarks.contestants import WAYS, Contestant
from benchmarks.regimes import TIMED, Start, make_start, standing_share
from benchmarks.timing import best_own_times

__all__ = ["TIMED", "Start", "compare", "make_start", "measure"]

#: Rounds of each row at least, and the seconds that they fill.
ROUNDS, SECONDS = 3, 4.0

Record = dict[str, Any]


def describe(mjmodel: Any, start: Start) -> Record:
    """Size of the model, and the mean numbers of contacts and constraint rows of a world."""
    data, contacts, rows = mujoco.MjData(mjmodel), [], []
    for world in range(start.worlds):
        for name, values in start.states.items():
            getattr(data, name)[:] = values[world]
        mujoco.mj_forward(mjmodel, data)
        contacts.append(data.ncon)
        rows.append(data.nefc)
    return {
        "nv": int(mjmodel.nv), "worlds": start.worlds, "timestep": float(mjmodel.opt.timestep),
        "contacts": round(float(np.mean(contacts)), 1), "rows": round(float(np.mean(rows)), 1),
    }  # fmt: skip


def differences(contestants: dict[str, Contestant]) -> dict[str, float]:
    """How far batches are from MuJoCo's after the timed steps, in the median world: largest difference in qpos."""
    theirs = contestants["batch"].positions()
    found = {}
    for way in ("f64", "f32"):
        apart = np.abs(contestants[way].positions() - theirs).max(axis=1)
        found[way] = float(f"{np.median(apart):.1e}")
    return found


def compare(mjmodel: Any, start: Start, threads: int, rounds: int = ROUNDS, seconds: float = 0.0) -> Record:
    """Best seconds per step of each way in rounds that take turns, and how far the results are apart."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
        model = phalanx.Model.from_mujoco(mjmodel)
        contestants = {name: way.make(mjmodel, model, start, threads) for name, way in WAYS.items()}
        times = best_own_times(contestants, rounds, seconds)
    return {"times": {name: float(f"{t:.4g}") for name, t in times.items()}, "apart": differences(contestants)}


def measure(
    cases: Iterable[Case], threads: int, runs: int, seconds: float, done: Callable[[Case, Record], None]
) -> list[str]:
    """Measure rows, all of them `runs` times over; `done` gets a row after each of its runs.

    Returns:
        Names of the scenes whose models are not there.
    """
    missing: list[str] = []
    records: dict[str, Record] = {}
    for run in range(runs):
        for case in cases:
            mjmodel = case.load()
            if mjmodel is None:
                missing += [case.scene] if run == 0 and case.scene not in missing else []
                continue
            start = case.start(mjmodel)
            found = compare(mjmodel, start, threads, seconds=seconds)
            # every run of a row is kept, so that the page can tell how far they are apart
            record = records.setdefault(case.key, describe(mjmodel, start) | {"runs": []})
            record["runs"].append(found["times"])
            record["apart"] = found["apart"]
            if case.regime == "standing":
                record["standing"] = standing_share(mjmodel, start, case.law)
            done(case, record)
    return missing
