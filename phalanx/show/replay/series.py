"""Numbers for plots: each column in steps of 1/65534 of its range, far less than the width of a line."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.layout import DATA_SCHEMA
from phalanx.show.columns import columns
from phalanx.show.replay.packed import Packed
from phalanx.show.trajectory import Trajectory
from phalanx.world.model import Model

#: Steps in the range of a column.
_STEPS = 65534
#: Stored instead of NaN and infinite numbers.
_NOT_A_NUMBER = -1
#: Fields that nobody plots: memory of delays and plugins.
_UNPLOTTED = ("time", "history", "plugin_state")


def plotted_fields(packed: Packed, model: Model, trajectory: Trajectory, rows: np.ndarray) -> list[dict[str, Any]]:
    """What the page knows of each recorded field at the rows of frames."""
    found = []
    for name, array in trajectory.arrays.items():
        values = np.asarray(array, float)[rows].reshape(len(rows), -1)
        if name not in _UNPLOTTED and values.size:
            found.append({
                "name": name, "unit": DATA_SCHEMA.fields[name].unit or "", "columns": columns(model, name),
                **_coded(packed, values),
            })  # fmt: skip
    return found


def _coded(packed: Packed, values: np.ndarray) -> dict[str, Any]:
    """Columns (frames, columns) as whole numbers, with their least values and steps."""
    is_number = np.isfinite(values)
    lows = np.where(is_number, values, np.inf).min(axis=0)
    highs = np.where(is_number, values, -np.inf).max(axis=0)
    lows, highs = np.where(lows <= highs, lows, 0.0), np.where(lows <= highs, highs, 0.0)
    # halves, as the range of a column can be twice the largest number
    steps = (highs / 2 - lows / 2) / _STEPS * 2
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        whole = np.rint(np.where(steps > 0, (values / 2 - lows / 2) / (steps / 2), 0.0))
    codes = np.where(is_number, whole, _NOT_A_NUMBER).astype(np.int64)
    track = packed.track(codes, np.ones(len(values), int), [1.0] * values.shape[1])
    return {"codes": track, "lows": lows.tolist(), "steps": steps.tolist()}
