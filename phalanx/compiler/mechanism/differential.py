"""The differential: two shafts that share a drive."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion


def differential(parts: Expansion) -> None:
    """drive = ratio (shaft1 + shaft2) / 2"""
    half = 0.5 * parts.nonzero("ratio")
    parts.keep_sum({parts["joint1"]: half, parts["joint2"]: half, parts["drive"]: -1.0})
