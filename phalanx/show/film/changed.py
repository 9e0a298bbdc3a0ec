"""The part of a picture that differs from the one before."""

from __future__ import annotations

import numpy as np


def changed_box(before: np.ndarray | None, picture: np.ndarray, step: int = 1) -> tuple[int, int, int, int]:
    """Left, upper, right and lower bound of all pixels that changed, left and upper at multiples of `step`.

    A box is never empty: pictures that are equal differ in one pixel at the corner.

    >>> changed_box(np.zeros((4, 6, 3)), np.pad(np.ones((1, 2, 3)), ((2, 1), (3, 1), (0, 0))), step=2)
    (2, 2, 5, 3)
    """
    height, width = picture.shape[:2]
    if before is None:
        return 0, 0, width, height
    differs = (before != picture).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, 1, 1
    left, upper = int(columns[0]) // step * step, int(rows[0]) // step * step
    return left, upper, int(columns[-1]) + 1, int(rows[-1]) + 1
