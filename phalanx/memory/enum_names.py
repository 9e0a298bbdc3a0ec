"""Names of enums, which the user may give wherever a field takes their values."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, IntFlag
from typing import Any

from phalanx.memory.errors import FieldError, suggestion
from phalanx.tables.domain import Among, Bits
from phalanx.tables.field import Field


def without_names(name: str, row: Field, value: Any) -> Any:
    """A value for a field with names of an enum replaced by their numbers; everything else as it is.

    A field of flags takes a name, or a list of names, which are switched on together.
    """
    domain = row.domain
    kinds = domain.kinds if isinstance(domain, (Among, Bits)) else None
    if kinds is None or not _has_text(value):
        return value
    if isinstance(value, str):
        return member(name, kinds, value)
    found = [member(name, kinds, word) if isinstance(word, str) else word for word in value]
    return sum(set(found)) if isinstance(domain, Bits) else found


def _has_text(value: Any) -> bool:
    """Is it a text, or a list with one?"""
    is_list = isinstance(value, Sequence) and not isinstance(value, bytes)
    return isinstance(value, str) or (is_list and any(isinstance(word, str) for word in value))


def member(name: str, kinds: type[IntEnum] | type[IntFlag], word: str) -> int:
    """The value of a member of an enum, by its name in any case.

    >>> from phalanx.tables.enums import Integrator
    >>> member("opt.integrator", Integrator, "RK4")
    1
    >>> member("opt.integrator", Integrator, "RK5")
    Traceback (most recent call last):
    ...
    phalanx.memory.errors.FieldError: opt.integrator is one of EULER, RK4, IMPLICIT, IMPLICITFAST, DISCRETE, \
IMPLICITSPRINGDAMPER, not 'RK5'; did you mean 'RK4'?
    """
    names = list(kinds.__members__)
    if word.upper() not in names:
        raise FieldError(f"{name} is one of {', '.join(names)}, not {word!r}{suggestion(word.upper(), names)}")
    return int(kinds[word.upper()])
