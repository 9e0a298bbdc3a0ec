"""The value of an attribute that is not written on an element: its default class, or what the schema says."""

from __future__ import annotations

from phalanx.compiler.edit.references import class_around
from phalanx.compiler.object.actuator_defaults import class_defaults
from phalanx.compiler.object.actuator_shortcut import GENERAL
from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.defaults import ACTUATOR_TAGS, TAG_OF, DefaultClass, Defaults, overlay
from phalanx.compiler.text.element import Element


def root_of(element: Element) -> Element:
    """The outermost element around an element."""
    while element.parent is not None:
        element = element.parent
    return element


def defaults_of(root: Element) -> Defaults:
    """The default classes of a model; what is wrong with them is reported when it is compiled."""
    defaults = Defaults()
    defaults.read(root, [])
    return defaults


def class_of(element: Element, defaults: Defaults) -> DefaultClass:
    """The default class of an element: the one it names, the nearest childclass around it, or main."""
    if element.row.key.startswith("default/") and element.parent is not None:
        return defaults.classes.get(element.parent.name or "main", defaults.main)
    name = element.attributes.get("class") or class_around(element)
    return defaults.classes.get(name, defaults.main)


def resolved_value(element: Element, name: str, defaults: Defaults | None = None) -> AttributeValue:
    """The value of an attribute with which an element is compiled; None if nothing gives it one.

    Args:
        element: in the tree of its model.
        name: of the attribute.
        defaults: the default classes of the model, read from its tree if None.
    """
    row = element.row
    if "class" not in row.attributes and not row.key.startswith("default/"):
        return overlay(row.defaults, element.attributes, row)[name]
    default = class_of(element, defaults if defaults is not None else defaults_of(root_of(element)))
    if row.key.startswith("actuator/") or (row.key.startswith("default/") and row.tag in ACTUATOR_TAGS):
        return _value_of_actuator(element, name, default)
    key = _KEY_OF_DEFAULT.get(row.key, row.key)
    return overlay(default.values(key), element.attributes, row).get(name)


def origin_of(element: Element, name: str) -> str:
    """Where the value of an attribute of an element is written, in words. Not for actuators, which mix defaults."""
    if name in element.attributes:
        return f"written on {element}"
    tag = TAG_OF.get(element.row.key, element.tag)
    for layer in class_of(element, defaults_of(root_of(element))).lineage():
        if tag in layer.elements and name in layer.elements[tag].attributes:
            return f"from default class {layer.name!r}"
    return "MJCF's default"


#: Row in a default class -> a row of the elements that it stands for.
_KEY_OF_DEFAULT = {f"default/{tag}": key for key, tag in reversed(TAG_OF.items())}


def _value_of_actuator(element: Element, name: str, default: DefaultClass) -> AttributeValue:
    """Actuators share one default: what any of them writes of a general actuator counts for all.

    Parameters of a shortcut (kp) come from the nearest default with the same tag.
    """
    row = element.row
    if name in GENERAL.attributes:
        values = class_defaults(default, {})[0].values
        return overlay(values, {name: element.attributes[name]} if name in element else {}, GENERAL).get(name)
    for here in (element, *(other for layer in default.lineage() for other in reversed(layer.actuators))):
        if here.tag == element.tag and name in here.attributes:
            return here.attributes[name]
    return row.defaults[name]
