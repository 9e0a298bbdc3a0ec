"""Sensors: what they are attached to, and how many numbers they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum

import numpy as np

from phalanx.pipeline.validation.object_rules import counts
from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.tables.domain import (
    Arrays,
)
from phalanx.tables.enums import (
    ContactData,
    JointType,
    ObjType,
    RayData,
    SensorType,
)
from phalanx.tables.sensors import CONTACT_SIZES, RAY_SIZES, SENSORS


def sensor_object(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """What a sensor is of, and what it is measured against."""
    is_first = name == "sensor_objid"
    kinds = arrays["sensor_objtype" if is_first else "sensor_reftype"]
    top = counts(kinds, sizes)
    is_foreign = _is_foreign(arrays)
    # without a type there is no object
    bad = (kinds != ObjType.UNKNOWN) & ~is_foreign & ((array < 0) | (array >= top))
    if is_first:
        yield bad, "it must be an object of the type that the sensor is attached to"
    else:
        # kernels read what the id says, whatever the type
        bad |= (kinds == ObjType.UNKNOWN) & ~is_foreign
        yield bad & (array != -1), "it must be an object of the type that the sensor is measured against, or -1"
    if is_first:
        yield from _sensor_kinds(kinds, array, sizes, arrays)
    else:
        yield from _references(kinds, array, arrays)


#: What sensors of each type are of.
_OF = {int(kind): row.of for kind, row in SENSORS.items()}
_FRAMES = (ObjType.BODY, ObjType.XBODY, ObjType.GEOM, ObjType.SITE, ObjType.CAMERA)
_TOUCHED = (ObjType.UNKNOWN, ObjType.BODY, ObjType.XBODY, ObjType.GEOM)
#: Kinds of objects that sensors of a kind of row can be of.
_ATTACHED = {
    "site": (ObjType.SITE,), "joint": (ObjType.JOINT,), "tendon": (ObjType.TENDON,), "body": (ObjType.BODY,),
    "actuator": (ObjType.ACTUATOR,), "frame": _FRAMES, "object": _FRAMES, "point in an image": (ObjType.SITE,),
    "rays": (ObjType.SITE, ObjType.CAMERA), "object in a site": _FRAMES, "pair": (ObjType.GEOM, ObjType.BODY),
    "contacts": (*_TOUCHED, ObjType.SITE), "points of a mesh": (ObjType.MESH,),
}  # fmt: skip
#: Kinds of objects that sensors of a kind of row are measured against; there is one, or it is of no kind.
_MEASURED = {
    "frame": (ObjType.UNKNOWN, *_FRAMES), "point in an image": (ObjType.CAMERA,), "object in a site": (ObjType.SITE,),
    "pair": (ObjType.GEOM, ObjType.BODY), "contacts": (*_TOUCHED, ObjType.SITE), "points of a mesh": (ObjType.GEOM,),
}  # fmt: skip


def _is_foreign(arrays: Arrays) -> np.ndarray:
    """Which sensors only the user or a plugin knows."""
    types = arrays["sensor_type"]
    found: np.ndarray = (types == SensorType.USER) | (types == SensorType.PLUGIN)
    return found


def _is_unfit(types: np.ndarray, kinds: np.ndarray, allowed: Mapping[str, tuple[ObjType, ...]]) -> np.ndarray:
    """Which sensors have an object of another kind than those that the kind of their row allows."""
    found = []
    for sensor, kind in zip(types.tolist(), kinds.tolist(), strict=True):
        fit = allowed.get(_OF[sensor])
        found.append(fit is not None and kind not in fit)
    return np.array(found, bool)


def _references(kinds: np.ndarray, array: np.ndarray, arrays: Arrays) -> Iterator[Broken]:
    """Is what a sensor is measured against of a kind that its kernel knows, and there?"""
    types = arrays["sensor_type"]
    # sleep looks at it whatever the sensor is, but for those that only the user knows
    wrong = ~_is_foreign(arrays) & (array < 0) & (kinds != ObjType.UNKNOWN)
    wrong |= _is_unfit(types, kinds, _MEASURED)
    yield wrong, "the sensor cannot be measured against this type of object (sensor_reftype), or there is none"


def _sensor_kinds(kinds: np.ndarray, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Is the object of a kind that the sensor can be of?"""
    types = arrays["sensor_type"]
    wrong = _is_unfit(types, kinds, _ATTACHED)
    unfit = np.zeros(len(types), bool)
    for kind in set(types.tolist()):
        row = SENSORS[SensorType(kind)]
        if row.joints and sizes["njnt"]:
            joint = arrays["jnt_type"][np.clip(array, 0, sizes["njnt"] - 1)]
            unfit |= (types == kind) & ~np.isin(joint, [JointType[word.upper()] for word in row.joints])
    yield wrong, "the sensor cannot be of this type of object (sensor_objtype)"
    yield unfit & ~wrong, "the sensor cannot be of this type of joint"


def sensor_width(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """How many numbers a sensor writes: fixed by its type, or by what it is asked for."""
    if name == "sensor_intprm":  # checked with sensor_dim
        return
    types, asked = arrays["sensor_type"], arrays["sensor_intprm"]
    wanted = array.astype(np.int64).copy()
    for sensor, kind in enumerate(types.tolist()):
        row = SENSORS.get(SensorType(kind))
        if row is not None and row.of == "actuator":
            wanted[sensor] = _output_count(int(arrays["sensor_objid"][sensor]), sizes, arrays)
        elif row is not None and row.dim:
            wanted[sensor] = row.dim
        elif kind == SensorType.RANGEFINDER:
            wanted[sensor] = _data_width(RayData, RAY_SIZES, int(asked[sensor, 0])) * _ray_count(sensor, sizes, arrays)
        elif kind == SensorType.CONTACT:
            wanted[sensor] = _data_width(ContactData, CONTACT_SIZES, int(asked[sensor, 0])) * max(
                int(asked[sensor, 2]), 0
            )
        elif kind == SensorType.TACTILE:
            mesh = int(arrays["sensor_objid"][sensor])
            wanted[sensor] = 3 * int(arrays["mesh_vertnum"][mesh]) if 0 <= mesh < sizes["nmesh"] else -1
    yield (array < 0) | (array > sizes["nsensordata"]), f"it must be from 0 to nsensordata ({sizes['nsensordata']})"
    yield array != wanted, "the type and the parameters of the sensor give another number of outputs"


def _output_count(actuator: int, sizes: Sizes, arrays: Arrays) -> int:
    """How many forces an actuator has; -1 if there is no such actuator."""
    return int(arrays["actuator_outnum"][actuator]) if 0 <= actuator < sizes["nactuator"] else -1


def _data_width(kinds: type[IntEnum], widths: Mapping[str, int], fields: int) -> int:
    """How many numbers the data have that the bits of `fields` ask for."""
    return sum(widths[datum.name.lower()] for datum in kinds if fields >> datum & 1)


def _ray_count(sensor: int, sizes: Sizes, arrays: Arrays) -> int:
    if arrays["sensor_objtype"][sensor] != ObjType.CAMERA:
        return 1
    camera = int(arrays["sensor_objid"][sensor])
    if not 0 <= camera < sizes["ncam"]:
        return -1
    width, height = arrays["cam_resolution"][camera].tolist()
    return int(width) * int(height)
