"""Shapes: what sizes mean, boxes and spheres around them, volume and inertia of solids and shells."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

from phalanx.compiler.object.rotation import EPSILON, Quat, Vector, length_of, rotation_of_z, subtract, total, unit
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.sizes import MAXVAL

#: How many sizes of a type must be positive.
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
#: Shapes that can be given by two points.
BETWEEN_POINTS = ("capsule", "cylinder", "box", "ellipsoid")
#: Exponent of the approximation of an ellipsoid's surface.
THOMSEN = 1.6075
#: Thickness of the shell whose inertia stands for that of an ellipsoid's surface.
SKIN = 1e-6


def check_size(kind: str, size: Vector) -> None:
    if kind == "plane" and size[2] <= 0:
        raise ElementProblem(f"the third size of a plane must be positive, not {size[2]:g}", "size")
    for k in range(SIZES.get(kind, 0)):
        if not size[k] > 0:
            raise ElementProblem(f"size number {k + 1} of a {kind} must be positive, not {size[k]:g}", "size")


def from_ends(kind: str, ends: tuple[float, ...], pos: Vector, size: Vector) -> tuple[Vector, Quat, Vector]:
    """Position, orientation and size of a shape between two points."""
    if kind not in BETWEEN_POINTS:
        raise ElementProblem(f"fromto is for capsules, cylinders, boxes and ellipsoids, not for a {kind}", "fromto")
    if any(pos):
        raise ElementProblem("both pos and fromto are given", "fromto")
    a, b = ends[:3], ends[3:]
    axis = subtract(a, b)  # type: ignore[arg-type]
    half = length_of(axis) / 2
    if half < EPSILON:
        raise ElementProblem("the points of fromto coincide", "fromto")
    radius, _, last = size
    grown = (radius, radius, half) if kind in ("ellipsoid", "box") else (radius, half, last)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
    return middle, rotation_of_z(unit(axis)), grown


def fitted(kind: str, mesh: Any, fitaabb: bool, scale: float) -> tuple[Vector, Vector]:
    """Size of a primitive fitted to a mesh, and its center in the mesh."""
    center: Vector = (0.0, 0.0, 0.0)
    if fitaabb:
        box = mesh.aabb.tolist()
        center, half = tuple(box[:3]), box[3:]
        round_radius, round_half = max(half[0], half[1]), half[2]
        sphere = max(half)
        capsule_half = round_half - round_radius
    else:
        half = mesh.mass.box.tolist()
        round_radius, round_half = (half[0] + half[1]) / 2, half[2]
        sphere = total(half) / 3
        capsule_half = max(0.0, half[2] - round_radius / 2)
    sizes = {
        "sphere": (sphere, 0.0, 0.0),
        "capsule": (round_radius, capsule_half, 0.0),
        "cylinder": (round_radius, round_half, 0.0),
        "ellipsoid": tuple(half),
        "box": tuple(half),
    }
    if kind not in sizes:
        raise ElementProblem(f"a {kind} cannot be fitted to a mesh", "mesh")
    x, y, z = sizes[kind]
    return (x * scale, y * scale, z * scale), center


def bounding_box(kind: str, size: Vector) -> tuple[float, ...]:
    """Center and half sizes of the box around a primitive."""
    x, y, _ = size
    if kind == "plane":
        return 0.0, 0.0, -MAXVAL / 2, MAXVAL, MAXVAL, MAXVAL / 2
    half = {
        "sphere": (x, x, x),
        "capsule": (x, x, x + y),
        "cylinder": (x, x, y),
    }.get(kind, size)
    return 0.0, 0.0, 0.0, *half


def bounding_radius(kind: str, size: Vector) -> float:
    x, y, z = size
    if kind == "sphere":
        return x
    if kind == "capsule":
        return x + y
    if kind == "cylinder":
        return sqrt(x * x + y * y)
    if kind == "ellipsoid":
        return max(size)
    return sqrt(x * x + y * y + z * z) if kind == "box" else 0.0


def volume(kind: str, size: Vector, shell: bool) -> float:
    """Volume of a solid, or area of its surface."""
    x, y, z = size
    if kind == "sphere":
        return 4 * pi * x * x if shell else 4 * pi * x * x * x / 3
    if kind == "capsule":
        height = 2 * y
        return 4 * pi * x * x + 2 * pi * x * height if shell else pi * (x * x * height + 4 * x * x * x / 3)
    if kind == "cylinder":
        height = 2 * y
        return 2 * pi * x * x + 2 * pi * x * height if shell else pi * x * x * height
    if kind == "ellipsoid":
        if not shell:
            return 4 * pi * x * y * z / 3
        mean = ((x * y) ** THOMSEN + (y * z) ** THOMSEN + (z * x) ** THOMSEN) / 3
        return 4 * pi * mean ** (1 / THOMSEN)
    if kind in ("box", "hfield"):
        return 8 * (x * y + y * z + z * x) if shell else x * y * z * 8
    return 0.0


def _capsule(mass: float, r: float, half: float, shell: bool) -> Vector:
    height = 2 * half
    if shell:
        sphere_area, side_area = 4 * pi * r * r, 2 * pi * r * height
        caps = mass * sphere_area / (sphere_area + side_area)
        side = mass - caps
        across, along = side * (6 * r * r + height * height) / 12, side * r * r
        own = 2 * caps * r * r / 3
        at = half + r / 2
        moved = caps * (at * at - (r / 2) ** 2)
    else:
        caps = mass * 4 * r / (4 * r + 3 * height)
        side = mass - caps
        across, along = side * (3 * r * r + height * height) / 12, side * r * r / 2
        own = 2 * caps * r * r / 5
        moved = caps * height * (3 * r + 2 * height) / 8
    return across + (own + moved), across + (own + moved), along + own


def _cylinder(mass: float, r: float, half: float, shell: bool) -> Vector:
    height = 2 * half
    if not shell:
        across = mass * (3 * r * r + height * height) / 12
        return across, across, mass * r * r / 2
    disk_area, side_area = pi * r * r, 2 * pi * r * height
    disk = mass * disk_area / (2 * disk_area + side_area)
    side = mass - 2 * disk
    across = side * (6 * r * r + height * height) / 12 + 2 * (disk * r * r / 4 + disk * half * half)
    return across, across, side * r * r + 2 * (disk * r * r / 2)


def _ellipsoid(mass: float, size: Vector, shell: bool) -> Vector:
    def solid(m: float, a: float, b: float, c: float) -> Vector:
        return m * (b * b + c * c) / 5, m * (a * a + c * c) / 5, m * (a * a + b * b) / 5

    if not shell:
        return solid(mass, *size)
    x, y, z = size
    grown = (x + SKIN, y + SKIN, z + SKIN)
    inner, outer = 4 * pi * x * y * z / 3, 4 * pi * grown[0] * grown[1] * grown[2] / 3
    density = mass / (outer - inner)
    a, b = solid(inner * density, *size), solid(outer * density, *grown)
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


def _box(mass: float, size: Vector, shell: bool) -> Vector:
    xx, yy, zz = (s * s for s in size)
    if not shell:
        return mass * (yy + zz) / 3, mass * (xx + zz) / 3, mass * (xx + yy) / 3
    lx, ly, lz = (2 * s for s in size)
    areas = (lx * ly, ly * lz, lz * lx)
    surface = 2 * total(areas)
    m0, m1, m2 = (mass * area / surface for area in areas)
    return (
        2 * (m0 * zz + m2 * yy + m0 * ly * ly / 12 + m1 * (ly * ly + lz * lz) / 12 + m2 * lz * lz / 12),
        2 * (m0 * zz + m1 * xx + m0 * lx * lx / 12 + m1 * lz * lz / 12 + m2 * (lx * lx + lz * lz) / 12),
        2 * (m1 * xx + m2 * yy + m0 * (lx * lx + ly * ly) / 12 + m1 * ly * ly / 12 + m2 * lx * lx / 12),
    )


def inertia(kind: str, size: Vector, mass: float, shell: bool) -> Vector:
    """Principal moments of inertia of a solid or a shell."""
    if kind == "sphere":
        value = 2 * mass * size[0] * size[0] / (3 if shell else 5)
        return value, value, value
    if kind == "capsule":
        return _capsule(mass, size[0], size[1], shell)
    if kind == "cylinder":
        return _cylinder(mass, size[0], size[1], shell)
    if kind == "ellipsoid":
        return _ellipsoid(mass, size, shell)
    if kind in ("box", "hfield"):
        return _box(mass, size, shell)
    return 0.0, 0.0, 0.0
