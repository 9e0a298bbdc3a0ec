"""Positions and orientations as tuples of floats, and every MJCF notation of an orientation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import atan2, cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.sizes import EPSILON as EPSILON

if TYPE_CHECKING:
    from phalanx.compiler.text.defaults import Values
    from phalanx.compiler.text.file_settings import Scope

Vector = tuple[float, float, float]
Quat = tuple[float, float, float, float]

Tuple = TypeVar("Tuple", bound=tuple[float, ...])

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)
ORIGIN: Vector = (0.0, 0.0, 0.0)


class InFrame(Protocol):
    """An object with a frame element around it, `frame` in the body (the identity if there is none)."""

    frame: tuple[Vector, Quat]


def total(values: Iterable[float]) -> float:
    """The sum, in order. The built-in `sum` of floats rounds otherwise from Python 3.12 on."""
    result = 0.0
    for value in values:
        result += value
    return result


def vector3(array: np.ndarray) -> Vector:
    """A NumPy array of three elements as a tuple of floats."""
    x, y, z = array.tolist()
    return x, y, z


def quaternion(array: np.ndarray) -> Quat:
    """A NumPy array of four elements as a tuple of floats."""
    w, x, y, z = array.tolist()
    return w, x, y, z


def length_of(vector: Sequence[float]) -> float:
    """The Euclidean norm."""
    return sqrt(total([x * x for x in vector]))


def unit(vector: Tuple, what: str = "") -> Tuple:
    """The vector with length one; left as it is if that is its length already.

    One too short to have a direction is a problem of the attribute `what`, or left as it is if that is empty.
    """
    square = total([x * x for x in vector])
    if square < EPSILON:
        if what:
            raise ElementProblem(f"{what} is too short to have a direction", what)
        return vector
    size = sqrt(square)
    return vector if abs(size - 1) <= EPSILON else tuple([x / size for x in vector])  # type: ignore[return-value]


def multiply(a: Quat, b: Quat) -> Quat:
    """The rotation b, then the rotation a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quat) -> Quat:
    """The inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


def matrix_of(q: Quat) -> tuple[float, ...]:
    """Rotation matrix, row by row."""
    if q == IDENTITY:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    w, x, y, z = q
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    xy, xz, yz, wx, wy, wz = x * y, x * z, y * z, w * x, w * y, w * z
    return (
        ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy),
        2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx),
        2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz,
    )  # fmt: skip


def rotate(v: Vector, q: Quat) -> Vector:
    """A vector rotated by a unit quaternion."""
    if q == IDENTITY:
        return v
    m = matrix_of(q)
    x, y, z = v
    return (
        m[0] * x + m[1] * y + m[2] * z,
        m[3] * x + m[4] * y + m[5] * z,
        m[6] * x + m[7] * y + m[8] * z,
    )


def add(a: Vector, b: Vector) -> Vector:
    """The sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def subtract(a: Vector, b: Vector) -> Vector:
    """The vector from b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def compose(pos: Vector, quat: Quat, child_pos: Vector, child_quat: Quat) -> tuple[Vector, Quat]:
    """A frame (`child`) that is given in another one, seen from where that one (`pos`, `quat`) is given."""
    return add(pos, rotate(child_pos, quat)), multiply(quat, child_quat)


def placed(obj: InFrame, pos: Vector, quat: Quat = IDENTITY) -> tuple[Vector, Quat]:
    """The frame of an object in the body, from the one in the frame element around it."""
    frame_pos, frame_quat = obj.frame
    return compose(frame_pos, frame_quat, pos, quat)


def invert(pos: Vector, quat: Quat) -> tuple[Vector, Quat]:
    """The frame in which a frame is given, seen from that frame."""
    back = conjugate(quat)
    x, y, z = rotate(pos, back)
    return (-x, -y, -z), back


def rotation_of_z(axis: Vector) -> Quat:
    """The smallest rotation that brings z to a unit vector (mjuu_z2quat)."""
    normal = cross((0.0, 0.0, 1.0), axis)
    size = length_of(normal)
    if size * size < EPSILON:
        size = 0.0
    direction = (1.0, 0.0, 0.0) if size < 1e-10 else unit(normal)
    half = atan2(size, axis[2]) / 2
    s = sin(half)
    return cos(half), s * direction[0], s * direction[1], s * direction[2]


def rotation_of_axes(x: Vector, y: Vector, z: Vector) -> Quat:
    """Quaternion of three orthonormal axes (mjuu_frame2quat).

    Divided by a component that is not small, since a small one would lose digits.
    """
    trace = x[0] + y[1] + z[2]
    if trace > 0:
        w = 0.5 * sqrt(1 + trace)
        q = (w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w)
    elif x[0] > y[1] and x[0] > z[2]:
        a = 0.5 * sqrt(1 + x[0] - y[1] - z[2])
        q = (0.25 * (y[2] - z[1]) / a, a, 0.25 * (y[0] + x[1]) / a, 0.25 * (z[0] + x[2]) / a)
    elif y[1] > z[2]:
        a = 0.5 * sqrt(1 - x[0] + y[1] - z[2])
        q = (0.25 * (z[0] - x[2]) / a, 0.25 * (y[0] + x[1]) / a, a, 0.25 * (z[1] + y[2]) / a)
    else:
        a = 0.5 * sqrt(1 - x[0] - y[1] + z[2])
        q = (0.25 * (x[1] - y[0]) / a, 0.25 * (z[0] + x[2]) / a, 0.25 * (z[1] + y[2]) / a, a)
    return unit(q)


def rotation_of_euler(angles: Sequence[float], sequence: str, degree: bool) -> Quat:
    """Rotations about three axes in order: small letters are axes that move along, capital ones are fixed."""
    quat = IDENTITY
    for angle, letter in zip(angles, sequence, strict=True):
        half = (angle / 180.0 * pi if degree else angle) / 2
        s = sin(half)
        axis = letter.lower()
        rotation = (cos(half), s * (axis == "x"), s * (axis == "y"), s * (axis == "z"))
        quat = multiply(quat, rotation) if letter.islower() else multiply(rotation, quat)
    return unit(quat)


def _from_axisangle(given: Sequence[float], sequence: str, degree: bool) -> Quat:
    x, y, z, angle = given
    axis = unit((x, y, z), "axisangle")
    half = (angle / 180.0 * pi if degree else angle) / 2
    s = sin(half)
    return cos(half), s * axis[0], s * axis[1], s * axis[2]


def _from_xyaxes(given: Sequence[float], sequence: str, degree: bool) -> Quat:
    x0, x1, x2, y0, y1, y2 = given
    x = unit((x0, x1, x2), "xyaxes")
    # what of y is not across x does not count
    along = dot(x, (y0, y1, y2))
    y = unit((y0 - x[0] * along, y1 - x[1] * along, y2 - x[2] * along), "xyaxes")
    return rotation_of_axes(x, y, unit(cross(x, y), "xyaxes"))


def _from_zaxis(given: Sequence[float], sequence: str, degree: bool) -> Quat:
    x, y, z = given
    return rotation_of_z(unit((x, y, z), "zaxis"))


#: Attribute -> function of its value, the sequence of Euler angles, and whether angles are in degrees.
NOTATIONS: dict[str, Callable[[Sequence[float], str, bool], Quat]] = {
    "axisangle": _from_axisangle,
    "xyaxes": _from_xyaxes,
    "zaxis": _from_zaxis,
    "euler": rotation_of_euler,
}


def orientation_of(values: Values, scope: Scope) -> Quat:
    """The orientation of an element as a unit quaternion, whatever notation it is written in."""
    for name, convert in NOTATIONS.items():
        given = values.get(name)
        if given is not None:
            return convert(given, scope.sequence, scope.degree)
    quat = values["quat"]
    if quat == IDENTITY:
        return quat
    if total([x * x for x in quat]) < EPSILON:
        raise ElementProblem("quat has length zero", "quat")
    return unit(quat)
