"""Gaze: where the page looks from. The user moves the camera; a camera of the model or a tracked body may move it too.

A tracked body stays in the middle because the world is moved the other way: the camera is left to the user.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from phalanx.scene.view import View
from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.nodes import ROOT
from phalanx.show.viewer.poses import quaternions

#: From the frame of a camera in MuJoCo (y up, looks along -z) to that of viser (y down, looks along +z).
FLIPPED = np.diag([1.0, -1.0, -1.0])


class Gaze:
    """Moves cameras of the page, and the world under them.

    Attributes:
        shift: how far the world is moved [m], (3,).
    """

    def __init__(self, server: Any):
        self._server = server
        self._root = server.scene.add_frame(ROOT, show_axes=False)
        self.shift = np.zeros(3)
        self._start: np.ndarray | None = None
        self._view: View | None = None

    def begin(self, view: View, distance: float) -> None:
        """Where pages look from when they open: through a view, at a point this far away [m]."""
        camera = self._server.initial_camera
        camera.position, camera.look_at = view.pos, view.pos - distance * view.mat[:, 2]
        camera.fov, camera.near, camera.far = field_of_view(view), view.near, max(view.far, 10 * distance)
        camera.up = (0.0, 0.0, 1.0)

    def follow(self, frame: Frame) -> None:
        """Look where a frame asks to look."""
        self._track(frame.anchor)
        if frame.view is not None and not _is_same(frame.view, self._view):
            for client in self._server.get_clients().values():
                _look_through(client.camera, frame.view)
        self._view = frame.view

    def _track(self, anchor: np.ndarray | None) -> None:
        """Move the world so that a point of it stays where it was when tracking began."""
        if anchor is None:
            if self._start is not None:
                self._place(np.zeros(3))
            self._start = None
            return
        if self._start is None:
            self._start = anchor.copy()
        self._place(self._start - anchor)

    def _place(self, shift: np.ndarray) -> None:
        self.shift = shift
        self._root.position = shift


def field_of_view(view: View) -> float:
    """Vertical angle [rad]; that of a parallel projection is seen from as far as it is high."""
    return 2 * math.atan(0.5 if view.orthographic else view.half_height)


def _is_same(one: View, other: View | None) -> bool:
    """Has a camera not moved?"""
    return other is not None and np.array_equal(one.pos, other.pos) and np.array_equal(one.mat, other.mat)


def _look_through(camera: Any, view: View) -> None:
    """Put the camera of a page where a camera of the model is."""
    with camera.client.atomic():
        camera.up_direction = view.mat[:, 1]
        camera.position = view.pos
        camera.wxyz = quaternions((view.mat @ FLIPPED).reshape(1, 9))[0]
        camera.fov = field_of_view(view)
