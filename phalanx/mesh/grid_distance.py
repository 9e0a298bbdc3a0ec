"""Distance of grid points to a mesh of triangles, and on which side they are.

Distances are exact: for each block of points, the triangles that may be nearest to any of them are found by bounding
balls, and measured. Sides come from vertical lines through the points, slightly beside them: how many surfaces lie
above, counted up or down by their orientation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError
from phalanx.memory.fill import numbers
from phalanx.tables.sizes import MAXVAL

#: Points along each side of a block, triangles measured first, and values worked on at a time.
_BLOCK, _LIKELY, _CHUNK = 4, 32, 2_000_000
#: Parts of a cell by which lines miss the points, so that they miss edges and corners too.
_BESIDE = (1.37e-5, 2.11e-5)


def merged(vertices: Any, faces: Any) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces as arrays, equal vertices merged and faces without area left out."""
    points, triangles = numbers("vertices", vertices).astype(float), numbers("faces", faces)
    if points.ndim != 2 or points.shape[1] != 3 or not len(points):
        raise ModelError(f"vertices must have shape (n, 3), not {points.shape}")
    is_fit = np.abs(points) <= MAXVAL
    if not is_fit.all():
        raise ModelError(f"vertex {np.argwhere(~is_fit)[0][0]} is not finite, or beyond {MAXVAL:g}")
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu" or not len(triangles):
        raise ModelError(f"faces must be integers of shape (n, 3), not {triangles.dtype} of {triangles.shape}")
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise ModelError(f"faces name vertex {triangles.max()}, but there are {len(points)}")
    points, pointid = np.unique(points, axis=0, return_inverse=True)
    triangles = pointid.reshape(-1)[triangles]
    a, b, c = triangles.T
    return points, triangles[(a != b) & (b != c) & (c != a)]


def check_watertight(vertices: np.ndarray, faces: np.ndarray) -> bool:
    """Refuse a mesh with holes; do all faces of the others look the same way, out or in?"""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    ordered = np.sort(edges, axis=1)
    unique, counts = np.unique(ordered, axis=0, return_counts=True)
    for problem, is_bad in (
        ("is at a hole", counts == 1),
        ("has an odd number of faces", counts % 2 == 1),
    ):
        if is_bad.any():
            a, b = vertices[unique[is_bad][0]]
            raise ModelError(
                f"the mesh is not watertight: the edge from {a.tolist()} to {b.tolist()} {problem} "
                f"({int(is_bad.sum())} such edges)"
            )
    ups = np.unique(edges, axis=0, return_counts=True)[1]
    return bool((ups == 1).all()) or bool(_is_balanced(edges))


def _is_balanced(edges: np.ndarray) -> bool:
    """Is every edge used as often in one direction as in the other?"""
    sign = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    _, edgeid = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True)
    return not np.bincount(edgeid.reshape(-1), sign).any()


def unsigned_distance(triangles: np.ndarray, lower: np.ndarray, cell: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Distance of every point of a grid to the nearest of the triangles, shape (n, 3, 3)."""
    centers = triangles.mean(axis=1)
    radii = np.linalg.norm(triangles - centers[:, None], axis=2).max(axis=1)
    found = np.empty(shape)
    for i in range(0, shape[0], _BLOCK):
        for j in range(0, shape[1], _BLOCK):
            for k in range(0, shape[2], _BLOCK):
                block = found[i : i + _BLOCK, j : j + _BLOCK, k : k + _BLOCK]
                index = np.stack(np.meshgrid(*map(np.arange, block.shape), indexing="ij"), -1).reshape(-1, 3)
                points = lower + (index + [i, j, k]) * cell
                middle = points.mean(axis=0)
                reach = np.linalg.norm(points - middle, axis=1).max()
                away = np.linalg.norm(centers - middle, axis=1)
                least = away - radii
                likely = np.argpartition(least, min(_LIKELY, len(least) - 1))[:_LIKELY]
                most = _nearest(middle[None], triangles[likely])[0]
                near = triangles[least <= most + 2 * reach]
                block[...] = _nearest(points, near).reshape(block.shape)
    return found


def _nearest(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Distance of points to the nearest triangle."""
    best = np.full(len(points), np.inf)
    step = max(1, _CHUNK // len(points))
    for start in range(0, len(triangles), step):
        square = _squares(points[:, None], triangles[start : start + step])
        best = np.minimum(best, square.min(axis=1))
    return np.sqrt(best)


def _squares(p: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Squared distances of points (n, 1, 3) to triangles (k, 3, 3)."""
    corners = [triangles[:, k] for k in range(3)]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    area = (normal * normal).sum(-1)
    is_over = area > 0
    to_edges = np.inf
    for a, b in ((0, 1), (1, 2), (2, 0)):
        edge, offset = corners[b] - corners[a], p - corners[a]
        part = np.clip((offset * edge).sum(-1) / np.maximum((edge * edge).sum(-1), 1e-300), 0.0, 1.0)
        rest = offset - part[..., None] * edge
        to_edges = np.minimum(to_edges, (rest * rest).sum(-1))
        is_over = is_over & ((np.cross(normal, edge) * offset).sum(-1) >= 0)
    height = ((p - corners[0]) * normal).sum(-1)
    return np.where(is_over, height * height / np.maximum(area, 1e-300), to_edges)


def inside_of(
    triangles: np.ndarray, lower: np.ndarray, cell: np.ndarray, shape: tuple[int, ...], oriented: bool
) -> np.ndarray:
    """Which points of a grid are inside.

    With faces that look the same way, points that surfaces go around (also more than once); otherwise those with an
    odd number of surfaces above.
    """
    above = np.zeros((shape[0], shape[1], shape[2] + 1), np.int64)  # surfaces by the first point that is above them
    start = lower[:2] + np.array(_BESIDE) * cell[:2]
    for a, b, c in triangles:
        low = np.ceil((np.minimum(np.minimum(a, b), c)[:2] - start) / cell[:2]).astype(int)
        high = np.floor((np.maximum(np.maximum(a, b), c)[:2] - start) / cell[:2]).astype(int)
        (u0, v0), (u1, v1) = b[:2] - a[:2], c[:2] - a[:2]
        area = u0 * v1 - v0 * u1
        if area == 0.0 or (high < low).any():
            continue
        i, j = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1), indexing="ij")
        x, y = start[0] + i * cell[0] - a[0], start[1] + j * cell[1] - a[1]
        on_b, on_c = (x * v1 - y * u1) / area, (u0 * y - v0 * x) / area
        is_hit = (on_b >= 0) & (on_c >= 0) & (on_b + on_c <= 1)
        z = a[2] + on_b[is_hit] * (b[2] - a[2]) + on_c[is_hit] * (c[2] - a[2])
        k = np.clip(np.ceil((z - lower[2]) / cell[2]), 0, shape[2]).astype(int)
        np.add.at(above, (i[is_hit], j[is_hit], k), (1 if area > 0 else -1) if oriented else 1)
    surfaces = above[:, :, ::-1].cumsum(axis=2)[:, :, ::-1][:, :, 1:]
    return surfaces != 0 if oriented else surfaces % 2 == 1
