"""MJCF rows of sensors, from the rows of `sensors.py`: what all have, and what comes with the object they are of."""

from __future__ import annotations

from phalanx.tables.enums import ContactData, DataType, RayData, Stage
from phalanx.tables.history import INTERP
from phalanx.tables.mjcf_global import PLUGIN_REFERENCE
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
from phalanx.tables.sensors import (
    ANY,
    CONTACTS,
    EXTENSION,
    FRAME,
    IMAGE,
    INSIDE,
    MODEL,
    OBJECT,
    PAIR,
    RAYS,
    SURFACE,
    SensorRow,
)
from phalanx.tables.sensors import SENSORS as ROWS

_HISTORY = (
    integer("nsample", "samples in the history", 0, lowest=0),
    keyword("interp", "how the history is read", INTERP, "zoh"),
    real("delay", "delay of the reading", 0.0, "sensor_delay", lowest=0),
    real("interval", "sampling period and phase", (0.0, 0.0), "sensor_interval", (1, 2)),
)
_CUTOFF = real("cutoff", "bound of the outputs, 0 for none", 0.0, "sensor_cutoff", lowest=0)
_NOISE = real("noise", "standard deviation of the noise that `noisy_sensors` adds", 0.0, "sensor_noise", lowest=0)
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

_PAIR = tuple(
    refers(f"{kind}{n}", kind, f"{which} {kind}")
    for kind in ("geom", "body")
    for n, which in ((1, "first"), (2, "second"))
)

#: Attributes by what a sensor is of. A kind of object that is not listed is named by an attribute of the same name.
_ATTRIBUTES: dict[str, tuple[Attribute, ...]] = {
    MODEL: (),
    OBJECT: _OBJECT,
    FRAME: (*_OBJECT, *_REFERENCE),
    PAIR: _PAIR,
    IMAGE: (
        refers("site", "site", "the site", required=True),
        refers("camera", "camera", "the camera", required=True),
    ),
    RAYS: (
        refers("site", "site", "origin of a ray along z"),
        refers("camera", "camera", "camera with a ray per pixel"),
        keywords("data", "what is reported", words(RayData), ("dist",)),
    ),
    INSIDE: (
        refers("site", "site", "the site", required=True),
        *_OBJECT,
        flag("enclosed", "the whole object must be inside"),
    ),
    CONTACTS: (
        *_PAIR,
        refers("subtree1", "body", "subtree of the first geom"),
        refers("subtree2", "body", "subtree of the second geom"),
        refers("site", "site", "zone of the contact"),
        integer("num", "most contacts", 1),
        keywords("data", "what is reported", words(ContactData), ("found",)),
        keyword("reduce", "which contacts win", {"none": 0, "mindist": 1, "maxforce": 2, "netforce": 3}, "none"),
    ),
    SURFACE: (
        refers("geom", "geom", "the geom", required=True),
        refers("mesh", "mesh", "the mesh of points", required=True),
    ),
    EXTENSION: (
        *PLUGIN_REFERENCE,
        text("objtype", "kind of object"),
        text("objname", "the object"),
        text("reftype", "kind of reference"),
        text("refname", "the reference"),
    ),
    ANY: (
        text("objtype", "kind of object"),
        text("objname", "the object"),
        keyword("datatype", "kind of values", words(DataType), "real"),
        keyword("needstage", "stage after which it can be computed", words(Stage), "acc"),
        integer("dim", "number of values", required=True),
    ),
}


def _without(rows: tuple[Attribute, ...], names: str) -> tuple[Attribute, ...]:
    return tuple(row for row in rows if row.name not in names.split())


def _element(row: SensorRow) -> ElementRow:
    named = (refers(row.of, row.of, f"the {row.of}", required=True),)
    holds = "config" if row.of == EXTENSION else ""
    return element(f"sensor/{row.tag}", row.doc, _without(_BASE, row.lacks), _ATTRIBUTES.get(row.of, named), many=holds)


_MEMBERS = tuple(_element(row) for row in ROWS.values())

SENSORS = (element("sensor", "what is measured", many=" ".join(row.key for row in _MEMBERS)), *_MEMBERS)
