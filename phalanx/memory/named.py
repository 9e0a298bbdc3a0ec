"""What users hold arrays in by name: a mapping that answers whatever it is asked, and compares arrays as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from phalanx.memory.errors import UnknownNameError, suggestion

Value = TypeVar("Value")


class Named(Mapping[str, Value]):
    """A mapping from names. What is no text is no name; `==` compares all elements of arrays, with one answer."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(name == known for known in self)

    def get(self, name: Any, default: Any = None) -> Any:
        """What has the name, or the default."""
        return self[name] if name in self else default  # noqa: SIM401

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        arrays: Mapping[str, Any] = self
        return self is other or (
            self.keys() == other.keys() and all(np.array_equal(value, other[name]) for name, value in arrays.items())
        )

    __hash__ = None  # type: ignore[assignment]


def unknown(name: Any, known: Mapping[str, Any]) -> UnknownNameError:
    """The error about a name that there is not."""
    words = repr(name) if isinstance(name, str) and len(name) < 60 else type(name).__name__
    return UnknownNameError(f"there is no {words}{suggestion(name, known) if isinstance(name, str) else ''}")
