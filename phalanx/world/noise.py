"""Noise of sensors: explicit, repeatable, and outside the physics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import whole

if TYPE_CHECKING:
    from phalanx.world.model import Model


#: Seeds and worlds are keys of 64 bits.
LARGEST = 2**64 - 1


def noise_levels(model: Model, noise: Any = None) -> np.ndarray:
    """Standard deviation of each number of sensordata; `noise` in place of the sensor_noise of the model."""
    return np.repeat(model.sensor_noise if noise is None else noise, model.sensor_dim)


def seed_of(seed: int) -> int:
    """A seed that the user gave."""
    number = whole("a seed", seed, -LARGEST, LARGEST)
    if number < 0:
        raise FieldError(f"a seed is not negative, unlike {number}")
    return number


def with_noise(sensordata: np.ndarray, levels: np.ndarray, seed: int, world: int, time: float) -> np.ndarray:
    """Readings with noise that depends on the seed, the world and the time alone.

    The random numbers are counted, not drawn in a row (Philox): the key is the seed and the world, the counter starts
    at the bits of the time.
    """
    seed, world = seed_of(seed), whole("the index of a world", world, 0, LARGEST)
    start = np.array([0, 0, 0, np.float64(time).view(np.uint64)], np.uint64)
    bits = np.random.Philox(key=np.array([seed, world], np.uint64), counter=start)
    noise = np.random.Generator(bits).standard_normal(len(levels))
    return np.asarray(sensordata + levels * noise, sensordata.dtype)
