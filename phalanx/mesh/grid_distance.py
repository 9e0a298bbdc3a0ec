"""Distance of grid points to a mesh of triangles, and on which side they are.

Distances are exact: for each block of points, and for each part of it in turn, the triangles that may be nearest to any
of them are found by bounding balls; those that may be nearest to a point are measured. Sides come from vertical lines
through the points, slightly beside them: how many surfaces lie above, counted up or down by their orientation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError
from phalanx.memory.fill import numbers
from phalanx.tables.sizes import MAXVAL

#: Points along each side of the smallest blocks, and pairs of a point and a triangle worked on at a time.
_BLOCK, _CHUNK = 4, 500_000
Triple = tuple[int, ...]
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
    is_there = (triangles >= 0) & (triangles < len(points))
    if not is_there.all():
        raise ModelError(f"faces name vertex {triangles[~is_there][0]}, but there are {len(points)}")
    points, pointid = np.unique(points, axis=0, return_inverse=True)
    triangles = pointid.reshape(-1)[triangles]
    a, b, c = triangles.T
    kept = triangles[(a != b) & (b != c) & (c != a)]
    if not len(kept):
        raise ModelError("no face has three different corners")
    return points, kept


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
    faces = _Faces(triangles)
    # what rounding does to distances of centers
    slack = 1e-12 * (np.abs(triangles).max() + np.abs(lower).max() + (np.array(shape) * cell).max())
    found = np.empty(shape)
    blocks: list[tuple[Triple, Triple, np.ndarray]] = [((0, 0, 0), shape, np.arange(len(triangles)))]
    while blocks:
        first, end, near = blocks.pop()
        low, high = lower + np.array(first) * cell, lower + (np.array(end) - 1) * cell
        reach = 0.5 * np.linalg.norm(high - low)
        away = np.linalg.norm(faces.centers[:, near] - 0.5 * (low + high)[:, None], axis=0)
        # a center is a point of its triangle: no point of the block is farther than that from the mesh
        near = near[away - faces.radii[near] <= away.min() + 2 * reach + slack]
        if max(b - a for a, b in zip(first, end, strict=True)) > _BLOCK:
            blocks += [(*part, near) for part in _parts(first, end)]
            continue
        index = np.stack(np.meshgrid(*map(np.arange, first, end), indexing="ij")).reshape(3, -1)
        distance = _nearest(lower[:, None] + index * cell[:, None], faces, near, slack)
        found[tuple(map(slice, first, end))] = distance.reshape(np.subtract(end, first))
    return found


def _parts(first: Triple, end: Triple) -> Iterator[tuple[Triple, Triple]]:
    """Halves of a block along each axis on which it is too long."""
    sides = [
        [(a, b)] if b - a <= _BLOCK else [(a, (a + b) // 2), ((a + b) // 2, b)] for a, b in zip(first, end, strict=True)
    ]
    for x, y, z in product(*sides):
        yield (x[0], y[0], z[0]), (x[1], y[1], z[1])


class _Faces:
    """What measuring needs of each triangle, in columns: many pairs are gathered and multiplied fastest so."""

    def __init__(self, triangles: np.ndarray) -> None:
        corners = [triangles[:, k] for k in range(3)]
        self.centers = np.ascontiguousarray(triangles.mean(axis=1).T)
        self.radii = np.linalg.norm(triangles - self.centers.T[:, None], axis=2).max(axis=1)
        self.normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        edges = [corners[b] - corners[a] for a, b in ((0, 1), (1, 2), (2, 0))]
        self.area = (self.normal * self.normal).sum(-1)
        self.table = np.array(
            [
                np.concatenate([corner.T, edge.T, np.cross(self.normal, edge).T, [(edge * edge).sum(-1)]])
                for corner, edge in zip(corners, edges, strict=True)
            ]
        )

    def squares(self, p: np.ndarray, triangle: np.ndarray) -> np.ndarray:
        """Squared distances of points, shape (3, n), to one triangle each."""
        area, normal = self.area[triangle], self.normal.T[:, triangle]
        is_over, to_edges = area > 0, np.full(len(triangle), np.inf)
        for table in self.table:
            x, y, z = p - table[:3].take(triangle, axis=1)
            edge_x, edge_y, edge_z, out_x, out_y, out_z, length = table[3:].take(triangle, axis=1)
            is_over &= out_x * x + out_y * y + out_z * z >= 0
            part = np.clip((x * edge_x + y * edge_y + z * edge_z) / np.maximum(length, 1e-300), 0.0, 1.0)
            x, y, z = x - part * edge_x, y - part * edge_y, z - part * edge_z
            to_edges = np.minimum(to_edges, x * x + y * y + z * z)
        x, y, z = p - self.table[0, :3].take(triangle, axis=1)
        height = x * normal[0] + y * normal[1] + z * normal[2]
        return np.where(is_over, height * height / np.maximum(area, 1e-300), to_edges)


def _nearest(points: np.ndarray, faces: _Faces, near: np.ndarray, slack: float) -> np.ndarray:
    """Distance of points, shape (3, n), to the nearest of some triangles; balls around them tell which to measure."""
    best = np.empty(points.shape[1])
    centers, radii = faces.centers.take(near, axis=1), faces.radii[near] + slack
    step = max(1, _CHUNK // len(near))
    for start in range(0, len(best), step):
        some = points[:, start : start + step]
        away = np.sqrt(sum((some[k][:, None] - centers[k]) ** 2 for k in range(3)))
        point, place = np.nonzero(away - radii <= away.min(axis=1)[:, None])
        square = faces.squares(some.take(point, axis=1), near[place])
        # pairs come point after point, and each point has some
        best[start : start + step] = np.minimum.reduceat(square, np.flatnonzero(np.diff(point, prepend=-1)))
    return np.sqrt(best)


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
