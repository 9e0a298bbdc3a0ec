"""The hand of the user in the world: a body that is selected, and dragged by a spring."""

from __future__ import annotations

import numpy as np

from phalanx.scene.perturb import Perturbation
from phalanx.show.viewer.batch_world import ManyWorlds
from phalanx.show.viewer.one_world import OneWorld


class Handle:
    """Selects a body and drags it.

    While the world runs, a spring pulls the point that was grabbed to where the mouse is; while it stands still, the
    body moves along, if it is free to. What the user had set in `xfrc_applied` stays.

    Attributes:
        body: the selected body, -1 for none.
        shown: what the scene draws of it.
    """

    def __init__(self, world: OneWorld | ManyWorlds):
        self._world = world
        self.body = -1
        self.shown: Perturbation | None = None
        self._is_dragging = False
        self._is_rotating = False
        self._start, self._quat = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        self._kept = np.zeros(6)

    def select(self, body: int) -> None:
        """Select a body, -1 for none; what was dragged is released."""
        self.release()
        self.body = body
        self.shown = Perturbation(self._world.data, body) if body > 0 else None

    def grab(self, body: int, point: np.ndarray, is_rotating: bool) -> None:
        """Take hold of a point of a body [m]."""
        self.select(body)
        self.shown = Perturbation(self._world.data, body, point=point)
        self._kept = self._world.data.xfrc_applied[body].copy()
        self._is_dragging, self._is_rotating = True, is_rotating
        self._start, self._quat = point.copy(), self._world.data.xquat[body].copy()

    def pull(self, point: np.ndarray, toward: np.ndarray, is_paused: bool) -> None:
        """Pull the point that was grabbed elsewhere [m]; or rotate the body about it, as a ball under the mouse.

        Args:
            point: where the mouse is, in the world.
            toward: unit vector from the world to the eye.
            is_paused: whether the world stands still.
        """
        drag, data = self.shown, self._world.data
        if drag is None or not self._is_dragging:
            return
        if self._is_rotating:
            radius = max(float(np.linalg.norm(self._start - data.xipos[self.body])), float(data.model.stat.meansize))
            drag.orientation = rotated(self._quat, np.cross(toward, point - self._start) / radius)
        else:
            drag.target = point
        if is_paused and drag.move(data):
            self._world.changed()
            self._world.forward()

    def step(self, n: int) -> None:
        """Step the world, with the force of the spring if there is one."""
        if not self._is_dragging:
            self._world.step(n)
            return
        for _ in range(n):
            self.apply()
            self._world.step(1)
            self._world.refresh()

    def apply(self) -> None:
        """Set the force of the spring for the next step, if something is dragged; a mocap body is moved instead."""
        drag, world = self.shown, self._world
        if drag is None or not self._is_dragging:
            return
        if not drag.move(world.data, paused=False):
            # the spring replaces the row of the body: what was there before is added
            drag.apply(world.data)
            world.data.xfrc_applied[self.body] += self._kept
        world.changed()

    def release(self) -> None:
        """Let go; the force ends, the selection stays."""
        if self.shown is not None and self._is_dragging:
            self.shown.release(self._world.data)
            self._world.data.xfrc_applied[self.body] = self._kept
            self._world.changed()
        self._is_dragging = False


def rotated(quat: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """A quaternion after a rotation by a vector in the world [rad]."""
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return quat
    w, xyz = np.cos(angle / 2), np.sin(angle / 2) * vector / angle
    return np.concatenate([[w * quat[0] - xyz @ quat[1:]], w * quat[1:] + quat[0] * xyz + np.cross(xyz, quat[1:])])
