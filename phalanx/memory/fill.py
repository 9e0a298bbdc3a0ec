"""Values of the user: copied into fields, or an error that says why they do not fit."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError

#: The largest count of steps, worlds and so on that can be asked for.
MOST = 2**62


def fill(array: np.ndarray, name: str, value: Any) -> None:
    """Copy a value of the user into a field; FieldError if its type or shape does not fit."""
    value = numbers(name, value)
    if value.shape not in ((), array.shape):
        raise FieldError(f"{name} has shape {array.shape}, not {value.shape}")
    if array.dtype.kind != "f":
        check_whole(name, value, array.dtype)
    with np.errstate(over="ignore"):  # a number too large for single precision becomes infinite, and is reported
        array[...] = value


def numbers(name: str, value: Any) -> np.ndarray:
    """What the user gave, as an array of numbers."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise TypeError
    except Exception:  # objects of the user convert themselves, and may raise anything
        raise FieldError(f"{name} takes numbers, not {type(value).__name__}") from None
    return array


def check_whole(name: str, value: np.ndarray, dtype: np.dtype) -> None:
    """Refuse what an integer field cannot hold."""
    if value.dtype.kind == "f" and not np.all(np.mod(value, 1) == 0):
        raise FieldError(f"{name} takes integers ({dtype}), not {value.dtype}")
    lowest, highest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if value.size and not (lowest <= value.min() and value.max() <= highest):
        raise FieldError(f"{name} takes integers from {lowest} to {highest}")


def whole(name: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """A count or an index of the user as an int.

    >>> whole("n", 3)
    3
    >>> whole("n", 2.5)
    Traceback (most recent call last):
    ...
    phalanx.memory.errors.FieldError: n is a whole number, not 2.5
    """
    try:
        number = operator.index(value)
    except Exception:  # arrays and objects of the user may raise anything
        raise FieldError(f"{name} is a whole number, not {_shown(value)}") from None
    if not least <= number <= most:
        bounds = f"at least {least}" if number < least else f"at most {most}"
        raise FieldError(f"{name} must be {bounds}, not {number}")
    return number


def flag(name: str, value: Any) -> bool:
    """Yes or no, as the user gave it: anything that has a truth value."""
    try:
        return bool(value)
    except Exception:  # arrays and objects of the user may raise anything
        raise FieldError(f"{name} is True or False, not {_shown(value)}") from None


def real(name: str, value: Any) -> float:
    """A number of the user as a float; not NaN."""
    array = numbers(name, value)
    if array.shape or np.isnan(array):
        raise FieldError(f"{name} is a number, not {_shown(value)}")
    return float(array)


def lanes_asked(lanes: Any) -> int | str:
    """Worlds per vector register that the user asked for."""
    is_auto = isinstance(lanes, str) and lanes == "auto"
    if is_auto or (isinstance(lanes, (int, np.integer)) and lanes in (1, 2, 4, 8, 16)):
        return lanes
    raise FieldError(f'lanes is 1, 2, 4, 8, 16 or "auto", not {_shown(lanes)}')


def items(value: Any) -> list[Any]:
    """What the user gave, one by one; a None if it is not a list or the like.

    >>> items(("a", 2)), items(5), items(np.array("x"))
    (['a', 2], [None], [None])
    """
    # an array without axes is called iterable by Python, and is not
    is_several = isinstance(value, Iterable) and getattr(value, "shape", None) != ()
    return [*value] if is_several else [None]


def words(name: str, value: Any) -> list[str]:
    """Names that the user gave: a text, or several.

    >>> words("plots", "qpos"), words("plots", ("qpos", "qvel"))
    (['qpos'], ['qpos', 'qvel'])
    """
    if isinstance(value, str):
        return [value]
    found = items(value)
    if not all(isinstance(each, str) for each in found):
        raise FieldError(f"{name} takes names, not {type(value).__name__}")
    return found


def _shown(value: Any) -> str:
    """A value in a message: as it is if it is short, else its type."""
    text = repr(value) if isinstance(value, (str, bytes, int, float, complex, type(None))) else ""
    return text if text and len(text) <= 40 else type(value).__name__
