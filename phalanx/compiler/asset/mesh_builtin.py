"""Meshes that are made from parameters (mesh/builtin): closed shapes, surfaces, and grids of points.

A shape gives its points and triangles; one without triangles is the convex hull of its points. The order of both is
MuJoCo's (mjCMesh::Make* in user_mesh.cc), so that the mesh rows of a Model are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from math import copysign, cos, pi, prod, sin, sqrt
from typing import NamedTuple

import numpy as np

from phalanx.mesh import InertiaMode, MeshSource
from phalanx.tables.sizes import EPSILON

#: Finest resolution of a shape with rings.
FINEST = 1000
#: Most points of a grid.
MOST_POINTS = 10**6

Point = tuple[float, float, float]
Points = list[Point]
Faces = list[tuple[int, int, int]]
#: Values of the attribute params.
Params = tuple[float, ...]
#: Indices along x, y and z of a point of a grid.
Cell = tuple[int, int, int]


def _sphere(params: Params) -> tuple[np.ndarray, Faces]:
    """An icosahedron, subdivided; computed in single precision, as MuJoCo does."""
    single = np.float32
    phi = single((1.0 + sqrt(5.0)) / 2.0)
    corners: list[tuple[float | np.float32, ...]] = [
        (-1, phi, 0), (1, phi, 0), (-1, -phi, 0), (1, -phi, 0), (0, -1, phi), (0, 1, phi), (0, -1, -phi), (0, 1, -phi),
        (phi, 0, -1), (phi, 0, 1), (-phi, 0, -1), (-phi, 0, 1),
    ]  # fmt: skip
    norm = sqrt(1.0 + float(phi * phi))
    points = [np.array([float(x) / norm for x in corner], single) for corner in corners]
    flat = """0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8 3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5
    2 4 11 6 2 10 8 6 7 9 8 1"""
    indices = [int(word) for word in flat.split()]
    faces: Faces = [(indices[k], indices[k + 1], indices[k + 2]) for k in range(0, len(indices), 3)]
    # each round puts a point on the middle of every edge, moved out to the sphere, and makes four triangles of one
    for _ in range(int(params[0])):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int, middles: dict[tuple[int, int], int] = middles) -> int:
            key = (min(a, b), max(a, b))
            if key not in middles:
                point = (points[a] + points[b]) / single(2)
                size = np.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2])
                middles[key] = len(points)
                points.append(point / size)
            return middles[key]

        finer: Faces = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = finer
    return np.array(points, single), faces


def _hemisphere(params: Params) -> tuple[Points, Faces]:
    """The upper half of a subdivided octahedron, moved out to the sphere, and a flat bottom."""
    resolution = int(params[0])
    equator = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    # the pole, then rows of points down to the equator, then the center of the bottom
    points: Points = [(0.0, 0.0, 1.0)]
    for row in range(resolution + 1):
        factor = (row + 1) / (resolution + 1)
        for side in range(4):
            start = (factor * equator[side][0], factor * equator[side][1], 1.0 - factor)
            after = equator[(side + 1) % 4]
            end = (factor * after[0], factor * after[1], 1.0 - factor)
            for k in range(row + 1):
                x, y, z = (a + k * ((b - a) / (row + 1)) for a, b in zip(start, end, strict=True))
                size = sqrt(x * x + y * y + z * z)
                points.append((x / size, y / size, z / size))
    points.append((0.0, 0.0, 0.0))
    # four triangles at the pole, then strips between two rows; row k has 4 (k + 1) points and begins at 2 k (k + 1) + 1
    faces: Faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1)]
    for row in range(resolution):
        here, count = 2 * row * (row + 1) + 1, 4 * (row + 1)
        below, more = here + count, 4 * (row + 2)
        for side in range(4):
            for k in range(row + 2):
                a, b = k + (row + 1) * side, k + (row + 2) * side
                faces.append((here + a % count, below + b % more, below + (b + 1) % more))
                if k < row + 1:
                    faces.append((here + a % count, below + (b + 1) % more, here + (a + 1) % count))
    # the bottom: a fan around its center
    first, count = 2 * resolution * (resolution + 1) + 1, 4 * (resolution + 1)
    faces += [(first + k, len(points) - 1, first + (k + 1) % count) for k in range(count)]
    return points, faces


def _cone(params: Params) -> tuple[Points, Faces]:
    """The hull of a regular polygon at z = -1, and a smaller one, or a point, at z = 1."""
    edges, radius = int(params[0]), params[1]
    angles = [2 * k * pi / edges for k in range(2 * edges)]
    points: Points = [(cos(a), sin(a), -1.0) for a in angles[:edges]]
    points += [(radius * cos(a), radius * sin(a), 1.0) for a in angles[edges:]] if radius > 0 else [(0.0, 0.0, 1.0)]
    return points, []


def _power(x: float, exponent: float) -> float:
    """A power that keeps the sign of x, for superquadrics (Barr, "Superquadrics", IEEE CG&A 1981)."""
    return copysign(abs(x) ** exponent, x)


def _supersphere(params: Params) -> tuple[Points, Faces]:
    """A superellipsoid: rings from the south pole to the north pole; exponents of longitude and latitude."""
    n, east, north = int(params[0]), params[1], params[2]
    points: Points = [(0.0, 0.0, -1.0)]
    for i in range(1, n):
        v = -pi / 2 + i * pi / n
        for j in range(n):
            u = -pi + j * 2 * pi / n
            ring = _power(cos(v), north)
            points.append((ring * _power(cos(u), east), ring * _power(sin(u), east), _power(sin(v), north)))
    points.append((0.0, 0.0, 1.0))
    faces: Faces = [(0, 1 + (j + 1) % n, 1 + j) for j in range(n)]
    for i in range(n - 2):
        for j in range(n):
            a, b = 1 + i * n + j, 1 + i * n + (j + 1) % n
            faces += [(a, b, a + n), (b, b + n, a + n)]
    last = 1 + (n - 2) * n
    faces += [(last + j, last + (j + 1) % n, len(points) - 1) for j in range(n)]
    return points, faces


def _supertorus(params: Params) -> tuple[Points, Faces]:
    """A superquadric torus: rings around a ring of radius one."""
    n, radius, minor, major = int(params[0]), *params[1:]
    points: Points = []
    faces: Faces = []
    for i in range(n):
        u = 2 * pi * i / n
        for j in range(n):
            v = 2 * pi * j / n
            ring = 1 + radius * _power(cos(v), minor)
            points.append((ring * _power(cos(u), major), ring * _power(sin(u), major), radius * _power(sin(v), minor)))
            a, b = i * n + j, (i + 1) % n * n + j
            c, d = (i + 1) % n * n + (j + 1) % n, i * n + (j + 1) % n
            faces += [(a, b, d), (b, c, d)]
    return points, faces


# --- surfaces with a frame at each point


def _wedge(params: Params) -> tuple[Points, Faces, Points]:
    """A part of the unit sphere around -z, like a retina; the larger `gamma`, the finer it is in the middle.

    The frame at each point is its normal and the directions of growing azimuth and elevation.
    """
    rows, columns = int(params[0]), int(params[1])
    wide, high, gamma = params[2:]
    azimuths, elevations = _bins(rows, wide, gamma), _bins(columns, high, gamma)
    points: Points = []
    frames: Points = []
    for a in azimuths:
        for e in elevations:
            points.append((cos(e) * sin(a), sin(e), -cos(e) * cos(a)))
            ta = _unit((cos(e) * cos(a), 0.0, cos(e) * sin(a)))
            te = _unit((-sin(e) * sin(a), cos(e), sin(e) * cos(a)))
            normal = (te[1] * ta[2] - te[2] * ta[1], te[2] * ta[0] - te[0] * ta[2], te[0] * ta[1] - te[1] * ta[0])
            frames += [normal, ta, te]
    return points, [], frames


def _bins(count: int, angle: float, gamma: float) -> list[float]:
    """Centers of bins between -angle and angle (in degrees), in radians; narrower in the middle by `gamma`."""
    unit = accumulate([-1.0, *[2.0 / count] * count])
    edges = [(gamma * x**5 + (1 - gamma) * x if gamma else x) * (angle * pi / 180) for x in unit]
    return [0.5 * (b + a) for a, b in pairwise(edges)]


def _unit(vector: Point) -> Point:
    """A vector scaled to length one; the x axis if it is too short."""
    x, y, z = vector
    size = sqrt(x * x + y * y + z * z)
    return (x / size, y / size, z / size) if size >= EPSILON else (1.0, 0.0, 0.0)


def _plate(params: Params) -> tuple[Points, Faces, Points]:
    """Centers of the cells of a square at z = -1, all with the frame of the mesh."""
    rows, columns = int(params[0]), int(params[1])
    dx, dy = 2.0 / rows, 2.0 / columns
    points: Points = [(-1 + (i + 0.5) * dx, -1 + (j + 0.5) * dy, -1.0) for i in range(rows) for j in range(columns)]
    faces: Faces = []
    for i in range(1, rows):
        for j in range(1, columns):
            a, b = (i - 1) * columns + j - 1, i * columns + j - 1
            faces += [(a, b, a + 1), (b + 1, a + 1, b)]
    return points, faces, [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)] * len(points)


# --- grids of points: params are the counts along each axis, the distances, and maybe the dimension


def _counts(params: Params) -> Cell:
    nx, ny, nz = (int(count) for count in params[:3])
    return nx, ny, nz


def _dimension(params: Params) -> int:
    """2 for a surface, 3 for a solid."""
    return int(params[6]) if len(params) > 6 else 3


def _grid(params: Params) -> tuple[Points, Faces]:
    """A flat grid, or the hull of a grid in space."""
    if _dimension(params) == 2:
        return _flat_grid(params, is_round=False)
    nx, ny, nz = _counts(params)
    places = [[gap * (k - 0.5 * (n - 1)) for k in range(n)] for n, gap in zip((nx, ny, nz), params[3:6], strict=True)]
    return [(x, y, z) for x in places[0] for y in places[1] for z in places[2]], []


def _square(params: Params) -> tuple[Points, Faces]:
    return _flat_grid(params, is_round=False)


def _disc(params: Params) -> tuple[Points, Faces]:
    return _flat_grid(params, is_round=True)


def _flat_grid(params: Params, is_round: bool) -> tuple[Points, Faces]:
    """A grid in the plane z = 0, each square cut along a diagonal; if it is round, squares become ellipses."""
    nx, ny, _ = _counts(params)
    points: Points = []
    faces: Faces = []
    for i in range(nx):
        for j in range(ny):
            x, y = params[3] * (i - 0.5 * (nx - 1)), params[4] * (j - 0.5 * (ny - 1))
            points.append((x, y, 0.0))
            if i < nx - 1 and j < ny - 1:
                a, b = i * ny + j, (i + 1) * ny + j
                # the diagonals of a disc follow its rings, so two of the quadrants have the other one
                has_other_diagonal = (x < -EPSILON and y > -EPSILON) or (x > -EPSILON and y < -EPSILON)
                if is_round and has_other_diagonal:
                    faces += [(a, b, a + 1), (b, b + 1, a + 1)]
                else:
                    faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    if is_round:
        wide, deep = 0.5 * params[3] * (nx - 1), 0.5 * params[4] * (ny - 1)
        points = [_on_ellipse(x, y, wide, deep) for x, y, _ in points]
    return points, faces


def _on_ellipse(x: float, y: float, wide: float, deep: float) -> Point:
    """A point of a square ring, moved along its ray to the ellipse inside that ring."""
    reach = max(abs(x), abs(y))
    x, y, _ = _unit((x, y, 0.0))
    return x * (wide * reach), y * (deep * reach), 0.0


def _box(params: Params) -> tuple[Points, Faces]:
    return _shell(params, lambda x, y, z: (x, y, z))


def _cylinder(params: Params) -> tuple[Points, Faces]:
    def place(x: float, y: float, z: float) -> Point:
        reach = max(abs(x), abs(y))
        x, y, _ = _unit((x, y, 0.0))
        return x * reach, y * reach, z

    return _shell(params, place)


def _ellipsoid(params: Params) -> tuple[Points, Faces]:
    return _shell(params, lambda x, y, z: _unit((x, y, z)))


def _shell(params: Params, place: Callable[[float, float, float], Point]) -> tuple[Points, Faces]:
    """Points on the sides of a cube from -1 to 1, moved by `place` and scaled.

    In three dimensions the hull of these points and the center, in two dimensions an open surface without upper side.
    """
    counts, is_open = _counts(params), _dimension(params) == 2
    size = [0.5 * gap * (n - 1) for n, gap in zip(counts, params[3:6], strict=True)]
    points: Points = [] if is_open else [(0.0, 0.0, 0.0)]
    index: dict[Cell, int] = {}
    for cell in _side_cells(counts, is_open):
        if cell not in index:
            index[cell] = len(points)
            corner = [2.0 * k / (n - 1) - 1 for k, n in zip(cell, counts, strict=True)]
            x, y, z = (p * s for p, s in zip(place(*corner), size, strict=True))
            points.append((x, y, z))
    return points, _open_faces(counts, index) if is_open else []


def _side_cells(counts: Cell, is_open: bool) -> list[Cell]:
    """Cells of the lower and upper side, then of the two along y, then along x; those on edges are repeated."""
    nx, ny, nz = counts
    cells = [(i, j, k) for k in ((0,) if is_open else (0, nz - 1)) for i in range(nx) for j in range(ny)]
    cells += [(i, j, k) for j in (0, ny - 1) for i in range(nx) for k in range(nz)]
    cells += [(i, j, k) for i in (0, nx - 1) for j in range(ny) for k in range(nz)]
    return cells


def _open_faces(counts: Cell, index: dict[Cell, int]) -> Faces:
    """Triangles of the lower side and the four around, two per square, with normals that point out."""
    nx, ny, nz = counts
    faces: Faces = []

    def add(a: Cell, b: Cell, c: Cell) -> None:
        faces.append((index[a], index[b], index[c]))

    for i in range(nx - 1):
        for j in range(ny - 1):
            add((i, j, 0), (i + 1, j + 1, 0), (i + 1, j, 0))
            add((i, j, 0), (i, j + 1, 0), (i + 1, j + 1, 0))
    # opposite sides run in opposite directions
    for j in (0, ny - 1):
        for i in range(nx - 1):
            a, b = (i, i + 1) if j == 0 else (i + 1, i)
            for k in range(nz - 1):
                add((a, j, k), (b, j, k), (b, j, k + 1))
                add((a, j, k), (b, j, k + 1), (a, j, k + 1))
    for i in (0, nx - 1):
        for j in range(ny - 1):
            a, b = (j, j + 1) if i else (j + 1, j)
            for k in range(nz - 1):
                add((i, a, k), (i, b, k), (i, b, k + 1))
                add((i, a, k), (i, b, k + 1), (i, a, k + 1))
    return faces


# --- checks of parameters

#: Yields a message for each mistake in the parameters.
Rule = Callable[[Params], Iterator[str]]


def _resolution(place: int, least: int, most: int) -> Rule:
    """A parameter that is a resolution: a count within bounds."""

    def wrong(params: Params) -> Iterator[str]:
        if not least <= int(params[place]) <= most:
            yield f"the resolution in params is {int(params[place])}; it must be {least} to {most}"

    return wrong


def _bounded(place: int, what: str, fits: Callable[[float], bool], need: str) -> Rule:
    """A parameter that must fit; `need` says in words what it must be."""

    def wrong(params: Params) -> Iterator[str]:
        if not fits(params[place]):
            yield f"the {what} in params is {params[place]:g}; it must be {need}"

    return wrong


def _wrong_counts(params: Params) -> Iterator[str]:
    counts = _counts(params)
    if min(counts) < 2 or prod(counts) > MOST_POINTS:
        yield "the counts in params are at least 2, and at most a million points"


def _wrong_flat_counts(params: Params) -> Iterator[str]:
    nx, ny, nz = _counts(params)
    if nz != 1 or min(nx, ny) < 2 or nx * ny > MOST_POINTS:
        yield "a flat grid has at least 2 x 2 points, at most a million, and one along z"


def _wrong_dimension(params: Params) -> Iterator[str]:
    if _dimension(params) not in (2, 3):
        yield f"the dimension in params is {_dimension(params)}; it must be 2 or 3"


def _wrong_grid(params: Params) -> Iterator[str]:
    yield from _wrong_flat_counts(params) if _dimension(params) == 2 else _wrong_counts(params)


def _up_to(most: float) -> tuple[Callable[[float], bool], str]:
    return lambda x: 0 < x <= most, f"positive, and at most {most:g}"


_FRACTION = (lambda x: 0 <= x <= 1, "between 0 and 1")
_POSITIVE = (lambda x: x > 0, "positive")
_NOT_NEGATIVE = (lambda x: x >= 0, "at least 0")
_RINGS = _resolution(0, 3, FINEST)
_CELLS = (_resolution(0, 1, FINEST), _resolution(1, 1, FINEST))


#: Points, triangles, and for some shapes the axes of a frame at each point, one after another.
Made = tuple[Points | np.ndarray, Faces] | tuple[Points, Faces, Points]


class Shape(NamedTuple):
    """How many parameters a shape takes (one of `counts`), how it is made, and what the parameters must be."""

    counts: tuple[int, ...]
    make: Callable[[Params], Made]
    rules: tuple[Rule, ...]


SHAPES = {
    "sphere": Shape((1,), _sphere, (_resolution(0, 0, 4),)),
    "hemisphere": Shape((1,), _hemisphere, (_resolution(0, 0, 10),)),
    "cone": Shape((2,), _cone, (_RINGS, _bounded(1, "radius", *_FRACTION))),
    "supersphere": Shape((3,), _supersphere, (
        _RINGS, _bounded(1, "first exponent", *_NOT_NEGATIVE), _bounded(2, "second exponent", *_NOT_NEGATIVE),
    )),
    "supertorus": Shape((4,), _supertorus, (
        _RINGS, _bounded(1, "radius", *_up_to(1)), _bounded(2, "first exponent", *_POSITIVE),
        _bounded(3, "second exponent", *_POSITIVE),
    )),
    "wedge": Shape((5,), _wedge, (
        *_CELLS, _bounded(2, "first angle", *_up_to(180)), _bounded(3, "second angle", *_up_to(90)),
        _bounded(4, "gamma", *_FRACTION),
    )),
    "plate": Shape((2,), _plate, _CELLS),
    "grid": Shape((6, 7), _grid, (_wrong_grid, _wrong_dimension)),
    "square": Shape((6,), _square, (_wrong_flat_counts,)),
    "disc": Shape((6,), _disc, (_wrong_flat_counts,)),
    "box": Shape((6, 7), _box, (_wrong_counts, _wrong_dimension)),
    "cylinder": Shape((6, 7), _cylinder, (_wrong_counts, _wrong_dimension)),
    "ellipsoid": Shape((6, 7), _ellipsoid, (_wrong_counts, _wrong_dimension)),
}  # fmt: skip


def inertia_of(shape: str, params: Params | None, asked: InertiaMode) -> InertiaMode:
    """What carries the mass: the surface if the shape has no volume, otherwise what the mesh asks for."""
    is_flat = shape in ("square", "disc") or (len(params or ()) > 6 and int((params or ())[6]) == 2)
    if shape == "plate" or (is_flat and asked == InertiaMode.LEGACY):
        return InertiaMode.SHELL
    return asked


def wrong_params(shape: str, params: Params | None) -> Iterator[str]:
    """Messages about the parameters of a built-in shape; all rules are tried."""
    counts, _, rules = SHAPES[shape]
    given = params or ()
    if len(given) not in counts:
        yield f"builtin={shape!r} takes {' or '.join(map(str, counts))} params, not {len(given)}"
        return
    for rule in rules:
        yield from rule(given)


def make_builtin(shape: str, params: Params | None) -> MeshSource:
    """The triangles of a built-in shape; its parameters have been checked."""
    points, faces, *frames = SHAPES[shape].make(params or ())
    return MeshSource(
        np.array(points, np.float32).reshape(-1, 3),
        np.array(faces, np.int32).reshape(-1, 3),
        np.array(frames, np.float32).reshape(-1, 3),
    )
