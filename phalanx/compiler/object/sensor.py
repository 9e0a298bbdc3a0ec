"""Sensors: what they are attached to, how many numbers they give, when they can be computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phalanx.compiler.model_build import Build, ModelObject
from phalanx.compiler.object.custom import object_type
from phalanx.compiler.object.history import check_delay, check_samples
from phalanx.compiler.scale.scaled_reference import scale_sensor
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.enums import DataType, ObjType, Stage
from phalanx.tables.history import history_size
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.sensors import (
    ANY,
    CONTACT_SIZES,
    CONTACTS,
    FRAME,
    IMAGE,
    INSIDE,
    MODEL,
    OBJECT,
    PAIR,
    RAY_SIZES,
    RAYS,
    SENSORS_BY_TAG,
    SURFACE,
    SensorRow,
)

#: Types of geoms that no site can enclose.
NOT_COMPACT = ("plane", "hfield", "sdf")
_BASE = ELEMENTS["sensor/touch"]


def collect_sensors(build: Build) -> None:
    for element in build.sections("sensor"):
        if element.row.unsupported:
            continue
        values = {**_BASE.defaults, **element.row.defaults}
        for name, value in element.attributes.items():
            if isinstance(value, tuple) and name == "interval" and len(value) < 2:
                value = (*value, 0.0)
            values[name] = value
        sensor: Any = ModelObject(element, values, element.scope or build.scope)
        row = sensor.row = SENSORS_BY_TAG[element.tag]
        sensor.kind, sensor.dim, sensor.stage, sensor.datatype = row.kind, row.dim, row.stage, row.datatype
        sensor.scales = row.scales
        sensor.objtype = sensor.reftype = ObjType.UNKNOWN
        sensor.objid = sensor.refid = -1
        sensor.obj = sensor.ref = None
        sensor.intprm = (0, 0, 0)
        build.add("sensor", sensor)


def compile_sensors(build: Build) -> None:
    build.each(build.objects["sensor"], lambda sensor: _compile_sensor(build, sensor))


def _compile_sensor(build: Build, sensor: Any) -> None:
    build.all_of(sensor, lambda sensor: _attach(build, sensor))
    build.all_of(sensor, _check_interval, check_delay, check_samples, _check_cutoff, scale_sensor)


def _attach(build: Build, sensor: Any) -> None:
    _ATTACH.get(sensor.row.of, _attach_named)(build, sensor)


def _check_interval(sensor: Any) -> None:
    period, phase = sensor["interval"]
    if period < 0 or phase > 0 or (period > 0 and phase <= -period):
        raise ElementProblem("interval is a period >= 0 and a phase between -period and 0", "interval")


def _check_cutoff(sensor: Any) -> None:
    is_direction = sensor.datatype in (DataType.QUATERNION, DataType.AXIS)
    if sensor["cutoff"] > 0 and is_direction and sensor.row.bounded:
        raise ElementProblem("cutoff has no meaning for directions and quaternions", "cutoff")


def _target(build: Build, sensor: Any, end: str, kind: str, attribute: str, code: ObjType | None = None) -> Any:
    """Find what an attribute names, as object or reference."""
    name = sensor[attribute]
    if not name:
        raise ElementProblem(f"{attribute} is missing")
    found = build.find(kind, name, attribute)
    setattr(sensor, end, found)
    setattr(sensor, f"{end}id", found.id)
    setattr(sensor, f"{end}type", code if code is not None else ObjType[kind.upper()])
    return found


def _attach_named(build: Build, sensor: Any) -> None:
    """A sensor of one object, which the attribute of that name names."""
    row: SensorRow = sensor.row
    target = _target(build, sensor, "obj", row.of, row.of)
    if row.joints and target["type"] not in row.joints:
        meant = f"{' and '.join(row.joints)} joints"
        raise ElementProblem(f"joint={target.name!r} is a {target['type']} joint; {row.tag} is for {meant}", "joint")
    if row.limited and not target.limited:
        raise ElementProblem(f"{target.name!r} has no limits, which {row.tag} measures")
    if row.of == "actuator":
        sensor.dim = row.dim * target.outnum


def _object(build: Build, sensor: Any, end: str) -> Any:
    """objtype and objname, or reftype and refname."""
    word = sensor[f"{end}type"]
    kind, code = object_type(word, f"{end}type")
    return _target(build, sensor, end, kind, f"{end}name", code)


def _attach_object(build: Build, sensor: Any) -> None:
    with build.at(sensor):
        _object(build, sensor, "obj")


def _attach_frame(build: Build, sensor: Any) -> None:
    _attach_object(build, sensor)
    if _are_both_given(sensor, "reftype", "refname"):
        _object(build, sensor, "ref")


def _are_both_given(sensor: Any, first: str, second: str) -> bool:
    """Are two attributes given? One alone is a mistake."""
    given = [name for name in (first, second) if sensor.values.get(name) is not None]
    if len(given) == 1:
        raise ElementProblem(f"{first} and {second} must be given together", given[0])
    return bool(given)


def _attach_image(build: Build, sensor: Any) -> None:
    _target(build, sensor, "obj", "site", "site")
    camera = _target(build, sensor, "ref", "camera", "camera")
    if not all(camera["resolution"]):
        raise ElementProblem(f"{sensor.row.tag} needs a camera with a resolution", "camera")


def _bits(words: tuple[str, ...], attribute: Any) -> int:
    return sum(1 << attribute.keywords[word] for word in words)


def _attach_rays(build: Build, sensor: Any) -> None:
    given = [name for name in ("site", "camera") if sensor[name] is not None]
    if len(given) != 1:
        raise ElementProblem(f"a {sensor.row.tag} needs either a site or a camera")
    target = _target(build, sensor, "obj", given[0], given[0])
    words = sensor["data"]
    rays = 1 if given[0] == "site" else target["resolution"][0] * target["resolution"][1]
    sensor.intprm = (_bits(words, sensor.element.row.attributes["data"]), 0, 0)
    sensor.dim = rays * sum(RAY_SIZES[word] for word in words)


def _attach_pair(build: Build, sensor: Any) -> None:
    for number, end in (("1", "obj"), ("2", "ref")):
        with build.at(sensor):
            given = [kind for kind in ("geom", "body") if sensor[f"{kind}{number}"] is not None]
            if len(given) != 1:
                raise ElementProblem(f"{sensor.row.tag} needs either geom{number} or body{number}")
            target = _target(build, sensor, end, given[0], f"{given[0]}{number}")
            if given[0] == "geom" and target["type"] == "hfield":
                raise ElementProblem("the distance to a height field is not defined", f"geom{number}")
    if sensor.obj is not None and (sensor.objtype, sensor.objid) == (sensor.reftype, sensor.refid):
        raise ElementProblem("both objects are the same")


def _attach_contacts(build: Build, sensor: Any) -> None:
    first = [name for name in ("site", "body1", "subtree1", "geom1") if sensor[name] is not None]
    second = [name for name in ("body2", "subtree2", "geom2") if sensor[name] is not None]
    for names, end in ((first, "obj"), (second, "ref")):
        with build.at(sensor):
            if len(names) > 1:
                raise ElementProblem(f"{names[0]} and {names[1]} cannot be given together", names[1])
            for name in names:
                word = name.rstrip("12")
                kind, code = ("body", ObjType.XBODY) if word == "subtree" else (word, ObjType[word.upper()])
                _target(build, sensor, end, kind, name, code)
    if sensor["num"] <= 0:
        raise ElementProblem("num must be positive", "num")
    row, words = sensor.element.row, sensor["data"]
    reduce = row.attributes["reduce"].keywords[sensor["reduce"]]
    sensor.intprm = (_bits(words, row.attributes["data"]), reduce, sensor["num"])
    sensor.dim = sensor["num"] * sum(CONTACT_SIZES[word] for word in words)
    sensor.stage = _contact_stage(words, sensor["reduce"])


def _contact_stage(words: tuple[str, ...], reduce: str) -> Stage:
    """When a contact sensor can be computed: forces come last."""
    if {"force", "torque"} & set(words) or reduce in ("maxforce", "netforce"):
        return Stage.ACC
    return Stage.VEL if {"linvel", "angvel"} & set(words) else Stage.POS


def _attach_inside(build: Build, sensor: Any) -> None:
    target = _object(build, sensor, "obj")
    _target(build, sensor, "ref", "site", "site")
    sensor.intprm = (int(sensor["enclosed"]), 0, 0)
    if sensor["enclosed"]:
        _check_enclosed(sensor, target)
        sensor.datatype = DataType.REAL
    else:
        # yes or no, in frames of any scale
        sensor.scales = ""


def _check_enclosed(sensor: Any, target: Any) -> None:
    """What is to be enclosed as a whole must be made of compact convex shapes."""
    if sensor.objtype == ObjType.CAMERA:
        raise ElementProblem("a camera has no shape that could be enclosed", "objtype")
    if sensor.objtype == ObjType.SITE:
        return
    is_geom = sensor.objtype == ObjType.GEOM
    geoms = [target] if is_geom else _geoms(target, is_subtree=sensor.objtype == ObjType.XBODY)
    if not geoms:
        raise ElementProblem(f"{target.name!r} has no geom that could be enclosed", "objname")
    for geom in geoms:
        if geom["type"] in NOT_COMPACT:
            named = f"{geom.name!r}" if geom.name else f"a geom of {target.name!r}"
            raise ElementProblem(f"{named} is a {geom['type']}, which nothing can enclose", "objname")


def _geoms(body: Any, *, is_subtree: bool) -> list[Any]:
    below = [geom for child in body.bodies for geom in _geoms(child, is_subtree=True)] if is_subtree else []
    return [*body.geoms, *below]


def _attach_surface(build: Build, sensor: Any) -> None:
    _target(build, sensor, "ref", "geom", "geom")
    asset = _target(build, sensor, "obj", "mesh", "mesh")
    if asset.mesh is not None:
        sensor.dim = 3 * len(asset.mesh.source.vertices)


def _attach_anything(build: Build, sensor: Any) -> None:
    with build.at(sensor):
        if _are_both_given(sensor, "objtype", "objname"):
            _object(build, sensor, "obj")
    row = sensor.element.row.attributes
    sensor.dim = sensor["dim"] or 0
    sensor.datatype = DataType(row["datatype"].keywords[sensor["datatype"]])
    sensor.stage = Stage(row["needstage"].keywords[sensor["needstage"]])
    if sensor.dim < 0:
        raise ElementProblem("dim cannot be negative", "dim")
    needed = {DataType.AXIS: 3, DataType.QUATERNION: 4}.get(sensor.datatype, sensor.dim)
    if sensor.dim != needed:
        raise ElementProblem(f"datatype {sensor['datatype']!r} has {needed} numbers, not {sensor.dim}", "dim")


def _attach_nothing(build: Build, sensor: Any) -> None:
    """Of the whole model."""


#: By what a sensor is of; all other words are kinds of object.
_ATTACH: dict[str, Callable[[Build, Any], None]] = {
    MODEL: _attach_nothing,
    OBJECT: _attach_object,
    FRAME: _attach_frame,
    PAIR: _attach_pair,
    IMAGE: _attach_image,
    RAYS: _attach_rays,
    INSIDE: _attach_inside,
    CONTACTS: _attach_contacts,
    SURFACE: _attach_surface,
    ANY: _attach_anything,
}


def write_sensors(build: Build) -> None:
    sensors, columns, sizes = build.objects["sensor"], build.columns, build.sizes
    build.copy_plain(_BASE, sensors)
    build.copy_user("sensor", sensors)
    for column, name in {
        "type": "kind", "datatype": "datatype", "needstage": "stage", "objtype": "objtype", "objid": "objid",
        "reftype": "reftype", "refid": "refid", "intprm": "intprm", "dim": "dim",
    }.items():  # fmt: skip
        columns[f"sensor_{column}"] = [getattr(sensor, name) for sensor in sensors]
    columns["sensor_plugin"] = [-1] * len(sensors)
    interp = _BASE.attributes["interp"].keywords
    columns["sensor_history"] = [(sensor["nsample"], interp[sensor["interp"]]) for sensor in sensors]
    columns["sensor_adr"], columns["sensor_historyadr"] = [], []
    address = 0
    for sensor in sensors:
        columns["sensor_adr"].append(address)
        address += sensor.dim
        samples = sensor["nsample"]
        columns["sensor_historyadr"].append(sizes["nhistory"] if samples > 0 else -1)
        sizes["nhistory"] += history_size(samples, sensor.dim)
    sizes["nsensordata"] = address
