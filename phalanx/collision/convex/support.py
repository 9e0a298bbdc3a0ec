"""The two convex shapes at hand, and support points of their difference.

Two shapes at a time are laid out in the working memory of a collision (side 0 and side 1, `set_shape`), in double
precision whatever the precision of the physics: the searches built on support points compare nearly equal numbers, and
a mesh has single precision to begin with. One world at a time; nothing here runs in lanes.

A support point is the point of a shape that lies farthest along a direction; the table `support` (`convex/table.py`)
has a row for each type of shape, in the file of the shape (`collision/geom`).

A shape may be inflated: every support point is moved by `convex_inflate[side]` along the direction.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load9, store3, store9
from phalanx.algebra.number import lane_get, widen
from phalanx.algebra.vector import add, add_scaled, negate, sub
from phalanx.collision.convex.table import support

#: Columns of `convex_id`: type of the shape, its mesh, the vertex (of the mesh, or corner of the box) found last, and
#: the same vertex by its index in the hull, both -1 before the first search.
TYPE, MESH, VERTEX, HULL_VERTEX = 0, 1, 2, 3


# --- the two shapes at hand


@kernel
def widen3(v):
    """A vector in double precision."""
    return (widen(v[0]), widen(v[1]), widen(v[2]))


@kernel
def search_tolerance(m, d):
    """How accurate a search must be in the world at hand."""
    return widen(lane_get(m.opt.ccd_tolerance, d.near_world[0]))


@kernel
def set_shape(m, d, side, kind, geom, inflate):
    """Lay out a geom, a tuple (pos, mat, size, dataid), as the shape of one side."""
    pos, mat, size, dataid = geom
    store3(d.convex_pos, side, widen3(pos))
    row = widen3((mat[0], mat[1], mat[2])) + widen3((mat[3], mat[4], mat[5])) + widen3((mat[6], mat[7], mat[8]))
    store9(d.convex_mat, side, row)
    store3(d.convex_size, side, widen3(size))
    d.convex_inflate[side] = inflate
    d.convex_id[side, TYPE] = kind
    d.convex_id[side, MESH] = dataid
    d.convex_id[side, VERTEX] = -1
    d.convex_id[side, HULL_VERTEX] = -1


@kernel
def to_world(d, side, point):
    """World position of a point given in the frame of the shape."""
    return add(multiply_vector(load9(d.convex_mat, side), point), load3(d.convex_pos, side))


@kernel
def direction_in_shape(d, side, direction):
    """A world direction in the frame of the shape."""
    return multiply_transposed(load9(d.convex_mat, side), direction)


@kernel
def to_shape(d, side, point):
    """A world point in the frame of the shape."""
    return direction_in_shape(d, side, sub(point, load3(d.convex_pos, side)))


# --- the difference of the two shapes


@kernel
def difference_support(m, d, k, direction):
    """Vertex k of the pool: the point of the difference, first shape minus second, farthest along a unit vector."""
    back = negate(direction)
    first = support(d.convex_id[0, TYPE], m, d, 0, direction)
    first = add_scaled(first, direction, d.convex_inflate[0])
    second = support(d.convex_id[1, TYPE], m, d, 1, back)
    second = add_scaled(second, back, d.convex_inflate[1])
    store3(d.convex_first, k, first)
    store3(d.convex_second, k, second)
    store3(d.convex_vertex, k, sub(first, second))
    d.convex_vertexid[k, 0] = d.convex_id[0, VERTEX]
    d.convex_vertexid[k, 1] = d.convex_id[1, VERTEX]


@kernel
def copy_vertex(d, to, k):
    """Put a copy of vertex k of the pool in another place."""
    store3(d.convex_first, to, load3(d.convex_first, k))
    store3(d.convex_second, to, load3(d.convex_second, k))
    store3(d.convex_vertex, to, load3(d.convex_vertex, k))
    d.convex_vertexid[to, 0] = d.convex_vertexid[k, 0]
    d.convex_vertexid[to, 1] = d.convex_vertexid[k, 1]
