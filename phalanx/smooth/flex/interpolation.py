"""What carries a vertex of a flex: one body, or the nodes of the cell around it, with their weights.

A vertex of an interpolated flex moves as its cell does: it is the sum of the nodes of the cell, each with the value of
its shape function at the vertex, a product of three polynomials of one coordinate (Lagrange, of order 1 or 2). Nodes
are counted with z fastest. Weights are numbers of the Model, the same in all worlds.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import clamp

#: How far beyond its cell a vertex is, at most, in sides of the cell.
BEYOND = 0.02


@kernel
def order_of(m, flex):
    """Order of the shape functions of a flex: 1 or 2, 0 if bodies carry its vertices. Shells have it with a minus."""
    return max(m.flex_interp[flex], -m.flex_interp[flex])


@kernel
def shape(x, k, order):
    """Shape function k at x in [0, 1]: 1 at its own node, 0 at the others, which are at equal distances."""
    if order == 1:
        return x if k == 1 else 1.0 - x
    if k == 0:
        return 2.0 * x * x - 3.0 * x + 1.0
    if k == 1:
        return 4.0 * (x - x * x)
    return 2.0 * x * x - x


@kernel
def shape_slope(x, k, order):
    """Derivative of shape function k by x."""
    if order == 1:
        return 1.0 if k == 1 else -1.0
    if k == 0:
        return 4.0 * x - 3.0
    if k == 1:
        return 4.0 - 8.0 * x
    return 4.0 * x - 1.0


@kernel
def nodes_along(m, flex, axis):
    """How many nodes the grid of a flex has along an axis."""
    return m.flex_cellnum[flex, axis] * order_of(m, flex) + 1


@kernel
def cell_place(m, flex, cell):
    """The place of a cell in the grid of cells, along x, y and z."""
    across, deep = m.flex_cellnum[flex, 1], m.flex_cellnum[flex, 2]
    return cell // (across * deep), cell // deep % across, cell % deep


@kernel
def node_of_cell(m, flex, cell, k):
    """Node k of a cell, counted in the flex."""
    order = order_of(m, flex)
    along = order + 1
    x, y, z = cell_place(m, flex, cell)
    column = (x * order + k // (along * along)) * nodes_along(m, flex, 1) + y * order + k // along % along
    return column * nodes_along(m, flex, 2) + z * order + k % along


@kernel
def first_node(m, flex, cell):
    """The first node of a cell with a place, counted in the flex."""
    order, (x, y, z) = order_of(m, flex), cell
    return (x * order * nodes_along(m, flex, 1) + y * order) * nodes_along(m, flex, 2) + z * order


@kernel
def place_in_cell(m, flex, vertex):
    """Coordinates of a vertex in its cell, from 0 to 1, or barely beyond: it may be that of a cell without nodes."""
    return place_within(m, flex, vertex, cell_place(m, flex, m.flex_vertcell[vertex]))


@kernel
def place_within(m, flex, vertex, cell):
    """The same, with the place of the cell given."""
    x, y, z = cell
    return (
        clamp(m.flex_vert0[vertex, 0] * m.flex_cellnum[flex, 0] - x, -BEYOND, 1.0 + BEYOND),
        clamp(m.flex_vert0[vertex, 1] * m.flex_cellnum[flex, 1] - y, -BEYOND, 1.0 + BEYOND),
        clamp(m.flex_vert0[vertex, 2] * m.flex_cellnum[flex, 2] - z, -BEYOND, 1.0 + BEYOND),
    )


@kernel
def carrier_count(m, flex):
    """How many bodies carry a vertex of a flex: one, or one for each node of a cell."""
    along = order_of(m, flex) + 1
    return along * along * along


@kernel
def carrier(m, flex, vertex, k):
    """Body k of those that carry a vertex (counted over all flexes), and its weight; weights add up to 1."""
    order = order_of(m, flex)
    if order == 0:
        return m.flex_vertbodyid[vertex], 1.0
    node = m.flex_nodeadr[flex] + node_of_cell(m, flex, m.flex_vertcell[vertex], k)
    return m.flex_nodebodyid[node], node_weight(m, flex, vertex, k)


@kernel
def node_weight(m, flex, vertex, k):
    """Value of shape function k of its cell at a vertex."""
    order = order_of(m, flex)
    along = order + 1
    x, y, z = place_in_cell(m, flex, vertex)
    flat = shape(x, k // (along * along), order) * shape(y, k // along % along, order)
    return flat * shape(z, k % along, order)
