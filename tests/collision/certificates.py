"""Proofs that a contact is right, from support functions in NumPy: they know nothing of either engine.

Along any unit vector n two shapes overlap by h(n) = reach of the first along n + reach of the second along -n. The
depth of the overlap is the least h(n) of all directions, and minus the distance where they are apart. So a contact
(dist, pos, n) is off by at most its gap h(n) + dist:

- an overlap is reported by a search that ends inside, with a depth that is not too large, and h(n) is not too small;
- a distance is that of two points of the shapes, not too small, and -h(n) is not too large.

A search ends when its gap is below the tolerance of the options, or after a number of steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from phalanx.tables.enums import GeomType
from tests.collision.harness import Pair

#: `opt.ccd_tolerance` [m].
SEARCH = 1e-6
#: Of numbers about one, after some hundred operations.
ROUNDING = 1e-12

DIRECTIONS = np.random.default_rng(1).normal(size=(2000, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1, keepdims=True)


class Shape:
    """Support function and distance from the inside of a geom, written with NumPy."""

    def __init__(self, m: Any, data: Any, k: int):
        self.data, self.k, self.flatness = data, k, 0.0
        self.kind, self.size = GeomType(m.geom_type[k]), m.geom_size[k].copy()
        if self.kind is GeomType.MESH:
            mesh = m.geom_dataid[k]
            rows = slice(m.mesh_vertadr[mesh], m.mesh_vertadr[mesh] + m.mesh_vertnum[mesh])
            self.points = m.mesh_vert[rows].astype(float)
            polygons = slice(m.mesh_polyadr[mesh], m.mesh_polyadr[mesh] + m.mesh_polynum[mesh])
            # a mesh without a hull has no polygons: then many directions have to do
            self.normals = m.mesh_polynormal[polygons] if m.mesh_polynum[mesh] else DIRECTIONS
            self.offsets = (self.normals @ self.points.T).max(axis=1)
            # how far corners of a polygon are from its plane: meshes are kept in single precision
            for normal, adr, num, offset in zip(
                self.normals, m.mesh_polyvertadr[polygons], m.mesh_polyvertnum[polygons], self.offsets, strict=False
            ):
                corners = self.points[m.mesh_polyvert[adr : adr + num]]
                self.flatness = max(self.flatness, float((offset - corners @ normal).max()))

    def height(self, directions: np.ndarray) -> np.ndarray:
        """How far the shape reaches along each of the directions, from the origin of the world."""
        local = directions @ self.data.geom_xmat[self.k].reshape(3, 3)
        size = self.size
        if self.kind is GeomType.SPHERE:
            reach = np.full(len(local), size[0])
        elif self.kind is GeomType.CAPSULE:
            reach = size[0] + np.abs(local[:, 2]) * size[1]
        elif self.kind is GeomType.ELLIPSOID:
            reach = np.linalg.norm(local * size, axis=1)
        elif self.kind is GeomType.CYLINDER:
            reach = size[0] * np.hypot(local[:, 0], local[:, 1]) + size[1] * np.abs(local[:, 2])
        elif self.kind is GeomType.BOX:
            reach = np.abs(local) @ size
        else:
            reach = (local @ self.points.T).max(axis=1)
        return reach + directions @ self.data.geom_xpos[self.k]

    def outside(self, point: np.ndarray) -> float:
        """How far a point near the surface is outside, not positive inside; of planes, beyond the farthest."""
        x = (point - self.data.geom_xpos[self.k]) @ self.data.geom_xmat[self.k].reshape(3, 3)
        size = self.size
        if self.kind is GeomType.SPHERE:
            return float(np.linalg.norm(x) - size[0])
        if self.kind is GeomType.ELLIPSOID:
            scaled = np.linalg.norm(x / size)  # along the gradient, so only near the surface
            return float(scaled * (scaled - 1.0) / max(np.linalg.norm(x / size**2), 1e-300))
        if self.kind is GeomType.CAPSULE:
            return float(np.linalg.norm(x - [0, 0, np.clip(x[2], -size[1], size[1])]) - size[0])
        if self.kind is GeomType.CYLINDER:
            return float(max(np.hypot(x[0], x[1]) - size[0], abs(x[2]) - size[1]))
        if self.kind is GeomType.BOX:
            return float((np.abs(x) - size).max())
        return float((self.normals @ x - self.offsets).max())


def shapes_of(pair: Pair) -> tuple[Shape, Shape]:
    return Shape(pair.mjmodel, pair.mjdata, 0), Shape(pair.mjmodel, pair.mjdata, 1)


def overlap_along(first: Shape, second: Shape, normals: np.ndarray) -> np.ndarray:
    """How far the second shape must move along each normal until it is free of the first."""
    return first.height(normals) + second.height(-normals)


def overlap_of(shapes: tuple[Shape, Shape], contact: tuple) -> float:
    """Overlap along the normal of a contact, ours or MuJoCo's."""
    return float(overlap_along(*shapes, np.array(contact[2][:3])[None])[0])


