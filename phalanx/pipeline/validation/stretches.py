"""Stretches: who owns which elements of a row, and what all rules share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Sizes = Mapping[str, int]
#: (mask of the elements that break a rule, the rule in words)
Broken = tuple[np.ndarray, str]


def shared(first: np.ndarray, num: np.ndarray) -> np.ndarray:
    """Which stretches have elements of another one, the later of each two."""
    has = np.flatnonzero(num > 0)
    start = first[has].astype(np.int64)
    end = start + num[has]
    found = np.zeros(len(num), bool)
    # in order they nearly always are
    if (start[1:] >= end[:-1]).all():
        return found
    order = np.argsort(start, kind="stable")
    found[has[order[1:][start[order[1:]] < np.maximum.accumulate(end[order])[:-1]]]] = True
    return found


def owners(first: np.ndarray, num: np.ndarray, length: int) -> np.ndarray:
    """Who owns each element of stretches: the index of the owner, -1 for nobody."""
    has = np.flatnonzero(num > 0)
    counts = num[has].astype(np.int64)
    before = np.cumsum(counts) - counts
    start = first[has].astype(np.int64)
    shift = start - before
    # stretches that follow each other without a gap, as they nearly always do, need no search for places
    if len(has) and (shift == shift[0]).all() and shift[0] >= 0 and start[-1] + counts[-1] <= length:
        owner = np.full(length, -1, np.int32)
        owner[start[0] : start[-1] + counts[-1]] = np.repeat(has.astype(np.int32), counts)
        return owner
    owner = np.full(length, -1, np.int32)
    places = np.repeat(shift, counts) + np.arange(counts.sum())
    is_there = (places >= 0) & (places < length)
    owner[places[is_there]] = np.repeat(has, counts)[is_there]
    return owner
