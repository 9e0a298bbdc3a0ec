"""Textures of cubes: glTF has none, so each triangle takes its part of the cube out of a flat picture.

The picture of a cube has its six faces one below the other. A triangle belongs to the face that its middle points to,
seen from the center of the shape, as a browser would look a direction up in a cube map.
"""

from __future__ import annotations

import numpy as np

from phalanx.scene.surface import Surface

#: For each face of the cube (+x, -x, +y, -y, +z, -z): axis to the right in its picture and axis down, with signs.
RIGHT = np.array([[0, 0, -1], [0, 0, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0], [-1, 0, 0]], float)
DOWN = np.array([[0, -1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, -1, 0], [0, -1, 0]], float)
#: Pictures keep off the edge of their face by this part of it, so that neighbors do not bleed in.
BORDER = 0.01


def on_atlas(surface: Surface, texture: np.ndarray) -> tuple[Surface, np.ndarray]:
    """The surface with vertices of its own for each triangle, and the picture of all faces.

    Args:
        surface: any surface around its origin.
        texture: six squares one below the other, or one square for all faces, (height, width, channels).
    """
    corners = surface.faces.reshape(-1)
    vertices = surface.vertices[corners].astype(float)
    middles = vertices.reshape(-1, 3, 3).mean(axis=1)
    axis = np.argmax(np.abs(middles), axis=1)
    face = np.repeat(2 * axis + (middles[np.arange(len(axis)), axis] < 0), 3)
    depth = np.abs(vertices[np.arange(len(face)), np.repeat(axis, 3)])
    # where the direction of a vertex meets the face, from -1 to 1
    across = np.einsum("ij,ij->i", vertices, RIGHT[face]) / np.maximum(depth, 1e-9)
    down = np.einsum("ij,ij->i", vertices, DOWN[face]) / np.maximum(depth, 1e-9)
    inside = np.clip(np.stack([across, down], axis=1) / 2 + 0.5, BORDER, 1 - BORDER)
    count = max(1, texture.shape[0] // texture.shape[1])
    inside[:, 1] = (inside[:, 1] + face % count) / count
    return Surface.of(vertices, surface.normals[corners], inside, np.arange(len(corners))), texture
