"""Field-by-field comparison of our compiled Model with MuJoCo's."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx import Model
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.visual import GROUPS
from phalanx.tables.field import Kind

#: Sizes that describe MuJoCo's memory, and rows that only we have.
OURS = frozenset(("nbuffer", "ngrid", "ngriddata", "ncandidate", "nsleep"))
RELATIVE = 1e-12
#: The order of hull vertices and of their neighbors is qhull's; hulls are compared as graphs instead.
HULL_ORDER = ("mesh_graph", "mesh_extrema")


def differences(ours: Model, theirs: Any, skip: tuple[str, ...] = ()) -> dict[str, str]:
    """Every size and row in which two models differ, with what differs most."""
    other = Model.from_mujoco(theirs)
    found = {}
    for name in MODEL_SCHEMA.sizes:
        if name not in OURS and name not in skip:
            a, b = ours._store.sizes[name], other._store.sizes[name]
            if a != b:
                found[name] = f"{a} != {b}"
    for name, row in MODEL_SCHEMA.fields.items():
        if row.mujoco == "-" or name in skip:
            continue
        a, b = ours._store.arrays[name], other._store.arrays[name]
        message = _difference(row, a, b)
        if message:
            found[name] = message
    return found | _visual_differences(ours, other)


def _visual_differences(ours: Model, other: Model) -> dict[str, str]:
    """Settings of pictures that differ; MuJoCo has them in single precision."""
    found = {}
    for group, row in GROUPS.items():
        for name in row.attributes:
            a, b = (getattr(getattr(model.vis, group), name) for model in (ours, other))
            if not np.array_equal(np.float32(a), np.float32(b)):
                found[f"vis.{group}.{name}"] = f"{a} != {b}"
    return found


def _difference(row: Any, a: np.ndarray, b: np.ndarray) -> str:
    if a.shape != b.shape:
        return f"shape {a.shape} != {b.shape}"
    if not a.size:
        return ""
    if row.kind in (Kind.INT, Kind.BOOL, Kind.BYTE, Kind.SIZE):
        bad = a != b
    else:
        scale = np.abs(b).max() if b.ndim else abs(b)
        relative = 1e-6 if row.kind is Kind.FLOAT32 else RELATIVE
        bad = ~(np.abs(a.astype(float) - b.astype(float)) <= relative * max(float(scale), 1e-30))
    if not bad.any():
        return ""
    place = tuple(int(k) for k in np.argwhere(bad)[0]) if a.ndim else ()
    return f"{int(bad.sum())} of {a.size} differ, first at {place}: {a[place]} != {b[place]}"


# --- convex hulls: the order in which qhull visits points is not part of the result


def hulls_differ(ours: Model, theirs: Any) -> list[str]:
    """Meshes whose hulls are not the same graph: the same vertices, neighbors and faces, in whatever order."""
    other = Model.from_mujoco(theirs)
    return [
        f"mesh {mesh}"
        for mesh in range(ours.nmesh)
        if _hull_of(ours, mesh) != _hull_of(other, mesh) or not _same_extremes(ours, other, mesh)
    ]


def _hull_of(model: Model, mesh: int) -> Any:
    start = int(model.mesh_graphadr[mesh])
    if start < 0:
        return None
    record = model.mesh_graph[start:]
    nvert, nface = record[:2].tolist()
    edgeadr, vertices, rest = record[2 : 2 + nvert], record[2 + nvert : 2 + 2 * nvert], record[2 + 2 * nvert :]
    edges, faces = rest[: nvert + 3 * nface], rest[nvert + 3 * nface :][: 3 * nface].reshape(-1, 3)
    neighbors = {}
    for vertex, address in zip(vertices.tolist(), edgeadr.tolist(), strict=True):
        end = address + int(np.argmax(edges[address:] < 0))
        neighbors[vertex] = frozenset(vertices[edges[address:end]].tolist())
    return neighbors, {frozenset(face) for face in faces.tolist()}


def _same_extremes(ours: Model, other: Model, mesh: int) -> bool:
    """Vertices that are farthest in the directions of a grid are equally far."""
    if ours.mesh_graphadr[mesh] < 0:
        return True
    steps = np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])
    reach = []
    for model in (ours, other):
        start = int(model.mesh_graphadr[mesh])
        nvert = int(model.mesh_graph[start])
        hull = model.mesh_graph[start + 2 + nvert : start + 2 + 2 * nvert]
        points = model.mesh_vert[model.mesh_vertadr[mesh] + hull[model.mesh_extrema[mesh]]]
        reach.append((steps * points).sum(axis=1))
    return bool(np.allclose(reach[0], reach[1], rtol=0, atol=1e-6 * max(1e-9, float(np.abs(reach[1]).max()))))
