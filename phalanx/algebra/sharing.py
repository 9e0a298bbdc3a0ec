"""Words for memory that several threads share: arrays of 64-bit integers that all of them read and write.

Interpreted there is one thread, and these are what they look like; `phalanx/native/sharing.py` says what they compile
to. What one thread writes before a `shared_set` or `shared_add`, another sees after the `shared_get` or `shared_add`
that finds its value; all threads agree on the order of these operations.
"""

from __future__ import annotations

from typing import Any


def shared_get(array: Any, i: int) -> int:
    """The element as it is now."""
    return int(array[i])


def shared_set(array: Any, i: int, value: int) -> None:
    """Write an element."""
    array[i] = value


def shared_add(array: Any, i: int, value: int) -> int:
    """Add to an element, at once; returns what it was before."""
    before = int(array[i])
    array[i] = before + value
    return before


def pause() -> None:
    """Do nothing for a few dozen nanoseconds, between two looks at what another thread will write."""
