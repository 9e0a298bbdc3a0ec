"""Soak: step many worlds of many models for hours, and look for what only shows after hours.

Usage: python -m tools.soak [--minutes M] [--steps N] [--seed S]

An episode takes a model, a batch of random states and random controls, and steps it with all threads. What must hold:

- other lanes and one thread end in the same bits: a twin of some of the worlds has the same fingerprints;
- nothing is carried over: a fresh Data in the state of a world takes the same next step, with all of its contacts;
- what is not finite is reported: every number of the state is finite, but for worlds that are among the errors;
- nothing leaks: memory does not grow from one round over all models to the next.

Quiet when nothing is found; ends with 1 if something is.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import phalanx
from phalanx.batch.binding import KEPT
from tools import attack_models
from tools.write_fingerprints import load, model_files

#: Small and large, with and without contacts, tendons, muscles, delays, flexes, sleep: what is not installed is left
#: out.
MIX = (
    "own/hinge", "own/contact", "own/everything", "own/tendon_constraints", "own/actuators_with_state",
    "own/sensor_delays", "own/fluid_ellipsoid", "own/equality", "dm_control/pendulum", "dm_control/cheetah",
    "dm_control/humanoid", "dm_control/quadruped", "dm_control/manipulator", "gymnasium/ant", "gymnasium/hopper",
    *(f"attack/{name}" for name in ("cloth", "cells", "rod", "discrete", "cloth asleep", "sleep")),
)  # fmt: skip
#: Lanes of the twin; the batch itself has 8.
TWIN_LANES = (1, 8, 16)
#: Worlds of a batch, of its twin, and worlds whose next step is taken by a fresh Data.
WORLDS, TWINS, FRESH = 512, 24, 4
#: Dofs of a large model.
LARGE = 30
#: Steps between two sets of controls, and sets of an episode, at first; a quick model has longer episodes.
PERIOD, PERIODS = 20, 5
#: Seconds that an episode should take.
EPISODE = 2.0
#: Growth of memory from one round to the next that is no leak: pools of the allocator [bytes].
SLACK = 8 * 2**20
#: Rounds before memory is compared: caches fill.
WARM_ROUNDS = 2


@dataclass
class Soak:
    """What was done, and what was found, one line each."""

    seed: int
    world_steps: int = 0
    episodes: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    contacts: int = 0
    found: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    periods: dict[str, int] = field(default_factory=dict)

    def run(self, models: dict[str, phalanx.Model], seconds: float, steps: int) -> Soak:
        """Take episodes of all models in turns until the time is over or enough steps are taken."""
        end = time.monotonic() + seconds
        rng = np.random.default_rng(self.seed)
        while time.monotonic() < end and self.world_steps < steps:
            for name, model in models.items():
                self.episode(name, model, int(rng.integers(2**32)))
                if time.monotonic() >= end or self.world_steps >= steps:
                    return self
            self.note_memory()
        return self

    def episode(self, name: str, model: phalanx.Model, seed: int) -> None:
        """Step a batch and its twin, and compare."""
        begin = time.monotonic()
        rng = np.random.default_rng(seed)
        lanes = int(rng.choice(TWIN_LANES))
        # large models in fewer worlds
        worlds = WORLDS if model.nv < LARGE else WORLDS // 8
        batch, twin = phalanx.BatchSim(model, worlds, lanes=8), phalanx.BatchSim(model, TWINS, lanes=lanes, threads=1)
        batch.qvel[:] = rng.uniform(-1.0, 1.0, batch.qvel.shape)
        twin.qvel[:] = batch.qvel[:TWINS]
        periods = self.periods.setdefault(name, PERIODS)
        for _ in range(periods):
            self.period(name, batch, twin, rng)
        self.compare(f"{name}, seed {seed}, {lanes} lanes", batch, twin)
        self.compare_fresh(f"{name}, seed {seed}", batch, rng)
        self.episodes += 1
        # episodes of about the same time, whatever the model
        self.periods[name] = int(np.clip(periods * EPISODE / (time.monotonic() - begin), 1, 100 * PERIODS))

    def period(self, name: str, batch: phalanx.BatchSim, twin: phalanx.BatchSim, rng: np.random.Generator) -> None:
        """New controls, some steps; worlds that failed begin anew, in the twin too."""
        batch.ctrl[:] = rng.uniform(-1.0, 1.0, batch.ctrl.shape)
        twin.ctrl[:] = batch.ctrl[:TWINS]
        for sim in (batch, twin):
            sim.step(PERIOD)
        failed = np.array([error is not None for error in batch.errors])
        failed_twin = np.array([error is not None for error in twin.errors])
        if (failed[:TWINS] != failed_twin).any():
            self.found.append(f"{name}: other worlds fail in the twin")
        is_finite = np.ones(batch.n, np.bool_)
        for row in KEPT:
            is_finite &= np.isfinite(getattr(batch, row)).reshape(batch.n, -1).all(axis=1)
        for world in np.flatnonzero(~is_finite & ~failed):
            self.found.append(f"{name}: world {world} is not finite and not reported")
        self.failures[name] += int(failed.sum())
        self.world_steps += PERIOD * (batch.n + twin.n)
        batch.reset_where(failed)
        twin.reset_where(failed_twin)

    def compare(self, where: str, batch: phalanx.BatchSim, twin: phalanx.BatchSim) -> None:
        """Have the worlds of the twin the fingerprints of those of the batch?"""
        for world in range(TWINS):
            if batch.fingerprint(world) != twin.fingerprint(world):
                self.found.append(f"{where}: world {world} differs from its twin")

    def compare_fresh(self, where: str, batch: phalanx.BatchSim, rng: np.random.Generator) -> None:
        """Does a fresh Data take the next step of a world as the batch does?"""
        worlds = rng.choice(batch.n, FRESH, replace=False)
        fresh = [fresh_world(batch, int(world)) for world in worlds]
        batch.step()
        errors = batch.errors
        for world, data in zip(worlds, fresh, strict=True):
            try:
                data.step()
            except phalanx.WorldError:
                if errors[world] is None:
                    self.found.append(f"{where}: world {world} fails only alone")
            self.contacts += int(data.ncon)
            if data.fingerprint() != batch.fingerprint(int(world)):
                self.found.append(f"{where}: world {world} differs from a fresh Data")
        self.world_steps += batch.n + len(worlds)

    def note_memory(self) -> None:
        """Memory of the process after a round; it may not grow any more."""
        gc.collect()
        self.memory.append(resident())
        if len(self.memory) > WARM_ROUNDS + 1 and self.memory[-1] > max(self.memory[WARM_ROUNDS:-1]) + SLACK:
            grown = (self.memory[-1] - self.memory[WARM_ROUNDS]) / 2**20
            self.found.append(f"memory has grown by {grown:.0f} MB after {len(self.memory)} rounds")

    def __str__(self) -> str:
        grown = f"{(self.memory[-1] - self.memory[0]) / 2**20:+.1f} MB" if self.memory else "not measured"
        failed = ", ".join(f"{count} of {name}" for name, count in self.failures.items() if count) or "none"
        return (
            f"{self.world_steps:.3e} world-steps in {self.episodes} episodes, seed {self.seed}: "
            f"{self.failures.total()} worlds ({failed}) failed and were reported, {self.contacts} contacts in fresh "
            f"worlds, memory {grown} over {len(self.memory)} rounds; {len(self.found)} problems"
        )


def fresh_world(batch: phalanx.BatchSim, world: int) -> phalanx.Data:
    """A Data that has done nothing yet, in the state of a world."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data: phalanx.Data = batch.model.make_data()
    for row in KEPT:
        data._store.arrays[row][...] = getattr(batch, row)[world]
    return data


def resident() -> int:
    """Memory of this process [bytes]; 0 where the system does not tell."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 if status.exists() else 0


def mix(names: tuple[str, ...] = MIX) -> dict[str, phalanx.Model]:
    """The models of the mix that there are."""

    def found() -> Iterator[tuple[str, phalanx.Model]]:
        files = model_files()
        for name in names:
            folder, _, own = name.partition("/")
            model = load(files[name]) if name in files else None
            if folder == "attack":
                model = attack_models.model(own)
            if model is not None:
                yield name, model

    return dict(found())


def main(arguments: Any = None) -> int:
    """Soak as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so many minutes")
    parser.add_argument("--steps", type=float, default=1e9, help="stop after so many world-steps")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other states and controls")
    given = parser.parse_args(arguments)
    soak = Soak(given.seed).run(mix(), 60.0 * given.minutes, int(given.steps))
    print(*soak.found, soak, sep="\n")
    return 1 if soak.found else 0


if __name__ == "__main__":
    sys.exit(main())
