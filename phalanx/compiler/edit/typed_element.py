"""Elements as users edit them: attributes of the file are attributes of Python, `geom.size = 0.1, 0.2, 0.3`.

Which attributes, lists and methods an element has follows from its row in the schema. Type checkers and editors see
the same in `element_types.pyi`, which `tools/write_stubs.py` writes.
"""

from __future__ import annotations

import functools
import keyword
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from phalanx.compiler.edit.delete import Deletion, delete
from phalanx.compiler.edit.resolve import resolved_value
from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import nearest
from phalanx.memory.errors import FieldError
from phalanx.tables.mjcf_kinds import BY_PLURAL, KINDS, TRANSPARENT, KindRow
from phalanx.tables.mjcf_row import ElementRow
from phalanx.tables.mjcf_schema import ELEMENTS

_SLOTS = frozenset(Element.__slots__)


def python_name(name: str) -> str:
    """An attribute of the file as Python can write it: `class_` for class."""
    return name + "_" if keyword.iskeyword(name) else name


def lists_of(row: ElementRow) -> dict[str, KindRow]:
    """Lists of elements inside, by their plural, that an element of a row has."""
    kinds = dict.fromkeys(ELEMENTS[key].kind for key, _ in row.children.values())
    return {KINDS[kind].plural: KINDS[kind] for kind in kinds if kind in KINDS}


def only_children(row: ElementRow) -> dict[str, ElementRow]:
    """Elements inside that appear once at most, by tag; an attribute of Python gives them."""
    found = {tag: ELEMENTS[key] for tag, (key, most) in row.children.items() if most == 1}
    return {tag: child for tag, child in found.items() if not child.unsupported}


def adders_of(row: ElementRow) -> dict[str, ElementRow]:
    """Methods that add an element, by their names."""
    found = {f"add_{tag}": ELEMENTS[key] for tag, (key, _) in row.children.items()}
    return {name: child for name, child in found.items() if not child.unsupported}


def carried(holder: Element, kind: KindRow) -> Iterator[Element]:
    """Elements of a kind that an element holds, also those in frames, but not those of other bodies."""
    for child in holder.children:
        if child.row.kind == kind.name:
            yield child
        if child.tag in TRANSPARENT:
            yield from carried(child, kind)


class TypedElement(Element):
    """An element of a Spec.

    `element.size` is the value that is written, None if there is none; `element.size = ...` writes it after a check,
    None takes it away. `element.resolved("size")` also looks at default classes. A body lists what it carries
    (`body.geoms`), and has a method for each element that it can hold (`body.add_geom(size=0.1)`).
    """

    __slots__ = ()

    # a type checker sees the attributes of each class in the stub, and must not see that any name is looked up
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name in _SLOTS:
                raise AttributeError(name)
            bare, row = name.removesuffix("_"), self.row
            if bare in row.attributes:
                return self.attributes.get(bare)
            if name in BY_PLURAL and name in lists_of(row):
                return list(carried(self, BY_PLURAL[name]))
            if name.startswith("add_") and name in adders_of(row):
                return partial(self.add, name.removeprefix("add_"))
            if bare in only_children(row):
                return self._only(bare)
            raise self._unknown(name)

        def __setattr__(self, name: str, value: object) -> None:
            if name in _SLOTS:
                object.__setattr__(self, name, value)
                return
            bare = name.removesuffix("_")
            if name == "name" and self.row.tag == "default":
                bare = "class"
            if bare in self.row.attributes:
                self[bare] = value
            else:
                raise self._unknown(name)

    def __delattr__(self, name: str) -> None:
        self[name.removesuffix("_")] = None

    def _unknown(self, name: str) -> FieldError:
        return FieldError(f"{self.tag} has no attribute {name!r}{nearest(name, self._names())}")

    def _names(self) -> list[str]:
        """Names that the schema gives to an element of this row."""
        row = self.row
        return [
            *map(python_name, row.attributes),
            *map(python_name, only_children(row)),
            *lists_of(row),
            *adders_of(row),
        ]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names()})

    def _only(self, tag: str) -> Element | None:
        """The one element inside with a tag. A new one if there is none, unless that would have to say something."""
        for child in self.children:
            if child.tag == tag:
                return child
        needs = any(row.required for row in only_children(self.row)[tag].attributes.values())
        return None if needs else self.add(tag)

    def resolved(self, name: str) -> AttributeValue:
        """The value of an attribute that counts: written here, or from its default class, or MJCF's own default.

        None stands for a value that the compiler computes from others. Angles are in the unit of the file.

        >>> from phalanx import Spec
        >>> spec = Spec.from_string("<mujoco><default><geom rgba='1 0 0 1'/></default></mujoco>")
        >>> geom = spec.worldbody.add_geom(size=0.1)
        >>> geom.rgba, geom.resolved("rgba"), geom.resolved("condim")
        (None, (1.0, 0.0, 0.0, 1.0), 3)
        """
        bare = name.removesuffix("_")
        self._row_of(bare)
        return resolved_value(self, bare)

    def delete(self, references: str = "delete") -> Deletion:
        """Take this element out of the model, with all inside and, as `references` says, with what refers to it.

        Args:
            references: "delete" takes elements that refer to it along; "refuse" raises, and says which they are.

        Returns:
            What went.
        """
        return delete(self, references)

    def _made(self, row: ElementRow) -> Element:
        return typed(Element(row))


def class_name(key: str) -> str:
    """The name of the class of a row: "ActuatorMotor" for "actuator/motor"."""
    return "".join(part.capitalize() for part in key.split("/"))


@functools.cache
def element_class(key: str) -> type[TypedElement]:
    """The class of the elements of a row."""
    members = {"__slots__": (), "__doc__": ELEMENTS[key].doc, "__module__": "phalanx.compiler.edit.element_types"}
    return type(class_name(key), (TypedElement,), members)


def typed(root: Element) -> TypedElement:
    """The same element, with all inside, as users edit them."""
    for element in root.walk():
        object.__setattr__(element, "__class__", element_class(element.row.key))
    assert isinstance(root, TypedElement)
    return root
