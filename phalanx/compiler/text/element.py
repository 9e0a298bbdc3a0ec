"""The tree of a model file: elements with typed attributes, each with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from phalanx.compiler.text.attribute_values import AttributeValue, check_value
from phalanx.compiler.text.errors import ElementProblem, Problem, Source, nearest
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, UnknownNameError
from phalanx.tables.mjcf_row import ORIENTATION_NAMES, Attribute, ElementRow, Holds, Value
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.edit.keyframe_merge import Pieces
    from phalanx.compiler.object.body import Body
    from phalanx.compiler.text.file_settings import Scope


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
        "attributes", "bad", "children", "copied_from", "is_unframed", "parent", "pieces", "place", "refused", "row",
        "scope", "settled", "skipped", "source", "text",
    )  # fmt: skip

    def __init__(self, row: ElementRow, source: Source | None = None, place: int = 0):
        self.row = row
        self.attributes: dict[str, AttributeValue] = {}
        self.children: list[Element] = []
        self.parent: Element | None = None
        self.source, self.place = source, place
        self.text = ""
        #: the element that this one is a copy of, or a copy of a copy; None for one that is no copy
        self.copied_from: Element | None = None
        #: attributes that could not be read, or are required and missing; these problems are reported already
        self.bad: tuple[str, ...] = ()
        #: names of the elements inside that could not be read, "<tag>" for one without a name
        self.skipped: tuple[str, ...] = ()
        #: does it hold an element that is not supported? Then no other problem of it is reported.
        self.refused = False
        #: settings of the model it was attached from, None for those of its own model
        self.scope: Scope | None = None
        #: the vectors of a keyframe that follows its joints, None for all other elements
        self.pieces: Pieces | None = None
        #: the body that this element was made from while compiling; its values are scaled already
        self.settled: Body | None = None
        #: is it a body whose pose is in the body around it, whatever frames are between them?
        self.is_unframed = False

    # --- attributes

    @property
    def tag(self) -> str:
        """Its tag in XML ("geom")."""
        return self.row.tag

    @property
    def name(self) -> str:
        """Its name, or class for a default; "" if it has none."""
        return self.attributes.get("class" if self.row.tag == "default" else "name", "")

    def __getitem__(self, name: str) -> Value:
        """The value that is written, or None."""
        self._row_of(name)
        return self.attributes.get(name)

    def __setitem__(self, name: str, value: object) -> None:
        row = self._row_of(name)
        if value is None:
            self.attributes.pop(name, None)
            return
        if isinstance(value, Element):
            value = self._name_of(value, row)
        try:
            self.attributes[name] = check_value(row, value)
        except ElementProblem as problem:
            raise FieldError(f"{self}: {problem}") from None
        # an orientation has one form: a new one replaces what is written in another
        if name in ORIENTATION_NAMES and "quat" in self.row.attributes:
            for other in ORIENTATION_NAMES:
                if other != name:
                    self.attributes.pop(other, None)

    def _name_of(self, other: Element, row: Attribute) -> str:
        """The name of an element that is given in place of a name."""
        if row.holds is not Holds.REFERENCE and row.name not in ("objname", "refname"):
            raise FieldError(f"{self}: {row.name} takes {row.holds.value}, not an element")
        if row.kind and other.row.kind != row.kind:
            raise FieldError(f"{self}: {row.name} takes a {row.kind}, not a {other.row.kind or other.tag}")
        if not other.name:
            raise FieldError(f"{self}: {row.name} needs a {other.tag} with a name; give it one first")
        return other.name

    def __delitem__(self, name: str) -> None:
        self[name] = None

    def __contains__(self, name: str) -> bool:
        return isinstance(name, str) and name in self.attributes

    def get(self, name: str, default: AttributeValue = None) -> AttributeValue:
        """The value that is written, or `default`."""
        return self.attributes.get(name, default) if isinstance(name, str) else default

    def _row_of(self, name: str) -> Attribute:
        try:
            return self.row.attributes[name]
        except (KeyError, TypeError):  # what cannot be a key is no name
            raise FieldError(f"{self.tag} has no attribute {name!r}{nearest(name, self.row.attributes)}") from None

    # --- children

    @arguments_checked
    def add(self, tag: str, **attributes: object) -> Element:
        """A new element at the end of this one; an attribute that is a keyword of Python ends in `_` (`class_`)."""
        if tag not in self.row.children:
            raise FieldError(f"{self.tag} cannot hold {tag!r}{nearest(tag, self.row.children)}")
        key, most = self.row.children[tag]
        if sum(child.tag == tag for child in self.children) >= most:
            raise FieldError(f"{self.tag} holds {tag} already")
        child = self._made(ELEMENTS[key])
        for name, value in attributes.items():
            child[name.rstrip("_")] = value
        return self.append(child)

    def _made(self, row: ElementRow) -> Element:
        """A new element of the same family as this one."""
        return Element(row)

    @arguments_checked
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
        """Cut the references between this element and all inside, so that memory is freed at once.

        None of them can be used afterwards.
        """
        stack = [self]
        while stack:
            element = stack.pop()
            stack += element.children
            element.parent, element.children = None, []

    @arguments_checked
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
        """A copy without children and parent."""
        twin = Element(self.row, self.source, self.place)
        twin.attributes = dict(self.attributes)
        twin.text, twin.scope, twin.bad = self.text, self.scope, self.bad
        twin.skipped, twin.refused, twin.pieces = self.skipped, self.refused, self.pieces
        twin.is_unframed = self.is_unframed
        twin.copied_from = self if self.copied_from is None else self.copied_from
        return twin

    # --- messages

    def __str__(self) -> str:
        return f"{self.tag} {self.name!r}" if self.name else self.tag

    def __repr__(self) -> str:
        values = "".join(f" {name}={value!r}" for name, value in self.attributes.items())
        inside = f", {len(self.children)} inside" if self.children else ""
        return f"<{self.tag}{values}{inside}>"

    @arguments_checked
    def problem(self, message: str, attribute: str = "") -> Problem:
        """A problem at the place of this element, or of one of its attributes."""
        if self.source is None:
            return Problem(message, element=str(self))
        offset = self.source.attribute_offset(self.place, attribute) if attribute else self.place
        return Problem(message, self.source.name, *self.source.place(offset), str(self))
