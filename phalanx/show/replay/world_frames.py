"""The frames of one world: its states, computed again, and what they show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phalanx.scene.camera import view_of
from phalanx.scene.quaternions import quats_of
from phalanx.scene.shapes import Shapes
from phalanx.show.replay.layers import Layer
from phalanx.show.replay.still import Still
from phalanx.show.replay.tracks import LooseTrack
from phalanx.show.trajectory import Trajectory


@dataclass(frozen=True)
class WorldFrames:
    """What a world shows in each frame.

    Attributes:
        body_pos, body_quat: poses of bodies, (frames, nbody, 3) and (frames, nbody, 4).
        camera_pos, camera_quat: poses of the cameras of the model, (frames, ncam, 3) and (frames, ncam, 4).
        layers: shapes of each layer.
    """

    body_pos: np.ndarray
    body_quat: np.ndarray
    camera_pos: np.ndarray
    camera_quat: np.ndarray
    layers: dict[str, LooseTrack]

    def positions(self) -> list[np.ndarray]:
        """All positions, for the choice of their unit."""
        loose = [array for track in self.layers.values() for array in track.positions()]
        return [self.body_pos, self.camera_pos, *loose]


def record_world(still: Still, layers: list[Layer], trajectory: Trajectory, rows: np.ndarray) -> WorldFrames:
    """Compute each frame from its state."""
    model, data, frames = still.model, still.data.reset(), len(rows)
    body_pos, body_quat = np.empty((frames, model.nbody, 3)), np.empty((frames, model.nbody, 4))
    camera_pos, camera_mat = np.empty((frames, model.ncam, 3)), np.empty((frames, model.ncam, 3, 3))
    tracks = {layer.name: LooseTrack(still.surfaces, still.labels) for layer in layers}
    for frame, row in enumerate(rows.tolist()):
        trajectory.put(row, data)
        data.forward()
        body_pos[frame], body_quat[frame] = data.xpos, data.xquat
        for camera in still.cameras:
            view = view_of(model, data, camera, 640, 480)
            camera_pos[frame, camera], camera_mat[frame, camera] = view.pos, view.mat
        for layer in layers:
            drawn = trajectory.shown_marks(row) if layer.draw is None else layer.draw(model, data, still.style)
            tracks[layer.name].add(Shapes.empty() if drawn is None else drawn)
    camera_quat = quats_of(camera_mat.reshape(-1, 3, 3)).reshape(frames, model.ncam, 4)
    return WorldFrames(body_pos, body_quat, camera_pos, camera_quat, tracks)
