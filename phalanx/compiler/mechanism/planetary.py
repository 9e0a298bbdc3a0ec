"""The planetary gear: sun, ring and carrier."""

from __future__ import annotations

from phalanx.compiler.mechanism.expansion import Expansion
from phalanx.compiler.text.errors import ElementProblem


def planetary(parts: Expansion) -> None:
    """Willis: teeth_sun sun + teeth_ring ring = (teeth_sun + teeth_ring) carrier."""
    sun, ring = parts.positive("teeth_sun"), parts.positive("teeth_ring")
    if ring <= sun:
        raise ElementProblem("the ring goes around the sun: it has more teeth", "teeth_ring")
    total = sun + ring
    parts.keep_sum({parts["sun"]: sun / total, parts["ring"]: ring / total, parts["carrier"]: -1.0})
