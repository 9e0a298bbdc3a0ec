"""Edges, flaps, shell and layers of the elements of a flex, numbered as in MuJoCo."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from phalanx.mesh import bvh

#: The vertices of an element at the ends of its edges, by dimension.
ELEMENT_EDGES = {
    1: ((0, 1),),
    2: ((1, 2), (2, 0), (0, 1)),
    3: ((0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (1, 3)),
}
#: The vertices of an element on its sides, in the order in which sides are numbered, by dimension.
_SIDES = {
    1: ((0,), (1,)),
    2: ((0, 1), (2, 0), (1, 2)),
    3: ((0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)),
}


class Edges(NamedTuple):
    """The edges of a flex.

    Attributes:
        ends: (n, 2) vertices, the lower one first.
        of_element: (m, k) edges of each element.
        flaps: (n, 4) of triangles: the ends, and the opposite vertices of the first and the last triangle, -1 for none.
    """

    ends: np.ndarray
    of_element: np.ndarray
    flaps: np.ndarray


def find_edges(elements: np.ndarray, dim: int) -> Edges:
    """The edges of elements, in the order in which they appear."""
    number: dict[tuple[int, int], int] = {}
    flaps: list[list[int]] = []
    of_element = []
    pairs = ELEMENT_EDGES[dim]
    # an edge gets its number where it appears first
    for vertices in elements.tolist():
        row = []
        for a, b in pairs:
            first, last = vertices[a], vertices[b]
            ends = (first, last) if first < last else (last, first)
            edge = number.setdefault(ends, len(number))
            row.append(edge)
            if dim == 2:
                opposite = vertices[(b + 1) % 3]
                if edge == len(flaps):
                    flaps.append([*ends, opposite, -1])
                else:
                    flaps[edge][3] = opposite
        of_element.append(row)
    return Edges(
        np.array(list(number), np.int64).reshape(-1, 2),
        np.array(of_element, np.int64),
        np.array(flaps, np.int64).reshape(-1, 4),
    )


def find_shell(elements: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Sides of elements that no other element has, (n, dim) vertices, and the distance of each element from them.

    The distance counts layers; it is that of solids, others are on the surface everywhere. Elements that nothing
    connects to the surface are farther than all others.
    """
    sides = [
        (tuple(sorted(vertices[k] for k in side)), number, tuple(vertices[k] for k in side))
        for number, vertices in enumerate(elements.tolist())
        for side in _SIDES[dim]
    ]
    sides.sort()
    shell: list[int] = []
    neighbors: list[list[int]] = [[] for _ in range(len(elements))]
    is_border = np.zeros(len(elements), bool)
    start = 0
    while start < len(sides):
        end = start + 1
        while end < len(sides) and sides[end][0] == sides[start][0]:
            # only elements that follow one another are neighbors, also where more than two share a side
            one, two = sides[end - 1][1], sides[end][1]
            neighbors[one].append(two)
            neighbors[two].append(one)
            end += 1
        if end == start + 1:
            shell += sides[start][2]
            is_border[sides[start][1]] = True
        start = end
    return np.array(shell, np.int64).reshape(-1, dim), _layers(is_border, neighbors, dim)


def _layers(is_border: np.ndarray, neighbors: list[list[int]], dim: int) -> np.ndarray:
    count = len(is_border)
    if dim < 3:
        return np.zeros(count, np.int64)
    layers = np.where(is_border, 0, count + 1)
    queue = deque(np.flatnonzero(is_border).tolist())
    while queue:
        here = queue.popleft()
        for other in neighbors[here]:
            if layers[other] > layers[here] + 1:
                layers[other] = layers[here] + 1
                queue.append(other)
    return layers


def is_inverted(elements: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Which tetrahedra have right-handed normals of their sides that point in."""
    corners = points[elements]
    a, b, c = (corners[:, k] - corners[:, 0] for k in (1, 2, 3))
    found: np.ndarray = (np.cross(a, b) * c).sum(axis=1) > 0
    return found


def flipped(elements: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Tetrahedra, some of them with the other orientation."""
    elements = elements.copy()
    elements[which] = elements[which][:, [0, 2, 1, 3]]
    return elements


def oriented(elements: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Tetrahedra with their vertices in such an order that the right-handed normals of their sides point out."""
    return flipped(elements, is_inverted(elements, points))


def element_tree(elements: np.ndarray, points: np.ndarray, radius: float, is_active: np.ndarray) -> bvh.Bvh:
    """The bounding volumes of the elements that collide."""
    ids = np.flatnonzero(is_active)
    corners = points[elements[ids]]
    low, high = corners.min(axis=1), corners.max(axis=1)
    center, half = 0.5 * (high + low), 0.5 * (high - low) + radius
    return bvh.build(center, center - half, center + half, ids)
