"""Elements of sensors, from their fields: the reverse of `compiler/object/sensor.py`."""

from __future__ import annotations

from collections.abc import Callable

from phalanx.compiler.decompile.compiled_fields import CompiledFields, word_of, words_of
from phalanx.compiler.decompile.plugin_elements import refer_to_plugin
from phalanx.compiler.text.element import Element
from phalanx.tables.enums import ObjType, SensorType
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
    SENSORS,
    SURFACE,
)


def sensor_of(m: CompiledFields, sensor: int) -> Element:
    """The element of a sensor."""
    row = SENSORS[SensorType(m.integer("sensor_type", sensor))]
    element = m.element(f"sensor/{row.tag}", "sensor", sensor)
    history(m, element, "sensor", sensor)
    if row.of in _WRITE:
        _WRITE[row.of](m, element, sensor)
    else:
        m.refer(element, row.of, row.of, m.integer("sensor_objid", sensor))
    return element


def history(m: CompiledFields, element: Element, kind: str, objid: int) -> None:
    """Samples of the past and how they are read, of a sensor or an actuator that has some."""
    samples, order = m.values(f"{kind}_history", objid)
    if "nsample" in element.row.attributes:
        m.put(element, "nsample", samples)
        m.put(element, "interp", word_of(element.row.attributes["interp"], order))


def _ends(m: CompiledFields, sensor: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Type and id of the measured object, and of the reference."""
    rows = ("sensor_objtype", "sensor_objid", "sensor_reftype", "sensor_refid")
    objtype, objid, reftype, refid = (m.integer(row, sensor) for row in rows)
    return (objtype, objid), (reftype, refid)


def _nothing(m: CompiledFields, element: Element, sensor: int) -> None:
    """A sensor of the whole model."""


def _object(m: CompiledFields, element: Element, sensor: int) -> None:
    measured, reference = _ends(m, sensor)
    m.refer_typed(element, "obj", *measured)
    if reference[1] >= 0:
        m.refer_typed(element, "ref", *reference)


def _image(m: CompiledFields, element: Element, sensor: int) -> None:
    measured, reference = _ends(m, sensor)
    m.refer(element, "site", "site", measured[1])
    m.refer(element, "camera", "camera", reference[1])


def _rays(m: CompiledFields, element: Element, sensor: int) -> None:
    (code, objid), _ = _ends(m, sensor)
    kind = ObjType(code).name.lower()
    m.refer(element, kind, kind, objid)
    _data(m, element, sensor)


def _data(m: CompiledFields, element: Element, sensor: int) -> None:
    """The words of what is reported."""
    bits = m.integer("sensor_intprm", sensor, 0)
    m.put(element, "data", words_of(element.row.attributes["data"], bits, are_shifts=True))


def _inside(m: CompiledFields, element: Element, sensor: int) -> None:
    measured, reference = _ends(m, sensor)
    m.refer_typed(element, "obj", *measured)
    m.refer(element, "site", "site", reference[1])
    m.put(element, "enclosed", bool(m.integer("sensor_intprm", sensor, 0)))


def _pair(m: CompiledFields, element: Element, sensor: int) -> None:
    for suffix, (code, objid) in zip("12", _ends(m, sensor), strict=True):
        kind = ObjType(code).name.lower()
        m.refer(element, kind + suffix, kind, objid)


def _contacts(m: CompiledFields, element: Element, sensor: int) -> None:
    for suffix, (code, objid) in zip("12", _ends(m, sensor), strict=True):
        if objid >= 0:
            word = ObjType(code).name.lower()
            name = {"xbody": "subtree" + suffix, "site": "site"}.get(word, word + suffix)
            m.refer(element, name, "body" if word == "xbody" else word, objid)
    _data(m, element, sensor)
    m.put(element, "reduce", word_of(element.row.attributes["reduce"], m.integer("sensor_intprm", sensor, 1)))
    m.put(element, "num", m.integer("sensor_intprm", sensor, 2))


def _surface(m: CompiledFields, element: Element, sensor: int) -> None:
    measured, reference = _ends(m, sensor)
    m.refer(element, "mesh", "mesh", measured[1])
    m.refer(element, "geom", "geom", reference[1])


def _extension(m: CompiledFields, element: Element, sensor: int) -> None:
    measured, reference = _ends(m, sensor)
    for end, (code, objid) in (("obj", measured), ("ref", reference)):
        if objid >= 0:
            m.refer_typed(element, end, code, objid)
    refer_to_plugin(m, element, m.integer("sensor_plugin", sensor))


def _anything(m: CompiledFields, element: Element, sensor: int) -> None:
    measured, _ = _ends(m, sensor)
    if measured[1] >= 0:
        m.refer_typed(element, "obj", *measured)
    attributes = element.row.attributes
    element.attributes["dim"] = m.integer("sensor_dim", sensor)
    m.put(element, "datatype", word_of(attributes["datatype"], m.integer("sensor_datatype", sensor)))
    m.put(element, "needstage", word_of(attributes["needstage"], m.integer("sensor_needstage", sensor)))


#: By what a sensor is of; all other words are kinds of object.
_WRITE: dict[str, Callable[[CompiledFields, Element, int], None]] = {
    MODEL: _nothing,
    OBJECT: _object,
    FRAME: _object,
    PAIR: _pair,
    IMAGE: _image,
    RAYS: _rays,
    INSIDE: _inside,
    CONTACTS: _contacts,
    SURFACE: _surface,
    EXTENSION: _extension,
    ANY: _anything,
}
