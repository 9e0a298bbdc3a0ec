"""Polygons of a convex hull: its triangles, merged where they have the same plane.

Triangles with the same normal direction, rounded in azimuth and polar angle, are put together edge by edge. MuJoCo
keeps them in a hash map of the C++ library, whose order is the order of the polygons in its Model, so that map is
followed.
"""

from __future__ import annotations

import math
import struct
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from phalanx.tables.sizes import MINVAL

#: Normals are rounded to this angle [rad].
ANGLE = 0.01

#: A normal this close to the z axis counts as on it.
POLE = 1.0 - 1e-7

Key = tuple[float, float]


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

    def normals(self, vertices: np.ndarray) -> np.ndarray:
        """(p, 3) normals by the areas of the three projections of each polygon; the x axis where it has no area."""
        if not len(self):
            return np.empty((0, 3))
        address, number = np.repeat(self.vertadr, self.vertnum), np.repeat(self.vertnum, self.vertnum)
        follow = address + (np.arange(len(self.vertices)) - address + 1) % number
        a, b = vertices[self.vertices], vertices[self.vertices[follow]]
        minus, plus = a - b, a + b
        normal = np.zeros((len(self), 3))
        np.add.at(normal, np.repeat(np.arange(len(self)), self.vertnum), minus[:, [1, 2, 0]] * plus[:, [2, 0, 1]])
        size = np.sqrt((normal**2).sum(axis=1, keepdims=True))
        is_flat = size < MINVAL
        return np.where(is_flat, [1.0, 0.0, 0.0], normal / np.where(is_flat, 1.0, size))

    def turned_outward(self, vertices: np.ndarray) -> Polygons:
        """The polygons wound so that their normals point away from the origin, which is inside the hull."""
        normal = self.normals(vertices)
        is_inward = (normal * vertices[self.vertices[self.vertadr]]).sum(axis=1) < 0
        place = np.arange(len(self.vertices)) - np.repeat(self.vertadr, self.vertnum)
        back = (-place) % np.repeat(self.vertnum, self.vertnum)
        place = np.where(np.repeat(is_inward, self.vertnum), back, place)
        return replace(self, vertices=self.vertices[np.repeat(self.vertadr, self.vertnum) + place])


def _hash(key: Key) -> int:
    """MuJoCo's hash of two numbers: their bits, mixed as in the Boost library, in 64 bits."""
    first, second = (struct.unpack("<Q", struct.pack("<d", value))[0] if value else 0 for value in key)
    return (first ^ (second + 0x9E3779B9 + (first << 6) + (first >> 2))) & 0xFFFFFFFFFFFFFFFF


def _next_prime(n: int) -> int:
    while any(n % k == 0 for k in range(2, math.isqrt(n) + 1)):
        n += 1
    return n


def hash_map_order(keys: Iterable[Key]) -> list[Key]:
    """Distinct keys in the order in which std::unordered_map of libc++ walks them after they were inserted in turn.

    All entries are one list; the entries of a bucket are neighbors in it. A new entry goes to the front of its bucket,
    or to the front of the list when its bucket is empty. When the buckets become more, entries are dealt anew in the
    order of the list: those that follow one another into a new bucket stay so, others go to the front of theirs.
    """
    chains: dict[int, deque[tuple[int, Key]]] = {}
    order: deque[int] = deque()
    buckets = 0
    for count, key in enumerate(keys):
        if count + 1 > buckets:
            buckets = _next_prime(2 * buckets + 1) if buckets else 2
            order, chains = _rehash([entry for bucket in order for entry in chains[bucket]], buckets)
        code = _hash(key)
        bucket = code % buckets
        if bucket not in chains:
            chains[bucket] = deque()
            order.appendleft(bucket)
        chains[bucket].appendleft((code, key))
    return [key for bucket in order for _, key in chains[bucket]]


