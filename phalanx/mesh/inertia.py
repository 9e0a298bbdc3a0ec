"""Volume, center of mass and inertia of a triangle mesh, and its principal frame, as MuJoCo computes them.

A body is the sum of the pyramids from a point to the triangles. Sums run triangle by triangle, so that they round as
MuJoCo's do: the principal frame of a symmetric body is decided by the last bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.mesh.errors import MeshError
from phalanx.tables.sizes import EPSILON

#: Relative to the largest element of a matrix: off-diagonal elements below the first count as zero, eigenvalues closer
#: than the second as equal; in general, and of a mesh, whose vertices are in single precision.
FINE, COARSE = (4.4e-15, 1e-12), (1e-7, 1e-7)


#: How far the moments of a body may break A + B >= C.
TRIANGLE_RELATIVE, TRIANGLE_ABSOLUTE = 1e-6, 1e-9


class InertiaMode(IntEnum):
    """What of the mesh has mass."""

    CONVEX = 0  # the convex hull
    EXACT = 1  # the volume inside, whose triangles must be oriented consistently
    LEGACY = 2  # the sum of all pyramids, each counted as positive
    SHELL = 3  # the surface


@dataclass(frozen=True, eq=False)
class MassProperties:
    """What a mesh of density 1 weighs, and where.

    Attributes:
        volume: volume, or area of a shell.
        pos: (3,) center of mass.
        quat: (4,) orientation of the principal axes, largest moment first.
        moments: (3,) moments of inertia about the principal axes, for density 1.
        box: (3,) half sizes of the box with the same volume and moments.
    """

    volume: float
    pos: np.ndarray
    quat: np.ndarray
    moments: np.ndarray
    box: np.ndarray


@dataclass(frozen=True, eq=False)
class Triangles:
    """Area, unit normal and center of each triangle; no area where it is too small to have a normal."""

    area: np.ndarray
    normal: np.ndarray
    center: np.ndarray

    @classmethod
    def of(cls, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Triangles:
        """Triangles by their corners, (n, 3) each; those without area have normal zero."""
        normal = np.cross(b - a, c - a)
        size = np.sqrt(_dot(normal, normal))
        is_small = size < MINVAL
        area = np.where(is_small, 0.0, 0.5 * size)
        return cls(area, normal / np.where(is_small, 1.0, size)[:, None], (a + b + c) / 3)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]


def _total(values: np.ndarray) -> np.ndarray:
    """Sum over the first axis, one after another (NumPy's own sum adds in pairs)."""
    return np.cumsum(values, axis=0)[-1] if len(values) else np.zeros(values.shape[1:])


def check_orientation(vertices: np.ndarray, faces: np.ndarray) -> None:
    """Complain when two triangles pass a common edge in the same direction, so that one of them is inside out."""
    area = Triangles.of(*(vertices[faces[:, k]] for k in range(3))).area
    kept = faces[area > math.sqrt(MINVAL)]
    edges = np.concatenate([kept[:, [0, 1]], kept[:, [1, 2]], kept[:, [2, 0]]])
    edges = edges[np.lexsort((edges[:, 1], edges[:, 0]))]
    twice = np.flatnonzero((edges[1:] == edges[:-1]).all(axis=1))
    if len(twice):
        a, b = edges[twice[0]]
        raise MeshError(
            f"faces have inconsistent orientation; check those with the vertices {a} and {b}, "
            "or use another inertia mode than exact"
        )


def face_centroid(triangles: Triangles) -> np.ndarray:
    """Center of the surface."""
    area = _total(triangles.area)
    if area < MINVAL:
        raise MeshError("the surface area is too small")
    return _total(triangles.area[:, None] * triangles.center) / area


def center_of_mass(triangles: Triangles, origin: np.ndarray, mode: InertiaMode) -> np.ndarray:
    """Center of mass of the pyramids from `origin` to the triangles."""
    if mode == InertiaMode.SHELL:
        weight = triangles.area
    else:
        weight = _dot(triangles.center - origin, triangles.normal) * triangles.area / 3
        if mode == InertiaMode.LEGACY:
            weight = np.abs(weight)
    total = _total(weight)
    if total < MINVAL:
        if mode == InertiaMode.SHELL:
            raise MeshError("the surface area is too small")
        if total < 0:
            raise MeshError("the volume is negative: the triangles are inside out")
        raise MeshError("the volume is too small; is the mesh flat? Inertia mode shell may fit")
    moment = _total(weight[:, None] * (triangles.center * 3.0 / 4.0 + origin / 4.0))
    return moment / total


def second_moments(
    vertices: np.ndarray, faces: np.ndarray, center: np.ndarray, mode: InertiaMode
) -> tuple[float, np.ndarray]:
    """Volume (or area) and inertia matrix about `center`, for density 1."""
    centered = vertices - center
    corners = [centered[faces[:, k]] for k in range(3)]
    triangles = Triangles.of(*corners)
    if mode == InertiaMode.SHELL:
        weight, divisor = triangles.area, 12
    else:
        weight, divisor = _dot(triangles.center, triangles.normal) * triangles.area / 3, 20
    if mode == InertiaMode.LEGACY:
        weight = np.abs(weight)
    # integrals of products of coordinates over triangles, or tetrahedra with the center as fourth corner (Tonon,
    # "Explicit exact formulas for the 3-D tetrahedron inertia tensor", 2004)
    d, e, f = corners
    products = np.empty((3, 3))
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        mixed = 2 * (d[:, i] * d[:, j] + e[:, i] * e[:, j] + f[:, i] * f[:, j])
        for one, two in ((d, e), (d, f), (e, f)):
            mixed = mixed + one[:, i] * two[:, j] + one[:, j] * two[:, i]
        products[i, j] = products[j, i] = _total(weight / divisor * mixed)
    # from second moments to the inertia matrix: trace on the diagonal less the matrix
    inertia = -products
    for k in range(3):
        inertia[k, k] = products[k - 2, k - 2] + products[k - 1, k - 1]
    inertia[1, 1] = products[0, 0] + products[2, 2]
    return float(_total(weight)), inertia


Quat = tuple[float, float, float, float]


def _normalized(q: Quat) -> Quat:
    square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    size = math.sqrt(square)
    if square < EPSILON or abs(size - 1) <= EPSILON:
        return q
    return q[0] / size, q[1] / size, q[2] / size, q[3] / size


def _multiply(a: Quat, b: Quat) -> Quat:
    return _normalized(
        (
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        )
    )


def rotation_matrix(quat: Quat | np.ndarray) -> np.ndarray:
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = (float(value) for value in quat)
    ww, wx, wy, wz, xx, xy, xz, yy, yz, zz = w * w, w * x, w * y, w * z, x * x, x * y, x * z, y * y, y * z, z * z
    return np.array(
        [
            [ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy)],
            [2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx)],
            [2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz],
        ]
    )


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Matrix product with a fixed order of additions."""
    return a[:, :1] * b[:1] + a[:, 1:2] * b[1:2] + a[:, 2:] * b[2:]


def principal_axes(matrix: np.ndarray, tolerances: tuple[float, float] = FINE) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, largest first, and the quaternion of the eigenvectors of a symmetric matrix, by Jacobi rotations."""
    size = float(np.abs(matrix).max())
    zero, equal = tolerances
    quat: Quat = (1.0, 0.0, 0.0, 0.0)
    for _ in range(500):
        axes = rotation_matrix(quat)
        D = _product(_product(axes.T, matrix), axes)
        # rotate away the largest element off the diagonal (MuJoCo's mju_eig3)
        xy, xz, yz = abs(D[0, 1]), abs(D[0, 2]), abs(D[1, 2])
        if xy > xz and xy > yz:
            row, column, axis = 0, 1, 2
        elif xz > yz:
            row, column, axis = 0, 2, 1
        else:
            row, column, axis = 1, 2, 0
        off = float(D[row, column])
        if abs(off) < zero * size or off == 0:
            break
        # tangent of the angle, of the two the smaller; the quaternion needs that of half the angle
        tau = (float(D[column, column]) - float(D[row, row])) / (2 * off)
        root = math.sqrt(1 + tau * tau)
        t = 1.0 / (tau + root) if tau >= 0 else -1.0 / (-tau + root)
        half = abs(t) / (1 + math.sqrt(1 + t * t))
        if (tau >= 0) != (axis == 1):
            half = -half
        cosine = 1.0 / math.sqrt(1 + half * half)
        quat = _multiply(quat, _about(axis, cosine, half * cosine))
    values = [float(D[k, k]) for k in range(3)]
    # sort by exchanging neighbors: a quarter rotation about the third axis
    for first in (0, 1, 0):
        if values[first] + equal * size < values[first + 1]:
            values[first], values[first + 1] = values[first + 1], values[first]
            quarter = 0.707106781186548
            quat = _multiply(quat, _about((first + 2) % 3, quarter, quarter))
    return np.array(values), np.array(quat)


