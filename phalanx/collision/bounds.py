"""Bounds of geoms and bodies, and what they say about a pair before any collider runs."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import abs_, and_, lane_count, lane_get, maximum, minimum, not_, or_, widen
from phalanx.algebra.vector import add, dot, sub
from phalanx.collision.contact import overrides
from phalanx.tables.enums import GeomType

PLANE = int(GeomType.PLANE)


@kernel
def are_near(m, d, geom1, geom2, margin):
    """Do the bounding spheres come within the margin? A plane has no sphere: its distance to the other counts.

    geom1 has the smaller type.
    """
    offset = sub(load3(d.geom_xpos, geom2), load3(d.geom_xpos, geom1))
    radius = m.geom_rbound[geom2]
    if m.geom_type[geom1] == PLANE:
        frame = load9(d.geom_xmat, geom1)
        return not_(and_(radius > 0.0, dot((frame[2], frame[5], frame[8]), offset) > margin + radius))
    both = and_(m.geom_rbound[geom1] > 0.0, radius > 0.0)
    reach = m.geom_rbound[geom1] + radius + margin
    return not_(and_(both, dot(offset, offset) > reach * reach))


@kernel
def body_reach(m, body):
    """How far from a body its contacts may start."""
    if overrides(m):
        return m.body_margin[body] + m.opt.o_margin
    return m.body_margin[body]


@kernel
def lowest(x):
    """The smallest number of all worlds of a lane."""
    result = widen(lane_get(x, 0))
    for w in range(1, lane_count(x)):
        result = minimum(result, widen(lane_get(x, w)))
    return result


@kernel
def highest(x):
    """The largest number of all worlds of a lane."""
    result = widen(lane_get(x, 0))
    for w in range(1, lane_count(x)):
        result = maximum(result, widen(lane_get(x, w)))
    return result


@kernel
def find_body_box(m, d, body):
    """body_low, body_high: a box along the world's axes around the geoms of a body, in all worlds of a lane."""
    box, node = m.bvh_aabb, m.body_bvhadr[body]
    frame = load9(d.ximat, body)
    center = add(load3(d.xipos, body), multiply_vector(frame, (box[node, 0], box[node, 1], box[node, 2])))
    reach = body_reach(m, body)
    for axis in range(3):
        half = reach
        for k in range(3):
            half = half + abs_(d.ximat[body, 3 * axis + k]) * box[node, 3 + k]
        d.body_low[body, axis] = lowest(center[axis] - half)
        d.body_high[body, axis] = highest(center[axis] + half)


@kernel
def to_body(d, body, point):
    """A world point in the inertial frame of a body, where its tree of boxes is."""
    return multiply_transposed(load9(d.ximat, body), sub(point, load3(d.xipos, body)))


@kernel
def is_beyond(m, node, point, radius):
    """Is a sphere outside a box of a tree?"""
    box = m.bvh_aabb
    return or_(
        or_(
            abs_(point[0] - box[node, 0]) > box[node, 3] + radius, abs_(point[1] - box[node, 1]) > box[node, 4] + radius
        ),
        abs_(point[2] - box[node, 2]) > box[node, 5] + radius,
    )
