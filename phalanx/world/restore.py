"""Contents of a Data from outside, from snapshots and files: checked as a whole, then written.

What may be in them derives from the rows: shapes from the sizes of the model and from counts, integers from
`tables/data_domains.py`. Numbers may be anything, NaN too: the next step reports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from phalanx.memory.array_file import ArrayFile
from phalanx.memory.awake import look_anew
from phalanx.memory.errors import ModelError, suggestion
from phalanx.memory.fill import numbers
from phalanx.memory.layout import DATA_SCHEMA, dtype_of, shape_of
from phalanx.memory.store import Store
from phalanx.tables.data_domains import (
    ASKED_FOR,
    COUNTS,
    FOLLOWERS,
    INDICES,
    OWNERS,
    STRETCHES,
    TYPED_IDS,
    VALUES,
)
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import Cone
from phalanx.tables.scratch_fields import CAPACITY

FILE_VERSION = 1
#: The array that says that a file is ours.
MARK = "phalanx_data"
PUBLIC = tuple(name for name, row in DATA_SCHEMA.fields.items() if not row.scratch)
#: Counts that decide how long rows are.
_COUNTS = tuple(
    name for name in PUBLIC if name in VARIABLE_SIZES or any(row.live == name for row in DATA_SCHEMA.fields.values())
)


class Misfit(Exception):
    """What does not fit, as text."""


# --- checks


def checked(contents: Mapping[str, Any], store: Store, cone: int) -> dict[str, np.ndarray]:
    """The contents of a Data as arrays that fit; ModelError if they do not, which names the field.

    Args:
        contents: arrays by field.
        store: memory of a Data of the model, for its sizes.
        cone: kind of friction cones of the model.
    """
    try:
        _check_names(contents)
        arrays = {name: _integers_or_reals(name, contents[name], store) for name in _COUNTS}
        counts = _checked_counts(arrays, store.sizes)
        sizes = {**store.sizes, **counts}
        if isinstance(contents, ArrayFile):
            for name in PUBLIC:
                _check_shape(name, contents.declared(name)[0], sizes)
        for name in PUBLIC:
            arrays[name] = _integers_or_reals(name, contents[name], store)
            _check_shape(name, arrays[name].shape, sizes)
        for problem in _problems(arrays, sizes, cone):
            raise Misfit(problem)
        return arrays
    except Misfit as misfit:
        raise ModelError(f"this does not fit the Data, which stays as it is: {misfit}") from None


def _check_names(contents: Mapping[str, Any]) -> None:
    unknown = [name for name in contents if name not in PUBLIC]
    missing = [name for name in PUBLIC if name not in contents]
    if unknown:
        raise Misfit(f"Data has no field {unknown[0]!r}{suggestion(str(unknown[0]), PUBLIC)}")
    if missing:
        raise Misfit(f"field {missing[0]} is missing")


def _integers_or_reals(name: str, value: Any, store: Store) -> np.ndarray:
    """A field as an array of its type; numbers of the other precision are converted, integers are not."""
    array, wanted = numbers(name, value), dtype_of(DATA_SCHEMA.fields[name], store.number)
    if wanted.kind == "f" and array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return array.astype(wanted)
    if array.dtype != wanted:
        raise Misfit(f"{name} is of type {array.dtype}, not {wanted}")
    if wanted.kind == "b" and (array.view(np.uint8) > 1).any():
        raise Misfit(f"{name} has bytes that are neither 0 nor 1")
    return array


def _checked_counts(arrays: Mapping[str, np.ndarray], sizes: Mapping[str, int]) -> dict[str, int]:
    """Counts of valid elements; those that cannot grow are within their bounds."""
    counts: dict[str, int] = {}
    for name in _COUNTS:
        if arrays[name].shape:
            raise Misfit(f"{name} has shape {arrays[name].shape}, not ()")
        counts[name] = int(arrays[name])
    for name, count in counts.items():
        bound = {**sizes, **counts}[COUNTS[name]] if name in COUNTS else None
        if count < 0 or (bound is not None and count > bound):
            raise Misfit(f"{name} is {count}, not from 0 to {'any' if bound is None else bound}")
    return counts


def _check_shape(name: str, shape: tuple[int, ...], sizes: Mapping[str, int]) -> None:
    """Refuse another shape than the model has; a field that is counted is as long as its count says."""
    row = DATA_SCHEMA.fields[name]
    wanted = shape_of(row, sizes)
    if row.live:
        wanted = (sizes[row.live], *wanted[1:])
    if shape != wanted:
        raise Misfit(f"{name} differs: it has shape {shape}, not {wanted}")


def _problems(arrays: Mapping[str, np.ndarray], sizes: Mapping[str, int], cone: int) -> Iterator[str]:
    """What is wrong with integers that kernels index with; rule by rule."""
    for name, bound in COUNTS.items():
        yield from _outside(name, arrays[name], 0, sizes[bound])
    for name, (low, size) in INDICES.items():
        yield from _outside(name, arrays[name], low, max(sizes[size] - 1, 0))
    for name, values in VALUES.items():
        yield from _which(name, arrays[name], ~np.isin(arrays[name], values), f"one of {values}")
    for name, (length, size, each) in STRETCHES.items():
        end, most = arrays[name].astype(np.int64) + arrays[length], each * sizes[size]
        is_bad = (arrays[name] < 0) | (arrays[length] < 0) | (end > most)
        yield from _which(name, arrays[name], is_bad, f"a start of {length} elements among {most}")
    for name, kind in TYPED_IDS.items():
        counts = np.array([sizes[OWNERS[kind_of]] for kind_of in sorted(OWNERS)])
        is_bad = (arrays[name] < 0) | (arrays[name] >= np.maximum(counts[arrays[kind]], 1))
        yield from _which(name, arrays[name], is_bad, f"an id that goes with {kind}")
    for name, size in FOLLOWERS.items():
        yield from _outside(name, arrays[name], 0, sizes[size])
    yield from _long_rows(arrays, sizes, cone)


def _long_rows(arrays: Mapping[str, np.ndarray], sizes: Mapping[str, int], cone: int) -> Iterator[str]:
    """Rows that reach beyond the last: of contacts, and those that share their columns with what follows."""
    address, dim = arrays["contact_efc_address"], arrays["contact_dim"]
    count = np.where((dim == 1) | (cone == Cone.ELLIPTIC), dim, 2 * (dim - 1))
    is_bad = (address >= 0) & (address + count > sizes["nefc"])
    yield from _which("contact_efc_address", address, is_bad, f"a start among {sizes['nefc']} rows")
    follows = arrays["efc_J_rowsuper"]
    is_bad = np.arange(len(follows)) + follows >= max(sizes["nefc"], 1)
    yield from _which("efc_J_rowsuper", follows, is_bad, f"rows that follow, among {sizes['nefc']}")


def _outside(name: str, array: np.ndarray, low: int, high: int) -> Iterator[str]:
    yield from _which(name, array, (array < low) | (array > high), f"from {low} to {high}")


def _which(name: str, array: np.ndarray, is_bad: np.ndarray, rule: str) -> Iterator[str]:
    """The first element that breaks a rule, in words."""
    if np.any(is_bad):
        first = np.argwhere(is_bad)[0].tolist()
        place = f"[{', '.join(map(str, first))}]" if first else ""
        yield f"{name}{place} is {array[tuple(first)]}, not {rule}"


# --- writing


def write(arrays: Mapping[str, np.ndarray], store: Store) -> None:
    """Contents that have been checked, into the memory of a Data."""
    # all memory first: it may not be there
    for size in (*CAPACITY, *ASKED_FOR):
        if size in arrays and int(arrays[size]) > store.sizes[size]:
            store.resize(size, int(arrays[size]))
    # what the solver needs for these rows is counted when it runs
    for count in ("nH", "nfill", "nheap"):
        store.arrays[count].fill(0)
    look_anew(store.arrays)
    for name, array in arrays.items():
        row = DATA_SCHEMA.fields[name]
        target = store.arrays[name]
        (target[: len(array)] if row.live else target)[...] = array
