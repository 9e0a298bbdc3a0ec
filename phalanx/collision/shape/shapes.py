"""Shapes that need no Model: what `contacts`, `distance` and `ray` take.

A shape is a value: it does not change, equal shapes are equal, and `at` gives a copy elsewhere. Lengths are in meters,
quaternions are (w, x, y, z). A shape may have many poses at once, (n, 3) and (n, 4) instead of (3,) and (4,); queries
then answer for each of them in one call.

A new kind of shape is a class with `kind`, `_size` and, if its surface is an asset, `_asset`.
"""

from __future__ import annotations

import copy
import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from phalanx.collision.sdf.grid import SDF
from phalanx.memory.errors import FieldError
from phalanx.mesh import InertiaMode, Mesh, MeshError
from phalanx.tables.enums import GeomType

#: Numbers in any form when a shape is made, a read-only NumPy array afterwards.
Array = Any
#: Type of a shape that no geom has: the triangles of a mesh.
TRIANGLES = 30
#: Pose of a shape that is not placed.
HERE, UNROTATED = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
#: Quaternions shorter than this have no direction.
SHORTEST_QUATERNION = 1e-10


@dataclass(frozen=True)
class Solid:
    """A shape without its pose, as rows of a Model; equal if the shapes are.

    Attributes:
        key: what tells it from other solids.
        kind: type of geom.
        size: row of `geom_size`.
        reach: radius of the bounding sphere, 0 if there is none.
        asset: rows of its mesh or height field.
    """

    key: bytes
    kind: int
    size: tuple[float, float, float] = field(compare=False)
    reach: float = field(compare=False)
    asset: Mapping[str, np.ndarray] = field(compare=False)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Shape:
    """A solid at a pose (or at many).

    Args:
        pos: position of its frame [m], (3,) or (n, 3).
        quat: orientation of its frame, (4,) or (n, 4); any length but zero.
    """

    kind: ClassVar[int]

    pos: Array = HERE
    quat: Array = UNROTATED

    def __post_init__(self) -> None:
        self._check_pose()

    def _check_pose(self) -> None:
        self._set_array("pos", numbers(self, "pos", self.pos, (3,)))
        quat = numbers(self, "quat", self.quat, (4,))
        length = np.linalg.norm(quat, axis=-1, keepdims=True)
        if (length < SHORTEST_QUATERNION).any():
            raise FieldError(f"{type(self).__name__}: quat has no length")
        # a unit quaternion keeps its bits
        self._set_array("quat", np.where(np.abs(length - 1.0) < 1e-15, quat, quat / length))
        try:
            np.broadcast_shapes(self.pos.shape[:-1], self.quat.shape[:-1])
        except ValueError:
            raise FieldError(
                f"{type(self).__name__}: {len(self.pos)} positions do not go with {len(self.quat)} quaternions"
            ) from None

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _set_array(self, name: str, array: np.ndarray) -> None:
        array.flags.writeable = False
        self._set(name, array)

    def at(self, pos: Any = None, quat: Any = None) -> Self:
        """The same shape at another pose; what is not given stays."""
        other = copy.copy(self)  # with what has been computed of the solid
        for name, value in (("pos", pos), ("quat", quat)):
            if value is not None:
                other._set(name, value)
        other._check_pose()
        return other

    @property
    def poses(self) -> int | None:
        """How many poses the shape has, None if it has one that is not in an array."""
        counts = np.broadcast_shapes(self.pos.shape[:-1], self.quat.shape[:-1])
        return counts[0] if counts else None

    @functools.cached_property
    def solid(self) -> Solid:
        """The shape as rows of a Model."""
        size, reach = self._size()
        digest = hashlib.sha256(type(self).__name__.encode())
        for array in self._content():
            digest.update(str(array.shape).encode() + array.tobytes())
        return Solid(digest.digest(), self.kind, size, reach, self._asset())

    @property
    def frame(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Where the geom is in the frame of the shape: position and quaternion, None if the two are the same."""
        return None

    def _parameters(self) -> Iterator[Any]:
        """What the shape was made of, besides its pose."""
        return (getattr(self, item.name) for item in fields(self) if item.name not in ("pos", "quat"))

    def _content(self) -> Iterator[np.ndarray]:
        """The numbers that tell it from others of its class."""
        return map(np.asarray, self._parameters())

    def _size(self) -> tuple[tuple[float, float, float], float]:
        """Row of `geom_size`, and radius of the bounding sphere."""
        raise NotImplementedError

    def _asset(self) -> Mapping[str, np.ndarray]:
        return {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        same_pose = np.array_equal(self.pos, other.pos) and np.array_equal(self.quat, other.quat)
        return same_pose and self.solid == other.solid

    def __hash__(self) -> int:
        return hash((self.solid, self.pos.tobytes(), self.quat.tobytes()))

    def __repr__(self) -> str:
        parts = [brief(value) for value in self._parameters()]
        for name, default in (("pos", HERE), ("quat", UNROTATED)):
            value = getattr(self, name)
            if not np.array_equal(value, default):
                parts.append(f"{name}={brief(value)}")
        return f"{type(self).__name__}({', '.join(parts)})"


def brief(value: Any) -> str:
    """A value as messages show it."""
    if not isinstance(value, np.ndarray):
        return f"{value:.6g}" if isinstance(value, float) else repr(value)
    if value.ndim > 1:
        return f"<{' x '.join(map(str, value.shape))} numbers>"
    return f"[{', '.join(f'{x:.6g}' for x in value)}]"


def numbers(owner: Shape, name: str, value: Any, shape: tuple[int, ...]) -> np.ndarray:
    """An own copy of an array of finite numbers; one more axis in front is allowed."""
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError):
        raise FieldError(f"{type(owner).__name__}: {name} takes numbers, not {value!r}") from None
    if array.shape[-len(shape) :] != shape or array.ndim > len(shape) + 1:
        raise FieldError(f"{type(owner).__name__}: {name} has shape {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise FieldError(f"{type(owner).__name__}: {name} is not finite")
    return array


def positive(owner: Shape, name: str, value: Any, shape: tuple[int, ...] = ()) -> Any:
    """A length, or some lengths, above zero."""
    array = np.array(value, np.float64) if not isinstance(value, str) else None
    if array is None or array.shape != shape:
        wanted = "a number" if not shape else f"{shape[0]} numbers"
        raise FieldError(f"{type(owner).__name__}: {name} takes {wanted}, not {value!r}")
    if not (np.isfinite(array).all() and (array > 0).all()):
        raise FieldError(f"{type(owner).__name__}: {name} must be positive and finite, not {value!r}")
    return array if shape else float(array)


# --- shapes given by sizes


@dataclass(frozen=True, eq=False, repr=False)
class Plane(Shape):
    """The half space below the plane z = 0 of its frame; its normal is +z."""

    kind = GeomType.PLANE

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return (0.0, 0.0, 0.0), 0.0


@dataclass(frozen=True, eq=False, repr=False)
class Sphere(Shape):
    """A ball.

    Args:
        radius: [m].
    """

    kind = GeomType.SPHERE
    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("radius", positive(self, "radius", self.radius))

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return (self.radius, 0.0, 0.0), self.radius


@dataclass(frozen=True, eq=False, repr=False)
class _AlongAxis(Shape):
    """A round shape about its z axis."""

    radius: float
    half_length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("radius", "half_length"):
            self._set(name, positive(self, name, getattr(self, name)))


@dataclass(frozen=True, eq=False, repr=False)
class Capsule(_AlongAxis):
    """A cylinder about the z axis with half balls at its ends.

    Args:
        radius: of the cylinder and of the balls [m].
        half_length: of the cylinder, without the balls [m].
    """

    kind = GeomType.CAPSULE

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return (self.radius, self.half_length, 0.0), self.radius + self.half_length


@dataclass(frozen=True, eq=False, repr=False)
class Cylinder(_AlongAxis):
    """A cylinder about the z axis.

    Args:
        radius: [m].
        half_length: [m].
    """

    kind = GeomType.CYLINDER

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return (self.radius, self.half_length, 0.0), float(np.hypot(self.radius, self.half_length))


@dataclass(frozen=True, eq=False, repr=False)
class Ellipsoid(Shape):
    """An ellipsoid.

    Args:
        radii: along x, y, z [m].
    """

    kind = GeomType.ELLIPSOID
    radii: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set_array("radii", positive(self, "radii", self.radii, (3,)))

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return tuple(self.radii.tolist()), float(self.radii.max())


@dataclass(frozen=True, eq=False, repr=False)
class Box(Shape):
    """A box.

    Args:
        half_sizes: along x, y, z [m].
    """

    kind = GeomType.BOX
    half_sizes: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set_array("half_sizes", positive(self, "half_sizes", self.half_sizes, (3,)))

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return tuple(self.half_sizes.tolist()), float(np.linalg.norm(self.half_sizes))


# --- shapes given by assets


@dataclass(frozen=True, eq=False, repr=False)
class HeightField(Shape):
    """A surface over a grid, with walls down to a flat base.

    Args:
        data: elevations (rows along y, columns along x), at least 2 x 2.
        size: half extents in x and y, height of an elevation of 1, depth of the base below elevation 0 [m].
    """

    kind = GeomType.HFIELD
    data: Array
    size: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        data = np.array(self.data, np.float32)
        if data.ndim != 2 or min(data.shape) < 2:
            raise FieldError(f"HeightField: data is a grid of at least 2 x 2 elevations, not of shape {data.shape}")
        if not (np.isfinite(data).all() and (data >= 0).all()):
            raise FieldError("HeightField: elevations must be finite and not negative")
        self._set_array("data", data)
        self._set_array("size", positive(self, "size", self.size, (4,)))

    def _size(self) -> tuple[tuple[float, float, float], float]:
        x, y, height, base = self.size.tolist()
        top = height * float(self.data.max())
        return (x, y, max(top, base)), float(np.linalg.norm((x, y, max(top, base))))

    def _asset(self) -> Mapping[str, np.ndarray]:
        return {
            "hfield_size": self.size[None],
            "hfield_nrow": np.array([self.data.shape[0]]),
            "hfield_ncol": np.array([self.data.shape[1]]),
            "hfield_adr": np.zeros(1, np.int32),
            "hfield_data": self.data.ravel(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class SignedDistanceField(Shape):
    """The inside of a grid of signed distances.

    Args:
        grid: the distances, a `phalanx.SDF`.
    """

    kind = GeomType.SDF
    grid: SDF

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.grid, SDF):
            raise FieldError(f"SignedDistanceField: grid takes a phalanx.SDF, not {type(self.grid).__name__}")

    def _content(self) -> Iterator[np.ndarray]:
        yield from (self.grid.values, self.grid.cell, self.grid.origin)

    def _size(self) -> tuple[tuple[float, float, float], float]:
        half = np.abs(self.grid.aabb[:3]) + self.grid.aabb[3:]
        return tuple(half.tolist()), float(np.linalg.norm(half))

    def _asset(self) -> Mapping[str, np.ndarray]:
        return {
            "grid_shape": np.array([self.grid.values.shape]),
            "grid_adr": np.zeros(1, np.int32),
            "grid_cell": self.grid.cell[None],
            "grid_origin": self.grid.origin[None],
            "grid_aabb": self.grid.aabb[None],
            "grid_value": self.grid.values.ravel(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class _OfTriangles(Shape):
    """A shape given by a mesh, which is kept in its principal frame and in single precision, as MuJoCo does."""

    @functools.cached_property
    def mesh(self) -> Mesh:
        """The mesh in its principal frame."""
        raise NotImplementedError

    @property
    def frame(self) -> tuple[np.ndarray, np.ndarray]:
        """The principal frame of the mesh, in which its vertices are kept."""
        return self.mesh.pos, self.mesh.quat

    def _size(self) -> tuple[tuple[float, float, float], float]:
        return tuple(self.mesh.size.tolist()), self.mesh.rbound

    def _asset(self) -> Mapping[str, np.ndarray]:
        """Rows of the triangles and their tree, and no hull."""
        mesh = self.mesh
        of_mesh, of_vertices = np.zeros(1, np.int32), np.zeros(len(mesh.vertices), np.int32)
        return {
            **counted("mesh_vert", mesh.vertices),
            **counted("mesh_face", mesh.faces),
            **dict.fromkeys(("mesh_polynum", "mesh_polyadr"), of_mesh),
            **dict.fromkeys(("mesh_polymapadr", "mesh_polymapnum"), of_vertices),
            **dict.fromkeys(("mesh_octadr", "mesh_graphadr"), of_mesh - 1),
            "mesh_extrema": np.zeros((1, 27), np.int32),
            "mesh_bvhadr": np.zeros(1, np.int32),
            "mesh_bvhnum": np.array([len(mesh.bvh.nodeid)]),
            "bvh_child": mesh.bvh.child,
            "bvh_nodeid": mesh.bvh.nodeid,
            "bvh_depth": mesh.bvh.depth,
            "bvh_aabb": mesh.bvh.aabb,
        }


def counted(name: str, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Rows of a mesh with their address and count."""
    return {name: rows, f"{name}adr": np.zeros(1, np.int32), f"{name}num": np.array([len(rows)])}


@dataclass(frozen=True, eq=False, repr=False)
class ConvexMesh(_OfTriangles):
    """The convex hull of some points.

    Args:
        vertices: (n, 3), at least four that are not in one plane [m].
    """

    kind = GeomType.MESH
    vertices: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set_array("vertices", table(self, "vertices", self.vertices, np.float64))
        assert self.mesh.hull  # points in one plane say so here

    @functools.cached_property
    def mesh(self) -> Mesh:
        """The mesh in its principal frame; without a volume to speak of, that of its surface."""
        mesh = Mesh.from_arrays(self.vertices, name=type(self).__name__)
        return mesh if has_volume(mesh) else replace(mesh, inertia=InertiaMode.SHELL)

    def _asset(self) -> Mapping[str, np.ndarray]:
        hull, polygons = self.mesh.hull, self.mesh.polygons
        return {
            **super()._asset(),
            "mesh_graph": hull.graph,
            "mesh_graphadr": np.zeros(1, np.int32),
            "mesh_extrema": self.mesh.extrema[None],
            "mesh_polynum": np.array([len(polygons.vertadr)]),
            "mesh_polyadr": np.zeros(1, np.int32),
            "mesh_polynormal": self.mesh.polygon_normals,
            "mesh_polyvertadr": polygons.vertadr,
            "mesh_polyvertnum": polygons.vertnum,
            "mesh_polyvert": polygons.vertices,
            "mesh_polymapadr": polygons.mapadr,
            "mesh_polymapnum": polygons.mapnum,
            "mesh_polymap": polygons.map,
        }


@dataclass(frozen=True, eq=False, repr=False)
class TriangleMesh(_OfTriangles):
    """A surface of triangles, convex or not, open or closed; a shape wholly inside a closed one does not touch it.

    It collides with convex shapes and with planes.

    Args:
        vertices: (n, 3), at least four [m].
        faces: (m, 3), the vertices of each triangle.
    """

    kind = TRIANGLES
    vertices: Array
    faces: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set_array("vertices", table(self, "vertices", self.vertices, np.float64))
        self._set_array("faces", table(self, "faces", self.faces, np.int32))
        if not len(self.faces):
            raise FieldError("TriangleMesh: faces are missing")
        assert self.mesh.bvh  # what is wrong with the mesh is said here

    @functools.cached_property
    def mesh(self) -> Mesh:
        """The mesh in the principal frame of its surface."""
        name = type(self).__name__
        return Mesh.from_arrays(self.vertices, self.faces, name=name, inertia=InertiaMode.SHELL)

    @functools.cached_property
    def _hull(self) -> ConvexMesh:
        return ConvexMesh(self.vertices)

    @property
    def hull(self) -> ConvexMesh:
        """The convex hull, which touches a plane where the mesh does."""
        return self._hull.at(self.pos, self.quat)


def has_volume(mesh: Mesh) -> bool:
    """Is the volume large enough for a center of mass? That of a speck of dust is not."""
    try:
        return mesh.mass.volume > 0
    except MeshError:
        return False


def table(owner: Shape, name: str, value: Any, dtype: type) -> np.ndarray:
    """Rows of three numbers."""
    try:
        array: np.ndarray = np.array(value, dtype)
    except (TypeError, ValueError):
        raise FieldError(f"{type(owner).__name__}: {name} takes numbers, not {value!r}") from None
    if array.ndim != 2 or array.shape[1] != 3:
        raise FieldError(f"{type(owner).__name__}: {name} has shape (n, 3), not {array.shape}")
    return array
