"""The row types of every table: a field is declared once, and everything else derives from the row.

A table is a dict from a group (the object that owns the rows of a Model, the stage that writes the rows of a
Data) to a tuple of `Field` rows. Allocation, reset, copy, files, type stubs, the reference page, kernel views and
the comparison with MuJoCo read these rows; nobody types a field a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from phalanx.tables.domain import Domain


class Kind(Enum):
    """What one element of a field is."""

    REAL = "real"
    """A number of the physics: float64 or float32, a lane of worlds in a batch."""
    SCALAR = "scalar"
    """A number of the physics in one world: working memory of algorithms that take the worlds of a lane in turn."""
    WHOLE = "whole"
    """A whole number that may differ by world: a 32-bit integer in one world, a number of the physics in lanes."""
    INT = "int"
    """A 32-bit integer: structure, the same for every world of a lane group."""
    BOOL = "bool"
    """One byte, 0 or 1."""
    BYTE = "byte"
    """One byte with more than two values (a small enum, packed characters)."""
    SIZE = "size"
    """A 64-bit integer."""
    FLOAT32 = "float32"
    """A float32 whatever the precision of the physics: meshes, height fields, colors."""
    FLOAT64 = "float64"
    """A float64 whatever the precision of the physics, never a lane: user data, keyframes."""


REAL, SCALAR, WHOLE = Kind.REAL, Kind.SCALAR, Kind.WHOLE
INT, BOOL, BYTE, SIZE = Kind.INT, Kind.BOOL, Kind.BYTE, Kind.SIZE
FLOAT32, FLOAT64 = Kind.FLOAT32, Kind.FLOAT64

Shape = tuple[str | int, ...]

#: Marks a row whose initial value is computed by a kernel of its own.
RULE = "rule"


@dataclass(frozen=True)
class Field:
    """One row: a named array (or a scalar, when `shape` is empty) of a Model, Data, Option or Contact.

    Attributes:
        name: MuJoCo's name, letter by letter.
        kind: element kind.
        shape: sizes by name ("nbody") or as plain integers; () is a scalar.
        doc: one line of meaning, without shape and unit.
        unit: SI unit, "" when dimensionless.
        default: value after allocation and reset; one value or a tuple of the inner shape.
        initial: how state and inputs begin: "" at zero, the name of a row of the Model of the same shape, or RULE if a
            kernel of its own says it (`pipeline/initial_state.py`).
        state: part of the complete simulation state (what a snapshot must keep).
        per_world: a Model row that a batch may vary by world; a lane in the Model view of such a batch.
        setconst: a Model row computed from others at the reference pose; `Model.replace` recomputes it.
        live: name of the field that counts the leading rows that are valid now ("nefc").
        scratch: memory of a stage, not part of the public interface and absent from MuJoCo.
        departs: why this row differs from MuJoCo 4.0 in name, shape or type, or why MuJoCo has no such field.
        domain: what its integers may be (rows of integers that a Model has).
        mujoco: how to read the same value from MuJoCo's object when the name differs ("warning.number");
            "" means the same name, "-" that MuJoCo has nothing to compare with.
    """

    name: str
    kind: Kind
    shape: Shape
    doc: str
    unit: str = ""
    default: float | int | tuple[float, ...] = 0
    initial: str = ""
    state: bool = False
    per_world: bool = False
    setconst: bool = False
    live: str = ""
    scratch: bool = False
    departs: str = ""
    mujoco: str = ""
    domain: Domain | None = None

    @property
    def is_scalar(self) -> bool:
        """One value without axes, in each world."""
        return not self.shape


@dataclass(frozen=True)
class Size:
    """A size that shapes refer to: name, meaning, and why it departs from MuJoCo (if it does)."""

    name: str
    doc: str
    departs: str = ""


Table = Mapping[str, tuple[Field, ...]]


def rows(table: Table) -> Iterator[Field]:
    """All rows of a table, in order."""
    for group in table.values():
        yield from group


def rows_by_name(table: Table) -> dict[str, Field]:
    """Name -> row; a name declared twice is an error."""
    named: dict[str, Field] = {}
    for row in rows(table):
        if row.name in named:
            raise ValueError(f"field {row.name!r} is declared twice")
        named[row.name] = row
    return named


def group_of(table: Table) -> dict[str, str]:
    """Name -> group (the owner of a Model row, the writing stage of a Data row)."""
    return {row.name: group for group, members in table.items() for row in members}
