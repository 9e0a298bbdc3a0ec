"""Values of actuators: default classes, which any element of an actuator may set, and shortcuts expanded.

All elements of actuators share one default. What a shortcut writes there, and on its own element, becomes values of
a general actuator at once; a shortcut inherits parameters only from a default of its own kind.
"""

from __future__ import annotations

from phalanx.compiler.object.actuator_shortcut import EXPAND, GENERAL, RESET, check_parameters, input_bits
from phalanx.compiler.text.defaults import DefaultClass, Values, overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_actuator import SHORTCUTS


class ActuatorDefault:
    """The actuator default of a class: raw values of a general actuator, and the tag it was written with."""

    def __init__(self, values: Values, tag: str):
        self.values, self.tag = values, tag

    def is_inherited_by(self, tag: str) -> bool:
        """Does a shortcut take its parameters from here, if they are not written on it?"""
        return self.tag == tag or (self.tag == "general" and self.values["gaintype"] == SHORTCUTS[tag].gain)


#: Without default classes.
START = ActuatorDefault({**GENERAL.defaults, "ctrlspec": 0}, "general")


def written_values(element: Element) -> Values:
    """What is written on an actuator of any kind that a general actuator has, too."""
    return {name: value for name, value in element.attributes.items() if name in GENERAL.attributes}


def has_unread_parameters(element: Element) -> bool:
    """Are there parameters of a shortcut that could not be read?"""
    return any(name in element.row.attributes and name not in GENERAL.attributes for name in element.bad)


def applied(element: Element, default: ActuatorDefault, around: list[ActuatorDefault]) -> ActuatorDefault:
    """The default after an element, in a default class or in the actuator section; `around` are those further out."""
    tag = element.tag
    known = written_values(element)
    if tag in ("general", "plugin"):
        values = overlay(default.values, known, GENERAL)
        # inputs belong to a gain
        if values["gaintype"] != default.values["gaintype"]:
            values["ctrlspec"] = 0
        if "input" in known:
            values["ctrlspec"] = input_bits(known["input"])
        return ActuatorDefault(values, "general")
    source = next((other for other in (default, *around) if other.is_inherited_by(tag)), None)
    base = source.values if source else {**START.values, **RESET}
    values = {**overlay(default.values, known, GENERAL), **RESET}
    given = {**element.attributes, "viscosity": values["damping"][0]}
    check_parameters(given)
    if SHORTCUTS[tag].decides_jointly and has_unread_parameters(element):
        raise ElementProblem("")  # it cannot be told what the shortcut stands for
    values |= {"gaintype": SHORTCUTS[tag].gain, **EXPAND[tag](given, base)}
    if "posrange" in element.attributes:
        values["ctrlrange"] = element.attributes["posrange"]
    return ActuatorDefault(values, tag)


def class_defaults(default: DefaultClass, cache: dict[int, list[ActuatorDefault]]) -> list[ActuatorDefault]:
    """Actuator defaults of a class and those around it, innermost first."""
    found = cache.get(id(default))
    if found is None:
        above = class_defaults(default.parent, cache) if default.parent else [START]
        state = above[0]
        for element in default.actuators:
            state = applied(element, state, above)
        found = cache[id(default)] = [state, *above]
    return found
