"""The nearest triangle of a mesh to points, and on which side of the surface they are.

A point whose nearest point is on an edge or corner is decided by the mean normal of the triangles there (Baerentzen and
Aanaes, "Signed Distance Computation Using the Angle Weighted Pseudonormal", 2005), so it does not matter which of them
is found. It does where triangles meet that do not share their vertices: there the order of operations, and the order in
which triangles are visited, are MuJoCo's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from phalanx.mesh.bvh import Bvh

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Points that go down the tree together.
_POINTS = 1 << 13
#: How many triangles with near centers are measured first, and how much more than the nearest of them counts as far.
_LIKELY, _MORE = 4, 1e-9
#: Where on a triangle the nearest point is: at its corners, on edges from the first corner, between the others, inside.
_A, _B, _AB, _C, _AC, _BC, _INSIDE = range(7)


def signed_distance(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray, tree: Bvh) -> np.ndarray:
    """Distance of points (n, 3) to the nearest triangle, negative behind it."""
    from scipy.spatial import cKDTree  # slow to import

    corners = np.ascontiguousarray(vertices[faces].transpose(1, 2, 0))
    low, high = (tree.aabb[:, :3] - tree.aabb[:, 3:]).T, (tree.aabb[:, :3] + tree.aabb[:, 3:]).T
    boxes = np.ascontiguousarray(low), np.ascontiguousarray(high)
    found = np.empty(len(points))
    with np.errstate(divide="ignore", invalid="ignore"):
        normals = _mean_normals(corners, faces)
        centers = cKDTree(corners.mean(axis=0).T)
        for start in range(0, len(points), _POINTS):
            part = np.ascontiguousarray(points[start : start + _POINTS].T)
            found[start : start + _POINTS] = _signed(part, *_nearest(part, corners, tree, boxes, centers), normals)
    return found


def _mean_normals(corners: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(7, 3, n) normals at the places of each triangle: of all triangles at a corner by their angles, or at an edge."""
    a, b, c = corners
    normal = _unit(_cross(b - a, c - a))
    normals = np.empty((7, 3, len(faces)))
    normals[_INSIDE] = normal
    at_corner = np.zeros((3, int(faces.max()) + 1))
    for k, (p, q, r) in enumerate(((a, b, c), (b, c, a), (c, a, b))):
        angle = np.arccos(np.clip(_dot(_unit(q - p), _unit(r - p)), -1.0, 1.0))
        for axis in range(3):
            np.add.at(at_corner[axis], faces[:, k], angle * normal[axis])
    for place, k in ((_A, 0), (_B, 1), (_C, 2)):
        normals[place] = at_corner[:, faces[:, k]]
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [0, 2]], faces[:, [1, 2]]])
    _, edge = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    edge = edge.reshape(3, -1)
    at_edge = np.stack([np.bincount(edge.ravel(), np.tile(along, 3)) for along in normal])
    normals[[_AB, _AC, _BC]] = at_edge[:, edge].transpose(1, 0, 2)
    return normals


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors (3, n) of length one; those without a length are zero."""
    length = np.sqrt(_dot(vectors, vectors))
    return np.where(length > 0, vectors / length, 0.0)


def _nearest(
    points: np.ndarray, corners: np.ndarray, tree: Bvh, boxes: tuple[np.ndarray, np.ndarray], centers: cKDTree
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Squared distance to the nearest triangle, the triangle, the nearest point on it (3, n), and which place that is.

    All points go down the tree in step, each with a stack of the nodes that are still ahead of it.
    """
    count = points.shape[1]
    best, face, place = _bound(points, corners, centers), np.full(count, -1), np.full(count, _INSIDE)
    foot = np.zeros((3, count))
    stack = np.zeros((int(tree.depth.max(initial=0)) + 2, count), np.int64)
    height = np.ones(count, np.int64)
    active = np.arange(count)
    while len(active):
        height[active] -= 1
        node = stack[height[active], active]
        is_near = _box_square(points[:, active], boxes[0][:, node], boxes[1][:, node]) < best[active]
        node, at = node[is_near], active[is_near]
        is_leaf = tree.child[node, 0] < 0
        leaf, here = tree.nodeid[node[is_leaf]], at[is_leaf]
        square, at_foot, at_place = _on_triangle(points[:, here], corners[:, :, leaf])
        is_nearer = square < best[here]
        here = here[is_nearer]
        best[here], face[here], place[here] = square[is_nearer], leaf[is_nearer], at_place[is_nearer]
        foot[:, here] = at_foot[:, is_nearer]
        # the left part is on top of the right one
        inner, here = node[~is_leaf], at[~is_leaf]
        stack[height[here], here] = tree.child[inner, 1]
        stack[height[here] + 1, here] = tree.child[inner, 0]
        height[here] += 2
        active = active[height[active] > 0]
    return best, face, foot, place


def _bound(points: np.ndarray, corners: np.ndarray, centers: cKDTree) -> np.ndarray:
    """Squared distances that are a little larger than those to the nearest triangle, often only a little.

    What is farther away is passed by without being measured; the nearest, and all that equal it but for rounding, are
    found in the same order as without a bound.
    """
    _, likely = centers.query(points.T, k=min(_LIKELY, corners.shape[2]))
    squares = [_on_triangle(points, corners[:, :, triangle])[0] for triangle in likely.reshape(len(points.T), -1).T]
    # a triangle without area may be at no distance
    return np.nan_to_num(np.fmin.reduce(squares), nan=np.inf) * (1 + _MORE) + np.finfo(np.float64).tiny


def _box_square(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Squared distance of points from boxes."""
    away = np.maximum(np.maximum(low - points, points - high), 0.0)
    return away[0] * away[0] + away[1] * away[1] + away[2] * away[2]


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _on_triangle(p: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Squared distance of points from triangles, the nearest point (3, n), and which place of the triangle it is."""
    a, b, c = corners
    ab, ac, ap, bp, cp = b - a, c - a, p - a, p - b, p - c
    d1, d2, d3, d4, d5, d6 = _dot(ab, ap), _dot(ac, ap), _dot(ab, bp), _dot(ac, bp), _dot(ab, cp), _dot(ac, cp)
    vc, vb, va = d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4
    on_ab, on_ac, on_bc = d1 / (d1 - d3), d2 / (d2 - d6), (d4 - d3) / ((d4 - d3) + (d5 - d6))
    scale = 1.0 / (va + vb + vc)
    # the first of these that holds, in the order of places; otherwise the point is above the triangle
    place = np.select([
        (d1 <= 0) & (d2 <= 0), (d3 >= 0) & (d4 <= d3), (vc <= 0) & (d1 >= 0) & (d3 <= 0), (d6 >= 0) & (d5 <= d6),
        (vb <= 0) & (d2 >= 0) & (d6 <= 0), (va <= 0) & (d4 - d3 >= 0) & (d5 - d6 >= 0),
    ], range(_INSIDE), _INSIDE)  # fmt: skip
    feet = a, b, a + on_ab * ab, c, a + on_ac * ac, b + on_bc * (c - b), a + vb * scale * ab + vc * scale * ac
    foot = np.choose(place, feet)
    offset = p - foot
    return _dot(offset, offset), foot, place


def _signed(
    points: np.ndarray,
    square: np.ndarray,
    face: np.ndarray,
    foot: np.ndarray,
    place: np.ndarray,
    normals: np.ndarray,
) -> np.ndarray:
    """Distances, negative where points are behind the surface."""
    distance = np.sqrt(square)
    return np.where(_dot(points - foot, normals[place, :, face].T) < 0, -distance, distance)
