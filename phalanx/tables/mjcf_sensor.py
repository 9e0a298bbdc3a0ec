"""MJCF rows of sensors. A sensor on one named object says which in `SIMPLE`; the others have code of their own."""

from __future__ import annotations

from phalanx.tables.enums import ContactData, DataType, RayData, Stage
from phalanx.tables.mjcf_actuator import INTERP
from phalanx.tables.mjcf_global import PLUGINS
from phalanx.tables.mjcf_row import (
    Attribute,
    ElementRow,
    element,
    flag,
    integer,
    keyword,
    keywords,
    name_of,
    real,
    refers,
    text,
    user,
    words,
)

_HISTORY = (
    integer("nsample", "samples in the history", 0, lowest=0),
    keyword("interp", "how the history is read", INTERP, "zoh"),
    real("delay", "delay of the reading", 0.0, "sensor_delay", lowest=0),
    real("interval", "sampling period and phase", (0.0, 0.0), "sensor_interval", (1, 2)),
)
_CUTOFF = real("cutoff", "bound of the outputs, 0 for none", 0.0, "sensor_cutoff", lowest=0)
_NOISE = real("noise", "standard deviation of the noise; none is added", 0.0, "sensor_noise", lowest=0)
_BASE = (name_of("sensor"), *_HISTORY, _CUTOFF, _NOISE, user("sensor_user"))

FRAME_OBJECTS = {"body": 1, "xbody": 2, "geom": 5, "site": 6, "camera": 7}

_OBJECT = (
    keyword("objtype", "kind of object", FRAME_OBJECTS, required=True),
    text("objname", "the object", required=True),
)
_REFERENCE = (
    keyword("reftype", "kind of object whose frame is used", FRAME_OBJECTS),
    text("refname", "the object whose frame is used, the world if absent"),
)

#: Tag -> (object kind, what is measured) of sensors on one named object.
SIMPLE: dict[str, tuple[str, str]] = {
    "touch": ("site", "force of contacts inside the zone of a site"),
    "accelerometer": ("site", "acceleration minus gravity, in the frame of a site"),
    "velocimeter": ("site", "velocity in the frame of a site"),
    "gyro": ("site", "angular velocity in the frame of a site"),
    "force": ("site", "force between a body and its parent, at a site"),
    "torque": ("site", "torque between a body and its parent, at a site"),
    "magnetometer": ("site", "magnetic flux in the frame of a site"),
    "jointpos": ("joint", "position of a joint"),
    "jointvel": ("joint", "velocity of a joint"),
    "tendonpos": ("tendon", "length of a tendon"),
    "tendonvel": ("tendon", "velocity of a tendon"),
    "actuatorpos": ("actuator", "length of an actuator"),
    "actuatorvel": ("actuator", "velocity of an actuator"),
    "actuatorfrc": ("actuator", "force of an actuator"),
    "jointactuatorfrc": ("joint", "actuator force on a joint"),
    "tendonactuatorfrc": ("tendon", "actuator force on a tendon"),
    "ballquat": ("joint", "quaternion of a ball joint"),
    "ballangvel": ("joint", "angular velocity of a ball joint"),
    "jointlimitpos": ("joint", "distance of a joint from its limit"),
    "jointlimitvel": ("joint", "velocity of a joint at its limit"),
    "jointlimitfrc": ("joint", "force of the limit of a joint"),
    "tendonlimitpos": ("tendon", "distance of a tendon from its limit"),
    "tendonlimitvel": ("tendon", "velocity of a tendon at its limit"),
    "tendonlimitfrc": ("tendon", "force of the limit of a tendon"),
    "subtreecom": ("body", "center of mass of a subtree"),
    "subtreelinvel": ("body", "velocity of the center of mass of a subtree"),
    "subtreeangmom": ("body", "angular momentum of a subtree"),
}

