"""Recordings for the viewer of rerun.io: bodies with their shapes, and all recorded fields as numbers over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.memory.array_file import named_file, suffix_of
from phalanx.memory.errors import MissingPackageError
from phalanx.memory.whole_file import WholeFile, check_folder
from phalanx.scene.quaternions import quats_of
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.shapes import Shapes
from phalanx.scene.show import Show
from phalanx.scene.surfaces import surface_of
from phalanx.show.columns import columns
from phalanx.show.replay.arguments import checked_fps, world_names, worlds_of
from phalanx.show.replay.frames import frames_of
from phalanx.show.replay.still import Still, model_title
from phalanx.show.replay.tracks import kind_names, rotated_back
from phalanx.show.replay.world_frames import WorldFrames, record_world
from phalanx.show.trajectory import Trajectory
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Name of the time line.
_TIMELINE = "time"
#: Half the width of a plane without end, in extents of the model.
_ENDLESS = 20.0
#: Fields that nobody looks at: memory of delays and plugins.
_UNSEEN = ("time", "history", "plugin_state")


def export_rerun(
    model: Model,
    trajectory: Trajectory | Sequence[Trajectory],
    path: str | Path,
    *,
    fps: float = 60.0,
    show: Any = None,
    names: Sequence[str] | None = None,
) -> Path:
    """Write a trajectory as a recording (.rrd) for the viewer of rerun.io: `rerun run.rrd` shows it.

    It has the bodies with geoms and sites, moving, and every recorded field at its full rate. Needs the package
    `rerun-sdk`: `pip install 'phalanx[rerun]'`.

    Args:
        model: the model.
        trajectory: of one world, of several, or a list of trajectories of the same model.
        path: name of the file, which ends in .rrd.
        fps: poses per second of simulated time.
        show: groups of geoms and sites that are shown, as `phalanx.Show.of` takes it.
        names: of the worlds, if there are several.

    Returns:
        the path.

    Raises:
        MissingPackageError: rerun-sdk is not installed.
        FieldError: the trajectory does not fit the model, or is NaN or infinite somewhere.
        ModelError: the file cannot be written there.
    """
    path = named_file(path)
    suffix_of(path, (".rrd",), "writer of recordings")
    check_folder(path)
    rerun = rerun_package()
    worlds = worlds_of(model, trajectory)
    titles = world_names(names, len(worlds))
    times, rows = frames_of(worlds, checked_fps(fps))
    still = Still(model, SceneBuilder(model, Show.of(show)))
    recorded = [record_world(still, [], world, own) for world, own in zip(worlds, rows, strict=True)]
    file = WholeFile(path)
    try:
        stream = rerun.RecordingStream(_part(model_title(model)))
        stream.save(file.unfinished)
        stream.log("/", rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        # each world has a branch of its own, if there are several
        for title, world, states in zip(titles, recorded, worlds, strict=True):
            root = "world" if len(worlds) == 1 else f"worlds/{_part(title)}"
            _log_shapes(rerun, stream, still, root)
            _send_poses(rerun, stream, model, root, times, world)
            _send_fields(rerun, stream, model, "fields" if len(worlds) == 1 else f"fields/{_part(title)}", states)
        stream.flush()
        stream.disconnect()
        file.keep()
    except BaseException:
        file.drop()
        raise
    return path


def rerun_package() -> Any:
    """The package `rerun`, or an error that says how to get it."""
    try:
        import rerun
    except ImportError as error:
        raise MissingPackageError(
            "recordings for rerun.io need the package rerun-sdk, which is not installed: pip install 'phalanx[rerun]'"
        ) from error
    return rerun


def _part(name: str) -> str:
    """A name as one part of a path of entities."""
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in name) or "_"


def _body_path(model: Model, root: str, body: int) -> str:
    return f"{root}/{body:03d}_{_part(model.names.names['body'][body] or 'body')}"


def _log_shapes(rerun: Any, stream: Any, still: Still, root: str) -> None:
    """Geoms and sites, each below its body, once."""
    data = still.data.reset().forward()
    shapes = still.builder.shapes(data)
    for k, name in enumerate(kind_names(shapes.kind[: still.builder.persistent])):
        if name:
            path = f"{_body_path(still.model, root, int(shapes.bodyid[k]))}/shape_{k}"
            for component in _shape(rerun, still, shapes, k, data):
                stream.log(path, component, static=True)


def _shape(rerun: Any, still: Still, shapes: Shapes, k: int, data: Data) -> list[Any]:
    """The surface of a shape, and its pose on its body."""
    body, size = int(shapes.bodyid[k]), np.where(shapes.size[k] > 0, shapes.size[k], _ENDLESS * still.extent)
    surface = surface_of(still.model, int(shapes.kind[k]), int(shapes.dataid[k]), size)
    frame = data.xmat[body].reshape(1, 3, 3)
    quat = quats_of(frame[0].T @ shapes.mat[k].reshape(3, 3))[0]
    place = rotated_back(frame, (shapes.pos[k] - data.xpos[body])[None])[0]
    return [
        rerun.Transform3D(translation=place, quaternion=np.roll(quat, -1)),
        rerun.Mesh3D(
            vertex_positions=surface.vertices, triangle_indices=surface.faces, vertex_normals=surface.normals,
            albedo_factor=np.rint(255 * shapes.rgba[k]).astype(np.uint8),
        ),
    ]  # fmt: skip


def _send_poses(rerun: Any, stream: Any, model: Model, root: str, times: np.ndarray, world: WorldFrames) -> None:
    """Poses of all bodies over time."""
    for body in range(model.nbody):
        stream.send_columns(
            _body_path(model, root, body),
            indexes=[rerun.TimeColumn(_TIMELINE, duration=times)],
            columns=rerun.Transform3D.columns(
                translation=world.body_pos[:, body], quaternion=np.roll(world.body_quat[:, body], -1, axis=1)
            ),
        )


def _send_fields(rerun: Any, stream: Any, model: Model, root: str, trajectory: Trajectory) -> None:
    """Recorded fields, a line for each number."""
    index = rerun.TimeColumn(_TIMELINE, duration=np.asarray(trajectory.time, float))
    for name, array in trajectory.arrays.items():
        if name in _UNSEEN or not array.size:
            continue
        numbers = np.asarray(array, float).reshape(len(trajectory), -1)
        for column, series in zip(columns(model, name), numbers.T, strict=True):
            path = f"{root}/{name}/{_part(column.removeprefix(name + '.'))}"
            stream.send_columns(path, indexes=[index], columns=rerun.Scalars.columns(scalars=series))
