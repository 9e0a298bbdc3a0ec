"""Poses of a stage in meters, with z up: USD has its own unit of length and its own up axis."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from phalanx.compiler.object.rotation import (
    IDENTITY,
    Quat,
    Vector,
    compose,
    invert,
    multiply,
    rotate,
    rotation_of_axes,
    unit,
)
from phalanx.memory.errors import ModelError

#: No number of a transform is as large.
LARGEST = 1e100
#: A position and an orientation.
Pose = tuple[Vector, Quat]
#: Brings y to z.
Y_UP: Quat = (sqrt(0.5), sqrt(0.5), 0.0, 0.0)
AXES: dict[str, Vector] = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
#: Rotations that bring z to an axis.
FROM_Z: dict[str, Quat] = {
    "X": (sqrt(0.5), 0.0, sqrt(0.5), 0.0),
    "Y": (sqrt(0.5), -sqrt(0.5), 0.0, 0.0),
    "Z": IDENTITY,
}


def prims_of(stage: Any) -> list[Any]:
    """All prims of a stage, depth first, also those of instances."""
    from pxr import Usd

    return list(stage.Traverse(Usd.TraverseInstanceProxies()))


class StageUnits:
    """Converts the lengths, masses and frames of a stage."""

    def __init__(self, stage: Any):
        from pxr import UsdGeom, UsdPhysics

        self.meters = float(UsdGeom.GetStageMetersPerUnit(stage))
        self.kilograms = float(UsdPhysics.GetStageKilogramsPerUnit(stage))
        self.up: Quat = Y_UP if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y else IDENTITY
        self._cache = UsdGeom.XformCache()

    def world_pose(self, prim: Any) -> tuple[Pose, Vector]:
        """Where a prim is in the world, and the factors of the lengths inside of it, in meters."""
        matrix = np.array(self._cache.GetLocalToWorldTransform(prim))
        # larger numbers overflow when they are squared
        if not (np.abs(matrix) < LARGEST).all():
            raise ModelError("its transform is not finite, or too large")
        rows = matrix[:3, :3]
        scale = np.linalg.norm(rows, axis=1)
        axes = rows / np.where(scale > 0, scale, 1.0)[:, None]
        # a reflection is no rotation: it goes into the scale of x
        if np.linalg.det(axes) < 0:
            axes[0], scale[0] = -axes[0], -scale[0]
        x, y, z = (tuple(row) for row in axes.tolist())
        quat = rotation_of_axes(x, y, z)
        px, py, pz = (self.meters * matrix[3, :3]).tolist()
        sx, sy, sz = (self.meters * scale).tolist()
        return (rotate((px, py, pz), self.up), multiply(self.up, quat)), (sx, sy, sz)

    def local_pose(self, pos: Any, quat: Any, scale: Vector) -> Pose:
        """A frame given inside of a prim with a scale."""
        x, y, z = (float(value) * factor for value, factor in zip(pos, scale, strict=True))
        i, j, k = quat.GetImaginary()
        return (x, y, z), unit((float(quat.GetReal()), float(i), float(j), float(k)))


def relative(parent: Pose, child: Pose) -> Pose:
    """The pose of a frame in another one, both given in the world."""
    back = invert(*parent)
    pos, quat = compose(*back, *child)
    return pos, unit(quat)
