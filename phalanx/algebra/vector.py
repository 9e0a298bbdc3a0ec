"""Vectors: tuples of three numbers."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import sqrt, where

#: Below this length a vector has no direction (MuJoCo's mjMINVAL).
MINVAL = 1e-15


@kernel
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


@kernel
def add_scaled(a, b, s):
    """a + s b"""
    return (a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s)


@kernel
def negate(a):
    return (-a[0], -a[1], -a[2])


@kernel
def multiply_elements(a, b):
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@kernel
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def norm(a):
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def where3(condition, a, b):
    return (where(condition, a[0], b[0]), where(condition, a[1], b[1]), where(condition, a[2], b[2]))


@kernel
def normalize(a):
    """The unit vector along `a`; the x axis when `a` has no length."""
    length = norm(a)
    has_length = length >= MINVAL
    inverse = 1.0 / where(has_length, length, 1.0)
    return where3(has_length, scale(a, inverse), (1.0, 0.0, 0.0))
