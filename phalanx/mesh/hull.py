"""Convex hull of a mesh, and MuJoCo's record of it.

MuJoCo and SciPy both carry Qhull, so the triangles come in the same order. SciPy does not show Qhull's lists of
vertices and of the facets around a vertex; they follow from how Qhull works: adding a point makes a cone of new facets,
appended to the list of facets, and moves the vertices of each new facet to the end of the list of vertices. Facets that
were merged because they are coplanar are cut into triangles at the very end, as one such step.

What cannot be seen afterwards: triangles without area that Qhull made and dropped, and the facets that merging took
from the list around a vertex. Where there were some, the order of a few vertices, or of the neighbors of a vertex, may
differ from MuJoCo's; the sets are the same.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.mesh.errors import MeshError
from phalanx.native.interruptible import interruptible

#: A triangle whose sine is below this is too thin to tell its orientation.
THIN = 1e-6


@dataclass(frozen=True, eq=False)
class Hull:
    """Convex hull as triangles.

    Attributes:
        vertices: (n,) int32, rows of the mesh's vertices that are on the hull.
        faces: (m, 3) int32, rows of the mesh's vertices, counterclockwise seen from outside.
        edgeadr: (n,) int32, where the neighbors of each hull vertex begin in `edges`.
        edges: (n + 3 m,) int32, neighbors of each hull vertex as hull vertices, each list ended by -1.
    """

    vertices: np.ndarray
    faces: np.ndarray
    edgeadr: np.ndarray
    edges: np.ndarray

    @property
    def graph(self) -> np.ndarray:
        """The record in mesh_graph: two counts, edge addresses, vertices, edges, faces."""
        counts = np.array([len(self.vertices), len(self.faces)], np.int32)
        return np.concatenate([counts, self.edgeadr, self.vertices, self.edges, self.faces.ravel()])

    def mirrored(self) -> Hull:
        """The hull with its faces wound the other way, for vertices that are mirrored."""
        return replace(self, faces=self.faces[:, [0, 2, 1]])

    def __repr__(self) -> str:
        return f"Hull({len(self.vertices)} vertices, {len(self.faces)} faces)"


def convex_hull(vertices: np.ndarray, max_vertices: int = -1) -> Hull:
    """Convex hull of points, with at most `max_vertices` vertices unless that is -1."""
    # a third of the time to import phalanx, and most programs find their hulls in the cache or have none
    from scipy.spatial import ConvexHull, QhullError

    points = np.ascontiguousarray(vertices, np.float64)
    if -1 < max_vertices < 4:
        raise MeshError(f"a hull needs at least 4 vertices, at most {max_vertices} were asked for")
    check_solid(points)
    options = "Qt" if max_vertices < 0 else f"Qt Q9 TA{max_vertices - 4}"
    try:
        # of many points it takes seconds, in which Python could not hear Ctrl-C
        hull = interruptible(lambda: ConvexHull(points, qhull_options=options))
    except QhullError as problem:
        reason = str(problem).strip().splitlines()[0]
        raise MeshError(f"Qhull finds no convex hull: {reason}") from None
    rows = hull.simplices
    order = _vertex_order(rows, hull.equations)
    edgeadr, edges = _neighbors(rows, order)
    return Hull(order, _outward(points, rows, hull.neighbors, hull.equations[:, :3]), edgeadr, edges)


def check_solid(points: np.ndarray) -> None:
    """Complain about points that lie in one place, on a line or in a plane."""
    if len(points) < 4:
        raise MeshError(f"at least 4 vertices are required, not {len(points)}")
    offsets = points - points[0]
    lengths = np.sqrt((offsets**2).sum(axis=1))
    if not (lengths > MINVAL).any():
        raise MeshError("all vertices are in one place, so there is no convex hull; use a small sphere instead")
    second = int(np.argmax(lengths > MINVAL))
    normals = np.cross(offsets[second], offsets)
    sizes = np.sqrt((normals**2).sum(axis=1))
    is_off_line = (lengths >= MINVAL) & (sizes > MINVAL * lengths[second] * lengths)
    if not is_off_line.any():
        raise MeshError("all vertices are on one line, so there is no convex hull; use a thin capsule instead")
    third = int(np.argmax(is_off_line))
    heights = points @ (normals[third] / sizes[third])
    if not (np.abs(heights - heights[0]) > MINVAL * lengths[second]).any():
        raise MeshError("all vertices are in one plane, so there is no convex hull; use a plane or a thin box instead")


def _steps(rows: np.ndarray, equations: np.ndarray) -> np.ndarray:
    """The step of Qhull that made each facet: one for each newest vertex, the last one for cut facets."""
    _, plane, count = np.unique(equations, axis=0, return_inverse=True, return_counts=True)
    is_cut = count[plane.ravel()] > 1
    first_cut = int(np.argmax(is_cut)) if is_cut.any() else len(rows)
    is_new = np.zeros(len(rows), bool)
    is_new[1:first_cut] = rows[1:first_cut, 0] != rows[: max(first_cut - 1, 0), 0]
    is_new[first_cut : first_cut + 1] = True
    return np.cumsum(is_new)


def _vertex_order(rows: np.ndarray, equations: np.ndarray) -> np.ndarray:
    """Hull vertices in the order of Qhull's list: by the last step that made a facet at the vertex."""
    if len(rows) == 4:  # the first simplex: facet k is the one without vertex k
        missing = [np.setdiff1d(rows, row)[0] for row in rows]
        return np.array(missing, np.int32)
    step = np.repeat(_steps(rows, equations), 3)
    place = np.arange(rows.size)
    by_vertex = np.lexsort((place, -step, rows.ravel()))
    vertex, first = np.unique(rows.ravel()[by_vertex], return_index=True)
    touched = by_vertex[first]
    return vertex[np.lexsort((touched, step[touched]))].astype(np.int32)


