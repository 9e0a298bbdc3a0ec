"""Domains of one row: enums, ranges, indices, stretches, elements of an owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes, shared
from phalanx.tables.domain import (
    Among,
    Arrays,
    Between,
    Bits,
    Domain,
    Index,
    Inside,
    Stretch,
)

#: Rows of so many elements are looked at number by number: a call of NumPy takes longer.
SHORT = 64


def _among(domain: Among, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    is_allowed = np.zeros(array.shape, bool)
    for value in domain.values:
        is_allowed |= array == value
    return ~is_allowed, f"it must be one of {', '.join(map(str, domain.values))}"


def _between(domain: Between, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    high = sizes[domain.high] if isinstance(domain.high, str) else domain.high
    words = f"{domain.high}, which is {high}" if isinstance(domain.high, str) else str(high)
    return (array < domain.low) | (array > high), f"it must be from {domain.low} to {words}"


def _bits(domain: Bits, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    return (array & ~domain.flags) != 0, f"it must consist of the flags {domain.flags:#x}"


def total(size: str, sizes: Sizes) -> int:
    """A size, or the sum of several."""
    return sum(sizes[part] for part in size.split("+"))


def _or_none(none: tuple[int, ...]) -> str:
    return f", or {' or '.join(map(str, none))} for none" if none else ""


def _index(domain: Index, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    top = total(domain.size, sizes)
    bad = (array < 0) | (array >= top)
    rule = f"it must be from 0 to {top - 1} ({domain.size} is {top}){_or_none(domain.none)}"
    if domain.order:
        own = np.arange(len(array)).reshape(-1, *(1,) * (array.ndim - 1))
        later = array > own if domain.order == "not later" else (array >= own) & (own > 0)
        bad |= later
        rule = f"it must be {domain.order} than the element itself{_or_none(domain.none)}"
    for value in domain.none:
        bad &= array != value
    return bad, rule


def _counts(domain: Stretch, arrays: Arrays) -> np.ndarray | int:
    """How many elements each stretch has."""
    num = domain.num
    return arrays[num] if isinstance(num, str) else num if isinstance(num, int) else num(arrays)


def lies_plainly(domain: Stretch, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> bool:
    """Is it clear that all stretches of a short row lie where they may? They do, nearly always, and in order."""
    top, counts = total(domain.size, sizes), _counts(domain, arrays)
    each = [counts] * len(array) if isinstance(counts, int) else counts.tolist()
    end = 0
    for start, count in zip(array.tolist(), each, strict=True):
        if start < 0 or count < 0 or start + count > top:
            if start not in domain.none or (count != 0 and (domain.alone or not domain.optional)):
                return False
        elif domain.alone and count:
            if start < end:
                return False
            end = start + count
    return True


def _stretch(domain: Stretch, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    top, num, count = total(domain.size, sizes), domain.num, _counts(domain, arrays)
    start = array.astype(np.int64)
    bad = (start < 0) | (start + count > top)
    for value in domain.none:
        bad &= ~((start == value) & (np.equal(count, 0) | domain.optional))
    alone = ""
    if domain.alone:
        bad |= shared(start, np.asarray(count))
        alone = " and belong to no other,"
    many = f", as many as {num} says," if isinstance(num, str) else ""
    return bad, f"its elements{many} must lie in {domain.size}, which is {top},{alone}{_or_none(domain.none)}".rstrip(
        ","
    )


def _inside(domain: Inside, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Broken:
    """Owner by owner: there are few of them, and what is within its bounds as a whole needs no mask."""
    bad = np.zeros(array.shape, bool)
    spans = (arrays[domain.first].tolist(), arrays[domain.num].tolist(), arrays[domain.limit].tolist())
    for first, num, limit in zip(*spans, strict=True):
        # what nobody owns is read by nobody
        part = array[max(first, 0) : first + num]
        if part.size and not (part.min() >= 0 and part.max() < limit):
            outside = (part < 0) | (part >= limit)
            for value in domain.none:
                outside &= part != value
            bad[max(first, 0) : first + num] |= outside
    return bad, f"it must be less than {domain.limit} of its owner{_or_none(domain.none)}"


CHECKS: dict[type[Domain], Callable[[Any, np.ndarray, Sizes, Arrays], Broken]] = {
    Among: _among,
    Between: _between,
    Bits: _bits,
    Index: _index,
    Stretch: _stretch,
    Inside: _inside,
}
