"""Triangles of primitive shapes, with MuJoCo's texture coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.scene.surface import Surface, flat
from phalanx.tables.enums import GeomType

#: Where the head of an arrow begins, by its length.
HEAD_START = 2 / 3
#: Corners of a quad and its two triangles, as (column, row).
QUAD = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
QUAD_FACES = np.array([[0, 1, 2], [0, 2, 3]])


def lathe(radius: Any, height: Any, normal: np.ndarray, v: Any, n: int) -> Surface:
    """A surface of revolution about z.

    Args:
        radius: of each point of the profile, from below upwards, k of them.
        height: of each point, k of them.
        normal: (radial, vertical) part of the normal at each point, (k, 2).
        v: texture coordinate of each point, k of them.
        n: how many slices.
    """
    u = np.linspace(0, 1, n + 1)
    circle = np.stack([np.cos(2 * np.pi * u), np.sin(2 * np.pi * u)], axis=1)
    circle[-1] = circle[0]
    count, columns = len(radius), n + 1
    vertices, normals = np.empty((count, columns, 3)), np.empty((count, columns, 3))
    vertices[..., :2], vertices[..., 2] = np.reshape(radius, (-1, 1, 1)) * circle, np.reshape(height, (-1, 1))
    normals[..., :2], normals[..., 2] = normal[:, :1, None] * circle, normal[:, 1:]
    texcoords = np.stack(np.broadcast_arrays(u, np.reshape(v, (-1, 1))), axis=-1)
    # quads between neighbors, without the triangles that have no area at a pole
    corner = np.arange(count - 1)[:, None] * columns + np.arange(n)
    below = np.stack([corner, corner + 1, corner + columns + 1], axis=-1)[np.greater(radius[:-1], 0)]
    above = np.stack([corner, corner + columns + 1, corner + columns], axis=-1)[np.greater(radius[1:], 0)]
    faces = np.concatenate([below.reshape(-1, 3), above.reshape(-1, 3)])
    return Surface.of(vertices.reshape(-1, 3), normals.reshape(-1, 3), texcoords.reshape(-1, 2), faces)


def disk(radius: float, height: float, sign: int, n: int) -> Surface:
    """A disk that looks up (sign 1) or down (-1)."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    flat_points = np.concatenate([[[0, 0]], ring])
    vertices = np.column_stack([radius * flat_points, np.full(n + 1, height)])
    here = np.arange(n)
    faces = np.stack([np.zeros(n, int), 1 + here, 1 + (here + 1) % n], axis=1)[:, ::sign]
    return Surface.of(vertices, np.tile([0, 0, sign], (n + 1, 1)), 0.5 + 0.5 * flat_points, faces)


def _arc(low: float, high: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine of elevations; exactly zero and one at a pole."""
    elevation = np.linspace(low, high, count + 1) * (np.pi / 2)
    cosine, sine = np.cos(elevation), np.sin(elevation)
    is_pole = np.abs(np.linspace(low, high, count + 1)) == 1
    return np.where(is_pole, 0.0, cosine), sine


def plane(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """A rectangle that looks up. Texture coordinates along an infinite side (negative size) are half its meters."""
    half = np.abs(np.asarray(size[:2], float))
    texcoords = np.where(np.less(size[:2], 0), QUAD * half * (0.5, -0.5), 0.5 + QUAD * (0.5, -0.5))
    return flat(np.column_stack([QUAD * half, np.zeros(4)]), QUAD_FACES, texcoords)


def ellipsoid(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """A unit sphere, scaled."""
    cosine, sine = _arc(-1, 1, stacks)
    unit = lathe(cosine, sine, np.stack([cosine, sine], axis=1), np.linspace(1, 0, stacks + 1), slices)
    scale = np.asarray(size, float)
    return Surface.of(unit.vertices * scale, unit.normals / scale, unit.texcoords, unit.faces)


def sphere(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """A sphere."""
    return ellipsoid(np.full(3, size[0]), slices, stacks)


def tube(radius: float, low: float, high: float, slices: int) -> Surface:
    """The side of a cylinder."""
    return lathe((radius, radius), (low, high), np.array([[1, 0], [1, 0]], float), (1, 0), slices)


def capsule(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """Two half spheres and the tube between them."""
    radius, half = float(size[0]), float(size[1])
    parts = [tube(radius, -half, half, slices)]
    count = max(stacks // 2, 1)
    for low, high, middle in ((-1, 0, -half), (0, 1, half)):
        cosine, sine = _arc(low, high, count)
        normal = np.stack([cosine, sine], axis=1)
        parts.append(lathe(radius * cosine, middle + radius * sine, normal, np.linspace(1, 0, count + 1), slices))
    return Surface.joined(parts)


def cylinder(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """A tube between two disks."""
    radius, half = float(size[0]), float(size[1])
    return Surface.joined([
        disk(radius, -half, -1, slices), tube(radius, -half, half, slices), disk(radius, half, 1, slices)
    ])  # fmt: skip


def box(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """Six rectangles; the texture is upright on those that stand."""
    parts = []
    for axis, first, second in ((2, 0, 1), (0, 1, 2), (1, 0, 2)):
        for sign in (1, -1):
            vertices = np.zeros((4, 3))
            vertices[:, first], vertices[:, second], vertices[:, axis] = *QUAD.T, sign
            # the y axis is on the other side of the plane of x and z
            is_outward = (sign == 1) != (axis == 1)
            faces = QUAD_FACES if is_outward else QUAD_FACES[:, ::-1]
            parts.append(flat(vertices * np.asarray(size, float), faces, 0.5 + QUAD * (0.5, -0.5)))
    return Surface.joined(parts)


def arrow(size: np.ndarray, slices: int, stacks: int) -> Surface:
    """A shaft with a pointed head."""
    radius, head, length = (float(x) for x in size)
    start = HEAD_START * length
    slope = np.array([length - start, head])
    cone = lathe((head, 0.0), (start, length), np.stack([slope, slope]), (1, 0), slices)
    parts = [disk(radius, 0.0, -1, slices), tube(radius, 0.0, start, slices), cone]
    if head > radius:  # the ring below the head
        parts.append(lathe((radius, head), (start, start), np.array([[0, -1], [0, -1]], float), (0, 1), slices))
    return Surface.joined(parts)


#: Kind -> its surface, from size, slices around the axis and stacks along it.
PRIMITIVES: dict[GeomType, Callable[[np.ndarray, int, int], Surface]] = {
    GeomType.PLANE: plane, GeomType.SPHERE: sphere, GeomType.CAPSULE: capsule, GeomType.ELLIPSOID: ellipsoid,
    GeomType.CYLINDER: cylinder, GeomType.BOX: box, GeomType.ARROW: arrow,
}  # fmt: skip
