"""SDF: a signed distance field as a grid of distances, and models whose geoms have one.

torus = phalanx.SDF.from_function(lambda p: np.hypot(np.hypot(p[:, 0], p[:, 1]) - 0.3, p[:, 2]) - 0.1, ...)
model = model.with_sdf({"ring": torus})
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.memory.errors import ModelError
from phalanx.memory.fill import numbers, real, whole
from phalanx.mesh.grid_distance import check_watertight, inside_of, merged, unsigned_distance
from phalanx.tables.sizes import MAXVAL

#: Cells along the longest side of a mesh, and around it, unless told otherwise.
_CELLS, _AROUND = 48, 3
#: More points than this are a mistake; and most that are measured against a mesh unless told otherwise.
_MOST, _MEASURED = 50_000_000, 1_000_000

Arrays = dict[str, np.ndarray]


class SDF:
    """Distances to a surface at the points of a regular grid, negative inside.

    Between the points the distance is trilinear; beyond the grid it is that at the nearest point of the grid plus the
    distance to it. The gradient is the difference over one cell.

    Args:
        values: signed distances [m], shape (nx, ny, nz).
        cell: distance between points [m], one number or one per axis.
        origin: the first point in the frame of the geom [m].

    Attributes:
        values, cell, origin: as given, arrays of float64, read-only.
        aabb: center and half sizes of a box around the inside.
    """

    __slots__ = ("aabb", "cell", "origin", "values")

    def __init__(self, values: Any, cell: Any, origin: Any = (0.0, 0.0, 0.0)):
        self.values = _numbers("values", values, None)
        self.cell = _numbers("cell", cell, (3,))
        self.origin = _numbers("origin", origin, (3,))
        if self.values.ndim != 3 or min(self.values.shape) < 2:
            raise ModelError(f"an SDF needs at least 2 points along each of 3 axes, not values of {self.values.shape}")
        if not (self.cell > 0).all():
            raise ModelError(f"cell must be positive, not {self.cell}")
        if not (self.values < 0).any():
            raise ModelError("an SDF needs an inside: no value is negative")
        self.aabb = _box_of_inside(self.values, self.cell, self.origin)
        self.aabb.flags.writeable = False

    # --- making one

    @classmethod
    def from_function(cls, function: Callable[[np.ndarray], Any], lower: Any, upper: Any, cell: Any) -> SDF:
        """Sample a function.

        Args:
            function: signed distances of points of shape (n, 3).
            lower: lowest corner of the grid; leave a few cells around the inside.
            upper: highest corner; the last cells may reach beyond it.
            cell: distance between points.
        """
        points, shape, cell, lower = _grid_points(lower, upper, cell)
        if not callable(function):
            raise ModelError(f"an SDF is sampled from a function, not from {type(function).__name__}")
        values = numbers("what the function gives", function(points)).astype(float)
        if values.shape not in ((len(points),), (len(points), 1)):
            raise ModelError(f"the function must give {len(points)} distances, not an array of shape {values.shape}")
        return cls(values.reshape(shape), cell, lower)

    @classmethod
    def from_mesh(
        cls, vertices: Any, faces: Any, cell: Any = None, margin: float | None = None, most_points: int = _MEASURED
    ) -> SDF:
        """Distances to a watertight mesh of triangles, which may have any shape and orientation.

        Args:
            vertices: shape (n, 3); equal vertices are merged.
            faces: three vertices each, shape (k, 3).
            cell: distance between points; by default the longest side has 48.
            margin: how far the grid reaches beyond the mesh, at least a cell; by default 3 cells.
            most_points: a grid of more points is refused; a million take ten seconds, or thirty with 10 000 faces.

        Raises:
            ModelError: the mesh has a hole or edges where more than two faces meet, or the grid has too many points.
        """
        most = whole("most_points", most_points, 1, _MOST)
        vertices, faces = merged(vertices, faces)
        oriented = check_watertight(vertices, faces)
        lower, upper = vertices.min(axis=0), vertices.max(axis=0)
        cell = _numbers("cell", (upper - lower).max() / _CELLS if cell is None else cell, (3,))
        if (cell > MAXVAL).any():
            raise ModelError(f"cell is at most {MAXVAL:g}, not {cell}")
        around = _AROUND * cell if margin is None else np.maximum(real("margin", margin), cell)
        with np.errstate(over="ignore"):  # a margin that is too large is told
            lower, upper = lower - around, upper + around
        shape = _grid_shape(lower, upper, cell)
        if math.prod(shape) > most:
            sizes = " x ".join(map(str, shape))
            words = "larger cells and a smaller margin need fewer; raise it with most_points=... if it is right"
            raise ModelError(f"a grid of {sizes} points is more than the limit most_points={most}; {words}")
        distance = unsigned_distance(vertices[faces], lower, cell, shape)
        inside = inside_of(vertices[faces], lower, cell, shape, oriented)
        return cls(np.where(inside, -distance, distance), cell, lower)

    # --- asking it

    def distance(self, points: Any) -> np.ndarray:
        """Signed distances of points of shape (..., 3) in the frame of the geom."""
        place = (_points(points) - self.origin) / self.cell
        last = np.array(self.values.shape) - 1
        inside = np.clip(place, 0.0, last)
        first = np.clip(np.floor(inside), 0, last - 1).astype(int)
        x, y, z = np.moveaxis(inside - first, -1, 0)
        i, j, k = np.moveaxis(first, -1, 0)
        v = self.values
        along = [
            [v[i + a, j + b, k] * (1.0 - z) + v[i + a, j + b, k + 1] * z for b in (0, 1)] for a in (0, 1)
        ]  # fmt: skip
        near, far = along[0][0] * (1.0 - y) + along[0][1] * y, along[1][0] * (1.0 - y) + along[1][1] * y
        beyond = (place - inside) * self.cell
        return near * (1.0 - x) + far * x + np.sqrt((beyond * beyond).sum(-1))

    def gradient(self, points: Any) -> np.ndarray:
        """Gradients of the distance, shape (..., 3); about unit vectors."""
        points = _points(points)
        steps = np.diag(0.5 * self.cell)
        return np.stack(
            [
                (self.distance(points + step) - self.distance(points - step)) / self.cell[axis]
                for axis, step in enumerate(steps)
            ],
            -1,
        )

    def __repr__(self) -> str:
        size = " x ".join(f"{x:.4g}" for x in 2 * self.aabb[3:])
        return f"<SDF of {' x '.join(map(str, self.values.shape))} points, inside {size} m>"

    def __reduce__(self) -> Any:
        return SDF, (self.values, self.cell, self.origin)


def _numbers(name: str, value: Any, shape: tuple[int, ...] | None) -> np.ndarray:
    """A read-only copy as float64, or what is wrong with it."""
    try:
        array = np.array(value, np.float64)
        if shape is not None:
            array = np.broadcast_to(array, shape).copy()
    except (TypeError, ValueError, OverflowError):
        raise ModelError(
            f"{name} must be {'an array of numbers' if shape is None else 'one number or three'}"
        ) from None
    if not np.isfinite(array).all():
        raise ModelError(f"{name}{np.argwhere(~np.isfinite(array))[0].tolist()} is not finite")
    array.flags.writeable = False
    return array


def _points(points: Any) -> np.ndarray:
    array = numbers("points", points).astype(np.float64)
    if array.shape[-1:] != (3,):
        raise ModelError(f"points have 3 coordinates; the last axis of {array.shape} is not 3")
    if not (np.abs(array) <= MAXVAL).all():
        raise ModelError(f"a point is not finite or beyond {MAXVAL:g}")
    return array


def _grid_points(lower: Any, upper: Any, cell: Any) -> tuple[np.ndarray, tuple[int, ...], np.ndarray, np.ndarray]:
    """(points, shape, cell, origin) of the grid that covers a box."""
    lower, upper, cell = _numbers("lower", lower, (3,)), _numbers("upper", upper, (3,)), _numbers("cell", cell, (3,))
    counts = _grid_shape(lower, upper, cell)
    axes = [lower[k] + cell[k] * np.arange(counts[k]) for k in range(3)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3), counts, cell, lower


def _grid_shape(lower: np.ndarray, upper: np.ndarray, cell: np.ndarray) -> tuple[int, ...]:
    """Points along each axis of the grid that covers a box."""
    if not (cell > 0).all():
        raise ModelError(f"cell must be positive, not {cell}")
    if not (upper > lower).all():
        raise ModelError(f"upper {upper} must be above lower {lower}")
    with np.errstate(over="ignore"):
        wanted = np.ceil((upper - lower) / cell - 1e-9) + 1
        is_too_large = not wanted.prod() <= _MOST
    if is_too_large:
        sizes = " x ".join(f"{count:g}" for count in wanted)
        raise ModelError(f"a grid of {sizes} points is too large; take larger cells, or less around the inside")
    return tuple(wanted.astype(np.int64).tolist())


def _box_of_inside(values: np.ndarray, cell: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Center and half sizes of a box around the inside, with half a cell to spare."""
    is_inside = values < 0
    where = np.argwhere(is_inside)
    low, high = where.min(axis=0).astype(float), where.max(axis=0).astype(float)
    for axis in range(3):
        before, after = np.moveaxis(values, axis, 0)[:-1], np.moveaxis(values, axis, 0)[1:]
        crosses = (before < 0) != (after < 0)
        if crosses.any():
            cut = np.nonzero(crosses)[0] + before[crosses] / (before[crosses] - after[crosses])
            low[axis], high[axis] = min(low[axis], cut.min()), max(high[axis], cut.max())
    spare = 0.5 * cell
    edge = np.concatenate([np.moveaxis(values, axis, 0)[[0, -1]].ravel() for axis in range(3)])
    spare = spare + max(0.0, -edge.min())  # the inside goes on beyond the grid
    low, high = origin + low * cell - spare, origin + high * cell + spare
    return np.hstack([(low + high) / 2, (high - low) / 2])
