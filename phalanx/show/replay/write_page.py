"""`replay_html`: a trajectory as one page that opens in any browser, without a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.memory.array_file import named_file, suffix_of
from phalanx.memory.errors import FieldError
from phalanx.memory.whole_file import check_folder, write_whole
from phalanx.scene.camera import Camera
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.show import Show
from phalanx.show.replay.arguments import check_layout, checked_fps, checked_plots, world_names, worlds_of
from phalanx.show.replay.frames import frames_of
from phalanx.show.replay.layers import chosen_layers
from phalanx.show.replay.packed import Packed
from phalanx.show.replay.page_text import page_text
from phalanx.show.replay.series import plotted_fields
from phalanx.show.replay.still import Still, model_title
from phalanx.show.replay.tracks import KINDS, pose_track, step_of
from phalanx.show.replay.world_frames import WorldFrames, record_world
from phalanx.show.trajectory import Trajectory
from phalanx.world.model import Model

#: Most frames of a page.
_MOST_FRAMES = 200_000
#: A body that goes farther than this many extents of the model is followed at first.
_FAR = 1.0
#: Room between worlds of a grid, in extents of the model.
_ROOM = 0.6


def replay_html(
    model: Model,
    trajectory: Trajectory | Sequence[Trajectory],
    path: str | Path,
    *,
    fps: float = 60.0,
    show: Any = None,
    layers: Iterable[str] | None = None,
    camera: Camera | None = None,
    plots: Iterable[str] = (),
    title: str | None = None,
    names: Sequence[str] | None = None,
    layout: str = "grid",
    autoplay: bool = True,
) -> Path:
    """Write a page that plays a trajectory: one file, which opens in any browser without a network.

    In the page: time slider, play and pause, speed; cameras by mouse, touch and keys; switches for contacts, forces,
    joint axes, frames and so on; plots of every recorded field; numbers of the body that is clicked.

    Args:
        model: the model.
        trajectory: what is shown: of one world, of several, or a list of trajectories of the same model.
        path: name of the file, which ends in .html.
        fps: frames per second of simulated time that are kept; in between, the page interpolates.
        show: what is shown at first, as `phalanx.Show.of` takes it: groups, and layers that are on.
        layers: names of the layers that are recorded, such as "contacts"; None for all usual ones.
        camera: the first view; None for one from the side.
        plots: names of fields, or of columns such as "qpos.knee", that are plotted at first.
        title: of the page; None for the name of the model.
        names: of the worlds, if there are several.
        layout: "grid" or "overlay", for several worlds.
        autoplay: whether it plays when it is opened.

    Returns:
        the path.

    Raises:
        FieldError: the trajectory does not fit the model, is NaN or infinite somewhere, or an argument does not exist.
        ModelError: the file cannot be written there.
    """
    path = named_file(path)
    suffix_of(path, (".html",), "writer of replays")
    check_folder(path)
    worlds = worlds_of(model, trajectory)
    check_layout(layout)
    titles = world_names(names, len(worlds))
    times, rows = frames_of(worlds, checked_fps(fps))
    if len(times) > _MOST_FRAMES:
        raise FieldError(f"{len(times)} frames are too many for a page, at most {_MOST_FRAMES}: lower fps={fps:g}")
    shown = Show.of(show)
    chosen = chosen_layers(model, worlds, layers, shown)
    still, packed = Still(model, SceneBuilder(model, shown)), Packed()
    # poses and decor of every frame first: they decide on the unit of positions
    recorded = [record_world(still, chosen, world, own) for world, own in zip(worlds, rows, strict=True)]
    step = step_of(still.extent, [array for world in recorded for array in world.positions()])
    fields = [plotted_fields(packed, model, world, own) for world, own in zip(worlds, rows, strict=True)]
    # tracks before what stays: they add surfaces and texts to it
    tracks = [_tracks(packed, world, step) for world in recorded]
    worlds[0].put(int(rows[0][0]), still.data)
    manifest = {
        **still.manifest(packed, still.data.forward()),
        "times": packed.plain(times - times[0], "f4"), "start": float(times[0]),
        "worlds": [
            {"name": name, "fields": own, **moving}
            for name, own, moving in zip(titles, fields, tracks, strict=True)
        ],
        "layers": [layer.row() for layer in chosen if any(not world.layers[layer.name].is_empty for world in recorded)],
        "kinds": KINDS, "layout": layout, "autoplay": bool(autoplay), "camera": still.first_camera(camera, still.data),
        "follow": _followed(still, camera, recorded), "spacing": _spacing(still, recorded),
        "options": {"shadows": shown.shadows, "reflections": shown.reflections, "fog": shown.haze, "labels": True},
        "plots": checked_plots(plots, [name for row in fields[0] for name in (row["name"], *row["columns"])]),
        "title": model_title(model) if title is None else str(title),
    }  # fmt: skip
    return write_whole(path, page_text(manifest, packed.text()).encode("utf-8"))


def _tracks(packed: Packed, world: WorldFrames, step: float) -> dict[str, Any]:
    """Everything of a world that moves."""
    return {
        "poses": pose_track(packed, world.body_pos, world.body_quat, step),
        "cameras": pose_track(packed, world.camera_pos, world.camera_quat, step),
        "layers": {name: track.place(packed, step) for name, track in world.layers.items() if not track.is_empty},
    }


def _followed(still: Still, camera: Camera | None, recorded: Sequence[WorldFrames]) -> int:
    """The body that the camera follows at first, 0 for none: the one asked for, or the first that goes far."""
    if camera is not None and camera.track is not None:
        return still.model.names.id_of("body", camera.track)
    if camera is not None or len(recorded) > 1:
        return 0
    roots = np.flatnonzero((still.model.body_parentid == 0) & still.moving)
    travel = np.ptp(recorded[0].body_pos[:, roots, :2], axis=0).max(axis=1)
    far = roots[travel > _FAR * still.extent]
    return int(far[0]) if len(far) else 0


def _spacing(still: Still, recorded: Sequence[WorldFrames]) -> float:
    """Distance of neighbors in a grid of worlds, such that none gets in the way of another [m]."""
    if not still.moving.any():
        return still.extent
    reach = max(float(np.ptp(world.body_pos[:, still.moving, :2], axis=(0, 1)).max()) for world in recorded)
    return reach + _ROOM * still.extent
