"""The closure of a loop: a ball joint, or a hinge, between two bodies that the tree does not connect."""

from __future__ import annotations

import numpy as np

from phalanx.compiler.mechanism.expansion import Expansion


def loop(parts: Expansion) -> None:
    """Points of both bodies coincide: one, or two on the axis of a hinge."""
    anchor, bodies = np.array(parts["anchor"], float), {"body1": parts["body1"], "body2": parts["body2"]}
    if "axis" not in parts.element:
        parts.equality("connect", **bodies, anchor=anchor)
        return
    half = 0.5 * parts.positive("span") * parts.unit("axis")
    parts.equality("connect", "_1", **bodies, anchor=anchor - half)
    parts.equality("connect", "_2", **bodies, anchor=anchor + half)
