"""Rays of Data and BatchSim: which geoms they see, and memory for their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.collision.ray.flex_ray import EDGES, FACES, LAYER, SKIN, VERTICES
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import flag, numbers, whole
from phalanx.memory.store import Store
from phalanx.tables.sizes import NGROUP

if TYPE_CHECKING:
    from phalanx.world.model import Model


#: What rays may see of flexes, and the deepest layer of a solid.
SEEN = {"skin": SKIN, "vertices": VERTICES, "edges": EDGES, "faces": FACES}
MOST_LAYERS = 1 << 20


def ray_filter(model: Model, geomgroup: Any, static: bool, exclude: int | str | None) -> tuple[int, int, int]:
    """(mask of groups, static geoms count, excluded body) as kernels want them."""
    groups = np.ones(NGROUP, bool) if geomgroup is None else numbers("geomgroup", geomgroup)
    if groups.shape != (NGROUP,) or groups.dtype.kind not in "biu":
        raise FieldError(f"geomgroup is {NGROUP} flags, one for each group of geoms, not {geomgroup!r}")
    body = -1 if exclude is None else model.names.id_of("body", exclude)
    return sum(1 << group for group in range(NGROUP) if groups[group]), int(flag("static", static)), body


def flex_filter(model: Model, flex: int | str | None, flexgroup: Any, seen: str, layer: int) -> tuple[int, int, int]:
    """(flex, what is seen of it, mask of groups) as kernels want them."""
    groups = np.ones(NGROUP, bool) if flexgroup is None else numbers("flexgroup", flexgroup)
    if groups.shape != (NGROUP,) or groups.dtype.kind not in "biu":
        raise FieldError(f"flexgroup is {NGROUP} flags, one for each group of flexes, not {flexgroup!r}")
    words = seen.replace(",", " ").split() if isinstance(seen, str) else ()
    unknown = [word for word in words if word not in SEEN]
    if unknown or not words:
        hint = suggestion(unknown[0], SEEN) if unknown else ""
        raise FieldError(f"seen is one or several of {', '.join(SEEN)}, not {seen!r}{hint}")
    chosen = -1 if flex is None else model.names.id_of("flex", flex)
    bits = sum(SEEN[word] for word in dict.fromkeys(words)) + LAYER * whole("layer", layer, 0, MOST_LAYERS)
    return chosen, bits, sum(1 << group for group in range(NGROUP) if groups[group])


def reserve(store: Store, n: int) -> None:
    """Make room for n rays."""
    if store.sizes["nray"] < n:
        store.resize("nray", n)
