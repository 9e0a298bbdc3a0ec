"""Tendons as capsules along their paths."""

from __future__ import annotations

import numpy as np

from phalanx.scene.colors import has_default_color, material_colors
from phalanx.scene.decor_joint import limit_impedance, mixed
from phalanx.scene.placement import connectors, labels_of
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.scene.tendon_path import MOST_POINTS, catenary, loose_lengths, segments
from phalanx.tables.enums import ConstraintType, GeomType, ObjType


def tendons(model: Model, data: Data, style: Style) -> Shapes:
    """Capsules along tendons, in the color of their material; a gray tendon becomes red as its limit takes up load."""
    shown = np.flatnonzero(style.show.in_group("tendongroup", model.tendon_group) & (model.tendon_num > 0))
    loose = loose_lengths(model, data)
    is_loose = ~np.isnan(loose[shown])
    straight = shown[~is_loose]
    start, end, which = segments(model, data, straight)
    starts, ends, owners = [start], [end], [straight[which]]
    # those that hang loosely have a curve each
    for tendon in shown[is_loose]:
        points = _hanging(model, data, tendon, loose[tendon])
        starts.append(points[:-1])
        ends.append(points[1:])
        owners.append(np.full(len(points) - 1, tendon))
    ids = np.concatenate(owners)
    shapes = connectors(
        GeomType.CAPSULE, model.tendon_width[ids], np.concatenate(starts), np.concatenate(ends),
        rgba=_colors(model, data, style)[ids], matid=model.tendon_matid[ids], objtype=ObjType.TENDON, objid=ids,
        decor=False,
    )  # fmt: skip
    if style.show.labels == "tendon":
        _, first = np.unique(ids, return_index=True)
        for k in first:
            shapes.labels[k] = labels_of(model, "tendon", ids[k : k + 1])[0]
    return shapes


def _hanging(model: Model, data: Data, tendon: int, length: float) -> np.ndarray:
    """Points of a tendon that hangs loosely."""
    first = data.ten_wrapadr[tendon]
    start, end = np.reshape(data.wrap_xpos, (-1, 3))[first : first + 2]
    count = min(int(model.vis.quality.numslices) + 1, MOST_POINTS)
    return catenary(start, end, np.asarray(model.opt.gravity), float(length), count)


def _colors(model: Model, data: Data, style: Style) -> np.ndarray:
    """Color of each tendon, (ntendon, 4)."""
    rgba = np.array(model.tendon_rgba, np.float32)
    is_plain = has_default_color(rgba) & (model.tendon_matid < 0)
    impedance = limit_impedance(data, ConstraintType.LIMIT_TENDON, model.ntendon)
    rgba[is_plain] = mixed(impedance[is_plain], rgba[is_plain], style)
    colors = material_colors(model, np.asarray(model.tendon_matid), rgba)
    if style.show.transparent:
        colors[:, 3] *= model.vis.map.alpha
    return colors
