"""Vertex normals of a mesh, in the single precision in which MuJoCo adds them up."""

from __future__ import annotations

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.tables.sizes import EPSILON

#: A face whose normal makes a smaller cosine with the vertex normal is beyond a sharp edge.
SHARP = 0.8


def transformed(vectors: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """`matrix` times each vector, with a fixed order of additions."""
    x, y, z = vectors.T
    return np.stack([row[0] * x + row[1] * y + row[2] * z for row in matrix], axis=1)


def normalized(normals: np.ndarray) -> np.ndarray:
    """Unit float32 vectors; the z axis where there is none."""
    x, y, z = normals.T
    square = x * x + y * y + z * z
    is_valid = square > MINVAL
    factor = np.float32(1) / np.sqrt(np.where(is_valid, square, np.float32(1)))
    return np.where(is_valid[:, None], normals * factor[:, None], np.array([0, 0, 1], np.float32))


def vertex_normals(vertices: np.ndarray, faces: np.ndarray, smooth: bool) -> np.ndarray:
    """(n, 3) float32 mean of the normals of the triangles around each vertex, by area.

    Unless `smooth`, triangles beyond a sharp edge are taken out again.
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    square = (normal**2).sum(axis=1, keepdims=True)
    is_valid = square >= EPSILON
    area = np.where(is_valid, np.sqrt(square), 0.0)
    normal = normal / np.where(is_valid, area, 1.0)
    total = np.zeros((len(vertices), 3), np.float32)
    corners = faces.ravel()
    # a triangle counts by its area at each of its corners
    share = np.repeat(normal * area, 3, axis=0)
    _add(total, corners, share)
    if not smooth:
        direction = total.astype(np.float64)
        size = np.sqrt((direction**2).sum(axis=1, keepdims=True))
        direction = direction / np.where(size**2 < EPSILON, 1.0, size)
        # beyond a sharp edge: the triangle looks elsewhere than the mean of all
        is_sharp = (np.repeat(normal, 3, axis=0) * direction[corners]).sum(axis=1) < SHARP
        sharp = np.zeros_like(total)
        _add(sharp, corners[is_sharp], share[is_sharp])
        total = total - sharp
    x, y, z = total.T
    size = np.sqrt(x * x + y * y + z * z)[:, None]
    is_valid = size > MINVAL
    return np.where(is_valid, total / np.where(is_valid, size, np.float32(1)), np.array([0, 0, 1], np.float32))


def _add(total: np.ndarray, rows: np.ndarray, values: np.ndarray) -> None:
    """Add float64 values to float32 rows in turn, rounding after each."""
    order = np.argsort(rows, kind="stable")
    ranked = rows[order]
    repeat = np.arange(len(rows)) - np.searchsorted(ranked, ranked)
    order = order[np.argsort(repeat, kind="stable")]
    rows, values, start = rows[order], values[order], 0
    for end in np.cumsum(np.bincount(repeat)).tolist():
        now = rows[start:end]
        total[now] = (total[now].astype(np.float64) + values[start:end]).astype(np.float32)
        start = end
