"""The text of `phalanx/compiler/edit/element_types.pyi`: a class for each element of MJCF, and what a Spec offers.

Every attribute of the schema becomes a typed attribute with its meaning; what can be added becomes a method whose
keywords a type checker knows. `tools/write_stubs.py` writes the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from phalanx.compiler.edit.typed_element import adders_of, class_name, lists_of, only_children, python_name
from phalanx.compiler.text.attribute_values import arity
from phalanx.tables.mjcf_kinds import KINDS, SETTINGS, KindRow
from phalanx.tables.mjcf_row import Attribute, ElementRow, Holds
from phalanx.tables.mjcf_schema import ELEMENTS

HEAD = '''"""Elements of a Spec. Written by `python -m tools.write_stubs` from the tables; do not edit."""

# ruff: noqa: E501 : lines are as long as the types in them
# fmt: off

from collections.abc import Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack, overload

import numpy as np

from phalanx.compiler.edit.typed_element import TypedElement
from phalanx.compiler.text.element import Element

Name = TypeVar("Name")

NumberLike = float | str | None
NumbersLike = float | Sequence[float] | np.ndarray | str | None
IntegerLike = int | str | None
IntegersLike = int | Sequence[int] | np.ndarray | str | None
FlagLike = bool | str | None
TextLike = str | None
WordsLike = str | Sequence[str] | None
ReferenceLike = str | Element | None

class Number:
    """A number, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> float | None: ...
    def __set__(self, owner: Any, value: NumberLike) -> None: ...

class Numbers:
    """Several numbers, None if they are not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> tuple[float, ...] | None: ...
    def __set__(self, owner: Any, value: NumbersLike) -> None: ...

class Integer:
    """A whole number, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> int | None: ...
    def __set__(self, owner: Any, value: IntegerLike) -> None: ...

class Integers:
    """Several whole numbers, None if they are not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> tuple[int, ...] | None: ...
    def __set__(self, owner: Any, value: IntegersLike) -> None: ...

class Flag:
    """True or false, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> bool | None: ...
    def __set__(self, owner: Any, value: FlagLike) -> None: ...

class Text:
    """A text, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> str | None: ...
    def __set__(self, owner: Any, value: TextLike) -> None: ...

class Words:
    """Several words, None if they are not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> tuple[str, ...] | None: ...
    def __set__(self, owner: Any, value: WordsLike) -> None: ...

class Reference:
    """The name of another element, None if it is not written. Such an element can be assigned as well."""

    def __get__(self, owner: Any, kind: Any = ...) -> str | None: ...
    def __set__(self, owner: Any, value: ReferenceLike) -> None: ...

