"""Rays of Data and BatchSim: which geoms they see, and memory for their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.memory.errors import FieldError
from phalanx.memory.fill import flag, numbers
from phalanx.memory.store import Store
from phalanx.tables.sizes import NGROUP

if TYPE_CHECKING:
    from phalanx.world.model import Model


def ray_filter(model: Model, geomgroup: Any, static: bool, exclude: int | str | None) -> tuple[int, int, int]:
    """(mask of groups, static geoms count, excluded body) as kernels want them."""
    groups = np.ones(NGROUP, bool) if geomgroup is None else numbers("geomgroup", geomgroup)
    if groups.shape != (NGROUP,) or groups.dtype.kind not in "biu":
        raise FieldError(f"geomgroup is {NGROUP} flags, one for each group of geoms, not {geomgroup!r}")
    body = -1 if exclude is None else model.names.id_of("body", exclude)
    return sum(1 << group for group in range(NGROUP) if groups[group]), int(flag("static", static)), body


def reserve(store: Store, n: int) -> None:
    """Make room for n rays."""
    if store.sizes["nray"] < n:
        store.resize("nray", n)
