"""What the page of a simulation knows of a model beside its memory: looks, layers, actuators, names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import words
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.scene.colors import has_default_color, material_colors
from phalanx.scene.decor import DECOR
from phalanx.scene.show import Show
from phalanx.scene.style import Style
from phalanx.scene.tendon_path import loose_lengths
from phalanx.show.columns import columns
from phalanx.show.replay.layers import USUAL, Layer, is_shown, known_layers
from phalanx.tables.enums import (
    Cone,
    ConstraintType,
    EqType,
    GeomType,
    JointType,
    ObjType,
    RayData,
    SensorType,
    TrnType,
)
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Fields that can be plotted, if the model has any of them.
PLOTTED = (
    "qpos", "qvel", "qacc", "act", "ctrl", "sensordata", "actuator_force", "actuator_length", "qfrc_actuator",
    "qfrc_constraint", "qfrc_passive", "xpos", "energy", "ncon", "nefc",
)  # fmt: skip
#: Fields with more numbers than this are not offered as plots.
_MOST_COLUMNS = 600
#: Enums whose numbers the page needs.
_ENUMS = (ConstraintType, Cone, EqType, GeomType, JointType, ObjType, TrnType)
#: Range of a control without limits.
_FREE_RANGE = (-1.0, 1.0)


def layer_rows(model: Model, names: Iterable[str] | None, show: Show) -> list[dict[str, Any]]:
    """The layers of the page: those asked for, or all that the model has anything of.

    Raises:
        FieldError: there is no such layer.
    """
    known = known_layers()
    asked = None if names is None else words("layers", names)
    for name in asked or ():
        if name not in USUAL:
            raise FieldError(f"there is no layer {name!r}{suggestion(str(name), USUAL)}; known: {', '.join(USUAL)}")
    return [
        Layer(name, known[name][0], None, is_shown(name, show)).row()
        for name in (USUAL if asked is None else asked)
        if name not in DECOR or DECOR[name].concerns is None or DECOR[name].concerns(model)  # type: ignore[misc]
    ]


def style_row(model: Model, data: Data, show: Show) -> dict[str, Any]:
    """Sizes and colors of decor, and what layers need to know of the model."""
    style, vis = Style.of(model, show), model.vis
    return {
        "scale": {name: float(value) for name, value in style.scale.items()},
        "rgba": {name: np.asarray(value, float).round(5).tolist() for name, value in style.rgba.items()},
        "force": float(style.force), "line": float(style.line_width),
        "ellipsoidinertia": bool(vis.global_.ellipsoidinertia), "numslices": int(vis.quality.numslices),
        "actuatortendon": float(vis.map.actuatortendon), "stiffness": float(vis.map.stiffness),
        "stiffnessrot": float(vis.map.stiffnessrot), "meansize": float(style.meansize),
        "tendons": _tendon_rows(model, data, show),
        "geomTypes": [GeomType(k).name.lower() for k in range(int(GeomType.SDF) + 1)], "rays": _ray_rows(model),
        "hiddenJoints": np.flatnonzero(~show.in_group("jointgroup", model.jnt_group)).tolist(),
        "hiddenActuators": np.flatnonzero(~show.in_group("actuatorgroup", model.actuator_group)).tolist(),
        "enums": {kind.__name__: {member.name: int(member) for member in kind} for kind in _ENUMS},
    }  # fmt: skip


def _tendon_rows(model: Model, data: Data, show: Show) -> list[dict[str, Any]]:
    """How tendons look; `loose` is the length of one that may hang loosely, 0 for others."""
    if not model.ntendon:
        return []
    rgba = np.asarray(model.tendon_rgba, np.float32)
    matid = np.asarray(model.tendon_matid)
    plain = has_default_color(rgba) & (matid < 0)
    colors = material_colors(model, matid, rgba).astype(float).round(5)
    shown = show.in_group("tendongroup", model.tendon_group)
    # a limit that is reached now may be slack later
    slack = data.copy()
    slack.ten_length = -1.0
    loose = np.nan_to_num(loose_lengths(model, slack), nan=0.0)
    rest = np.asarray(model.tendon_lengthspring)
    is_spring = ((model.tendon_stiffness != 0) | (np.asarray(model.tendon_stiffnesspoly) != 0).any(axis=1)) & (
        rest[:, 1] > 0
    )
    return [
        {
            "width": float(model.tendon_width[k]), "rgba": colors[k].tolist(), "isPlain": bool(plain[k]),
            "isShown": bool(shown[k]), "loose": float(loose[k]), "isSpring": bool(is_spring[k]),
        }
        for k in range(model.ntendon)
    ]  # fmt: skip


def _ray_rows(model: Model) -> list[dict[str, int]]:
    """Sensors that are drawn as a line: the address of the distance and the site, or of two points and -1."""
    found = []
    for sensor in range(model.nsensor):
        kind, address = model.sensor_type[sensor], int(model.sensor_adr[sensor])
        if kind == SensorType.GEOMFROMTO:
            found.append({"address": address, "site": -1})
        has_distance = int(model.sensor_intprm[sensor, 0]) >> RayData.DIST & 1
        if kind == SensorType.RANGEFINDER and has_distance and model.sensor_objtype[sensor] == ObjType.SITE:
            found.append({"address": address, "site": int(model.sensor_objid[sensor])})
    return found


def actuator_rows(model: Model) -> list[dict[str, Any]]:
    """A slider for each control."""
    names = columns(model, "ctrl")
    limited, ranges = np.asarray(model.actuator_ctrllimited), np.asarray(model.actuator_ctrlrange)
    found = []
    for control, name in enumerate(names):
        low, high = ranges[control] if limited[control] else _FREE_RANGE
        title = name.partition(".")[2]
        found.append({"name": title, "control": control, "low": float(low), "high": float(high)})
    return found


def field_rows(model: Model, data: Data) -> list[dict[str, Any]]:
    """What can be plotted."""
    found = []
    for name in PLOTTED:
        names = columns(model, name)
        if names and len(names) <= _MOST_COLUMNS:
            found.append({"name": name, "unit": DATA_SCHEMA.fields[name].unit or "", "columns": names})
    return found


def body_labels(model: Model) -> list[str]:
    """The text beside each body."""
    return [name or f"body {k}" for k, name in enumerate(model.names.names["body"])]