class Word(Generic[Name]):
    """One of some words, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> Name | None: ...
    def __set__(self, owner: Any, value: Name | None) -> None: ...
'''

#: What an attribute holds -> its type in the stub, for one value and for several.
_TYPES = {
    Holds.REAL: ("Number", "Numbers"),
    Holds.INT: ("Integer", "Integers"),
    Holds.BOOL: ("Flag", "Flag"),
    Holds.TEXT: ("Text", "Text"),
    Holds.FILE: ("Text", "Text"),
    Holds.NAME: ("Text", "Text"),
    Holds.KEYWORDS: ("Words", "Words"),
    Holds.REFERENCE: ("Reference", "Reference"),
    Holds.REFERENCES: ("Words", "Words"),
}


def type_of(row: Attribute, *, given: bool = False) -> str:
    """The type of an attribute; with `given` that of the keyword that sets it."""
    if row.holds is Holds.KEYWORD:
        words = f"Literal[{', '.join(map(repr, row.keywords))}]".replace("'", '"')
        return f"{words} | None" if given else f"Word[{words}]"
    name = _TYPES[row.holds][0 if row.is_scalar else 1]
    if row.name in ("objname", "refname"):
        name = "Reference"
    return f"{name}Like" if given else name


def meaning(row: Attribute) -> str:
    """Doc, count of values, default and kind of a row, in one line."""
    notes = [arity(row)] if row.holds in (Holds.REAL, Holds.INT) and not row.is_scalar else []
    notes += ["required"] if row.required else []
    if row.default not in (None, "", ()):
        values = row.default if isinstance(row.default, tuple) else (row.default,)
        notes.append("default " + " ".join(str(value) if isinstance(value, str) else f"{value:g}" for value in values))
    return row.doc + (f" ({', '.join(notes)})" if notes else "")


def fits(row: ElementRow) -> bool:
    """Is an element one that Phalanx supports?"""
    return not row.unsupported


def keywords_of(row: ElementRow) -> Iterator[str]:
    """The keywords with which an element can be added."""
    yield from ("", f"class {class_name(row.key)}Attributes(TypedDict, total=False):")
    for attribute in row.attributes.values():
        yield f"    {python_name(attribute.name)}: {type_of(attribute, given=True)}"
    if not row.attributes:
        yield "    pass"


def class_of(row: ElementRow) -> Iterator[str]:
    """The class of an element: attributes, the elements inside, and methods that add them."""
    yield from ("", f"class {class_name(row.key)}(TypedElement):", f'    """{row.doc}"""', "")
    for attribute in row.attributes.values():
        if attribute.name != "name":
            yield f"    {python_name(attribute.name)}: {type_of(attribute)}"
            yield f'    """{meaning(attribute)}"""'
    if "name" in row.attributes:
        yield from ("    @property", "    def name(self) -> str: ...", "    @name.setter")
        yield "    def name(self, value: str | None) -> None: ..."
    for tag, child in only_children(row).items():
        may_lack = " | None" if any(attribute.required for attribute in child.attributes.values()) else ""
        yield from ("    @property", f"    def {python_name(tag)}(self) -> {class_name(child.key)}{may_lack}:")
        yield f'        """{child.doc}"""'
    for plural, kind in lists_of(row).items():
        yield from listing(plural, kind)
    for method, child in adders_of(row).items():
        name = class_name(child.key)
        yield f"    def {method}(self, **attributes: Unpack[{name}Attributes]) -> {name}:"
        yield f'        """A new {child.tag} inside: {child.doc}."""'


def element_of(kind: KindRow) -> str:
    """The type of an element of a kind."""
    return " | ".join(class_name(key) for key in kind.keys.values())


def listing(plural: str, kind: KindRow) -> Iterator[str]:
    """The list of all elements of a kind."""
    yield from ("    @property", f"    def {plural}(self) -> list[{alias_of(kind)}]:")
    yield f'        """Every {kind.name}."""'


def alias_of(kind: KindRow) -> str:
    """The name of the type of all elements of a kind."""
    return f"Any{kind.name.capitalize()}" if kind.has_types else element_of(kind)


def spec_class() -> Iterator[str]:
    """What a Spec lists, finds and adds."""
    yield from ("", "class SpecElements:", '    """What a Spec lists, finds and adds, by kind of element."""', "")
    for section in SETTINGS:
        yield from ("    @property", f"    def {section}(self) -> {class_name(section)}:")
        yield f'        """{ELEMENTS[section].doc}"""'
    for plural, kind in ((row.plural, row) for row in KINDS.values()):
        yield from listing(plural, kind)
    for kind in KINDS.values():
        # a call finds the world body, too, which is a body without attributes
        yield f"    def {kind.name}(self, name: str, /) -> {alias_of(kind)}:"
        yield f'        """The {kind.name} with a name."""'
    for kind in KINDS.values():
        if kind.section:
            yield from adder_of(kind)


def adder_of(kind: KindRow) -> Iterator[str]:
    """The method that adds an element of a kind; of one with types there is a form for each."""
    for tag, key in kind.keys.items():
        name = class_name(key)
        form = f'type: Literal["{tag}"], /, ' if kind.has_types else ""
        if kind.has_types:
            yield "    @overload"
        yield f"    def add_{kind.name}(self, {form}**attributes: Unpack[{name}Attributes]) -> {name}:"
        yield f'        """A new {tag}: {ELEMENTS[key].doc}."""'


def element_stub() -> str:
    """The text of the stub."""
    rows = [row for row in ELEMENTS.values() if fits(row)]
    lines: list[str] = []
    for row in rows:
        lines += keywords_of(row)
    for row in rows:
        lines += class_of(row)
    lines.append("")
    lines += [f"{alias_of(kind)} = {element_of(kind)}" for kind in KINDS.values() if kind.has_types]
    lines += spec_class()
    return HEAD + "\n".join(lines) + "\n"
