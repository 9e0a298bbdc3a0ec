"""Faces of the shells of interpolated flexes: their nodes, and how they are rotated.

Faces are on the outside of the grid of cells, numbered side by side: low x, high x, low y, high y, low z, high z; on a
side along the two axes that follow the one across it, the second fastest.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.vector import add_scaled, cross, norm, scale
from phalanx.smooth.flex.interpolation import node_of_cell, nodes_along, order_of, shape, shape_slope
from phalanx.smooth.flex.polar import rotation_of

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def faces_on(m, flex, side):
    """How many faces a side of the grid has."""
    across = side // 2
    return m.flex_cellnum[flex, (across + 1) % 3] * m.flex_cellnum[flex, (across + 2) % 3]


@kernel
def face_total(m, flex):
    """How many faces a flex has."""
    return 2 * (faces_on(m, flex, 0) + faces_on(m, flex, 2) + faces_on(m, flex, 4))


@kernel
def side_of(m, flex, face):
    """The side of the grid that a face is on, and its number there."""
    side, rest = 0, face
    while side < 5 and rest >= faces_on(m, flex, side):
        rest -= faces_on(m, flex, side)
        side += 1
    return side, rest


@kernel
def node_of_face(m, flex, face, k):
    """Node k of a face, counted in the flex."""
    order = order_of(m, flex)
    side, number = side_of(m, flex, face)
    across, one, two = side // 2, (side // 2 + 1) % 3, (side // 2 + 2) % 3
    along = m.flex_cellnum[flex, two]
    level = m.flex_cellnum[flex, across] * order if side % 2 == 1 else 0
    first, second = number // along * order + k // (order + 1), number % along * order + k % (order + 1)
    place = (
        level if across == 0 else first if one == 0 else second,
        level if across == 1 else first if one == 1 else second,
        level if across == 2 else first if one == 2 else second,
    )
    return (place[0] * nodes_along(m, flex, 1) + place[1]) * nodes_along(m, flex, 2) + place[2]


@kernel
def face_tangents(m, points, flex, face, s, t):
    """Derivatives of positions in a face by its two coordinates, which go from 0 to 1, at (s, t)."""
    order = order_of(m, flex)
    one, two = ZERO3, ZERO3
    for k in range((order + 1) * (order + 1)):
        i, j = k // (order + 1), k % (order + 1)
        point = load3(points, m.flex_nodeadr[flex] + node_of_face(m, flex, face, k))
        one = add_scaled(one, point, shape_slope(s, i, order) * shape(t, j, order))
        two = add_scaled(two, point, shape(s, i, order) * shape_slope(t, j, order))
    return one, two


@kernel
def face_gradient(m, points, flex, face):
    """The deformation gradient of a face: two tangents in the middle, by their lengths at rest, and their product."""
    side, _ = side_of(m, flex, face)
    one0, two0 = face_tangents(m, m.flex_node0, flex, face, 0.5, 0.5)
    one, two = face_tangents(m, points, flex, face, 0.5, 0.5)
    one, two = scale(one, 1.0 / norm(one0)), scale(two, 1.0 / norm(two0))
    normal = cross(one, two)
    across = side // 2
    # columns of the axes that they belong to
    x = normal if across == 0 else one if across == 2 else two
    y = normal if across == 1 else one if across == 0 else two
    z = normal if across == 2 else one if across == 1 else two
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def face_rotation(m, d, flex, face):
    """The rotation of a face."""
    return rotation_of(face_gradient(m, d.flexnode_xpos, flex, face))


# --- cells and faces alike


@kernel
def part_count(m, flex):
    """How many cells a flex has, or faces, if it is a shell."""
    if m.flex_interp[flex] < 0:
        return face_total(m, flex)
    return m.flex_cellnum[flex, 0] * m.flex_cellnum[flex, 1] * m.flex_cellnum[flex, 2]


@kernel
def corner_count(m, flex):
    """How many nodes each of them has."""
    along = order_of(m, flex) + 1
    return along * along if m.flex_interp[flex] < 0 else along * along * along


@kernel
def part_node(m, flex, cell, k):
    """Node k of one of them, counted in the flex."""
    return node_of_face(m, flex, cell, k) if m.flex_interp[flex] < 0 else node_of_cell(m, flex, cell, k)
