"""A worm and its wheel."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion


def worm(parts: Expansion) -> None:
    """The wheel advances by as many teeth per revolution of the worm as this has threads."""
    slope = parts.positive("starts") / parts.positive("teeth")
    parts.follow(parts["joint1"], parts["joint2"], -slope if parts["left"] else slope)
