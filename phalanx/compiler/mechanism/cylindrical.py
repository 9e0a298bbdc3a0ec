"""The cylindrical joint: a slide and a hinge along one axis."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion


def cylindrical(parts: Expansion) -> None:
    """A slide along the axis, then a hinge about it."""
    axis = parts.unit("axis")
    parts.joint("1", "slide", axis, "range")
    parts.joint("2", "hinge", axis, "range2")
