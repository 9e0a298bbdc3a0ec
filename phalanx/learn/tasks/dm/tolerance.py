"""Soft answers to the question whether a number is within bounds (Tassa et al., DeepMind Control Suite, 2018).

`tolerance` takes the shape of the slope outside of the bounds as a function of this file.
"""

from __future__ import annotations

import math

from phalanx.algebra.elementary import acos, cos, exp, log, tanh
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import abs_, and_, sqrt, where

INF = math.inf
PI = math.pi


@kernel
def gaussian(x, value):
    """exp(-(s x)²/2)."""
    scaled = x * sqrt(-2.0 * log(value))
    return exp(-0.5 * (scaled * scaled))


@kernel
def hyperbolic(x, value):
    """1 / cosh(s x)."""
    inverse = 1.0 / value
    scaled = x * log(inverse + sqrt(inverse * inverse - 1.0))
    return 2.0 / (exp(scaled) + exp(-scaled))


@kernel
def long_tail(x, value):
    """1 / ((s x)² + 1)."""
    scaled = x * sqrt(1.0 / value - 1.0)
    return 1.0 / (scaled * scaled + 1.0)


@kernel
def reciprocal(x, value):
    """1 / (s |x| + 1)."""
    return 1.0 / (abs_(x) * (1.0 / value - 1.0) + 1.0)


@kernel
def cosine(x, value):
    """Half a wave, then zero."""
    scaled = x * (acos(2.0 * value - 1.0) / PI)
    is_inside = abs_(scaled) < 1.0
    return where(is_inside, 0.5 * (1.0 + cos(PI * where(is_inside, scaled, 0.0))), 0.0)


@kernel
def linear(x, value):
    """A straight line, then zero."""
    scaled = x * (1.0 - value)
    return where(abs_(scaled) < 1.0, 1.0 - scaled, 0.0)


@kernel
def quadratic(x, value):
    """A parabola, then zero."""
    scaled = x * sqrt(1.0 - value)
    return where(abs_(scaled) < 1.0, 1.0 - scaled * scaled, 0.0)


@kernel
def tanh_squared(x, value):
    """1 - tanh(s x)²."""
    root = sqrt(1.0 - value)
    level = tanh(x * (0.5 * log((1.0 + root) / (1.0 - root))))
    return 1.0 - level * level


@kernel
def within(x, low, high):
    """1 if x is within bounds, else 0."""
    return where(and_(low <= x, x <= high), 1.0, 0.0)


@kernel
def tolerance(x, low, high, margin, shape, value=0.1):
    """1 if x is within bounds; outside the shape, which has the given value at a distance of `margin`, not zero."""
    distance = where(x < low, low - x, x - high) / margin
    return where(and_(low <= x, x <= high), 1.0, shape(distance, value))
