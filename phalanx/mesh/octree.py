"""Octree of signed distances to a mesh, as MuJoCo makes it for geoms of type sdf.

Cubes that triangles touch are halved along every axis, level by level, then cubes that are more than twice as large as
a neighbor. The distance is known at the corners of each cube. A corner in the middle of an edge or face of a larger
neighbor gets the mean of that one's corners, so that the distance has no jumps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phalanx.mesh.bvh import Bvh
from phalanx.mesh.nearest import signed_distance

#: Most levels below the root.
DEEPEST = 6
#: How much larger the root is than the mesh.
AROUND = 1.1
#: A point this close to the face of a cube is on it.
ON_FACE = 1e-9
#: Pairs of cubes and triangles that are looked at together: their coordinates fit into a fast cache.
_PAIRS = 1 << 14


@dataclass(frozen=True, eq=False)
class Octree:
    """Cubes, each before those inside it, as in the rows oct_* of a Model.

    Attributes:
        child: (n, 8) int32, the cubes inside, -1 if there are none; bits of the place are the sides along the axes.
        depth: (n,) int32, 0 at the root.
        aabb: (n, 6) center and half sizes.
        coeff: (n, 8) signed distance at the corners, in the order of `child`.
    """

    child: np.ndarray
    depth: np.ndarray
    aabb: np.ndarray
    coeff: np.ndarray

    def __len__(self) -> int:
        return len(self.depth)


def build_octree(vertices: np.ndarray, faces: np.ndarray, tree: Bvh, deepest: int = DEEPEST) -> Octree:
    """Octree of a mesh.

    Args:
        vertices: (n, 3) float64.
        faces: (m, 3) vertices of the triangles.
        tree: of the triangles.
        deepest: most levels below the root.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    center, half = (low + high) / 2, (high - low) / 2
    cubes = _Cubes(center - AROUND * half, center + AROUND * half, deepest)
    cubes.divide_touched(vertices[faces])
    cubes.balance()
    points, corners = cubes.corners()
    means = cubes.hanging(corners)
    values = np.zeros(len(points))
    is_free = (means[:, 0] < 0).nonzero()[0]
    values[is_free] = signed_distance(points[is_free], vertices, faces, tree)
    _interpolate(values, means, _first_levels(corners, cubes.level, len(points)))
    aabb = np.concatenate([(cubes.low + cubes.high) / 2, (cubes.high - cubes.low) / 2], axis=1)
    return Octree(cubes.child.astype(np.int32), cubes.level.astype(np.int32), aabb, values[corners])


# --- cubes

#: Which side of a cube its eight parts and corners are at, (8, 3).
_SIDES = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)])
#: The neighbors of a cube: axis and side.
_AXIS, _SIDE = np.repeat(np.arange(3), 2), np.tile(np.arange(2), 3)


