"""What a film is taken of: a world, or several worlds of a batch side by side."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.batch.worlds import chosen_worlds
from phalanx.memory.errors import FieldError
from phalanx.render.renderer import Renderer
from phalanx.world.data import Data
from phalanx.world.model import Model


class Sight(Protocol):
    """Something that changes with simulated time and can be drawn."""

    def time(self) -> float:
        """Simulated time [s]."""

    def picture(self) -> np.ndarray:
        """What it looks like now, (height, width, 3) uint8."""


class WorldSight:
    """A world, with drawings of the user."""

    def __init__(self, data: Data, size: tuple[int, int], camera: Any, show: Any, samples: int, marks: Any):
        if not isinstance(data, Data):
            raise FieldError(f"a film is taken of a Data, not of {type(data).__name__}; of a BatchSim with batch=...")
        check_camera(data.model, camera)
        self._data, self._camera, self._marks = data, camera, marks
        self._renderer = Renderer(data.model, *size, show=show, samples=samples)

    def time(self) -> float:
        """Simulated time [s]."""
        return float(self._data.time)

    def picture(self) -> np.ndarray:
        """The world at its present poses."""
        return self._renderer.render(self._data, camera=self._camera, marks=self._marks)


class GridSight:
    """Worlds of a batch in rows and columns, each as large as fits; what remains at the right and below is black."""

    def __init__(self, batch: BatchSim, worlds: Any, size: tuple[int, int], camera: Any, show: Any, samples: int):
        if not isinstance(batch, BatchSim):
            raise FieldError(f"batch is a BatchSim, not {type(batch).__name__}")
        check_camera(batch.model, camera)
        self._batch, self._worlds = batch, chosen_worlds(worlds, batch.n)
        if not len(self._worlds):
            raise FieldError("a film needs at least one world of the batch")
        self._size, self._looks = size, {"camera": camera, "show": show, "samples": samples}
        self._columns, self._rows = grid_of(len(self._worlds))
        self._tile = size[0] // self._columns, size[1] // self._rows
        if 0 in self._tile:
            raise FieldError(f"{size[0]} x {size[1]} pixels are too few for {len(self._worlds)} worlds")

    def time(self) -> float:
        """Simulated time of the world that is farthest [s]."""
        return float(self._batch.time[self._worlds].max())

    def picture(self) -> np.ndarray:
        """The worlds at their present poses."""
        tile_width, tile_height = self._tile
        pictures = self._batch.render(self._worlds, tile_width, tile_height, **self._looks)
        canvas = np.zeros((self._size[1], self._size[0], 3), np.uint8)
        for k, picture in enumerate(pictures):
            left, upper = k % self._columns * tile_width, k // self._columns * tile_height
            canvas[upper : upper + tile_height, left : left + tile_width] = picture
        return canvas


def grid_of(count: int) -> tuple[int, int]:
    """Columns and rows for so many pictures.

    >>> grid_of(1), grid_of(6), grid_of(16)
    ((1, 1), (3, 2), (4, 4))
    """
    columns = math.ceil(math.sqrt(count))
    return columns, math.ceil(count / columns)


def check_camera(model: Model, camera: Any) -> None:
    """Refuse a camera that the model does not have, before anything is simulated."""
    if isinstance(camera, (str, int, np.integer)):
        model.names.id_of("camera", camera)
