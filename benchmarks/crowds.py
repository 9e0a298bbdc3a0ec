"""Large worlds of many islands: a hundred humanoids on one floor, a thousand boxes in stacks.

Each function edits a `mujoco.MjSpec`.
"""

from __future__ import annotations

from typing import Any

#: Humanoids along each side of the square, and how far apart they stand [m].
SIDE, APART = 10, 2.0
#: Stacks along each side of the square, boxes in each, half the size of a box and the distance of stacks [m].
STACKS, HIGH, HALF, BETWEEN = 10, 10, 0.1, 1.0


def crowd(spec: Any) -> None:
    """Ninety-nine more of the humanoid that a model file has, in a square; keyframes of one have no meaning here."""
    child = spec.copy()
    for one in (spec, child):
        for key in list(one.keys):
            one.delete(key)
    root = child.worldbody.bodies[0].name
    for k in range(1, SIDE * SIDE):
        frame = spec.worldbody.add_frame(pos=[APART * (k % SIDE), APART * (k // SIDE), 0.0])
        frame.attach_body(child.copy().body(root), f"{k}_", "")
    next(geom for geom in spec.geoms if geom.name == "floor").size[:2] = 2.0 * APART * SIDE


def stacks(spec: Any) -> None:
    """A thousand boxes on the floor, each free, ten in a stack."""
    for body in list(spec.worldbody.bodies):
        spec.delete(body)
    for k in range(STACKS * STACKS * HIGH):
        stack, level = divmod(k, HIGH)
        place = [BETWEEN * (stack % STACKS), BETWEEN * (stack // STACKS), HALF * (1 + 2 * level)]
        body = spec.worldbody.add_body(pos=place)
        body.add_freejoint()
        body.add_geom(type=6, size=[HALF] * 3)
    next(geom for geom in spec.geoms if geom.name == "floor").size[:2] = 2.0 * BETWEEN * STACKS
