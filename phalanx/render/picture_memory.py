"""Memory of a picture: arrays of the rows of `picture_rows.py`, and tables of their addresses for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.render.picture_rows import LANE, LISTS, PIXELS, ROWS, SLOTS, Row


class Frame:
    """Arrays of the rows, and tables of their addresses, one for each thread.

    Args:
        threads: how many threads there are, each with its own working memory.
    """

    def __init__(self, threads: int = 1):
        self.threads = threads
        self._shared: dict[str, np.ndarray] = {}
        self._own: list[dict[str, np.ndarray]] = [{} for _ in range(threads)]
        self._tables = [aligned_zeros((len(ROWS),), np.int64) for _ in range(threads)]
        for row in ROWS.values():
            if row.inner is None:
                self.bind(row.name, np.zeros(1, row.element))
            elif row.own:
                for thread in range(threads):
                    self._bind_own(thread, row, row.own)
        self.reserve_lists(0)

    def bind(self, name: str, array: np.ndarray) -> None:
        """Let all threads use an array for a row."""
        self._shared[name] = array
        for table in self._tables:
            table[SLOTS[name]] = array.ctypes.data

    def bind_own(self, thread: int, name: str, array: np.ndarray) -> None:
        """Let one thread use an array for a row."""
        self._own[thread][name] = array
        self._tables[thread][SLOTS[name]] = array.ctypes.data

    def _bind_own(self, thread: int, row: Row, count: int) -> None:
        dtype = np.float64 if row.element == LANE else row.element
        self.bind_own(thread, row.name, aligned_zeros((count, *(row.inner or ())), dtype))

    def reserve_lists(self, nshape: int) -> None:
        """Make room in the lists of shapes."""
        self.bind("sphere", aligned_zeros(((nshape // PIXELS + 1) * PIXELS, 4), np.float64))
        for thread in range(self.threads):
            for name in LISTS:
                self._bind_own(thread, ROWS[name], nshape)

    def set(self, **numbers: float) -> None:
        """Set single numbers."""
        for name, value in numbers.items():
            self._shared[name][0] = value

    def fill(self, name: str, values: Any) -> np.ndarray:
        """Copy values into the array of a row, which is made or enlarged when it does not fit."""
        row = ROWS[name]
        given = np.asarray(values)
        array = self._shared.get(name)
        if array is None or array.shape != given.shape:
            array = aligned_zeros(given.shape, np.float64 if row.element == LANE else row.element)
            self.bind(name, array)
        array[...] = given
        return array

    def __contains__(self, name: str) -> bool:
        return name in self._shared

    def __getitem__(self, name: str) -> np.ndarray:
        return self._shared[name]

    def address(self, thread: int) -> int:
        """Address of the table of a thread."""
        return int(self._tables[thread].ctypes.data)

    def plain(self, thread: int) -> PlainFrame:
        """What `f` is when kernels run interpreted."""
        return PlainFrame({**self._shared, **self._own[thread]})


class PlainFrame:
    """Attributes for interpreted kernels: arrays, and numbers as they are."""

    def __init__(self, arrays: dict[str, np.ndarray]):
        for name, array in arrays.items():
            setattr(self, name, array[0] if ROWS[name].inner is None else array)
