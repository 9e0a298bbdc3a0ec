"""How environments show their worlds: pictures, or a page in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.memory.errors import FieldError
from phalanx.show.viewer.viewer import Viewer

#: Ways to show a world.
MODES = ("rgb_array", "rgb_array_list", "human")


class Window:
    """Shows the worlds of an environment.

    Args:
        batch: the worlds.
        mode: None, "rgb_array", "rgb_array_list" or "human".
        width, height: of pictures, in pixels.
        camera: as in `Data.render`.

    Attributes:
        films: with "rgb_array_list", the pictures of each world since they were asked for last.
    """

    def __init__(self, batch: BatchSim, mode: str | None, width: int, height: int, camera: Any):
        if not isinstance(mode, str | None) or mode not in (None, *MODES):
            raise FieldError(f'render_mode is "rgb_array", "rgb_array_list", "human" or None, not {mode!r}')
        self._batch, self.mode, self._size, self._camera = batch, mode, (width, height), camera
        self._viewer: Viewer | None = None
        self.films: list[list[np.ndarray]] = [[] for _ in range(batch.n)]

    def pictures(self) -> Sequence[np.ndarray | list[np.ndarray]] | None:
        """What there is to see of each world: a picture, or with "rgb_array_list" those since it was asked for last.

        With "human" the page in the browser is brought up to date.
        """
        if self.mode == "rgb_array":
            return self._batch.render(None, *self._size, camera=self._camera)
        if self.mode == "rgb_array_list":
            films, self.films = self.films, [[] for _ in self.films]
            return films
        if self.mode == "human":
            self.show()
        return None

    def note(self, begun: np.ndarray, is_step: bool) -> None:
        """Show what a call has changed.

        Args:
            begun: (n,), not zero where an episode has begun in this call: the pictures of the one before are given up.
            is_step: has it changed all worlds, or only those that begin?
        """
        if self.mode == "human":
            self.show()
        if self.mode != "rgb_array_list":
            return
        for world in np.flatnonzero(begun).tolist():
            self.films[world] = []
        changed = np.arange(len(self.films)) if is_step else np.flatnonzero(begun)
        pictures = self._batch.render(changed, *self._size, camera=self._camera)
        for world, picture in zip(changed.tolist(), pictures, strict=True):
            self.films[world].append(picture)

    def show(self) -> None:
        """Bring the page in the browser up to date."""
        if self._viewer is None:
            camera = self._camera if isinstance(self._camera, str) else "free"
            self._viewer = Viewer(self._batch, camera=camera, open_browser=True)
        # poses are outputs of the batch, which steps of a task pass over
        self._batch.forward()
        self._viewer.sync()

    def close(self) -> None:
        """Close the page."""
        if self._viewer is not None:
            self._viewer.close()
            self._viewer = None
