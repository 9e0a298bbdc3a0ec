"""The surface of a grid of signed distances, as triangles: where distances between its points change sign.

Each cell is split into six tetrahedra around its diagonal, and each of those is cut by the surface in a triangle or a
quad, whose corners are on its edges.
"""

from __future__ import annotations

import numpy as np

#: Corners of the six tetrahedra of a cell: the way from its first corner to the opposite one, along the axes in every
#: order.
PATHS = tuple(
    ((0, 0, 0), first, second, (1, 1, 1))
    for first, second in (
        ((1, 0, 0), (1, 1, 0)), ((1, 0, 0), (1, 0, 1)), ((0, 1, 0), (1, 1, 0)),
        ((0, 1, 0), (0, 1, 1)), ((0, 0, 1), (1, 0, 1)), ((0, 0, 1), (0, 1, 1)),
    )
)  # fmt: skip
#: Inside corners of a tetrahedron, which come first -> triangles of edges that are cut, as pairs of corners.
CUTS = {
    1: (((0, 1), (0, 2), (0, 3)),),
    2: (((0, 2), (0, 3), (1, 2)), ((1, 2), (0, 3), (1, 3))),
    3: (((0, 3), (1, 3), (2, 3)),),
}


def zero_surface(values: np.ndarray, cell: np.ndarray, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners of triangles and the normals there, (k, 3, 3) each; they face to where distances are positive.

    Args:
        values: signed distances at the points of a grid, (nx, ny, nz).
        cell: distance of its points along each axis, (3,).
        origin: its first point, (3,).
    """
    slopes = np.stack(np.gradient(values, *cell), axis=-1).reshape(-1, 3)
    points = np.stack(np.meshgrid(*(np.arange(n) for n in values.shape), indexing="ij"), axis=-1)
    points = points.reshape(-1, 3) * cell + origin
    flat = values.ravel()
    tetrahedra = _cut_tetrahedra(values)
    # corners inside come first, so that there are few cases
    tetrahedra = np.take_along_axis(tetrahedra, np.argsort(flat[tetrahedra], axis=1, kind="stable"), axis=1)
    inside = (flat[tetrahedra] < 0).sum(axis=1)
    found = []
    for count, triangles in CUTS.items():
        chosen = tetrahedra[inside == count]
        for triangle in triangles:
            ends = np.stack([chosen[:, list(edge)] for edge in triangle], axis=1)
            found.append(_on_edges(ends, flat, points, slopes))
    corners, normals = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return _facing_outward(corners, normals)


def _cut_tetrahedra(values: np.ndarray) -> np.ndarray:
    """Points of the tetrahedra in which distances change sign, (k, 4)."""
    index = np.arange(values.size).reshape(values.shape)
    low, high = slice(None, -1), slice(1, None)
    corner = {
        (i, j, k): index[high if i else low, high if j else low, high if k else low].ravel()
        for i in (0, 1)
        for j in (0, 1)
        for k in (0, 1)
    }
    tetrahedra = np.concatenate([np.stack([corner[step] for step in path], axis=1) for path in PATHS])
    is_inside = values.ravel()[tetrahedra] < 0
    return tetrahedra[is_inside.any(axis=1) & ~is_inside.all(axis=1)]


def _on_edges(
    ends: np.ndarray, values: np.ndarray, points: np.ndarray, slopes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Points (k, 3, 3) where distances are zero on edges (k, 3, 2), and the slope of distances there."""
    first, second = values[ends[..., 0]], values[ends[..., 1]]
    part = (first / (first - second))[..., None]
    start, end = ends[..., 0], ends[..., 1]
    return points[start] + part * (points[end] - points[start]), slopes[start] + part * (slopes[end] - slopes[start])


def _facing_outward(corners: np.ndarray, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same triangles, counter-clockwise seen from where their normals point to."""
    own = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    is_reversed = np.einsum("ij,ij->i", own, normals.mean(axis=1)) < 0
    corners[is_reversed], normals[is_reversed] = corners[is_reversed][:, ::-1], normals[is_reversed][:, ::-1]
    return corners, normals
