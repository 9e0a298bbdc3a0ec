"""How contacts rotate the edges of elastic rods.

A rod with twist joints is as thick as its section: a contact is fixed to the material frame of an edge. This rotates
with the edge, and about it with its joint, so that the contact point moves by more than the weighted sum of vertices:

    omega = t x (v2 - v1) / l + t (w + s . (v2 - v1)),   v = omega x r

with the velocities v1 and v2 of the ends of the edge, its direction t and length l, the velocity w of its joint, the
rotation s of its reference frame (`spin_of`), and r from the nearest point of the edge to the contact. A vertex that
meets a plane belongs to the edge behind it, and r goes to the surface of the rod. An edge that a body clamps rotates
with that body. Equations of MuJoCo.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6, store6
from phalanx.algebra.number import where
from phalanx.algebra.spatial import add_scaled6
from phalanx.algebra.vector import add_scaled, cross, dot, norm, scale, sub
from phalanx.collision.flex.flex_element import corner, corner_vertex
from phalanx.collision.flex.rod_box import edge_behind, edge_of_element
from phalanx.collision.table import NO_CONTACT
from phalanx.smooth.chain import from_tree_center, point_velocity
from phalanx.smooth.flex.elastic_rod import has_frames, hinge_count, twist_joint, vertex_at
from phalanx.smooth.flex.point import add_body_chain
from phalanx.smooth.jacobian import last_dof


@kernel
def rotated_edge(m, d, contact, side):
    """The edge of a rod, counted along its chain, that a side of a contact rotates; -1 if there is none."""
    flex = d.contact_flex[contact, side]
    if flex < 0 or m.flex_dim[flex] != 1 or m.flex_interp[flex] != 0 or m.flex_rigid[flex] != 0:
        return -1
    if hinge_count(m, flex) == 0 or not has_frames(m, flex):
        return -1
    element = d.contact_elem[contact, side]
    if element >= 0:
        edge = edge_of_element(m, flex, element)
    else:
        edge = edge_behind(m, flex, m.flex_vertadr[flex] + d.contact_vert[contact, side])
    return edge if twist_joint(m, flex, edge) >= 0 else -1


@kernel
def add_edge_chain(m, d, contact, side):
    """List the dofs that rotate the edge that a side of a contact rotates."""
    edge = rotated_edge(m, d, contact, side)
    if edge >= 0:
        flex = d.contact_flex[contact, side]
        add_body_chain(m, d, m.flex_vertbodyid[vertex_at(m, flex, edge)])
        add_body_chain(m, d, m.flex_vertbodyid[vertex_at(m, flex, edge + 1)])
        add_body_chain(m, d, m.jnt_bodyid[twist_joint(m, flex, edge)])


@kernel
def arm_of(m, d, contact, side, point, weights):
    """From the nearest point of the edge to the contact; from a vertex to the surface of the rod."""
    flex, element = d.contact_flex[contact, side], d.contact_elem[contact, side]
    if element < 0:
        # worlds of a lane that do not have the contact have no distance either
        dist = where(d.contact_dist[contact] != NO_CONTACT, d.contact_dist[contact], 0.0)
        surface = add_scaled(point, load3(d.contact_frame, contact), 0.5 * dist if side == 1 else -0.5 * dist)
        return sub(surface, load3(d.flexvert_xpos, m.flex_vertadr[flex] + d.contact_vert[contact, side]))
    nearest = scale(corner(m, d, flex, element, 0), weights[0])
    return sub(point, add_scaled(nearest, corner(m, d, flex, element, 1), weights[1]))


@kernel
def spin_of(m, d, flex, edge, tangent, length):
    """How a reference frame rotates about its edge by the velocity between its ends; not at all before the first step.

    The frame comes from an older tangent by the shortest rotation.
    """
    old = load3(d.plastic, m.flex_plasticadr[flex] + 6 * edge)
    weight = where(dot(old, old) > 0.0, 1.0, 0.0) / ((1.0 + dot(old, tangent)) * length)
    return scale(cross(tangent, old), weight)


@kernel
def add_edge_motion(m, d, contact, side, point, weights):
    """Add the motion of a contact point with the frame of the edge that its side rotates; the first side negative."""
    edge = rotated_edge(m, d, contact, side)
    flex, sign = d.contact_flex[contact, side], 1.0 if side == 1 else -1.0
    # the nearest point of the edge
    if d.contact_elem[contact, side] >= 0:
        for k in (0, 1):
            add_shift(m, d, corner_vertex(m, flex, d.contact_elem[contact, side], k), sign * weights[k])
    else:
        add_shift(m, d, m.flex_vertadr[flex] + d.contact_vert[contact, side], sign * weights[0])
    # the way from there to the contact rotates
    first, second = vertex_at(m, flex, edge), vertex_at(m, flex, edge + 1)
    step = sub(load3(d.flexvert_xpos, second), load3(d.flexvert_xpos, first))
    length = norm(step)
    tangent, arm = scale(step, 1.0 / length), arm_of(m, d, contact, side, point, weights)
    twist = scale(spin_of(m, d, flex, edge, tangent, length), length)
    add_end_velocity(m, d, second, tangent, twist, arm, sign / length)
    add_end_velocity(m, d, first, tangent, twist, arm, -sign / length)
    add_rotation(d, m.jnt_dofadr[twist_joint(m, flex, edge)], d.point_num - 1, tangent, arm, sign)


@kernel
def add_shift(m, d, vertex, weight):
    """Add the velocity of a vertex, times a weight."""
    body = m.flex_vertbodyid[vertex]
    offset = from_tree_center(m, d, body, load3(d.flexvert_xpos, vertex))
    dof, place = last_dof(m, body), d.point_num - 1
    while dof >= 0:
        while d.point_dof[place] != dof:
            place -= 1
        x, y, z = point_velocity(load6(d.cdof, dof), offset)
        motion = (0.0 * x, 0.0 * y, 0.0 * z, x, y, z)
        store6(d.point_motion, place, add_scaled6(load6(d.point_motion, place), motion, weight))
        dof = m.dof_parentid[dof]


@kernel
def add_end_velocity(m, d, vertex, tangent, twist, arm, factor):
    """Add the rotation of an edge by the velocity of the vertex at one of its ends."""
    body = m.flex_vertbodyid[vertex]
    offset = from_tree_center(m, d, body, load3(d.flexvert_xpos, vertex))
    dof, place = last_dof(m, body), d.point_num - 1
    while dof >= 0:
        velocity = point_velocity(load6(d.cdof, dof), offset)
        spin = add_scaled(cross(tangent, velocity), tangent, dot(twist, velocity))
        place = add_rotation(d, dof, place, spin, arm, factor)
        dof = m.dof_parentid[dof]


@kernel
def add_rotation(d, dof, place, spin, arm, factor):
    """Add a rotation, times a factor, to the motion of a dof; returns its place, which is at most the given one."""
    while d.point_dof[place] != dof:
        place -= 1
    linear = cross(spin, arm)
    motion = (spin[0], spin[1], spin[2], linear[0], linear[1], linear[2])
    store6(d.point_motion, place, add_scaled6(load6(d.point_motion, place), motion, factor))
    return place
