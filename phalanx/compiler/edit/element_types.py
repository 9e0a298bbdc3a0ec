"""One class for each element of MJCF: `Geom`, `ActuatorMotor`, `TendonSpatialSite`.

They are made when they are needed. What a type checker sees is `element_types.pyi`, which `tools/write_stubs.py` writes
from the same rows; `SpecElements` tells it what a Spec lists, finds and adds.
"""

from __future__ import annotations

from phalanx.compiler.edit.typed_element import class_name, element_class
from phalanx.tables.mjcf_schema import ELEMENTS

_KEYS = {class_name(key): key for key in ELEMENTS}


def __getattr__(name):
    if name not in _KEYS:
        raise AttributeError(f"there is no element class {name!r}")
    return element_class(_KEYS[name])


def __dir__():
    return [*globals(), *_KEYS]


class SpecElements:
    """What a Spec lists, finds and adds, by kind of element."""

    __slots__ = ()
