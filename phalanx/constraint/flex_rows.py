"""Rows of contacts with elements of flexes.

A contact acts on the corners of an element with the weights of the point of the element that is nearest to it. Where
nodes carry the vertices, it acts on the nodes around that point, with the values that their shape functions have there.
All bodies on both sides share one list of dofs; the Jacobian is the weighted sum of theirs at the contact point, with
the weights of the first side negative. Equations of MuJoCo.

In lanes the list has the dofs of all worlds in which the contact acts; weights of those that others have are zero.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import and_, any_, clamp, floor, lane_max, lane_min, not_, or_, where
from phalanx.algebra.vector import add_scaled, dot, scale, where3
from phalanx.collision.flex.flex_element import corner_vertex, corner_weights
from phalanx.constraint.contact_block import (
    NO_DOFS,
    ZERO3,
    contact_acts,
    contact_axes,
    contact_kind,
    contact_pushes,
    put_contact_values,
    put_directions,
    put_edges,
)
from phalanx.constraint.rod_contact import add_edge_chain, add_edge_motion, rotated_edge
from phalanx.constraint.rows import describe, reserve
from phalanx.smooth.flex.interpolation import nodes_along, order_of, shape
from phalanx.smooth.flex.point import add_body_chain, add_body_motion, clear_point
from phalanx.smooth.flex.shell import end_of, end_weight
from phalanx.tables.enums import ConstraintType

#: Ways from a node inside of a shell to its surface: the low end, the node itself or the high end of each axis.
WAYS = 27

# --- who carries a side of a contact


@kernel
def has_elements(m, d, contact):
    """Do several bodies carry a side of a contact? A vertex that one carries, and no edge rotates, is as a geom."""
    if m.nflex == 0:
        return False
    flex1, flex2 = d.contact_flex[contact, 0], d.contact_flex[contact, 1]
    if d.contact_elem[contact, 0] >= 0 or d.contact_elem[contact, 1] >= 0:
        return True
    if (flex1 >= 0 and m.flex_interp[flex1] != 0) or (flex2 >= 0 and m.flex_interp[flex2] != 0):
        return True
    return rotated_edge(m, d, contact, 0) >= 0 or rotated_edge(m, d, contact, 1) >= 0


@kernel
def is_interpolated(m, d, contact, side):
    """Do nodes carry this side of a contact?"""
    flex = d.contact_flex[contact, side]
    return flex >= 0 and m.flex_interp[flex] != 0


@kernel
def contact_point(d, contact):
    """Where a contact is; the origin in worlds that do not have it."""
    return where3(contact_pushes(d, contact), load3(d.contact_pos, contact), ZERO3)


@kernel
def scaled_place(m, d, contact, side):
    """Where a side of a contact is in the grid of cells of its flex, from 0 to 1 along each axis."""
    flex, element, vertex = d.contact_flex[contact, side], d.contact_elem[contact, side], d.contact_vert[contact, side]
    if vertex >= 0:
        return load3(m.flex_vert0, m.flex_vertadr[flex] + vertex)
    w = corner_weights(m, d, flex, element, contact_point(d, contact))
    place = scale(load3(m.flex_vert0, corner_vertex(m, flex, element, 0)), w[0])
    for k in range(1, m.flex_dim[flex] + 1):
        weight = w[1] if k == 1 else (w[2] if k == 2 else w[3])
        place = add_scaled(place, load3(m.flex_vert0, corner_vertex(m, flex, element, k)), weight)
    return place


@kernel
def cell_along(m, flex, axis, x):
    """The cell that holds a coordinate of the grid of cells."""
    return clamp(floor(x * m.flex_cellnum[flex, axis]), 0.0, m.flex_cellnum[flex, axis] - 1.0)


@kernel
def cells_along(m, d, contact, flex, axis, x):
    """(first, last): the cells along one axis that hold the place of a contact in worlds where it acts."""
    cell, acts = cell_along(m, flex, axis, x), contact_pushes(d, contact)
    last = m.flex_cellnum[flex, axis] - 1
    low, high = int(lane_min(where(acts, cell, float(last)))), int(lane_max(where(acts, cell, 0.0)))
    return min(max(low, 0), last), min(max(high, 0), last)


@kernel
def side_weights(m, d, contact, side):
    """Four numbers that `side_place` makes weights from: of corners, or the place in the grid of cells."""
    flex, element = d.contact_flex[contact, side], d.contact_elem[contact, side]
    zero = 0.0 * d.contact_dist[contact]
    if is_interpolated(m, d, contact, side):
        x, y, z = scaled_place(m, d, contact, side)
        return (x + zero, y + zero, z + zero, zero)
    if element >= 0:
        w = corner_weights(m, d, flex, element, contact_point(d, contact))
        return (w[0] + zero, w[1] + zero, w[2] + zero, w[3] + zero)
    return (1.0 + zero, zero, zero, zero)


@kernel
def node_range(m, d, contact, side, place, axis):
    """(first, count): nodes along one axis of the cells that hold the place of a contact."""
    flex = d.contact_flex[contact, side]
    first, last = cells_along(m, d, contact, flex, axis, place[axis])
    return first * order_of(m, flex), (last + 1 - first) * order_of(m, flex) + 1


@kernel
def side_span(m, d, contact, side, weights):
    """(bodies, first nodes along three axes, nodes along the last two): who carries a side of a contact."""
    flex = d.contact_flex[contact, side]
    if is_interpolated(m, d, contact, side):
        x, wide = node_range(m, d, contact, side, weights, 0)
        y, across = node_range(m, d, contact, side, weights, 1)
        z, deep = node_range(m, d, contact, side, weights, 2)
        return wide * across * deep * (WAYS if m.flex_interp[flex] < 0 else 1), x, y, z, across, deep
    return m.flex_dim[flex] + 1 if d.contact_elem[contact, side] >= 0 else 1, 0, 0, 0, 1, 1


@kernel
def weight_along(m, flex, axis, x, node):
    """Value of the shape function of a node along one axis: that of its cell, zero in other cells."""
    order, cell = order_of(m, flex), cell_along(m, flex, axis, x)
    inside = clamp(x * m.flex_cellnum[flex, axis] - cell, 0.0, 1.0)
    place = node - cell * order
    value = where(place == 0.0, shape(inside, 0, order), where(place == order, shape(inside, order, order), 0.0))
    return where(place == 1.0, shape(inside, 1, order), value) if order == 2 else value


@kernel
def node_carrier(m, flex, place, span, k):
    """Node k, counted in the flex, of the cells that hold the place of a contact, and its weight there."""
    _, x, y, z, across, deep = span
    x, y, z = x + k // (across * deep), y + k // deep % across, z + k % deep
    flat = weight_along(m, flex, 0, place[0], x) * weight_along(m, flex, 1, place[1], y)
    node = (x * nodes_along(m, flex, 1) + y) * nodes_along(m, flex, 2) + z
    return node, flat * weight_along(m, flex, 2, place[2], z)


@kernel
def is_inside_shell(m, flex, node):
    """Is a node of the grid of cells not on its surface?"""
    nx, ny, nz = nodes_along(m, flex, 0), nodes_along(m, flex, 1), nodes_along(m, flex, 2)
    x, y, z = node // (ny * nz), node // nz % ny, node % nz
    return x > 0 and x < nx - 1 and y > 0 and y < ny - 1 and z > 0 and z < nz - 1


@kernel
def shell_carrier(m, flex, node, weight, way):
    """Node and weight that a node of a shell leads to: itself on the surface; from inside 26 on the surface.

    These are the ends of the three axes through it: the faces, less the edges, plus the corners (see `fill_shell`).
    """
    ny, nz = nodes_along(m, flex, 1), nodes_along(m, flex, 2)
    place, counts = (node // (ny * nz), node // nz % ny, node % nz), (nodes_along(m, flex, 0), ny, nz)
    is_inside = is_inside_shell(m, flex, node)
    a, b, c = way // 9, way // 3 % 3, way % 3
    fixed = (1 if a != 1 else 0) + (1 if b != 1 else 0) + (1 if c != 1 else 0)
    if (not is_inside) or fixed == 0:
        return node, weight if is_inside != (fixed == 0) else 0.0 * weight
    share = end_weight(place[0], counts[0], a) * end_weight(place[1], counts[1], b)
    share = share * end_weight(place[2], counts[2], c)
    x, y, z = end_of(place[0], counts[0], a), end_of(place[1], counts[1], b), end_of(place[2], counts[2], c)
    return (x * ny + y) * nz + z, (-share if fixed == 2 else share) * weight


@kernel
def side_node(m, d, contact, side, place, span, k):
    """Node k, counted in the flex, of those that carry an interpolated side of a contact, and its weight."""
    flex = d.contact_flex[contact, side]
    if m.flex_interp[flex] < 0:
        node, weight = node_carrier(m, flex, place, span, k // WAYS)
        return shell_carrier(m, flex, node, weight, k % WAYS)
    return node_carrier(m, flex, place, span, k)


@kernel
def is_shell(m, d, contact, side):
    """Do nodes of a shell carry this side of a contact?"""
    flex = d.contact_flex[contact, side]
    return flex >= 0 and m.flex_interp[flex] < 0


@kernel
def place_count(m, d, contact, side, span):
    """How many places carry a side of a contact: bodies, or nodes of a shell."""
    return span[0] // WAYS if is_shell(m, d, contact, side) else span[0]


@kernel
def side_place(m, d, contact, side, weights, span, k):
    """Place k of those that carry a side of a contact, a body or a node of a shell, and its weight; the sum is 1."""
    geom, flex, element = d.contact_geom[contact, side], d.contact_flex[contact, side], d.contact_elem[contact, side]
    if geom >= 0:
        return m.geom_bodyid[geom], weights[0]
    if is_interpolated(m, d, contact, side):
        node, weight = node_carrier(m, flex, weights, span, k)
        return (node if m.flex_interp[flex] < 0 else m.flex_nodebodyid[m.flex_nodeadr[flex] + node]), weight
    if element >= 0:
        weight = weights[0] if k == 0 else (weights[1] if k == 1 else (weights[2] if k == 2 else weights[3]))
        return m.flex_vertbodyid[corner_vertex(m, flex, element, k)], weight
    return m.flex_vertbodyid[m.flex_vertadr[flex] + d.contact_vert[contact, side]], weights[0]


@kernel
def way_count(m, d, contact, side, place, weight):
    """How many ways lead from a place to bodies: one, but many from inside of a shell, and none without weight."""
    if not is_shell(m, d, contact, side):
        return 1
    if not any_(weight != 0.0):
        return 0
    return WAYS if is_inside_shell(m, d.contact_flex[contact, side], place) else 1


@kernel
def end_of_way(m, d, contact, side, place, weight, way):
    """The body that a way leads to, and its weight."""
    if not is_shell(m, d, contact, side):
        return place, weight
    flex = d.contact_flex[contact, side]
    node, share = place, weight
    if is_inside_shell(m, flex, place):
        node, share = shell_carrier(m, flex, place, weight, way)
    return m.flex_nodebodyid[m.flex_nodeadr[flex] + node], share


# --- rows


@kernel
def counts(m, d, contact, side, weight):
    """Worlds where a body of a side counts: corners of an element always, nodes only if they move the place."""
    return and_(contact_pushes(d, contact), or_(weight != 0.0, not is_interpolated(m, d, contact, side)))


@kernel
def list_dofs(m, d, contact, weights):
    """Worlds where dofs move the sides apart: not where all bodies of both sides are one. All their dofs are listed."""
    clear_point(d)
    weld = 0.0 * d.contact_dist[contact] - 1.0
    is_apart = weld > 0.0
    for side in (0, 1):
        span = side_span(m, d, contact, side, weights[side])
        for k in range(place_count(m, d, contact, side, span)):
            place, part = side_place(m, d, contact, side, weights[side], span, k)
            for way in range(way_count(m, d, contact, side, place, part)):
                body, weight = end_of_way(m, d, contact, side, place, part, way)
                here = counts(m, d, contact, side, weight)
                if any_(here):
                    add_body_chain(m, d, body)
                    is_apart = or_(is_apart, and_(here, and_(weld >= 0.0, weld != m.body_weldid[body])))
                    weld = where(here, float(m.body_weldid[body]), weld)
        add_edge_chain(m, d, contact, side)
    return is_apart


@kernel
def add_motions(m, d, contact, weights):
    """Motion of the contact point of the second side minus the first; returns the inverse inertia of both."""
    point, inertia = contact_point(d, contact), 0.0 * d.contact_dist[contact]
    for side in (0, 1):
        span, is_edge = side_span(m, d, contact, side, weights[side]), rotated_edge(m, d, contact, side) >= 0
        for k in range(place_count(m, d, contact, side, span)):
            place, part = side_place(m, d, contact, side, weights[side], span, k)
            for way in range(way_count(m, d, contact, side, place, part)):
                body, weight = end_of_way(m, d, contact, side, place, part, way)
                if any_(counts(m, d, contact, side, weight)):
                    inertia = inertia + m.body_invweight0[body, 0] * weight
                    if not is_edge:
                        add_body_motion(m, d, body, point, weight if side == 1 else -weight)
        if is_edge:
            add_edge_motion(m, d, contact, side, point, weights[side])
    return inertia


@kernel
def put_flex_jacobian(d, contact, kind, address, width):
    """Entries of the dofs that are listed, in the frame of the contact."""
    axes, touches, friction = contact_axes(d, contact)
    dim = d.contact_dim[contact]
    for k in range(width):
        motion, dof = load6(d.point_motion, k), d.point_dof[k]
        spin, linear = (motion[0], motion[1], motion[2]), (motion[3], motion[4], motion[5])
        if kind == ConstraintType.CONTACT_PYRAMIDAL:
            put_edges(d, (address + k, width, dof, dim), axes, touches, friction, linear, spin)
        else:
            put_directions(d, (address + k, width, dof, dim), axes, touches, linear, spin)


@part("mdi")
def add_flex_contact(m, d, contact):
    """Rows of a contact with an element, or with a vertex between nodes; excluded if no dof moves its sides apart."""
    weights = (side_weights(m, d, contact, 0), side_weights(m, d, contact, 1))
    is_apart = list_dofs(m, d, contact, weights)
    is_stuck = and_(contact_acts(d, contact), or_(not_(is_apart), d.point_num == 0))
    d.contact_exclude[contact] = where(is_stuck, NO_DOFS, d.contact_exclude[contact] + 0.0)
    if not any_(contact_acts(d, contact)):
        return
    kind, count = contact_kind(m, d, contact)
    row, address, width = d.nefc, d.nJ, d.point_num
    if not reserve(d, count, width):
        return
    d.contact_efc_address[contact] = row
    describe(d, row, address, count, width, kind, contact)
    inertia = add_motions(m, d, contact, weights)
    put_flex_jacobian(d, contact, kind, address, width)
    put_contact_values(m, d, contact, row, inertia)


@part("mdi")
def pull_flex(m, d, contact):
    """qfrc_adhesion of such a contact: a force along its normal that pulls its sides together."""
    weights = (side_weights(m, d, contact, 0), side_weights(m, d, contact, 1))
    is_apart, normal = list_dofs(m, d, contact, weights), load3(d.contact_frame, contact)
    add_motions(m, d, contact, weights)
    for k in range(d.point_num):
        motion, dof = load6(d.point_motion, k), d.point_dof[k]
        pull = dot(normal, (motion[3], motion[4], motion[5])) * d.contact_adhesion[contact]
        d.qfrc_adhesion[dof] = d.qfrc_adhesion[dof] - where(is_apart, pull, 0.0)
