"""The row types of the MJCF schema: an element is its tag, its attributes and the elements it may hold.

Reader, writer, defaults, error messages and the reference page read these rows; nobody types an attribute twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property

#: No upper bound on the number of values.
MANY = 1 << 30


class Holds(Enum):
    """What the text of an attribute says."""

    REAL = "number"
    INT = "whole number"
    BOOL = "true or false"
    TEXT = "text"
    FILE = "file name"
    KEYWORD = "one of"
    KEYWORDS = "some of"
    NAME = "name of this element"
    REFERENCE = "name of another element"
    REFERENCES = "names of other elements"


Value = float | int | str | tuple[float, ...] | tuple[int, ...] | tuple[str, ...] | None


@dataclass(frozen=True)
class Attribute:
    """One attribute of an element.

    Attributes:
        name: as in the XML.
        holds: kind of value.
        least, most: count of values; one value is stored as a scalar, more as a tuple.
        doc: one line of meaning.
        default: complete value when nothing is written; None is "not defined".
        field: row of the Model table that takes a plain copy of the value, "" if other code places it.
        keywords: the words allowed, with the integer each stands for.
        kind: kind of object that a name or reference belongs to ("geom"), "" for others.
        required: must be written.
        inherits: may be written in a default class.
        lowest, highest: bounds of every number, None for no bound.
        repeats: one number stands for all.
        optional: an element that loses what it refers to here stays, and does without.
    """

    name: str
    holds: Holds
    doc: str
    least: int = 1
    most: int = 1
    default: Value = None
    field: str = ""
    keywords: Mapping[str, int] = dataclasses.field(default_factory=dict)
    kind: str = ""
    required: bool = False
    inherits: bool = True
    lowest: float | None = None
    highest: float | None = None
    repeats: bool = False
    optional: bool = False

    @property
    def is_scalar(self) -> bool:
        """One value at most, not a list."""
        return self.most == 1


@dataclass(frozen=True)
class ElementRow:
    """One element: where it may stand follows from the `children` of others.

    Attributes:
        key: unique name of the row ("tendon/spatial/site").
        tag: as in the XML.
        doc: one line of meaning.
        attributes: rows by name, in the order of the written XML.
        children: tag -> (key of the row, most often it may appear).
        unsupported: why Phalanx refuses it, "" if it does not.
        is_piece: it is a piece of the element around it, which makes no sense without it.
    """

    key: str
    tag: str
    doc: str
    attributes: Mapping[str, Attribute]
    children: Mapping[str, tuple[str, int]]
    unsupported: str = ""
    is_piece: bool = False

    @cached_property
    def kind(self) -> str:
        """Kind of object that an element of this row is ("actuator"), "" if it has no name."""
        return next((row.kind for row in self.attributes.values() if row.holds is Holds.NAME), "")

    @cached_property
    def defaults(self) -> dict[str, Value]:
        """Value of every attribute of an element without any."""
        return {name: row.default for name, row in self.attributes.items()}


def rows(*groups: Attribute | tuple[Attribute, ...]) -> tuple[Attribute, ...]:
    """Attributes and groups of attributes as one flat tuple."""
    flat: list[Attribute] = []
    for group in groups:
        flat.extend(group if isinstance(group, tuple) else (group,))
    return tuple(flat)


def element(
    key: str,
    doc: str,
    *groups: Attribute | tuple[Attribute, ...],
    tag: str = "",
    once: str = "",
    many: str = "",
    unsupported: str = "",
    is_piece: bool = False,
) -> ElementRow:
    """A row; `once` and `many` list the keys of its children.

    Args:
        key: unique; its last part is the tag unless `tag` is given.
        doc: one line.
        *groups: attributes.
        tag: as in the XML.
        once: keys of children that may appear once.
        many: keys of children that may appear any number of times.
        unsupported: why Phalanx refuses it.
        is_piece: it is a piece of the element around it.
    """
    # the tag is the last part of a key; keys tell rows of one tag apart (tendon/spatial/site, worldbody's site)
    children = {}
    for keys, most in ((once, 1), (many, MANY)):
        for child in keys.split():
            children[child.rsplit("/", 1)[-1]] = (child, most)
    attributes = {row.name: row for row in rows(*groups)}
    return ElementRow(key, tag or key.rsplit("/", 1)[-1], doc, attributes, children, unsupported, is_piece)


def words(kind: type[IntEnum], *names: str) -> dict[str, int]:
    """Keywords of an enum's members, in lower case; all of them unless some are named."""
    members = {member.name.lower(): int(member) for member in kind}
    return {name: members[name.lower()] for name in names} if names else members


# --- short forms: one per kind of value


