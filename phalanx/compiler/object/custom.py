"""Custom fields: arrays of values (numeric), texts, and tuples of objects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.model_build import KINDS, Build, starts_of
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, nearest
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.enums import ObjType

#: Most values of a numeric.
LARGEST_NUMERIC = 500

#: Word for a type of object -> kind of object that has it.
OBJECTS = {**{kind: kind for kind in KINDS}, "xbody": "body"}


class Numeric(ModelObject):
    """An array of values, filled up with zeros."""

    data: tuple[float, ...] = ()


class Text(ModelObject):
    """A text, in UTF-8."""

    data: bytes = b""


class Member(NamedTuple):
    """One object of a tuple, with a parameter of the user."""

    objtype: ObjType
    objid: int
    objprm: float


class Tuple(ModelObject):
    """A list of objects."""

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        self.members: list[Member] = []


_CLASSES: dict[str, type[ModelObject]] = {"numeric": Numeric, "text": Text, "tuple": Tuple}


def object_type(word: str | None, attribute: str) -> tuple[str, ObjType]:
    """Kind of object and type code for a word such as "xbody"."""
    if not word:
        raise ElementProblem(f"{attribute} is missing", attribute)
    if word not in OBJECTS:
        raise ElementProblem(f"{attribute}={word!r} is not a kind of object{nearest(word, OBJECTS)}", attribute)
    return OBJECTS[word], ObjType[word.upper()]


def collect_custom(build: Build) -> None:
    """File all custom fields by kind and name; compile those that refer to nothing else."""
    for element in build.sections("custom"):
        build.add(element.tag, make_object(build, element, _CLASSES[element.tag]))
    build.each(build.numerics, _compile_numeric)
    build.each(build.texts, _compile_text)


def _compile_numeric(numeric: Numeric) -> None:
    data = numeric["data"] or ()
    size = numeric["size"] if numeric["size"] is not None else len(data)
    _check_numeric(size, len(data))
    numeric.data = (*data, *(0.0,) * (size - len(data)))


def _check_numeric(size: int, given: int) -> None:
    if not 1 <= size <= LARGEST_NUMERIC:
        raise ElementProblem(f"a numeric has 1 to {LARGEST_NUMERIC} numbers, not {size}", "size")
    if given > size:
        raise ElementProblem(f"data has {given} numbers, but size is {size}", "data")


def _compile_text(text: Text) -> None:
    _check_text(text)
    written: str = text["data"] if text["data"] is not None else text.element.text
    text.data = written.encode()


def _check_text(text: Text) -> None:
    if text["data"] is not None and text.element.text.strip():
        raise ElementProblem("the text is given twice, as data and between the tags", "data")
    if not (text.element.text if text["data"] is None else text["data"]):
        raise ElementProblem("the text is empty", "data")


def compile_tuples(build: Build) -> None:
    """Find the objects of all tuples; they may be of any kind, so every other object must be there already."""
    for obj in build.tuples:
        if not obj.element.children:
            build.report(obj.element, "a tuple cannot be empty")
        for element in obj.element.children:
            with build.at(element):
                kind, code = object_type(element.get("objtype", ""), "objtype")
                target = build.find(kind, element.get("objname", ""), "objname")
                obj.members.append(Member(code, target.id, element.get("prm", 0.0)))


def write_custom(build: Build) -> None:
    """Columns of custom fields."""
    columns = build.columns
    numerics, texts, tuples = build.numerics, build.texts, build.tuples
    if not (numerics or texts or tuples):
        return
    for name, counts in {
        "numeric": [len(numeric.data) for numeric in numerics],
        "text": [len(text.data) + 1 for text in texts],
        "tuple": [len(obj.members) for obj in tuples],
    }.items():
        columns[f"{name}_size"] = counts
        columns[f"{name}_adr"] = starts_of(counts)
        build.sizes[f"n{name}data"] = sum(counts)
    columns["numeric_data"] = [value for numeric in numerics for value in numeric.data]
    # texts end with a zero, as in C
    columns["text_data"] = np.frombuffer(b"".join(text.data + b"\0" for text in texts), np.uint8)
    members = [member for obj in tuples for member in obj.members]
    columns["tuple_objtype"] = [member.objtype for member in members]
    columns["tuple_objid"] = [member.objid for member in members]
    columns["tuple_objprm"] = [member.objprm for member in members]
