"""Refuse to show a world whose poses are NaN or infinite, and say where that comes from."""

from __future__ import annotations

import math

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.scene.subject import Data

#: Fields of Data that poses come from.
CAUSES = ("qpos", "mocap_pos", "mocap_quat")


def check_poses(data: Data, name: str, poses: np.ndarray) -> None:
    """FieldError if one of the poses of a world is not finite.

    Args:
        data: the Data.
        name: the field that they come from.
        poses: the poses.
    """
    flat = poses.ravel()
    # one product is faster than a look at each number; it is finite unless a number is beyond 1e150
    if math.isfinite(flat.dot(flat)) or np.isfinite(flat).all():
        return
    for cause in CAUSES:
        bad = np.argwhere(~np.isfinite(np.asarray(getattr(data, cause))))
        if len(bad):
            place = ", ".join(str(k) for k in bad[0])
            value = np.asarray(getattr(data, cause))[tuple(bad[0])]
            raise FieldError(f"data.{cause}[{place}] is {value}: such a world cannot be shown; reset or restore it")
    raise FieldError(f"data.{name} is not finite, though the state is: call data.forward() first")
