"""The least of a small quadratic function in a box: Newton's method on the coordinates that are free.

The step of control-limited differential dynamic programming (Tassa, Mansard, Todorov 2014, algorithm 1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: Most iterations; from a good start two or three are needed.
_ITERATIONS = 100
#: Smallest step of the search along a direction, and the share of the expected decrease that is enough.
_SMALLEST, _ENOUGH = 1e-10, 0.1


class BoxMinimum(NamedTuple):
    """Where the least value is, and which coordinates the box does not hold."""

    x: np.ndarray
    is_free: np.ndarray


def minimize_in_box(
    H: np.ndarray, g: np.ndarray, lower: np.ndarray, upper: np.ndarray, start: np.ndarray
) -> BoxMinimum | None:
    """The x between lower and upper that minimizes x'Hx/2 + g'x; None where H is not positive on free coordinates.

    >>> minimize_in_box(np.eye(2), np.array([-3.0, 0.5]), -np.ones(2), np.ones(2), np.zeros(2))
    BoxMinimum(x=array([ 1. , -0.5]), is_free=array([False,  True]))
    """
    x = np.clip(start, lower, upper)
    tolerance = 1e-12 * (1.0 + np.abs(g).max(initial=0.0))
    for _ in range(_ITERATIONS):
        slope = g + H @ x
        # the box holds a coordinate where it is at its end and the function falls beyond
        is_free = ~(((x <= lower) & (slope > 0)) | ((x >= upper) & (slope < 0)))
        free_H = H[np.ix_(is_free, is_free)]
        if not is_positive(free_H):
            return None
        if np.abs(slope[is_free]).max(initial=0.0) <= tolerance:
            break
        direction = np.zeros_like(x)
        direction[is_free] = -np.linalg.solve(free_H, slope[is_free])
        moved = search_along(H, g, x, direction, lower, upper)
        if moved is None:
            break
        x = moved
    return BoxMinimum(x, is_free)


def is_positive(H: np.ndarray) -> bool:
    """Whether a symmetric matrix is positive definite, as far as rounding allows to tell."""
    try:
        np.linalg.cholesky(H)
    except np.linalg.LinAlgError:
        return False
    return True


def search_along(
    H: np.ndarray, g: np.ndarray, x: np.ndarray, direction: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> np.ndarray | None:
    """The first point along a direction, clipped to the box, that decreases the function enough; None if none does."""
    slope, before, size = g + H @ x, 0.5 * x @ H @ x + g @ x, 1.0
    while size > _SMALLEST:
        y = np.clip(x + size * direction, lower, upper)
        if (y != x).any() and 0.5 * y @ H @ y + g @ y - before <= _ENOUGH * slope @ (y - x):
            return y
        size *= 0.6
    return None
