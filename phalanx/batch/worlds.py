"""Worlds of a batch as users choose them: an index, several, or a mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import MOST, numbers, whole


def world_index(i: Any, n: int) -> int:
    """One world of n, counted from the end if negative."""
    if isinstance(i, (bool, np.bool_)):
        raise FieldError(f"the index of a world is a whole number, not {i}")
    i = whole("the index of a world", i, -MOST)
    if not -n <= i < n:
        raise FieldError(f"world {i} does not exist: the batch has {n}")
    return i % n


def chosen_worlds(worlds: Any, n: int) -> np.ndarray:
    """Indices of the worlds that the user chose among n, each once.

    Args:
        worlds: None for all of them, an index, a slice, a list of indices, or n booleans.
        n: how many there are.

    >>> chosen_worlds([True, False, True], 3), chosen_worlds(-1, 3), chosen_worlds([2, 0], 3)
    (array([0, 2]), array([2]), array([2, 0]))
    """
    if worlds is None:
        return np.arange(n)
    if isinstance(worlds, slice):
        try:
            return np.arange(n)[worlds]
        except (TypeError, ValueError):
            raise FieldError(f"worlds are chosen by a slice of whole numbers, not by {worlds!r:.60}") from None
    try:
        array = numbers("worlds", worlds)
    except FieldError:
        kind = type(worlds).__name__
        raise FieldError(f"worlds are chosen by a whole number, a list of them or a mask, not by {kind}") from None
    # a number is a world, booleans are a mask, other numbers are worlds
    if array.ndim == 0:
        return np.array([world_index(worlds, n)])
    if array.dtype == np.bool_:
        if array.shape != (n,):
            raise FieldError(f"a mask of worlds has {n} booleans, not shape {array.shape}")
        return np.flatnonzero(array)
    return _several(array, n)


def is_mask(worlds: Any) -> bool:
    """Are worlds chosen by booleans?"""
    return worlds is not None and not isinstance(worlds, slice) and np.asarray(worlds).dtype == np.bool_


def _several(array: np.ndarray, n: int) -> np.ndarray:
    """Worlds by index."""
    if array.ndim != 1:
        raise FieldError(f"worlds are chosen by an index, a list of indices or a mask, not by shape {array.shape}")
    if array.size and array.dtype.kind not in "iu":
        raise FieldError(f"worlds are chosen by whole numbers or a mask, not by {array.dtype}")
    for i in array[(array < -n) | (array >= n)][:1]:
        raise FieldError(f"world {i} does not exist: the batch has {n}")
    chosen = array.astype(np.int64) % max(n, 1)
    values, counts = np.unique(chosen, return_counts=True)
    if len(values) < len(chosen):
        raise FieldError(
            f"world {values[counts > 1][0]} is chosen more than once; a mask of {n} booleans has the type bool"
        )
    return chosen
