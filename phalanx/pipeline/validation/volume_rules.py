"""Trees of boxes and octrees: searches through them end, and stay in their tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes, owners
from phalanx.tables.domain import (
    Arrays,
)


def volume_tree(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Children come after their node in the tree of the same owner, one level deeper: searches end, stacks suffice."""
    start, num = _trees(arrays, len(array))
    place = np.arange(len(array), dtype=np.int32) - start
    depth = arrays["bvh_depth"]
    bad = np.empty(array.shape, bool)
    # column by column: trees of meshes are long, and NumPy is slow along an axis of two
    for side in range(array.shape[1]):
        child = np.ascontiguousarray(array[:, side])
        is_inside = (child > place) & (child < num)
        below = depth[start + np.where(is_inside, child, 0)] if len(depth) else depth
        bad[:, side] = (child != -1) & ~(is_inside & (below == depth + 1))
    yield bad, "a child comes after its node in the same tree, one level deeper; -1 is none"


def _trees(arrays: Arrays, n: int) -> tuple[np.ndarray, np.ndarray]:
    """First node and number of nodes of the tree that each node belongs to; no nodes if it belongs to none."""
    start, count = np.zeros(n, np.int32), np.zeros(n, np.int32)
    for kind in ("body", "mesh", "flex"):
        first, num = arrays[f"{kind}_bvhadr"], arrays[f"{kind}_bvhnum"]
        if len(first):
            owner = owners(first, num, n)
            is_owned = owner >= 0
            start[is_owned], count[is_owned] = first[owner[is_owned]], num[owner[is_owned]]
    return start, count


def volume_leaf(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """A leaf names a geom of its body, or a face of its mesh; a node without children is a leaf."""
    n = len(array)
    body = owners(arrays["body_bvhadr"], arrays["body_bvhnum"], n) >= 0
    yield body & ((array < -1) | (array >= sizes["ngeom"])), f"it must be a geom (ngeom is {sizes['ngeom']}) or -1"
    if sizes["nmesh"]:
        mesh = owners(arrays["mesh_bvhadr"], arrays["mesh_bvhnum"], n)
        limit = np.where(mesh >= 0, arrays["mesh_facenum"][mesh], 0)
        yield (mesh >= 0) & ((array < -1) | (array >= limit)), "it must be a face of its mesh, or -1"
    nodes = np.flatnonzero(body & (array < 0))
    bad = np.zeros(n, bool)
    bad[nodes] = (arrays["bvh_child"][nodes] < 0).all(axis=1)
    yield bad, "a node without children must be a leaf"


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
