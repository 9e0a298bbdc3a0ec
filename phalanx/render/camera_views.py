"""Views of cameras for pictures of one size; those that no world moves are looked up once."""

from __future__ import annotations

from typing import Any

from phalanx.scene.camera import Camera
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.view import View


class Views:
    """Finds views.

    Args:
        builder: of the scene.
        width: of the pictures [pixels].
        height: of the pictures [pixels].
    """

    def __init__(self, builder: SceneBuilder, width: int, height: int):
        self._builder, self._size = builder, (width, height)
        self._last: tuple[Any, View] | None = None

    def of(self, data: Any, camera: Any) -> View:
        """The view of a camera in a world."""
        is_still = camera is None or (isinstance(camera, Camera) and camera.track is None)
        if not is_still:
            return self._builder.view(data, camera, *self._size)
        if self._last is None or self._last[0] != camera:
            self._last = camera, self._builder.view(data, camera, *self._size)
        return self._last[1]
