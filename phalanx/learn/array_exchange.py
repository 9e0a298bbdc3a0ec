"""Arrays of other libraries: actions come as NumPy, torch or jax arrays, or anything with `__dlpack__`."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError


class WrongTypeError(FieldError, TypeError):
    """A value of a type that does not fit: where vectors of Gymnasium raise a TypeError, which callers may expect."""


def as_numpy(array: Any, name: str) -> np.ndarray:
    """An array as NumPy sees it: without a copy where it is in the memory of this process.

    Args:
        array: what the user gave.
        name: what it is, for the message.
    """
    if isinstance(array, np.ndarray):
        return array
    # a tensor of torch, which may belong to a graph, or to another device
    if hasattr(array, "detach") and hasattr(array, "is_floating_point"):
        array = array.detach()
        array = array.cpu() if array.device.type != "cpu" else array
        array = array.float() if array.is_floating_point() and array.element_size() < 4 else array  # bfloat16
    if hasattr(array, "__dlpack__"):
        try:
            return np.from_dlpack(array)
        except (BufferError, RuntimeError, TypeError):
            pass  # on another device, or of a type that the protocol does not have
    try:
        return np.asarray(array)
    except Exception:  # parts of different lengths; objects of the user convert themselves, and may raise anything
        raise FieldError(f"{name} takes an array of numbers, not a {type(array).__name__} that is none") from None


def put_actions(target: np.ndarray, actions: Any, name: str, choices: int = 0) -> None:
    """Copy actions into the memory of worlds.

    Args:
        target: (n, actions).
        actions: the same shape; (n,) if an action is one number.
        name: of the task, for the message.
        choices: how many choices a discrete action has; 0 for numbers.
    """
    source = as_numpy(actions, "an action")
    if source.shape != target.shape:
        if source.size != target.size or source.shape[:1] != target.shape[:1]:
            kind = FieldError if source.ndim else WrongTypeError
            raise kind(f"actions of {name} have shape {source.shape}, but {target.shape} is needed")
        source = source.reshape(target.shape)
    if source.dtype.kind not in "fiub":
        source = _plain_numbers(source, name)
    if choices:
        _check_choices(source, name, choices)
    np.copyto(np.asarray(target), source, casting="unsafe")


def _check_choices(array: np.ndarray, name: str, choices: int) -> None:
    """Refuse what is none of the choices; nothing is allocated for whole numbers."""
    if array.min() >= 0 and array.max() < choices and (array.dtype.kind != "f" or (array == np.floor(array)).all()):
        return
    world = int(np.flatnonzero(~np.isin(array, np.arange(choices)).all(1))[0])
    raise FieldError(
        f"{name} has {choices} choices, 0 to {choices - 1}: {array[world].tolist()} in world {world} is none of them"
    )


def _plain_numbers(array: np.ndarray, name: str) -> np.ndarray:
    """Numbers of a type that is not NumPy's own, such as bfloat16, in single precision."""
    try:
        if array.dtype.kind == "V":
            return array.astype(np.float32)
    except (TypeError, ValueError):
        pass  # a record, or plain bytes
    raise FieldError(f"actions of {name} must be numbers, not {array.dtype}")
