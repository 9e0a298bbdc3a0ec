"""Flexes: their elements, shells and texture coordinates name vertices and edges that they have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes, owners
from phalanx.tables.domain import Arrays
from phalanx.tables.model_domains import edge_ids_of_flexes, element_ids_of_flexes, shell_ids_of_flexes

#: Row -> where the part of each flex begins, how long it is, and how many of what it names the flex has.
_PARTS = {
    "flex_elem": ("flex_elemdataadr", element_ids_of_flexes, "flex_vertnum"),
    "flex_elemedge": ("flex_elemedgeadr", edge_ids_of_flexes, "flex_edgenum"),
    "flex_shell": ("flex_shelldataadr", shell_ids_of_flexes, "flex_vertnum"),
}


def flex_part(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Elements and sides of elements hold vertices of their flex, and edges of it."""
    first, count, limit = _PARTS[name]
    owner = owners(arrays[first], count(arrays), len(array))
    most = np.where(owner >= 0, arrays[limit][owner] if len(arrays[limit]) else 0, np.iinfo(np.int32).max)
    yield (owner >= 0) & ((array < 0) | (array >= most)), f"it must be less than {limit} of its flex"


def flex_cells(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The nodes of an interpolated flex are those of its cells; a vertex is in one of them."""
    order, counts = np.abs(arrays["flex_interp"]).astype(np.int64), arrays["flex_cellnum"].astype(np.int64)
    has_cells = order > 0
    if name == "flex_cellnum":
        # so many nodes that the product could overflow are too many anyway
        needed = np.prod((counts.astype(float) * order[:, None] + 1), axis=1) if len(counts) else np.zeros(0)
        bad = has_cells & ((counts < 1).any(axis=1) | (needed != arrays["flex_nodenum"]))
        yield np.repeat(bad[:, None], 3, axis=1), "the nodes of the flex must be those of its cells"
        return
    owner = owners(arrays["flex_vertadr"], arrays["flex_vertnum"], len(array))
    total = np.prod(np.clip(counts, 0, 1 << 20), axis=1) if len(counts) else np.zeros(0, np.int64)
    limit = np.where((owner >= 0) & has_cells[owner], total[owner], 0) if len(counts) else np.zeros(len(array))
    yield (array < -1) | (array >= np.maximum(limit, 0)), "it must be a cell of its flex, or -1"
