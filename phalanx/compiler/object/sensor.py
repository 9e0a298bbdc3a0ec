"""Sensors: what they are attached to, how many values they give, when they can be computed."""

from __future__ import annotations

from collections.abc import Callable

from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.body import Body
from phalanx.compiler.object.custom import object_type
from phalanx.compiler.object.geom import Geom
from phalanx.compiler.object.history import check_delay, check_samples
from phalanx.compiler.object.joint import Joint
from phalanx.compiler.object.plugin import PluginInstance, plugin_at
from phalanx.compiler.object.tendon import Tendon
from phalanx.compiler.scale.scaled_reference import scale_sensor
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.limits import VALUE_BYTES
from phalanx.tables.enums import DataType, ObjType, Stage
from phalanx.tables.geoms import GEOMS
from phalanx.tables.history import history_size
from phalanx.tables.mjcf_row import Attribute
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.plugins import PluginKind
from phalanx.tables.sensors import (
    ANY,
    CONTACT_SIZES,
    CONTACTS,
    EXTENSION,
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
)

#: Types of geom that no site can enclose.
NOT_COMPACT = tuple(row.tag for row in GEOMS.values() if not row.convex)
#: The attributes of all sensors are those of this one, and some of their own.
_BASE = ELEMENTS["sensor/touch"]


class Sensor(ModelObject):
    """A sensor. Most of it is told by the row of its kind; some elements replace parts of that."""

    #: the object that is measured, with its type and id
    obj: ModelObject | None = None
    objtype: ObjType = ObjType.UNKNOWN
    objid: int = -1
    #: the object that it is measured against: the frame of reference, or the second of two objects
    ref: ModelObject | None = None
    reftype: ObjType = ObjType.UNKNOWN
    refid: int = -1
    #: the plugin that reads it
    plugin: PluginInstance | None = None
    #: integers that a kind of sensor has besides: bits of the data fields, way of reduction, count
    intprm: tuple[int, int, int] = (0, 0, 0)

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        row = self.row = SENSORS_BY_TAG[element.tag]
        #: count of values, stage that must have run before, kind of values, dimension in frames that scale
        self.dim, self.stage, self.datatype, self.scales = row.dim, row.stage, row.datatype, row.scales

    def measure(self, target: ModelObject, objtype: ObjType) -> None:
        """Set the object that is measured."""
        self.obj, self.objtype, self.objid = target, objtype, target.id

    def refer_to(self, target: ModelObject, objtype: ObjType) -> None:
        """Set the object that it is measured against."""
        self.ref, self.reftype, self.refid = target, objtype, target.id


#: One of the two methods above.
Attach = Callable[[ModelObject, ObjType], None]


def collect_sensors(build: Build) -> None:
    """File all sensors by name."""
    for element in build.sections("sensor"):
        if not element.row.unsupported:
            build.add("sensor", Sensor(element, _values(element), element.scope or build.scope))


def _values(element: Element) -> Values:
    """Values of a sensor, which has no default class: those that are written, and the defaults of the schema."""
    values = {**_BASE.defaults, **element.row.defaults, **element.attributes}
    interval = element.get("interval")
    if interval is not None and len(interval) < 2:
        values["interval"] = (*interval, 0.0)
    return values


def compile_sensors(build: Build) -> None:
    """Attach all sensors to their objects, and scale what they say with these."""
    build.each(build.sensors, lambda sensor: _compile_sensor(build, sensor))


def _compile_sensor(build: Build, sensor: Sensor) -> None:
    attach = _ATTACH.get(sensor.row.of, _attach_named)
    build.all_of(sensor, lambda sensor: attach(build, sensor))
    build.all_of(sensor, _check_interval, check_delay, check_samples, _check_cutoff, _check_memory, scale_sensor)


# --- checks of all sensors


def _check_memory(sensor: Sensor) -> None:
    """Readings, with those of the past, must fit into the memory that a Data may have."""
    limits = sensor.scope.files.limits
    count = sensor.dim * max(sensor["nsample"], 1)
    if VALUE_BYTES * count > limits.model_bytes:
        raise ElementProblem(f"the sensor has {count} numbers, with them a Data has {limits.beyond('model_bytes')}")


def _check_interval(sensor: Sensor) -> None:
    period, phase = sensor["interval"]
    if period < 0 or phase > 0 or (period > 0 and phase <= -period):
        raise ElementProblem("interval is a period >= 0 and a phase between -period and 0", "interval")


