"""Custom numbers, texts and tuples."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.model_build import KINDS, Build, starts_of
from phalanx.compiler.text.errors import ElementProblem, nearest
from phalanx.tables.enums import ObjType

LARGEST_NUMERIC = 500

#: Kinds of objects by the word that names them.
OBJECTS = {**{kind: kind for kind in KINDS}, "xbody": "body"}


def object_type(word: str | None, attribute: str) -> tuple[str, ObjType]:
    """Kind and code of a word such as "xbody"."""
    if not word:
        raise ElementProblem(f"{attribute} is missing", attribute)
    if word not in OBJECTS:
        raise ElementProblem(f"{attribute}={word!r} is not a kind of object{nearest(word, OBJECTS)}", attribute)
    return OBJECTS[word], ObjType[word.upper()]


def collect_custom(build: Build) -> None:
    for element in build.sections("custom"):
        obj: Any = make_object(build, element)
        obj.data, obj.members = (), []
        build.add(element.tag, obj)
    build.each(build.objects["numeric"], _read_numeric)
    build.each(build.objects["text"], _read_text)


def _read_numeric(obj: Any) -> None:
    data = obj["data"] or ()
    size = obj["size"] if obj["size"] is not None else len(data)
    if not 1 <= size <= LARGEST_NUMERIC:
        raise ElementProblem(f"a numeric has 1 to {LARGEST_NUMERIC} numbers, not {size}", "size")
    if len(data) > size:
        raise ElementProblem(f"data has {len(data)} numbers, but size is {size}", "data")
    obj.data = (*data, *(0.0,) * (size - len(data)))


def _read_text(obj: Any) -> None:
    text = obj["data"] if obj["data"] is not None else obj.element.text
    if obj["data"] is not None and obj.element.text.strip():
        raise ElementProblem("the text is given twice, as data and between the tags", "data")
    if not text:
        raise ElementProblem("the text is empty", "data")
    obj.data = text.encode()


def compile_tuples(build: Build) -> None:
    for obj in build.objects["tuple"]:
        if not obj.element.children:
            build.report(obj.element, "a tuple cannot be empty")
        for member in obj.element.children:
            with build.at(member):
                kind, code = object_type(member.attributes.get("objtype", ""), "objtype")
                target = build.find(kind, member.attributes.get("objname", ""), "objname")
                obj.members.append((code, target.id, member.attributes.get("prm", 0.0)))


def write_custom(build: Build) -> None:
    columns, sizes = build.columns, build.sizes
    numerics, texts, tuples = (build.objects[kind] for kind in ("numeric", "text", "tuple"))
    if not (numerics or texts or tuples):
        return
    for name, counts in {
        "numeric": [len(obj.data) for obj in numerics],
        "text": [len(obj.data) + 1 for obj in texts],
        "tuple": [len(obj.members) for obj in tuples],
    }.items():
        columns[f"{name}_size"] = counts
        columns[f"{name}_adr"] = starts_of(counts)
        sizes[f"n{name}data"] = sum(counts)
    columns["numeric_data"] = [number for obj in numerics for number in obj.data]
    columns["text_data"] = np.frombuffer(b"".join(bytes(obj.data) + b"\0" for obj in texts), np.uint8)
    for k, name in enumerate(("objtype", "objid", "objprm")):
        columns[f"tuple_{name}"] = [member[k] for obj in tuples for member in obj.members]
