"""The planar joint: two slides in a plane, and a hinge about its normal."""

from __future__ import annotations

import numpy as np

from phalanx.compiler.mechanism.expansion import Expansion
from phalanx.compiler.text.errors import ElementProblem


def planar(parts: Expansion) -> None:
    """Slides along two directions at right angles, the second one being normal x first."""
    normal, along = parts.unit("axis"), parts.unit("axis2")
    first = along - normal * float(np.dot(normal, along))
    length = float(np.linalg.norm(first))
    if length < 1e-6:
        raise ElementProblem("axis2 is along the normal of the plane", "axis2")
    first = first / length
    parts.joint("1", "slide", first, "range")
    parts.joint("2", "slide", np.cross(normal, first), "range2")
    parts.joint("3", "hinge", normal, "range3")
