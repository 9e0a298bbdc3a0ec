"""Rays as users give them, checked, and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.memory.errors import FieldError

#: Field of the answer -> row of Data.
ANSWERS = {"dist": "ray_dist", "geom": "ray_geomid", "normal": "ray_normal", "point": "ray_point"}


#: The same of rays against flexes.
FLEX_ANSWERS = {
    "dist": "ray_dist", "flex": "ray_geomid", "vertex": "ray_vertex", "normal": "ray_normal", "point": "ray_point",
}  # fmt: skip
#: Answers that are ids.
IDS = ("geom", "flex", "vertex")


class RayHit(NamedTuple):
    """What rays hit first: numbers for one ray, arrays for many.

    Attributes:
        dist: distance from the origin in lengths of the direction, -1 without a hit.
        geom: id of the geom, -1 without a hit.
        normal: unit normal of the surface in the world, outward; zero without a hit.
        point: where the surface is hit, in the world [m]; NaN without a hit.
    """

    dist: Any
    geom: Any
    normal: np.ndarray
    point: np.ndarray

    @property
    def is_hit(self) -> Any:
        """Did the ray hit anything?"""
        return self.geom >= 0


class FlexHit(NamedTuple):
    """What rays hit first of flexes: numbers for one ray, arrays for many.

    Attributes:
        dist: distance from the origin in lengths of the direction, -1 without a hit.
        flex: id of the flex, -1 without a hit.
        vertex: its vertex nearest to the hit, counted in the flex; -1 without a hit.
        normal: unit normal of the surface in the world; zero without a hit.
        point: where the surface is hit, in the world [m]; NaN without a hit.
    """

    dist: Any
    flex: Any
    vertex: Any
    normal: np.ndarray
    point: np.ndarray

    @property
    def is_hit(self) -> Any:
        """Did the ray hit anything?"""
        return self.flex >= 0


def checked_rays(origins: Any, directions: Any) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions as arrays (..., 3) of one shape."""
    pair = []
    for name, value in (("origin", origins), ("direction", directions)):
        try:
            array = np.asarray(value, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise FieldError(f"the {name} of a ray takes numbers, not {value!r:.60}") from None
        if not array.ndim or array.shape[-1] != 3:
            raise FieldError(f"the {name} of a ray has three numbers, not shape {array.shape}")
        if not np.isfinite(array).all():
            raise FieldError(f"the {name} of {_which(~np.isfinite(array).all(-1))} is not finite")
        pair.append(array)
    has_length = np.einsum("...i,...i->...", pair[1], pair[1]) >= MINVAL * MINVAL
    if not has_length.all():
        raise FieldError(f"the direction of {_which(~has_length)} has no length")
    try:
        full = np.broadcast_shapes(pair[0].shape, pair[1].shape)
    except ValueError:
        raise FieldError(f"origins of shape {pair[0].shape} do not go with directions of {pair[1].shape}") from None
    return np.broadcast_to(pair[0], full), np.broadcast_to(pair[1], full)


def rays_of_shape(pair: tuple[np.ndarray, np.ndarray], *shape: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The rays with all axes that they must have; None stands for any length."""
    own = pair[0].shape
    missing = len(shape) - len(own)
    full = tuple(n if n is not None else 1 for n in shape[:missing]) + own
    if missing < 0 or any(n not in (None, axis) for n, axis in zip(shape, full, strict=True)):
        wanted = ", ".join("k" if n is None else str(n) for n in shape)
        raise FieldError(f"rays have shape ({wanted}), not {own}")
    return np.broadcast_to(pair[0], full), np.broadcast_to(pair[1], full)


def _which(mask: Any) -> str:
    """How messages name the first ray of a mask."""
    return f"ray {', '.join(map(str, np.argwhere(mask)[0].tolist()))}" if mask.ndim else "the ray"


def as_answer(name: str, rows: np.ndarray) -> np.ndarray:
    """A copy of a row of answers; ids, which kernels keep as numbers, become integers."""
    return rows.astype(np.int32) if name in IDS else rows.copy()


def hits_of(answers: Mapping[str, np.ndarray]) -> RayHit:
    """A copy of the answer, in the form that users see."""
    return RayHit(**{name: as_answer(name, answers[row]) for name, row in ANSWERS.items()})
