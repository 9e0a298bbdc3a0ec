"""The check of a Model as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from phalanx.memory.errors import ModelError
from phalanx.memory.layout import MODEL_SCHEMA, shape_of
from phalanx.pipeline.validation.domain_rules import CHECKS, SHORT, lies_plainly, total
from phalanx.pipeline.validation.expected import EXPECTED
from phalanx.pipeline.validation.least_sizes import least_sizes
from phalanx.pipeline.validation.rules import RULES
from phalanx.pipeline.validation.stretches import Broken, Sizes
from phalanx.tables.domain import (
    Among,
    Anything,
    Arrays,
    Between,
    Bits,
    Columns,
    Decided,
    Domain,
    Index,
    Rule,
    Stretch,
)
from phalanx.tables.field import Kind


def check_model(sizes: Sizes, arrays: Arrays) -> None:
    """Refuse a Model that a kernel could leave its memory with.

    Raises:
        ModelError: names the field, the element, its value and the rule.
    """
    _check_rows(PLAIN, sizes, arrays)
    for name, expected in EXPECTED.items():
        array, wanted = arrays[name], expected(sizes, arrays)
        if array.shape != wanted.shape:
            raise ModelError(f"{name} has {len(array)} elements; its joints give {len(wanted)}")
        if (array != wanted).any():
            refuse(name, array, array != wanted, "the tree of bodies and their joints give another value")
    _check_rows(RELATED, sizes, arrays)
    for size, least in least_sizes(sizes, arrays):
        if sizes[size] < least:
            raise ModelError(f"{size} is {sizes[size]}; the rows of the model need {least}")


def _check_rows(rows: Mapping[str, Domain], sizes: Sizes, arrays: Arrays) -> None:
    for name, domain in rows.items():
        array = arrays[name]
        if array.size and not _is_within(domain, array, sizes, arrays):
            for mask, rule in broken(domain, name, array, sizes, arrays):
                if mask.any():
                    refuse(name, array, mask, rule)


def _is_within(domain: Domain, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> bool:
    """Is it clear that a domain allows all values? It is of most rows, and they need no mask."""
    if isinstance(domain, Index) and not domain.order:
        low, high = (
            -len(domain.none) if domain.none == (-1, -2)[: len(domain.none)] else 0,
            total(domain.size, sizes) - 1,
        )
    elif isinstance(domain, Between):
        low, high = domain.low, sizes[domain.high] if isinstance(domain.high, str) else domain.high
    elif isinstance(domain, Among):
        return set(domain.values).issuperset(array.ravel().tolist())
    elif isinstance(domain, Stretch) and array.size <= SHORT:
        return lies_plainly(domain, array, sizes, arrays)
    else:
        return False
    # NumPy takes longer for a call than Python for a few numbers
    ends = array.ravel().tolist() if array.size <= SHORT else (array.min(), array.max())
    return bool(min(ends) >= low and max(ends) <= high)


def check_sizes(sizes: Sizes) -> None:
    """Refuse sizes that are missing or no integers, negative, or that no memory could hold."""
    for name in MODEL_SCHEMA.sizes:
        if name not in sizes:
            raise ModelError(f"the size {name} is missing")
    for name, count in sizes.items():
        is_whole = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
        # limits of MuJoCo's memory, which nothing is counted by, may be anything
        low, high = (-(2**63), 2**63) if name in ("njmax", "nconmax") else (0, 2**40)
        if name not in MODEL_SCHEMA.sizes or not is_whole or not low <= count < high:
            raise ModelError(f"the size {str(name)[:50]} is {count!r:.50}; it cannot be")


def check_shape(name: str, shape: tuple[int, ...], dtype: np.dtype, sizes: Sizes) -> None:
    """Refuse an array that has not the shape and the kind of numbers of its row."""
    row = MODEL_SCHEMA.fields[name]
    if shape != shape_of(row, sizes):
        raise ModelError(f"{name} has shape {shape}; its sizes say {shape_of(row, sizes)}")
    is_real = row.kind in (Kind.REAL, Kind.FLOAT32, Kind.FLOAT64)
    if dtype.kind not in ("f" if is_real else "biu"):
        raise ModelError(f"{name} holds {dtype}; it should hold {'numbers' if is_real else 'integers'}")


def refuse(name: str, array: np.ndarray, mask: np.ndarray, rule: str) -> NoReturn:
    """The error that names the first element that breaks a rule."""
    if mask.ndim < array.ndim:
        place: Any = [int(np.flatnonzero(mask)[0])]
        value = array[place[0]].tolist()
    else:
        place = np.argwhere(mask)[0].tolist() if array.ndim else ""
        value = array[tuple(place)].item() if array.ndim else array.item()
    raise ModelError(f"{name}{place} is {value}; {rule}")


# --- domains


def broken(domain: Domain, name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """What breaks a domain."""
    if isinstance(domain, Rule):
        yield from RULES[domain.name](name, array, sizes, arrays)
    elif isinstance(domain, Decided):
        yield from _decided(domain, name, array, sizes, arrays)
    elif isinstance(domain, Columns):
        for k, column in enumerate(domain.each):
            for mask, rule in broken(column, name, array[:, k], sizes, arrays):
                full = np.zeros(array.shape, bool)
                full[:, k] = mask
                yield full, rule
    else:
        yield CHECKS[type(domain)](domain, array, sizes, arrays)


def _decided(domain: Decided, name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    kinds = arrays[domain.by]
    rest = np.ones(len(kinds), bool)
    for kind, case in domain.cases.items():
        chosen = kinds == kind
        rest &= ~chosen
        yield from _where(chosen, case, name, array, sizes, arrays, f" where {domain.by} is {kind}")
    yield from _where(rest, domain.otherwise, name, array, sizes, arrays, "")


def _where(
    chosen: np.ndarray, domain: Domain, name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays, words: str
) -> Iterator[Broken]:
    if chosen.any() and not isinstance(domain, Anything):
        for mask, rule in broken(domain, name, array, sizes, arrays):
            yield mask & chosen.reshape(-1, *(1,) * (mask.ndim - 1)), rule + words


_DOMAINS = {
    name: row.domain
    for name, row in MODEL_SCHEMA.fields.items()
    if row.domain is not None and not isinstance(row.domain, Anything)
}
#: Rows that are checked by themselves, counts before what they count, and those whose rule reads several others: they
#: come last, when each row is sound.
_ALONE = (Among, Between, Bits, Index)
PLAIN = {name: domain for name, domain in _DOMAINS.items() if isinstance(domain, _ALONE)} | {
    name: domain for name, domain in _DOMAINS.items() if not isinstance(domain, (*_ALONE, Rule))
}
RELATED = {name: domain for name, domain in _DOMAINS.items() if isinstance(domain, Rule)}
