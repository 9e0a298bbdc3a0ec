"""Decor of equality constraints: the two points that each holds together."""

from __future__ import annotations

import numpy as np

from phalanx.scene.placement import apart, labels_of, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import EqType, GeomType, ObjType


def constraints(model: Model, data: Data, style: Style) -> Shapes:
    """A sphere at each of the two anchors of an active connect or weld constraint."""
    kind = np.asarray(model.eq_type)
    ids = np.flatnonzero(((kind == EqType.CONNECT) | (kind == EqType.WELD)) & np.asarray(data.eq_active).astype(bool))
    is_weld, on_sites = kind[ids] == EqType.WELD, np.asarray(model.eq_objtype)[ids] == ObjType.SITE
    # a connect constraint has the anchor in the first body first, a weld constraint that in the second
    sides = ((model.eq_obj1id, is_weld, "connect"), (model.eq_obj2id, ~is_weld, "constraint"))
    parts = []
    for objects, is_later, color in sides:
        columns = np.where(is_later, 3, 0)[:, None] + np.arange(3)
        anchors = np.take_along_axis(np.asarray(model.eq_data)[ids], columns, axis=1)
        anchors[on_sites] = 0
        pos, mat = _frames(data, np.asarray(objects)[ids], on_sites)
        parts.append(placed(
            GeomType.SPHERE, apart(pos, mat, anchors), mat, size=(style.scale["constraint"], 0, 0),
            rgba=style.rgba[color], objtype=ObjType.EQUALITY, objid=ids,
            labels=labels_of(model, "equality", ids) if style.show.labels == "constraint" else (),
        ))  # fmt: skip
    return Shapes.joined(parts)


def _frames(data: Data, owners: np.ndarray, on_sites: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and axes (n, 9) of sites, where `on_sites`, and of bodies."""
    pos, mat = np.empty((len(owners), 3)), np.empty((len(owners), 9))
    sites, bodies = owners[on_sites], owners[~on_sites]
    pos[on_sites], mat[on_sites] = data.site_xpos[sites], data.site_xmat[sites]
    pos[~on_sites], mat[~on_sites] = data.xpos[bodies], data.xmat[bodies]
    return pos, mat
