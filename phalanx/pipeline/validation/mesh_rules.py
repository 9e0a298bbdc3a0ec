"""Meshes: their convex hulls and polygons name vertices that they have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phalanx.pipeline.validation.stretches import Broken, Sizes, owners
from phalanx.tables.domain import (
    Arrays,
)


def hull(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """The convex hull of each mesh: its record lies in mesh_graph, and all its addresses in the record.

    A record is: number of vertices, number of faces, address of the edges of each vertex, id of each vertex in the
    mesh, edges (neighbors of each vertex, closed by -1), faces.
    """
    if name == "mesh_graph":  # checked with mesh_graphadr
        return
    start, graph = arrays["mesh_graphadr"], arrays["mesh_graph"]
    bad, words = np.zeros(len(start), bool), "its hull is damaged (mesh_graph)"
    count = np.zeros(len(start), np.int64)
    for mesh, adr in enumerate(start.tolist()):
        if adr == -1:
            continue
        record = _hull_record(graph, adr, int(arrays["mesh_vertnum"][mesh]))
        bad[mesh], count[mesh] = record < 0, record
    if name == "mesh_graphadr":
        yield bad, words
        return
    limit = np.maximum(np.where(start >= 0, count, 0), 0)
    yield (
        (start >= 0)[:, None] & ((array < 0) | (array >= limit[:, None])),
        "it must be a vertex of the convex hull",
    )


def _hull_record(graph: np.ndarray, adr: int, vertnum: int) -> int:
    """Number of vertices of a hull; -1 if its record cannot be read safely."""
    if adr < 0 or adr + 2 > len(graph):
        return -1
    nvert, nface = int(graph[adr]), int(graph[adr + 1])
    if nvert < 1 or nface < 0 or adr + 2 + 3 * nvert + 6 * nface > len(graph):
        return -1
    edge_of, vertex_of = graph[adr + 2 :][:nvert], graph[adr + 2 + nvert :][:nvert]
    edges = graph[adr + 2 + 2 * nvert :][: nvert + 3 * nface]
    # every list of neighbors is closed by -1, the last one at the end
    is_sound = (
        len(edges) > 0
        and int(edge_of.min()) >= 0
        and int(edge_of.max()) < len(edges)
        and int(vertex_of.min()) >= 0
        and int(vertex_of.max()) < vertnum
        and int(edges.min()) >= -1
        and int(edges.max()) < nvert
        and int(edges[-1]) == -1
    )
    return nvert if is_sound else -1


def polygons(name: str, array: np.ndarray, sizes: Sizes, arrays: Arrays) -> Iterator[Broken]:
    """Polygons name vertices of their mesh, vertices name polygons of theirs."""
    if name == "mesh_polyvert":
        polygon = owners(arrays["mesh_polyvertadr"], arrays["mesh_polyvertnum"], len(array))
        mesh = owners(arrays["mesh_polyadr"], arrays["mesh_polynum"], sizes["nmeshpoly"])
        limit, words = arrays["mesh_vertnum"], "it must be a vertex of its mesh"
    else:
        polygon = owners(arrays["mesh_polymapadr"], arrays["mesh_polymapnum"], len(array))
        mesh = owners(arrays["mesh_vertadr"], arrays["mesh_vertnum"], sizes["nmeshvert"])
        limit, words = arrays["mesh_polynum"], "it must be a polygon of its mesh"
    owner = np.where(polygon >= 0, mesh[polygon], -1) if len(mesh) else np.full(len(array), -1)
    top = np.where(owner >= 0, limit[owner], 0)
    yield (polygon >= 0) & ((array < 0) | (array >= top)), words
