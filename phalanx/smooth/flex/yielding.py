"""State of flexes after a step: what has been deformed for good, and the frames of rods."""

from __future__ import annotations

from phalanx.algebra.jit import part
from phalanx.smooth.flex.rod import advance_frames, has_frames, hinge_count


@part()
def flex_advance(m, d):
    """plastic of flexes, after qpos has moved."""
    alive = d.error_code == 0.0
    for flex in range(m.nflex):
        if m.flex_rigid[flex] == 0 and m.flex_dim[flex] == 1 and hinge_count(m, flex) > 0 and has_frames(m, flex):
            advance_frames(m, d, flex, alive)
