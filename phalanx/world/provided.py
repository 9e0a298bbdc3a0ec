"""Functions of folders above this one that a Data or a BatchSim has as methods.

Imports point down, so a method cannot import what is above. A file up there provides its function under the name of the
method when the package is imported, and the method calls what was provided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Functions by name of the method; filled when modules are imported, and never changed.
_provided: dict[str, Callable[..., Any]] = {}


def provide(name: str, function: Callable[..., Any]) -> None:
    """Say what a method calls; once, when the file with the function is imported."""
    _provided[name] = function


def provided(name: str) -> Callable[..., Any]:
    """What was provided for a method; `import phalanx` has imported everything that provides."""
    return _provided[name]