def _rehash(entries: list[tuple[int, Key]], buckets: int) -> tuple[deque[int], dict[int, deque[tuple[int, Key]]]]:
    order: deque[int] = deque()
    chains: dict[int, deque[tuple[int, Key]]] = {}
    previous = -1
    for entry in entries:
        bucket = entry[0] % buckets
        if bucket == previous:
            chains[bucket].append(entry)
        elif bucket in chains:
            chains[bucket].appendleft(entry)
        else:
            chains[bucket] = deque([entry])
            order.append(bucket)
            previous = bucket
    return order, chains


def _rounded_normals(vertices: np.ndarray, faces: np.ndarray) -> tuple[list[Key], np.ndarray]:
    """The rounded normal of each triangle, and which triangles have one."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    size = np.sqrt((normal**2).sum(axis=1))
    is_valid = size >= MINVAL
    normal = normal / np.where(is_valid, size, 1.0)[:, None] + 0.0
    return [_key(*row) for row in normal.tolist()], is_valid


def _key(x: float, y: float, z: float) -> Key:
    """Azimuth and polar angle of a unit vector in units of `ANGLE`, whole numbers."""
    if abs(z) > POLE:
        return 0.0, _round(math.pi / ANGLE) if z < 0 else 0.0
    return _round(math.atan2(y, x) / ANGLE), _round(math.acos(z) / ANGLE)


def _round(x: float) -> float:
    """Nearest whole number, halves away from zero."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


class _Outline:
    """Directed edges of triangles of one plane, without the edges that two of them share."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, int]] = []
        self.islands: list[int] = []
        self.count = 0

    def add(self, a: int, b: int, c: int) -> None:
        """Add a triangle; it joins the islands that it touches."""
        new, island = [], -1
        for edge in ((a, b), (b, c), (c, a)):
            try:
                k = self.edges.index((edge[1], edge[0]))
            except ValueError:
                new.append(edge)
                continue
            other = self.islands[k]
            if island == -1:
                island = other
            elif other != island:
                island = self._join(island, other)
            del self.edges[k], self.islands[k]
        if island == -1:
            island = self.count
            self.count += 1
        self.edges += new
        self.islands += [island] * len(new)

    def _join(self, one: int, two: int) -> int:
        low, high = min(one, two), max(one, two)
        self.islands = [low if k == high else k - (k > high) for k in self.islands]
        self.count -= 1
        return low

    def paths(self) -> Iterator[list[int]]:
        """Corners around each island."""
        if len(self.edges) == 3:
            yield [start for start, _ in self.edges]
            return
        for island in range(self.count):
            mine = [k for k, other in enumerate(self.islands) if other == island]
            if not mine:
                continue
            path = list(self.edges[mine[0]])
            # as MuJoCo: the first edge of the plane never continues a path
            follow: dict[int, int] = {}
            for k in mine:
                if k > 0:
                    follow.setdefault(self.edges[k][0], self.edges[k][1])
            for _ in self.edges:
                corner = follow.get(path[-1])
                if corner is None:
                    break
                if corner == path[0]:
                    yield path
                    break
                path.append(corner)


def hull_polygons(vertices: np.ndarray, faces: np.ndarray) -> Polygons:
    """Merge the triangles of a hull into polygons; `faces` are rows of `vertices`."""
    keys, is_valid = _rounded_normals(np.asarray(vertices, np.float64), faces)
    outlines: dict[Key, _Outline] = {}
    for key, face, valid in zip(keys, faces.tolist(), is_valid.tolist(), strict=True):
        if valid:
            outlines.setdefault(key, _Outline()).add(*face)
    paths = [path for key in hash_map_order(outlines) for path in outlines[key].paths() if len(path) > 2]
    vertnum = np.array([len(path) for path in paths], np.int32)
    corners = np.array([corner for path in paths for corner in path], np.int32)
    polygon = np.repeat(np.arange(len(paths), dtype=np.int32), vertnum)
    mapnum = np.bincount(corners, minlength=len(vertices)).astype(np.int32)
    order = np.argsort(corners, kind="stable")
    return Polygons(_addresses(vertnum), vertnum, corners, _addresses(mapnum), mapnum, polygon[order])


def _addresses(counts: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int32)[: len(counts)]