def _neighbors(rows: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Addresses and neighbors of each hull vertex, in the order of the facets around it."""
    local = np.full(int(order.max()) + 1, -1, np.int64)
    local[order] = np.arange(len(order))
    corners = local[rows]
    # one pair (vertex, neighbor) for each corner and each other corner of its facet, in facet order
    start = np.repeat(corners, 3, axis=1).ravel()
    end = np.tile(corners, (1, 3)).ravel()
    pairs = np.flatnonzero(start != end)
    key = start[pairs] * len(order) + end[pairs]
    first = pairs[np.sort(np.unique(key, return_index=True)[1])]
    first = first[np.argsort(start[first], kind="stable")]
    count = np.bincount(start[first], minlength=len(order))
    address = np.concatenate([[0], np.cumsum(count + 1)[:-1]])
    edges = np.full(len(first) + len(order), -1, np.int32)
    edges[np.arange(len(first)) + start[first]] = end[first]
    return address.astype(np.int32), edges


def _outward(points: np.ndarray, rows: np.ndarray, neighbors: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Triangles with their first two corners swapped where needed to be counterclockwise seen from outside.

    Triangles too thin to tell follow a neighbor: two triangles pass their common edge in opposite directions.
    """
    a, b, c = (points[rows[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    area = (cross * normals).sum(axis=1)
    longest = np.maximum(((b - a) ** 2).sum(axis=1), ((c - a) ** 2).sum(axis=1))
    is_known = np.abs(area) > THIN * longest
    faces = rows.astype(np.int32)
    flip = area < 0
    faces[flip] = faces[flip][:, [1, 0, 2]]
    if is_known.any():
        waiting = deque(np.flatnonzero(is_known).tolist())
        while waiting and not is_known.all():
            facet = waiting.popleft()
            for other in neighbors[facet]:
                if not is_known[other]:
                    if _directed(faces[facet]) & _directed(faces[other]):
                        faces[other] = faces[other][[1, 0, 2]]
                    is_known[other] = True
                    waiting.append(int(other))
    return faces


def _directed(face: np.ndarray) -> set[tuple[int, int]]:
    a, b, c = (int(v) for v in face)
    return {(a, b), (b, c), (c, a)}


def extrema(vertices: np.ndarray, hull: Hull) -> np.ndarray:
    """(27,) the hull vertex farthest in each direction of a grid of -1, 0 and 1 along x, y and z."""
    x, y, z = vertices[hull.vertices].astype(np.float32).T
    steps = np.array([-1, 0, 1], np.float32)
    return np.array([np.argmax(i * x + j * y + k * z) for i in steps for j in steps for k in steps], np.int32)
