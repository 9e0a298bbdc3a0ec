"""Names of the numbers of a field: `qpos.knee`, `qpos.root.0`, `sensordata.gyro.2`, `xpos.torso.1`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.names import OBJECT_KINDS
from phalanx.world.model import Model

#: Fields whose numbers belong to no object, and what each number is.
_PARTS: Mapping[str, tuple[str, ...]] = {"energy": ("potential", "kinetic")}


def columns(model: Model, field: str) -> list[str]:
    """A name for each number of a field of Data, in order.

    >>> import phalanx
    >>> columns(phalanx.load("cartpole"), "qpos")
    ['qpos.slider', 'qpos.hinge']
    """
    shape = DATA_SCHEMA.fields[field].shape
    if not shape:
        return [field]
    if field in _PARTS:
        return [f"{field}.{part}" for part in _PARTS[field]]
    sizes = shape_of(DATA_SCHEMA.fields[field], model._store.sizes)
    inner = math.prod(sizes[1:])
    owners = _owners(model, shape[0])
    if owners is None:
        return [f"{field}.{k}" for k in range(math.prod(sizes))]
    return list(_numbered(field, *owners, inner))


def _owners(model: Model, size: Any) -> tuple[tuple[str, ...], np.ndarray] | None:
    """Names of the objects that an axis counts, and how many elements of it each of them has."""
    for kind in OBJECT_KINDS:
        names = model.names.names[kind.accessor]
        if kind.size == size:
            return names, np.ones(len(names), int)
        for span in kind.spans:
            if span.size == size and isinstance(span.count, str):
                counts = model.structure.get(span.count)
                return names, np.asarray(getattr(model, span.count) if counts is None else counts)
    return None


def _numbered(field: str, names: tuple[str, ...], widths: np.ndarray, inner: int) -> Iterator[str]:
    """A column for each number of each object; an object without a name goes by its id."""
    for objid, (name, width) in enumerate(zip(names, widths, strict=True)):
        count = int(width) * inner
        for part in range(count):
            yield ".".join([field, name or str(objid), *([str(part)] if count > 1 else [])])
