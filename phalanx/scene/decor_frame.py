"""Decor that is chosen by kind of object: axes of frames, and labels of bodies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from phalanx.scene.colors import material_colors
from phalanx.scene.decor_body import shown_bodies
from phalanx.scene.placement import axes_along, frames, labels_of, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import GeomType

Draw = Callable[[Model, Data, Style], Shapes]


def _axes(style: Style, pos: np.ndarray, mat: np.ndarray, ids: np.ndarray, bodies: np.ndarray, by: float = 1) -> Shapes:
    """Axes of frames, `by` times as long and thick as usual."""
    return frames(pos, mat, by * style.scale["framelength"], by * style.scale["framewidth"], ids, bodies)


def _world(model: Model, data: Data, style: Style) -> Shapes:
    return _axes(style, np.zeros((1, 3)), np.eye(3), np.zeros(1, int), np.zeros(1, int), by=2)


def _body(model: Model, data: Data, style: Style) -> Shapes:
    bodies = shown_bodies(model, style)
    pos, mat = (data.xipos, data.ximat) if style.show.inertias else (data.xpos, data.xmat)
    return _axes(style, pos[bodies], mat[bodies], bodies, bodies)


def _geom(model: Model, data: Data, style: Style) -> Shapes:
    geoms = visible(model, style, "geom")
    return _axes(style, data.geom_xpos[geoms], data.geom_xmat[geoms], geoms, model.geom_bodyid[geoms])


def _site(model: Model, data: Data, style: Style) -> Shapes:
    sites = visible(model, style, "site")
    return _axes(style, data.site_xpos[sites], data.site_xmat[sites], sites, model.site_bodyid[sites])


def _camera(model: Model, data: Data, style: Style) -> Shapes:
    return _axes(style, data.cam_xpos, data.cam_xmat, np.arange(model.ncam), model.cam_bodyid)


def _light(model: Model, data: Data, style: Style) -> Shapes:
    mat = axes_along(np.asarray(data.light_xdir))
    return _axes(style, data.light_xpos, mat, np.arange(model.nlight), model.light_bodyid)


def _contact(model: Model, data: Data, style: Style) -> Shapes:
    # the rows of the frame of a contact are its axes
    mat = np.swapaxes(np.reshape(data.contact_frame, (-1, 3, 3)), 1, 2)
    count = len(mat)
    return _axes(style, data.contact_pos, mat, np.arange(count), np.full(count, -1), by=0.5)


def visible(model: Model, style: Style, kind: str) -> np.ndarray:
    """Ids of geoms or sites that are shown: in a group that is on, not transparent, on a body that is shown."""
    matid, rgba, group, bodyid = (
        np.asarray(getattr(model, f"{kind}_{name}")) for name in ("matid", "rgba", "group", "bodyid")
    )
    shown = style.show.in_group(f"{kind}group", group) & (material_colors(model, matid, rgba)[:, 3] != 0)
    if not style.show.static:
        shown &= np.asarray(model.body_weldid)[bodyid] != 0
    return np.flatnonzero(shown)


#: Objects whose axes can be shown.
FRAMES: dict[str, Draw] = {
    "body": _body, "geom": _geom, "site": _site, "camera": _camera, "light": _light, "contact": _contact,
    "world": _world,
}  # fmt: skip


def _body_names(model: Model, data: Data, style: Style) -> Shapes:
    bodies = np.empty(0, int) if style.show.inertias else shown_bodies(model, style)
    return _texts(data.xpos[bodies], data.xmat[bodies], labels_of(model, "body", bodies), bodies)


def _selected_name(model: Model, data: Data, style: Style) -> Shapes:
    bodies = np.array([] if style.perturb is None else [style.perturb.body], int)
    return _texts(data.xpos[bodies], data.xmat[bodies], labels_of(model, "body", bodies), bodies)


def _island_names(model: Model, data: Data, style: Style) -> Shapes:
    bodies = np.arange(1, model.nbody) if data.nisland else np.empty(0, int)
    weld = np.asarray(model.body_weldid)[bodies]
    bodies = bodies[np.asarray(model.body_dofnum)[weld] > 0]
    island = np.asarray(data.dof_island)[np.asarray(model.body_dofadr)[np.asarray(model.body_weldid)[bodies]]]
    bodies, island = bodies[island >= 0], island[island >= 0]
    return _texts(data.xipos[bodies], data.ximat[bodies], [str(k) for k in island], bodies)


def _texts(pos: np.ndarray, mat: np.ndarray, labels: list[str], bodies: np.ndarray) -> Shapes:
    return placed(GeomType.LABEL, pos, mat, labels=labels, objid=bodies, bodyid=bodies)


#: Labels that stand by themselves; the others are beside what they name, where that is drawn.
LABELS: dict[str, Draw | None] = {
    "body": _body_names, "joint": None, "geom": None, "site": None, "camera": None, "light": None, "tendon": None,
    "actuator": None, "constraint": None, "flex": None, "skin": None, "selected_body": _selected_name,
    "selection": None, "contact": None, "contact_force": None, "island": _island_names,
}  # fmt: skip
