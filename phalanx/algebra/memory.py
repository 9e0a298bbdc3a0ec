"""Loads and stores between fields and tuples: the only indexing of vector fields in kernels.

A field of shape (n, k) is read by row; a flat field is read from an address. One world or lanes, the source is the
same: the element type of the field decides.
"""

from __future__ import annotations

from typing import Any


def _cells(field: Any, i: int, n: int) -> Any:
    return field[i] if field.ndim > 1 else field[i : i + n]


def _load(n: int) -> Any:
    def load(field: Any, i: int) -> Any:
        cells = _cells(field, i, n)
        return tuple(cells[k] for k in range(n))

    load.__name__ = f"load{n}"
    load.__doc__ = f"{n} numbers: row i of a field, or from address i of a flat one."
    return load


def _store(n: int) -> Any:
    def store(field: Any, i: int, v: Any) -> None:
        cells = _cells(field, i, n)
        for k in range(n):
            cells[k] = v[k]

    store.__name__ = f"store{n}"
    store.__doc__ = f"Write {n} numbers: row i of a field, or from address i of a flat one."
    return store


load2, load3, load4, load5 = _load(2), _load(3), _load(4), _load(5)
load6, load8, load9, load10 = _load(6), _load(8), _load(9), _load(10)
store2, store3, store4, store5 = _store(2), _store(3), _store(4), _store(5)
store6, store8, store9, store10 = _store(6), _store(8), _store(9), _store(10)

LOADS = {f.__name__: (f, n) for f, n in (
    (load2, 2), (load3, 3), (load4, 4), (load5, 5), (load6, 6), (load8, 8), (load9, 9), (load10, 10),
)}  # fmt: skip
STORES = {f.__name__: (f, n) for f, n in (
    (store2, 2), (store3, 3), (store4, 4), (store5, 5), (store6, 6), (store8, 8), (store9, 9), (store10, 10),
)}  # fmt: skip
