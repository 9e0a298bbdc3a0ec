"""How environments show their worlds: pictures, or a page in the browser."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.batch.batch import BatchSim
from phalanx.memory.errors import FieldError
from phalanx.show.viewer.viewer import Viewer

#: Ways to show a world.
MODES = (None, "rgb_array", "human")


class Window:
    """Shows the worlds of an environment.

    Args:
        batch: the worlds.
        mode: None, "rgb_array" or "human".
        width, height: of pictures, in pixels.
        camera: as in `Data.render`.
    """

    def __init__(self, batch: BatchSim, mode: str | None, width: int, height: int, camera: Any):
        if not isinstance(mode, str | None) or mode not in MODES:
            raise FieldError(f'render_mode is "rgb_array", "human" or None, not {mode!r}')
        self._batch, self.mode, self._size, self._camera = batch, mode, (width, height), camera
        self._viewer: Viewer | None = None

    def pictures(self) -> np.ndarray | None:
        """Pictures of all worlds, (n, height, width, 3); with "human" the page in the browser is brought up to date."""
        if self.mode == "rgb_array":
            return self._batch.render(None, *self._size, camera=self._camera)
        if self.mode == "human":
            self.show()
        return None

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
