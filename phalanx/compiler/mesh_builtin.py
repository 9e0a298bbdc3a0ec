"""Meshes that are made from parameters: sphere, hemisphere, cone, supersphere, supertorus."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, cos, pi, sin, sqrt
from typing import Any

import numpy as np

from phalanx.compiler.errors import ElementProblem
from phalanx.mesh import MeshSource

#: Built-in shapes without an inside: their mass is on the surface.
SURFACES = ("wedge", "plate", "grid", "square", "disc")
#: Finest resolution of a shape with rings.
FINEST = 1000

Points = list[tuple[float, float, float]]
Faces = list[tuple[int, int, int]]


def _whole(params: tuple[float, ...], least: int, most: int) -> int:
    number = int(params[0])
    if not least <= number <= most:
        raise ElementProblem(f"the resolution in params is {number}; it must be {least} to {most}", "params")
    return number


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
    for _ in range(_whole(params, 0, 4)):
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
    resolution = _whole(params, 0, 10)
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
    edges, radius = _whole(params, 3, FINEST), params[1]
    if not 0 <= radius <= 1:
        raise ElementProblem(f"the radius in params is {radius:g}; it must be between 0 and 1", "params")
    angles = [2 * k * pi / edges for k in range(2 * edges)]
    points: Points = [(cos(a), sin(a), -1.0) for a in angles[:edges]]
    points += [(radius * cos(a), radius * sin(a), 1.0) for a in angles[edges:]] if radius > 0 else [(0.0, 0.0, 1.0)]
    return points, []


def _power(x: float, exponent: float) -> float:
    return copysign(abs(x) ** exponent, x)


def _supersphere(params: tuple[float, ...]) -> tuple[Points, Faces]:
    """Rings from the south pole to the north pole."""
    n, east, north = _whole(params, 3, FINEST), params[1], params[2]
    if min(east, north) < 0:
        raise ElementProblem("the exponents in params cannot be negative", "params")
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
    n, radius, minor, major = _whole(params, 3, FINEST), *params[1:]
    if not 0 < radius <= 1 or min(minor, major) <= 0:
        raise ElementProblem("params are a resolution, a radius up to 1, and two positive exponents", "params")
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


#: Shape -> how many parameters it takes, how it is made.
SHAPES: dict[str, tuple[int, Callable]] = {
    "sphere": (1, _sphere),
    "hemisphere": (1, _hemisphere),
    "cone": (2, _cone),
    "supersphere": (3, _supersphere),
    "supertorus": (4, _supertorus),
}


def make_builtin(shape: str, params: tuple[float, ...] | None) -> MeshSource:
    """The triangles of a built-in shape."""
    if shape not in SHAPES:
        raise ElementProblem(f"builtin={shape!r} is not supported", "builtin")
    count, make = SHAPES[shape]
    given = params or ()
    if len(given) != count:
        raise ElementProblem(f"builtin={shape!r} takes {count} params, not {len(given)}", "params")
    points, faces = make(given)
    return MeshSource(np.array(points, np.float32).reshape(-1, 3), np.array(faces, np.int32).reshape(-1, 3))
