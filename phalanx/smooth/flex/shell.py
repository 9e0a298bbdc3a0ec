"""Shells of interpolated flexes: faces that resist stretching, edges between them that resist bending.

A face stretches as a cell does: with a constant stiffness, in a frame that rotates with it. Bending is the change of
the difference of two normals, in the middle of the edge between two faces.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load4, store3, store4
from phalanx.algebra.number import and_, maximum, where
from phalanx.algebra.quaternion import normalize4, rotate
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, norm, scale, sub
from phalanx.smooth.flex.cells import multiply_stiffness
from phalanx.smooth.flex.faces import face_gradient, face_rotation, face_tangents, face_total, node_of_face, side_of
from phalanx.smooth.flex.interpolation import nodes_along, order_of, shape, shape_slope
from phalanx.smooth.flex.plastic_place import plastic_stretching
from phalanx.smooth.flex.polar import quaternion_of

#: Numbers of an edge between two faces: their numbers, the middle of the edge in both, stiffness, the bend at rest.
RECORD = 10


@kernel
def fill_shell(m, d, flex):
    """flexnode_xpos of the nodes inside of a shell: transfinite interpolation between its faces (Gordon and Hall).

    A node is the sum of where the faces lead, less where the edges lead, plus where the corners lead.
    """
    nx, ny, nz = nodes_along(m, flex, 0), nodes_along(m, flex, 1), nodes_along(m, flex, 2)
    for i in range(1, nx - 1):
        for j in range(1, ny - 1):
            for k in range(1, nz - 1):
                fill_node(m, d, flex, (i, j, k), (nx, ny, nz))


@kernel
def fill_node(m, d, flex, place, counts):
    """One node inside of a shell."""
    first = m.flex_nodeadr[flex]
    found = (0.0, 0.0, 0.0)
    for choice in range(27):
        a, b, c = choice // 9, choice // 3 % 3, choice % 3
        fixed = (1 if a != 1 else 0) + (1 if b != 1 else 0) + (1 if c != 1 else 0)
        if fixed > 0:
            weight = end_weight(place[0], counts[0], a) * end_weight(place[1], counts[1], b)
            weight = weight * end_weight(place[2], counts[2], c)
            x, y, z = end_of(place[0], counts[0], a), end_of(place[1], counts[1], b), end_of(place[2], counts[2], c)
            point = load3(d.flexnode_xpos, first + (x * counts[1] + y) * counts[2] + z)
            found = add_scaled(found, point, -weight if fixed == 2 else weight)
    store3(d.flexnode_xpos, first + (place[0] * counts[1] + place[1]) * counts[2] + place[2], found)


@kernel
def end_weight(k, count, choice):
    """Share of the low end (choice 0) or the high end (2) of an axis at node k; 1 if the axis stays (1)."""
    share = k / (count - 1)
    return 1.0 if choice == 1 else 1.0 - share if choice == 0 else share


@kernel
def end_of(k, count, choice):
    """The node that a choice leads to."""
    return k if choice == 1 else 0 if choice == 0 else count - 1


# --- stretching


@kernel
def stretch_faces(m, d, flex):
    """Add forces of all faces to flexnode_spring and flexnode_damper."""
    along = order_of(m, flex) + 1
    size = 3 * along * along
    for face in range(face_total(m, flex)):
        stretch_face(m, d, flex, face, m.flex_stiffnessadr[flex] + face * size * size)


@kernel
def stretch_face(m, d, flex, face, matrix):
    """Forces of one face."""
    along, first = order_of(m, flex) + 1, m.flex_nodeadr[flex]
    count = along * along
    rotation = put_face_displacements(m, d, flex, face)
    multiply_stiffness(m, d, matrix, 3 * count)
    add_face_force(m, d, flex, face, rotation, d.flexnode_spring, 1.0)
    damping = m.flex_damping[flex]
    if damping != 0.0:
        for k in range(count):
            node = first + node_of_face(m, flex, face, k)
            store3(d.cell_vector, 3 * k, multiply_transposed(rotation, load3(d.flexnode_velocity, node)))
        multiply_stiffness(m, d, matrix, 3 * count)
        add_face_force(m, d, flex, face, rotation, d.flexnode_damper, damping)


@kernel
def put_face_displacements(m, d, flex, face):
    """cell_vector: how far the nodes of a face are from where they are at rest, in its frame; returns the rotation."""
    along, kept = order_of(m, flex) + 1, plastic_stretching(m, flex)
    rotation = face_rotation(m, d, flex, face)
    for k in range(along * along):
        node = m.flex_nodeadr[flex] + node_of_face(m, flex, face, k)
        place, rest = multiply_transposed(rotation, load3(d.flexnode_xpos, node)), load3(m.flex_node0, node)
        if kept >= 0:
            place = sub(place, stretched_in_face(m, d, flex, face, kept + 3 * face, rest))
        store3(d.cell_vector, 3 * k, sub(place, rest))
    return rotation


@kernel
def stretched_in_face(m, d, flex, face, place, point):
    """The displacement of a point by the strain of a face for good: along its axes, and twice the mixed one."""
    side, _ = side_of(m, flex, face)
    across = side // 2
    one = point[1] if across == 0 else point[2] if across == 1 else point[0]
    two = point[2] if across == 0 else point[0] if across == 1 else point[1]
    mixed = 0.5 * d.plastic[place + 2]
    along_one, along_two = d.plastic[place] * one + mixed * two, mixed * one + d.plastic[place + 1] * two
    none = 0.0 * along_one
    x = none if across == 0 else along_two if across == 1 else along_one
    y = along_one if across == 0 else none if across == 1 else along_two
    z = along_two if across == 0 else along_one if across == 1 else none
    return x, y, z


@kernel
def add_face_force(m, d, flex, face, rotation, forces, factor):
    """Add cell_product, times a factor, to forces on the nodes of a face."""
    along = order_of(m, flex) + 1
    for k in range(along * along):
        node = m.flex_nodeadr[flex] + node_of_face(m, flex, face, k)
        force = multiply_vector(rotation, load3(d.cell_product, 3 * k))
        store3(forces, node, add_scaled(load3(forces, node), force, factor))


# --- bending


@kernel
def bend_faces(m, d, flex):
    """Add forces of all edges between faces to flexnode_spring; MuJoCo does not damp them."""
    start = m.flex_bendingadr[flex]
    rotate_faces(m, d, flex)
    for edge in range(int(m.flex_bending[start])):
        bend_edge(m, d, flex, start + 1 + edge * RECORD)


@kernel
def rotate_faces(m, d, flex):
    """shell_quat: the rotations of all faces, each of which has several edges."""
    for face in range(face_total(m, flex)):
        store4(d.shell_quat, m.flex_nodeadr[flex] + face, quaternion_of(face_gradient(m, d.flexnode_xpos, flex, face)))


@kernel
def normal_of_face(m, d, flex, face, s, t):
    """(tangents, normal, its length before it was made one) of a face at (s, t)."""
    one, two = face_tangents(m, d.flexnode_xpos, flex, face, s, t)
    normal = cross(one, two)
    length = norm(normal)
    return (one, two), scale(normal, 1.0 / where(length >= MINVAL, length, 1.0)), length


@kernel
def fold_of_edge(m, d, flex, record):
    """(n1 - n2 - R (n1 - n2)0, stiffness) of an edge, with the mean rotation R of its faces, see `rotate_faces`."""
    face1, face2 = int(m.flex_bending[record]), int(m.flex_bending[record + 1])
    _, normal1, length1 = normal_of_face(m, d, flex, face1, m.flex_bending[record + 2], m.flex_bending[record + 3])
    _, normal2, length2 = normal_of_face(m, d, flex, face2, m.flex_bending[record + 4], m.flex_bending[record + 5])
    rest = rotate(load3(m.flex_bending, record + 7), mean_rotation(m, d, flex, face1, face2))
    is_sound = and_(length1 >= MINVAL, length2 >= MINVAL)
    return sub(sub(normal1, normal2), rest), where(is_sound, m.flex_bending[record + 6], 0.0)


@kernel
def bend_edge(m, d, flex, record):
    """Forces of one edge: -k grad |n1 - n2 - R (n1 - n2)0|² / 2; R does not change."""
    face1, face2 = int(m.flex_bending[record]), int(m.flex_bending[record + 1])
    s1, t1 = m.flex_bending[record + 2], m.flex_bending[record + 3]
    s2, t2 = m.flex_bending[record + 4], m.flex_bending[record + 5]
    tangents1, normal1, length1 = normal_of_face(m, d, flex, face1, s1, t1)
    tangents2, normal2, length2 = normal_of_face(m, d, flex, face2, s2, t2)
    bent, stiffness = fold_of_edge(m, d, flex, record)
    factor1, factor2 = stiffness / maximum(length1, MINVAL), stiffness / maximum(length2, MINVAL)
    pull_face(m, d, flex, (face1, s1, t1), tangents1, across_normal(bent, normal1, factor1))
    pull_face(m, d, flex, (face2, s2, t2), tangents2, across_normal(bent, normal2, -factor2))


@kernel
def across_normal(bent, normal, factor):
    """The part of a vector across a normal, times a factor."""
    return scale(add_scaled(bent, normal, -dot(normal, bent)), factor)


@kernel
def pull_face(m, d, flex, place, tangents, pull):
    """Forces on the nodes of a face (face, s, t) by how its normal there depends on them."""
    face, s, t = place
    order, first = order_of(m, flex), m.flex_nodeadr[flex]
    along_one, along_two = cross(pull, tangents[1]), cross(pull, tangents[0])
    for k in range((order + 1) * (order + 1)):
        i, j = k // (order + 1), k % (order + 1)
        node = first + node_of_face(m, flex, face, k)
        force = add_scaled(load3(d.flexnode_spring, node), along_one, shape_slope(s, i, order) * shape(t, j, order))
        force = add_scaled(force, along_two, -shape(s, i, order) * shape_slope(t, j, order))
        store3(d.flexnode_spring, node, force)


@kernel
def mean_rotation(m, d, flex, face1, face2):
    """The quaternion half way between the rotations of two faces."""
    first = m.flex_nodeadr[flex]
    one, two = load4(d.shell_quat, first + face1), load4(d.shell_quat, first + face2)
    # a quaternion and its opposite are the same rotation
    product = one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3]
    sign = where(product < 0.0, -1.0, 1.0)
    return normalize4((one[0] + sign * two[0], one[1] + sign * two[1], one[2] + sign * two[2], one[3] + sign * two[3]))
