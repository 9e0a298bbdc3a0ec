"""Which fields of a Data a kernel of a device can touch: no other has memory there.

The walk is that of the keys of compiled code (`native/key.py`): it sees the names in every function that it can reach.
A name that is no field of `d` there, but of something else, costs memory and nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from phalanx.algebra.jit import Part
from phalanx.algebra.number_type import NumberType
from phalanx.device.world_kernel import UNKEPT, build_world
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.native.key import Walk, names_in
from phalanx.native.source import plain_function
from phalanx.pipeline.parts import kernels_of


class NameWalk(Walk):
    """Collects the names in functions; of parts it enters only some.

    Args:
        parts: to enter.

    Attributes:
        names: in all functions that were visited.
    """

    def __init__(self, parts: frozenset[Part]):
        super().__init__()
        self.names: set[str] = set()
        self._parts = parts

    def visit(self, found: Any) -> None:
        """Look at a Python object."""
        if not isinstance(found, Part):
            super().visit(found)
        elif found in self._parts:
            self._function(plain_function(found))

    def _function(self, function: Callable[..., Any]) -> None:
        if id(function) not in self._seen:
            self.names.update(names_in(function.__code__))
        super()._function(function)


@functools.lru_cache(maxsize=64)
def used_fields(
    number: NumberType, varied: bool, parts: tuple[str, ...], functions: tuple[Part, ...] = ()
) -> frozenset[str]:
    """Fields of a Data that the kernel of some parts and functions of the user can touch."""
    return reached_fields(build_world(number, varied), parts, functions)


def reached_fields(
    root: Callable[..., Any], parts: tuple[str, ...], functions: tuple[Part, ...] = ()
) -> frozenset[str]:
    """Fields of a Data that a function can touch that calls some parts and functions of the user."""
    walk = NameWalk(frozenset(part for name in parts for part in kernels_of(name)) | frozenset(functions))
    walk.visit(root)
    for function in functions:
        walk.visit(function)
    return frozenset(name for name in DATA_SCHEMA.fields if name in walk.names) - frozenset(UNKEPT)
