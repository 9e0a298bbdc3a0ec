"""A rack and its pinion."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion


def rack(parts: Expansion) -> None:
    """The rack moves by the radius per radian of the pinion."""
    parts.follow(parts["joint1"], parts["joint2"], parts.nonzero("radius"))
