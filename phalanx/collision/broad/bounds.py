"""Bounds of geoms and bodies, and what they say about a pair before any collider runs."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector, transpose
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import abs_, and_, lane_count, lane_get, maximum, minimum, not_, or_, widen
from phalanx.algebra.vector import add, dot, norm, sub
from phalanx.collision.contact import overrides
from phalanx.memory.flags import is_enabled
from phalanx.tables.enums import EnableBit, GeomType

#: Part of the size by which boxes count as nearer than computed: more than rounding, in single precision, too.
BOX_SLACK = 1e-5


@kernel
def are_near(m, d, geom1, geom2, margin):
    """Do the bounding spheres come within the margin? A plane has no sphere: its distance to the other counts.

    geom1 has the smaller type.
    """
    offset = sub(load3(d.geom_xpos, geom2), load3(d.geom_xpos, geom1))
    radius = m.geom_rbound[geom2]
    if m.geom_type[geom1] == GeomType.PLANE:
        frame = load9(d.geom_xmat, geom1)
        return not_(and_(radius > 0.0, dot((frame[2], frame[5], frame[8]), offset) > margin + radius))
    both = and_(m.geom_rbound[geom1] > 0.0, radius > 0.0)
    reach = m.geom_rbound[geom1] + radius + margin
    return not_(and_(both, dot(offset, offset) > reach * reach))


@kernel
def box_center(m, d, geom):
    """World position of the center of a geom's box."""
    box = m.geom_aabb
    return add(
        load3(d.geom_xpos, geom), multiply_vector(load9(d.geom_xmat, geom), (box[geom, 0], box[geom, 1], box[geom, 2]))
    )


@kernel
def have_near_boxes(m, d, geom1, geom2, margin):
    """Is there no face of either box that separates the two by more than the margin? Sharper than `are_near`.

    A plane has no box: its distance to the box of the other counts.
    """
    if m.geom_type[geom1] == GeomType.PLANE:
        return has_box_at_plane(m, d, geom1, geom2, margin)
    frame1, frame2 = load9(d.geom_xmat, geom1), load9(d.geom_xmat, geom2)
    offset = sub(box_center(m, d, geom2), box_center(m, d, geom1))
    along1, along2 = multiply_transposed(frame1, offset), multiply_transposed(frame2, offset)
    box = m.geom_aabb
    half1, half2 = (box[geom1, 3], box[geom1, 4], box[geom1, 5]), (box[geom2, 3], box[geom2, 4], box[geom2, 5])
    rotation = matmul(transpose(frame1), frame2)
    t = (
        abs_(rotation[0]), abs_(rotation[1]), abs_(rotation[2]),
        abs_(rotation[3]), abs_(rotation[4]), abs_(rotation[5]),
        abs_(rotation[6]), abs_(rotation[7]), abs_(rotation[8]),
    )  # fmt: skip
    # how far the boxes are apart along the normals of all faces, less what they reach along them
    reach1, reach2 = multiply_vector(t, half2), multiply_transposed(t, half1)
    gap = abs_(along1[0]) - half1[0] - reach1[0]
    gap = maximum(gap, abs_(along1[1]) - half1[1] - reach1[1])
    gap = maximum(gap, abs_(along1[2]) - half1[2] - reach1[2])
    gap = maximum(gap, abs_(along2[0]) - half2[0] - reach2[0])
    gap = maximum(gap, abs_(along2[1]) - half2[1] - reach2[1])
    gap = maximum(gap, abs_(along2[2]) - half2[2] - reach2[2])
    slack = BOX_SLACK * (m.geom_rbound[geom1] + m.geom_rbound[geom2] + norm(offset))
    return not_(gap > margin + slack)


@kernel
def has_box_at_plane(m, d, plane, geom, margin):
    """Does the box of a geom come as near to a plane as the margin?"""
    frame = load9(d.geom_xmat, plane)
    normal = (frame[2], frame[5], frame[8])
    offset = sub(box_center(m, d, geom), load3(d.geom_xpos, plane))
    along = multiply_transposed(load9(d.geom_xmat, geom), normal)
    box = m.geom_aabb
    half = abs_(along[0]) * box[geom, 3] + abs_(along[1]) * box[geom, 4] + abs_(along[2]) * box[geom, 5]
    slack = BOX_SLACK * (m.geom_rbound[geom] + norm(offset))
    return not_(dot(normal, offset) - half > margin + slack)


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
    return -lowest(-x)


@kernel
def find_body_box(m, d, body):
    """body_low, body_high: a box along the world's axes around the geoms of a body, in all worlds of a lane."""
    box, node = m.bvh_aabb, m.body_bvhadr[body]
    frame = load9(d.ximat, body)
    center = add(load3(d.xipos, body), multiply_vector(frame, (box[node, 0], box[node, 1], box[node, 2])))
    reach = body_reach(m, body)
    if is_enabled(m, EnableBit.SPECULATIVE):
        reach = reach + d.body_travel[body]
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
