"""The mouse in the picture: clicks select, drags pull."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.show.viewer.nodes import Node
from phalanx.show.viewer.session import Session
from phalanx.show.viewer.widgets import Post


class Mouse:
    """Makes commands of clicks and drags. Its methods are called by viser, and never wait.

    Args:
        post: has a command carried out.
        session: whose commands they are.
        shift: how far the page has moved the worlds [m], (3,).
    """

    def __init__(self, post: Post, session: Session, shift: Callable[[], np.ndarray]):
        self._post, self._session, self._shift = post, session, shift

    def click(self, event: Any, node: Node) -> None:
        """Select the body of the shape under the mouse; what is fixed to the world selects nothing."""
        body, world = self._target(event, node)
        self._post(self._session.select, body if body > 0 else -1, world)

    def drag(self, event: Any, node: Node) -> None:
        """Pull the grabbed point after the mouse."""
        self._pull(event, node, is_rotating=False)

    def rotate(self, event: Any, node: Node) -> None:
        """Rotate the grabbed body with the mouse."""
        self._pull(event, node, is_rotating=True)

    def _pull(self, event: Any, node: Node, is_rotating: bool) -> None:
        """Grab at the start of a drag, pull, let go at its end."""
        body, world = self._target(event, node)
        if event.phase == "end":
            self._post(self._session.release)
        elif body > 0:
            shift = self._shift()
            start, end = np.array(event.start_position) - shift, np.array(event.end_position) - shift
            if event.phase == "start":
                self._post(self._session.grab, body, world, start, is_rotating)
            camera = event.client.camera
            away = camera.look_at - camera.position
            self._post(self._session.pull, end, -away / max(float(np.linalg.norm(away)), 1e-9))

    def _target(self, event: Any, node: Node) -> tuple[int, int]:
        """Body and world of what is under the mouse."""
        copy = event.instance_index or 0
        return int(node.bodies[copy]), int(node.worlds[copy])
