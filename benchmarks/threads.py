"""Batches of many sizes on one thread and on all, and what a world takes in memory.

Worlds start as they fall in `regimes.py` and get new controls before each step, as in a loop of learning. No two worlds
that may come into the same lane group are equal: such a group would have the rows of one world, and be fast. On a
machine that does other work the ratio of threads means little: wait until it is quiet. `python -m benchmarks.threads`
prints this table alone.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from typing import Any

os.environ.setdefault("MUJOCO_GL", "disable")

import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.regimes import TIMED, Start, make_start
from benchmarks.scenes import BY_NAME
from phalanx.batch.arrange import BLOCK
from phalanx.native.threads import available_threads

SCENES = ("half_cheetah", "ant", "humanoid")
SIZES = (32, 256, 4096, 65536)
#: How long a round should take at least: threads that have slept since the last one are woken at its start [s].
ROUND = 0.02
#: How long all rounds of a size take at least [s].
SECONDS = 2.0


class Contestant:
    """A batch on some threads.

    Args:
        model: the model.
        start: states and controls.
        n: how many worlds.
        threads: how many threads.
    """

    def __init__(self, model: phalanx.Model, start: Start, n: int, threads: int):
        self._batch = phalanx.BatchSim(model, n, threads=threads)
        # worlds are sorted within blocks, so beyond a block they may come again
        worlds = np.arange(n) % start.worlds
        self._states = {name: rows[worlds] for name, rows in start.states.items()}
        steps = TIMED if n <= 4096 else 2
        self._controls = [np.ascontiguousarray(start.controls[worlds, t]) for t in range(steps)]
        self.nbytes = self._batch.nbytes
        self.best = np.inf
        self.run()
        self._repeats = max(1, int(ROUND / (self.best * n * steps)))
        self.best = np.inf

    _repeats = 1

    def run(self) -> None:
        """A round: steps under random controls from the same states; the best time of a world counts."""
        batch, ctrl = self._batch, self._batch.ctrl
        for name, rows in self._states.items():
            getattr(batch, name)[:] = rows
        began = time.perf_counter()
        for _ in range(self._repeats):
            for controls in self._controls:
                ctrl[:] = controls
                batch.step()
        seconds = time.perf_counter() - began
        self.best = min(self.best, seconds / (batch.n * len(self._controls) * self._repeats))


def measure(model: phalanx.Model, start: Start, n: int, threads: int) -> tuple[float, float, float]:
    """Best seconds of a step of a world, on one thread and on several; bytes that a world adds."""
    contestants = [Contestant(model, start, n, count) for count in (1, threads)]
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        for contestant in contestants:
            contestant.run()
    few = phalanx.BatchSim(model, 8, threads=1)
    few.step()
    nbytes = (contestants[0].nbytes - few.nbytes) / (n - 8)
    return contestants[0].best, contestants[1].best, nbytes


def bench_threads(console: Console, names: list[str], sizes: tuple[int, ...] = SIZES) -> None:
    """Microseconds per step of one world."""
    threads = available_threads()
    table = Table(title="batches of n worlds, microseconds per step of one world, f64")
    for column in ("scene", "n", "1 thread", f"{threads} threads", "ratio", "kB per world"):
        table.add_column(column, justify="left" if column == "scene" else "right")
    for name in SCENES:
        mjmodel: Any = BY_NAME[name].load_whole() if not names or name in names else None
        if mjmodel is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
            model, start = phalanx.Model.from_mujoco(mjmodel), make_start(mjmodel, worlds=BLOCK)
            for n in sizes:
                one, all_threads, nbytes = measure(model, start, n, threads)
                cells = (f"{1e6 * one:.2f}", f"{1e6 * all_threads:.2f}", f"{one / all_threads:.2f}x")
                table.add_row(name, str(n), *cells, f"{nbytes / 1e3:.2f}")
    console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", help="names of scenes; all if none is given")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="how many worlds")
    arguments = parser.parse_args()
    bench_threads(Console(width=140), arguments.scenes, tuple(arguments.sizes))
