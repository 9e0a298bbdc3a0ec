"""How cameras of a model project: what they see at unit distance."""

from __future__ import annotations

import math

import numpy as np

from phalanx.scene.subject import Model
from phalanx.tables.enums import Projection

#: Left, right, bottom and top of a picture, at unit distance; orthographic: in meters.
Frustum = tuple[float, float, float, float]


def has_intrinsics(model: Model, camera: int) -> bool:
    """Whether a camera is given by the size of its sensor and its focal length, and not by its field of view."""
    is_parallel = model.cam_projection[camera] == Projection.ORTHOGRAPHIC
    return not is_parallel and bool(np.asarray(model.cam_sensorsize)[camera, 1])


def frustum(model: Model, camera: int, aspect: float) -> Frustum:
    """What a camera of a model sees.

    Args:
        model: the Model.
        camera: id.
        aspect: width by height of the picture; a camera with intrinsics does not ask for it.
    """
    if has_intrinsics(model, camera):
        width, height = np.asarray(model.cam_sensorsize, float)[camera] / 2
        focal_x, focal_y, center_x, center_y = np.asarray(model.cam_intrinsic, float)[camera].tolist()
        return (
            (center_x - width) / focal_x, (center_x + width) / focal_x,
            -(height + center_y) / focal_y, (height - center_y) / focal_y,
        )  # fmt: skip
    half = half_height_of(model.cam_projection[camera] == Projection.ORTHOGRAPHIC, float(model.cam_fovy[camera]))
    return -half * aspect, half * aspect, -half, half


def half_height_of(is_orthographic: bool, fovy: float) -> float:
    """Half the height of a picture at unit distance, from its angle [deg] or, if orthographic, its height [m]."""
    return fovy / 2 if is_orthographic else math.tan(math.radians(fovy) / 2)
