"""Before a run of all worlds: errors are cleared, and worlds with like rows come together.

Worlds are sorted by their pattern within blocks of neighbors: large enough to find like ones, and small enough that the
lane groups of a block find in the caches what others have brought there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import one_world
from phalanx.batch.pattern import BITS
from phalanx.native.entry import Entry
from phalanx.native.runtime import load
from phalanx.pipeline.parts import number_of

#: Worlds that are sorted together, at most.
BLOCK = 4096
#: So many worlds are sorted one by one, which takes little if they are nearly sorted.
FEW = 64
#: Bits of a pattern that one pass of the sort looks at, and how many values they have.
DIGIT, VALUES = 8, 256


@kernel
def is_arranged(pattern, order, first, last):
    """Are worlds sorted already? Most of the time, patterns do not change."""
    k = first + 1
    while k < last and pattern[order[k - 1]] <= pattern[order[k]]:
        k = k + 1
    return k >= last


@kernel
def sort_few(pattern, order, first, last):
    """Put one world after another where it belongs among those before it."""
    for k in range(first + 1, last):
        world, place = order[k], k
        while place > first and pattern[order[place - 1]] > pattern[world]:
            order[place] = order[place - 1]
            place = place - 1
        order[place] = world


@kernel
def sort_many(pattern, order, spare, counts, first, last):
    """A radix sort: pass by pass, from the lowest bits of the patterns to the highest."""
    shift = 0
    while shift < BITS:
        sort_by_digit(pattern, order, spare, counts, first, last, shift)
        for k in range(first, last):
            order[k] = spare[k]
        shift = shift + DIGIT


@kernel
def sort_by_digit(pattern, source, target, counts, first, last, shift):
    """A pass of a radix sort: worlds in the order of some bits of their pattern; those with the same stay in order."""
    for value in range(VALUES):
        counts[value] = 0
    for k in range(first, last):
        digit = (int(pattern[source[k]]) >> shift) & (VALUES - 1)
        counts[digit] = counts[digit] + 1
    place = first
    for value in range(VALUES):
        count = counts[value]
        counts[value] = place
        place = place + count
    for k in range(first, last):
        digit = (int(pattern[source[k]]) >> shift) & (VALUES - 1)
        target[counts[digit]] = source[k]
        counts[digit] = counts[digit] + 1


@kernel
def arrange(errors, pattern, order, spare, counts, nworld, block):
    """Clear the errors of all worlds; sort worlds by pattern, block by block, if block is not zero."""
    for world in range(nworld):
        errors[world] = 0.0
    first = 0
    while block != 0 and first < nworld:
        last = min(first + block, nworld)
        if last - first <= FEW:
            sort_few(pattern, order, first, last)
        elif not is_arranged(pattern, order, first, last):
            sort_many(pattern, order, spare, counts, first, last)
        first = last


def build_arrange(base: str) -> Callable[..., None]:
    """The function of addresses that arranges worlds, for numbers of a precision."""
    from phalanx.native.number import array_at

    errors_at = array_at(base, alias="arrange.errors")
    pattern_at = array_at(base, alias="arrange.pattern", constant=True)
    order_at = array_at("int64", alias="arrange.order")
    spare_at = array_at("int64", alias="arrange.spare")

    counts_at = array_at("int64", alias="arrange.counts")

    def arrange_worlds(errors, pattern, order, spare, counts, nworld, block):
        arrays = errors_at(errors), pattern_at(pattern), order_at(order), spare_at(spare), counts_at(counts)
        arrange(*arrays, nworld, block)

    return arrange_worlds


@functools.cache
def arrange_entry(base: str) -> Entry:
    """The entry for numbers of a precision, "float64" or "float32"."""
    build = functools.partial(build_arrange, base)
    return Entry(f"arrange_{one_world(base).name}", build, arity=7, origin="phalanx.batch.arrange:entry_named")


class Arrangement:
    """Arranges the worlds of a batch.

    Args:
        errors: codes of errors, to be cleared.
        pattern: of the rows of each world.
        order: worlds in the order in which lane groups take them.
    """

    def __init__(self, errors: np.ndarray, pattern: np.ndarray, order: np.ndarray):
        self._held = errors, pattern, order, np.zeros_like(order), np.zeros(VALUES, np.int64)
        addresses = (int(array.ctypes.data) for array in self._held)
        self._call = load(arrange_entry(pattern.dtype.name)).bound(*addresses, len(order))

    def renew(self, block: int) -> None:
        """Clear errors, and sort worlds within blocks of so many; 0 to leave them in their order."""
        self._call(block)


def entry_named(name: str) -> Entry:
    """The entry of this name, in a process that compiles."""
    return arrange_entry(number_of(name.partition("_")[2])[0].base)
