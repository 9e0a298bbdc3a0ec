"""Write the stubs from the tables: `phalanx/world/typed.pyi`, the attributes of Model, Data and BatchSim, with their
meaning, and `phalanx/compiler/edit/element_types.pyi`, the elements of a Spec.

Every row becomes an attribute whose type a checker knows and whose shape, unit and meaning an editor shows. A name that
the class uses for something else (`Model.names`, `Model.plugin(key)`) is left out.

Usage: python -m tools.write_stubs [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import phalanx
from phalanx.batch.binding import BINDABLE, KEPT
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.names import OBJECT_KINDS
from phalanx.tables.data_domains import is_settable
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import Field, Kind, Table, rows
from phalanx.tables.model_fields import MODEL
from phalanx.tables.option_fields import OPTION, STATISTIC
from phalanx.tables.sizes import SIZES
from tools.element_stub import element_stub

ROOT = Path(__file__).resolve().parent.parent
STUB = ROOT / "phalanx" / "world" / "typed.pyi"
ELEMENT_STUB = ROOT / "phalanx" / "compiler" / "edit" / "element_types.pyi"
COMMAND = "python -m tools.write_stubs"
LINE_LENGTH = 120

HEAD = f'''"""Attributes of Model, Data and BatchSim. Written by `{COMMAND}` from the tables; do not edit."""

from typing import Any

import numpy as np

from phalanx.memory.names import NamedObject

class Array:
    """A read-only array."""

    def __get__(self, owner: Any, kind: Any = ...) -> np.ndarray: ...

class LiveArray:
    """An array that is written in place, or by assignment of a number or an array of the same shape."""

    def __get__(self, owner: Any, kind: Any = ...) -> np.ndarray: ...
    def __set__(self, owner: Any, value: Any) -> None: ...

class Integer:
    """A read-only integer."""

    def __get__(self, owner: Any, kind: Any = ...) -> int: ...

class Number:
    """A read-only number."""

    def __get__(self, owner: Any, kind: Any = ...) -> float: ...

class LiveInteger:
    """An integer that can be assigned."""

    def __get__(self, owner: Any, kind: Any = ...) -> int: ...
    def __set__(self, owner: Any, value: int) -> None: ...

class LiveNumber:
    """A number that can be assigned."""

    def __get__(self, owner: Any, kind: Any = ...) -> float: ...
    def __set__(self, owner: Any, value: float) -> None: ...
'''


def type_of(row: Field, prefix: str) -> str:
    """The type of the attribute of a row; `prefix` is "Live" where it can be written."""
    if not row.is_scalar:
        return f"{prefix}Array"
    return prefix + ("Number" if row.kind in (Kind.REAL, Kind.FLOAT32, Kind.FLOAT64) else "Integer")


def meaning(row: Field, leading: str = "") -> str:
    """Shape, unit and doc of a row, in one line."""
    axes = [*([leading] if leading else []), *(str(axis) for axis in row.shape)]
    shape = f"({', '.join(axes)}{',' if len(axes) == 1 else ''}) " if axes else ""
    unit = f" [{row.unit}]" if row.unit else ""
    return f"{shape}{row.doc}{unit}"


def attribute(name: str, kind: str, doc: str) -> Iterator[str]:
    """An annotated attribute, with its meaning as the string that editors show."""
    yield f"    {name}: {kind}"
    if len(doc) + 10 <= LINE_LENGTH:
        yield f'    """{doc}"""'
    else:
        yield from ('    """', f"    {doc}", '    """')


def class_of(name: str, doc: str, body: Iterator[str]) -> Iterator[str]:
    """A class of the stub, as lines."""
    yield from ("", f"class {name}:", f'    """{doc}"""', "", *body)


def accessors() -> Iterator[str]:
    """Methods that give an object by name or id."""
    for kind in OBJECT_KINDS:
        yield f"    def {kind.accessor}(self, key: str | int, /) -> NamedObject:"
        yield f'        """The fields of one {kind.accessor}, by name or id."""'


def record_body(table: Table) -> Iterator[str]:
    """Attributes of `opt` or `stat`."""
    for row in rows(table):
        yield from attribute(row.name, type_of(row, ""), meaning(row))


def taken(owner: type) -> set[str]:
    """Names that a class has for something else than a field."""
    return {*vars(owner), *(kind.accessor for kind in OBJECT_KINDS)}


def model_body() -> Iterator[str]:
    """Sizes, rows and named objects of a Model; read-only."""
    own = taken(phalanx.Model)
    yield from ("    opt: OptionFields", '    """Options of the physics."""')
    yield from ("    stat: StatisticFields", '    """Statistics of the model."""')
    for size in SIZES:
        yield from attribute(size.name, "Integer", size.doc)
    for row in rows(MODEL):
        if row.name not in own:
            yield from attribute(row.name, type_of(row, ""), meaning(row))
    yield from accessors()


def data_body() -> Iterator[str]:
    """Public rows and named objects of a Data."""
    own = taken(phalanx.Data)
    for row in rows(DATA):
        if row.name not in own and not row.scratch:
            yield from attribute(row.name, type_of(row, "Live"), meaning(row))
    yield from accessors()


def batch_body() -> Iterator[str]:
    """Rows that a batch shows, with the axis of worlds in front."""
    own = taken(phalanx.BatchSim)
    for row in (DATA_SCHEMA.fields[name] for name in BINDABLE):
        if row.name not in own:
            note = "" if row.name in KEPT or row.name in ("error_code", "error_id") else "; after bind"
            yield from attribute(row.name, "LiveArray" if is_settable(row) else "Array", meaning(row, "n") + note)


def stub() -> str:
    """The text of the stub file."""
    lines = [
        *class_of("OptionFields", "The options of the physics.", record_body(OPTION)),
        *class_of("StatisticFields", "The statistics of a model.", record_body(STATISTIC)),
        *class_of("ModelFields", "Sizes, fields and named objects of a Model.", model_body()),
        *class_of("DataFields", "Fields and named objects of a Data.", data_body()),
        *class_of("BatchFields", "State and inputs of a BatchSim, and outputs that can be bound.", batch_body()),
    ]
    return HEAD + "\n".join(lines) + "\n"


def texts() -> dict[Path, str]:
    """What each stub should hold."""
    return {STUB: stub(), ELEMENT_STUB: element_stub()}


def stale() -> list[str]:
    """The files that do not hold what the tables say."""
    return [
        path.relative_to(ROOT).as_posix()
        for path, text in texts().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """The command; with --check it writes nothing and fails if the stub is stale."""
    if arguments == ["--check"]:
        found = stale()
        for path in found:
            print(f"{path} is stale: run {COMMAND}")
        return 1 if found else 0
    if arguments:
        print(f"usage: {COMMAND} [--check]")
        return 2
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
