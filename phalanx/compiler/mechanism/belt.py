"""A belt around two pulleys."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion


def belt(parts: Expansion) -> None:
    """Both rims move as fast as the belt: radius1 angle1 = radius2 angle2; crossed, against each other."""
    slope = parts.positive("radius2") / parts.positive("radius1")
    parts.follow(parts["joint1"], parts["joint2"], -slope if parts["crossed"] else slope)
