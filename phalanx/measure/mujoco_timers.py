"""MuJoCo's own timers, as phases that can be laid beside ours."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx.measure.controls import HOLD, random_controls
from phalanx.measure.step_stages import REST

#: How often the same steps are measured; the shortest time of each phase counts, as it does of our stages.
RUNS = 3
#: Phase -> MuJoCo's timers that make it up.
TIMERS: dict[str, tuple[str, ...]] = {
    "kinematics": ("POS_KINEMATICS",),
    "inertia": ("POS_INERTIA",),
    "collision": ("POS_COLLISION",),
    "constraint rows": ("POS_MAKE", "POS_PROJECT"),
    "velocity": ("VELOCITY",),
    "actuation": ("ACTUATION",),
    "constraint solver": ("CONSTRAINT",),
    "integration": ("ADVANCE",),
}


def mujoco_phases(mujoco: Any, mjmodel: Any, key: int | None, steps: int, seed: int) -> dict[str, float]:
    """Seconds of each phase of a step by MuJoCo's timers, and of the whole step without them.

    Args:
        mujoco: the package.
        mjmodel: its model.
        key: id of the keyframe to start from.
        steps: how many.
        seed: of the random controls.
    """
    clock = ctypes.CFUNCTYPE(ctypes.c_double)(time.perf_counter)
    # a clock that Python reads takes time, too: each timer has read it once while it ran
    cost = _cost_of(clock)
    runs = []
    before = mujoco.get_mjcb_time()
    mujoco.set_mjcb_time(clock)
    try:
        for _ in range(RUNS):
            data = mujoco.MjData(mjmodel)
            simulate(mujoco, mjmodel, data, key, steps, seed)
            runs.append(_phases(mujoco.mjtTimer, data, cost))
    finally:
        mujoco.set_mjcb_time(before)
    found = {phase: min(run[phase] for run in runs) for phase in TIMERS}
    data = mujoco.MjData(mjmodel)
    step = min(simulate(mujoco, mjmodel, data, key, steps, seed) for _ in range(RUNS)) / steps
    return {**found, REST: step - sum(found.values()), "step": step}


def _phases(timers: Any, data: Any, cost: float) -> dict[str, float]:
    """Mean seconds of each phase since the timers of a Data began."""
    return {
        phase: sum(_mean(data.timer[getattr(timers, f"mjTIMER_{name}")], cost) for name in names)
        for phase, names in TIMERS.items()
    }


def simulate(mujoco: Any, mjmodel: Any, data: Any, key: int | None, steps: int, seed: int) -> float:
    """The seconds that some steps with random controls take."""
    rng, hold = np.random.default_rng(seed), max(1, round(HOLD / mjmodel.opt.timestep))
    mujoco.mj_resetData(mjmodel, data)
    if key is not None:
        mujoco.mj_resetDataKeyframe(mjmodel, data, key)
    seconds = 0.0
    for first in range(0, steps, hold):
        data.ctrl[:] = random_controls(mjmodel, rng)
        began = time.perf_counter()
        mujoco.mj_step(mjmodel, data, min(hold, steps - first))
        seconds += time.perf_counter() - began
    return seconds


def _mean(timer: Any, cost: float) -> float:
    return max(float(timer.duration) / max(int(timer.number), 1) - cost, 0.0)


def _cost_of(clock: Any) -> float:
    """Seconds that one reading of a clock takes when foreign code asks for it."""
    times: Sequence[float] = [clock() for _ in range(2000)]
    return float(np.median(np.diff(times)))