#: Tag -> (what is measured, whether a reference frame may be given).
FRAMES: dict[str, tuple[str, bool]] = {
    "framepos": ("position of a frame", True),
    "framequat": ("orientation of a frame", True),
    "framexaxis": ("x axis of a frame", True),
    "frameyaxis": ("y axis of a frame", True),
    "framezaxis": ("z axis of a frame", True),
    "framelinvel": ("velocity of a frame", True),
    "frameangvel": ("angular velocity of a frame", True),
    "framelinacc": ("acceleration of a frame", False),
    "frameangacc": ("angular acceleration of a frame", False),
}

_PAIR = tuple(refers(f"{kind}{n}", kind, f"{kind} number {n}") for kind in ("geom", "body") for n in (1, 2))


def _simple(tag: str) -> ElementRow:
    kind, doc = SIMPLE[tag]
    return element(f"sensor/{tag}", doc, _BASE, refers(kind, kind, f"the {kind}", required=True))


def _frame(tag: str) -> ElementRow:
    doc, has_reference = FRAMES[tag]
    return element(f"sensor/{tag}", doc, _BASE, _OBJECT, _REFERENCE if has_reference else ())


def _without(rows: tuple[Attribute, ...], names: str) -> tuple[Attribute, ...]:
    return tuple(row for row in rows if row.name not in names.split())


_OTHERS = (
    element("sensor/camprojection", "pixel of a site in a camera", _BASE,
            refers("site", "site", "the site", required=True), refers("camera", "camera", "the camera", required=True)),
    element("sensor/rangefinder", "distance to the nearest geom along rays", _BASE,
            refers("site", "site", "origin of a ray along z"), refers("camera", "camera",
                "camera with a ray per pixel"),
            keywords("data", "what is reported", words(RayData), ("dist",))),
    element("sensor/insidesite", "whether an object is inside a site", _BASE,
            refers("site", "site", "the site", required=True), _OBJECT,
            flag("enclosed", "the whole object must be inside")),
    *(element(f"sensor/{tag}", doc, _BASE, _PAIR) for tag, doc in (
        ("distance", "distance between two geoms or bodies"), ("normal", "direction of the shortest connection"),
        ("fromto", "end points of the shortest connection"))),
    element("sensor/contact", "contacts that match", _BASE, _PAIR,
            refers("subtree1", "body", "subtree of the first geom"), refers("subtree2", "body",
                "subtree of the second geom"),
            refers("site", "site", "zone of the contact"),
            integer("num", "most contacts", 1), keywords("data", "what is reported", words(ContactData), ("found",)),
            keyword("reduce", "which contacts win", {"none": 0, "mindist": 1, "maxforce": 2, "netforce": 3}, "none")),
    *(element(f"sensor/{tag}", doc, _BASE) for tag, doc in (
        ("e_potential", "potential energy"), ("e_kinetic", "kinetic energy"), ("clock", "simulation time"))),
    element("sensor/tactile", "penetration and slip at the points of a mesh", _without(_BASE, "noise"),
            refers("geom", "geom", "the geom", required=True), refers("mesh", "mesh", "the mesh of points",
                required=True)),
    element("sensor/user", "numbers that a callback fills in", _without(_BASE, "nsample interp delay interval"),
            text("objtype", "kind of object"), text("objname", "the object"),
            keyword("datatype", "kind of numbers", words(DataType), "real"),
            keyword("needstage", "stage after which it can be computed", words(Stage), "acc"),
            integer("dim", "how many numbers", required=True)),
    element("sensor/plugin", "a sensor driven by a plugin", _without(_BASE, "nsample interp delay interval noise"),
            text("plugin", "name of the plugin"), text("instance", "name of a shared instance"),
            text("objtype", "kind of object"), text("objname", "the object"),
            text("reftype", "kind of reference"), text("refname", "the reference"), many="config", unsupported=PLUGINS),
)  # fmt: skip

_MEMBERS = (*(_simple(tag) for tag in SIMPLE), *(_frame(tag) for tag in FRAMES), *_OTHERS)

SENSORS = (element("sensor", "what is measured", many=" ".join(row.key for row in _MEMBERS)), *_MEMBERS)
