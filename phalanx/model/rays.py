"""What Data and BatchSim need to cast rays: the filter, checked numbers, and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from phalanx.model.errors import FieldError
from phalanx.model.model import Model
from phalanx.model.store import Store
from phalanx.tables.sizes import MINVAL, NGROUP

#: What a caller writes and reads: field of the answer -> row of Data.
ANSWERS = {"dist": "ray_dist", "geom": "ray_geomid", "normal": "ray_normal"}


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


def ray_filter(model: Model, geomgroup: Any, static: bool, exclude: int | str | None) -> tuple[int, int, int]:
    """(mask of groups, static geoms count, excluded body) as kernels want them."""
    groups = np.ones(NGROUP, bool) if geomgroup is None else np.asarray(geomgroup)
    if groups.shape != (NGROUP,) or groups.dtype.kind not in "biu":
        raise FieldError(f"geomgroup is {NGROUP} flags, one for each group of geoms, not {geomgroup!r}")
    body = -1 if exclude is None else model.names.id_of("body", exclude)
    return sum(1 << group for group in range(NGROUP) if groups[group]), int(bool(static)), body


def checked_rays(origins: Any, directions: Any, shape: tuple[int | None, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions as arrays of one shape; None stands for any length of an axis."""
    pair = []
    for name, value in (("origin", origins), ("direction", directions)):
        try:
            array = np.asarray(value, np.float64)
        except (TypeError, ValueError):
            raise FieldError(f"the {name} of a ray takes numbers, not {type(value).__name__}") from None
        if not array.ndim or array.shape[-1] != 3:
            raise FieldError(f"the {name} of a ray has three numbers, not shape {array.shape}")
        if not np.isfinite(array).all():
            raise FieldError(f"the {name} of {_which(~np.isfinite(array).all(-1))} is not finite")
        pair.append(array)
    length = np.linalg.norm(pair[1], axis=-1)
    if (length < MINVAL).any():
        raise FieldError(f"the direction of {_which(length < MINVAL)} has no length")
    try:
        full = np.broadcast_shapes(*(array.shape for array in pair), tuple(n or 1 for n in shape))
    except ValueError:
        full = ()
    if len(full) != len(shape) or any(n not in (None, axis) for n, axis in zip(shape, full, strict=True)):
        wanted = ", ".join("n" if n is None else str(n) for n in shape)
        raise FieldError(f"rays have shape ({wanted}), not {pair[0].shape} and {pair[1].shape}")
    return np.broadcast_to(pair[0], full), np.broadcast_to(pair[1], full)


def _which(mask: np.ndarray) -> str:
    """How messages name the first ray of a mask."""
    return f"ray {', '.join(map(str, np.argwhere(mask)[0].tolist()))}" if mask.ndim else "the ray"


def reserve(store: Store, n: int) -> None:
    """Make room for n rays."""
    if store.sizes["nray"] < n:
        store.resize("nray", n)


def hits_of(answers: Mapping[str, np.ndarray], origins: np.ndarray, directions: np.ndarray) -> RayHit:
    """The answer in the form that users see."""
    dist, geom = answers["dist"], answers["geom"].astype(np.int32)
    reach = np.where(geom >= 0, dist, np.nan)[..., None]
    return RayHit(dist, geom, answers["normal"], origins + reach * directions)
