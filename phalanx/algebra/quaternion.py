"""Unit quaternions (w, x, y, z) as rotations."""

from __future__ import annotations

from phalanx.algebra.elementary import PI, atan2, sincos
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, round_even, sqrt, where
from phalanx.algebra.vector import MINVAL, cross, norm, normalize, scale


@kernel
def multiply(a, b):
    """The rotation b followed by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def multiply_axis(q, v):
    """q times the pure quaternion (0, v)."""
    return (
        -q[1] * v[0] - q[2] * v[1] - q[3] * v[2],
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    )


@kernel
def conjugate(q):
    """The inverse rotation, of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


@kernel
def rotate(v, q):
    """Vector v rotated by q: v + 2 u x (w v + u x v)."""
    u = (q[1], q[2], q[3])
    t = cross(u, v)
    t = (t[0] + q[0] * v[0], t[1] + q[0] * v[1], t[2] + q[0] * v[2])
    t = cross(u, t)
    return (v[0] + 2.0 * t[0], v[1] + 2.0 * t[1], v[2] + 2.0 * t[2])


@kernel
def where4(condition, a, b):
    """`a` in the worlds where the condition holds, else `b`."""
    return (
        where(condition, a[0], b[0]),
        where(condition, a[1], b[1]),
        where(condition, a[2], b[2]),
        where(condition, a[3], b[3]),
    )


@kernel
def normalize4(q):
    """Unit quaternion: the identity when q has no length, q itself when it is unit to rounding."""
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    has_length = length >= MINVAL
    off_unit = abs_(length - 1.0) > MINVAL
    inverse = where(off_unit, 1.0 / where(has_length, length, 1.0), 1.0)
    scaled = (q[0] * inverse, q[1] * inverse, q[2] * inverse, q[3] * inverse)
    return where4(has_length, scaled, (1.0, 0.0, 0.0, 0.0))


@kernel
def from_axis_angle(axis, angle):
    """Rotation by `angle` about a unit axis."""
    s, c = sincos(angle * 0.5)
    return (c, axis[0] * s, axis[1] * s, axis[2] * s)


@kernel
def from_rotation_vector(v):
    """The exponential: rotation about v by the length of v."""
    return from_axis_angle(normalize(v), norm(v))


@kernel
def to_rotation_vector(q):
    """The logarithm: axis times angle, with the angle folded into (-pi, pi]."""
    sine = norm((q[1], q[2], q[3]))
    angle = 2.0 * atan2(sine, q[0])
    angle = where(angle > PI, angle - 2.0 * PI, angle)
    small = sine < MINVAL
    factor = angle / where(small, 1.0, sine)
    # without an axis the x axis is taken, as for any vector without length
    vector = scale((q[1], q[2], q[3]), factor)
    return (
        where(small, angle, vector[0]),
        where(small, 0.0, vector[1]),
        where(small, 0.0, vector[2]),
    )


@kernel
def shortest_rotation(v):
    """The rotation vector of the same rotation with an angle of at most pi."""
    angle = norm(v)
    is_long = angle > PI
    revolutions = 2.0 * PI * round_even(angle / (2.0 * PI))
    return scale(v, where(is_long, (angle - revolutions) / where(is_long, angle, 1.0), 1.0))


@kernel
def difference(a, b):
    """The rotation vector that takes b to a, in the frame of b: log(b^-1 a)."""
    return to_rotation_vector(multiply(conjugate(b), a))


@kernel
def integrate(q, velocity, step):
    """q after rotation for `step` seconds with an angular velocity in its own frame: q exp(step velocity / 2)."""
    rotation = from_axis_angle(normalize(velocity), norm(velocity) * step)
    return multiply(normalize4(q), rotation)
