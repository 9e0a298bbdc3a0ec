"""Refuse to show a world whose poses are NaN, infinite or too far away, and say where that comes from."""

from __future__ import annotations

import math

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.scene.subject import Data

#: Fields of Data that poses come from.
CAUSES = ("qpos", "mocap_pos", "mocap_quat")
#: Farther away [m], squares of distances are no numbers.
FARTHEST = 1e150


def check_poses(data: Data, name: str, poses: np.ndarray) -> None:
    """FieldError if one of the poses of a world is not finite, or too far away.

    Args:
        data: the Data.
        name: the field that they come from.
        poses: the poses.
    """
    flat = poses.ravel()
    # one product is faster than a look at each number; it is finite unless a number is beyond 1e150
    with np.errstate(over="ignore"):
        square = flat.dot(flat)
    if math.isfinite(square) or (np.abs(flat) <= FARTHEST).all():
        return
    for cause in CAUSES:
        bad = np.argwhere(~(np.abs(getattr(data, cause)) <= FARTHEST))
        if len(bad):
            place = ", ".join(str(k) for k in bad[0])
            value = np.asarray(getattr(data, cause))[tuple(bad[0])]
            raise FieldError(f"data.{cause}[{place}] is {value}: such a world cannot be shown; reset or restore it")
    raise FieldError(f"data.{name} is not finite or beyond {FARTHEST:g}, unlike the state: call data.forward() first")
