"""What the integers of a row may be, so that no kernel leaves its arrays and every loop ends.

A domain is a fact about a row, like its shape; `pipeline/validation` checks all of them before a kernel sees a Model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

import numpy as np

Arrays = Mapping[str, np.ndarray]


class Domain:
    """Base of all domains."""


@dataclass(frozen=True)
class Anything(Domain):
    """Every value is safe: no kernel takes it as an index or a count.

    Attributes:
        why: what it is instead.
    """

    why: str


@dataclass(frozen=True)
class Among(Domain):
    """One of a few values.

    Attributes:
        values: what is allowed.
        kinds: the enum whose members they are, if they have names.
    """

    values: tuple[int, ...]
    kinds: type[IntEnum] | type[IntFlag] | None = None


@dataclass(frozen=True)
class Between(Domain):
    """From `low` to `high`, both included; `high` may be the name of a size."""

    low: int
    high: int | str


@dataclass(frozen=True)
class Bits(Domain):
    """Any of some flags.

    Attributes:
        flags: all of them.
        kinds: the enum that names them.
    """

    flags: int
    kinds: type[IntEnum] | type[IntFlag] | None = None


@dataclass(frozen=True)
class Index(Domain):
    """An element of something that `size` counts (several sizes: one after the other).

    Attributes:
        size: name of the size, or several joined by "+".
        none: values that stand for no element.
        order: "earlier" or "not later" than the row's own element, where that is what makes a tree of it.
    """

    size: str
    none: tuple[int, ...] = ()
    order: str = ""


@dataclass(frozen=True)
class Stretch(Domain):
    """First of several elements that lie together in what `size` counts.

    Attributes:
        size: what they lie in.
        num: how many: a row of counts, an integer, or a function of all rows.
        none: values that stand for no element, where there are none.
        optional: may there be none, whatever `num` says?
        alone: does no element belong to two of them? Rules that ask for the owner of an element need that.
    """

    size: str
    num: str | int | Callable[[Arrays], np.ndarray]
    none: tuple[int, ...] = (-1,)
    optional: bool = False
    alone: bool = False


@dataclass(frozen=True)
class Inside(Domain):
    """An element counted from the first one of an owner: a face of a mesh names vertices of that mesh.

    Attributes:
        first, num: rows that say which elements of this row belong to each owner.
        limit: row that says how many elements the owner has.
        none: values that stand for no element.
    """

    first: str
    num: str
    limit: str
    none: tuple[int, ...] = ()


@dataclass(frozen=True)
class Decided(Domain):
    """Another row decides.

    Attributes:
        by: that row.
        cases: domain by its value.
        otherwise: domain for all other values.
    """

    by: str
    cases: Mapping[int, Domain] = field(hash=False)
    otherwise: Domain = field(default_factory=lambda: Anything("nothing reads it"))


@dataclass(frozen=True)
class Columns(Domain):
    """One domain for each column."""

    each: tuple[Domain, ...]


@dataclass(frozen=True)
class Rule(Domain):
    """A rule of its own, by name: see `RULES` in `pipeline/validation`."""

    name: str
