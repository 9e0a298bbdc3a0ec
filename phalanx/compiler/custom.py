"""Custom numbers, texts and tuples."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.compiler.asset import make_thing
from phalanx.compiler.build import KINDS, Build, starts_of
from phalanx.compiler.errors import ElementProblem, nearest
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
        thing: Any = make_thing(build, element)
        thing.data, thing.members = (), []
        build.add(element.tag, thing)
    build.each(build.things["numeric"], _read_numeric)
    build.each(build.things["text"], _read_text)


def _read_numeric(thing: Any) -> None:
    data = thing["data"] or ()
    size = thing["size"] if thing["size"] is not None else len(data)
    if not 1 <= size <= LARGEST_NUMERIC:
        raise ElementProblem(f"a numeric has 1 to {LARGEST_NUMERIC} numbers, not {size}", "size")
    if len(data) > size:
        raise ElementProblem(f"data has {len(data)} numbers, but size is {size}", "data")
    thing.data = (*data, *(0.0,) * (size - len(data)))


def _read_text(thing: Any) -> None:
    text = thing["data"] if thing["data"] is not None else thing.element.text
    if thing["data"] is not None and thing.element.text.strip():
        raise ElementProblem("the text is given twice, as data and between the tags", "data")
    if not text:
        raise ElementProblem("the text is empty", "data")
    thing.data = text.encode()


def compile_tuples(build: Build) -> None:
    for thing in build.things["tuple"]:
        if not thing.element.children:
            build.report(thing.element, "a tuple cannot be empty")
        for member in thing.element.children:
            with build.at(member):
                kind, code = object_type(member.attributes.get("objtype", ""), "objtype")
                target = build.find(kind, member.attributes.get("objname", ""), "objname")
                thing.members.append((code, target.id, member.attributes.get("prm", 0.0)))


def write_custom(build: Build) -> None:
    columns, sizes = build.columns, build.sizes
    numerics, texts, tuples = (build.things[kind] for kind in ("numeric", "text", "tuple"))
    if not (numerics or texts or tuples):
        return
    for name, counts in {
        "numeric": [len(thing.data) for thing in numerics],
        "text": [len(thing.data) + 1 for thing in texts],
        "tuple": [len(thing.members) for thing in tuples],
    }.items():
        columns[f"{name}_size"] = counts
        columns[f"{name}_adr"] = starts_of(counts)
        sizes[f"n{name}data"] = sum(counts)
    columns["numeric_data"] = [number for thing in numerics for number in thing.data]
    columns["text_data"] = np.frombuffer(b"".join(bytes(thing.data) + b"\0" for thing in texts), np.uint8)
    for k, name in enumerate(("objtype", "objid", "objprm")):
        columns[f"tuple_{name}"] = [member[k] for thing in tuples for member in thing.members]
