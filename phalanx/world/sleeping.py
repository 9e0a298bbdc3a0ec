"""Which trees sleep, and what keeps the others awake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from phalanx.tables.enums import DisableBit, SleepPolicy
from phalanx.tables.sizes import MINAWAKE

if TYPE_CHECKING:
    from phalanx.world.answers import Answers
    from phalanx.world.model import Model

#: Policy -> why the tree never sleeps.
_SLEEPLESS = {
    SleepPolicy.NEVER: 'its policy is sleep="never"',
    SleepPolicy.AUTO_NEVER: "an actuator pulls on it, or a tendon ties it to another tree",
}


@dataclass(frozen=True)
class TreeSleep:
    """A kinematic tree: asleep, or awake and why.

    Attributes:
        tree: its id.
        body: its first body, as messages name it.
        is_asleep: does it sleep?
        companions: first bodies of the trees that sleep with it: whatever wakes one of them wakes all.
        reason: why it does not sleep, "" if it does.
    """

    tree: int
    body: str
    is_asleep: bool
    companions: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        if not self.is_asleep:
            return f"{self.body} is awake: {self.reason}"
        return f"{self.body} sleeps" + (f" with {', '.join(self.companions)}" if self.companions else "")


class Sleeping(Sequence[TreeSleep]):
    """All trees of a world; printed, a line for each.

    `len(sleeping)` counts trees, `sleeping.asleep` and `sleeping.awake` are those that sleep and those that do not.
    """

    def __init__(self, trees: Sequence[TreeSleep]):
        self._trees = tuple(trees)

    def __getitem__(self, index):
        return self._trees[index]

    def __len__(self) -> int:
        return len(self._trees)

    @property
    def asleep(self) -> tuple[TreeSleep, ...]:
        """Trees that sleep."""
        return tuple(tree for tree in self._trees if tree.is_asleep)

    @property
    def awake(self) -> tuple[TreeSleep, ...]:
        """Trees that do not."""
        return tuple(tree for tree in self._trees if not tree.is_asleep)

    def __str__(self) -> str:
        return "\n".join(map(str, self._trees))

    def __repr__(self) -> str:
        return f"<Sleeping: {len(self.asleep)} of {len(self)} trees>"


def sleepless(model: Model, asleep: np.ndarray) -> str:
    """Which trees are to sleep from the start and are awake, in words; "" if there are none."""
    if not model.nsleep:
        return ""
    chosen = model.tree_sleep_policy == SleepPolicy.INIT
    awake = np.flatnonzero(chosen & (asleep < 0))
    if not len(awake):
        return ""
    label = model.names.label("body", int(model.tree_bodyadr[awake[0]]))
    return (
        f'{len(awake)} of {np.count_nonzero(chosen)} trees with sleep="init" begin awake, as something that they touch '
        f"does not sleep; the first is that of {label}"
    )


def sleeping_of(data: Answers) -> Sleeping:
    """Who sleeps in a world, and why others do not."""
    m, asleep = data.model, data.tree_asleep
    labels = [m.names.label("body", int(body)) for body in m.tree_bodyadr]
    # what keeps each tree awake by itself; "" if it is ready, and waits for others at most
    reasons = [_reason(data, tree) if asleep[tree] < 0 else "" for tree in range(m.ntree)]
    found = []
    for tree in range(m.ntree):
        is_asleep = bool(asleep[tree] >= 0)
        others = tuple(labels[other] for other in _cycle(asleep, tree)) if is_asleep else ()
        reason = reasons[tree] if is_asleep else reasons[tree] or _waits(data, tree, labels, reasons)
        found.append(TreeSleep(tree, labels[tree], is_asleep, others, reason))
    return Sleeping(found)


def _cycle(asleep: np.ndarray, tree: int) -> Iterator[int]:
    """The other trees of the island that sleeps with a tree."""
    other, count = int(asleep[tree]), 0
    while other != tree and 0 <= other < len(asleep) and count < len(asleep):
        yield other
        other, count = int(asleep[other]), count + 1


def _reason(data: Answers, tree: int) -> str:
    """What keeps a tree awake that has nothing to do with others; "" if there is nothing."""
    m = data.model
    if not m.nsleep:
        return "the flag sleep of the model is off"
    policy = SleepPolicy(m.tree_sleep_policy[tree])
    if policy in _SLEEPLESS:
        return _SLEEPLESS[policy]
    if m.opt.disableflags & DisableBit.ISLAND and data.nefc > 0:
        return "the flag island is off, and without islands nothing with constraints sleeps"
    dofs = slice(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree])
    bodies = slice(m.tree_bodyadr[tree], m.tree_bodyadr[tree] + m.tree_bodynum[tree])
    for body in np.flatnonzero(_has_bits(data.xfrc_applied[bodies]).any(axis=1)) + bodies.start:
        return f"xfrc_applied acts on {m.names.label('body', int(body))}: {data.xfrc_applied[body]}"
    for dof in np.flatnonzero(_has_bits(data.qfrc_applied[dofs])) + dofs.start:
        return f"qfrc_applied acts on dof {dof} of {_joint(data, dof)}: {data.qfrc_applied[dof]:g}"
    return _speed(data, dofs)


def _speed(data: Answers, dofs: slice) -> str:
    """Which dof is too fast, if one is."""
    m, tolerance = data.model, float(data.model.opt.sleep_tolerance)
    speed = m.dof_length[dofs] * np.abs(data.qvel[dofs])
    fastest = int(speed.argmax())
    is_fast = speed[fastest] >= tolerance if tolerance else bool(_has_bits(data.qvel[dofs]).any())
    if not is_fast:
        return ""
    dof = dofs.start + fastest
    return f"dof {dof} of {_joint(data, dof)} is too fast: {speed[fastest]:.3g} m/s, the tolerance is {tolerance:g} m/s"


def _has_bits(numbers: np.ndarray) -> np.ndarray:
    """Which numbers have a bit that is not zero, as minus zero has."""
    return (numbers != 0) | np.signbit(numbers)


def _joint(data: Answers, dof: int) -> str:
    return data.model.names.label("joint", int(data.model.dof_jntid[dof]))


def _waits(data: Answers, tree: int, labels: Sequence[str], reasons: Sequence[str]) -> str:
    """What a tree waits for that is slow enough: time, or others of its island."""
    resting = int(data.tree_asleep[tree]) + 1 + MINAWAKE
    if resting < MINAWAKE:
        return f"it has been at rest for {resting} steps of {MINAWAKE}"
    island = int(data.tree_island[tree]) if data.nisland else -1
    others = np.flatnonzero(data.tree_island == island).tolist() if island >= 0 else []
    for other in others:
        if other != tree and (reasons[other] or data.tree_asleep[other] < -1):
            why = reasons[other] or _waits(data, other, labels, reasons)
            return f"it is ready, but its neighbor {labels[other]} is not: {why}"
    return "it is ready, and sleeps with the next step unless something disturbs it"