def real(
    name: str,
    doc: str,
    default: Value = None,
    field: str = "",
    count: int | tuple[int, int] = 1,
    *,
    required: bool = False,
    inherits: bool = True,
    lowest: float | None = None,
    repeats: bool = False,
) -> Attribute:
    """Numbers; a pair as `count` is (fewest, most)."""
    least, most = (count, count) if isinstance(count, int) else count
    return Attribute(
        name, Holds.REAL, doc, least, most, default, field, required=required, inherits=inherits, lowest=lowest,
        repeats=repeats,
    )  # fmt: skip


def integer(
    name: str,
    doc: str,
    default: Value = None,
    field: str = "",
    count: int | tuple[int, int] = 1,
    *,
    required: bool = False,
    inherits: bool = True,
    lowest: float | None = None,
    highest: float | None = None,
) -> Attribute:
    """Whole numbers."""
    least, most = (count, count) if isinstance(count, int) else count
    return Attribute(
        name, Holds.INT, doc, least, most, default, field, required=required, inherits=inherits, lowest=lowest,
        highest=highest,
    )  # fmt: skip


def flag(name: str, doc: str, default: bool | None = False, field: str = "", *, inherits: bool = True) -> Attribute:
    """true or false"""
    return Attribute(name, Holds.BOOL, doc, default=default, field=field, inherits=inherits)


def keyword(
    name: str,
    doc: str,
    allowed: Mapping[str, int],
    default: str | None = None,
    field: str = "",
    *,
    required: bool = False,
    inherits: bool = True,
) -> Attribute:
    """One word of a list."""
    return Attribute(
        name, Holds.KEYWORD, doc, default=default, field=field, keywords=allowed, required=required, inherits=inherits
    )


def keywords(name: str, doc: str, allowed: Mapping[str, int], default: tuple[str, ...] | None = None) -> Attribute:
    """Several words of a list, in its order."""
    return Attribute(name, Holds.KEYWORDS, doc, 1, len(allowed), default, keywords=allowed)


def text(
    name: str, doc: str, *, required: bool = False, inherits: bool = True, default: str | None = None
) -> Attribute:
    """Any text, kept as it is written."""
    return Attribute(name, Holds.TEXT, doc, required=required, inherits=inherits, default=default)


def file(name: str, doc: str, *, required: bool = False) -> Attribute:
    """Path of a file; never taken from a default class."""
    return Attribute(name, Holds.FILE, doc, required=required, inherits=False)


def name_of(kind: str, *, required: bool = False) -> Attribute:
    """The name of an element itself."""
    return Attribute("name", Holds.NAME, f"name of the {kind}", kind=kind, required=required, inherits=False)


def refers(
    name: str, kind: str, doc: str, *, required: bool = False, inherits: bool = False, optional: bool = False
) -> Attribute:
    """The name of another object."""
    return Attribute(name, Holds.REFERENCE, doc, kind=kind, required=required, inherits=inherits, optional=optional)


def refers_all(name: str, kind: str, doc: str, *, required: bool = False, optional: bool = False) -> Attribute:
    """The names of some other objects, separated by spaces."""
    return Attribute(
        name, Holds.REFERENCES, doc, 1, MANY, kind=kind, required=required, inherits=False, optional=optional
    )


CLASS = Attribute(
    "class", Holds.REFERENCE, "default class that fills in what is not written", kind="default", inherits=False
)
CHILDCLASS = Attribute(
    "childclass", Holds.REFERENCE, "default class of everything inside", kind="default", inherits=False
)

#: At most one of these may be written.
ORIENTATION = (
    real("quat", "orientation as a quaternion, w x y z", (1.0, 0.0, 0.0, 0.0), count=4),
    real("axisangle", "orientation as an axis and an angle", count=4),
    real("xyaxes", "orientation by its x axis and the plane of its y axis", count=6),
    real("zaxis", "orientation by its z axis: the smallest rotation that gets there", count=3),
    real("euler", "orientation as three angles, in the order of compiler/eulerseq", count=3),
)
ORIENTATION_NAMES = tuple(row.name for row in ORIENTATION)

SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)


def solref(name: str, field: str, doc: str, default: tuple[float, ...] = SOLREF) -> Attribute:
    """Reference of a constraint, one or two numbers; what is missing keeps its default."""
    return real(name, doc, default, field, (1, 2))


def solimp(name: str, field: str, doc: str) -> Attribute:
    """Impedance of a constraint, one to five numbers; what is missing keeps its default."""
    return real(name, doc, SOLIMP, field, (1, 5))


def user(field: str) -> Attribute:
    """Numbers that the engine keeps and never reads, as many as are written."""
    return real("user", "numbers for the user's own purposes", (), "", (0, MANY))


AUTO = {"false": 0, "true": 1, "auto": 2}
RGBA = (0.5, 0.5, 0.5, 1.0)
