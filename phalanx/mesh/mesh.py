"""A mesh asset: what is given, and everything a Model holds of it, computed when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from phalanx.mesh.bvh import Bvh, triangle_tree
from phalanx.mesh.errors import MeshError
from phalanx.mesh.hull import Hull, convex_hull, extrema
from phalanx.mesh.inertia import InertiaMode, MassProperties, check_orientation, mass_properties, rotation_matrix
from phalanx.mesh.normals import normalized, transformed, vertex_normals
from phalanx.mesh.octree import Octree, build_octree
from phalanx.mesh.polygons import Polygons, hull_polygons
from phalanx.mesh.read import MeshSource, read_mesh

Vector = tuple[float, float, float]
Quat = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Mesh:
    """A triangle mesh in its principal frame, as MuJoCo's compiler places it.

    Make one with `from_arrays` or `from_file`. Vertices are shifted by `refpos`, rotated by `refquat`, scaled, and then
    moved so that the center of mass is the origin and the principal axes of inertia are the coordinate axes; `pos` and
    `quat` say where that frame was.

    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)]
    >>> Mesh.from_arrays(corners, name="brick")
    Mesh('brick', 8 vertices, convex hull)

    Attributes:
        source: the arrays as given.
        name: for messages.
        scale: factors along the axes; an odd number of negative ones mirrors the mesh.
        refpos, refquat: frame that becomes the origin before scaling.
        inertia: what has mass.
        smoothnormal: whether vertex normals average over sharp edges.
        maxhullvert: most vertices of the convex hull, -1 for no limit.
        stretch: rows of a matrix with a positive determinant that is applied after the scale, None for none.
        keeps_frame: whether it stays where it is, instead of being moved to its center and principal axes.
    """

    source: MeshSource
    name: str = ""
    scale: Vector = (1.0, 1.0, 1.0)
    refpos: Vector = (0.0, 0.0, 0.0)
    refquat: Quat = (1.0, 0.0, 0.0, 0.0)
    inertia: InertiaMode = InertiaMode.LEGACY
    smoothnormal: bool = False
    maxhullvert: int = -1
    stretch: tuple[Vector, Vector, Vector] | None = None
    keeps_frame: bool = False

    def __post_init__(self) -> None:
        wrong = list(_wrong(self.source))
        if wrong:
            raise self._named(MeshError(*wrong))

    # --- making a mesh

    @classmethod
    def from_arrays(
        cls,
        vertices: ArrayLike,
        faces: ArrayLike | None = None,
        *,
        normals: ArrayLike | None = None,
        texcoords: ArrayLike | None = None,
        name: str = "",
        scale: float | Sequence[float] = 1.0,
        refpos: Sequence[float] = (0.0, 0.0, 0.0),
        refquat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        inertia: InertiaMode = InertiaMode.LEGACY,
        smoothnormal: bool = False,
        maxhullvert: int = -1,
    ) -> Mesh:
        """A mesh of vertices (n, 3) and triangles (m, 3); without triangles, the convex hull of the vertices."""
        source = MeshSource(
            _table(vertices, 3, np.float32, "vertices"),
            _table(() if faces is None else faces, 3, np.int32, "faces"),
            _table(() if normals is None else normals, 3, np.float32, "normals"),
            _table(() if texcoords is None else texcoords, 2, np.float32, "texcoords"),
        )
        position, rotation = _vector(refpos), _quat(refquat)
        return cls(source, name, _vector(scale), position, rotation, InertiaMode(inertia), smoothnormal, maxhullvert)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        name: str | None = None,
        scale: float | Sequence[float] = 1.0,
        refpos: Sequence[float] = (0.0, 0.0, 0.0),
        refquat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        inertia: InertiaMode = InertiaMode.LEGACY,
        smoothnormal: bool = False,
        maxhullvert: int = -1,
    ) -> Mesh:
        """A mesh from an OBJ, binary STL or MSH file; its name is the file's, without ending, unless given."""
        name = Path(path).stem if name is None else name
        position, rotation = _vector(refpos), _quat(refquat)
        source = read_mesh(path)
        return cls(source, name, _vector(scale), position, rotation, InertiaMode(inertia), smoothnormal, maxhullvert)

    def __repr__(self) -> str:
        faces = f"{len(self.source.faces)} faces" if len(self.source.faces) else "convex hull"
        return f"Mesh({self.name!r}, {len(self.source.vertices)} vertices, {faces})"

    def _named(self, problem: MeshError) -> MeshError:
        mesh = f"mesh {self.name!r}" if self.name else "mesh"
        named = [m if m.startswith(mesh) else f"{mesh}: {m}" for m in problem.messages]
        return MeshError(*named)

    # --- before it is placed

    @property
    def is_mirrored(self) -> bool:
        """Does the scale mirror the mesh, so that its triangles must be reversed?"""
        x, y, z = self.scale
        return not x * y * z > 0

    @cached_property
    def _given_hull(self) -> Hull:
        try:
            return convex_hull(self.source.vertices, self.maxhullvert)
        except MeshError as problem:
            raise self._named(problem) from None

    @cached_property
    def hull(self) -> Hull:
        """Convex hull."""
        return self._given_hull.mirrored() if self.is_mirrored else self._given_hull

    @cached_property
    def _given_faces(self) -> np.ndarray:
        return self.source.faces if len(self.source.faces) else self._given_hull.faces

    def _wound(self, rows: np.ndarray) -> np.ndarray:
        return rows[:, [0, 2, 1]] if self.is_mirrored else rows

    @cached_property
    def faces(self) -> np.ndarray:
        """(m, 3) int32 vertices of the triangles."""
        return self._wound(self._given_faces)

    @cached_property
    def facenormals(self) -> np.ndarray:
        """(m, 3) int32 normals of the triangles."""
        given, normals = self.source.facenormals, len(self.source.normals)
        if len(given) and normals:
            return self._wound(given)
        # of several normals per vertex, such as a frame, the first counts
        each = normals // len(self.source.vertices) if normals else 1
        return self._wound(each * self._given_faces)

    @cached_property
    def facetexcoords(self) -> np.ndarray:
        """(m, 3) int32 texture coordinates of the triangles, without rows when the mesh has none."""
        if not len(self.source.texcoords):
            return self.source.facetexcoords[:0]
        given = self.source.facetexcoords
        return self._wound(given if len(given) else self._given_faces)

    @property
    def texcoords(self) -> np.ndarray:
        """(k, 2) float32 texture coordinates."""
        return self.source.texcoords

    @cached_property
    def _scaled(self) -> np.ndarray:
        """Vertices after reference frame and scale."""
        vertices = self.source.vertices.astype(np.float64)
        if any(self.refpos):
            vertices = vertices - self.refpos
        if self.refquat != (1.0, 0.0, 0.0, 0.0):
            vertices = transformed(vertices, rotation_matrix(_unit(self.refquat)).T)
        vertices = vertices * self.scale
        return vertices if self.stretch is None else transformed(vertices, np.array(self.stretch))

    # --- placed

    @cached_property
    def mass(self) -> MassProperties:
        """Volume, center of mass, principal axes and moments for density 1."""
        try:
            if self.inertia == InertiaMode.EXACT:
                check_orientation(self.source.vertices.astype(np.float64), self.source.faces)
            hull = self.hull.faces if self.inertia == InertiaMode.CONVEX else None
            found = mass_properties(self._scaled, self.faces, self.inertia, hull)
            return replace(found, pos=np.zeros(3), quat=np.array([1.0, 0.0, 0.0, 0.0])) if self.keeps_frame else found
        except MeshError as problem:
            raise self._named(problem) from None

    @property
    def pos(self) -> np.ndarray:
        """(3,) where the origin was before the mesh was centered."""
        return self.mass.pos

    @property
    def quat(self) -> np.ndarray:
        """(4,) how the axes were rotated before the mesh was aligned."""
        return self.mass.quat

    @cached_property
    def _axes(self) -> np.ndarray:
        return rotation_matrix(self.mass.quat * [1, -1, -1, -1])

    @cached_property
    def scaled_vertices(self) -> np.ndarray:
        """(n, 3) vertices shifted, rotated and scaled, in the frame they had before the mesh was centered."""
        return transformed(self.vertices.astype(np.float64), self._axes.T) + self.mass.pos

    @cached_property
    def _placed(self) -> np.ndarray:
        return transformed(self._scaled - self.mass.pos, self._axes)

    @cached_property
    def vertices(self) -> np.ndarray:
        """(n, 3) float32 vertices."""
        return self._placed.astype(np.float32)

    @cached_property
    def normals(self) -> np.ndarray:
        """(k, 3) float32 normals, of the vertices unless others were given."""
        normals = self.source.normals
        if not len(normals):
            normals = vertex_normals(self.source.vertices.astype(np.float64), self._given_faces, self.smoothnormal)
        if self.refquat != (1.0, 0.0, 0.0, 0.0):
            rotation = rotation_matrix(_unit(self.refquat)).T
            normals = transformed(normals.astype(np.float64), rotation).astype(np.float32)
        if self.scale != (1.0, 1.0, 1.0):
            normals = (normals / np.array(self.scale)).astype(np.float32)
        if self.stretch is not None:
            normals = transformed(normals.astype(np.float64), np.linalg.inv(self.stretch).T).astype(np.float32)
        return transformed(normalized(normals).astype(np.float64), self._axes).astype(np.float32)

    @cached_property
    def polygons(self) -> Polygons:
        """Faces of the convex hull as polygons."""
        polygons = hull_polygons(self.source.vertices, self._given_hull.faces)
        return polygons.wound_outward(self._placed)

    @cached_property
    def polygon_normals(self) -> np.ndarray:
        """(p, 3) outward normals of the hull polygons."""
        return self.polygons.normals(self._placed)

    @cached_property
    def extrema(self) -> np.ndarray:
        """(27,) int32 hull vertices farthest in each direction of a grid."""
        return extrema(self.vertices, self.hull)

    @cached_property
    def bvh(self) -> Bvh:
        """Bounding volume tree of the triangles."""
        return triangle_tree(self._placed, self.faces)

    @cached_property
    def octree(self) -> Octree:
        """Signed distances to the triangles."""
        return build_octree(self._placed, self.faces, self.bvh)

    @cached_property
    def aabb(self) -> np.ndarray:
        """(6,) bounding box: center and half sizes."""
        low, high = self._placed.min(axis=0), self._placed.max(axis=0)
        return np.concatenate([(high + low) / 2, (high - low) / 2])

    @cached_property
    def size(self) -> np.ndarray:
        """(3,) half sizes of the smallest box about the origin that holds the mesh."""
        return np.maximum(np.abs(self._placed.min(axis=0)), np.abs(self._placed.max(axis=0)))

    @property
    def rbound(self) -> float:
        """Radius of a sphere about the origin that holds the mesh."""
        x, y, z = self.size.tolist()
        return float(np.sqrt(x * x + y * y + z * z))


