"""Numbers of the user as kernels see them: see `exact_frames`, and the rule of MuJoCo about gravity compensation."""

from __future__ import annotations

import numpy as np

from phalanx.batch.vary_values import Values
from phalanx.pipeline.exact_frames import FRAME_ROWS, exact_frames
from phalanx.world.model import Model


def seen_values(model: Model, values: Values, dtype: np.dtype) -> Values:
    """Values of k worlds, (k, *shape) each, as kernels see them.

    Args:
        model: of which they are numbers.
        values: all fields that differ from world to world.
        dtype: precision of the kernels.
    """
    seen = {name: array.astype(dtype, copy=False) for name, array in values.items()}
    if "body_gravcomp" in seen:
        seen["body_gravcomp"] = effective_gravcomp(seen["body_gravcomp"])
    if values.keys() & set(FRAME_ROWS):
        seen |= _exact(model, seen, dtype)
    return seen


def effective_gravcomp(gravcomp: np.ndarray) -> np.ndarray:
    """Gravity compensation, (..., nbody): none in a world where it is nowhere positive. There MuJoCo skips it."""
    return np.where((gravcomp > 0).any(axis=-1, keepdims=True), gravcomp, 0)


def _exact(model: Model, values: Values, dtype: np.dtype) -> Values:
    """All rows that place frames, exact where frames coincide. Those that do not vary can depend on those that do."""
    arrays = dict(model._store.arrays)
    for name in FRAME_ROWS:
        arrays[name] = np.moveaxis(values[name], 0, -1) if name in values else arrays[name].astype(dtype)[..., None]
    k = len(next(values[name] for name in FRAME_ROWS if name in values))
    exact = {name: array.astype(dtype, copy=False) for name, array in exact_frames(arrays).items()}
    return {name: np.moveaxis(np.broadcast_to(array, (*array.shape[:-1], k)), -1, 0) for name, array in exact.items()}
