"""Polygons of a convex hull: its triangles, merged where they have the same plane.

Triangles with the same normal direction, rounded in azimuth and polar angle, are put together edge by edge. MuJoCo
keeps them in a hash map of the C++ library, whose order is the order of the polygons in its Model, so that map is
followed.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.tables.sizes import EPSILON

#: Normals are rounded to this angle [rad].
ANGLE = 0.01

#: A normal this close to the z axis counts as on it.
POLE = 1.0 - 1e-7


@dataclass(frozen=True, eq=False)
class Polygons:
    """Polygons of a hull, and the polygons that meet at each vertex of the mesh.

    Attributes:
        vertadr: (p,) int32, where the vertices of each polygon begin in `vertices`.
        vertnum: (p,) int32, how many there are.
        vertices: rows of the mesh's vertices, counterclockwise seen from outside.
        mapadr: (n,) int32, where the polygons of each mesh vertex begin in `map`.
        mapnum: (n,) int32, how many there are.
        map: the polygons around each vertex.
    """

    vertadr: np.ndarray
    vertnum: np.ndarray
    vertices: np.ndarray
    mapadr: np.ndarray
    mapnum: np.ndarray
    map: np.ndarray

    def __len__(self) -> int:
        return len(self.vertadr)

    def _areas(self, vertices: np.ndarray) -> np.ndarray:
        """(p, 3) twice the areas of the three projections of each polygon."""
        address, vertnum = np.repeat(self.vertadr, self.vertnum), np.repeat(self.vertnum, self.vertnum)
        follow = address + (np.arange(len(self.vertices)) - address + 1) % vertnum
        a, b = vertices[self.vertices], vertices[self.vertices[follow]]
        minus, plus = a - b, a + b
        normal = np.zeros((len(self), 3))
        np.add.at(normal, np.repeat(np.arange(len(self)), self.vertnum), minus[:, [1, 2, 0]] * plus[:, [2, 0, 1]])
        return normal

    def normals(self, vertices: np.ndarray) -> np.ndarray:
        """(p, 3) unit normals; the x axis where a polygon has no area."""
        if not len(self):
            return np.empty((0, 3))
        normal = self._areas(vertices)
        size = np.sqrt((normal**2).sum(axis=1, keepdims=True))
        is_flat = size < EPSILON
        return np.where(is_flat, [1.0, 0.0, 0.0], normal / np.where(is_flat, 1.0, size))

    def wound_outward(self, vertices: np.ndarray) -> Polygons:
        """The polygons wound so that their normals point away from the middle of their vertices, which is inside."""
        if not len(self):
            return self
        middle = vertices[np.unique(self.vertices)].mean(axis=0)
        is_inward = (self._areas(vertices) * (vertices[self.vertices[self.vertadr]] - middle)).sum(axis=1) < 0
        place = np.arange(len(self.vertices)) - np.repeat(self.vertadr, self.vertnum)
        back = (-place) % np.repeat(self.vertnum, self.vertnum)
        place = np.where(np.repeat(is_inward, self.vertnum), back, place)
        return replace(self, vertices=self.vertices[np.repeat(self.vertadr, self.vertnum) + place])


def _hashes(keys: np.ndarray) -> list[int]:
    """MuJoCo's hash of pairs of numbers: their bits, mixed as in the Boost library, in 64 bits."""
    # zero has no bits, whatever its sign
    first, second = np.ascontiguousarray(keys.T + 0.0).view(np.uint64)
    with np.errstate(over="ignore"):
        mixed = second + np.uint64(0x9E3779B9) + (first << np.uint64(6)) + (first >> np.uint64(2))
    return (first ^ mixed).tolist()


def _next_prime(n: int) -> int:
    while any(n % k == 0 for k in range(2, math.isqrt(n) + 1)):
        n += 1
    return n


def hash_map_order(keys: np.ndarray) -> list[int]:
    """Distinct keys (n, 2), by value, in the order in which std::unordered_map of libc++ walks them once inserted.

    All entries are one list; the entries of a bucket are neighbors in it. A new entry goes to the front of its bucket,
    or to the front of the list when its bucket is empty. When the buckets become more, entries are dealt anew in the
    order of the list: those that follow one another into a new bucket stay so, others go to the front of theirs.
    """
    codes = _hashes(keys)
    chains: dict[int, deque[int]] = {}
    order: deque[int] = deque()
    buckets = 0
    for key, code in enumerate(codes):
        if key + 1 > buckets:
            buckets = _next_prime(2 * buckets + 1) if buckets else 2
            order, chains = _rehash([entry for bucket in order for entry in chains[bucket]], codes, buckets)
        bucket = code % buckets
        chain = chains.get(bucket)
        if chain is None:
            chains[bucket] = deque((key,))
            order.appendleft(bucket)
        else:
            chain.appendleft(key)
    return [key for bucket in order for key in chains[bucket]]


def _rehash(entries: list[int], codes: list[int], buckets: int) -> tuple[deque[int], dict[int, deque[int]]]:
    order: deque[int] = deque()
    chains: dict[int, deque[int]] = {}
    previous = -1
    for entry in entries:
        bucket = codes[entry] % buckets
        if bucket == previous:
            chains[bucket].append(entry)
        elif bucket in chains:
            chains[bucket].appendleft(entry)
        else:
            chains[bucket] = deque((entry,))
            order.append(bucket)
            previous = bucket
    return order, chains