def _wrong(source: MeshSource) -> Iterator[str]:
    """What does not fit together; of many vertices or faces the first is named."""
    vertices, faces = source.vertices, source.faces
    bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if len(bad):
        yield f"vertex {bad[0]} is not finite: {vertices[bad[0]].tolist()}"
    if len(vertices) < 4:
        yield f"at least 4 vertices are required, not {len(vertices)}"
    missing = np.argwhere((faces < 0) | (faces >= len(vertices)))
    if len(missing):
        face, corner = missing[0]
        yield f"in face {face}, vertex {faces[face, corner]} does not exist; there are {len(vertices)}"
    if len(source.facenormals) not in (0, len(faces)):
        yield f"{len(faces)} faces, but normals of {len(source.facenormals)} faces"
    if len(source.texcoords) and not len(source.facetexcoords) and len(source.texcoords) != len(vertices):
        yield f"{len(vertices)} vertices, but {len(source.texcoords)} texture coordinates"


def _table(values: ArrayLike, columns: int, kind: type, what: str) -> np.ndarray:
    """Rows of numbers, also from a flat list."""
    try:
        array: np.ndarray = np.array(values, kind)
    except (ValueError, TypeError) as problem:
        raise MeshError(f"{what} are not rows of {columns} numbers: {problem}") from None
    if array.size % columns or (array.ndim > 1 and array.shape[-1] != columns):
        raise MeshError(f"{what} need {columns} numbers each; their shape is {array.shape}")
    return array.reshape(-1, columns)


def _vector(values: float | Sequence[float]) -> Vector:
    x, y, z = (float(value) for value in np.broadcast_to(np.asarray(values, np.float64), 3))
    return x, y, z


def _quat(values: Sequence[float]) -> Quat:
    w, x, y, z = (float(value) for value in values)
    return w, x, y, z


def _unit(quat: Quat) -> Quat:
    size = float(np.sqrt(sum(value * value for value in quat)))
    if size == 0:
        raise MeshError("refquat is zero")
    return _quat([value / size for value in quat])
