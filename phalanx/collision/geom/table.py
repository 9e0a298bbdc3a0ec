"""What is asked of a shape by type of geom: bounds, inside test, reach; for the compiler volume, inertia and fit.

Kernels are rows of a `Table`, formulas of the compiler are rows of `Formulas`, which are plain Python:

    @bounds.row(GeomType.SPHERE)
    @kernel
    def sphere_bounds(size): ...

    @volume.row(GeomType.SPHERE)
    def sphere_volume(size, shell): ...

A size is a row of `geom_size`. Frames are those of the geom.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_
from phalanx.algebra.vector import norm
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import GEOMS, GEOMS_BY_TAG, MODULES

Vector = tuple[float, float, float]
#: A reach that nothing is beyond.
ENDLESS = 1e30
P = ParamSpec("P")
R = TypeVar("R")


# --- kernels


@kernel
def size_bounds(size):
    """(box, radius): center and half sizes of a box around the shape, and radius of a sphere about its frame.

    Without a row: the sizes are those of the box.
    """
    return (0.0, 0.0, 0.0, size[0], size[1], size[2]), norm(size)


@kernel
def nothing_inside(m, mesh, size, point):
    """Is a point inside a shape, given in the frame of the shape? Without a row of the table: no."""
    return and_(point[0] < 0.0, point[0] > 0.0)


@kernel
def endless_reach(m, mesh, size, direction):
    """How far a shape reaches along a unit vector, from the origin of the frame of the shape, in which the vector is.

    Without a row of the table: without end. A world whose direction is zero does not count; its result is not used.
    """
    return ENDLESS + 0.0 * (size[0] + direction[0])


#: By geom_type, of types without an asset.
bounds = Table("bounds", size_bounds, MODULES)
#: By site_type.
is_inside = Table("is_inside", nothing_inside, MODULES)
#: By geom_type.
reach = Table("reach", endless_reach, MODULES)


# --- formulas of the compiler


class Formulas(Generic[P, R]):
    """Plain functions, filed by type of geom and called by its word: `formulas("box", *arguments)`.

    A type without a row has the default.
    """

    def __init__(self, default: Callable[P, R]):
        self.default = default
        self.rows: dict[str, Callable[P, R]] = {}
        self._is_loaded = False

    def row(self, *kinds: GeomType) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """File a function under one or more types."""

        def file(function: Callable[P, R]) -> Callable[P, R]:
            self.rows.update((GEOMS[kind].tag, function) for kind in kinds)
            return function

        return file

    def __call__(self, tag: str, *arguments: P.args, **named: P.kwargs) -> R:
        if not self._is_loaded:
            for module in MODULES:
                importlib.import_module(module)
            self._is_loaded = True
        return self.rows.get(tag, self.default)(*arguments, **named)


def no_volume(size: Vector, shell: bool) -> float:
    """Volume of a solid, or area of its surface if the mass is in a shell. Without a row: none."""
    return 0.0


def no_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """Principal moments of inertia of a solid or a shell, along the axes of its frame. Without a row: none."""
    return 0.0, 0.0, 0.0


def no_fit(half: Vector, encloses: bool) -> Vector | None:
    """Sizes of the shape that stands for a mesh: around the box of given half sizes (`encloses`), or of its inertia.

    Without a row: the shape cannot be fitted.
    """
    return None


def no_problem(size: Vector) -> str:
    """What is wrong with the sizes, besides that some are not positive; "" if nothing is."""
    return ""


volume = Formulas(no_volume)
inertia = Formulas(no_inertia)
fit = Formulas(no_fit)
size_problem = Formulas(no_problem)


@functools.lru_cache(maxsize=256)
def bounds_of(tag: str, size: Vector) -> tuple[tuple[float, ...], float]:
    """What the row of `bounds` says, in Python floats; geoms of a model often share their sizes."""
    box, radius = bounds(int(GEOMS_BY_TAG[tag].type), size)
    return tuple(map(float, box)), float(radius)
