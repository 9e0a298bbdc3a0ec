"""A cable that does not stretch, wound over joints."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion


def cable(parts: Expansion) -> None:
    """What one joint takes in, the others let out: the sum of radius times position stays."""
    joints = ["1", "2", *(["3"] if "joint3" in parts.element else [])]
    parts.keep_sum({parts[f"joint{k}"]: parts.nonzero(f"radius{k}") for k in joints})
