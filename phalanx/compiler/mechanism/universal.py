"""The universal joint: two hinges through one point."""

from __future__ import annotations

import numpy as np

from phalanx.compiler.mechanism.expansion import Expansion
from phalanx.compiler.text.errors import ElementProblem

#: Cosine of the angle between the axes beyond which they do not count as perpendicular.
_SLANT = 1e-6


def universal(parts: Expansion) -> None:
    """A hinge about each axis."""
    first, second = parts.unit("axis"), parts.unit("axis2")
    if abs(float(np.dot(first, second))) > _SLANT:
        raise ElementProblem("axis and axis2 are not at a right angle", "axis2")
    parts.joint("1", "hinge", first, "range")
    parts.joint("2", "hinge", second, "range2")
