"""Points and elements of a flexcomp: grids, shells, discs and circles, as MuJoCo numbers them."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, prod, sin
from typing import NamedTuple

import numpy as np

from phalanx.compiler.asset.mesh_builtin import SHAPES
from phalanx.compiler.text.errors import Wrong

Counts = tuple[int, int, int]

#: Patterns whose points lie on the sides of a cube, moved to another shape.
SHELLS = ("box", "cylinder", "ellipsoid")
#: Patterns that are always of triangles.
FLAT = ("square", "disc")
#: Patterns whose points and elements the user gives.
GIVEN = ("mesh", "gmsh", "direct")

#: A cube as six tetrahedra around the diagonal from corner 1 to corner 7; corners go around the bottom, then the top.
_CUBE = ((0, 3, 1, 7), (0, 1, 4, 7), (1, 3, 2, 7), (1, 2, 6, 7), (1, 5, 4, 7), (1, 6, 5, 7))
_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
#: Coordinates closer to zero than this count as zero when a disc decides how to halve a square.
_NEAR = 1e-14


class Pattern(NamedTuple):
    """Points and elements.

    Attributes:
        points: (n, 3) coordinates before the pose of the flexcomp.
        elements: (m, dim + 1) points of each element.
        texcoords: (n, 2) texture coordinates, float32, or none.
        elemtexcoords: (m, dim + 1) texture coordinates of the elements, or none, for those of their points.
        dim: dimension of the elements.
    """

    points: np.ndarray
    elements: np.ndarray
    texcoords: np.ndarray
    elemtexcoords: np.ndarray
    dim: int


def wrong_counts(kind: str, dim: int, counts: Counts) -> Iterator[Wrong]:
    """Counts of points with which a pattern has no elements."""
    if min(counts) < 1:
        yield f"count is {min(counts)} along an axis; it must be at least 1", "count"
        return
    if kind in SHELLS:
        if min(counts) < 2:
            yield f"a {kind} needs a count of at least 2 along each axis", "count"
        return
    dim = 2 if kind in FLAT else dim
    if dim == 2 and counts[2] != 1:
        yield f"count is {counts[2]} along z; a pattern of triangles has 1 there", "count"
    least = 4 if kind == "circle" and dim == 1 else 2
    if min(counts[:dim]) < least:
        yield f"count must be at least {least} along each axis of a {dim}-dimensional {kind}", "count"


def point_count(kind: str, dim: int, counts: Counts) -> int:
    """How many points a pattern will have, about, before any memory is taken."""
    if kind in SHELLS:
        x, y, z = counts
        return 2 * (x * y + y * z + x * z) + 1
    return prod(counts[: 2 if kind in FLAT else dim])


def make_pattern(kind: str, dim: int, counts: Counts, spacing: tuple[float, ...], has_texture: bool) -> Pattern:
    """The pattern of a kind that is generated, with texture coordinates if it has a texture; counts were checked."""
    if kind in SHELLS:
        return _shell(kind, dim, counts, spacing, has_texture)
    dim = 2 if kind in FLAT else dim
    if dim == 1:
        return _circle(counts[0], spacing[0]) if kind == "circle" else _line(counts[0], spacing[0])
    along = [[gap * (k - 0.5 * (n - 1)) for k in range(n)] for n, gap in zip(counts, spacing, strict=True)]
    if dim == 2:
        points = [(x, y, 0.0) for x in along[0] for y in along[1]]
        elements: list[tuple[int, ...]] = list(_squares(kind, counts, points))
        if kind == "disc":
            params = (*map(float, counts), *spacing)
            points = SHAPES["disc"].make(params)[0]  # type: ignore[assignment]
    else:
        points = [(x, y, z) for x in along[0] for y in along[1] for z in along[2]]
        elements = list(_cubes(counts))
    texcoords = _grid_texture(counts, dim) if has_texture else ()
    return _pattern(points, elements, dim, texcoords)


def _pattern(points: object, elements: object, dim: int, texcoords: object = ()) -> Pattern:
    return Pattern(
        np.array(points, float).reshape(-1, 3),
        np.array(elements, np.int64).reshape(-1, dim + 1),
        np.array(texcoords, np.float32).reshape(-1, 2),
        np.zeros((0, dim + 1), np.int64),
        dim,
    )


def _line(count: int, gap: float) -> Pattern:
    points = [(gap * (k - 0.5 * (count - 1)), 0.0, 0.0) for k in range(count)]
    return _pattern(points, [(k, k + 1) for k in range(count - 1)], 1)


def _circle(count: int, gap: float) -> Pattern:
    """A closed line of `count` - 1 points with so much between neighbors."""
    number = count - 1
    angle = 2 * pi / number
    radius = gap / sin(angle / 2) / 2
    points = [(radius * cos(angle * k), radius * sin(angle * k), 0.0) for k in range(number)]
    return _pattern(points, [(k, (k + 1) % number) for k in range(number)], 1)


def _squares(kind: str, counts: Counts, points: list[tuple[float, float, float]]) -> Iterator[tuple[int, int, int]]:
    """Two triangles for each square; those of a disc are halved along the diagonal that points to its center."""
    nx, ny, _ = counts
    for i in range(nx - 1):
        for j in range(ny - 1):
            here = i * ny + j
            corners = here, here + ny, here + ny + 1, here + 1
            x, y, _ = points[here]
            is_flipped = kind == "disc" and ((x < -_NEAR < y) or (x > -_NEAR > y))
            for triangle in ((0, 1, 3), (1, 2, 3)) if is_flipped else ((0, 1, 2), (0, 2, 3)):
                a, b, c = (corners[corner] for corner in triangle)
                yield a, b, c


def _cubes(counts: Counts) -> Iterator[tuple[int, ...]]:
    nx, ny, nz = counts
    for i in range(nx - 1):
        for j in range(ny - 1):
            for k in range(nz - 1):
                corners = [nz * ny * (i + a) + nz * (j + b) + k + c for a, b, c in _CORNERS]
                for tetrahedron in _CUBE:
                    yield tuple(corners[corner] for corner in tetrahedron)


def _grid_texture(counts: Counts, dim: int) -> list[tuple[float, float]]:
    """From 0 to 1 along x and y."""
    nx, ny, nz = counts
    repeats = nz if dim == 3 else 1
    return [(i / max(nx - 1, 1), j / max(ny - 1, 1)) for i in range(nx) for j in range(ny) for _ in range(repeats)]


# --- shells


def _shell(kind: str, dim: int, counts: Counts, spacing: tuple[float, ...], has_texture: bool) -> Pattern:
    """Triangles of an open surface, or tetrahedra between the center and the triangles of a closed one."""
    params = (*map(float, counts), *spacing, 2.0 if dim == 2 else 3.0)
    points, faces, *_ = SHAPES[kind].make(params)
    cells, sides = _side_points(counts, dim == 2)
    if dim == 1:
        points = points[1:]
        elements: object = [(k, k + 1) for k in range(len(points) - 1)]
    elif dim == 2:
        elements = faces
    else:
        elements = list(_sides(counts, {cell: number + 1 for number, cell in enumerate(cells)}))
    texcoords = [_side_texture(cell, side, counts) for cell, side in zip(cells, sides, strict=True)]
    if dim == 3:
        texcoords.insert(0, (0.0, 0.0))
    return _pattern(points, elements, dim, texcoords if has_texture else ())


def _side_points(counts: Counts, is_open: bool) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The points on the sides of a box in order, each with the axis across its side: along z, then y, then x."""
    nx, ny, nz = counts
    found: dict[tuple[int, int, int], int] = {}
    for k in (0,) if is_open else (0, nz - 1):
        for i in range(nx):
            for j in range(ny):
                found.setdefault((i, j, k), 2)
    for j in (0, ny - 1):
        for i in range(nx):
            for k in range(nz):
                found.setdefault((i, j, k), 1)
    for i in (0, nx - 1):
        for j in range(ny):
            for k in range(nz):
                found.setdefault((i, j, k), 0)
    return list(found), list(found.values())


def _side_texture(cell: tuple[int, int, int], across: int, counts: Counts) -> tuple[float, float]:
    """From 0 to 1 along the two axes of a side."""
    a, b = ((1, 2), (0, 2), (0, 1))[across]
    return cell[a] / max(counts[a] - 1, 1), cell[b] / max(counts[b] - 1, 1)


def _sides(counts: Counts, number: dict[tuple[int, int, int], int]) -> Iterator[tuple[int, int, int, int]]:
    """Tetrahedra between the center and the triangles of all six sides."""
    for across in (2, 1, 0):
        a, b = ((1, 2), (0, 2), (0, 1))[across]
        for level in (0, counts[across] - 1):
            for i in range(counts[a] - 1):
                for j in range(counts[b] - 1):
                    corners = []
                    for step in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        cell = [level] * 3
                        cell[a], cell[b] = i + step[0], j + step[1]
                        corners.append(number[cell[0], cell[1], cell[2]])
                    yield 0, corners[0], corners[1], corners[2]
                    yield 0, corners[0], corners[3], corners[2]
