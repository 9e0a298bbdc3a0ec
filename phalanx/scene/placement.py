"""Rows of Shapes from arrays: given poses, connectors between points, axes of frames, edges of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.scene.subject import Model
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import MAXVAL

#: Below this length a vector has no direction.
MINVAL = 1e-15
#: No arrow is longer [m]: as far as a state reaches.
LONGEST = MAXVAL
#: Radius of the head of an arrow by that of its shaft.
HEAD = 1.75
#: Colors of the x, y and z axis of a frame.
AXIS_COLORS = np.array([[0.9, 0, 0, 1], [0, 0.9, 0, 1], [0, 0, 0.9, 1]], np.float32)
#: Corners of a box in units of its half sizes, and the corners that each of its edges connects.
CORNERS = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
EDGES = np.array([(a, a | bit) for bit in (1, 2, 4) for a in range(8) if not a & bit])


def placed(
    kind: Any, pos: Any, mat: Any = None, *, decor: bool = True, labels: Sequence[str] = (), **columns: Any
) -> Shapes:
    """Shapes at given poses; each column is one value for all rows, or a value for each.

    Args:
        kind: GeomType.
        pos: origins, (n, 3).
        mat: rotation matrices, (n, 9) or (n, 3, 3); None for upright.
        decor: whether they are decor.
        labels: texts, if there are any.
        columns: further columns of Shapes.
    """
    pos = np.asarray(pos, float).reshape(-1, 3)
    # columns that are not given keep their defaults
    shapes = Shapes.empty(len(pos))
    shapes.kind[:] = kind
    shapes.pos[:] = pos
    if mat is not None:
        shapes.mat[:] = np.asarray(mat, float).reshape(-1, 9)
    shapes.decor[:] = decor
    for name, values in columns.items():
        getattr(shapes, name)[:] = values
    if labels:
        shapes.labels = list(labels)
    return shapes


def axes_along(directions: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 9) whose z axes are given directions (n, 3): the smallest rotations that do this.

    The matrix of the rotation about z x u that takes z to the unit vector u = (x, y, c) is
    (1 - k x x, -k x y, x; -k x y, 1 - k y y, y; -x, -y, c), k = 1 / (1 + c).
    """
    length = np.sqrt(np.sum(directions * directions, axis=1))
    has_direction = length > MINVAL
    unit = np.where(has_direction[:, None], directions / np.where(has_direction, length, 1.0)[:, None], (0.0, 0.0, 1.0))
    x, y, c = unit.T
    sine_squared = x * x + y * y
    is_opposite = (c < 0) & (sine_squared < MINVAL * MINVAL)
    # 1 + c would cancel where the direction is nearly opposite: there k = (1 - c) / (x x + y y)
    k = np.where(c < 0, (1 - c) / np.where(is_opposite | (c >= 0), 1.0, sine_squared), 1 / (1 + np.abs(c)))
    mat = np.stack([1 - k * x * x, -k * x * y, x, -k * x * y, 1 - k * y * y, y, -x, -y, c], axis=1)
    mat[is_opposite] = np.diag([1.0, -1.0, -1.0]).ravel()
    return mat


def connectors(kind: GeomType, radius: Any, start: Any, end: Any, **columns: Any) -> Shapes:
    """Capsules or cylinders between points.

    Args:
        kind: CAPSULE or CYLINDER.
        radius: one, or one for each [m].
        start: (n, 3) [m].
        end: (n, 3) [m].
        columns: as in `placed`.
    """
    start, end = np.asarray(start, float).reshape(-1, 3), np.asarray(end, float).reshape(-1, 3)
    difference = end - start
    size = np.zeros((len(start), 3))
    size[:, 0] = radius
    size[:, 1] = 0.5 * np.sqrt(np.sum(difference * difference, axis=1))
    return placed(kind, 0.5 * (start + end), axes_along(difference), size=size, **columns)


def arrows(radius: Any, start: Any, end: Any, head: float = HEAD, **columns: Any) -> Shapes:
    """Arrows from points to points, as `connectors`; `head` is the radius of the head by that of the shaft."""
    start, end = np.asarray(start, float).reshape(-1, 3), np.asarray(end, float).reshape(-1, 3)
    difference = end - start
    size = np.zeros((len(start), 3))
    size[:, 0] = radius
    size[:, 1] = head * size[:, 0]
    size[:, 2] = np.sqrt(np.sum(difference * difference, axis=1))
    return placed(GeomType.ARROW, start, axes_along(difference), size=size, **columns)


def half_arrows(radius: Any, start: Any, vectors: np.ndarray, head: float = HEAD, **columns: Any) -> Shapes:
    """Arrows as MuJoCo draws them: half as long as the vectors that they stand for."""
    start = np.asarray(start, float).reshape(-1, 3)
    return arrows(radius, start, start + 0.5 * shortened(vectors), head, **columns)


def shortened(vectors: np.ndarray) -> np.ndarray:
    """Vectors (n, 3) in the same directions, with no number beyond `LONGEST`; 0 instead of NaN.

    >>> shortened(np.array([[3.0, 0.0, 4.0], [1e300, 0.0, -1e300]])).tolist()
    [[3.0, 0.0, 4.0], [10000000000.0, 0.0, -10000000000.0]]
    """
    vectors = np.nan_to_num(vectors)
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=LONGEST)
    return np.where(largest > LONGEST, vectors / largest * LONGEST, vectors)


def frames(pos: Any, mat: Any, length: float, width: float, objid: Any = -1, bodyid: Any = -1) -> Shapes:
    """Axes of frames as cylinders: x red, y green, z blue.

    Args:
        pos: origins, (n, 3) [m].
        mat: rotation matrices, (n, 9).
        length: of an axis [m].
        width: its radius [m].
        objid, bodyid: of each frame.
    """
    pos = np.asarray(pos, float).reshape(-1, 1, 3)
    axes = np.swapaxes(np.asarray(mat, float).reshape(-1, 3, 3), 1, 2)
    count = len(pos)
    return connectors(
        GeomType.CYLINDER, width, np.repeat(pos, 3, axis=1), pos + length * axes, rgba=np.tile(AXIS_COLORS, (count, 1)),
        objid=np.repeat(np.broadcast_to(objid, count), 3), bodyid=np.repeat(np.broadcast_to(bodyid, count), 3),
    )  # fmt: skip


def box_edges(corners: np.ndarray, width: float, **columns: Any) -> Shapes:
    """The twelve edges of a box, or of what a box becomes when its corners move.

    Args:
        corners: in the order of `CORNERS`, (8, 3) [m].
        width: radius of an edge [m].
        columns: as in `placed`.
    """
    return connectors(GeomType.CAPSULE, width, corners[EDGES[:, 0]], corners[EDGES[:, 1]], **columns)


def labels_of(model: Model, kind: str, ids: Any) -> list[str]:
    """Names of objects; where there is none, their kind and id."""
    names = model.names.names[kind]
    return [names[k] or f"{kind} {k}" for k in np.asarray(ids).tolist()]


def apart(pos: np.ndarray, mat: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Points (n, 3) that are given in frames: pos + mat offset."""
    return pos + np.matmul(mat.reshape(-1, 3, 3), np.asarray(offset, float).reshape(-1, 3, 1))[:, :, 0]