def _check_cutoff(sensor: Sensor) -> None:
    is_direction = sensor.datatype in (DataType.QUATERNION, DataType.AXIS)
    if sensor["cutoff"] > 0 and is_direction and sensor.row.bounded:
        raise ElementProblem("cutoff has no meaning for directions and quaternions", "cutoff")


# --- sensors of one named object


def _find(build: Build, sensor: Sensor, kind: str, attribute: str) -> ModelObject:
    """The object that an attribute names, which must be written."""
    name = sensor[attribute]
    if not name:
        raise ElementProblem(f"{attribute} is missing")
    found: ModelObject = build.find(kind, name, attribute)
    return found


def _find_typed(build: Build, sensor: Sensor, end: str, attach: Attach) -> ModelObject:
    """Attach the object that objtype and objname tell, or reftype and refname; `end` is "obj" or "ref"."""
    kind, code = object_type(sensor[f"{end}type"], f"{end}type")
    target = _find(build, sensor, kind, f"{end}name")
    attach(target, code)
    return target


def _attach_nothing(build: Build, sensor: Sensor) -> None:
    """A sensor of the whole model."""


def _attach_named(build: Build, sensor: Sensor) -> None:
    """A sensor of one object; the attribute has the name of its kind."""
    row = sensor.row
    target = _find(build, sensor, row.of, row.of)
    sensor.measure(target, ObjType[row.of.upper()])
    _check_named(sensor, target)
    if row.of == "actuator":
        sensor.dim = row.dim * build.actuators[target.id].outnum


def _check_named(sensor: Sensor, target: ModelObject) -> None:
    """Has it the type and the limits that the sensor needs?"""
    row = sensor.row
    if row.joints and target["type"] not in row.joints:
        meant = f"{' and '.join(row.joints)} joints"
        raise ElementProblem(f"joint={target.name!r} is a {target['type']} joint; {row.tag} is for {meant}", "joint")
    if row.limited and isinstance(target, Joint | Tendon) and not target.limited:
        raise ElementProblem(f"{target.name!r} has no limits, which {row.tag} measures")


def _attach_object(build: Build, sensor: Sensor) -> None:
    """A sensor of any object with a frame."""
    with build.at(sensor):
        _find_typed(build, sensor, "obj", sensor.measure)


def _attach_frame(build: Build, sensor: Sensor) -> None:
    """The same, in the frame of another object if one is given."""
    _attach_object(build, sensor)
    if _are_both_given(sensor, "reftype", "refname"):
        _find_typed(build, sensor, "ref", sensor.refer_to)


def _are_both_given(sensor: Sensor, first: str, second: str) -> bool:
    """Are two attributes given? One alone is a mistake."""
    given = [name for name in (first, second) if sensor.values.get(name) is not None]
    if len(given) == 1:
        raise ElementProblem(f"{first} and {second} must be given together", given[0])
    return bool(given)


# --- cameras and rays


def _attach_image(build: Build, sensor: Sensor) -> None:
    """A site, seen by a camera."""
    sensor.measure(_find(build, sensor, "site", "site"), ObjType.SITE)
    camera = _find(build, sensor, "camera", "camera")
    sensor.refer_to(camera, ObjType.CAMERA)
    if not all(camera["resolution"]):
        raise ElementProblem(f"{sensor.row.tag} needs a camera with a resolution", "camera")


def _bits(words: tuple[str, ...], attribute: Attribute) -> int:
    """Keywords as bits."""
    return sum(1 << attribute.keywords[word] for word in words)


def _attach_rays(build: Build, sensor: Sensor) -> None:
    """One ray of a site, or one for each pixel of a camera."""
    given = [name for name in ("site", "camera") if sensor[name] is not None]
    if len(given) != 1:
        raise ElementProblem(f"a {sensor.row.tag} needs either a site or a camera")
    target = _find(build, sensor, given[0], given[0])
    sensor.measure(target, ObjType[given[0].upper()])
    words = sensor["data"]
    rays = 1 if given[0] == "site" else target["resolution"][0] * target["resolution"][1]
    sensor.intprm = (_bits(words, sensor.element.row.attributes["data"]), 0, 0)
    sensor.dim = rays * sum(RAY_SIZES[word] for word in words)


# --- two objects


