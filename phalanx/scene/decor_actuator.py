"""Decor of actuators: what they act on, colored by control or activation; slider-cranks."""

from __future__ import annotations

import numpy as np

from phalanx.scene.decor_joint import joint_shapes
from phalanx.scene.placement import MINVAL, connectors, labels_of, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.scene.tendon_path import segments
from phalanx.tables.enums import GeomType, ObjType, TrnType

#: Half size of free and ball joints by the length of a joint axis.
BALL_SIZE = 0.33
#: How much larger than a site or geom its actuator is drawn.
INFLATION = 1.05
#: Geoms that are not drawn once more for an actuator of their body.
WITHOUT_COPY = (GeomType.PLANE, GeomType.HFIELD, GeomType.MESH, GeomType.SDF)


def shown_actuators(model: Model, style: Style) -> np.ndarray:
    """Ids of actuators whose group is shown and not switched off (`opt.disableactuator`)."""
    group = model.actuator_group
    is_disabled = (group >= 0) & (group <= 30) & ((int(model.opt.disableactuator) >> np.clip(group, 0, 30)) & 1 == 1)
    return np.flatnonzero(style.show.in_group("actuatorgroup", group) & ~is_disabled)


def actuator_colors(model: Model, data: Data, style: Style) -> np.ndarray:
    """Color of each actuator, (nactuator, 4): from negative through zero to positive control within its range."""
    control = model.actuator_ctrladr
    low, high = np.full(model.nactuator, -1.0), np.full(model.nactuator, 1.0)
    by_activation = np.full(model.nactuator, bool(style.show.activation))
    limited = np.asarray(model.actuator_ctrllimited)[control].astype(bool)
    low[limited], high[limited] = np.asarray(model.actuator_ctrlrange)[control[limited]].T
    limited_act = by_activation & ~limited & np.asarray(model.actuator_actlimited).astype(bool)
    low[limited_act], high[limited_act] = np.asarray(model.actuator_actrange)[limited_act].T
    # a range that does not contain zero is extended to the other side
    middle = np.where(low >= 0, low, np.where(high <= 0, high, 0.0))
    low, high = np.where(low >= 0, -1.0, low), np.where((low < 0) & (high <= 0), 1.0, high)
    low, high = np.minimum(low, middle - MINVAL), np.maximum(high, middle + MINVAL)
    value = np.asarray(data.ctrl, float)[control]
    has_act = by_activation & (model.actuator_dyntype != 0)
    last = (model.actuator_actadr + model.actuator_actnum - 1)[has_act]
    value[has_act] = np.asarray(data.act)[last]
    value = np.clip(value, low, high)
    negative = np.where(value <= middle, (middle - value) / np.maximum(MINVAL, middle - low), 0.0)
    positive = np.where(value > middle, (value - middle) / np.maximum(MINVAL, high - middle), 0.0)
    parts = np.stack([negative, 1 - negative - positive, positive], axis=1)
    names = ("actuatornegative", "actuator", "actuatorpositive")
    return (parts @ np.stack([style.rgba[name] for name in names])).astype(np.float32)


def actuators(model: Model, data: Data, style: Style) -> Shapes:
    """Joints, sites, geoms and tendons that actuators act on, in the color of their control.

    With `activation`, actuators that have a state show that instead.
    """
    ids, colors = shown_actuators(model, style), actuator_colors(model, data, style)
    kind, target = model.actuator_trntype[ids], model.actuator_trnid[ids, 0]
    on_joint = (kind == TrnType.JOINT) | (kind == TrnType.JOINTINPARENT)
    parts = [
        *_on_joints(model, data, style, ids[on_joint], target[on_joint]),
        _on_sites(model, data, ids[kind == TrnType.SITE], target[kind == TrnType.SITE]),
        _on_bodies(model, data, ids[kind == TrnType.BODY], target[kind == TrnType.BODY]),
        _on_tendons(model, data, ids[kind == TrnType.TENDON], target[kind == TrnType.TENDON]),
    ]
    shapes = Shapes.joined(parts)
    shapes.rgba[:] = colors[shapes.objid]
    shapes.objtype[:] = ObjType.ACTUATOR
    if style.show.labels == "actuator":
        # once for each actuator
        _, first = np.unique(shapes.objid, return_index=True)
        for k, name in zip(first, labels_of(model, "actuator", shapes.objid[first]), strict=True):
            shapes.labels[k] = name
    return shapes


def _on_joints(model: Model, data: Data, style: Style, ids: np.ndarray, joints: np.ndarray) -> list[Shapes]:
    scale = style.scale
    return joint_shapes(
        model, data, joints, scale["actuatorwidth"], scale["actuatorlength"], BALL_SIZE * scale["jointlength"],
        objid=ids, bodyid=model.jnt_bodyid[joints],
    )  # fmt: skip


def _on_sites(model: Model, data: Data, ids: np.ndarray, sites: np.ndarray) -> Shapes:
    return placed(
        model.site_type[sites], data.site_xpos[sites], data.site_xmat[sites], size=INFLATION * model.site_size[sites],
        objid=ids, bodyid=model.site_bodyid[sites],
    )  # fmt: skip


def _on_bodies(model: Model, data: Data, ids: np.ndarray, bodies: np.ndarray) -> Shapes:
    has_copy = ~np.isin(model.geom_type, WITHOUT_COPY)
    pairs = [
        (actuator, geom)
        for actuator, body in zip(ids, bodies, strict=True)
        for geom in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body])
        if has_copy[geom]
    ]
    owners, geoms = np.array(pairs, int).reshape(-1, 2).T
    return placed(
        model.geom_type[geoms], data.geom_xpos[geoms], data.geom_xmat[geoms], size=INFLATION * model.geom_size[geoms],
        objid=owners, bodyid=model.geom_bodyid[geoms],
    )  # fmt: skip


def _on_tendons(model: Model, data: Data, ids: np.ndarray, tendons: np.ndarray) -> Shapes:
    start, end, which = segments(model, data, tendons)
    width = model.vis.map.actuatortendon * model.tendon_width[tendons[which]]
    matid = model.tendon_matid[tendons[which]]
    return connectors(GeomType.CAPSULE, width, start, end, objid=ids[which], matid=matid)


def slider_cranks(model: Model, data: Data, style: Style) -> Shapes:
    """Sliders and rods of slider-crank actuators; a rod that is too short to reach is colored as broken."""
    ids = np.flatnonzero(model.actuator_trntype == TrnType.SLIDERCRANK)
    crank, slider = model.actuator_trnid[ids].T
    rod, axis = model.actuator_cranklength[ids], data.site_xmat[slider][:, 2::3]
    origin, pin = data.site_xpos[slider], data.site_xpos[crank]
    offset = pin - origin
    along = np.sum(offset * axis, axis=1)
    # the end of the slider is where the rod, of given length, meets the axis
    determinant = along * along + rod * rod - np.sum(offset * offset, axis=1)
    end = origin + axis * (along - np.sqrt(np.maximum(determinant, 0.0)))[:, None]
    width = style.scale["slidercrank"]
    color = np.where((determinant < 0)[:, None], style.rgba["crankbroken"], style.rgba["slidercrank"])
    columns = {"objtype": ObjType.ACTUATOR, "objid": ids, "decor": False}
    return Shapes.joined([
        connectors(
            GeomType.CYLINDER, width, origin, end, rgba=style.rgba["slidercrank"],
            labels=labels_of(model, "actuator", ids) if style.show.labels == "actuator" else (), **columns,
        ),
        connectors(GeomType.CAPSULE, width / 2, end, pin, rgba=color, **columns),
    ])  # fmt: skip
