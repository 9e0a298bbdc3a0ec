"""Elastic rods with a box section: their edges are boxes that rotate with their material frames.

The longer side of the section is along the first axis of the frame, the shorter one along the second, the edge along
the third. Boxes end where the edge does, and are not rounded. They meet spheres, capsules, boxes, and lines: boxes of
other rods, of the same one, and round segments. Of the four corners of the section at a vertex, in the frame of the
edge behind it, a plane meets the two that are lowest. What is searched for meets a round segment of the radius, as in
MuJoCo.

One world at a time, besides the frames.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import column
from phalanx.algebra.memory import load3
from phalanx.algebra.number import abs_, sqrt
from phalanx.algebra.vector import add, add_scaled, dot, negate, scale, sub
from phalanx.collision.flex.flex_element import corner_at_hand, corner_vertex
from phalanx.collision.flex.formula import segment_of
from phalanx.collision.flex.world_at_hand import at_hand, geom_at_hand, rotation_at_hand, vector_at_hand
from phalanx.collision.pair.box import box_box
from phalanx.collision.pair.capsule import capsule_box
from phalanx.collision.pair.sphere import sphere_box
from phalanx.collision.table import NO_CONTACT, put
from phalanx.smooth.flex.elastic_rod import (
    edges_of_rod,
    frames_of_rod,
    hinge_count,
    material_axes,
    record_of,
    vertex_at,
)
from phalanx.tables.enums import GeomType

#: Corners of a section, by their sides along both axes, in the order in which equally low ones are taken.
SECTION_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))


# --- edges of the chain


@kernel
def is_edge(m, flex, edge, one, two):
    """Is an edge of the chain between two vertices?"""
    start, end = vertex_at(m, flex, edge), vertex_at(m, flex, edge + 1)
    return (start == one and end == two) or (start == two and end == one)


@kernel
def edge_of_element(m, flex, element):
    """The edge, counted along the chain of a rod, that is an element."""
    edge, last = 0, hinge_count(m, flex)
    one, two = corner_vertex(m, flex, element, 0), corner_vertex(m, flex, element, 1)
    while edge < last and not is_edge(m, flex, edge, one, two):
        edge += 1
    return edge


@kernel
def edge_behind(m, flex, vertex):
    """The edge, counted along the chain of a rod, that begins at a vertex; at the end of the chain the last one."""
    edge, last = 0, hinge_count(m, flex)
    while edge < last and vertex_at(m, flex, edge) != vertex:
        edge += 1
    return edge


# --- boxes


@part("mdi")
def rod_frames(m, d, flex):
    """Tangents, normals and angles of the edges of a rod, in all worlds; forces compute them again, with velocities."""
    edges_of_rod(m, d, flex)
    frames_of_rod(m, d, flex)


@kernel
def half_sizes(m, flex):
    """The longer and the shorter half size of a section: the ratio of its second moments has that of its sides."""
    record = record_of(m, flex, 0)
    shorter = abs_(m.flex_bending[record + 9])
    return shorter * sqrt(1.0 + m.flex_bending[record + 5] / m.flex_bending[record + 4]), shorter


@kernel
def axes_of_edge(m, d, flex, edge):
    """The material frame of an edge, counted along its chain: two axes across it, and its direction."""
    here = m.flex_edgeadr[flex] + edge
    tangent, normal = vector_at_hand(d, d.rod_tangent, here), vector_at_hand(d, d.rod_normal, here)
    x, y = material_axes(tangent, normal, at_hand(d, d.rod_angle[here]))
    return x, y, tangent


@kernel
def box_of(m, d, flex, element):
    """An element as a box geom."""
    edge = edge_of_element(m, flex, element)
    x, y, z = axes_of_edge(m, d, flex, edge)
    center = scale(add(corner_at_hand(m, d, flex, element, 0), corner_at_hand(m, d, flex, element, 1)), 0.5)
    longer, shorter = half_sizes(m, flex)
    size = (longer, shorter, 0.5 * at_hand(d, d.rod_length[m.flex_edgeadr[flex] + edge]))
    # contacts come in another order where an element goes against the chain
    if vertex_at(m, flex, edge) != corner_vertex(m, flex, element, 0):
        y, z = negate(y), negate(z)
    return center, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]), size, -1


# --- contacts


@kernel
def two_boxes(m, d, first, second, margin):
    """Candidates of two boxes."""
    count = box_box(m, d, first, second, margin)
    for k in range(count):
        put(d, k, d.world_dist[k], load3(d.world_pos, k), load3(d.world_normal, k))
    return count


@part("mdiiip", "i")
def box_on_geom(m, d, geom, flex, element, margin):
    """How many candidates a sphere, a capsule or a box has with an element."""
    margin, shape, kind = at_hand(d, margin), geom_at_hand(m, d, geom), m.geom_type[geom]
    box = box_of(m, d, flex, element)
    if kind == GeomType.SPHERE:
        return sphere_box(m, d, shape, box, margin)
    if kind == GeomType.CAPSULE:
        return capsule_box(m, d, shape, box, margin)
    return two_boxes(m, d, shape, box, margin)


@part("mdiiiip", "i")
def box_on_box(m, d, flex1, element1, flex2, element2, margin):
    """How many candidates elements of two rods with a box section have."""
    margin = at_hand(d, margin)
    return two_boxes(m, d, box_of(m, d, flex1, element1), box_of(m, d, flex2, element2), margin)


@part("mdiiiip", "i")
def segment_on_box(m, d, flex1, element1, flex2, element2, margin):
    """How many candidates a round element has with that of a rod with a box section, which comes second."""
    margin = at_hand(d, margin)
    return capsule_box(m, d, segment_of(m, d, flex1, element1), box_of(m, d, flex2, element2), margin)


@part("mdiiip", "i")
def section_on_plane(m, d, geom, flex, vertex, margin):
    """How many candidates the section at a vertex has with a plane: its two lowest corners, the lowest first."""
    margin = at_hand(d, margin)
    origin, normal = vector_at_hand(d, d.geom_xpos, geom), column(rotation_at_hand(d, d.geom_xmat, geom), 2)
    place = m.flex_vertadr[flex] + vertex
    point = vector_at_hand(d, d.flexvert_xpos, place)
    x, y, _ = axes_of_edge(m, d, flex, edge_behind(m, flex, place))
    longer, shorter = half_sizes(m, flex)
    lowest, second = (NO_CONTACT, point), (NO_CONTACT, point)
    for side_x, side_y in SECTION_CORNERS:
        corner = add_scaled(add_scaled(point, x, side_x * longer), y, side_y * shorter)
        height = dot(sub(corner, origin), normal)
        if height < lowest[0]:
            lowest, second = (height, corner), lowest
        elif height < second[0]:
            second = (height, corner)
    if lowest[0] > margin:
        return 0
    put(d, 0, lowest[0], add_scaled(lowest[1], normal, -0.5 * lowest[0]), normal)
    if second[0] > margin:
        return 1
    put(d, 1, second[0], add_scaled(second[1], normal, -0.5 * second[0]), normal)
    return 2
