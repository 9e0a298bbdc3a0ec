"""Bounding volume trees: of the triangles of a mesh, and of the geoms of a body.

A node holds the box of its elements. Its elements are halved at the median of their positions along the longest side of
the box, until one is left. Nodes are numbered root first, then the left half, then the right half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from phalanx.tables.sizes import EPSILON


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
    return build_all(positions, low, high, ids, np.array([len(positions)] if len(positions) else [], np.int64))


def build_all(
    positions: np.ndarray, low: np.ndarray, high: np.ndarray, ids: np.ndarray | None, counts: np.ndarray
) -> Bvh:
    """Trees one after another, of so many elements each as `counts` says; children are numbered within each tree."""
    ids = np.arange(len(positions), dtype=np.int32) if ids is None else np.asarray(ids, np.int32)
    bounds = np.concatenate([low, -high], axis=1)
    if 0 < len(positions) <= _FEW_ELEMENTS:
        return _grow_few(positions, bounds, ids, counts)
    unordered = ~np.isfinite(positions).all(axis=1)
    ranks = _ranked(positions if (counts > 1).any() else positions[:0])
    while True:
        tree, found = _grow(positions, ranks, bounds, ids, counts, unordered)
        if not len(found):
            return tree
        unordered[found] = True


#: Trees of not more elements than this, taken together, are made node by node.
_FEW_ELEMENTS = 32


def _grow_few(positions: np.ndarray, bounds: np.ndarray, ids: np.ndarray, counts: np.ndarray) -> Bvh:
    """The same trees as of `_grow`, node by node: with few elements calls of NumPy would take longer."""
    position, bound, element_ids = positions.T.tolist(), bounds.tolist(), ids.tolist()
    child: list[tuple[int, int]] = []
    nodeid: list[int] = []
    depth: list[int] = []
    aabb: list[tuple[float, ...]] = []
    start = 0
    for count in counts.tolist():
        root, stack = len(nodeid), [(list(range(start, start + count)), 0)]
        start += count
        while stack:
            # nodes are numbered depth first, the lower half before the upper one
            elements, level = stack.pop()
            here, half = len(nodeid) - root, len(elements) // 2
            (a, b, c), (d, e, f) = _box_of([bound[element] for element in elements])
            aabb.append(((d + a) / 2, (e + b) / 2, (f + c) / 2, (d - a) / 2, (e - b) / 2, (f - c) / 2))
            depth.append(level)
            if not half:
                nodeid.append(element_ids[elements[0]])
                child.append((-1, -1))
                continue
            nodeid.append(-1)
            child.append((here + 1, here + 2 * half))
            x, y, z = d - a, e - b, f - c
            is_y = y >= x + EPSILON
            axis = 2 if z >= (y if is_y else x) + EPSILON else int(is_y)
            _select(elements, position[axis], half)
            stack += (elements[half:], level + 1), (elements[:half], level + 1)
    return Bvh(np.array(child, np.int32), np.array(nodeid, np.int32), np.array(depth, np.int32), np.array(aabb))


def _box_of(bounds: list[list[float]]) -> tuple[list[float], list[float]]:
    """Corners of the box around elements; a flat one is made a little thicker."""
    joined = [min(along) for along in zip(*bounds, strict=True)] if len(bounds) > 1 else bounds[0]
    low, high = joined[:3], [-bound for bound in joined[3:]]
    for k in range(3):
        if abs(low[k] - high[k]) < EPSILON:
            low[k], high[k] = low[k] - EPSILON, high[k] + EPSILON
    return low, high


@dataclass(frozen=True, eq=False)
class _Ranks:
    """Places of elements along the axes, axis after axis; to sort them is faster than to sort positions.

    Attributes:
        place: the place of each element: by position, by id among those closer than `EPSILON`.
        element: the element at each place.
        is_chained: is the element one of a chain of positions so close to one another, which is longer than `EPSILON`?
            Chains have no order that holds for all of their parts; their places are by position.
    """

    place: np.ndarray
    element: np.ndarray
    is_chained: np.ndarray


def _ranked(positions: np.ndarray) -> _Ranks:
    count = len(positions)
    if not count:
        return _Ranks(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool))
    place, element = np.empty((2, 3, count), np.int64)
    is_chained = np.zeros((3, count), bool)
    for axis in range(3):
        position = np.ascontiguousarray(positions[:, axis])
        order = np.argsort(position)
        sorted_position = position[order]
        is_new = np.ones(count, bool)
        is_new[1:] = ~(np.diff(sorted_position) <= EPSILON)
        first = np.flatnonzero(is_new)
        if len(first) < count:
            run = np.cumsum(is_new) - 1
            last = np.append(first[1:], count) - 1
            is_long = (sorted_position[last] - sorted_position[first] > EPSILON)[run]
            is_chained[axis, order[is_long]] = True
            by_id = np.sort(run * count + order) - run * count
            order = np.where(is_long, order, by_id)
        place[axis, order] = np.arange(count)
        element[axis] = order
    return _Ranks(place.ravel(), element.ravel(), is_chained.ravel())


def _grow(
    positions: np.ndarray,
    ranks: _Ranks,
    bounds: np.ndarray,
    ids: np.ndarray,
    counts: np.ndarray,
    unordered: np.ndarray,
) -> tuple[Bvh, np.ndarray]:
    """The trees, and more elements that prove to be `unordered` while they were made, for which it is not valid.

    `bounds` has the lower corners of the boxes of the elements, and the upper ones with the opposite sign.
    """
    # all nodes of one depth at once; node k has the elements from start[k] to start[k] + num[k] of `order`
    order = np.arange(len(positions))
    num, start = counts, np.cumsum(counts) - counts
    node = roots = np.cumsum(2 * counts - 1) - (2 * counts - 1)
    size = int((2 * counts - 1).sum())
    child = np.full((size, 2), -1, np.int32)
    nodeid = np.full(size, -1, np.int32)
    depth, aabb = np.zeros(size, np.int32), np.empty((size, 6))
    found: list[np.ndarray] = []
    level = 0
    while len(node):
        low, high = _boxes(bounds, order, start, num)
        aabb[node] = np.concatenate([(high + low) / 2, (high - low) / 2], axis=1)
        depth[node] = level
        is_leaf = num == 1
        if is_leaf.any():
            nodeid[node[is_leaf]] = ids[order[start[is_leaf]]]
            is_inner = ~is_leaf
            node, num = node[is_inner], num[is_inner]
            if not len(node):
                break
            low, high = low[is_inner], high[is_inner]
            order, start = _keep(order, start[is_inner], num)
        order, more = _halve(order, positions, ranks, _longest_axis(high - low), start, num, unordered)
        found.append(more)
        half = num // 2
        node = _alternating(node + 1, node + 2 * half)
        child[node[::2] - 1] = node.reshape(-1, 2)
        start, num = _alternating(start, start + half), _alternating(half, num - half)
        level += 1
    if len(roots) > 1 and level:
        child -= np.where(child >= 0, np.repeat(roots, 2 * counts - 1)[:, None], 0).astype(np.int32)
    return Bvh(child, nodeid, depth, aabb), np.concatenate(found) if found else np.empty(0, np.int64)


def _alternating(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Elements of two arrays, one of each in turn."""
    both = np.empty((len(one), 2), np.int64)
    both[:, 0], both[:, 1] = one, two
    return both.ravel()


