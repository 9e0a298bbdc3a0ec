"""Noise of sensors beyond a standard deviation: biases, their drift, and resolution. Outside of the physics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from phalanx.mechanism.quantities import between, positive
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError
from phalanx.memory.exclusive import check_idle
from phalanx.memory.fill import whole
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.noise import LARGEST, noise_levels, seed_of, with_noise


@dataclass(frozen=True)
class Noise:
    """What a real sensor adds to each of its numbers, in the unit of the sensor.

    Attributes:
        std: standard deviation of white noise, a new value at each reading; `sensor_noise` of the model.
        bias: standard deviation of an offset that stays.
        walk: how fast the offset drifts: its standard deviation grows with walk times the root of the time [unit/√s].
        resolution: readings are whole multiples of it; 0 for none.
    """

    std: float = 0.0
    bias: float = 0.0
    walk: float = 0.0
    resolution: float = 0.0

    def __post_init__(self) -> None:
        for name in ("std", "bias", "walk", "resolution"):
            object.__setattr__(self, name, between(name, getattr(self, name), 0.0, math.inf))

    @classmethod
    def from_density(cls, density: float, rate: float, **others: float) -> Noise:
        """White noise from the density that data sheets give [unit/√Hz], at a rate of readings [Hz]."""
        std = between("density", density, 0.0, math.inf) * math.sqrt(positive("rate", rate))
        return cls(std=std, **others)


class NoisySensors:
    """Readings of the sensors of a model with noise, reading after reading.

    White noise is that of `Data.noisy_sensors`; offsets belong to this object and drift with the time between readings.

    Args:
        model: the model.
        noise: by name of the sensor; those that are not named have their `sensor_noise` alone.
        seed: not negative; another seed, other noise.
        world: index of a world, each of which has noise of its own.
    """

    @arguments_checked
    def __init__(self, model: Model, noise: Mapping[str, Noise], *, seed: int = 0, world: int = 0):
        self.model = model
        self._seed, self._world = seed_of(seed), whole("world", world, 0, LARGEST)
        # another stream than the white noise has: its key is the same, its counter starts at times
        bits = np.random.Philox(key=np.array([self._seed, self._world], np.uint64)).jumped(1)
        self._rng = np.random.Generator(bits)
        levels = np.array(model.sensor_noise, float)
        columns = {"bias": np.zeros(model.nsensordata), "walk": np.zeros(model.nsensordata)}
        self._resolution = np.zeros(model.nsensordata)
        for name, each in noise.items():
            sensor = model.names.id_of("sensor", name)
            if not isinstance(each, Noise):
                raise FieldError(f"the noise of {name!r} is a Noise, not {type(each).__name__}")
            numbers = slice(model.sensor_adr[sensor], model.sensor_adr[sensor] + model.sensor_dim[sensor])
            levels[sensor] = each.std or levels[sensor]
            columns["bias"][numbers], columns["walk"][numbers] = each.bias, each.walk
            self._resolution[numbers] = each.resolution
        self._levels = noise_levels(model, levels)
        self._walk, self._time = columns["walk"], math.nan
        #: the present offset of each number of sensordata
        self.offsets = columns["bias"] * self._rng.standard_normal(model.nsensordata)

    @arguments_checked
    def read(self, data: Data) -> np.ndarray:
        """A copy of `sensordata` with noise; offsets drift by the time since the last reading."""
        if data.model is not self.model:
            raise FieldError("the Data is of another model")
        check_idle(data)
        time = float(data.time)
        if time > self._time:
            self.offsets = self.offsets + self._walk * math.sqrt(time - self._time) * self._rng.standard_normal(
                len(self.offsets)
            )
        self._time = time
        noisy = with_noise(data.sensordata + self.offsets, self._levels, self._seed, self._world, time)
        steps = np.where(self._resolution > 0.0, self._resolution, 1.0)
        return np.where(self._resolution > 0.0, steps * np.rint(noisy / steps), noisy)
