"""Copies a value of the user into a field, or raises an error that says why it does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError


def fill(array: np.ndarray, name: str, value: Any) -> None:
    """Copy a value of the user into a field; FieldError if its type or shape does not fit."""
    try:
        value = np.asarray(value)
        if value.dtype.kind not in "biuf":
            raise TypeError
    except (TypeError, ValueError):
        raise FieldError(f"{name} takes numbers, not {type(value).__name__}") from None
    if value.shape not in ((), array.shape):
        raise FieldError(f"{name} has shape {array.shape}, not {value.shape}")
    if array.dtype.kind != "f" and value.dtype.kind == "f" and not np.all(np.mod(value, 1) == 0):
        raise FieldError(f"{name} takes integers ({array.dtype}), not {value.dtype}")
    array[...] = value
