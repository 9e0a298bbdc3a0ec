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
    """Elements, their sides and the vertices around edges are those of their flex."""
    if name == "flex_edgeflap":
        yield from _flaps(array, arrays)
        return
    if name == "flex_elemtexcoord":
        yield from _pictured(array, sizes, arrays)
        return
    first, count, limit = _PARTS[name]
    owner = owners(arrays[first], count(arrays), len(array))
    most = np.where(owner >= 0, arrays[limit][owner] if len(arrays[limit]) else 0, np.iinfo(np.int32).max)
    yield (owner >= 0) & ((array < 0) | (array >= most)), f"it must be less than {limit} of its flex"


def _flaps(array: np.ndarray, arrays: Arrays) -> Iterator[Broken]:
    """Two vertices where two triangles meet, at most one elsewhere: the second is there only with the first."""
    owner = owners(arrays["flex_edgeadr"], arrays["flex_edgenum"], len(array))
    limit = np.where(owner >= 0, arrays["flex_vertnum"][owner] if len(arrays["flex_vertnum"]) else 0, 0)[:, None]
    bad = (array < -1) | (array >= limit)
    bad[:, 0] |= (array[:, 0] < 0) & (array[:, 1] >= 0)
    yield bad & (owner >= 0)[:, None], "it must be less than flex_vertnum of its flex, or -1 for none, the second first"


def _pictured(array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Texture coordinates lie between those of this flex and those of the next."""
    first = arrays["flex_texcoordadr"].astype(np.int64)
    owner = owners(arrays["flex_elemdataadr"], element_ids_of_flexes(arrays), len(array))
    starts = np.sort(np.append(first, sizes["nflextexcoord"]))
    room = starts[np.searchsorted(starts, first, side="right").clip(max=len(starts) - 1)] - first
    is_read = (owner >= 0) & (first[owner] >= 0) if len(first) else np.zeros(len(array), bool)
    limit = room[owner] if len(first) else np.zeros(len(array))
    yield is_read & ((array < 0) | (array >= limit)), "it must be a texture coordinate of its flex"


def flex_cells(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The nodes of an interpolated flex are those of its cells; a vertex is in one of them, others have a body."""
    order, counts = np.abs(arrays["flex_interp"]).astype(np.int64), arrays["flex_cellnum"].astype(np.int64)
    has_cells = order > 0
    if name == "flex_cellnum":
        # so many nodes that the product could overflow are too many anyway
        needed = np.prod((counts.astype(float) * order[:, None] + 1), axis=1) if len(counts) else np.zeros(0)
        bad = has_cells & ((counts < 1).any(axis=1) | (needed != arrays["flex_nodenum"]))
        yield np.repeat(bad[:, None], 3, axis=1), "the nodes of the flex must be those of its cells"
        return
    owner = owners(arrays["flex_vertadr"], arrays["flex_vertnum"], len(array))
    is_inside = (owner >= 0) & has_cells[owner] if len(counts) else np.zeros(len(array), bool)
    if name == "flex_vertbodyid":
        bad = (array >= sizes["nbody"]) | (array < np.where(is_inside | (owner < 0), -1, 0))
        yield bad, f"it must be from 0 to {sizes['nbody'] - 1} (nbody is {sizes['nbody']}), or -1 in cells"
        return
    limit = np.where(is_inside, cells_of(arrays)[owner], 0) if len(counts) else np.zeros(len(array))
    bad = (array < np.where(is_inside, 0, -1)) | (array >= limit)
    yield bad, "it must be a cell of its flex, or -1 if it has none"


def cells_of(arrays: Arrays) -> np.ndarray:
    """How many cells each flex has; of one without nodes it may be anything."""
    return np.prod(np.clip(arrays["flex_cellnum"].astype(np.int64), 0, 1 << 20), axis=1)


def faces_of(arrays: Arrays) -> np.ndarray:
    """How many faces the shell around the cells of each flex has."""
    x, y, z = np.clip(arrays["flex_cellnum"].astype(np.int64), 0, 1 << 20).T
    faces: np.ndarray = 2 * (x * y + y * z + z * x)
    return faces


def edge_pattern(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """A row of the edge Jacobian has all dofs that move one of the ends, ascending, or none, row after row."""
    num, size = arrays["flexedge_J_rownnz"].astype(np.int64), sizes["nJfe"]
    start = np.cumsum(num) - num
    if name == "flexedge_J_rowadr":
        yield (array < 0) | (array > size), f"it must be from 0 to {size} (nJfe)"
        yield (num > 0) & ((array != start) | (start + num > size)), "rows must follow each other without gaps"
        return
    if not len(arrays["flex_dim"]):
        yield array != 0, "there is no flex"
        return
    body, dofs = _moving_dofs(sizes, arrays)
    counts = (dofs >= 0).sum(axis=0)
    if name == "flexedge_J_rownnz":
        owner = owners(arrays["flex_edgeadr"], arrays["flex_edgenum"], len(array))
        bad = (array != 0) & ((array != counts) | (body < 0).any(axis=1) | (owner < 0))
        yield bad, "it must be the number of dofs that move the ends of the edge, or 0"
        return
    bad = (array < 0) | (array >= sizes["nv"])
    for order, dof in enumerate(dofs):
        # the largest dof is the last of its row
        rows = np.flatnonzero((dof >= 0) & (num == counts) & (start + num <= size))
        places = start[rows] + num[rows] - 1 - order
        bad[places] |= array[places] != dof[rows]
    yield bad, "it must be the next of the dofs that move the ends of the edge"


def _moving_dofs(sizes: Sizes, arrays: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """Bodies at the ends of edges, (nflexedge, 2); dofs that move one of them, largest first, then -1."""
    edges = sizes["nflexedge"]
    owner = owners(arrays["flex_edgeadr"], arrays["flex_edgenum"], edges)
    ends = arrays["flex_vertadr"][owner][:, None] + arrays["flex_edge"]
    body = arrays["flex_vertbodyid"][np.clip(ends, 0, max(sizes["nflexvert"] - 1, 0))]
    weld = arrays["body_weldid"][np.maximum(body, 0)]
    last = np.where(arrays["body_dofnum"][weld] > 0, arrays["body_dofadr"][weld] + arrays["body_dofnum"][weld] - 1, -1)
    one, two = last.T
    above = np.append(arrays["dof_parentid"], -1)
    found = []
    while (one >= 0).any() or (two >= 0).any():
        found.append(np.maximum(one, two))
        one, two = np.where(one >= two, above[one], one), np.where(two >= one, above[two], two)
    return body, np.array(found, np.int64).reshape(-1, edges)
