"""Kernels that have a derivative rule of their own: what stands in for them where numbers have tangents.

The value is always that of the kernel itself. Elementary functions have the slope of the calculus instead of that of
their polynomials. Maps of rotations divide by an angle; here their tangents are those of the series, so that they are
right at the rotation by zero, too.
"""

from __future__ import annotations

from phalanx.algebra.elementary import PI, acos, asin, atan2, exp, log, power, sincos, tan
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.number import primal, sqrt, where, with_tangents
from phalanx.algebra.quaternion import from_rotation_vector, integrate, multiply, normalize4, to_rotation_vector
from phalanx.algebra.vector import dot, scale

#: Below this angle the sine over the angle is a series; its first term left out is less than 1e-16 of it.
SMALL_ANGLE = 0.25
#: Below this ratio the arc tangent over the ratio is a series, likewise.
SMALL_RATIO = 0.05


# --- elementary functions


@kernel
def sincos_rule(x):
    """(sin x)' = cos x, (cos x)' = -sin x"""
    s, c = sincos(primal(x))
    return with_tangents(s, c * x), with_tangents(c, -s * x)


@kernel
def tan_rule(x):
    """(tan x)' = 1 + tan² x"""
    t = tan(primal(x))
    return with_tangents(t, (1.0 + t * t) * x)


@kernel
def _arc_slope(x):
    """1 / sqrt(1 - x²), and zero at the ends and beyond."""
    rest = (1.0 - x) * (1.0 + x)
    return where(rest > 0.0, 1.0 / sqrt(where(rest > 0.0, rest, 1.0)), 0.0)


@kernel
def asin_rule(x):
    """(asin x)' = 1 / sqrt(1 - x²)"""
    return with_tangents(asin(primal(x)), _arc_slope(primal(x)) * x)


@kernel
def acos_rule(x):
    """(acos x)' = -1 / sqrt(1 - x²)"""
    return with_tangents(acos(primal(x)), -_arc_slope(primal(x)) * x)


@kernel
def atan2_rule(y, x):
    """atan2' = (x y' - y x') / (x² + y²), and zero at the origin."""
    height, width = primal(y), primal(x)
    square = width * width + height * height
    inverse = where(square > 0.0, 1.0 / where(square > 0.0, square, 1.0), 0.0)
    return with_tangents(atan2(height, width), (width * inverse) * y - (height * inverse) * x)


@kernel
def exp_rule(x):
    """exp' = exp"""
    y = exp(primal(x))
    return with_tangents(y, y * x)


@kernel
def log_rule(x):
    """(log x)' = 1 / x, and zero where the logarithm is not finite."""
    value = primal(x)
    slope = where(value > 0.0, 1.0 / where(value > 0.0, value, 1.0), 0.0)
    return with_tangents(log(value), slope * x)


@kernel
def power_rule(x, y):
    """(x**y)' = y x**(y - 1) x' + x**y log(x) y'; a slope that is not finite counts as zero."""
    base, exponent = primal(x), primal(y)
    value = power(base, exponent)
    by_base = where(exponent != 0.0, exponent * power(base, exponent - 1.0), 0.0)
    by_base = where(by_base - by_base == 0.0, by_base, 0.0)
    by_exponent = where(base > 0.0, value * log(where(base > 0.0, base, 1.0)), 0.0)
    by_exponent = where(by_exponent - by_exponent == 0.0, by_exponent, 0.0)
    return with_tangents(value, by_base * x + by_exponent * y)


# --- rotations


@kernel
def with_tangents4(q, source):
    """A quaternion with the tangents of another."""
    return tuple(with_tangents(q[k], source[k]) for k in range(4))


@kernel
def primal3(v):
    """A vector without tangents."""
    return primal(v[0]), primal(v[1]), primal(v[2])


@kernel
def primal4(q):
    """A quaternion without tangents."""
    return primal(q[0]), primal(q[1]), primal(q[2]), primal(q[3])


@kernel
def half_sine_over_angle(square):
    """sin(a / 2) / a of the angle a = sqrt(square): 1/2 - a²/48 + a⁴/3840 - ..."""
    is_small = primal(square) < SMALL_ANGLE * SMALL_ANGLE
    z = 0.25 * square
    series = 0.5 * (1.0 - z * (1.0 / 6.0 - z * (1.0 / 120.0 - z * (1.0 / 5040.0 - z * (1.0 / 362880.0)))))
    angle = sqrt(where(is_small, 1.0, square))
    return where(is_small, series, sincos(0.5 * angle)[0] / angle)


@kernel
def half_cosine(square):
    """cos(a / 2) of the angle a = sqrt(square)."""
    is_small = primal(square) < SMALL_ANGLE * SMALL_ANGLE
    z = 0.25 * square
    series = 1.0 - z * (1.0 / 2.0 - z * (1.0 / 24.0 - z * (1.0 / 720.0 - z * (1.0 / 40320.0 - z / 3628800.0))))
    angle = sqrt(where(is_small, 1.0, square))
    return where(is_small, series, sincos(0.5 * angle)[1])


@kernel
def exponential(v):
    """The rotation about v by the length of v, smooth at zero."""
    square = dot(v, v)
    factor = half_sine_over_angle(square)
    return half_cosine(square), factor * v[0], factor * v[1], factor * v[2]


@kernel
def integrate_rule(q, velocity, step):
    """q exp(step velocity / 2)"""
    value = integrate(primal4(q), primal3(velocity), primal(step))
    return with_tangents4(value, multiply(normalize4(q), exponential(scale(velocity, step))))


@kernel
def from_rotation_vector_rule(v):
    """The exponential."""
    return with_tangents4(from_rotation_vector(primal3(v)), exponential(v))


@kernel
def to_rotation_vector_rule(q):
    """The logarithm: v = 2 (atan(t) / t) u / w with t = |u| / w, where that is a series; else axis times angle."""
    value = to_rotation_vector(primal4(q))
    square, w = q[1] * q[1] + q[2] * q[2] + q[3] * q[3], q[0]
    is_small = primal(square) < SMALL_RATIO * SMALL_RATIO * primal(w) * primal(w)
    near_w = where(is_small, w, 1.0)
    z = where(is_small, square, 0.0) / (near_w * near_w)
    series = 1.0 - z * (1.0 / 3.0 - z * (1.0 / 5.0 - z * (1.0 / 7.0 - z * (1.0 / 9.0 - z * (1.0 / 11.0)))))
    sine = sqrt(where(is_small, 1.0, square))
    angle = 2.0 * atan2(sine, w)
    folded = where(angle > PI, angle - 2.0 * PI, angle)
    factor = where(is_small, 2.0 * series / near_w, folded / sine)
    return tuple(with_tangents(value[k], factor * q[k + 1]) for k in range(3))


#: Kernel -> what is compiled in its place where an argument has tangents.
RULES: dict[Kernel, Kernel] = {
    sincos: sincos_rule,
    tan: tan_rule,
    asin: asin_rule,
    acos: acos_rule,
    atan2: atan2_rule,
    exp: exp_rule,
    log: log_rule,
    power: power_rule,
    integrate: integrate_rule,
    from_rotation_vector: from_rotation_vector_rule,
    to_rotation_vector: to_rotation_vector_rule,
}