def _attach_pair(build: Build, sensor: Sensor) -> None:
    """Two geoms, or all geoms of two bodies."""
    for suffix, attach in (("1", sensor.measure), ("2", sensor.refer_to)):
        with build.at(sensor):
            given = [kind for kind in ("geom", "body") if sensor[f"{kind}{suffix}"] is not None]
            if len(given) != 1:
                raise ElementProblem(f"{sensor.row.tag} needs either geom{suffix} or body{suffix}")
            target = _find(build, sensor, given[0], f"{given[0]}{suffix}")
            attach(target, ObjType[given[0].upper()])
            if given[0] == "geom" and target["type"] == "hfield":
                raise ElementProblem("the distance to a height field is not defined", f"geom{suffix}")
    if sensor.obj is not None and sensor.obj is sensor.ref:
        raise ElementProblem("both objects are the same")


def _attach_contacts(build: Build, sensor: Sensor) -> None:
    """Contacts in a site, of a body, a subtree or a geom, with a second one if that is given."""
    first = [name for name in ("site", "body1", "subtree1", "geom1") if sensor[name] is not None]
    second = [name for name in ("body2", "subtree2", "geom2") if sensor[name] is not None]
    for names, attach in ((first, sensor.measure), (second, sensor.refer_to)):
        with build.at(sensor):
            _attach_contact_end(build, sensor, names, attach)
    if sensor["num"] <= 0:
        raise ElementProblem("num must be positive", "num")
    row, words = sensor.element.row, sensor["data"]
    reduce = row.attributes["reduce"].keywords[sensor["reduce"]]
    sensor.intprm = (_bits(words, row.attributes["data"]), reduce, sensor["num"])
    sensor.dim = sensor["num"] * sum(CONTACT_SIZES[word] for word in words)
    sensor.stage = _contact_stage(words, sensor["reduce"])


def _attach_contact_end(build: Build, sensor: Sensor, names: list[str], attach: Attach) -> None:
    """One of the two objects in contact; `names` are the attributes that tell it, at most one."""
    if len(names) > 1:
        raise ElementProblem(f"{names[0]} and {names[1]} cannot be given together", names[1])
    for name in names:
        word = name.rstrip("12")
        kind, code = ("body", ObjType.XBODY) if word == "subtree" else (word, ObjType[word.upper()])
        attach(_find(build, sensor, kind, name), code)


def _contact_stage(words: tuple[str, ...], reduce: str) -> Stage:
    """When a contact sensor can be computed: forces come last."""
    if {"force", "torque"} & set(words) or reduce in ("maxforce", "netforce"):
        return Stage.ACC
    return Stage.VEL if {"linvel", "angvel"} & set(words) else Stage.POS


# --- objects inside of a site


def _attach_inside(build: Build, sensor: Sensor) -> None:
    """An object in a site: whether its origin is inside, or how far the whole object stands out."""
    target = _find_typed(build, sensor, "obj", sensor.measure)
    sensor.refer_to(_find(build, sensor, "site", "site"), ObjType.SITE)
    sensor.intprm = (int(sensor["enclosed"]), 0, 0)
    if sensor["enclosed"]:
        _check_enclosed(sensor, target)
        sensor.datatype = DataType.REAL
    else:
        # yes or no, in frames of any scale
        sensor.scales = ""


def _check_enclosed(sensor: Sensor, target: ModelObject) -> None:
    """An object that is to be enclosed must consist of compact convex shapes."""
    if sensor.objtype == ObjType.CAMERA:
        raise ElementProblem("a camera has no shape that could be enclosed", "objtype")
    if sensor.objtype == ObjType.SITE:
        return
    geoms = _geoms(target, is_subtree=sensor.objtype == ObjType.XBODY)
    if not geoms:
        raise ElementProblem(f"{target.name!r} has no geom that could be enclosed", "objname")
    for geom in geoms:
        if geom["type"] in NOT_COMPACT:
            named = f"{geom.name!r}" if geom.name else f"a geom of {target.name!r}"
            raise ElementProblem(f"{named} is a {geom['type']}, which nothing can enclose", "objname")


def _geoms(target: ModelObject, *, is_subtree: bool) -> list[Geom]:
    """A geom itself, or the geoms of a body, with those of all bodies below it if it stands for its subtree."""
    if isinstance(target, Geom):
        return [target]
    if not isinstance(target, Body):
        return []
    below = [geom for child in target.bodies for geom in _geoms(child, is_subtree=True)] if is_subtree else []
    return [*target.geoms, *below]


# --- others


def _attach_surface(build: Build, sensor: Sensor) -> None:
    """Touch at the vertices of a mesh, which is fixed to a geom."""
    sensor.refer_to(_find(build, sensor, "geom", "geom"), ObjType.GEOM)
    asset = build.meshes[_find(build, sensor, "mesh", "mesh").id]
    sensor.measure(asset, ObjType.MESH)
    if asset.mesh is not None:
        sensor.dim = 3 * len(asset.mesh.source.vertices)


