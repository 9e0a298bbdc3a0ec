"""Two gears that mesh."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion
from phalanx.compiler.text.errors import ElementProblem


def gear(parts: Expansion) -> None:
    """Pitch circles roll on each other: teeth1 angle1 = -teeth2 angle2; with an internal gear, plus."""
    has_teeth = "teeth1" in parts.element or "teeth2" in parts.element
    if has_teeth == ("ratio" in parts.element):
        raise ElementProblem("give the ratio, or teeth1 and teeth2", "ratio")
    ratio = parts.positive("teeth1") / parts.positive("teeth2") if has_teeth else parts.positive("ratio")
    parts.follow(parts["joint1"], parts["joint2"], (1.0 if parts["internal"] else -1.0) / ratio)
