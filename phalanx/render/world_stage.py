"""From the scenes of many worlds to the memory of their pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.memory.errors import FieldError
from phalanx.render.camera_views import Views
from phalanx.render.picture_memory import Frame
from phalanx.render.picture_rows import ROWS
from phalanx.render.stage import POSES, Stage
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.view import View

#: Rows that each thread has for the world that it draws, and the rows with those of all worlds that they come from.
OF_WORLDS = {
    "shape_pos": "world_pos",
    "shape_mat": "world_mat",
    "eye": "world_eye",
    "axes": "world_axes",
    "light_pos": "world_light_pos",
    "light_dir": "world_light_dir",
}


class WorldStage:
    """Keeps a Frame of many worlds up to date: what differs between them are poses of shapes, cameras and lights.

    Attributes:
        frame: what is kept up to date.
    """

    def __init__(self, builder: SceneBuilder, stage: Stage, frame: Frame):
        self._builder, self._stage, self.frame = builder, stage, frame

    def take(self, worlds: Sequence[Any], views: Views, camera: Any, with_color: bool) -> bool:
        """Take over the scenes of worlds. Returns False if they differ in more than poses: then nothing is taken."""
        columns: dict[str, list[np.ndarray]] = {name: [] for name in OF_WORLDS.values()}
        first: View | None = None
        for index, world in enumerate(worlds):
            try:
                shapes = self._builder.shapes(world)
                view = views.of(world, camera)
            except FieldError as error:
                raise FieldError(f"picture {index}: {error}") from None
            if len(shapes) != self._builder.persistent:
                return False
            # what all worlds share comes from the first
            if first is None:
                first = view
                self._stage.set(world, shapes, view, with_color)
                if self._stage.has_following:
                    return False
            columns["world_pos"].append(shapes.pos.copy())
            columns["world_mat"].append(shapes.mat.copy())
            columns["world_eye"].append(view.pos)
            columns["world_axes"].append(view.mat.ravel())
            if with_color:
                lights = self._stage.lights(world, view)
                columns["world_light_pos"].append(lights.pos)
                columns["world_light_dir"].append(lights.dir)
        self._bind(columns, len(worlds))
        return True

    def _bind(self, columns: dict[str, list[np.ndarray]], nworld: int) -> None:
        """Arrays of all worlds, and for each thread those of the world that it draws."""
        frame = self.frame
        for name, values in columns.items():
            inner = ROWS[name].inner or ()
            frame.bind(name, np.ascontiguousarray(np.array(values, np.float64).reshape(-1, *inner)))
        frame.set(nworld=nworld)
        for thread in range(frame.threads):
            frame.bind_own(thread, "sphere", aligned_zeros(frame["sphere"].shape, np.float64))
            for name in {**POSES, **OF_WORLDS}:
                if name in frame:
                    frame.bind_own(thread, name, frame[name].copy())
