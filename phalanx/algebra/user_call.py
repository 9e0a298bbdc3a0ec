"""Functions of the user: how a kernel calls one, and what becomes of the value that it returns.

Interpreted, these are what they look like; `phalanx/native/user_call.py` says what they compile to.
"""

from __future__ import annotations

from typing import Any


def call_user(function: Any, m: Any, d: Any, first: int, second: int) -> None:
    """Run a function of the user: interpreted it is a Python function, in compiled code an address."""
    function(m, d, first, second)


def as_number(value: Any) -> Any:
    """A returned number."""
    if value is None:
        raise TypeError("the hook must return a number")
    return value


def as_rate(value: Any, otherwise: Any) -> Any:
    """A returned number, or `otherwise` if nothing was returned."""
    return otherwise if value is None else value


def as_condition(value: Any) -> Any:
    """A returned condition; a number counts as true unless it is zero."""
    if value is None:
        raise TypeError("the hook must return True or False")
    return value != 0