def _attach_anything(build: Build, sensor: Sensor) -> None:
    """A sensor of the user, who tells everything about it."""
    with build.at(sensor):
        if _are_both_given(sensor, "objtype", "objname"):
            _find_typed(build, sensor, "obj", sensor.measure)
    row = sensor.element.row.attributes
    sensor.dim = sensor["dim"] or 0
    sensor.datatype = DataType(row["datatype"].keywords[sensor["datatype"]])
    sensor.stage = Stage(row["needstage"].keywords[sensor["needstage"]])
    _check_dim(sensor)


def _attach_plugin(build: Build, sensor: Sensor) -> None:
    """A sensor of a plugin, whose configuration says how many numbers it reads."""
    with build.at(sensor):
        if _are_both_given(sensor, "objtype", "objname"):
            _find_typed(build, sensor, "obj", sensor.measure)
    with build.at(sensor):
        if _are_both_given(sensor, "reftype", "refname"):
            _find_typed(build, sensor, "ref", sensor.refer_to)
    sensor.plugin = plugin_at(build, sensor.element, PluginKind.SENSOR)
    if sensor.plugin is not None and sensor.plugin.row is not None:
        if sensor.objtype != ObjType.SITE:
            raise ElementProblem(f"a sensor of {sensor.plugin.row.name} is attached to a site", "objtype")
        sensor.dim = sensor.plugin.row.readings(sensor.plugin.config)


def _check_dim(sensor: Sensor) -> None:
    if sensor.dim < 0:
        raise ElementProblem("dim cannot be negative", "dim")
    needed = {DataType.AXIS: 3, DataType.QUATERNION: 4}.get(sensor.datatype, sensor.dim)
    if sensor.dim != needed:
        raise ElementProblem(f"datatype {sensor['datatype']!r} has {needed} numbers, not {sensor.dim}", "dim")


#: By what a sensor is of; all other words are kinds of object.
_ATTACH: dict[str, Callable[[Build, Sensor], None]] = {
    MODEL: _attach_nothing,
    OBJECT: _attach_object,
    FRAME: _attach_frame,
    PAIR: _attach_pair,
    IMAGE: _attach_image,
    RAYS: _attach_rays,
    INSIDE: _attach_inside,
    CONTACTS: _attach_contacts,
    SURFACE: _attach_surface,
    EXTENSION: _attach_plugin,
    ANY: _attach_anything,
}


def write_sensors(build: Build) -> None:
    """Columns of sensors; their readings and histories follow each other."""
    sensors, columns, sizes = build.sensors, build.columns, build.sizes
    build.copy_plain(_BASE, sensors)
    build.copy_user("sensor", sensors)
    columns["sensor_type"] = [sensor.row.kind for sensor in sensors]
    columns["sensor_datatype"] = [sensor.datatype for sensor in sensors]
    columns["sensor_needstage"] = [sensor.stage for sensor in sensors]
    columns["sensor_objtype"] = [sensor.objtype for sensor in sensors]
    columns["sensor_objid"] = [sensor.objid for sensor in sensors]
    columns["sensor_reftype"] = [sensor.reftype for sensor in sensors]
    columns["sensor_refid"] = [sensor.refid for sensor in sensors]
    columns["sensor_intprm"] = [sensor.intprm for sensor in sensors]
    columns["sensor_dim"] = [sensor.dim for sensor in sensors]
    columns["sensor_plugin"] = [sensor.plugin.id if sensor.plugin is not None else -1 for sensor in sensors]
    columns["sensor_adr"] = starts_of(columns["sensor_dim"])
    sizes["nsensordata"] = sum(columns["sensor_dim"])
    _write_histories(build)


def _write_histories(build: Build) -> None:
    """Buffers of past readings, after those of actuators: a header of two values, all times, all readings."""
    columns, sizes = build.columns, build.sizes
    interp = _BASE.attributes["interp"].keywords
    columns["sensor_history"] = [(sensor["nsample"], interp[sensor["interp"]]) for sensor in build.sensors]
    columns["sensor_historyadr"] = []
    for sensor in build.sensors:
        samples = sensor["nsample"]
        columns["sensor_historyadr"].append(sizes["nhistory"] if samples > 0 else -1)
        sizes["nhistory"] += history_size(samples, sensor.dim)
