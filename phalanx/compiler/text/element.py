"""The tree of a model file: elements with typed attributes, each with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phalanx.compiler.text.attribute_values import check_value
from phalanx.compiler.text.errors import ElementProblem, Problem, Source, nearest
from phalanx.memory.errors import FieldError, UnknownNameError
from phalanx.tables.mjcf_row import ElementRow, Value
from phalanx.tables.mjcf_schema import ELEMENTS


class Element:
    """One element of a model: `element["pos"]` reads an attribute, `element["pos"] = 0, 0, 1` writes it.

    Attributes:
        row: what the schema says about it.
        attributes: the values that are written, by name.
        children: the elements inside, in order.
        parent: the element around it.
        text: character data between its tags (custom texts only).
    """

    __slots__ = (
        "attributes", "bad", "children", "offset", "parent", "refused", "row", "scope", "settled", "skipped", "source",
        "text",
    )  # fmt: skip

    def __init__(self, row: ElementRow, source: Source | None = None, offset: int = 0):
        self.row = row
        self.attributes: dict[str, Any] = {}
        self.children: list[Element] = []
        self.parent: Element | None = None
        self.source, self.offset = source, offset
        self.text = ""
        #: attributes that could not be read, or are missing: that is a problem already
        self.bad: tuple[str, ...] = ()
        #: names of elements inside that could not be read, their tags if they have none
        self.skipped: tuple[str, ...] = ()
        #: is it part of something that is refused? Then nothing else is said about it.
        self.refused = False
        #: settings of the model it was attached from, None for those of its own model
        self.scope: Any = None
        #: the object whose numbers, scaled already, the compiler has written on this element
        self.settled: Any = None

    # --- attributes

    @property
    def tag(self) -> str:
        return self.row.tag

    @property
    def name(self) -> str:
        """Its name, "" if it has none."""
        return self.attributes.get("class" if self.row.tag == "default" else "name", "")

    def __getitem__(self, name: str) -> Value:
        """The value that is written, or None."""
        self._row_of(name)
        return self.attributes.get(name)

    def __setitem__(self, name: str, value: Any) -> None:
        row = self._row_of(name)
        if value is None:
            self.attributes.pop(name, None)
            return
        try:
            self.attributes[name] = check_value(row, value)
        except ElementProblem as problem:
            raise FieldError(f"{self}: {problem}") from None

    def __delitem__(self, name: str) -> None:
        self[name] = None

    def __contains__(self, name: str) -> bool:
        return name in self.attributes

    def get(self, name: str, default: Any = None) -> Any:
        """The value that is written, or `default`."""
        return self.attributes.get(name, default)

    def _row_of(self, name: str) -> Any:
        try:
            return self.row.attributes[name]
        except KeyError:
            raise FieldError(f"{self.tag} has no attribute {name!r}{nearest(name, self.row.attributes)}") from None

    # --- children

    def add(self, tag: str, **attributes: Any) -> Element:
        """A new element at the end of this one; attributes that are Python words end in an underscore (`class_`)."""
        if tag not in self.row.children:
            raise FieldError(f"{self.tag} cannot hold {tag!r}{nearest(tag, self.row.children)}")
        key, most = self.row.children[tag]
        if sum(child.tag == tag for child in self.children) >= most:
            raise FieldError(f"{self.tag} holds {tag} already")
        child = Element(ELEMENTS[key])
        for name, value in attributes.items():
            child[name.rstrip("_")] = value
        return self.append(child)

    def append(self, child: Element) -> Element:
        """Put an element at the end of this one."""
        child.parent = self
        self.children.append(child)
        return child

    def remove(self) -> None:
        """Take this element, with all inside, out of its parent."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def walk(self) -> Iterator[Element]:
        """This element and all inside, depth first."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            if element.children:
                stack += element.children[::-1]

    def dissolve(self) -> None:
        """Take apart this element and all inside, so that none refers to another; none can be used any more."""
        stack = [self]
        while stack:
            element = stack.pop()
            stack += element.children
            element.parent, element.children = None, []

    def find(self, tag: str, name: str) -> Element:
        """The element inside with this tag and name."""
        names = []
        for element in self.walk():
            if element.tag == tag:
                if element.name == name:
                    return element
                names.append(element.name)
        raise UnknownNameError(f"there is no {tag} named {name!r}{nearest(name, names)}")

    def copy(self, twins: dict[int, Element] | None = None) -> Element:
        """A copy of this element with all inside, without a parent.

        Args:
            twins: filled with the copy of each element, by the id of the element.
        """
        twin = self._twin()
        stack = [(self, twin)]
        while stack:
            old, new = stack.pop()
            if twins is not None:
                twins[id(old)] = new
            for child in old.children:
                other = child._twin()
                new.append(other)
                stack.append((child, other))
        return twin

    def _twin(self) -> Element:
        twin = Element(self.row, self.source, self.offset)
        twin.attributes = dict(self.attributes)
        twin.text, twin.scope, twin.bad = self.text, self.scope, self.bad
        twin.skipped, twin.refused = self.skipped, self.refused
        return twin

    # --- messages

    def __str__(self) -> str:
        return f"{self.tag} {self.name!r}" if self.name else self.tag

    def __repr__(self) -> str:
        values = "".join(f" {name}={value!r}" for name, value in self.attributes.items())
        inside = f", {len(self.children)} inside" if self.children else ""
        return f"<{self.tag}{values}{inside}>"

    def problem(self, message: str, attribute: str = "") -> Problem:
        """A problem at the place of this element, or of one of its attributes."""
        if self.source is None:
            return Problem(message, element=str(self))
        offset = self.source.attribute_offset(self.offset, attribute) if attribute else self.offset
        return Problem(message, self.source.name, *self.source.place(offset), str(self))
