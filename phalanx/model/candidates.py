"""Pairs of geoms that may touch, listed ahead in the order of MuJoCo's contacts.

What can be decided without knowing where bodies are is decided here: masks, exclusions, welded and related bodies,
static bodies, explicit pairs. The order is MuJoCo's: by pair of bodies; within it explicit pairs first, then geoms by
their stored order (smaller type first), or body by body when the midphase is off.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import groupby
from operator import itemgetter

import numpy as np

from phalanx.tables.enums import DisableBit, GeomType

#: With more pairs than this no list is made, and bodies are sorted in every step instead.
MAX_CANDIDATES = 2_000
#: How a sweep treats a body.
IDLE, SWEPT, WITH_ALL = 0, 1, 2

#: Types of geoms that do not touch each other.
FLAT = (int(GeomType.PLANE), int(GeomType.HFIELD))

Arrays = dict[str, np.ndarray]


def ordered(kind: list[int], a: int, b: int) -> tuple[int, int]:
    """Two geoms as a contact stores them: smaller type first, then smaller id."""
    return (a, b) if (kind[a], a) <= (kind[b], b) else (b, a)


def bodies_may_touch(arrays: Arrays, a: int, b: int, filter_parent: bool) -> bool:
    """Two bodies that are not welded together, not both fixed, and not parent and child."""
    weld, parent, dofnum = arrays["body_weldid"], arrays["body_parentid"], arrays["body_dofnum"]
    first, second = weld[a], weld[b]
    if first == second or (dofnum[first] == 0 and dofnum[second] == 0):
        return False
    is_related = first == weld[parent[second]] or second == weld[parent[first]]
    return not (filter_parent and first != 0 and second != 0 and is_related)


def body_pairs(arrays: Arrays) -> Iterator[tuple[int, int]]:
    """Pairs of bodies whose geoms may touch, ascending."""
    filter_parent = not int(arrays["opt.disableflags"]) & DisableBit.FILTERPARENT
    excluded = {(int(s) >> 16, int(s) & 0xFFFF) for s in arrays["exclude_signature"]}
    contype, conaffinity = arrays["body_contype"], arrays["body_conaffinity"]
    collides = np.flatnonzero((contype != 0) | (conaffinity != 0))
    for k, a in enumerate(collides.tolist()):
        others = collides[k + 1 :]
        match = (contype[a] & conaffinity[others]) | (contype[others] & conaffinity[a])
        for b in others[match != 0].tolist():
            if (a, b) not in excluded and bodies_may_touch(arrays, a, b, filter_parent):
                yield a, b


def geom_pairs(
    lists: dict[str, list[int]], a: int, b: int, has_midphase: bool, is_filtered: bool
) -> list[tuple[int, int]]:
    """Pairs of geoms of two bodies that may touch, in the order of their contacts.

    With `is_filtered` a hook judges pairs instead of their masks; the midphase leaves out geoms without any.
    """
    contype, conaffinity, kind = lists["geom_contype"], lists["geom_conaffinity"], lists["geom_type"]
    found = []
    for i in geoms_of(lists, a):
        for j in geoms_of(lists, b):
            may_touch = bool(contype[i] & conaffinity[j] or contype[j] & conaffinity[i])
            if is_filtered:
                may_touch = not has_midphase or bool((contype[i] | conaffinity[i]) and (contype[j] | conaffinity[j]))
            if may_touch and not (kind[i] in FLAT and kind[j] in FLAT):
                found.append(ordered(kind, i, j))
    return sorted(found) if has_midphase else found


def geoms_of(lists: dict[str, list[int]], body: int) -> range:
    first = lists["body_geomadr"][body]
    return range(first, first + lists["body_geomnum"][body])


def sweep_roles(arrays: Arrays) -> np.ndarray:
    """How a sweep treats each body: those with a plane, which has no end, and the world are tested with all others."""
    has_plane = np.zeros(len(arrays["body_geomnum"]), bool)
    has_plane[arrays["geom_bodyid"][arrays["geom_type"] == GeomType.PLANE]] = True
    has_plane[0] = True
    collides = (arrays["body_contype"] != 0) | (arrays["body_conaffinity"] != 0)
    return np.where(collides, np.where(has_plane, WITH_ALL, SWEPT), IDLE)


def candidates(arrays: Arrays, is_filtered: bool = False) -> list[tuple[int, int, int]] | None:
    """(geom, geom, explicit pair or -1) of everything that may touch; None when there are too many to list.

    With `is_filtered` a hook judges pairs of geoms instead of their masks.
    """
    explicit: dict[int, list[int]] = {}
    for k, signature in enumerate(arrays["pair_signature"].tolist()):
        explicit.setdefault(signature, []).append(k)
    listed: list[tuple[int, int, int]] = []
    # plain lists are faster than arrays to look at one by one
    rows = ("geom_contype", "geom_conaffinity", "geom_type", "body_geomadr", "body_geomnum")
    lists = {name: arrays[name].tolist() for name in rows}
    has_midphase = not int(arrays["opt.disableflags"]) & DisableBit.MIDPHASE
    # pairs of bodies are made one by one, as there may be many more than are listed
    automatic = (((a << 16) + b, (a, b)) for a, b in body_pairs(arrays))
    given = ((signature, None) for signature in sorted(explicit))
    for signature, group in groupby(merge(given, automatic, key=itemgetter(0)), key=itemgetter(0)):
        taken = set()
        for k in explicit.get(signature, ()):
            pair = ordered(lists["geom_type"], int(arrays["pair_geom1"][k]), int(arrays["pair_geom2"][k]))
            taken.add(pair)
            listed.append((*pair, k))
        for _, bodies in group:
            if bodies is not None:
                pairs = geom_pairs(lists, *bodies, has_midphase, is_filtered)
                listed += [(*pair, -1) for pair in pairs if pair not in taken]
        if len(listed) > MAX_CANDIDATES:
            return None
    return listed
