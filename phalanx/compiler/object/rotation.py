"""Positions and orientations as tuples of floats, and every MJCF notation of an orientation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, pi, sin, sqrt
from typing import Any

from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.sizes import EPSILON as EPSILON

Vector = tuple[float, float, float]
Quat = tuple[float, float, float, float]

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)
ORIGIN: Vector = (0.0, 0.0, 0.0)


def total(numbers: Iterable[float]) -> float:
    """The sum, in order. The built-in `sum` of floats rounds otherwise from Python 3.12 on."""
    result = 0.0
    for number in numbers:
        result += number
    return result


def length_of(vector: Sequence[float]) -> float:
    return sqrt(total([x * x for x in vector]))


def unit(vector: Any, what: str = "") -> Any:
    """The vector with length one; left as it is when it is there already, or too short and unnamed."""
    square = total([x * x for x in vector])
    if square < EPSILON:
        if what:
            raise ElementProblem(f"{what} is too short to have a direction", what)
        return vector
    size = sqrt(square)
    return vector if abs(size - 1) <= EPSILON else tuple([x / size for x in vector])


def multiply(a: Quat, b: Quat) -> Quat:
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quat) -> Quat:
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
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def subtract(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def compose(pos: Any, quat: Any, child_pos: Any, child_quat: Any) -> tuple[Vector, Quat]:
    """A frame that is given in another one, in what that one is given in."""
    return add(pos, rotate(child_pos, quat)), multiply(quat, child_quat)


def placed(obj: Any, pos: Vector, quat: Quat = IDENTITY) -> tuple[Vector, Quat]:
    """A frame that is given in the frame element around an object, in the body."""
    frame_pos, frame_quat = obj.frame
    return compose(frame_pos, frame_quat, pos, quat)


def invert(pos: Vector, quat: Quat) -> tuple[Vector, Quat]:
    """The other frame seen from this one."""
    back = conjugate(quat)
    x, y, z = rotate(pos, back)
    return (-x, -y, -z), back


def turn_of_z(axis: Vector) -> Quat:
    """The smallest turn that brings z to a unit vector."""
    normal = cross((0.0, 0.0, 1.0), axis)
    size = length_of(normal)
    if size * size < EPSILON:
        size = 0.0
    direction = (1.0, 0.0, 0.0) if size < 1e-10 else unit(normal)
    half = atan2(size, axis[2]) / 2
    s = sin(half)
    return cos(half), s * direction[0], s * direction[1], s * direction[2]


def turn_of_axes(x: Vector, y: Vector, z: Vector) -> Quat:
    """Quaternion of three orthonormal axes."""
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


def turn_of_euler(angles: Sequence[float], sequence: str, degree: bool) -> Quat:
    """Turns about three axes in order: small letters are axes that move along, capital ones are fixed."""
    quat = IDENTITY
    for angle, letter in zip(angles, sequence, strict=True):
        half = (angle / 180.0 * pi if degree else angle) / 2
        s = sin(half)
        axis = letter.lower()
        turn = (cos(half), s * (axis == "x"), s * (axis == "y"), s * (axis == "z"))
        quat = multiply(quat, turn) if letter.islower() else multiply(turn, quat)
    return unit(quat)


def _from_axisangle(given: Sequence[float], sequence: str, degree: bool) -> Quat:
    axis = unit(tuple(given[:3]), "axisangle")
    half = (given[3] / 180.0 * pi if degree else given[3]) / 2
    s = sin(half)
    return cos(half), s * axis[0], s * axis[1], s * axis[2]


def _from_xyaxes(given: Sequence[float], sequence: str, degree: bool) -> Quat:
    x = unit(tuple(given[:3]), "xyaxes")
    y: Any = tuple(given[3:])
    along = dot(x, y)
    y = unit(tuple(b - a * along for a, b in zip(x, y, strict=True)), "xyaxes")
    return turn_of_axes(x, y, unit(cross(x, y), "xyaxes"))


def _from_zaxis(given: Sequence[float], sequence: str, degree: bool) -> Quat:
    return turn_of_z(unit(tuple(given), "zaxis"))


_NOTATIONS = {"axisangle": _from_axisangle, "xyaxes": _from_xyaxes, "zaxis": _from_zaxis, "euler": turn_of_euler}


def orientation(values: Mapping[str, Any], sequence: str, degree: bool) -> Quat:
    """The orientation of an element, in whatever notation it is written."""
    for name, convert in _NOTATIONS.items():
        given = values.get(name)
        if given is not None:
            return convert(given, sequence, degree)
    quat = values["quat"]
    if quat == IDENTITY:
        return quat
    if total([x * x for x in quat]) < EPSILON:
        raise ElementProblem("quat has length zero", "quat")
    return unit(quat)
