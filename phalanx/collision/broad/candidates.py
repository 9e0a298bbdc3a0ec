"""Pairs of geoms that may touch, listed ahead in the order of MuJoCo's contacts.

What can be decided without knowing where bodies are is decided here: masks, exclusions, welded and related bodies,
static bodies, explicit pairs. The order is MuJoCo's: by pair of bodies; within it explicit pairs first, then geoms by
their stored order (smaller type first), or body by body when the midphase is off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from phalanx.tables.enums import DisableBit, GeomType
from phalanx.tables.geoms import GROUND

#: With more pairs than this no list is made, and bodies are sorted in every step instead.
MAX_CANDIDATES = 2_000
#: How a sweep treats a body.
IDLE, SWEPT, WITH_ALL = 0, 1, 2

Arrays = dict[str, np.ndarray]


#: Pairs that are looked at together.
BLOCK = 1 << 16


def _bodies_may_touch(arrays: Arrays, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Pairs of bodies that are not welded together, not both fixed, and not parent and child."""
    weld, parent, moves = arrays["body_weldid"], arrays["body_parentid"], arrays["body_dofnum"] != 0
    first, second = weld[a], weld[b]
    may_touch = (first != second) & (moves[first] | moves[second])
    if not int(arrays["opt.disableflags"]) & DisableBit.FILTERPARENT:
        is_related = (first == weld[parent[second]]) | (second == weld[parent[first]])
        may_touch &= ~((first != 0) & (second != 0) & is_related)
    return may_touch


def _masks_match(contype: np.ndarray, conaffinity: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (contype[a] & conaffinity[b] | contype[b] & conaffinity[a]) != 0


def _body_pairs(arrays: Arrays) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of bodies whose geoms may touch, ascending, a block at a time: who finds too many asks for no more."""
    contype, conaffinity = arrays["body_contype"], arrays["body_conaffinity"]
    collides = np.flatnonzero((contype != 0) | (conaffinity != 0))
    rows = max(BLOCK // max(len(collides), 1), 1)
    for start in range(0, len(collides), rows):
        block = collides[start : start + rows, None]
        i, j = np.nonzero((block < collides) & _masks_match(contype, conaffinity, block, collides))
        a, b = block[i, 0], collides[j]
        keep = _bodies_may_touch(arrays, a, b)
        if len(arrays["exclude_signature"]):
            keep &= ~np.isin((a << 16) + b, arrays["exclude_signature"])
        yield a[keep], b[keep]


def _in_parts(
    arrays: Arrays, pairs: Iterable[tuple[np.ndarray, np.ndarray]]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The same pairs of bodies in parts whose geoms make about a block of pairs."""
    geomnum = arrays["body_geomnum"].astype(np.int64)
    for a, b in pairs:
        ends = np.cumsum(geomnum[a] * geomnum[b]) // BLOCK
        starts = np.searchsorted(ends, np.arange(int(ends[-1]) + 2 if len(ends) else 0))
        for start, end in pairwise(starts.tolist()):
            yield a[start:end], b[start:end]


def _as_stored(kind: np.ndarray, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Geoms as contacts store them: smaller type first, then smaller id."""
    one, two = kind[i], kind[j]
    swap = (two < one) | ((two == one) & (j < i))
    return np.where(swap, j, i), np.where(swap, i, j)


def _geom_pairs(arrays: Arrays, a: np.ndarray, b: np.ndarray, is_filtered: bool) -> np.ndarray:
    """(3, n) signature of the bodies, geom, geom: pairs of geoms of bodies that may touch, in order of their contacts.

    With `is_filtered` a hook decides on pairs instead of their masks; the midphase leaves out geoms without any.
    """
    contype, conaffinity, kind = arrays["geom_contype"], arrays["geom_conaffinity"], arrays["geom_type"]
    has_midphase = not int(arrays["opt.disableflags"]) & DisableBit.MIDPHASE
    first, geomnum = arrays["body_geomadr"], arrays["body_geomnum"].astype(np.int64)
    others = geomnum[b]
    count = geomnum[a] * others
    pair = np.repeat(np.arange(len(a)), count)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
    row, column = np.divmod(place, others[pair])
    i, j = first[a][pair] + row, first[b][pair] + column
    may_touch = _masks_match(contype, conaffinity, i, j)
    if is_filtered:
        collides = (contype | conaffinity) != 0
        may_touch = collides[i] & collides[j] if has_midphase else np.ones(len(pair), bool)
    is_ground = np.isin(kind, GROUND)
    keep = may_touch & ~(is_ground[i] & is_ground[j])
    pair = pair[keep]
    one, two = _as_stored(kind, i[keep], j[keep])
    found = np.array([((a << 16) + b)[pair], one, two])
    return found[:, np.lexsort((two, one, pair))] if has_midphase else found


def _explicit_pairs(arrays: Arrays) -> np.ndarray:
    """(3, n) signature of the bodies, geom, geom of the pairs that the model lists."""
    if not len(arrays["pair_signature"]):
        return np.zeros((3, 0), np.int64)
    one, two = _as_stored(arrays["geom_type"], arrays["pair_geom1"], arrays["pair_geom2"])
    return np.array([arrays["pair_signature"], one, two], np.int64)


def sweep_roles(arrays: Arrays) -> np.ndarray:
    """How a sweep treats each body: those with a plane, which has no end, and the world are tested with all others."""
    has_plane = np.zeros(len(arrays["body_geomnum"]), bool)
    has_plane[arrays["geom_bodyid"][arrays["geom_type"] == GeomType.PLANE]] = True
    has_plane[0] = True
    collides = (arrays["body_contype"] != 0) | (arrays["body_conaffinity"] != 0)
    return np.where(collides, np.where(has_plane, WITH_ALL, SWEPT), IDLE)


def candidates(arrays: Arrays, is_filtered: bool = False) -> np.ndarray | None:
    """(3, n) geom, geom, explicit pair or -1 of everything that may touch; None when there are too many to list.

    With `is_filtered` a hook decides on pairs of geoms instead of their masks.
    """
    explicit = _explicit_pairs(arrays)
    blocks, total = [explicit[:, :0]], explicit.shape[1]
    for a, b in _in_parts(arrays, _body_pairs(arrays)):
        blocks.append(_geom_pairs(arrays, a, b, is_filtered))
        total += blocks[-1].shape[1]
        if total > MAX_CANDIDATES + explicit.shape[1]:
            return None
    found = np.concatenate(blocks, axis=1)
    listed = np.full(found.shape[1], -1)
    if explicit.size:
        taken = set(zip(*explicit.tolist(), strict=True))
        found = found[:, [pair not in taken for pair in zip(*found.tolist(), strict=True)]]
        listed = np.concatenate([np.arange(explicit.shape[1]), np.full(found.shape[1], -1)])
        # explicit pairs come before others of the same bodies
        found = np.concatenate([explicit, found], axis=1)
        order = np.argsort(found[0], kind="stable")
        found, listed = found[:, order], listed[order]
    return np.array([found[1], found[2], listed]) if len(listed) <= MAX_CANDIDATES else None


def candidate_rows(arrays: dict[str, np.ndarray], is_filtered: bool = False) -> dict[str, Any]:
    """The rows that list geom pairs that may touch; `is_filtered`: by a hook."""
    found = candidates(arrays, is_filtered)
    listed = np.zeros((3, 0), np.int32) if found is None else found
    rows = dict(zip(("candidate_geom1", "candidate_geom2", "candidate_pair"), listed, strict=True))
    return {**rows, "flg_sweep": found is None, "body_sweep": sweep_roles(arrays)}
