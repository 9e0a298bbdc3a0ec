"""Elements of flexes: segments, triangles and tetrahedra, and the point of each that is nearest to a given one.

A nearest point is told by its weights, one for each corner: barycentric coordinates that are not negative and add up to
one. Contacts act on the corners of an element with these weights, in all worlds of a lane at once.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import and_, clamp, or_, where
from phalanx.algebra.quaternion import where4
from phalanx.algebra.vector import add_scaled, cross, dot, scale, sub, where3
from phalanx.collision.flex.world_at_hand import vector_at_hand

#: Faces of a tetrahedron: three corners, and the one opposite to them.
FACES = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (1, 3, 2, 0))
#: Its edges, and the two corners opposite to them.
EDGES = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1))


# --- corners


@kernel
def corner_vertex(m, flex, element, k):
    """Vertex, counted over all flexes, that is corner k of an element."""
    place = m.flex_elemdataadr[flex] + element * (m.flex_dim[flex] + 1) + k
    return m.flex_vertadr[flex] + m.flex_elem[place]


@kernel
def corner(m, d, flex, element, k):
    """World position of corner k of an element."""
    return load3(d.flexvert_xpos, corner_vertex(m, flex, element, k))


@kernel
def corner_at_hand(m, d, flex, element, k):
    """The same in the world at hand."""
    return vector_at_hand(d, d.flexvert_xpos, corner_vertex(m, flex, element, k))


@kernel
def is_active(m, flex, element):
    """Does an element take part in contacts of a flex with itself? Of solids, only the outer layers do."""
    if m.flex_dim[flex] < 3:
        return True
    return m.flex_elemlayer[m.flex_elemadr[flex] + element] < m.flex_activelayers[flex]


@kernel
def is_corner_of_body(m, flex, element, body):
    """Does an element have a corner on a body?"""
    found = False
    for k in range(m.flex_dim[flex] + 1):
        found = found or m.flex_vertbodyid[corner_vertex(m, flex, element, k)] == body
    return found


@kernel
def share_body(m, flex1, element1, flex2, element2):
    """Do two elements have corners on the same body? Vertices between nodes have none."""
    found = False
    for k in range(m.flex_dim[flex1] + 1):
        body = m.flex_vertbodyid[corner_vertex(m, flex1, element1, k)]
        found = found or (body >= 0 and is_corner_of_body(m, flex2, element2, body))
    return found


# --- nearest points


@kernel
def nearest_on_segment(point, a, b):
    """Weights of the ends of a segment."""
    along = sub(b, a)
    square = dot(along, along)
    t = clamp(dot(sub(point, a), along) / where(square > 0.0, square, 1.0), 0.0, 1.0)
    return (1.0 - t, t)


@kernel
def quotient(a, b):
    """a / b, and a where b is zero."""
    return a / where(b != 0.0, b, 1.0)


@kernel
def nearest_on_triangle(point, a, b, c):
    """Weights of the corners of a triangle: by the region of the plane that the point is over (Ericson, 2005)."""
    ab, ac = sub(b, a), sub(c, a)
    ap, bp, cp = sub(point, a), sub(point, b), sub(point, c)
    d1, d2, d3, d4, d5, d6 = dot(ab, ap), dot(ac, ap), dot(ab, bp), dot(ac, bp), dot(ab, cp), dot(ac, cp)
    on_c, on_b, on_a = d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4
    whole = on_a + on_b + on_c
    part_b, part_c = quotient(on_b, whole), quotient(on_c, whole)
    weights = (1.0 - part_b - part_c, part_b, part_c)
    # edges, then corners: those that come first in the order of tests are put last
    along = quotient(d4 - d3, (d4 - d3) + (d5 - d6))
    is_edge = and_(on_a <= 0.0, and_(d4 - d3 >= 0.0, d5 - d6 >= 0.0))
    weights = where3(is_edge, (0.0 * along, 1.0 - along, along), weights)
    along = quotient(d2, d2 - d6)
    is_edge = and_(on_b <= 0.0, and_(d2 >= 0.0, d6 <= 0.0))
    weights = where3(is_edge, (1.0 - along, 0.0 * along, along), weights)
    along = quotient(d1, d1 - d3)
    is_edge = and_(on_c <= 0.0, and_(d1 >= 0.0, d3 <= 0.0))
    weights = where3(is_edge, (1.0 - along, along, 0.0 * along), weights)
    weights = where3(and_(d6 >= 0.0, d5 <= d6), (0.0, 0.0, 1.0), weights)
    weights = where3(and_(d3 >= 0.0, d4 <= d3), (0.0, 1.0, 0.0), weights)
    return where3(and_(d1 <= 0.0, d2 <= 0.0), (1.0, 0.0, 0.0), weights)


@kernel
def volume(a, b, c, e):
    """Six times the signed volume of a tetrahedron."""
    return dot(sub(e, a), cross(sub(b, a), sub(c, a)))


@kernel
def weights_inside(point, corners):
    """Barycentric coordinates of a point in a tetrahedron; not all are positive unless it is inside."""
    a, b, c, e = corners
    whole = volume(a, b, c, e)
    inverse = 1.0 / where(whole != 0.0, whole, 1.0)
    on_b, on_c, on_e = volume(a, point, c, e), volume(a, b, point, e), volume(a, b, c, point)
    inside = (volume(point, b, c, e) * inverse, on_b * inverse, on_c * inverse, on_e * inverse)
    return where4(whole != 0.0, inside, (-1.0, 0.0, 0.0, 0.0))


@kernel
def mixed(weights, corners):
    """The point of a triangle with these weights."""
    return add_scaled(add_scaled(scale(corners[0], weights[0]), corners[1], weights[1]), corners[2], weights[2])


@kernel
def nearest_on_tetrahedron(point, corners):
    """Weights of the corners of a tetrahedron: the point itself if it is inside, else on the nearest face."""
    inside = weights_inside(point, corners)
    is_inside = and_(and_(inside[0] >= 0.0, inside[1] >= 0.0), and_(inside[2] >= 0.0, inside[3] >= 0.0))
    best, nearest = inside, 0.0 * inside[0] - 1.0
    for i, j, k, _ in FACES:
        face = (corners[i], corners[j], corners[k])
        w = nearest_on_triangle(point, face[0], face[1], face[2])
        offset = sub(mixed(w, face), point)
        square = dot(offset, offset)
        is_nearer = or_(nearest < 0.0, square < nearest)
        nearest = where(is_nearer, square, nearest)
        on_face = (
            (w[0] if i == 0 else 0.0),
            (w[0] if i == 1 else (w[1] if j == 1 else (w[2] if k == 1 else 0.0))),
            (w[1] if j == 2 else (w[2] if k == 2 else 0.0)),
            (w[1] if j == 3 else (w[2] if k == 3 else 0.0)),
        )
        best = where4(is_nearer, on_face, best)
    return where4(is_inside, inside, best)


@kernel
def corner_weights(m, d, flex, element, point):
    """Weights of the corners of an element at its point nearest to a world point; four, of which the last may be 0."""
    dim = m.flex_dim[flex]
    a, b = corner(m, d, flex, element, 0), corner(m, d, flex, element, 1)
    if dim == 1:
        on_segment = nearest_on_segment(point, a, b)
        return (on_segment[0], on_segment[1], 0.0, 0.0)
    c = corner(m, d, flex, element, 2)
    if dim == 2:
        on_triangle = nearest_on_triangle(point, a, b, c)
        return (on_triangle[0], on_triangle[1], on_triangle[2], 0.0)
    return nearest_on_tetrahedron(point, (a, b, c, corner(m, d, flex, element, 3)))
