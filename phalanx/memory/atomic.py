"""All or nothing: what an exception interrupts, Ctrl-C for example, leaves memory as it was before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import FieldsOnDemand, Store
from phalanx.tables.data_fields import VARIABLE_SIZES


def fixed_memory(store: Store) -> np.ndarray:
    """The bytes of all fields whose size does not change, in one piece."""
    assert isinstance(store.arrays, FieldsOnDemand)
    return store.arrays.memory


#: Fields that have memory of their own, because it grows: contacts, constraint rows, rays.
VARIABLE_FIELDS = tuple(name for name, row in DATA_SCHEMA.fields.items() if set(VARIABLE_SIZES) & set(row.shape))


def change_whole(store: Store, change: Callable[[], Any], variable: Iterable[str] = ()) -> None:
    """Let `change` write to the memory of a Data; if it does not come to its end, nothing of it remains.

    Args:
        store: memory of the Data.
        change: what to do.
        variable: fields of variable size that it writes, or gives more memory.
    """
    memory = fixed_memory(store)
    fixed, sizes = memory.copy(), dict(store.sizes)
    grown = {name: (store.arrays[name], _live(store, name).copy()) for name in variable}
    try:
        change()
    except BaseException:
        # one call, which nothing can interrupt: counts are what they were, and so are the numbers that they count
        memory[...] = fixed
        for name, (array, content) in grown.items():
            store.attach(name, array)
            _live(store, name)[...] = content
        store.take_sizes(sizes)
        raise


def _live(store: Store, name: str) -> np.ndarray:
    """The part of a field that is valid."""
    row, array = store.schema.fields[name], store.arrays[name]
    return array[: int(store.arrays[row.live])] if row.live else array


def complete(change: Callable[[], Any]) -> None:
    """Do what can be done twice, and cannot fail by itself: what an interrupt stops is done again, to its end."""
    try:
        change()
    except BaseException:
        change()
        raise


def change_rows(arrays: Mapping[str, np.ndarray], rows: np.ndarray, change: Callable[[], Any]) -> None:
    """Let `change` write to some rows of several arrays; if it does not come to its end, nothing of it remains."""
    before = {name: array[rows] for name, array in arrays.items()}
    try:
        change()
    except BaseException:
        for name, content in before.items():
            arrays[name][rows] = content
        raise