def _rounded_normals(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Azimuth and polar angle of the normal of each triangle (n, 2) in units of `ANGLE`, and which have one."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    size = np.sqrt((normal**2).sum(axis=1))
    is_valid = size >= MINVAL
    x, y, z = (normal / np.where(is_valid, size, 1.0)[:, None] + 0.0).T
    # angles of the C library, to the last bit
    azimuth = np.array(list(map(math.atan2, y.tolist(), x.tolist())))
    polar = np.array(list(map(math.acos, np.clip(z, -1.0, 1.0).tolist())))
    is_pole = np.abs(z) > POLE
    azimuth, polar = np.where(is_pole, 0.0, azimuth), np.where(is_pole, np.where(z < 0, math.pi, 0.0), polar)
    return _round(np.stack([azimuth, polar], axis=1) / ANGLE), is_valid


def _round(x: np.ndarray) -> np.ndarray:
    """Nearest whole number, halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


class _Outline:
    """Directed edges of triangles of one plane, without the edges that two of them share.

    Triangles that touch are one island; an island that joins another takes the place of the one that came first.
    """

    def __init__(self) -> None:
        #: edges that are left, with the island each was added to, by their ids in order
        self.edges: dict[int, tuple[tuple[int, int], int]] = {}
        #: ids of the edges between two corners, the first one first
        self.ids: dict[tuple[int, int], deque[int]] = {}
        #: island that each island joined, itself if none
        self.joined: list[int] = []
        self.added = 0

    def island_of(self, island: int) -> int:
        """The island that holds this one now."""
        while self.joined[island] != island:
            self.joined[island] = island = self.joined[self.joined[island]]
        return island

    def add(self, a: int, b: int, c: int) -> None:
        """Add a triangle; it joins the islands that it touches."""
        new, island = [], -1
        for edge in ((a, b), (b, c), (c, a)):
            shared = self.ids.get((edge[1], edge[0]))
            if not shared:
                new.append(edge)
                continue
            other = self.island_of(self.edges.pop(shared.popleft())[1])
            if island not in (-1, other):
                island, other = min(island, other), max(island, other)
                self.joined[other] = island
            else:
                island = other
        if island == -1:
            island = len(self.joined)
            self.joined.append(island)
        for edge in new:
            self.edges[self.added] = edge, island
            self.ids.setdefault(edge, deque()).append(self.added)
            self.added += 1

    def paths(self) -> Iterator[list[int]]:
        """Corners around each island."""
        if len(self.edges) == 3:
            yield [start for (start, _), _ in self.edges.values()]
            return
        islands: dict[int, list[tuple[int, int]]] = {}
        for edge, island in self.edges.values():
            islands.setdefault(self.island_of(island), []).append(edge)
        # as MuJoCo: the first edge of the plane never continues a path
        first = next(iter(self.edges.values()), (None, -1))[1]
        leader = self.island_of(first) if first >= 0 else -1
        for island in sorted(islands):
            mine = islands[island]
            follow: dict[int, int] = {}
            for start, end in mine[1:] if island == leader else mine:
                follow.setdefault(start, end)
            path = list(mine[0])
            for _ in mine:
                corner = follow.get(path[-1])
                if corner is None:
                    break
                if corner == path[0]:
                    yield path
                    break
                path.append(corner)


def _paths_around(triangles: list[list[int]]) -> Iterable[list[int]]:
    """Corners around the islands of triangles of one plane."""
    if len(triangles) == 1:
        return triangles
    outline = _Outline()
    for triangle in triangles:
        outline.add(*triangle)
    return outline.paths()


def hull_polygons(vertices: np.ndarray, faces: np.ndarray) -> Polygons:
    """Merge the triangles of a hull into polygons; `faces` are rows of `vertices`."""
    angles, is_valid = _rounded_normals(np.asarray(vertices, np.float64), faces)
    angles, corners_of = angles[is_valid], faces[is_valid].tolist()
    planes: dict[tuple[float, float], list[int]] = {}
    for face, (azimuth, polar) in enumerate(angles.tolist()):
        planes.setdefault((azimuth, polar), []).append(face)
    members = list(planes.values())
    keys = angles[[plane[0] for plane in members]]
    paths = [
        path
        for plane in hash_map_order(keys)
        for path in _paths_around([corners_of[face] for face in members[plane]])
        if len(path) > 2
    ]
    vertnum = np.array([len(path) for path in paths], np.int32)
    corners = np.array([corner for path in paths for corner in path], np.int32)
    polygon = np.repeat(np.arange(len(paths), dtype=np.int32), vertnum)
    mapnum = np.bincount(corners, minlength=len(vertices)).astype(np.int32)
    order = np.argsort(corners, kind="stable")
    return Polygons(_addresses(vertnum), vertnum, corners, _addresses(mapnum), mapnum, polygon[order])


def _addresses(counts: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int32)[: len(counts)]
