"""Flexes as surfaces: thick sheets, shells of solids, tubes; or their vertices, edges and faces.

The points of a surface are given once for a Model; where they are follows from the vertices of the flex in a Data.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from phalanx.scene.primitives import PRIMITIVES
from phalanx.scene.subject import Data, Model
from phalanx.scene.surface import Surface, face_normals
from phalanx.tables.enums import GeomType

#: What is drawn of a flex: its skin, which is a tube of lines; or else bits of what is to be seen.
SKIN, VERTICES, EDGES, FACES = 0, 1, 2, 4
MODES = 8
#: Sides of tubes; slices of spheres around their axis, and along it.
SIDES, STACKS = 12, 6
#: Radii below and above are beyond single precision, in which pictures are drawn [m].
SMALLEST, LARGEST = 1e-30, 1e30
#: The sides of a tetrahedron, seen from outside.
_SIDES_OF_SOLID = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
_NONE = np.zeros((0, 3), np.int64)

Vector = tuple[float, ...]


class FlexPart(NamedTuple):
    """Elements of a flex that have one material.

    Attributes:
        flex: id.
        matid: material, -1 for none.
        elements: of the flex, (n,).
        is_whole: whether it is all of the flex.
    """

    flex: int
    matid: int
    elements: np.ndarray
    is_whole: bool


#: Parts and forms by Model; an entry ends with its Model.
_parts: weakref.WeakKeyDictionary[Any, tuple[FlexPart, ...]] = weakref.WeakKeyDictionary()
_forms: weakref.WeakKeyDictionary[Any, dict[int, FlexForm]] = weakref.WeakKeyDictionary()


def flex_parts(model: Model) -> tuple[FlexPart, ...]:
    """The parts of all flexes that are drawn by themselves: one of each material of each flex."""
    if model not in _parts:
        _parts[model] = tuple(_parts_of(model))
    return _parts[model]


def _parts_of(model: Model) -> Iterator[FlexPart]:
    materials = np.asarray(model.flex_matid)
    for flex in range(model.nflex):
        first, count = int(model.flex_elemadr[flex]), int(model.flex_elemnum[flex])
        own = materials[first : first + count]
        for matid in dict.fromkeys(own.tolist()):
            elements = np.flatnonzero(own == matid)
            yield FlexPart(flex, matid, elements, len(elements) == count)


@dataclass(frozen=True)
class FlexForm:
    """How the points of a surface follow the vertices of a flex, and its triangles.

    A point is at x + along n + lift m + fixed + a u + b v, with the place x of a vertex, the normal n of the flex
    there, the normal m of a triangle, and two directions u, v across an edge.

    Attributes:
        flex: id.
        vertex: of each point, (n,).
        along: distance along the normal of the flex [m], (n,); the normal is the mean of those of the triangles around.
        lift: distance along the normal of its triangle [m], (n,).
        fixed: (n, 3) [m].
        edge: rows of `edges`, (n,).
        across: a and b, (n, 2) [m].
        normal_of: three vertices of a triangle whose normal a point has, (n, 3); -1 where the point has its own.
        side: two vertices of a border, across which the normal of a point is, and its sign, (n, 3); -1 for none.
        around: triangles whose normals make those of the flex, (k, 3).
        edges: the two vertices of each edge that has a tube, (e, 2).
        faces: three points each, (f, 3).
        texcoords: (n, 2), or None.
    """

    flex: int
    vertex: np.ndarray
    along: np.ndarray
    lift: np.ndarray
    fixed: np.ndarray
    edge: np.ndarray
    across: np.ndarray
    normal_of: np.ndarray
    side: np.ndarray
    around: np.ndarray
    edges: np.ndarray
    faces: np.ndarray
    texcoords: np.ndarray | None

    def placed(self, vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points and normals, float32 (n, 3) each, of a flex with such vertices."""
        x = np.asarray(vertices, float)
        smooth = self._smooth(x)
        shift = self.fixed.copy()
        if len(self.edges):
            u, v = _across(x[self.edges[:, 1]] - x[self.edges[:, 0]])
            shift += self.across[:, :1] * u[self.edge] + self.across[:, 1:] * v[self.edge]
        moved = x[self.vertex] + self.along[:, None] * smooth[self.vertex] + shift
        normals = _unit(np.sign(self.along)[:, None] * smooth[self.vertex] + shift)
        # flat triangles, and the narrow faces at a border
        flat = self.normal_of[:, 0] >= 0
        if flat.any():
            normals[flat] = _unit(face_normals(x, self.normal_of[flat]))
            moved[flat] += self.lift[flat, None] * normals[flat]
        narrow = self.side[:, 0] >= 0
        if narrow.any():
            one, two, sign = self.side[narrow].T
            normals[narrow] = _unit(np.cross(x[two] - x[one], sign[:, None] * smooth[two]))
        return np.clip(moved, -LARGEST, LARGEST).astype(np.float32), normals.astype(np.float32)

    def _smooth(self, x: np.ndarray) -> np.ndarray:
        """Normals of the flex at its vertices; triangles count by number, not by area, as in MuJoCo."""
        found = np.zeros_like(x)
        normals = _unit(face_normals(x, self.around))
        for k in range(3):
            np.add.at(found, self.around[:, k], normals)
        return _unit(found)


