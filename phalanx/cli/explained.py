"""Differences from MuJoCo that docs/differences.md explains: which paragraph, and when it applies."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from phalanx.cli.differences import Difference
from phalanx.pipeline.supported import unsupported
from phalanx.tables.enums import DisableBit, EnableBit, GeomType, SensorType
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Where explanations are.
PAGE = "docs/differences.md"


class Explanation(NamedTuple):
    """A paragraph of the page, by the words it begins with, and whether it explains a difference."""

    paragraph: str
    explains: Callable[[Difference, Model, Data | None], bool]


def explanation(difference: Difference, model: Model, data: Data | None) -> str:
    """The words with which the paragraph begins that explains a difference; empty if none does."""
    return next((row.paragraph for row in EXPLANATIONS if row.explains(difference, model, data)), "")


def _kinds(difference: Difference, model: Model, data: Data | None) -> set[int]:
    """Types of the two geoms of the contact that differs; of all contacts if their number does."""
    if data is None or not difference.field.removeprefix("length of ").startswith(("contact_", "ncon")):
        return set()
    contacts = slice(difference.place[0], difference.place[0] + 1) if difference.place else slice(None)
    geoms = data.contact_geom[contacts].ravel()
    return set(model.geom_type[geoms[geoms >= 0]].tolist())


def _is_sensor(difference: Difference, model: Model, data: Data | None, kind: SensorType) -> bool:
    """Is it the reading of a sensor of this type?"""
    if difference.field != "sensordata" or not difference.place:
        return False
    sensor = int(np.searchsorted(model.sensor_adr, difference.place[0], side="right")) - 1
    return int(model.sensor_type[sensor]) == kind


def _leaves_out(difference: Difference, model: Model, data: Data | None) -> bool:
    return bool(unsupported(model))


def _has_sdf(difference: Difference, model: Model, data: Data | None) -> bool:
    return GeomType.SDF in _kinds(difference, model, data)


def _has_hfield_without_margin(difference: Difference, model: Model, data: Data | None) -> bool:
    kinds = _kinds(difference, model, data)
    is_flat = GeomType.HFIELD in kinds and bool(kinds & {GeomType.BOX, GeomType.MESH})
    return is_flat and data is not None and not np.any(data.contact_includemargin)


def _is_capsule_frame(difference: Difference, model: Model, data: Data | None) -> bool:
    return difference.field == "contact_frame" and GeomType.CAPSULE in _kinds(difference, model, data)


def _has_forgotten_gap(difference: Difference, model: Model, data: Data | None) -> bool:
    is_overridden = bool(EnableBit(model.opt.enableflags) & EnableBit.OVERRIDE)
    has_midphase = not DisableBit(model.opt.disableflags) & DisableBit.MIDPHASE
    return difference.stage == "collision" and is_overridden and has_midphase and bool(np.any(model.geom_gap))


def _is_inside_enclosed(difference: Difference, model: Model, data: Data | None) -> bool:
    return _is_sensor(difference, model, data, SensorType.INSIDESITE)


def _is_touch_of_mesh(difference: Difference, model: Model, data: Data | None) -> bool:
    return _is_sensor(difference, model, data, SensorType.TOUCH) and bool(np.any(model.site_type == GeomType.MESH))


def _is_late_energy(difference: Difference, model: Model, data: Data | None) -> bool:
    has_energy = bool(EnableBit(model.opt.enableflags) & EnableBit.ENERGY)
    return has_energy and _is_sensor(difference, model, data, SensorType.E_KINETIC)


def _is_mesh_instance(difference: Difference, model: Model, data: Data | None) -> bool:
    return difference.stage == "compile" and difference.field.startswith("nmesh")


#: The first row that applies is told.
EXPLANATIONS = (
    Explanation("Not there yet", _leaves_out),
    Explanation("Signed distance fields may be grids", _has_sdf),
    Explanation("Height fields without margin", _has_hfield_without_margin),
    Explanation("A capsule that stands exactly on its end", _is_capsule_frame),
    Explanation("Overridden margins and gaps add up", _has_forgotten_gap),
    Explanation("Sensors", _is_inside_enclosed),
    Explanation("Sensors", _is_touch_of_mesh),
    Explanation("A sensor of kinetic energy tells that of the present state", _is_late_energy),
    Explanation("A mesh inside frames that stretch it", _is_mesh_instance),
)
