"""Where a convex shape is touched, and what the rows of its faces and edges share.

The tables are in `convex/table.py`, their rows with the shapes (`collision/geom`); `multicontact.py` asks them. The
place is known by the vertices at which the search for the distance ended: one is a corner, two an edge, three a face
(`clip_dim`, `clip_corner`).

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load9, store3
from phalanx.collision.convex.support import to_shape, to_world

#: Normals with a larger product count as the same.
ALIGNED = 0.996


@kernel
def direction_in_world(d, side, direction):
    """A direction given in the frame of the shape."""
    return multiply_vector(load9(d.convex_mat, side), direction)


@kernel
def put_corner(d, side, k, point):
    """Corner k of the outline of a face, given in the frame of the shape."""
    put_world_corner(d, side, k, to_world(d, side, point))


@kernel
def put_world_corner(d, side, k, point):
    """Corner k of the outline of a face, given in the world. The shapes take turns in `clip_face`."""
    store3(d.clip_face, 2 * k + side, point)


@kernel
def face_corner(d, side, k):
    """Corner k of the outline of a face."""
    return load3(d.clip_face, 2 * k + side)


@kernel
def place(d, side, n):
    """Find where a shape is touched, at a corner, an edge or a face: 1, 2, 3 to `clip_dim`, vertices to `clip_corner`.

    The n rows of the vertex pool at which the search ended are in `clip_row`.
    """
    count = 0
    for k in range(n):
        vertex = d.convex_vertexid[d.clip_row[k], side]
        known = False
        for i in range(count):
            known = known or d.clip_corner[side, i] == vertex
        if not known:
            d.clip_corner[side, count] = vertex
            count += 1
    d.clip_dim[side] = count


# --- the side of a capsule or a cylinder: one edge, along the axis through a point of the surface


@kernel
def search_end(d, side, k):
    """Where on a shape the search ended: the k-th vertex, inflated as the shape was, in the frame of the shape."""
    row = d.clip_row[k]
    return to_shape(d, side, load3(d.convex_first, row) if side == 0 else load3(d.convex_second, row))


@kernel
def set_side_line(d, side, x, y, half):
    """The edge of a round side through (x, y), from height `half` to `-half`."""
    store3(d.clip_start, side, to_world(d, side, (x, y, half)))
    store3(d.clip_end, side, to_world(d, side, (x, y, -half)))


@kernel
def side_line_end(m, d, side, i):
    """A row of `edge_end`: where the only edge of a round side ends."""
    return load3(d.clip_end, side)