class _Cubes:
    """The cubes while the tree grows.

    Attributes:
        low, high: (n, 3) corners.
        place: (n, 3) lowest corner, counted in cubes of the deepest level.
        level, parent, slot: of each, and its place in the parent.
        child: (n, 8) -1 if there is none.
    """

    def __init__(self, low: np.ndarray, high: np.ndarray, deepest: int):
        self.deepest = deepest
        self.low, self.high = low[None], high[None]
        self.place = np.zeros((1, 3), np.int64)
        self.level, self.parent, self.slot = np.zeros(1, np.int64), np.full(1, -1), np.full(1, -1)
        self.child = np.full((1, 8), -1)

    def divide(self, cubes: np.ndarray) -> np.ndarray:
        """Put eight cubes into each of the given ones; the new ones, in order."""
        count = len(self.level)
        new = count + np.arange(8 * len(cubes))
        low, high = self.low[cubes, None], self.high[cubes, None]
        middle = (high + low) / 2
        is_upper = _SIDES[None] == 1
        self.low = np.concatenate([self.low, np.where(is_upper, middle, low).reshape(-1, 3)])
        self.high = np.concatenate([self.high, np.where(is_upper, high, middle).reshape(-1, 3)])
        length = 1 << (self.deepest - self.level[cubes] - 1)
        place = self.place[cubes, None] + _SIDES[None] * length[:, None, None]
        self.place = np.concatenate([self.place, place.reshape(-1, 3)])
        self.level = np.append(self.level, np.repeat(self.level[cubes] + 1, 8))
        self.parent = np.append(self.parent, np.repeat(cubes, 8))
        self.slot = np.append(self.slot, np.tile(np.arange(8), len(cubes)))
        self.child[cubes] = new.reshape(-1, 8)
        self.child = np.concatenate([self.child, np.full((len(new), 8), -1)])
        return new

    def divide_touched(self, triangles: np.ndarray) -> None:
        """Divide cubes that triangles (n, 3, 3) touch, down to the deepest level."""
        corners = np.ascontiguousarray(triangles.transpose(1, 2, 0))
        cubes = np.zeros(1, np.int64)
        # triangles that may touch each cube: those that touch the one around it
        owner, touching = np.zeros(len(triangles), np.int64), np.arange(len(triangles))
        for _ in range(self.deepest):
            is_hit = self._is_touched(cubes[owner], corners, touching)
            owner, touching = owner[is_hit], touching[is_hit]
            counts = np.bincount(owner, minlength=len(cubes))
            is_divided = counts > 0
            if not is_divided.any():
                return
            counts = counts[is_divided]
            cubes = self.divide(cubes[is_divided])
            # the triangles of each divided cube once for each of its parts
            each = np.repeat(counts, 8)
            starts = np.repeat(np.cumsum(counts) - counts, 8)
            owner = np.repeat(np.arange(len(cubes)), each)
            touching = touching[np.arange(len(owner)) - np.repeat(np.cumsum(each) - each - starts, each)]

    def _is_touched(self, cubes: np.ndarray, corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        """Does a triangle touch a cube, pair by pair?"""
        found = np.zeros(len(cubes), bool)
        for start in range(0, len(cubes), _PAIRS):
            part = slice(start, start + _PAIRS)
            low, high = self.low[cubes[part]].T, self.high[cubes[part]].T
            corner = corners[:, :, triangles[part]]
            may_touch = ((corner >= low).any(axis=0) & (corner <= high).any(axis=0)).all(axis=0).nonzero()[0]
            found[start + may_touch] = _touches(corner[:, :, may_touch], low[:, may_touch], high[:, may_touch])
        return found

    def leaves(self) -> np.ndarray:
        """Indices of the cubes without children."""
        return np.flatnonzero(self.child[:, 0] < 0)

    def neighbors(self, cubes: np.ndarray) -> np.ndarray:
        """(n, 6) the cube without parts beside each side, -1 where the tree ends; of several the lowest."""
        start = np.repeat(cubes, 6)
        axis, side = np.tile(_AXIS, len(cubes)), np.tile(_SIDE, len(cubes))
        bit = 1 << axis
        found = np.full(len(start), -1)
        # up to the first cube with a part on the other side
        open_, at = np.arange(len(start)), start
        while len(open_):
            parent, slot = self.parent[at], self.slot[at]
            is_across = (parent >= 0) & (side[open_] != ((slot & bit[open_]) != 0))
            found[open_[is_across]] = self.child[parent[is_across], slot[is_across] ^ bit[open_[is_across]]]
            goes_on = (parent >= 0) & ~is_across
            open_, at = open_[goes_on], parent[goes_on]
        # down to a cube without parts, along this side
        center = (self.low + self.high) / 2
        open_ = np.flatnonzero(found >= 0)
        while len(open_):
            open_ = open_[self.child[found[open_], 0] >= 0]
            here, bits = found[open_], bit[open_]
            slot = (center[start[open_]] > center[here]) @ np.array([1, 2, 4])
            slot = (slot & ~bits) | np.where(side[open_] == 0, bits, 0)
            found[open_] = self.child[here, slot]
        return found.reshape(-1, 6)

    def balance(self) -> None:
        """Divide cubes until neighbors differ by one level at most."""
        while True:
            leaves = self.leaves()
            neighbors = self.neighbors(leaves)
            mine, other = self.level[leaves, None], self.level[neighbors]
            coarse = np.where(other > mine + 1, leaves[:, None], np.where(mine > other + 1, neighbors, -1))
            coarse = coarse[neighbors >= 0]
            coarse = coarse[coarse >= 0]
            if not len(coarse):
                return
            _, first = np.unique(coarse, return_index=True)
            self.divide(coarse[np.sort(first)])

    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """(k, 3) all corners, and (n, 8) those of each cube."""
        along = (1 << self.deepest) + 1
        length = 1 << (self.deepest - self.level)
        place = self.place[:, None] + _SIDES[None] * length[:, None, None]
        key = (place[..., 0] * along + place[..., 1]) * along + place[..., 2]
        _, first, corners = np.unique(key, return_index=True, return_inverse=True)
        points = np.where(_SIDES[None] == 1, self.high[:, None], self.low[:, None]).reshape(-1, 3)
        return points[first], corners.reshape(-1, 8)

    def hanging(self, corners: np.ndarray) -> np.ndarray:
        """(k, 4) the corners of which the distance at each corner is the mean, -1 for none or fewer."""
        leaves = self.leaves()
        neighbors = self.neighbors(leaves)
        is_coarser = (neighbors >= 0) & (self.level[neighbors] < self.level[leaves, None])
        row, direction = is_coarser.nonzero()
        leaf, neighbor = leaves[row], neighbors[row, direction]
        axis, side = _AXIS[direction], _SIDE[direction]
        # the corners of that side: (n, 4), along the next axis first
        bits = np.arange(4)[None]
        axis = axis[:, None]
        corner = side[:, None] << axis | (bits & 1) << ((axis + 1) % 3) | (bits >> 1) << ((axis + 2) % 3)
        position = np.where(_SIDES[corner] == 1, self.high[leaf, None], self.low[leaf, None])
        is_low = np.abs(position - self.low[neighbor, None]) < ON_FACE
        is_high = np.abs(position - self.high[neighbor, None]) < ON_FACE
        is_on = is_low | is_high
        planes = is_on.sum(axis=2)
        at = ((planes == 1) | (planes == 2)).nonzero()
        hung = corners[leaf[at[0]], corner[at]]
        _, first = np.unique(hung, return_index=True)
        at = (at[0][first], at[1][first])
        means = np.full((int(corners.max()) + 1, 4), -1)
        means[hung[first]] = _means(is_on[at], is_high[at], corners[neighbor[at[0]]])
        return means


def _means(is_on: np.ndarray, is_high: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(n, 4) corners of a cube around points on its edges (two) and faces (four), -1 for those that are not needed."""
    rows = np.arange(len(is_on))
    is_edge = is_on.sum(axis=1) == 2
    # the axis along the edge, or across the face
    axis = np.where(is_edge, np.argmin(is_on, axis=1), np.argmax(is_on, axis=1))
    one, two = (axis + 1) % 3, (axis + 2) % 3
    means = np.full((len(is_on), 4), -1)
    for k in range(4):
        along_edge = k << axis | is_high[rows, one] << one | is_high[rows, two] << two
        in_face = is_high[rows, axis] << axis | (k & 1) << one | (k >> 1) << two
        corner = corners[rows, np.where(is_edge, along_edge if k < 2 else 0, in_face)]
        means[:, k] = np.where(is_edge & (k > 1), -1, corner)
    return means


def _first_levels(corners: np.ndarray, level: np.ndarray, count: int) -> np.ndarray:
    """The level at which each corner appears."""
    first = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(first, corners, level[:, None])
    return first


def _interpolate(values: np.ndarray, means: np.ndarray, first_level: np.ndarray) -> None:
    """Fill in corners that are means of others, which appear at lower levels."""
    for level in range(int(first_level.max()) + 1):
        corners = np.flatnonzero((first_level == level) & (means[:, 0] >= 0))
        others = means[corners]
        total = values[others[:, 0]] + values[others[:, 1]]
        is_face = others[:, 2] >= 0
        total[is_face] = total[is_face] + values[others[is_face, 2]] + values[others[is_face, 3]]
        values[corners] = total / np.where(is_face, 4, 2)


def _touches(corner: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Do triangles touch boxes that their own boxes touch? Schwarz and Seidel, "Fast Parallel Surface and Solid
    Voxelization on GPUs", 2010.

    Args:
        corner: (3, 3, n) corner, axis, pair.
        low, high: (3, n) corners of the boxes.
    """
    edge = corner[[1, 2, 0]] - corner
    a, b = edge[0], edge[1]
    normal = np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    size = high - low
    # the plane of the triangle crosses the box: its corners farthest along the normal are on two sides
    critical = np.where(normal > 0, size, 0.0)
    base = _dot(normal, low)
    one = base + _dot(normal, critical - corner[0])
    two = base + _dot(normal, size - critical - corner[0])
    touches = one * two <= 0
    # and the two overlap in all three projections along the axes
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        sign = np.where(normal[axis] >= 0, 1.0, -1.0)
        for k in range(3):
            across, along = -edge[k, v] * sign, edge[k, u] * sign
            reach = -(across * corner[k, u] + along * corner[k, v])
            reach = reach + np.maximum(0.0, size[u] * across) + np.maximum(0.0, size[v] * along)
            touches &= across * low[u] + along * low[v] + reach >= 0
    return touches


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
