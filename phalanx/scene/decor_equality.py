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
    parts = [Shapes.empty()]
    # a connect constraint has the anchor in the first body first, a weld constraint that in the second
    for objects, is_first, color in ((model.eq_obj1id, True, "connect"), (model.eq_obj2id, False, "constraint")):
        start = np.where((kind[ids] == EqType.WELD) == is_first, 3, 0)
        anchors = np.take_along_axis(np.asarray(model.eq_data)[ids], start[:, None] + np.arange(3), axis=1)
        on_sites = np.asarray(model.eq_objtype)[ids] == ObjType.SITE
        for here, pos, mat in (
            (on_sites, data.site_xpos, data.site_xmat),
            (~on_sites, data.xpos, data.xmat),
        ):
            owners = np.asarray(objects)[ids[here]]
            offset = np.zeros((len(owners), 3)) if here is on_sites else anchors[here]
            parts.append(placed(
                GeomType.SPHERE, apart(pos[owners], mat[owners], offset), mat[owners],
                size=(style.scale["constraint"], 0, 0), rgba=style.rgba[color], objtype=ObjType.EQUALITY,
                objid=ids[here],
                labels=labels_of(model, "equality", ids[here]) if style.show.labels == "constraint" else (),
            ))  # fmt: skip
    return Shapes.joined(parts)
