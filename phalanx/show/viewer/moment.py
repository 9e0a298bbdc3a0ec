"""Frame: all that the page shows of one moment, copied out of the world so that the world may go on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.scene.show import Show
from phalanx.scene.view import Lights, View
from phalanx.show.viewer.plot_fields import PlotField
from phalanx.world.model import Model


@dataclass(frozen=True)
class Cast:
    """What does not change from frame to frame: the persistent shapes, until the model or what is shown changes.

    Attributes:
        model: of the followed world.
        structure: the model that the widgets are made for; that of a batch, whose worlds may vary.
        show: what is shown.
        lights: of the followed world.
        shapes: one row for each persistent shape; only their poses in a frame are valid.
        count: how many worlds there are, each with all of these shapes.
        followed: the world that the user looks at.
        is_overlay: whether all worlds stand in one place, those not followed half transparent.
        selected: the body that the user has selected, -1 for none.
    """

    model: Model
    structure: Model
    show: Show
    lights: Lights
    shapes: Shapes
    count: int = 1
    followed: int = 0
    is_overlay: bool = False
    selected: int = -1


@dataclass(frozen=True)
class Frame:
    """One moment.

    Attributes:
        cast: the persistent shapes.
        pos, mat: their poses in the page, (worlds, n, 3) and (worlds, n, 9).
        following: vertices (n, 3) of each skin and flex among them, by its row.
        passing: shapes of this moment only: tendons, decor, marks.
        origin: where the followed world stands in the page [m], (3,).
        time: simulated [s].
        is_paused: whether the world stands still.
        speed: simulated seconds per second of the wall, as measured.
        problem: what went wrong, "" if nothing did.
        span: oldest and newest time that can be gone back to [s].
        view: what the page must look at when it follows a camera of the model, None when the user moves it.
        anchor: the point that the page moves along with [m], None if with none.
        ctrl, qpos, sensordata: of the followed world.
        curves: for each plot, its columns.
        about: facts about the selected body.
    """

    cast: Cast
    pos: np.ndarray
    mat: np.ndarray
    following: dict[int, np.ndarray]
    passing: Shapes
    origin: np.ndarray
    time: float
    is_paused: bool
    speed: float
    problem: str
    span: tuple[float, float]
    view: View | None
    anchor: np.ndarray | None
    ctrl: np.ndarray
    qpos: np.ndarray
    sensordata: np.ndarray
    curves: tuple[tuple[PlotField, tuple[np.ndarray, ...]], ...]
    about: dict[str, str]
