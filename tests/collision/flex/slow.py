"""Distance of two convex polytopes from their corners, slow and obvious."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def depth_of(a: np.ndarray, b: np.ndarray) -> float:
    """Least overlap of the projections of two polytopes over normals of faces and of pairs of edges; negative if apart.

    Planes through any three corners count as faces, and any two corners as an edge: what is none overlaps no less.
    """
    edges_a = np.array([p - q for p, q in combinations(a, 2)])
    edges_b = np.array([p - q for p, q in combinations(b, 2)])
    normals = [np.cross(p - q, r - q) for points in (a, b) for p, q, r in combinations(points, 3)]
    normals += list(np.cross(edges_a[:, None], edges_b[None]).reshape(-1, 3))
    lengths = np.linalg.norm(normals, axis=1)
    units = np.array(normals)[lengths > 1e-14] / lengths[lengths > 1e-14, None]
    units = np.concatenate([units, -units])
    return float(np.min((units @ a.T).max(axis=1) - (units @ b.T).min(axis=1)))


def to_segment(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Distance of a point from a segment."""
    along = b - a
    t = np.clip((point - a) @ along / (along @ along), 0.0, 1.0)
    return float(np.linalg.norm(a + t * along - point))


def to_triangle(point: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Distance of a point from a triangle: from its plane if it is over it, else from its edges."""
    normal = np.cross(b - a, c - a)
    sides = [np.cross(q - p, point - p) @ normal for p, q in ((a, b), (b, c), (c, a))]
    if min(sides) >= 0.0 and normal @ normal > 0.0:
        return float(abs((point - a) @ normal) / np.linalg.norm(normal))
    return min(to_segment(point, p, q) for p, q in ((a, b), (b, c), (c, a)))


def between_segments(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Distance of two segments: inside of both, or at an end of one."""
    u, v, w = b - a, d - c, a - c
    matrix = np.array([[u @ u, -(u @ v)], [-(u @ v), v @ v]])
    best = min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))
    if abs(np.linalg.det(matrix)) > 1e-18:
        s, t = np.linalg.solve(matrix, [-(u @ w), v @ w])
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            best = min(best, float(np.linalg.norm(a + s * u - c - t * v)))
    return best


def distance_of(a: np.ndarray, b: np.ndarray) -> float:
    """Signed distance of two convex polytopes that are given by their corners."""
    depth = depth_of(a, b)
    if depth > 0.0:
        return -depth
    found = [between_segments(*p, *q) for p in combinations(a, 2) for q in combinations(b, 2)]
    found += [to_triangle(p, *triangle) for p in a for triangle in combinations(b, 3)]
    found += [to_triangle(p, *triangle) for p in b for triangle in combinations(a, 3)]
    return min(found)
