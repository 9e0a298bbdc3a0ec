"""Looks: which persistent shapes share a node of the page, because they have the same surface and texture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phalanx.scene.shapes import Shapes
from phalanx.scene.surfaces import FOLLOWING, texture_id
from phalanx.show.viewer.forms import SCALED, UNIT, Form, own_form

#: Opacities are rounded to this many levels, so that shapes of about the same one share a node.
LEVELS = 16


@dataclass(frozen=True)
class Look:
    """What the shapes of a node have in common.

    Attributes:
        form: their surface.
        matid: the material whose texture they have, -1 if none.
        rgba: the color that the texture is multiplied with; white where each shape has a color of its own.
        opacity: 0 to 1.
    """

    form: Form
    matid: int
    rgba: tuple[float, float, float]
    opacity: float


def look_of(model: Any, shapes: Shapes, row: int, is_textured: bool) -> tuple[Look, tuple[float, float, float]]:
    """The look of a shape, and its scales."""
    size = shapes.size[row]
    opacity = max(1, round(float(shapes.rgba[row, 3]) * LEVELS)) / LEVELS
    matid = int(shapes.matid[row])
    # the page cannot move the points of a textured surface
    if is_textured and texture_id(model, matid) >= 0 and shapes.kind[row] not in FOLLOWING:
        # texture coordinates depend on the size
        kind, dataid, _ = own_form(shapes, row)
        rgba = tuple(float(value) for value in shapes.rgba[row, :3])
        own = kind, dataid, tuple(float(length) for length in size)
        return Look(own, matid, rgba, opacity), UNIT  # type: ignore[arg-type]
    form, order = SCALED.get(int(shapes.kind[row]), (None, (0, 1, 2)))
    scale = UNIT if form is None else tuple(float(size[k]) for k in order)
    return Look(form or own_form(shapes, row), -1, (1.0, 1.0, 1.0), opacity), scale  # type: ignore[return-value]


def by_look(
    model: Any, shapes: Shapes, rows: np.ndarray, is_textured: bool
) -> dict[Look, tuple[np.ndarray, np.ndarray]]:
    """Look -> rows of the shapes that have it, and their scales (n, 3)."""
    found: dict[Look, list[tuple[int, tuple[float, float, float]]]] = {}
    for row in rows:
        look, scale = look_of(model, shapes, row, is_textured)
        found.setdefault(look, []).append((row, scale))
    return {look: (np.array([row for row, _ in rows]), np.array([scale for _, scale in rows]))
            for look, rows in found.items()}  # fmt: skip