def _keep(order: np.ndarray, start: np.ndarray, num: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The elements of the given nodes only, one node after another."""
    new_start = np.cumsum(num) - num
    return order[np.arange(int(num.sum())) + np.repeat(start - new_start, num)], new_start


#: Nodes up to this size are looked at element by element, all nodes at once.
_FEW = 12


def _boxes(bounds: np.ndarray, order: np.ndarray, start: np.ndarray, num: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Box of the elements of each node, which follow one another without gaps; flat ones are made a little thicker."""
    most = int(num.max())
    if most <= _FEW:
        joined = bounds.take(order[start], axis=0)
        for k in range(1, most):
            following = order[start + np.minimum(k, num - 1)]
            np.minimum(joined, bounds.take(following, axis=0), out=joined)
    else:
        joined = np.minimum.reduceat(bounds.take(order, axis=0), start, axis=0)
    low, high = joined[:, :3], -joined[:, 3:]
    is_flat = np.abs(low - high) < EPSILON
    if is_flat.any():
        low, high = np.where(is_flat, low - EPSILON, low), np.where(is_flat, high + EPSILON, high)
    return low, high


def _longest_axis(edges: np.ndarray) -> np.ndarray:
    x, y, z = edges.T
    is_y = y >= x + EPSILON
    return np.where(z >= np.where(is_y, y, x) + EPSILON, 2, is_y)


def _halve(
    order: np.ndarray,
    positions: np.ndarray,
    ranks: _Ranks,
    axis: np.ndarray,
    start: np.ndarray,
    num: np.ndarray,
    unordered: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Elements with the lower half of each node first, and elements found to have no order.

    Positions closer than `EPSILON` count as equal, and their elements are ordered by id. A chain of such positions
    that is longer has no order; it matters when the median is within.
    """
    count = len(positions)
    # sort the places of all nodes at once: those of node k lie between k * count and (k + 1) * count
    along = np.repeat(axis * count, num)
    before = np.repeat(np.arange(len(start)) * count, num)
    at = along + order
    place = ranks.place.take(at) + before
    place.sort()
    halved = ranks.element.take(place - before + along)
    found = np.empty(0, np.int64)
    has_order = np.ones(len(start), bool)
    # nodes with elements that have no order are halved one by one, by the very algorithm that MuJoCo is built with
    if unordered.any():
        has_order = ~np.logical_or.reduceat(unordered[order], start)
        for k in np.flatnonzero(~has_order):
            part = slice(start[k], start[k] + num[k])
            halved[part] = _select_without_order(order[part], positions[:, axis[k]], int(num[k]) // 2)
    if ranks.is_chained.take(at).any():
        halved, found = _sort_chains(halved, positions, axis, start, num, has_order)
    return halved, found


def _sort_chains(
    halved: np.ndarray,
    positions: np.ndarray,
    axis: np.ndarray,
    start: np.ndarray,
    num: np.ndarray,
    has_order: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Elements of each node by id where positions are closer than `EPSILON`, and chains across a median."""
    node = np.repeat(np.arange(len(start)), num)
    key = positions[halved, axis[node]]
    is_new = np.ones(len(halved), bool)
    is_new[1:] = ~(np.diff(key) <= EPSILON) | (np.diff(node) > 0)
    run = np.cumsum(is_new) - 1
    first = np.flatnonzero(is_new)
    last = np.append(first[1:], len(halved)) - 1
    is_chain = key[last] - key[first] > EPSILON
    by_id = halved[np.argsort(run * len(positions) + halved)]
    halved = np.where(has_order[node], by_id, halved)
    middle = start + num // 2
    is_cut = is_chain[run[middle]] & (run[middle] == run[middle - 1]) & has_order
    found = [halved[first[r] : last[r] + 1] for r in run[middle[is_cut]]]
    return halved, np.concatenate(found) if found else np.empty(0, np.int64)


# --- elements without an order


def _select_without_order(elements: np.ndarray, position: np.ndarray, nth: int) -> np.ndarray:
    """Elements with the lower half first, where some have no order, such as triangles without area.

    What is no number, or almost equal, is compared by the id of the element, so the outcome depends on the
    algorithm and on the order in which elements come.
    """
    items: list[int] = elements.tolist()
    _select(items, position.tolist(), nth)
    return np.array(items)


def _select(items: list[int], value: list[float], nth: int) -> None:
    """Bring the elements with the `nth` smallest values to the front, as std::nth_element of libc++ does."""

    def less(i: int, j: int) -> bool:
        a, b = items[i], items[j]
        if abs(value[a] - value[b]) > EPSILON:
            return value[a] < value[b]
        return a < b

    def swap(i: int, j: int) -> None:
        items[i], items[j] = items[j], items[i]

    _nth_element(less, swap, nth, len(items))


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
        # short ranges are sorted at once
        if length <= 7:
            _selection_sort(less, swap, first, last)
            return
        # the pivot is the median of the first, the middle and the last
        middle = first + length // 2
        swaps = _sort3(less, swap, first, middle, last - 1)
        i, j = first, last - 1
        if not less(i, middle):
            # the first is not less than the pivot: a smaller one from the end is put there to stop the scan
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
            # Hoare's partition; the pivot may be swapped along
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
        # nothing moved, so the range may be in order already
        if swaps == 0 and _is_sorted(less, *((first, i) if nth < i else (i, last))):
            return
        if nth < i:
            last = i
        else:
            first = i + 1


# --- trees of a Model


Parts = tuple[np.ndarray, np.ndarray, np.ndarray]


def _cross(a: Parts, b: Parts) -> Parts:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _square(a: Parts) -> np.ndarray:
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]


def _circle_centers(first: np.ndarray, second: np.ndarray, third: np.ndarray) -> np.ndarray:
    """(n, 3) centers of the circles through corners (3, n) of triangles; no numbers where a triangle has no area."""
    a, b = tuple(first - third), tuple(second - third)
    normal = _cross(a, b)
    one, two, area = _square(a), _square(b), np.sqrt(_square(normal))
    toward = _cross(tuple(one * q - two * p for p, q in zip(a, b, strict=True)), normal)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 2 * area * area
        return np.stack([along / scale + corner for along, corner in zip(toward, third, strict=True)]).T


def triangle_tree(vertices: np.ndarray, faces: np.ndarray) -> Bvh:
    """Tree of the triangles of a mesh."""
    along = np.ascontiguousarray(vertices.T)
    a, b, c = (along.take(faces[:, k], axis=1) for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    center, half = 0.5 * (low + high), 0.5 * (high - low)
    return build(_circle_centers(a, b, c), (center - half).T, (center + half).T)


def geom_trees(
    pos: np.ndarray,
    quat: np.ndarray,
    aabb: np.ndarray,
    ids: np.ndarray,
    ipos: np.ndarray,
    iquat: np.ndarray,
    counts: list[int],
) -> Bvh:
    """Trees of the geoms of bodies that can collide, one after another, each in the inertial frame of its body.

    Args:
        pos, quat: frames of the geoms in their bodies, (n, 3) and (n, 4), body after body.
        aabb: boxes of the geoms in their own frames, (n, 6): center, half sizes.
        ids: the geoms, written into the leaves.
        ipos, iquat: inertial frame of the body of each geom.
        counts: how many geoms each body has, at least one.
    """
    center, half = aabb.T.reshape(2, 3, 1, -1)
    # the origin and the corners of each box, (axis, point, box)
    points = np.zeros((3, 9, len(ids)))
    points[:, 1:] = np.where(_CORNER_SIDES, center + half, center - half)
    points = _rotated(points, quat.T) + (pos - ipos).T[:, None]
    points = _rotated(points, iquat.T * _BACK)
    corners = points[:, 1:]
    return build_all(points[:, 0].T, corners.min(axis=1).T, corners.max(axis=1).T, ids, np.array(counts))


#: Along each axis, which corners of a box are on its upper side, (axis, corner, 1).
_CORNER_SIDES = np.array([[[v >> k & 1] for v in range(8)] for k in range(3)], bool)


#: The parts of a quaternion that rotates the other way.
_BACK = np.array([[1.0], [-1.0], [-1.0], [-1.0]])
#: For x, y and z the axis after each, and the one after that.
_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


def _rotated(vectors: np.ndarray, quats: np.ndarray) -> np.ndarray:
    """Vectors (axis, point, box) rotated by unit quaternions (part, box)."""
    w, axis = quats[0], quats[1:, None]
    one, two = axis.take(_NEXT, 0), axis.take(_LAST, 0)
    half = w * vectors + one * vectors.take(_LAST, 0) - two * vectors.take(_NEXT, 0)
    return vectors + 2 * (one * half.take(_LAST, 0) - two * half.take(_NEXT, 0))
