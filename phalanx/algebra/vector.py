"""Vectors: tuples of three numbers."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import sqrt, where

#: Below this length a vector has no direction (MuJoCo's mjMINVAL).
MINVAL = 1e-15


@kernel
def add(a, b):
    """a + b"""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a, b):
    """a - b"""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(a, s):
    """s a"""
    return (a[0] * s, a[1] * s, a[2] * s)


@kernel
def add_scaled(a, b, s):
    """a + s b"""
    return (a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s)


@kernel
def negate(a):
    """-a"""
    return (-a[0], -a[1], -a[2])


@kernel
def multiply_elements(a, b):
    """(a0 b0, a1 b1, a2 b2): scaling along the axes."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@kernel
def dot(a, b):
    """a . b, summed from the first element on."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """a x b, right-handed."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def norm(a):
    """Euclidean length, without protection against overflow."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def where3(condition, a, b):
    """`a` in the worlds where the condition holds, else `b`."""
    return (where(condition, a[0], b[0]), where(condition, a[1], b[1]), where(condition, a[2], b[2]))


@kernel
def normalize(a):
    """The unit vector along `a`; the x axis when `a` has no length."""
    length = norm(a)
    has_length = length >= MINVAL
    inverse = 1.0 / where(has_length, length, 1.0)
    return where3(has_length, scale(a, inverse), (1.0, 0.0, 0.0))
