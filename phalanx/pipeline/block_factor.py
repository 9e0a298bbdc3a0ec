"""A sparse Cholesky factor of blocks of three rows: A = L' L, of vertices that are eliminated from the last on.

Plain NumPy of one world, without BLAS: the order of additions is fixed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

Blocks = dict[tuple[int, int], np.ndarray]


def filled_rows(pairs: Iterable[tuple[int, int]], count: int) -> tuple[list[list[int]], list[int]]:
    """Columns of the rows of L before the diagonal, and the last of them, of pairs in the lower triangle."""
    found: list[set[int]] = [set() for _ in range(count)]
    for one, two in pairs:
        if one != two:
            found[one].add(two)
    parents = [-1] * count
    for vertex in reversed(range(count)):
        if found[vertex]:
            parents[vertex] = last = max(found[vertex])
            found[last] |= found[vertex] - {last}
    return [sorted(columns) for columns in found], parents


def factored_rows(blocks: Blocks, struct: list[list[int]], parents: list[int]) -> list[np.ndarray]:
    """Three rows of L for each vertex: columns before its own, then its own; by fronts of dense matrices.

    Raises:
        ArithmeticError: if the matrix is not positive definite.
    """
    count = len(struct)
    pending: dict[int, list[tuple[list[int], np.ndarray]]] = defaultdict(list)
    factors: list[np.ndarray] = [np.zeros((3, 3))] * count
    for vertex in reversed(range(count)):
        order = [*struct[vertex], vertex]
        place = {other: k for k, other in enumerate(order)}
        front = np.zeros((3 * len(order), 3 * len(order)))
        for other in order:
            if (vertex, other) in blocks:
                front[-3:, 3 * place[other] : 3 * place[other] + 3] = blocks[vertex, other]
        for columns, part in pending.pop(vertex, ()):
            where = np.array([3 * place[other] + k for other in columns for k in range(3)])
            front[np.ix_(where, where)] += part
        factors[vertex] = _eliminated(front)
        if parents[vertex] >= 0:
            pending[parents[vertex]].append((struct[vertex], front[:-3, :-3]))
    return factors


def _eliminated(front: np.ndarray) -> np.ndarray:
    """The last three rows of the factor of a front, which they are taken out of."""
    size = len(front)
    rows = np.zeros((3, size))
    for k in (2, 1, 0):
        diagonal = size - 3 + k
        pivot = front[diagonal, diagonal]
        if not 0.0 < pivot < np.inf:
            raise ArithmeticError("a pivot is not a positive number")
        rows[k, : diagonal + 1] = front[diagonal, : diagonal + 1] / np.sqrt(pivot)
        before = rows[k, :diagonal]
        front[:diagonal, :diagonal] -= before[:, None] * before
    return rows
