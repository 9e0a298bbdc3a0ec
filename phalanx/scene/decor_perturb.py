"""Decor of what the user drags: the spring, where it pulls to, and the point that is selected."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.scene.placement import CORNERS, box_edges, connectors, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import GeomType


def perturbation(model: Model, data: Data, style: Style) -> Shapes:
    """The spring by which a body is dragged, with a ball at its far end; a box of lines where it is rotated to."""
    drag = style.perturb
    if drag is None:
        return Shapes.empty()
    parts = [Shapes.empty()]
    own: dict[str, Any] = {"objid": drag.body, "bodyid": drag.body}
    if drag.is_translating:
        radius, rgba = style.scale["constraint"], style.rgba["constraint"]
        start, end = drag.point(data), drag.target
        parts.append(connectors(GeomType.CAPSULE, radius, start, end, rgba=rgba, **own))
        parts.append(placed(GeomType.SPHERE, end, size=(2 * radius, 0, 0), rgba=rgba, **own))
    if drag.is_rotating:
        center, half = _bounds(model, drag.body, style)
        middle = data.xipos[drag.body] + data.ximat[drag.body].reshape(3, 3) @ center
        corners = middle + (CORNERS * half) @ drag.inertial_axes(model).T
        parts.append(box_edges(corners, style.line_width, rgba=style.rgba["inertia"], **own))
    return Shapes.joined(parts)


def _bounds(model: Model, body: int, style: Style) -> tuple[np.ndarray, np.ndarray]:
    """Center and half sizes of a box around what collides of a body, in its inertial frame."""
    if model.body_bvhnum[body]:
        box = model.bvh_aabb[model.body_bvhadr[body]]
        return box[:3], box[3:]
    return np.zeros(3), np.full(3, style.meansize)


def selection(model: Model, data: Data, style: Style) -> Shapes:
    """A ball at the point of a body that is selected."""
    drag = style.perturb
    if drag is None:
        return Shapes.empty()
    point = drag.point(data)
    text = "{:.3f} {:.3f} {:.3f} (local {:.3f} {:.3f} {:.3f})".format(*point, *drag.local)
    return placed(
        GeomType.SPHERE, point, size=(style.scale["selectpoint"], 0, 0), rgba=style.rgba["selectpoint"],
        objid=drag.body, bodyid=drag.body, labels=[text] if style.show.labels == "selection" else (),
    )  # fmt: skip