def _about(axis: int, cosine: float, sine: float) -> Quat:
    """Rotation about a coordinate axis, by the cosine and sine of half its angle."""
    return cosine, sine * (axis == 0), sine * (axis == 1), sine * (axis == 2)


def mass_properties(
    vertices: np.ndarray, faces: np.ndarray, mode: InertiaMode, hull_faces: np.ndarray | None = None
) -> MassProperties:
    """Mass properties of a mesh for density 1.

    Args:
        vertices: (n, 3).
        faces: (m, 3) triangles.
        mode: what has mass.
        hull_faces: triangles of the convex hull, needed for mode CONVEX.
    """
    surface = Triangles.of(*(vertices[faces[:, k]] for k in range(3)))
    # volumes of tetrahedra are taken from the middle of the surface, to lose fewer digits
    origin = face_centroid(surface)
    if mode == InertiaMode.CONVEX:
        if hull_faces is None:
            raise MeshError("inertia mode convex needs the triangles of the convex hull")
        faces = hull_faces
        surface = Triangles.of(*(vertices[faces[:, k]] for k in range(3)))
    center = center_of_mass(surface, origin, mode)
    volume, inertia = second_moments(vertices, faces, center, mode)
    moments, quat = principal_axes(inertia, COARSE)
    if moments[2] <= 0:
        raise MeshError("a moment of inertia is not positive; check the orientation of the faces")
    a, b, c = moments
    for one, two, three in ((a, b, c), (a, c, b), (b, c, a)):
        if one + two < three * (1 - TRIANGLE_RELATIVE) - TRIANGLE_ABSOLUTE:
            raise MeshError("moments of inertia violate A + B >= C; check the orientation of the faces")
    # half sizes of the box that has the same inertia
    squares = 6 * np.array([b + c - a, a + c - b, a + b - c]) / volume
    return MassProperties(volume, center, quat, moments, 0.5 * np.sqrt(squares))
