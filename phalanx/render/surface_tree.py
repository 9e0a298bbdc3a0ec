"""Triangles of surfaces in the order of a tree, and the boxes of its nodes; `triangles.py` has the form of the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phalanx.render.triangles import LEAF

#: Part of the size of a surface by which boxes are larger than they must be: a flat one has some thickness.
SLACK = 1e-6


@dataclass
class SurfaceTree:
    """A surface as rays see it.

    Attributes:
        levels: of the tree below its root.
        corners: of triangles, (n, 3, 3); n is LEAF times a power of two, with triangles of no size at the end.
        normals: at the corners, (n, 3, 3).
        uvs: texture coordinates at the corners, (n, 3, 2); zero if it has none.
        boxes: least and greatest corner of each node, (2 n / LEAF, 6); the root is row 1.
        order: which face each triangle is; -1 for those of no size.
    """

    levels: int
    corners: np.ndarray
    normals: np.ndarray
    uvs: np.ndarray
    boxes: np.ndarray
    order: np.ndarray

    @property
    def sphere(self) -> tuple[np.ndarray, float]:
        """Center and radius of a sphere around all triangles."""
        center = (self.boxes[1, :3].astype(float) + self.boxes[1, 3:]) / 2
        offsets = self.corners.reshape(-1, 3) - center
        return center, float(np.sqrt(np.einsum("ij,ij->i", offsets, offsets).max()))


def tree_of(vertices: np.ndarray, normals: np.ndarray, texcoords: np.ndarray | None, faces: np.ndarray) -> SurfaceTree:
    """The tree of a surface.

    Args:
        vertices: (n, 3).
        normals: of vertices, (n, 3).
        texcoords: of vertices, (n, 2), or None.
        faces: vertices of triangles, counter-clockwise, (k, 3).
    """
    levels = max(0, int(np.ceil(np.log2(max(len(faces), 1) / LEAF))))
    order = split_order(vertices[faces].mean(axis=1), levels)
    corners, normals_, uvs = (np.zeros((len(order), 3, k), np.float32) for k in (3, 3, 2))
    if texcoords is not None:
        uvs[:] = texcoords[faces[order]]
    boxes = np.zeros((2 << levels, 6), np.float32)
    tree = SurfaceTree(levels, corners, normals_, uvs, boxes, order)
    place(tree, vertices, normals, faces)
    return tree


def place(tree: SurfaceTree, vertices: np.ndarray, normals: np.ndarray, faces: np.ndarray) -> None:
    """Move the vertices of a tree; it stays a tree, if not the best one."""
    count = np.count_nonzero(tree.order >= 0)
    corners = vertices[faces[tree.order]]
    # triangles of no size are where the surface is, so that they enlarge no box
    corners[tree.order < 0] = corners[:1, :1] if count else 0.0
    tree.corners[:], tree.normals[:] = corners, normals[faces[tree.order]]
    points = corners.reshape(-1, LEAF * 3, 3)
    leaves = np.hstack([points.min(axis=1), points.max(axis=1)])
    slack = SLACK * np.abs(leaves).max()
    leaves[:, :3] -= slack
    leaves[:, 3:] += slack
    for level in range(tree.levels, -1, -1):
        tree.boxes[1 << level : 2 << level] = leaves
        pairs = leaves.reshape(-1, 2, 6) if level else leaves
        leaves = np.hstack([pairs[:, :, :3].min(axis=1), pairs[:, :, 3:].max(axis=1)]) if level else leaves


def split_order(centers: np.ndarray, levels: int) -> np.ndarray:
    """Faces in the order of the leaves: each node is split in the middle, across its longest side.

    Args:
        centers: of faces, (k, 3).
        levels: how often nodes are split.

    Returns:
        ids of faces, LEAF for each leaf; -1 where there is no more.
    """
    size = LEAF << levels
    order = np.full(size, -1, np.int64)
    order[: len(centers)] = np.arange(len(centers))
    places = np.vstack([centers, np.full((1, 3), np.inf)]).astype(np.float64)
    for level in range(levels):
        segments = order.reshape(1 << level, -1)
        points = places[segments]
        is_face = segments >= 0
        low = np.where(is_face[:, :, None], points, np.inf).min(axis=1)
        high = np.where(is_face[:, :, None], points, -np.inf).max(axis=1)
        axis = np.argmax(np.where(high > low, high - low, 0.0), axis=1)
        keys = np.take_along_axis(points, axis[:, None, None], axis=2)[:, :, 0]
        # no faces count as last; of equal ones the first comes first, on every machine
        sorting = np.argsort(keys, axis=1, kind="stable")
        order = np.take_along_axis(segments, sorting, axis=1).ravel()
    return order
