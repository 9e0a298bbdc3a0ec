"""Meshes that are made from parameters: closed shapes, surfaces, and points of a grid.

A shape gives its points and triangles; without triangles it is the hull of its points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from math import copysign, cos, pi, prod, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from phalanx.mesh import InertiaMode, MeshSource
from phalanx.tables.sizes import EPSILON

#: Finest resolution of a shape with rings.
FINEST = 1000
#: Most points of a grid.
MOST_POINTS = 10**6

Points = list[tuple[float, float, float]]
Faces = list[tuple[int, int, int]]


def _sphere(params: tuple[float, ...]) -> tuple[np.ndarray, Faces]:
    """An icosahedron, subdivided; computed in single precision, as MuJoCo does."""
    single = np.float32
    phi = single((1.0 + sqrt(5.0)) / 2.0)
    corners: list[tuple[Any, ...]] = [
        (-1, phi, 0), (1, phi, 0), (-1, -phi, 0), (1, -phi, 0), (0, -1, phi), (0, 1, phi), (0, -1, -phi), (0, 1, -phi),
        (phi, 0, -1), (phi, 0, 1), (-phi, 0, -1), (-phi, 0, 1),
    ]  # fmt: skip
    norm = sqrt(1.0 + float(phi * phi))
    points = [np.array([float(x) / norm for x in corner], single) for corner in corners]
    flat = """0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8 3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5
    2 4 11 6 2 10 8 6 7 9 8 1"""
    numbers = [int(word) for word in flat.split()]
    faces: Faces = [(numbers[k], numbers[k + 1], numbers[k + 2]) for k in range(0, len(numbers), 3)]
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


def _hemisphere(params: tuple[float, ...]) -> tuple[Points, Faces]:
    """Four sides from the pole to the equator, and a flat bottom."""
    resolution = int(params[0])
    equator = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
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
    first, count = 2 * resolution * (resolution + 1) + 1, 4 * (resolution + 1)
    faces += [(first + k, len(points) - 1, first + (k + 1) % count) for k in range(count)]
    return points, faces


def _cone(params: tuple[float, ...]) -> tuple[Points, Faces]:
    """The hull of a polygon below and a smaller one, or a point, above."""
    edges, radius = int(params[0]), params[1]
    angles = [2 * k * pi / edges for k in range(2 * edges)]
    points: Points = [(cos(a), sin(a), -1.0) for a in angles[:edges]]
    points += [(radius * cos(a), radius * sin(a), 1.0) for a in angles[edges:]] if radius > 0 else [(0.0, 0.0, 1.0)]
    return points, []


def _power(x: float, exponent: float) -> float:
    return copysign(abs(x) ** exponent, x)


def _supersphere(params: tuple[float, ...]) -> tuple[Points, Faces]:
    """Rings from the south pole to the north pole."""
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


def _supertorus(params: tuple[float, ...]) -> tuple[Points, Faces]:
    """Rings around a ring."""
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


def _wedge(params: tuple[float, ...]) -> tuple[Points, Faces, Points]:
    """A part of the unit sphere around -z, as an eye sees it; finer in the middle by `gamma`."""
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
    """Centers of bins between -angle and angle, in radians."""
    unit = accumulate([-1.0, *[2.0 / count] * count])
    edges = [(gamma * x**5 + (1 - gamma) * x if gamma else x) * (angle * pi / 180) for x in unit]
    return [0.5 * (b + a) for a, b in pairwise(edges)]


def _unit(vector: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = vector
    size = sqrt(x * x + y * y + z * z)
    return (x / size, y / size, z / size) if size >= EPSILON else (1.0, 0.0, 0.0)


def _plate(params: tuple[float, ...]) -> tuple[Points, Faces, Points]:
    """Centers of the cells of a square at z = -1."""
    rows, columns = int(params[0]), int(params[1])
    dx, dy = 2.0 / rows, 2.0 / columns
    points: Points = [(-1 + (i + 0.5) * dx, -1 + (j + 0.5) * dy, -1.0) for i in range(rows) for j in range(columns)]
    faces: Faces = []
    for i in range(1, rows):
        for j in range(1, columns):
            a, b = (i - 1) * columns + j - 1, i * columns + j - 1
            faces += [(a, b, a + 1), (b + 1, a + 1, b)]
    return points, faces, [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)] * len(points)


# --- grids of points: how many along each axis, how far apart


def _counts(params: tuple[float, ...]) -> tuple[int, int, int]:
    nx, ny, nz = (int(number) for number in params[:3])
    return nx, ny, nz


def _dimension(params: tuple[float, ...]) -> int:
    return int(params[6]) if len(params) > 6 else 3


def _grid(params: tuple[float, ...]) -> tuple[Points, Faces]:
    """A flat grid, or the hull of one in space."""
    if _dimension(params) == 2:
        return _flat_grid(params, is_round=False)
    nx, ny, nz = _counts(params)
    places = [[gap * (k - 0.5 * (n - 1)) for k in range(n)] for n, gap in zip((nx, ny, nz), params[3:6], strict=True)]
    return [(x, y, z) for x in places[0] for y in places[1] for z in places[2]], []


def _square(params: tuple[float, ...]) -> tuple[Points, Faces]:
    return _flat_grid(params, is_round=False)


def _disc(params: tuple[float, ...]) -> tuple[Points, Faces]:
    return _flat_grid(params, is_round=True)


def _flat_grid(params: tuple[float, ...], is_round: bool) -> tuple[Points, Faces]:
    """A grid in the plane z = 0, its squares cut along the diagonal; moved to ellipses if it is round."""
    nx, ny, _ = _counts(params)
    points: Points = []
    faces: Faces = []
    for i in range(nx):
        for j in range(ny):
            x, y = params[3] * (i - 0.5 * (nx - 1)), params[4] * (j - 0.5 * (ny - 1))
            points.append((x, y, 0.0))
            if i < nx - 1 and j < ny - 1:
                a, b = i * ny + j, (i + 1) * ny + j
                is_turned = (x < -EPSILON and y > -EPSILON) or (x > -EPSILON and y < -EPSILON)
                if is_round and is_turned:
                    faces += [(a, b, a + 1), (b, b + 1, a + 1)]
                else:
                    faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    if is_round:
        wide, deep = 0.5 * params[3] * (nx - 1), 0.5 * params[4] * (ny - 1)
        points = [_on_ellipse(x, y, wide, deep) for x, y, _ in points]
    return points, faces


def _on_ellipse(x: float, y: float, wide: float, deep: float) -> tuple[float, float, float]:
    reach = max(abs(x), abs(y))
    x, y, _ = _unit((x, y, 0.0))
    return x * (wide * reach), y * (deep * reach), 0.0


def _box(params: tuple[float, ...]) -> tuple[Points, Faces]:
    return _shell(params, lambda x, y, z: (x, y, z))


def _cylinder(params: tuple[float, ...]) -> tuple[Points, Faces]:
    def place(x: float, y: float, z: float) -> tuple[float, float, float]:
        reach = max(abs(x), abs(y))
        x, y, _ = _unit((x, y, 0.0))
        return x * reach, y * reach, z

    return _shell(params, place)


def _ellipsoid(params: tuple[float, ...]) -> tuple[Points, Faces]:
    return _shell(params, lambda x, y, z: _unit((x, y, z)))


def _shell(params: tuple[float, ...], place: Callable[[float, float, float], tuple[float, float, float]]) -> Any:
    """Points of the sides of a cube from -1 to 1, moved by `place` and scaled.

    In three dimensions the hull of these points and the center, in two dimensions an open surface without upper side.
    """
    nx, ny, nz = _counts(params)
    is_open = _dimension(params) == 2
    size = [0.5 * gap * (n - 1) for n, gap in zip((nx, ny, nz), params[3:6], strict=True)]
    points: Points = [] if is_open else [(0.0, 0.0, 0.0)]
    number: dict[tuple[int, int, int], int] = {}
    # lower and upper side, then the two along y, then along x, each without what is there already
    sides = [(i, j, k) for k in ((0,) if is_open else (0, nz - 1)) for i in range(nx) for j in range(ny)]
    sides += [(i, j, k) for j in (0, ny - 1) for i in range(nx) for k in range(nz)]
    sides += [(i, j, k) for i in (0, nx - 1) for j in range(ny) for k in range(nz)]
    for at in sides:
        if at not in number:
            number[at] = len(points)
            corner = [2.0 * k / (n - 1) - 1 for k, n in zip(at, (nx, ny, nz), strict=True)]
            x, y, z = (p * s for p, s in zip(place(*corner), size, strict=True))
            points.append((x, y, z))
    if not is_open:
        return points, []
    faces: Faces = []

    def add(a: tuple[int, int, int], b: tuple[int, int, int], c: tuple[int, int, int]) -> None:
        faces.append((number[a], number[b], number[c]))

    for i in range(nx - 1):
        for j in range(ny - 1):
            add((i, j, 0), (i + 1, j + 1, 0), (i + 1, j, 0))
            add((i, j, 0), (i, j + 1, 0), (i + 1, j + 1, 0))
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
    return points, faces


# --- what is wrong with parameters

Params = tuple[float, ...]
Rule = Callable[[Params], Iterator[str]]


def _whole(place: int, least: int, most: int) -> Rule:
    """A resolution."""

    def wrong(params: Params) -> Iterator[str]:
        if not least <= int(params[place]) <= most:
            yield f"the resolution in params is {int(params[place])}; it must be {least} to {most}"

    return wrong


def _number(place: int, what: str, fits: Callable[[float], bool], need: str) -> Rule:
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
_RINGS = _whole(0, 3, FINEST)
_CELLS = (_whole(0, 1, FINEST), _whole(1, 1, FINEST))


class Shape(NamedTuple):
    """How many parameters a shape takes, how it is made, and what the parameters must be."""

    counts: tuple[int, ...]
    make: Callable
    rules: tuple[Rule, ...]


SHAPES = {
    "sphere": Shape((1,), _sphere, (_whole(0, 0, 4),)),
    "hemisphere": Shape((1,), _hemisphere, (_whole(0, 0, 10),)),
    "cone": Shape((2,), _cone, (_RINGS, _number(1, "radius", *_FRACTION))),
    "supersphere": Shape((3,), _supersphere, (
        _RINGS, _number(1, "first exponent", *_NOT_NEGATIVE), _number(2, "second exponent", *_NOT_NEGATIVE),
    )),
    "supertorus": Shape((4,), _supertorus, (
        _RINGS, _number(1, "radius", *_up_to(1)), _number(2, "first exponent", *_POSITIVE),
        _number(3, "second exponent", *_POSITIVE),
    )),
    "wedge": Shape((5,), _wedge, (
        *_CELLS, _number(2, "first angle", *_up_to(180)), _number(3, "second angle", *_up_to(90)),
        _number(4, "gamma", *_FRACTION),
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
    """What has mass: the surface of shapes without an inside, unless something else is asked for."""
    is_flat = shape in ("square", "disc") or (len(params or ()) > 6 and int((params or ())[6]) == 2)
    if shape == "plate" or (is_flat and asked == InertiaMode.LEGACY):
        return InertiaMode.SHELL
    return asked


def wrong_params(shape: str, params: Params | None) -> Iterator[str]:
    """What is wrong with the parameters of a built-in shape."""
    counts, _, rules = SHAPES[shape]
    given = params or ()
    if len(given) not in counts:
        yield f"builtin={shape!r} takes {' or '.join(map(str, counts))} params, not {len(given)}"
        return
    for rule in rules:
        yield from rule(given)


def make_builtin(shape: str, params: Params | None) -> MeshSource:
    """The triangles of a built-in shape, of parameters that are right."""
    points, faces, *frames = SHAPES[shape].make(params)
    return MeshSource(
        np.array(points, np.float32).reshape(-1, 3),
        np.array(faces, np.int32).reshape(-1, 3),
        np.array(frames, np.float32).reshape(-1, 3),
    )
