"""Poses and colors as the page takes them."""

from __future__ import annotations

import numpy as np


def quaternions(mats: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4), w first, of rotation matrices (n, 9).

    Of the four products of each element with all others, the row with the largest diagonal is the most exact.
    """
    m = mats.reshape(-1, 9).T
    products = np.empty((4, 4, m.shape[1]))
    products[0] = 1 + m[0] + m[4] + m[8], m[7] - m[5], m[2] - m[6], m[3] - m[1]
    products[1] = products[0, 1], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]
    products[2] = products[0, 2], products[1, 2], 1 - m[0] + m[4] - m[8], m[5] + m[7]
    products[3] = products[0, 3], products[1, 3], products[2, 3], 1 - m[0] - m[4] + m[8]
    largest = np.argmax(np.einsum("iin->in", products), axis=0)
    chosen = products[largest, :, np.arange(m.shape[1])]
    return chosen / np.linalg.norm(chosen, axis=1, keepdims=True)


def in_bytes(colors: np.ndarray) -> np.ndarray:
    """Colors 0 to 1 as bytes."""
    return np.rint(255 * np.clip(colors, 0, 1)).astype(np.uint8)


def as_light(colors: np.ndarray) -> np.ndarray:
    """Colors of a screen as amounts of light (sRGB to linear): viser takes those of instances in this way."""
    return np.where(colors <= 0.04045, colors / 12.92, ((np.maximum(colors, 0.04045) + 0.055) / 1.055) ** 2.4)
