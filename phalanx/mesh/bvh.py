"""Bounding volume trees: of the triangles of a mesh, and of the geoms of a body.

A node holds the box of its elements. Its elements are halved at the median of their positions along the longest side of
the box, until one is left. Nodes are numbered root first, then the left half, then the right half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

#: Lengths closer than this count as equal.
EPSILON = 1e-14


@dataclass(frozen=True, eq=False)
class Bvh:
    """Bounding volume tree, node by node, as in the rows bvh_* of a Model.

    Attributes:
        child: (n, 2) int32, nodes of the two halves, -1 in a leaf.
        nodeid: (n,) int32, the element in a leaf, -1 in an inner node.
        depth: (n,) int32, 0 at the root.
        aabb: (n, 6) center and half sizes of the box.
    """

    child: np.ndarray
    nodeid: np.ndarray
    depth: np.ndarray
    aabb: np.ndarray

    def __len__(self) -> int:
        return len(self.nodeid)


def build(positions: np.ndarray, low: np.ndarray, high: np.ndarray, ids: np.ndarray | None = None) -> Bvh:
    """Tree of elements with `positions` that decide the halves, boxes from `low` to `high`, and `ids` in the leaves."""
    ids = np.arange(len(positions), dtype=np.int32) if ids is None else np.asarray(ids, np.int32)
    unordered = ~np.isfinite(positions).all(axis=1)
    rank = _ranks(positions)
    while True:
        tree, found = _grow(positions, rank, low, high, ids, unordered)
        if not len(found):
            return tree
        unordered[found] = True


def _ranks(positions: np.ndarray) -> np.ndarray:
    """(3, n) place of each element along the axes, equal positions by number; sorting them is faster than positions."""
    rank = np.empty((3, len(positions)), np.int64)
    for axis in range(3):
        rank[axis, np.argsort(positions[:, axis], kind="stable")] = np.arange(len(positions))
    return rank


def _grow(
    positions: np.ndarray,
    rank: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    ids: np.ndarray,
    unordered: np.ndarray,
) -> tuple[Bvh, np.ndarray]:
    """The tree, and more elements that turned out to be `unordered` while it was made, for which it is not valid."""
    count = len(positions)
    size = max(2 * count - 1, 0)
    child = np.full((size, 2), -1, np.int32)
    nodeid = np.full(size, -1, np.int32)
    depth = np.zeros(size, np.int32)
    aabb = np.zeros((size, 6))
    found: list[np.ndarray] = []
    # all nodes of one depth at once; node k has the elements from start[k] to start[k] + number[k] of `order`
    order = np.arange(count)
    node, start, number = (np.array([value] if count else [], np.int64) for value in (0, 0, count))
    level = 0
    while len(node):
        box_low, box_high = _boxes(low[order], high[order], start)
        aabb[node, :3] = (box_high + box_low) / 2
        aabb[node, 3:] = (box_high - box_low) / 2
        depth[node] = level
        is_leaf = number == 1
        nodeid[node[is_leaf]] = ids[order[start[is_leaf]]]
        node, start, number = node[~is_leaf], start[~is_leaf], number[~is_leaf]
        if not len(node):
            break
        order, start = _keep(order, start, number)
        axis = _longest_axis((box_high - box_low)[~is_leaf])
        order, more = _halve(order, positions, rank, axis, start, number, unordered)
        found.append(more)
        half = number // 2
        child[node, 0] = node + 1
        child[node, 1] = node + 2 * half
        node = np.stack([child[node, 0], child[node, 1]], axis=1).ravel().astype(np.int64)
        start = np.stack([start, start + half], axis=1).ravel()
        number = np.stack([half, number - half], axis=1).ravel()
        level += 1
    return Bvh(child, nodeid, depth, aabb), np.concatenate(found) if found else np.empty(0, np.int64)


def _keep(order: np.ndarray, start: np.ndarray, number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The elements of the given nodes only, one node after another."""
    new_start = np.cumsum(number) - number
    return order[np.arange(int(number.sum())) + np.repeat(start - new_start, number)], new_start


