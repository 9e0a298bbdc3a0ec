"""Shapes by their word in MJCF: checks of sizes, bounds, volume and inertia.

Everything is looked up, in the rows of geoms (`tables/geoms.py`) and the files of the shapes (`collision/geom`).
"""

from __future__ import annotations

from typing import Any

from phalanx.collision.geom import table
from phalanx.compiler.object.rotation import EPSILON, Quat, Vector, length_of, rotation_of_z, subtract, unit
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.geoms import GEOMS_BY_TAG

#: Shapes that can be given by two points, those with few sizes first.
BETWEEN_POINTS = tuple(
    sorted(
        (tag for tag, row in GEOMS_BY_TAG.items() if row.fromto), key=lambda tag: (len(GEOMS_BY_TAG[tag].sizes), tag)
    )
)


def check_size(kind: str, size: Vector) -> None:
    """Refuse sizes that make no shape."""
    row = GEOMS_BY_TAG[kind]
    problem = table.size_problem(kind, size)
    if problem:
        raise ElementProblem(problem, "size")
    for k in range(len(row.sizes) if row.positive else 0):
        if not size[k] > 0:
            raise ElementProblem(f"size number {k + 1} of a {kind} must be positive, not {size[k]:g}", "size")


def from_ends(kind: str, ends: tuple[float, ...], pos: Vector, size: Vector) -> tuple[Vector, Quat, Vector]:
    """Position, orientation and size of a shape between two points."""
    if kind not in BETWEEN_POINTS:
        raise ElementProblem(f"fromto is for {_listed(BETWEEN_POINTS)}, not for a {kind}", "fromto")
    if any(pos):
        raise ElementProblem("both pos and fromto are given", "fromto")
    a, b = ends[:3], ends[3:]
    axis = subtract(a, b)  # type: ignore[arg-type]
    half = length_of(axis) / 2
    if half < EPSILON:
        raise ElementProblem("the points of fromto coincide", "fromto")
    # the first size is the radius, for a box half its width; the length is along z
    given = list(size)
    for k, direction in enumerate(GEOMS_BY_TAG[kind].along):
        given[k] = half if direction == "z" else size[0]
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
    return middle, rotation_of_z(unit(axis)), (given[0], given[1], given[2])


def _listed(words: tuple[str, ...]) -> str:
    """Shapes in the plural: spheres, boxes and capsules."""
    plurals = [f"{word}es" if word.endswith("x") else f"{word}s" for word in words]
    return f"{', '.join(plurals[:-1])} and {plurals[-1]}"


def fitted(kind: str, mesh: Any, fitaabb: bool, scale: float) -> tuple[Vector, Vector]:
    """Size of a primitive fitted to a mesh, and its center in the mesh."""
    center: Vector = (0.0, 0.0, 0.0)
    if fitaabb:
        box = mesh.aabb.tolist()
        center, half = tuple(box[:3]), box[3:]
    else:
        half = mesh.mass.box.tolist()
    size = table.fit(kind, tuple(half), fitaabb)
    if size is None:
        raise ElementProblem(f"a {kind} cannot be fitted to a mesh", "mesh")
    x, y, z = size
    return (x * scale, y * scale, z * scale), center


def bounding_box(kind: str, size: Vector) -> tuple[float, ...]:
    """Center and half sizes of the box around a primitive."""
    return table.bounds_of(kind, size)[0]


def bounding_radius(kind: str, size: Vector) -> float:
    """Radius of the sphere around a primitive, about its frame; 0 if it has no end."""
    return table.bounds_of(kind, size)[1]


def volume(kind: str, size: Vector, shell: bool) -> float:
    """Volume of a solid, or area of its surface."""
    return table.volume(kind, size, shell)


def inertia(kind: str, size: Vector, mass: float, shell: bool) -> Vector:
    """Principal moments of inertia of a solid or a shell."""
    return table.inertia(kind, size, mass, shell)
