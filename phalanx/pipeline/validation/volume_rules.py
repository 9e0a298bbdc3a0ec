"""Trees of boxes and octrees: searches through them end, and stay in their tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes, owners, shared
from phalanx.tables.domain import (
    Arrays,
)

#: Trees of so many nodes are looked at one by one.
LONG = 256


def volume_tree(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Children come after their node in the tree of the same owner, one level deeper: searches end, stacks suffice."""
    first, num = _trees(arrays)
    yield _shared_nodes(first, num, len(array)), "two trees have this node"
    is_left = np.ones(len(first), bool)
    for tree in np.flatnonzero(num >= LONG).tolist():
        own = slice(int(first[tree]), int(first[tree] + num[tree]))
        is_left[tree] = not _is_plain(array[own], arrays["bvh_depth"][own])
    nodes, start, count = _nodes(first, num, is_left, len(array))
    bad = np.zeros(array.shape, bool)
    if len(nodes):
        bad[nodes] = _strays(array[nodes], nodes, start, count, arrays["bvh_depth"])
    yield bad, "a child comes after its node in the same tree, one level deeper; -1 is none"


def _trees(arrays: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """First node and number of nodes of all trees that have any."""
    kinds = ("body", "mesh", "flex")
    first = np.concatenate([arrays[f"{kind}_bvhadr"] for kind in kinds]).astype(np.int64)
    num = np.concatenate([arrays[f"{kind}_bvhnum"] for kind in kinds]).astype(np.int64)
    has = num > 0
    return first[has], num[has]


def _shared_nodes(first: np.ndarray, num: np.ndarray, n: int) -> np.ndarray:
    """Nodes of two trees, of bodies, meshes or flexes; trees of a kind have none together."""
    found = np.zeros(n, bool)
    for tree in np.flatnonzero(shared(first, num)).tolist():
        found[first[tree] : first[tree] + num[tree]] = True
    return found


def _is_plain(child: np.ndarray, depth: np.ndarray) -> bool:
    """Is it clear that a tree is sound? Each node has two children that are, or none.

    Half of the nodes are leaves: what is to be compared is gathered for the others only.
    """
    left, right = np.ascontiguousarray(child[:, 0]), np.ascontiguousarray(child[:, 1])
    nodes = np.flatnonzero(left >= 0)
    if left.min() < -1 or right.min() < -1 or max(left.max(), right.max()) >= len(child):
        return False
    if np.count_nonzero(right >= 0) != len(nodes):
        return False
    below = depth[nodes] + 1
    for side in (left, right):
        found = side[nodes]
        if not ((found > nodes).all() and (depth[found] == below).all()):
            return False
    return True


def _nodes(
    first: np.ndarray, num: np.ndarray, is_left: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes of some trees, with the first node and the number of nodes of their tree; nodes of no tree have none."""
    start, count = first[is_left], num[is_left]
    nodes = np.repeat(start - (np.cumsum(count) - count), count) + np.arange(count.sum())
    start, count = np.repeat(start, count), np.repeat(count, count)
    if num.sum() < n:
        is_owned = np.zeros(n, bool)
        for a, b in zip(first.tolist(), (first + num).tolist(), strict=True):
            is_owned[a:b] = True
        rest = np.flatnonzero(~is_owned)
        none = np.zeros(len(rest), np.int64)
        nodes, start, count = (np.concatenate(pair) for pair in ((nodes, rest), (start, none), (count, none)))
    return nodes, start, count


def _strays(
    child: np.ndarray, nodes: np.ndarray, start: np.ndarray, count: np.ndarray, depth: np.ndarray
) -> np.ndarray:
    """Children that are not where they may be, of nodes that belong to any trees."""
    place = (nodes - start)[:, None]
    is_inside = (child > place) & (child < count[:, None])
    below = depth[start[:, None] + np.where(is_inside, child, 0)]
    bad: np.ndarray = (child != -1) & ~(is_inside & (below == depth[nodes][:, None] + 1))
    return bad


def volume_leaf(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """A leaf names a geom of its body, or a face of its mesh; a node without children is a leaf."""
    first, num = arrays["body_bvhadr"], arrays["body_bvhnum"]
    # trees of bodies come first, and are short
    n = int((first.astype(np.int64) + num)[num > 0].max(initial=0))
    own, body = array[:n], owners(first, num, n) >= 0
    bad = np.zeros(len(array), bool)
    bad[:n] = body & ((own < -1) | (own >= sizes["ngeom"]))
    yield bad, f"it must be a geom (ngeom is {sizes['ngeom']}) or -1"
    yield _leaves_outside(array, arrays), "it must be a face of its mesh, or -1"
    yield from _elements_outside(array, sizes, arrays)
    nodes = np.flatnonzero(body & (own < 0))
    bad = np.zeros(len(array), bool)
    bad[nodes] = (arrays["bvh_child"][nodes] < 0).all(axis=1)
    yield bad, "a node without children must be a leaf"


def _leaves_outside(array: np.ndarray, arrays: Arrays) -> np.ndarray:
    """Leaves of the trees of meshes that name no face of their mesh."""
    bad = np.zeros(len(array), bool)
    spans = (arrays["mesh_bvhadr"].tolist(), arrays["mesh_bvhnum"].tolist(), arrays["mesh_facenum"].tolist())
    for first, num, limit in zip(*spans, strict=True):
        part = array[first : first + num] if num else array[:0]
        if part.size and not (part.min() >= -1 and part.max() < limit):
            bad[first : first + num] = (part < -1) | (part >= limit)
    return bad


def _elements_outside(array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Leaves of the trees of flexes, whose boxes move: they name an element of their flex, and inner nodes none."""
    bad, still = np.zeros(len(array), bool), sizes["nbvhstatic"]
    spans = (arrays["flex_bvhadr"].tolist(), arrays["flex_bvhnum"].tolist(), arrays["flex_elemnum"].tolist())
    for first, num, limit in zip(*spans, strict=True):
        nodes = slice(first, first + num) if num else slice(0)
        part, child = array[nodes], arrays["bvh_child"][nodes]
        bad[nodes] = (part < -1) | (part >= limit) | ((part < 0) & (child < 0).any(axis=1))
    yield bad, "it must be an element of its flex, or -1 where there are two children"
    moves = np.concatenate([arrays["flex_bvhadr"][arrays["flex_bvhnum"] > 0], [still]]).min() < still
    still_end = max((arrays[f"{kind}_bvhadr"].astype(np.int64) + arrays[f"{kind}_bvhnum"]).max(initial=0)
                    for kind in ("body", "mesh"))  # fmt: skip
    if moves or still_end > still or sizes["nbvhdynamic"] != len(array) - still:
        yield np.ones(len(array), bool), f"trees of flexes come after all others, from nbvhstatic on, which is {still}"


def octree(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """All eight children or none, after their parent in the octree of the same mesh."""
    n = len(array)
    mesh = owners(arrays["mesh_octadr"], arrays["mesh_octnum"], n)
    start = np.where(mesh >= 0, arrays["mesh_octadr"][mesh], 0).astype(np.int64)
    end = np.where(mesh >= 0, start + arrays["mesh_octnum"][mesh], 0)
    is_leaf = (array == -1).all(axis=1)
    place = start[:, None] + array
    bad = ~is_leaf[:, None] & ((place <= np.arange(n)[:, None]) | (place >= end[:, None]))
    yield bad, "the eight children come after their node in the same octree; all are -1 in a leaf"
