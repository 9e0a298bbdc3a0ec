"""Pictures of the worlds of a batch: `BatchSim.render`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.batch import group
from phalanx.batch.machine import Machine
from phalanx.batch.worlds import chosen_worlds
from phalanx.memory.exclusive import exclusive
from phalanx.render.kept import kept_renderer
from phalanx.render.renderer import checked_count, checked_outputs
from phalanx.scene.show import Show

if TYPE_CHECKING:
    from phalanx.world.data import Data

#: Fields of Data that pictures of most models need; others are asked of a Data of the world.
POSES = (
    "geom_xpos", "geom_xmat", "site_xpos", "site_xmat", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "xpos",
    "xquat", "subtree_com",
)  # fmt: skip
#: Fields of the state that messages and marks look at.
STATE = ("time", "qpos", "mocap_pos", "mocap_quat")
#: Objects of a Model whose fields decide how a world looks, besides its poses.
DRAWN = ("geom", "site", "mat", "light", "cam", "tendon", "mesh", "hfield", "flex", "skin", "tex")


class WorldFields:
    """The fields of one world of a batch: those that are at hand, and any other from a Data of the world."""

    def __init__(self, batch: Any, arrays: dict[str, np.ndarray], world: int):
        self._batch, self._arrays, self._world = batch, arrays, world
        self._data: Data | None = None

    def __getattr__(self, name: str) -> Any:
        array = self._arrays.get(name)
        if array is not None:
            return array[self._world]
        if self._data is None:
            self._data = self._batch.env(self._world)
        return getattr(self._data, name)


class WorldPictures(Machine):
    """Pictures that can be taken of a batch; `phalanx.BatchSim` has them as its own methods."""

    if TYPE_CHECKING:

        def env(self, i: int) -> Data:
            """A Data of its own in the state of world i."""

    def render(
        self,
        worlds: Any = None,
        width: int = 64,
        height: int = 64,
        *,
        camera: Any = None,
        output: str | Sequence[str] = "rgb",
        show: Any = None,
        samples: int = 1,
    ) -> Any:
        """Pictures of worlds at their present states, over the threads of the batch.

        Each is, bit for bit, that of `env(i).render(...)`.

        Args:
            worlds: which: an index, a list, or n booleans; None for all.
            width: pixels in a row.
            height: rows of pixels.
            camera: as in `Data.render`.
            output: as in `Data.render`.
            show: as in `Data.render`.
            samples: as in `Data.render`.

        Returns:
            an array (worlds, height, width, ...), or a dict of them if several outputs are asked for.
        """
        chosen, show = chosen_worlds(worlds, self.n), Show.of(show)
        renderer = kept_renderer(self, width, height, show, samples, self.threads)
        checked_count(renderer.width, renderer.height, len(chosen))
        # a model of its own, of which more than poses is seen, needs a renderer of its own
        if self.vary and (show != Show() or any(name.partition("_")[0] in DRAWN for name in self.vary)):
            return self._one_by_one(chosen, (width, height), camera=camera, output=output, show=show, samples=samples)
        arrays = self._poses(chosen)
        fields = [WorldFields(self, arrays, world) for world in chosen.tolist()]
        return renderer.render_worlds(fields, camera=camera, output=output)

    @exclusive
    def _poses(self, chosen: np.ndarray) -> dict[str, np.ndarray]:
        """Poses of all objects in worlds, (n, ...) each."""
        arrays = {name: self._world_array(name) for name in POSES}
        return {**self._ask(group.FORWARD, 1, arrays, worlds=chosen), **{name: self._arrays[name] for name in STATE}}

    def _one_by_one(self, chosen: np.ndarray, size: tuple[int, int], *, output: Any, **settings: Any) -> Any:
        """Pictures of worlds whose models differ in what is seen."""
        names = checked_outputs(output)
        singles = [self.env(world).render(*size, output=names, **settings) for world in chosen.tolist()]
        pictures = {name: np.stack([single[name] for single in singles]) for name in names}
        return pictures[output] if isinstance(output, str) else pictures
