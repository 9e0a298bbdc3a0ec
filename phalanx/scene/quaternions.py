"""Orientations of many shapes at once, as quaternions."""

from __future__ import annotations

import numpy as np


def quats_of(mats: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4), w first, of rotation matrices (n, 9) or (n, 3, 3).

    >>> quats_of(np.diag([1.0, -1.0, -1.0]))
    array([[0., 1., 0., 0.]])
    """
    long = long_quats(mats)
    return long / np.linalg.norm(long, axis=1, keepdims=True)


def long_quats(mats: np.ndarray) -> np.ndarray:
    """The same before they are divided by their lengths, as mju_mat2Quat finds them."""
    m = np.asarray(mats, float).reshape(-1, 9)
    # the element of largest size is found first, from the diagonal; the others follow from it
    squares = np.stack([
        1 + m[:, 0] + m[:, 4] + m[:, 8], 1 + m[:, 0] - m[:, 4] - m[:, 8],
        1 - m[:, 0] + m[:, 4] - m[:, 8], 1 - m[:, 0] - m[:, 4] + m[:, 8],
    ], axis=-1)  # fmt: skip
    products = np.stack([
        squares[:, 0], m[:, 7] - m[:, 5], m[:, 2] - m[:, 6], m[:, 3] - m[:, 1],
        m[:, 7] - m[:, 5], squares[:, 1], m[:, 1] + m[:, 3], m[:, 2] + m[:, 6],
        m[:, 2] - m[:, 6], m[:, 1] + m[:, 3], squares[:, 2], m[:, 5] + m[:, 7],
        m[:, 3] - m[:, 1], m[:, 2] + m[:, 6], m[:, 5] + m[:, 7], squares[:, 3],
    ], axis=-1).reshape(-1, 4, 4)  # fmt: skip
    # as in MuJoCo, the real part counts as largest while the trace is positive
    is_real = m[:, 0] + m[:, 4] + m[:, 8] > 0
    largest = np.where(is_real, 0, 1 + np.argmax(squares[:, 1:], axis=-1))
    return products[np.arange(len(m)), largest]
