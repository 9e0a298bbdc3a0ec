"""Default classes: the values of an element for attributes that are not written on it."""

from __future__ import annotations

from collections.abc import Iterator

from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import Problem, nearest
from phalanx.tables.mjcf_row import MANY, ORIENTATION_NAMES, ElementRow
from phalanx.tables.mjcf_schema import DEFAULT_SOURCES, ELEMENTS

#: Values of an element by attribute, with those of its default class.
Values = dict[str, AttributeValue]

#: Key of an element's row -> tag of its defaults.
TAG_OF = {
    **{key: tag for tag, key in DEFAULT_SOURCES.items() if not key.startswith("actuator/")},
    "tendon/spatial": "tendon",
    "tendon/fixed": "tendon",
    **{key: "equality" for key in ELEMENTS if key.startswith("equality/")},
}
ACTUATOR_TAGS = frozenset(tag for tag, key in DEFAULT_SOURCES.items() if key.startswith("actuator/"))
#: Rows to take attributes from where an element has more than its own row lists: a fixed tendon has a default width.
_FULL_ROW = {"tendon/fixed": ELEMENTS["tendon/spatial"]}


def overlay(base: Values, written: Values, row: ElementRow) -> Values:
    """Values of `base`, replaced by those that are written; a short list replaces the first values of a long one."""
    values = dict(base)
    for name, value in written.items():
        if type(value) is tuple:
            below = values.get(name)
            most = row.attributes[name].most
            if below is not None and most < MANY and len(value) < len(below) and type(value[0]) is not str:
                value = value + below[len(value) :]
        values[name] = value
    # an orientation can be written in several ways; one that is written replaces all that are inherited
    if "quat" in base:
        given = [name for name in ORIENTATION_NAMES if name in written]
        if given:
            for name in ORIENTATION_NAMES:
                if name not in given:
                    values[name] = None if name != "quat" else (1.0, 0.0, 0.0, 0.0)
    return values


class DefaultClass:
    """One default class: the elements written in it, and the class around it, which gives the rest."""

    def __init__(self, name: str, parent: DefaultClass | None):
        self.name, self.parent = name, parent
        self.elements: dict[str, Element] = {}
        #: actuator defaults in the order they are written
        self.actuators: list[Element] = []
        self._resolved: dict[str, Values] = {}

    def values(self, key: str) -> Values:
        """Complete values of an element of this class that has no attributes of its own."""
        found = self._resolved.get(key)
        if found is None:
            row = _FULL_ROW.get(key, ELEMENTS[key])
            base = self.parent.values(key) if self.parent else row.defaults
            element = self.elements.get(TAG_OF.get(key, ""))
            written = {name: v for name, v in element.attributes.items() if name in row.attributes} if element else {}
            found = self._resolved[key] = overlay(base, written, row)
        return found

    def unread(self, key: str) -> frozenset[str]:
        """Attributes with an unknown value: the class writes them, but the text could not be read."""
        above = self.parent.unread(key) if self.parent else frozenset()
        element = self.elements.get(TAG_OF.get(key, ""))
        return above if element is None else (above - element.attributes.keys()) | frozenset(element.bad)

    def as_it_is(self) -> DefaultClass:
        """A copy that later sections do not change: a class inside inherits what the outer one holds at that point."""
        twin = DefaultClass(self.name, self.parent)
        twin.elements, twin.actuators = dict(self.elements), list(self.actuators)
        return twin

    def lineage(self) -> Iterator[DefaultClass]:
        """This class and those around it, innermost first."""
        here: DefaultClass | None = self
        while here is not None:
            yield here
            here = here.parent

    def layers(self) -> list[Element]:
        """Texture layers of the material of this class, those of the innermost class that has any."""
        for here in self.lineage():
            element = here.elements.get("material")
            if element is not None and element.children:
                return element.children
        return []


class _Unknown(DefaultClass):
    """Stands for a class that does not exist. It might write any attribute, so all values count as unknown."""

    def unread(self, key: str) -> frozenset[str]:
        """All attributes."""
        return frozenset(_FULL_ROW.get(key, ELEMENTS[key]).attributes)


class Defaults:
    """All classes of a model."""

    def __init__(self) -> None:
        self.main = DefaultClass("main", None)
        self.classes = {"main": self.main}

    def read(self, root: Element, problems: list[Problem]) -> None:
        """Collect the classes of all default sections of a model; mistakes go to `problems`."""
        for section in root.children:
            if section.tag == "default":
                name = section.attributes.get("class", "")
                if name not in ("", "main"):
                    problems.append(section.problem(f"the outermost default class is 'main', not {name!r}", "class"))
                self._collect(section, self.main, problems)

    def _collect(self, section: Element, here: DefaultClass, problems: list[Problem]) -> None:
        """Add the elements of a section to a class, then the classes inside, which start from it."""
        for child in section.children:
            if child.tag in ACTUATOR_TAGS:
                here.actuators.append(child)
            elif child.tag != "default":
                before = here.elements.get(child.tag)
                if before is None:
                    here.elements[child.tag] = child
                else:
                    # repeated sections: later values replace earlier ones
                    merged = before.copy()
                    merged.attributes = overlay(before.attributes, child.attributes, child.row)
                    merged.bad = (*before.bad, *child.bad)
                    here.elements[child.tag] = merged
        for child in section.children:
            if child.tag == "default":
                name = child.attributes.get("class", "")
                if not name:
                    problems.append(child.problem("a default class needs a name", "class"))
                elif name in self.classes:
                    problems.append(child.problem(f"default class {name!r} is defined twice", "class"))
                else:
                    self.classes[name] = DefaultClass(name, here.as_it_is())
                    self._collect(child, self.classes[name], problems)

    def find(self, element: Element, attribute: str, problems: list[Problem]) -> DefaultClass | None:
        """The class that an attribute of an element names, None if the attribute is not written."""
        name = element.attributes.get(attribute)
        if name is None:
            return None
        found = self.classes.get(name)
        if found is None:
            message = f"{attribute}={name!r}: there is no such default class{nearest(name, self.classes)}"
            problems.append(element.problem(message, attribute))
            return _Unknown(name, self.main)
        return found
