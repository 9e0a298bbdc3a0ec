"""Positions of flexes: vertices, boxes around elements, lengths of edges and how they change."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load6, load9, store3, store6
from phalanx.algebra.number import splat, sqrt, where
from phalanx.algebra.vector import add, add_scaled, dot, norm, normalize, sub
from phalanx.memory.flags import is_disabled
from phalanx.smooth.chain import difference_column, from_tree_center, step_back
from phalanx.smooth.flex.interpolation import cell_place, first_node, nodes_along, order_of, place_within, shape
from phalanx.smooth.flex.shell import fill_shell
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import DisableBit


@part()
def flex(m, d):
    """flexvert_xpos, flexelem_aabb, bvh_aabb_dyn, flexedge_length, flexedge_J"""
    for one in range(m.nflex):
        d.flex_hessian_valid[one] = False
        if m.flex_interp[one] == 0:
            vertices_of_bodies(m, d, one)
        else:
            nodes(m, d, one)
            if m.flex_interp[one] < 0:
                fill_shell(m, d, one)
            vertices_of_cells(m, d, one)
        element_boxes(m, d, one)
        if m.flex_bvhadr[one] >= 0 and not is_disabled(m, DisableBit.MIDPHASE):
            tree_boxes(m, d, one)
        # edges of other flexes have no forces
        if m.flex_rigid[one] == 0 and m.flex_interp[one] == 0:
            edges(m, d, one)


# --- vertices


@kernel
def carried(m, d, body, offset):
    """World position of a point of a body."""
    return add(multiply_vector(load9(d.xmat, body), offset), load3(d.xpos, body))


@kernel
def vertices_of_bodies(m, d, flex):
    """Vertices that each belong to one body."""
    for vertex in range(m.flex_vertadr[flex], m.flex_vertadr[flex] + m.flex_vertnum[flex]):
        body = m.flex_vertbodyid[vertex]
        if m.flex_centered[flex] != 0:
            store3(d.flexvert_xpos, vertex, load3(d.xpos, body))
        else:
            store3(d.flexvert_xpos, vertex, carried(m, d, body, load3(m.flex_vert, vertex)))


@kernel
def nodes(m, d, flex):
    """flexnode_xpos: nodes of the cells of a flex."""
    for node in range(m.flex_nodeadr[flex], m.flex_nodeadr[flex] + m.flex_nodenum[flex]):
        body = m.flex_nodebodyid[node]
        if m.flex_centered[flex] != 0:
            store3(d.flexnode_xpos, node, load3(d.xpos, body))
        else:
            store3(d.flexnode_xpos, node, carried(m, d, body, load3(m.flex_node, node)))


@kernel
def vertices_of_cells(m, d, flex):
    """Vertices between nodes: shape functions along the three axes, multiplied."""
    along = (nodes_along(m, flex, 1), nodes_along(m, flex, 2))
    for vertex in range(m.flex_vertadr[flex], m.flex_vertadr[flex] + m.flex_vertnum[flex]):
        cell = cell_place(m, flex, m.flex_vertcell[vertex])
        corner, place = m.flex_nodeadr[flex] + first_node(m, flex, cell), place_within(m, flex, vertex, cell)
        # with a known order loops are written out
        if order_of(m, flex) == 1:
            store3(d.flexvert_xpos, vertex, between_nodes(d, corner, along, place, 1))
        else:
            store3(d.flexvert_xpos, vertex, between_nodes(d, corner, along, place, 2))


@kernel
def between_nodes(d, corner, along, place, order):
    """The point between the nodes of a cell at a place in it."""
    zero, (x, y, z), (across, deep) = splat(d.time, 0.0), place, along
    position = (zero, zero, zero)
    for i in range(order + 1):
        for j in range(order + 1):
            flat = shape(x, i, order) * shape(y, j, order)
            node = corner + (i * across + j) * deep
            for k in range(order + 1):
                weight = flat * shape(z, k, order)
                position = add_scaled(position, load3(d.flexnode_xpos, node + k), weight)
    return position


# --- boxes


@kernel
def element_boxes(m, d, flex):
    """flexelem_aabb: around the vertices of each element, with the radius of the flex."""
    corners, radius = m.flex_dim[flex] + 1, reach(m, flex)
    for element in range(m.flex_elemnum[flex]):
        start = m.flex_elemdataadr[flex] + element * corners
        low = load3(d.flexvert_xpos, m.flex_vertadr[flex] + m.flex_elem[start])
        high = low
        for k in range(start + 1, start + corners):
            corner = load3(d.flexvert_xpos, m.flex_vertadr[flex] + m.flex_elem[k])
            low, high = lowest(low, corner), highest(high, corner)
        store_box(d.flexelem_aabb, m.flex_elemadr[flex] + element, low, high, radius)


@kernel
def reach(m, flex):
    """How far the surface of an element can be from its vertices: the radius, or half the diagonal of a box section.

    The record of a hinge has the smaller half size of the section; the ratio of its second moments of area has the
    larger one.
    """
    record = m.flex_bendingadr[flex] + 1
    if m.flex_dim[flex] == 1 and record > 0 and m.flex_bending[record + 3] < 0.0:
        minor = m.flex_bending[record + 9]
        if minor != 0.0:
            return sqrt(minor * minor * (2.0 + m.flex_bending[record + 5] / m.flex_bending[record + 4]))
    return m.flex_radius[flex]


@kernel
def lowest(a, b):
    """The lower corner of a box around two points."""
    return (lower(a[0], b[0]), lower(a[1], b[1]), lower(a[2], b[2]))


@kernel
def highest(a, b):
    """The upper corner of a box around two points."""
    return (higher(a[0], b[0]), higher(a[1], b[1]), higher(a[2], b[2]))


@kernel
def lower(a, b):
    """As `minimum`, but `b` where they are equal: one instruction, and boxes of elements are made of little else."""
    return where(a < b, a, b)


@kernel
def higher(a, b):
    """As `maximum`, in the same way."""
    return where(a > b, a, b)


@kernel
def store_box(field, row, low, high, radius):
    """Write a box, larger by a radius on each side, as center and half sizes."""
    x, y, z = 0.5 * (high[0] + low[0]), 0.5 * (high[1] + low[1]), 0.5 * (high[2] + low[2])
    half = (0.5 * (high[0] - low[0]) + radius, 0.5 * (high[1] - low[1]) + radius, 0.5 * (high[2] - low[2]) + radius)
    store6(field, row, (x, y, z, half[0], half[1], half[2]))


@kernel
def tree_boxes(m, d, flex):
    """bvh_aabb_dyn: boxes of a tree whose leaves are elements; children come after their parents."""
    first = m.flex_bvhadr[flex]
    row = first - m.nbvhstatic
    for k in range(m.flex_bvhnum[flex] - 1, -1, -1):
        element = m.bvh_nodeid[first + k]
        if element >= 0:
            store6(d.bvh_aabb_dyn, row + k, load6(d.flexelem_aabb, m.flex_elemadr[flex] + element))
        else:
            a = load6(d.bvh_aabb_dyn, row + m.bvh_child[first + k, 0])
            b = load6(d.bvh_aabb_dyn, row + m.bvh_child[first + k, 1])
            low = lowest((a[0] - a[3], a[1] - a[4], a[2] - a[5]), (b[0] - b[3], b[1] - b[4], b[2] - b[5]))
            high = highest((a[0] + a[3], a[1] + a[4], a[2] + a[5]), (b[0] + b[3], b[1] + b[4], b[2] + b[5]))
            store_box(d.bvh_aabb_dyn, row + k, low, high, 0.0)


# --- edges


@kernel
def edges(m, d, flex):
    """flexedge_length, and flexedge_J where the Model has entries for it."""
    first = m.flex_vertadr[flex]
    for edge in range(m.flex_edgeadr[flex], m.flex_edgeadr[flex] + m.flex_edgenum[flex]):
        vertex1, vertex2 = first + m.flex_edge[edge, 0], first + m.flex_edge[edge, 1]
        point1, point2 = load3(d.flexvert_xpos, vertex1), load3(d.flexvert_xpos, vertex2)
        offset = sub(point2, point1)
        d.flexedge_length[edge] = norm(offset)
        if m.flexedge_J_rownnz[edge] > 0:
            direction = normalize(offset)
            edge_jacobian(m, d, edge, m.flex_vertbodyid[vertex1], m.flex_vertbodyid[vertex2], point1, point2, direction)


@kernel
def edge_jacobian(m, d, edge, body1, body2, point1, point2, direction):
    """flexedge_J of one edge: how the dofs of both ends change its length."""
    offset1, offset2 = from_tree_center(m, d, body1, point1), from_tree_center(m, d, body2, point2)
    dof1, dof2 = last_dof(m, body1), last_dof(m, body2)
    address = m.flexedge_J_rowadr[edge] + m.flexedge_J_rownnz[edge]
    while dof1 >= 0 or dof2 >= 0:
        _, velocity = difference_column(d, dof2, dof1, offset2, offset1)
        # columns are these dofs, the last one first
        address -= 1
        d.flexedge_J[address] = dot(direction, velocity)
        dof1, dof2 = step_back(m, dof1, dof2)


@part()
def flex_velocity(m, d):
    """flexedge_velocity = flexedge_J qvel"""
    for edge in range(m.nflexedge):
        rate, start = 0.0, m.flexedge_J_rowadr[edge]
        for address in range(start, start + m.flexedge_J_rownnz[edge]):
            rate = rate + d.flexedge_J[address] * d.qvel[m.flexedge_J_colind[address]]
        d.flexedge_velocity[edge] = rate