def gap_of(shapes: tuple[Shape, Shape], contact: tuple) -> float:
    """By how much the distance of a contact may be off."""
    return overlap_of(shapes, contact) + float(contact[0])


def ends_of(contact: tuple) -> tuple[np.ndarray, np.ndarray]:
    """The points of the first and of the second shape that a contact stands for."""
    dist, pos, normal = contact
    return pos - 0.5 * dist * normal, pos + 0.5 * dist * normal


def is_placed(shapes: tuple[Shape, Shape], contact: tuple, margin: float = 0.0, rounding: float = 0.0) -> bool:
    """Does a contact stand for points of both shapes, to the tolerance t of a search?

    A margin rounds shapes by half of it, r. On a face of the search the normals of the rounded shape differ by as much
    as lets the face bulge out by t, sqrt(2 t / r); so far beside the shape is the point that is drawn back by r.
    """
    outside = max(shape.outside(point) for shape, point in zip(shapes, ends_of(contact), strict=True))
    return bool(outside <= SEARCH + rounding + np.sqrt(SEARCH * margin))


# --- the depth of any overlap, slowly


def downhill(first: Shape, second: Shape, direction: np.ndarray, rng: np.random.Generator) -> float:
    """The least overlap that a random search finds from a direction: never below the truth.

    Trials are spread as the best of the last ones were (the cross-entropy method), along a valley if there is one.
    """
    depth = overlap_along(first, second, direction[None])[0]
    spread = 0.02 * np.eye(3)
    for _ in range(120):
        trials = direction + rng.normal(size=(40, 3)) @ spread.T
        trials /= np.linalg.norm(trials, axis=1, keepdims=True)
        found = overlap_along(first, second, trials)
        best = trials[found.argsort()[:10]]
        steps = best - direction
        squares, axes = np.linalg.eigh(0.4 * spread @ spread.T + 0.06 * steps.T @ steps)
        if squares[-1] < 1e-20:
            break
        spread = axes * np.sqrt(np.maximum(squares, 1e-24))
        if found.min() < depth:
            direction, depth = best[0], found.min()
    return float(depth)


def searched_depth(first: Shape, second: Shape, known: np.ndarray) -> float:
    """Depth of the overlap by a random search over directions: never below the truth."""
    rng = np.random.default_rng(3)
    axes = [sign * first.data.geom_xmat[k].reshape(3, 3).T for k in (0, 1) for sign in (-1, 1)]
    starts = np.vstack([DIRECTIONS, *axes, known])
    depths = overlap_along(first, second, starts)
    return min(downhill(first, second, starts[start], rng) for start in depths.argsort()[:3])


# --- ties


def neighbors(pose: np.ndarray, count: int = 300) -> Iterator[tuple[float, np.ndarray]]:
    """(distance, pose): at most as far away as the tolerance of a search, mostly by rounding."""
    rng = np.random.default_rng(0)
    for size in np.geomspace(1e-15, SEARCH, count):
        near = pose + size * rng.normal(size=7)
        near[3:] /= np.linalg.norm(near[3:])
        yield size, near
