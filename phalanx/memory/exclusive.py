"""One at a time: what a thread works with cannot be entered by another, or again from a hook or a signal handler.

A flag is enough: Python switches threads and raises KeyboardInterrupt between calls only, and there is no call between
the question whether the flag is set, its setting, and the `try` that clears it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from phalanx.memory.errors import BusyError

P = ParamSpec("P")
R = TypeVar("R")


class Usage:
    """Whether somebody is at work."""

    is_busy = False


def busy() -> BusyError:
    """The error of the second who enters."""
    return BusyError(
        "this object is at work in another thread, or in the call that is running now: "
        "let one thread at a time use it, or give each thread its own copy (a Model may be shared)"
    )


def check_idle(owner: Any) -> None:
    """Refuse to look at the results of what is at work; they are of no moment."""
    if getattr(getattr(owner, "_usage", None), "is_busy", False):
        raise busy()


def exclusive(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A method during which no other of the same object is entered; `_usage` of the object keeps count."""

    @functools.wraps(method)
    def guarded(self: Any, /, *arguments: P.args, **options: P.kwargs) -> R:
        usage = self._usage
        if usage.is_busy:
            raise busy()
        usage.is_busy = True
        try:
            return method(self, *arguments, **options)
        finally:
            usage.is_busy = False

    return guarded