def flex_vertices(model: Model, data: Data, dataid: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and normals of the surface of a flex in the world, float32 (n, 3) each; faces are those of `surface_of`.

    Args:
        model: the Model.
        data: the Data, after forward.
        dataid: of the shape: a flex, if each has at most one material; see `flex_form`.
    """
    form = flex_form(model, dataid)
    start, count = int(model.flex_vertadr[form.flex]), int(model.flex_vertnum[form.flex])
    return form.placed(np.asarray(data.flexvert_xpos)[start : start + count])


def flex_surface(model: Model, dataid: int, size: Any = None) -> Surface:
    """A flex as it was compiled, around its center."""
    form = flex_form(model, dataid)
    start, count = int(model.flex_vertadr[form.flex]), int(model.flex_vertnum[form.flex])
    scale = 2.0 * np.asarray(model.flex_size, float)[form.flex]
    vertices, normals = form.placed((np.asarray(model.flex_vert0)[start : start + count] - 0.5) * scale)
    return Surface.of(vertices, normals, form.texcoords, form.faces)


def flex_form(model: Model, dataid: int) -> FlexForm:
    """The form of a part of a flex.

    Args:
        model: the Model.
        dataid: number of the part among `flex_parts`, plus their count times what is drawn: SKIN, or a sum of VERTICES,
            EDGES and FACES.
    """
    parts, known = flex_parts(model), _forms.setdefault(model, {})
    if dataid not in known:
        part, mode = parts[dataid % len(parts)], dataid // len(parts)
        known[dataid] = _FormBuilder(model, part).build(mode)
    return known[dataid]


def flex_carriers(model: Model, flex: int) -> tuple[list[tuple[int, Vector]], np.ndarray, np.ndarray, np.ndarray]:
    """What carries the vertices of a flex: points of bodies, and in each row a vertex, a point and its weight.

    A vertex is the sum of its points by their weights: one, or those of the nodes of its cell.
    """
    first, count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
    order = abs(int(model.flex_interp[flex]))
    if not order:
        bodies, places = np.asarray(model.flex_vertbodyid), np.asarray(model.flex_vert, float)
        points = [(int(bodies[k]), tuple(places[k].tolist())) for k in range(first, first + count)]
        return points, np.arange(count), np.arange(count), np.ones(count)
    start, nodes = int(model.flex_nodeadr[flex]), int(model.flex_nodenum[flex])
    bodies, places = np.asarray(model.flex_nodebodyid), np.asarray(model.flex_node, float)
    points = [(int(bodies[k]), tuple(places[k].tolist())) for k in range(start, start + nodes)]
    cells = np.asarray(model.flex_cellnum)[flex]
    cell = np.stack(np.unravel_index(np.asarray(model.flex_vertcell)[first : first + count], cells), axis=1)
    local = np.clip(np.asarray(model.flex_vert0, float)[first : first + count] * cells - cell, 0.0, 1.0)
    values = _shapes(local, order)
    weights = np.einsum("ni,nj,nk->nijk", values[:, 0], values[:, 1], values[:, 2]).reshape(count, -1)
    steps = np.stack(np.meshgrid(*[np.arange(order + 1)] * 3, indexing="ij")).reshape(3, -1)
    along = cells * order + 1
    owners = np.ravel_multi_index(tuple((cell[:, :, None] * order + steps[None]).transpose(1, 0, 2)), along)
    targets = np.repeat(np.arange(count), weights.shape[1])
    return points, targets, owners.ravel(), weights.ravel()


def _shapes(x: np.ndarray, order: int) -> np.ndarray:
    """Shape functions of a cell at coordinates from 0 to 1, (..., order + 1)."""
    if order == 1:
        return np.stack([1 - x, x], axis=-1)
    return np.stack([2 * x * x - 3 * x + 1, 4 * (x - x * x), 2 * x * x - x], axis=-1)


# --- making forms


class _FormBuilder:
    """Collects the points and triangles of a part of a flex."""

    def __init__(self, model: Model, part: FlexPart):
        flex, self.part = part.flex, part
        self.dim, self.radius = int(model.flex_dim[flex]), min(float(model.flex_radius[flex]), LARGEST)
        self.is_flat = bool(model.flex_flatskin[flex])
        self.count = int(model.flex_vertnum[flex])
        width, start = self.dim + 1, int(model.flex_elemdataadr[flex])
        rows = slice(start, start + width * int(model.flex_elemnum[flex]))
        elements = np.asarray(model.flex_elem)[rows].reshape(-1, width).astype(np.int64)
        self.all_elements, self.elements = elements, elements[part.elements]
        self.shell, self.shell_owner = self._shell(model)
        layers = np.asarray(model.flex_elemlayer)[int(model.flex_elemadr[flex]) :][: len(elements)]
        self.is_outer = layers[part.elements] == 0
        first, edges = int(model.flex_edgeadr[flex]), int(model.flex_edgenum[flex])
        self.edges = np.asarray(model.flex_edge)[first : first + edges].astype(np.int64)
        self._texture(model, rows)
        self.points: list[tuple[np.ndarray, ...]] = []
        self.faces: list[np.ndarray] = []
        self.tubes = np.zeros((0, 2), np.int64)
        self.size = 0

    def _shell(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """Sides of elements that no other has, and which element each is of."""
        flex, dim = self.part.flex, self.dim
        start = int(model.flex_shelldataadr[flex])
        if dim == 1 or start < 0:
            return np.zeros((0, dim), np.int64), np.zeros(0, np.int64)
        count = dim * int(model.flex_shellnum[flex])
        shell = np.asarray(model.flex_shell)[start : start + count].reshape(-1, dim).astype(np.int64)
        if self.part.is_whole:
            return shell, np.zeros(len(shell), np.int64)
        owner = {
            tuple(sorted(np.delete(element, k).tolist())): number
            for number, element in enumerate(self.all_elements)
            for k in range(dim + 1)
        }
        owners = np.array([owner.get(tuple(sorted(side)), -1) for side in shell.tolist()], np.int64)
        mine = np.isin(owners, self.part.elements)
        return shell[mine], owners[mine]

    def _texture(self, model: Model, rows: slice) -> None:
        start = int(model.flex_texcoordadr[self.part.flex])
        self.pictures: np.ndarray | None = None
        self.picture_ids = self.elements
        if start >= 0:
            stops = [int(other) for other in model.flex_texcoordadr if other > start]
            self.pictures = np.asarray(model.flex_texcoord)[start : min(stops, default=None)]
            chosen = np.asarray(model.flex_elemtexcoord)[rows].reshape(-1, self.dim + 1).astype(np.int64)
            self.picture_ids = chosen[self.part.elements]

    def build(self, mode: int) -> FlexForm:
        """The form with what is asked for."""
        # triangles whose normals make those of the vertices
        around = self.elements[:0, :0].reshape(0, 3)
        if self.dim == 2:
            around = self.all_elements
        elif self.dim == 3 and mode == SKIN:
            around = self.shell if self.part.is_whole else self._whole_shell()
        if mode == SKIN and self.dim > 1:
            self._add_skin()
        else:
            if mode & VERTICES:
                self._add_spheres(np.unique(self.elements))
            if mode & EDGES or mode == SKIN:
                self._add_tubes()
            if mode & FACES and self.dim > 1:
                self._add_faces()
        columns = [np.concatenate(column) for column in zip(*self.points, strict=True)] if self.points else _EMPTY
        vertex, along, lift, fixed, edge, across, normal_of, side, pictures = columns
        faces = np.concatenate(self.faces) if self.faces else _NONE
        texcoords = None
        if self.pictures is not None and len(self.pictures):
            texcoords = self.pictures[np.clip(pictures, 0, len(self.pictures) - 1)]
        return FlexForm(
            self.part.flex, vertex, along, lift, fixed, edge, across, normal_of, side,
            around, self.tubes, faces, texcoords,
        )  # fmt: skip

    def _whole_shell(self) -> np.ndarray:
        """Sides of the whole flex, whose normals count at the border of a part, too."""
        sides: dict[tuple[int, ...], tuple[int, int, int] | None] = {}
        for element in self.all_elements.tolist():
            for a, b, c in _SIDES_OF_SOLID:
                side = element[a], element[b], element[c]
                key = tuple(sorted(side))
                sides[key] = None if key in sides else side
        return np.array([side for side in sides.values() if side is not None], np.int64).reshape(-1, 3)

    def _add(self, vertex: np.ndarray, faces: np.ndarray, **columns: Any) -> None:
        """Points, and triangles of them; columns that are not given are empty."""
        n = len(vertex)
        values = {
            "along": 0.0, "lift": 0.0, "fixed": np.zeros(3), "edge": 0, "across": np.zeros(2),
            "normal_of": np.full(3, -1), "side": np.full(3, -1), "pictures": vertex, **columns,
        }  # fmt: skip
        shapes = {"fixed": (n, 3), "across": (n, 2), "normal_of": (n, 3), "side": (n, 3)}
        whole = ("edge", "normal_of", "side", "pictures")
        rows = [
            np.ascontiguousarray(np.broadcast_to(value, shapes.get(name, (n,))), np.int64 if name in whole else float)
            for name, value in values.items()
        ]
        self.points.append((vertex, *rows))
        self.faces.append(faces + self.size)
        self.size += n

    # --- skins

    def _add_skin(self) -> None:
        """Both sides of triangles and the border between them, or the shell of a solid."""
        if self.dim == 2:
            self._add_side_of_sheet(self.elements, self.picture_ids, self.radius)
            self._add_side_of_sheet(self.elements[:, [0, 2, 1]], self.picture_ids[:, [0, 2, 1]], -self.radius)
            for border, radius in ((self.shell, self.radius), (self.shell[:, ::-1], -self.radius)):
                one, two = border.T
                vertex = np.stack([one, two, two], axis=1).ravel()
                along = np.tile([radius, -radius, radius], len(border))
                side = np.column_stack([border, np.full(len(border), 1 if radius > 0 else -1)])
                faces = np.arange(len(vertex)).reshape(-1, 3)
                self._add(vertex, faces, along=along, side=np.repeat(side, 3, axis=0))
        else:
            self._add_side_of_sheet(self.shell, self.shell, self.radius)

    def _add_side_of_sheet(self, triangles: np.ndarray, pictures: np.ndarray, offset: float) -> None:
        corners, ids = triangles.ravel(), pictures.ravel()
        if self.is_flat:
            # positions follow the smooth normals, so that there are no gaps
            normal_of = np.repeat(triangles, 3, axis=0)
            faces = np.arange(len(corners)).reshape(-1, 3)
            self._add(corners, faces, along=offset, normal_of=normal_of, pictures=ids)
            return
        unique, index = np.unique(np.stack([corners, ids], axis=1), axis=0, return_inverse=True)
        self._add(unique[:, 0], index.reshape(-1, 3), along=offset, pictures=unique[:, 1])

    # --- parts

    def _add_faces(self) -> None:
        """Triangles of elements with flat shading; of solids those of the outer layer."""
        if self.dim == 2:
            triangles = np.concatenate([self.elements, self.elements[:, [0, 2, 1]]])
            pictures = np.concatenate([self.picture_ids, self.picture_ids[:, [0, 2, 1]]])
        else:
            outer, ids = self.elements[self.is_outer], self.picture_ids[self.is_outer]
            triangles = np.concatenate([outer[:, side] for side in _SIDES_OF_SOLID])
            pictures = np.concatenate([ids[:, side] for side in _SIDES_OF_SOLID])
        corners = triangles.ravel()
        faces = np.arange(len(corners)).reshape(-1, 3)
        normal_of = np.repeat(triangles, 3, axis=0)
        self._add(corners, faces, lift=self.radius, normal_of=normal_of, pictures=pictures.ravel())

    def _add_spheres(self, vertices: np.ndarray) -> None:
        if self.radius < SMALLEST:
            return
        ball = PRIMITIVES[GeomType.SPHERE](np.full(3, self.radius), SIDES, STACKS)
        n = len(ball.vertices)
        steps = n * np.arange(len(vertices))
        faces = (ball.faces.astype(np.int64)[None] + steps[:, None, None]).reshape(-1, 3)
        self._add(np.repeat(vertices, n), faces, fixed=np.tile(ball.vertices.astype(float), (len(vertices), 1)))

    def _add_tubes(self) -> None:
        """A capsule along each edge: a tube, and balls at its ends."""
        used = np.zeros(self.count, bool)
        used[self.elements] = True
        edges = self.edges if self.part.is_whole else self.edges[used[self.edges].all(axis=1)]
        self.tubes = edges
        self._add_spheres(np.unique(edges))
        angle = 2 * np.pi * np.arange(SIDES) / SIDES
        ring = self.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        here, after = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
        tube = np.stack([here, after, after + SIDES, here, after + SIDES, here + SIDES], axis=1).reshape(-1, 3)
        steps = 2 * SIDES * np.arange(len(edges))
        self._add(
            np.repeat(edges, SIDES, axis=1).ravel(),
            (tube[None] + steps[:, None, None]).reshape(-1, 3),
            edge=np.repeat(np.arange(len(edges)), 2 * SIDES),
            across=np.tile(ring, (2 * len(edges), 1)),
        )


_EMPTY = [
    np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros((0, 2)),
    _NONE, _NONE, np.zeros(0, np.int64),
]  # fmt: skip


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors of unit length; those without a direction stay zero."""
    length = np.sqrt(np.sum(vectors * vectors, axis=1, keepdims=True))
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def _across(directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors across each direction, right-handed with it."""
    axis = _unit(directions)
    least = np.argmin(np.abs(axis), axis=1)
    u = _unit(np.cross(axis, np.eye(3)[least]))
    return u, np.cross(axis, u)
