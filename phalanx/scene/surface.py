"""Surface: triangles with normals and texture coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Surface:
    """Triangles in the frame of a shape, counter-clockwise seen from outside.

    Attributes:
        vertices: positions [m], float32 (n, 3).
        normals: unit vectors to the outside, float32 (n, 3).
        texcoords: where each vertex is in a picture of unit size, float32 (n, 2), before `texture_map`; the first row
            of the picture is at v = 0. None where only textures of cubes fit.
        faces: three vertices each, int32 (k, 3).
    """

    vertices: np.ndarray
    normals: np.ndarray
    texcoords: np.ndarray | None
    faces: np.ndarray

    def __repr__(self) -> str:
        return f"<Surface: {len(self.vertices)} vertices, {len(self.faces)} faces>"

    @classmethod
    def of(cls, vertices: np.ndarray, normals: np.ndarray, texcoords: np.ndarray | None, faces: np.ndarray) -> Surface:
        """The same in single precision; normals get unit length."""
        length = np.sqrt(np.sum(np.square(normals, dtype=float), axis=1, keepdims=True))
        unit = np.divide(normals, length, out=np.zeros(np.shape(normals)), where=length > 0)
        return cls(
            np.ascontiguousarray(vertices, np.float32),
            unit.astype(np.float32),
            None if texcoords is None else np.ascontiguousarray(texcoords, np.float32),
            np.ascontiguousarray(faces, np.int32).reshape(-1, 3),
        )

    @classmethod
    def joined(cls, parts: Sequence[Surface]) -> Surface:
        """Several surfaces as one; all of them have texture coordinates, or none has."""
        first = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
        texcoords = [part.texcoords for part in parts if part.texcoords is not None]
        return cls(
            np.concatenate([part.vertices for part in parts]),
            np.concatenate([part.normals for part in parts]),
            np.concatenate(texcoords) if len(texcoords) == len(parts) else None,
            np.concatenate([part.faces + k for part, k in zip(parts, first, strict=True)]).astype(np.int32),
        )


def face_normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Normals of triangles, twice as long as their area, (k, 3)."""
    a, b, c = (np.asarray(vertices, float)[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def vertex_normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Normals of vertices (n, 3): the sum of those of the triangles around them, by area."""
    normals = np.zeros((len(vertices), 3))
    of_faces = face_normals(vertices, faces)
    for k in range(3):
        np.add.at(normals, faces[:, k], of_faces)
    return normals


def flat(vertices: np.ndarray, faces: np.ndarray, texcoords: np.ndarray | None = None) -> Surface:
    """A surface with edges: each triangle has vertices of its own."""
    corners = faces.reshape(-1)
    normals = np.repeat(face_normals(vertices, faces), 3, axis=0)
    own = None if texcoords is None else texcoords[corners]
    return Surface.of(vertices[corners], normals, own, np.arange(len(corners)))
