"""Pairs of geoms that are looked at in every step, and which of them ever touch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from phalanx.tables.enums import GeomType
from phalanx.world.data import Data
from phalanx.world.model import Model

Pair = tuple[int, int]


@dataclass(frozen=True)
class UntouchedBodies:
    """Two bodies whose geoms may touch, and never did.

    Attributes:
        body1: name of the first body, or its id.
        body2: name of the second.
        pairs: how many pairs of their geoms are looked at.
        near: share of the samples in which bounding spheres of these geoms overlapped; such pairs cost most.
    """

    body1: str
    body2: str
    pairs: int
    near: float


class PairCounter:
    """Counts which pairs touch and which are near, while a world is simulated."""

    def __init__(self, model: Model):
        self._model = model
        self._pairs = np.stack([model.candidate_geom1, model.candidate_geom2], axis=-1).reshape(-1, 2)
        self._candidates = {_ordered(*pair) for pair in self._pairs.tolist()}
        self._touched: set[Pair] = set()
        self._near: Counter[Pair] = Counter()
        self._samples = 0

    def note_contacts(self, data: Data) -> None:
        """Note what touches after a step."""
        geoms = data.contact_geom[(data.contact_dist <= 0.0) & (data.contact_geom >= 0).all(axis=1)]
        self._touched |= {_ordered(*pair) for pair in geoms.tolist()}

    def sample(self, data: Data) -> None:
        """Note what is near; more work than noting contacts, so not in every step."""
        self._samples += 1
        # of many geoms there is no list: those that the broad phase has found count
        count = int(data._store.arrays["nclose"])
        found = [data._store.arrays[name][:count].tolist() for name in ("close_geom1", "close_geom2")]
        close = {_ordered(*pair) for pair in zip(*found, strict=True)}
        self._candidates |= close
        self._near.update(close)
        if len(self._pairs):
            self._near.update({_ordered(*pair) for pair in self._pairs[self._overlap(data)].tolist()})

    def _overlap(self, data: Data) -> np.ndarray:
        """Which of the listed pairs have bounding spheres that overlap; of a plane, that reach it."""
        m, (first, second) = self._model, self._pairs.T
        reach = m.geom_rbound[first] + m.geom_rbound[second] + m.geom_margin[first] + m.geom_margin[second]
        between = data.geom_xpos[second] - data.geom_xpos[first]
        # planes have the smallest type, so they are first
        height = np.einsum("ki,ki->k", between, data.geom_xmat.reshape(-1, 3, 3)[first, :, 2])
        apart = np.where(m.geom_type[first] == GeomType.PLANE, height, np.linalg.norm(between, axis=-1))
        return apart <= reach

    @property
    def candidates(self) -> int:
        """How many pairs of geoms were looked at."""
        return len(self._candidates)

    @property
    def touched(self) -> int:
        """How many of them touched at least once."""
        return len(self._candidates & self._touched)

    def untouched(self) -> list[UntouchedBodies]:
        """Bodies whose geoms never touched, those first that were near most often."""
        bodies = self._model.geom_bodyid
        by_bodies: dict[Pair, list[Pair]] = {}
        for first, second in sorted(self._candidates):
            by_bodies.setdefault(_ordered(int(bodies[first]), int(bodies[second])), []).append((first, second))
        rows = [
            UntouchedBodies(
                self._name(first), self._name(second), len(pairs), max(self._near[p] for p in pairs) / self._samples
            )
            for (first, second), pairs in by_bodies.items()
            if self._samples and self._touched.isdisjoint(pairs)
        ]
        return sorted(rows, key=lambda row: (-row.near, -row.pairs))

    def _name(self, body: int) -> str:
        return self._model.names.names["body"][body] or f"#{body}"


def _ordered(first: int, second: int) -> Pair:
    return (first, second) if first <= second else (second, first)
