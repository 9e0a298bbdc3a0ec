"""Controls that keep a model busy while it is measured."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Seconds that a random control is held.
HOLD = 0.05


def random_controls(model: Any, rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Controls (*shape, nu), uniform in their ranges, or from -1 to 1 where there is none."""
    limited = model.actuator_ctrllimited[:, None].astype(bool)
    low, high = np.where(limited, model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    return rng.uniform(low, high, (*shape, model.nu))
