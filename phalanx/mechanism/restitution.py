"""The bounce of a spring and a damper that push but cannot pull: damping ratio and restitution."""

from __future__ import annotations

import math

from phalanx.mechanism.quantities import between
from phalanx.memory.errors import FieldError


def restitution_of_ratio(ratio: float) -> float:
    """The restitution of a spring and damper that cannot pull: e = exp(-2 z acos(z) / sqrt(1 - z²)).

    The bodies part when the force is zero, which is at the angle 2 acos(z) of the damped oscillation; the speed there
    is that of the envelope. For damping ratios above 1 the inverse cosine is that of hyperbolic functions.
    """
    ratio = between("damping ratio", ratio, 0.0, math.inf)
    return math.exp(-2.0 * ratio * angle_by_sine(ratio))


def ratio_of_restitution(restitution: float) -> float:
    """The damping ratio that gives a restitution above 0 and at most 1: the inverse of `restitution_of_ratio`."""
    restitution = between("restitution", restitution, 0.0, 1.0)
    if restitution == 0.0:
        raise FieldError("a restitution of 0 would take infinite damping; 0.01 is hardly to be seen")
    low, high = 0.0, 1.0
    while restitution_of_ratio(high) > restitution:
        high *= 2.0
    # bisection to the last bit: the function falls everywhere
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if restitution_of_ratio(middle) > restitution else (low, middle)
    return low if restitution == 1.0 else high


def angle_by_sine(ratio: float) -> float:
    """acos(z) / sqrt(1 - z²), and its continuation above 1."""
    rest = 1.0 - ratio * ratio
    if abs(rest) < 1e-8:
        return 1.0 + rest / 6.0
    return math.acos(ratio) / math.sqrt(rest) if rest > 0.0 else math.acosh(ratio) / math.sqrt(-rest)
