"""Soak of sleep: a heap that comes to rest, falls asleep and is disturbed, a million times over.

Usage: python -m tools.soak_sleep [--steps N] [--minutes M] [--seed S]

Boxes, balls and capsules lie in a bin with a lid that mocap moves. Every few hundred steps something disturbs them: a
push, a force for a while, a new place, a visit of the lid, or nothing. What must hold:

- a twin that takes the same steps in other calls, and is now and then a new Data from a snapshot, has the same
  fingerprints;
- lists, counts and stretches agree with who sleeps, and the circles of those that sleep together close;
- what sleeps has no velocity, and stays where it is, bit by bit;
- the heap goes on falling asleep, and stays in the bin;
- nothing grows: memory of the Data, of the process, and counts of warnings.

Quiet when nothing is found; ends with 1 if something is.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import phalanx
from tools.soak import SLACK, resident

#: Bodies of the heap, half the width of the bin, and height of its walls [m].
BODIES, HALF, WALL = 18, 0.35, 1.5
#: Steps between disturbances: at least, at most.
PERIOD = (100, 900)
#: Periods after which the twin begins anew, and memory is looked at.
ROUND = 40
#: Part of the bodies that must sleep at the end of a period, on average over a round.
LEAST_ASLEEP = 0.2
#: Rounds before memory is compared.
WARM_ROUNDS = 3

_SHAPES = ('type="box" size=".06 .05 .04"', 'type="sphere" size=".05"', 'type="capsule" size=".04 .05"')
_WALLS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def heap() -> str:
    """The model file: a bin, a lid that mocap moves, and bodies above the floor; one never sleeps."""
    walls = "".join(
        f'<geom type="box" pos="{HALF * x + 0.05 * x:g} {HALF * y + 0.05 * y:g} {WALL / 2:g}" '
        f'size="{0.05 if x else HALF + 0.1:g} {0.05 if y else HALF + 0.1:g} {WALL / 2:g}"/>'
        for x, y in _WALLS
    )
    bodies = "".join(
        f'<body pos="{0.16 * (k % 3 - 1):g} {0.16 * (k // 3 % 3 - 1):g} {0.08 + 0.14 * (k // 9):g}">'
        f"<freejoint/><geom {_SHAPES[k % len(_SHAPES)]}/></body>"
        for k in range(BODIES)
    )
    lid = '<body name="lid" mocap="true" pos="0 0 3"><geom type="box" size=".1 .1 .02"/></body>'
    pendulum = (
        f'<body pos="0 0 {WALL + 1:g}"><joint axis="0 1 0" damping="1e-3"/>'
        '<geom size=".03" pos="0 0 -.2" contype="0" conaffinity="0"/></body>'
    )
    return (
        '<mujoco><option timestep=".004" sleep_tolerance="1e-3"><flag sleep="enable"/></option>'
        '<default><geom condim="4" friction=".8 .01 .001" solref=".02 1"/></default>'
        f'<worldbody><geom type="plane" size="5 5 .1"/>{walls}{lid}{pendulum}{bodies}</worldbody>'
        "<sensor><subtreecom body='lid'/></sensor></mujoco>"
    )


@dataclass
class SleepSoak:
    """What was done, and what was found, one line each."""

    seed: int
    steps: int = 0
    periods: int = 0
    asleep: list[int] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    disturbed: Counter[str] = field(default_factory=Counter)

    def run(self, steps: int, seconds: float = float("inf")) -> SleepSoak:
        """Step a heap and its twin so often, or until the time is over."""
        end, rng = time.monotonic() + seconds, np.random.default_rng(self.seed)
        model = phalanx.Model.from_xml_string(heap())
        data, twin = model.make_data(), model.make_data()
        while self.steps < steps and time.monotonic() < end and not self.found:
            seed = int(rng.integers(2**32))
            kinds = {disturb(each, np.random.default_rng(seed)) for each in (data, twin)}
            self.disturbed.update(kinds)
            self.period(data, twin, rng)
            if self.periods % ROUND == 0:
                twin = self.look(data, twin)
        return self

    def period(self, data: phalanx.Data, twin: phalanx.Data, rng: np.random.Generator) -> None:
        """Steps of both in calls of different lengths, and what must hold after them."""
        count = int(rng.integers(*PERIOD))
        take(data, count, rng)
        kept, asleep = data.qpos.copy(), data.tree_asleep >= 0
        # one more step: in several, what a neighbor wakes may fall asleep again, elsewhere
        data.step()
        take(twin, count + 1, rng)
        where = f"step {self.steps}, seed {self.seed}"
        still = asleep & (data.tree_asleep >= 0)
        for tree in np.flatnonzero(still):
            rows = positions_of(data.model, int(tree))
            if data.qpos[rows].tobytes() != kept[rows].tobytes():
                self.found.append(f"{where}: tree {tree} moves in its sleep")
        self.found += [f"{where}: {problem}" for problem in problems(data)]
        if data.fingerprint() != twin.fingerprint():
            self.found.append(f"{where}: the twin differs")
        self.steps += count + 1
        self.periods += 1
        self.asleep.append(int(still.sum()))

    def look(self, data: phalanx.Data, twin: phalanx.Data) -> phalanx.Data:
        """Memory, counts of warnings, whether the heap still sleeps at times; and a new twin from a snapshot."""
        gc.collect()
        self.memory.append(resident())
        self.sizes.append(int(data.nbytes))
        if len(self.memory) > WARM_ROUNDS + 1 and self.memory[-1] > max(self.memory[WARM_ROUNDS:-1]) + SLACK:
            self.found.append(f"step {self.steps}: the process has {self.memory[-1] / 2**20:.0f} MB")
        if data.warning_number.any():
            self.found.append(f"step {self.steps}: warnings {data.warning_number.tolist()}")
        if share(self.asleep[-ROUND:]) < LEAST_ASLEEP:
            self.found.append(f"step {self.steps}: the heap does not fall asleep any more")
        fresh: phalanx.Data = data.model.make_data()
        fresh.restore(data.snapshot())
        if fresh.fingerprint() != twin.fingerprint():
            self.found.append(f"step {self.steps}: a snapshot differs from the twin")
        return fresh

    def __str__(self) -> str:
        grown = f"{(self.memory[-1] - self.memory[0]) / 2**20:+.1f} MB" if self.memory else "not measured"
        data = f"{self.sizes[0] / 1e6:.2f} to {self.sizes[-1] / 1e6:.2f} MB" if self.sizes else "not measured"
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.disturbed.items()))
        asleep = f"{share(self.asleep):.0%} ({share(self.asleep[:ROUND]):.0%} in the first {ROUND}, "
        asleep += f"{share(self.asleep[-ROUND:]):.0%} in the last)"
        return (
            f"{self.steps} steps in {self.periods} periods, seed {self.seed} ({kinds}): of the bodies {asleep} "
            f"sleep at the end of a period, memory of the Data {data}, of the process {grown}; "
            f"{len(self.found)} problems"
        )


def share(asleep: list[int]) -> float:
    """Part of the bodies that sleep, on average."""
    return sum(asleep) / max(BODIES * len(asleep), 1)


def take(data: phalanx.Data, count: int, rng: np.random.Generator) -> None:
    """So many steps, in calls of any length."""
    while count > 0:
        amount = min(count, int(rng.choice((1, 2, 7, 60, 400))))
        data.step(amount)
        count -= amount


def positions_of(model: phalanx.Model, tree: int) -> slice:
    """The elements of qpos of a tree of the heap: a hinge, then free bodies."""
    return slice(0, 1) if tree == 0 else slice(7 * tree - 6, 7 * tree + 1)


def disturb(data: phalanx.Data, rng: np.random.Generator) -> str:
    """One of the ways to wake what sleeps, or none. Returns its name."""
    kind = str(rng.choice(("push", "throw", "force", "place", "lid", "touch", "nothing")))
    tree = int(rng.integers(1, BODIES + 1))
    dofs, rows = slice(6 * tree - 5, 6 * tree + 1), positions_of(data.model, tree)
    data.xfrc_applied[:] = 0.0
    data.qfrc_applied[:] = 0.0
    data.mocap_pos[0] = (0.0, 0.0, 3.0)
    # the pendulum never comes to rest
    data.qvel[0] = 1.0
    if kind == "push":
        data.qvel[dofs] = rng.uniform(-0.5, 0.5, 6)
    elif kind == "throw":
        data.qvel[1:] = rng.uniform(-0.6, 0.6, data.qvel.size - 1)
    elif kind == "force":
        weight = data.model.body_mass[tree + 2] * 9.81
        data.xfrc_applied[tree + 2, :3] = weight * rng.uniform((-0.5, -0.5, 0.0), (0.5, 0.5, 0.9))
        data.qfrc_applied[dofs.start] = weight * rng.uniform(-0.3, 0.3)
    elif kind == "place":
        data.qpos[rows] = (*rng.uniform(-0.2, 0.2, 2), 0.9, 1.0, 0.0, 0.0, 0.0)
        data.qvel[dofs] = 0.0
    elif kind == "lid":
        data.mocap_pos[0] = (*rng.uniform(-0.2, 0.2, 2), 0.35)
    elif kind == "touch":
        data.qvel[dofs] = -0.0
    return kind


def problems(data: phalanx.Data) -> list[str]:
    """What is wrong with lists, counts and stretches, with what sleeps, and with where bodies are."""
    asleep, m, found = data.tree_asleep, data.model, []
    awake = asleep < 0
    if int(data.ntree_awake) != int(awake.sum()) or not np.array_equal(data.tree_awake != 0, awake):
        found.append("tree_awake is not who is awake")
    dofs = np.flatnonzero(awake[m.dof_treeid])
    if int(data.nv_awake) != dofs.size or not np.array_equal(data.dof_awake_ind[: dofs.size], dofs):
        found.append("dof_awake_ind is not what is awake")
    if data.qvel[~awake[m.dof_treeid]].any():
        found.append("something that sleeps has a velocity")
    for tree in np.flatnonzero(~awake):
        seen, current = set[int](), int(tree)
        while current not in seen and 0 <= current < m.ntree and asleep[current] >= 0:
            seen.add(current)
            current = int(asleep[current])
        if current != tree:
            found.append(f"the circle of tree {tree} does not close")
    places = data.qpos[1:].reshape(-1, 7)[:, :3]
    if not np.isfinite(data.qpos).all() or np.abs(places[:, :2]).max() > HALF + 0.1 or places[:, 2].min() < -0.1:
        found.append("a body has left the bin")
    return found


def main(arguments: Any = None) -> int:
    """Soak as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=float, default=1e6, help="stop after so many steps")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so many minutes")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other disturbances")
    given = parser.parse_args(arguments)
    soak = SleepSoak(given.seed).run(int(given.steps), 60.0 * given.minutes)
    print(*soak.found, soak, sep="\n")
    return 1 if soak.found else 0


if __name__ == "__main__":
    sys.exit(main())
