"""Elements that are added together: all of them, or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from phalanx.compiler.text.element import Element


@contextmanager
def all_or_none(*holders: Element) -> Iterator[None]:
    """Take back what is added to these elements inside of the block if it raises."""
    before = [(holder, list(holder.children)) for holder in holders]
    try:
        yield
    except BaseException:
        for holder, children in before:
            holder.children[:] = children
        raise
