"""The screw: a hinge, and a slide that follows it."""

from __future__ import annotations

import math

from phalanx.compiler.mechanism.expansion import Expansion


def screw(parts: Expansion) -> None:
    """The slide moves by the pitch in each revolution of the hinge."""
    axis = parts.unit("axis")
    hinge = parts.joint("1", "hinge", axis, "range")
    slide = parts.joint("2", "slide", axis)
    # springs, friction and inertia of the rotor belong to the rotation: the slide has no motion of its own
    for name in ("stiffness", "springdamper", "armature", "damping", "frictionloss"):
        slide[name] = None
    parts.follow(slide.name, hinge.name, parts.nonzero("pitch") / (2.0 * math.pi))
