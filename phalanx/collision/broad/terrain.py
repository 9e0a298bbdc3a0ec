"""A height field and the box of another geom: does the ground below the box come up to it?

The box of a height field reaches from its base to the highest elevation there may be, and mostly holds all that stands
on it. So the points of the grid below a geom are looked at, before their prisms are (`pair/hfield.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector, transpose
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import (
    abs_,
    and_,
    floor,
    lane_count,
    lane_get,
    lane_set,
    maximum,
    minimum,
    not_,
    or_,
    splat,
    widen,
)
from phalanx.algebra.vector import norm, sub
from phalanx.collision.broad.bounds import BOX_SLACK, box_center

#: Elevation below which there is nothing.
NO_GROUND = -1e30


@kernel
def points_below(low, high, half, points):
    """First and last point of the grid around an interval, along an axis with so many points; none if first > last."""
    per_length = (points - 1) / (2.0 * half)
    first, last = floor((low + half) * per_length), -floor(-(high + half) * per_length)
    return minimum(maximum(first, 0.0), points + 0.0), minimum(last, points - 1.0)


@kernel
def highest_point(m, field, first_row, last_row, first_column, last_column):
    """The largest elevation of a part of the grid."""
    columns, top = m.hfield_ncol[field], NO_GROUND
    for row in range(first_row, last_row + 1):
        start = m.hfield_adr[field] + row * columns
        for column in range(first_column, last_column + 1):
            top = maximum(top, widen(m.hfield_data[start + column]))
    return top


@kernel
def has_box_at_field(m, d, ground, geom, margin, near):
    """In which of the worlds where it is near the box of a geom comes as near to a height field as the margin."""
    frame, box, field = load9(d.geom_xmat, ground), m.geom_aabb, m.geom_dataid[ground]
    offset = sub(box_center(m, d, geom), load3(d.geom_xpos, ground))
    slack = BOX_SLACK * (m.geom_rbound[ground] + m.geom_rbound[geom] + norm(offset))
    reach = margin + slack
    # the box around that box, in the frame of the height field
    center = multiply_transposed(frame, offset)
    r = matmul(transpose(frame), load9(d.geom_xmat, geom))
    r = (abs_(r[0]), abs_(r[1]), abs_(r[2]), abs_(r[3]), abs_(r[4]), abs_(r[5]), abs_(r[6]), abs_(r[7]), abs_(r[8]))
    half = multiply_vector(r, (box[geom, 3], box[geom, 4], box[geom, 5]))
    x, y = half[0] + reach, half[1] + reach
    size = m.hfield_size
    column0, column1 = points_below(center[0] - x, center[0] + x, size[field, 0], m.hfield_ncol[field])
    row0, row1 = points_below(center[1] - y, center[1] + y, size[field, 1], m.hfield_nrow[field])
    # the ground below it, which has to be looked up in each world
    top = splat(center[2], NO_GROUND)
    for w in range(lane_count(center[2])):
        if lane_get(near, w):
            first_row, last_row = int(widen(lane_get(row0, w))), int(widen(lane_get(row1, w)))
            first_column, last_column = int(widen(lane_get(column0, w))), int(widen(lane_get(column1, w)))
            top = lane_set(top, w, highest_point(m, field, first_row, last_row, first_column, last_column))
    is_above = center[2] - half[2] - reach > top * size[field, 2]
    is_below = center[2] + half[2] + reach < -size[field, 3]
    return and_(near, not_(or_(is_above, is_below)))
