"""New parameters of some worlds before each step, as at the resets of episodes, beside the step itself."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import STEP_SCENES

SCENES = ("humanoid", "quadruped")
WORLDS = 4096
#: Part of the worlds that get new parameters.
PART = 0.01
#: Steps before the measurement, until bodies lie on the ground.
WARM = 50
#: Fields that change.
FIELDS = ("body_mass", "geom_friction")


def randomized(model: phalanx.Model, rng: np.random.Generator, k: int) -> dict[str, np.ndarray]:
    """Parameters of k worlds, each field 10 % up or down."""
    values = {name: np.asarray(getattr(model, name)) for name in FIELDS}
    return {name: value * rng.uniform(0.9, 1.1, (k, *value.shape)) for name, value in values.items()}


def measure(model: phalanx.Model, rounds: int) -> dict[str, float]:
    """Best seconds of each: making the batch, a step, new parameters of a part of the worlds, and of all."""
    rng, best = np.random.default_rng(0), dict.fromkeys(("step", "part", "all"), np.inf)

    def timed(name: str, function: Any, *arguments: Any, **options: Any) -> None:
        start = time.perf_counter()
        function(*arguments, **options)
        best[name] = min(best[name], time.perf_counter() - start)

    start = time.perf_counter()
    batch = phalanx.BatchSim(model, WORLDS, vary=randomized(model, rng, WORLDS))
    best["make"] = time.perf_counter() - start
    batch.step(WARM)
    for _ in range(5 * rounds):
        mask = rng.uniform(size=WORLDS) < PART
        timed("part", batch.set_vary, mask, **randomized(model, rng, int(mask.sum())))
        timed("step", batch.step)
    for _ in range(rounds):
        timed("all", batch.set_vary, np.ones(WORLDS, bool), **randomized(model, rng, WORLDS))
    return best


def bench_vary(console: Console, names: list[str], rounds: int) -> None:
    """Milliseconds, on all threads."""
    table = Table(title=f"new {' and '.join(FIELDS)} in {WORLDS} worlds, milliseconds on all threads (part of a step)")
    for column in ("scene", "make the batch", "step", f"set_vary, {PART:.0%} of the worlds", "set_vary, all worlds"):
        table.add_column(column, justify="left" if column == "scene" else "right")
    for scene in STEP_SCENES:
        mjmodel = scene.load_whole() if scene.name in SCENES and (not names or scene.name in names) else None
        if mjmodel is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
            times = measure(phalanx.Model.from_mujoco(mjmodel), rounds)
        cells = [f"{1e3 * times[name]:.2f}" for name in ("make", "step")]
        cells += [f"{1e3 * times[name]:.2f} ({times[name] / times['step']:.1%})" for name in ("part", "all")]
        table.add_row(scene.name, *cells)
    console.print(table)