def _boxes(low: np.ndarray, high: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Box of the elements of each node, which follow one another without gaps; flat ones are made a little thicker."""
    box_low = np.minimum.reduceat(low, start, axis=0)
    box_high = np.maximum.reduceat(high, start, axis=0)
    is_flat = np.abs(box_low - box_high) < EPSILON
    return np.where(is_flat, box_low - EPSILON, box_low), np.where(is_flat, box_high + EPSILON, box_high)


def _longest_axis(edges: np.ndarray) -> np.ndarray:
    axis = np.where(edges[:, 1] >= edges[:, 0] + EPSILON, 1, 0)
    return np.where(edges[:, 2] >= edges[np.arange(len(edges)), axis] + EPSILON, 2, axis)


def _halve(
    order: np.ndarray,
    positions: np.ndarray,
    rank: np.ndarray,
    axis: np.ndarray,
    start: np.ndarray,
    number: np.ndarray,
    unordered: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Elements with the lower half of each node first, and elements found to have no order.

    Positions closer than `EPSILON` count as equal, and their elements are ordered by number. A chain of such positions
    that is longer has no order; it matters when the median is within.
    """
    node = np.repeat(np.arange(len(start)), number)
    along = axis[node]
    key = positions[order, along]
    count = len(positions)
    ranked = np.argsort(node * count + rank[along, order])
    ranked_key, ranked_node = key[ranked], node[ranked]
    is_new = np.ones(len(ranked), bool)
    is_new[1:] = ~(np.diff(ranked_key) <= EPSILON) | (np.diff(ranked_node) > 0)
    run = np.cumsum(is_new) - 1
    first = np.flatnonzero(is_new)
    last = np.append(first[1:], len(ranked)) - 1
    is_chain = ranked_key[last] - ranked_key[first] > EPSILON
    if len(first) < len(ranked):
        ranked = ranked[np.argsort(run * count + order[ranked])]
    halved = order[ranked]
    emulated = np.logical_or.reduceat(unordered[order], start)
    for k in np.flatnonzero(emulated):
        part = slice(start[k], start[k] + number[k])
        halved[part] = _select_without_order(order[part], positions[:, axis[k]], int(number[k]) // 2)
    middle = start + number // 2
    is_cut = is_chain[run[middle]] & (run[middle] == run[middle - 1]) & ~emulated
    found = [halved[first[r] : last[r] + 1] for r in run[middle[is_cut]]]
    return halved, np.concatenate(found) if found else np.empty(0, np.int64)


# --- elements without an order


def _select_without_order(elements: np.ndarray, position: np.ndarray, nth: int) -> np.ndarray:
    """Elements with the lower half first, where some have no order, such as triangles without area.

    What is no number, or almost equal, is compared by the number of the element, so the outcome depends on the
    algorithm and on the order in which elements come: this is std::nth_element of libc++ step by step.
    """
    value = position.tolist()
    items: list[int] = elements.tolist()

    def less(i: int, j: int) -> bool:
        a, b = items[i], items[j]
        if abs(value[a] - value[b]) > EPSILON:
            return value[a] < value[b]
        return a < b

    def swap(i: int, j: int) -> None:
        items[i], items[j] = items[j], items[i]

    _nth_element(less, swap, nth, len(items))
    return np.array(items)


Less = Callable[[int, int], bool]
Swap = Callable[[int, int], None]


def _sort3(less: Less, swap: Swap, x: int, y: int, z: int) -> int:
    """Sort three places; how many swaps it took."""
    if not less(y, x):
        if not less(z, y):
            return 0
        swap(y, z)
        if less(y, x):
            swap(x, y)
            return 2
        return 1
    if less(z, y):
        swap(x, z)
        return 1
    swap(x, y)
    if less(z, y):
        swap(y, z)
        return 2
    return 1


def _selection_sort(less: Less, swap: Swap, first: int, last: int) -> None:
    for place in range(first, last - 1):
        least = place
        for other in range(place + 1, last):
            if less(other, least):
                least = other
        if least != place:
            swap(place, least)


def _split_equal(less: Less, swap: Swap, first: int, last: int) -> int | None:
    """Put what equals the first element in front; where the rest begins, None when nothing is larger."""
    i, j = first + 1, last - 1
    if not less(first, j):
        while True:
            if i == j:
                return None
            if less(first, i):
                swap(i, j)
                i += 1
                break
            i += 1
    if i == j:
        return None
    while True:
        while not less(first, i):
            i += 1
        j -= 1
        while less(first, j):
            j -= 1
        if i >= j:
            return i
        swap(i, j)
        i += 1


def _is_sorted(less: Less, first: int, last: int) -> bool:
    return not any(less(k + 1, k) for k in range(first, last - 1))


def _nth_element(less: Less, swap: Swap, nth: int, last: int) -> None:
    first = 0
    while nth != last:
        length = last - first
        if length < 2:
            return
        if length == 2:
            if less(last - 1, first):
                swap(first, last - 1)
            return
        if length == 3:
            _sort3(less, swap, first, first + 1, last - 1)
            return
        if length <= 7:
            _selection_sort(less, swap, first, last)
            return
        middle = first + length // 2
        swaps = _sort3(less, swap, first, middle, last - 1)
        i, j = first, last - 1
        if not less(i, middle):
            guard = next((k for k in range(j - 1, i, -1) if less(k, middle)), None)
            if guard is None:
                rest = _split_equal(less, swap, first, last)
                if rest is None or nth < rest:
                    return
                first = rest
                continue
            j = guard
            swap(i, j)
            swaps += 1
        i += 1
        if i < j:
            while True:
                while less(i, middle):
                    i += 1
                j -= 1
                while not less(j, middle):
                    j -= 1
                if i >= j:
                    break
                swap(i, j)
                swaps += 1
                if middle == i:
                    middle = j
                i += 1
        if i != middle and less(middle, i):
            swap(i, middle)
            swaps += 1
        if nth == i:
            return
        if swaps == 0 and _is_sorted(less, *((first, i) if nth < i else (i, last))):
            return
        if nth < i:
            last = i
        else:
            first = i + 1


# --- trees of a Model


def face_centers(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Centers of the circles through the corners of the triangles; not a number where a triangle has no area."""
    third = vertices[faces[:, 2]]
    a, b = vertices[faces[:, 0]] - third, vertices[faces[:, 1]] - third
    normal = np.cross(a, b)
    squares = [(x[:, 0] * x[:, 0] + x[:, 1] * x[:, 1] + x[:, 2] * x[:, 2])[:, None] for x in (a, b, normal)]
    area = np.sqrt(squares[2])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.cross(squares[0] * b - squares[1] * a, normal) / (2 * area * area) + third


def triangle_tree(vertices: np.ndarray, faces: np.ndarray) -> Bvh:
    """Tree of the triangles of a mesh."""
    corners = vertices[faces]
    low, high = corners.min(axis=1), corners.max(axis=1)
    center, half = 0.5 * (low + high), 0.5 * (high - low)
    return build(face_centers(vertices, faces), center - half, center + half)


def geom_trees(
    pos: np.ndarray,
    quat: np.ndarray,
    aabb: np.ndarray,
    ids: np.ndarray,
    ipos: np.ndarray,
    iquat: np.ndarray,
    counts: list[int],
) -> list[Bvh]:
    """Trees of the geoms of bodies that can collide, each in the inertial frame of its body.

    Args:
        pos, quat: frames of the geoms in their bodies, (n, 3) and (n, 4), body after body.
        aabb: boxes of the geoms in their own frames, (n, 6): center, half sizes.
        ids: the geoms, written into the leaves.
        ipos, iquat: inertial frame of the body of each geom.
        counts: how many geoms each body has, at least one.
    """
    inverse = iquat * (1.0, -1.0, -1.0, -1.0)
    sides = np.stack([aabb[:, :3] - aabb[:, 3:], aabb[:, :3] + aabb[:, 3:]], axis=1)
    # (corner, geom, 3)
    corners = np.stack([sides[:, side, (0, 1, 2)] for side in _CORNER_SIDES])
    corners = rotate_all(rotate_all(corners, quat) + (pos - ipos), inverse)
    low, high = corners.min(axis=0), corners.max(axis=0)
    center, leaves = rotate_all(pos - ipos, inverse), _leaf_boxes(low, high)
    ids = np.asarray(ids, np.int32)
    trees, start = [], 0
    for count in counts:
        part = slice(start, start + count)
        single = Bvh(_NO_CHILDREN, ids[part], _ROOT, leaves[part])
        trees.append(single if count == 1 else build(center[part], low[part], high[part], ids[part]))
        start += count
    return trees


#: Which side of a box the corners are at, along each axis.
_CORNER_SIDES = tuple((v & 1, v >> 1 & 1, v >> 2) for v in range(8))
#: Links and depth of a tree of one element.
_NO_CHILDREN, _ROOT = np.full((1, 2), -1, np.int32), np.zeros(1, np.int32)


def _leaf_boxes(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Boxes (n, 6) of single elements; flat ones are made a little thicker."""
    is_flat = np.abs(low - high) < EPSILON
    low, high = np.where(is_flat, low - EPSILON, low), np.where(is_flat, high + EPSILON, high)
    return np.concatenate([(high + low) / 2, (high - low) / 2], axis=1)


def rotate_all(vectors: np.ndarray, quats: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) turned by unit quaternions (..., 4)."""
    w, x, y, z = (quats[..., k] for k in range(4))
    a, b, c = (vectors[..., k] for k in range(3))
    t = (w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a)
    turned = np.stack(
        [a + 2 * (y * t[2] - z * t[1]), b + 2 * (z * t[0] - x * t[2]), c + 2 * (x * t[1] - y * t[0])], axis=-1
    )
    return np.where((quats == (1.0, 0.0, 0.0, 0.0)).all(axis=-1, keepdims=True), vectors, turned)
