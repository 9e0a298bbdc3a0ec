"""The arrays of a mesh as a file or a user gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


def _empty(columns: int, kind: type) -> Callable[[], np.ndarray]:
    return lambda: np.empty((0, columns), kind)


@dataclass(frozen=True, eq=False)
class MeshSource:
    """Arrays of a mesh as they were given; those that are missing have no rows.

    Attributes:
        vertices: (n, 3) float32.
        faces: (m, 3) int32, vertices of the triangles.
        normals: (k, 3) float32.
        texcoords: (k, 2) float32.
        facenormals: (m, 3) int32, normals of the triangles.
        facetexcoords: (m, 3) int32, texture coordinates of the triangles.
        dropped: how many faces with more than the most corners were left out.
    """

    vertices: np.ndarray
    faces: np.ndarray = field(default_factory=_empty(3, np.int32))
    normals: np.ndarray = field(default_factory=_empty(3, np.float32))
    texcoords: np.ndarray = field(default_factory=_empty(2, np.float32))
    facenormals: np.ndarray = field(default_factory=_empty(3, np.int32))
    facetexcoords: np.ndarray = field(default_factory=_empty(3, np.int32))
    dropped: int = 0
