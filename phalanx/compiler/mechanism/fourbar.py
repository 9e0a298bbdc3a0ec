"""The four-bar linkage: three moving links between two fixed pivots, closed by a connect."""

from __future__ import annotations

import math

from phalanx.compiler.mechanism.expansion import Expansion
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem


def fourbar_angles(
    ground: float, crank: float, coupler: float, rocker: float, angle: float, crossed: bool
) -> tuple[float, float] | None:
    """Angles of the coupler and of the rocker for an angle of the crank; None if the links do not reach [rad].

    The free end of the crank and the far fixed pivot are the centers of two circles, of the coupler and the rocker,
    which cut in the joint between these.
    """
    x, y = ground - crank * math.cos(angle), -crank * math.sin(angle)
    distance = math.hypot(x, y)
    if distance == 0.0 or not abs(coupler - rocker) <= distance <= coupler + rocker:
        return None
    cosine = (distance**2 + coupler**2 - rocker**2) / (2.0 * distance * coupler)
    opening = math.acos(max(-1.0, min(1.0, cosine)))
    direction = math.atan2(y, x) + (-opening if crossed else opening)
    # from the far pivot to the end of the coupler
    end_x, end_y = coupler * math.cos(direction) - x, coupler * math.sin(direction) - y
    return direction, math.atan2(end_y, end_x)


def fourbar(parts: Expansion) -> None:
    """Crank and coupler in a chain, the rocker on its own pivot; links are along the x axes of their bodies."""
    lengths = {link: parts.positive(link) for link in ("ground", "crank", "coupler", "rocker")}
    angle = parts.radians("angle")
    found = fourbar_angles(**lengths, angle=angle, crossed=bool(parts["crossed"]))
    if found is None:
        raise ElementProblem("the links do not reach each other at this angle of the crank", "angle")
    direction, follower = found
    x, y, z = parts["pos"]
    crank = _link(parts, "crank", (x, y, z), angle, lengths["crank"])
    coupler = _link(parts, "coupler", (lengths["crank"], 0.0, 0.0), direction - angle, lengths["coupler"])
    rocker = _link(parts, "rocker", (x + lengths["ground"], y, z), follower, lengths["rocker"])
    crank.append(coupler)
    parts.made += [crank, rocker]
    parts.equality("connect", body1=coupler.name, body2=rocker.name, anchor=(lengths["coupler"], 0.0, 0.0))


def _link(parts: Expansion, link: str, pos: tuple[float, float, float], angle: float, length: float) -> Element:
    """A body with a hinge at its origin and a capsule along x; links do not collide."""
    name = f"{parts.name}_{link}"
    body = parts.new("body", name=name, pos=pos, quat=(math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)))
    body.append(parts.new("joint", name=name, type="hinge", axis=(0.0, 0.0, 1.0), damping=parts["damping"]))
    shape = {"type": "capsule", "fromto": (0.0, 0.0, 0.0, length, 0.0, 0.0), "size": parts.positive("radius")}
    body.append(parts.new("geom", name=name, density=parts.positive("density"), contype=0, conaffinity=0, **shape))
    return body
