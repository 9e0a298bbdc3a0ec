"""Quantities that users give: numbers within bounds, or an error that names them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import items, numbers, real


def positive(name: str, value: Any) -> float:
    """A finite number above zero."""
    number = real(name, value)
    if not 0.0 < number < math.inf:
        raise FieldError(f"{name} is above zero and finite, not {number:g}")
    return number


def between(name: str, value: Any, low: float, high: float) -> float:
    """A finite number within bounds."""
    number = real(name, value)
    if not low <= number <= high or math.isinf(number):
        bounds = f"between {low:g} and {high:g}" if math.isfinite(high) else f"at least {low:g} and finite"
        raise FieldError(f"{name} is {bounds}, not {number:g}")
    return number


def pair(name: str, value: Any) -> tuple[Any, Any]:
    """Two values, one for each of two directions."""
    found = items(value)
    if len(found) != 2:
        raise FieldError(f"{name} has two parts, unlike {type(value).__name__}")
    return found[0], found[1]


def triple(name: str, value: Any) -> np.ndarray:
    """A point: three numbers."""
    place = numbers(name, value)
    if place.shape != (3,):
        raise FieldError(f"{name} is three numbers, not {place.shape}")
    return place.astype(float)
