"""Penetration of two convex shapes: the expanding polytope algorithm of van den Bergen.

The depth of an overlap is the distance from the origin to the boundary of the difference of the shapes. A polytope of
support points grows where its boundary is nearest to the origin, until the support point in that direction lies on the
face: the face is then part of the boundary of the difference. The polytope begins as the simplex that `gjk` leaves,
completed to a solid.

Distances of faces are signed, negative where the origin is beyond the face. So the first polytope need not contain the
origin, which rounding and symmetry often leave on one of its faces: the search then first grows towards the origin, and
if it cannot reach it the shapes are apart.

Memory is bounded: at most EPA_ITERATIONS vertices are added, whatever the option asks for, and a polytope that fills
EPA_FACES faces is taken as it is. One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import abs_, maximum, minimum
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, negate, norm, scale, sub
from phalanx.collision.convex.gjk import FAR, projected_areas, triangle_weights
from phalanx.collision.convex.support import copy_vertex, difference_support
from phalanx.tables.scratch_fields import EPA_FACES, EPA_ITERATIONS

#: Rows of the vertex pool before this one belong to the simplex and its search.
FIRST = 8
#: Cells of `epa_count`: vertices in the pool, faces made, faces that may be nearest.
VERTICES, FACES, OPEN = 0, 1, 2
#: State of a face that is not in the list of open ones: too far to matter, or removed.
ASIDE, REMOVED = -1, -2
#: A point sees a face if it is farther above it than this part of the size of the polytope.
ABOVE = 1e-14
#: A solid is thicker than this part of its size.
FLAT = 1e-12
#: A witness point may lie outside its triangle, beside another of the same face, but not so many times its size.
OUTSIDE = 10.0


# --- the polytope


@kernel
def add_vertex(d, k):
    """Copy row k of the pool to the polytope; returns the new row."""
    row = d.epa_count[VERTICES]
    copy_vertex(d, row, k)
    d.epa_count[VERTICES] = row + 1
    return row


@kernel
def add_support(m, d, direction):
    """Add the support point along a direction; returns its row."""
    row, length = d.epa_count[VERTICES], norm(direction)
    difference_support(m, d, row, scale(direction, 1.0 / length) if length > 0.0 else (1.0, 0.0, 0.0))
    d.epa_count[VERTICES] = row + 1
    return row


@kernel
def triangle_normal(a, b, c):
    """Unit normal of a triangle, from the two edges that meet at the widest angle; zero if it has no area."""
    ab, bc, ca = sub(b, a), sub(c, b), sub(a, c)
    at_a, at_b, at_c = abs_(dot(ca, ab)), abs_(dot(ab, bc)), abs_(dot(bc, ca))
    normal = cross(ab, bc)
    if at_a <= at_b and at_a <= at_c:
        normal = cross(ca, ab)
    elif at_c <= at_b:
        normal = cross(bc, ca)
    length = norm(normal)
    if not length > 0.0:
        return (0.0, 0.0, 0.0)
    return scale(normal, 1.0 / length)


@kernel
def add_face(d, vertices, neighbors):
    """Signed distance of the origin below a new face, FAR if it has no area; `neighbors` are across its edges."""
    a, b, c = vertices
    face = d.epa_count[FACES]
    d.epa_count[FACES] = face + 1
    d.epa_vertices[face, 0], d.epa_vertices[face, 1], d.epa_vertices[face, 2] = a, b, c
    d.epa_neighbors[face, 0], d.epa_neighbors[face, 1], d.epa_neighbors[face, 2] = neighbors
    d.epa_place[face] = ASIDE
    corner = load3(d.convex_vertex, a)
    normal = triangle_normal(corner, load3(d.convex_vertex, b), load3(d.convex_vertex, c))
    up = dot(normal, sub(corner, load3(d.epa_center, 0)))
    if up < 0.0:
        normal = negate(normal)
    offset = dot(normal, corner) if up != 0.0 else FAR
    store3(d.epa_normal, face, normal)
    d.epa_offset[face] = offset
    return offset


@kernel
def open_face(d, face):
    """Put a face on the list of those that may be the nearest."""
    place = d.epa_count[OPEN]
    d.epa_open[place] = face
    d.epa_place[face] = place
    d.epa_count[OPEN] = place + 1


@kernel
def remove_face(d, face):
    """Take a face out of the polytope; the last open face takes its place in the list."""
    place = d.epa_place[face]
    if place >= 0:
        last = d.epa_count[OPEN] - 1
        moved = d.epa_open[last]
        d.epa_open[place] = moved
        d.epa_place[moved] = place
        d.epa_count[OPEN] = last
    d.epa_place[face] = REMOVED


# --- the first polytope


@kernel
def across(v):
    """A vector at right angles to v: its product with the axis it is farthest from."""
    x, y, z = abs_(v[0]), abs_(v[1]), abs_(v[2])
    if x <= y and x <= z:
        return (0.0, -v[2], v[1])
    if y <= z:
        return (v[2], 0.0, -v[0])
    return (-v[1], v[0], 0.0)


@kernel
def rotated(axis, v):
    """A vector at right angles to an axis of any length, rotated about it by 120 degrees."""
    return add_scaled(scale(v, -0.5), cross(axis, v), 0.8660254037844386 / norm(axis))


@kernel
def is_pierced(a, b, p, q, r):
    """Does the line ab cross the triangle pqr?"""
    ab, ap, aq, ar = sub(b, a), sub(p, a), sub(q, a), sub(r, a)
    u, v, w = dot(ap, cross(aq, ab)), dot(aq, cross(ar, ab)), dot(ar, cross(ap, ab))
    return (u > 0.0 and v > 0.0 and w > 0.0) or (u < 0.0 and v < 0.0 and w < 0.0)


@kernel
def thickness(a, b, c, e):
    """Height of e above the plane abc, relative to the largest coordinate; zero if abc is on a line."""
    reach = maximum(maximum(norm(a), norm(b)), maximum(norm(c), norm(e)))
    return abs_(dot(triangle_normal(a, b, c), sub(e, a))) / reach if reach > 0.0 else 0.0


@kernel
def begin(d, count):
    """Center and size of the first vertices of an empty polytope."""
    center, reach = (0.0, 0.0, 0.0), 0.0
    for k in range(count):
        point = load3(d.convex_vertex, FIRST + k)
        center = add(center, point)
        reach = maximum(reach, norm(point))
    store3(d.epa_center, 0, scale(center, 1.0 / count))
    d.epa_scale[0] = reach
    d.epa_count[FACES], d.epa_count[OPEN] = 0, 0


@kernel
def open_all(d):
    """All faces of the first polytope may be the nearest."""
    for face in range(d.epa_count[FACES]):
        open_face(d, face)


@kernel
def make_tetrahedron(d, a, b, c, e):
    """The first polytope from four vertices of the pool around the origin."""
    begin(d, 4)
    add_face(d, (a, b, c), (1, 3, 2))
    add_face(d, (a, e, b), (2, 3, 0))
    add_face(d, (a, c, e), (0, 3, 1))
    add_face(d, (e, c, b), (2, 0, 1))
    open_all(d)


@kernel
def make_double(d, top, bottom, a, b, c):
    """Two tetrahedra on the two sides of a triangle."""
    begin(d, 5)
    add_face(d, (top, a, b), (1, 3, 2))
    add_face(d, (top, c, a), (2, 4, 0))
    add_face(d, (top, b, c), (0, 5, 1))
    add_face(d, (bottom, b, a), (5, 0, 4))
    add_face(d, (bottom, a, c), (3, 1, 5))
    add_face(d, (bottom, c, b), (4, 2, 3))
    open_all(d)


@kernel
def from_segment(m, d):
    """Around a segment, three support points at right angles to it; False if it does not cross their triangle."""
    a, b = add_vertex(d, 0), add_vertex(d, 1)
    va, vb = load3(d.convex_vertex, a), load3(d.convex_vertex, b)
    axis = sub(vb, va)
    if norm(axis) < MINVAL:
        return False
    first = across(axis)
    second = rotated(axis, first)
    third = rotated(axis, second)
    p, q, r = add_support(m, d, first), add_support(m, d, second), add_support(m, d, third)
    if not is_pierced(va, vb, load3(d.convex_vertex, p), load3(d.convex_vertex, q), load3(d.convex_vertex, r)):
        return False
    make_double(d, a, b, p, q, r)
    return True


@kernel
def from_triangle(m, d):
    """On a triangle, the support points of its two sides; False if their line does not cross it."""
    a, b, c = add_vertex(d, 0), add_vertex(d, 1), add_vertex(d, 2)
    va, vb, vc = load3(d.convex_vertex, a), load3(d.convex_vertex, b), load3(d.convex_vertex, c)
    normal = triangle_normal(va, vb, vc)
    if norm(normal) == 0.0:
        return False
    below, above = add_support(m, d, negate(normal)), add_support(m, d, normal)
    if not is_pierced(load3(d.convex_vertex, above), load3(d.convex_vertex, below), va, vb, vc):
        return False
    make_double(d, above, below, a, b, c)
    return True


@kernel
def from_tetrahedron(d):
    """The simplex itself; False if it is flat."""
    a, b, c, e = add_vertex(d, 0), add_vertex(d, 1), add_vertex(d, 2), add_vertex(d, 3)
    va, vb = load3(d.convex_vertex, a), load3(d.convex_vertex, b)
    if thickness(va, vb, load3(d.convex_vertex, c), load3(d.convex_vertex, e)) < FLAT:
        return False
    make_tetrahedron(d, a, b, c, e)
    return True


@kernel
def add_farther(m, d, direction, start):
    """The support point along a direction or against it, whichever is farther from a point; returns its row."""
    row = add_support(m, d, direction)
    there = dot(direction, sub(load3(d.convex_vertex, row), start))
    d.epa_count[VERTICES] = row
    add_support(m, d, negate(direction))
    if dot(direction, sub(start, load3(d.convex_vertex, row))) < there:
        d.epa_count[VERTICES] = row
        add_support(m, d, direction)
    return row


@kernel
def from_nothing(m, d):
    """A wide tetrahedron of support points, whatever the simplex; False if the difference of the shapes is flat."""
    a = add_support(m, d, (1.0, 0.0, 0.0))
    va = load3(d.convex_vertex, a)
    b = add_support(m, d, (-1.0, 0.0, 0.0))
    vb = load3(d.convex_vertex, b)
    side = across(sub(vb, va))
    if norm(side) == 0.0:
        return False
    c = add_farther(m, d, side, va)
    vc = load3(d.convex_vertex, c)
    e = add_farther(m, d, triangle_normal(va, vb, vc), va)
    if thickness(va, vb, vc, load3(d.convex_vertex, e)) < FLAT:
        return False
    make_tetrahedron(d, a, b, c, e)
    return True


@kernel
def first_polytope(m, d, n):
    """Is there a solid, begun from the first n vertices of the pool if they allow?"""
    d.epa_count[VERTICES] = FIRST
    made = False
    if n == 2:
        made = from_segment(m, d)
    elif n == 3:
        made = from_triangle(m, d)
    elif n == 4:
        made = from_tetrahedron(d)
    if not made:
        d.epa_count[VERTICES] = FIRST
        made = from_nothing(m, d)
    return made


# --- the expansion


@kernel
def edge_from(d, face, vertex):
    """Number of the edge of a face that starts at a vertex."""
    if d.epa_vertices[face, 0] == vertex:
        return 0
    return 1 if d.epa_vertices[face, 1] == vertex else 2


@kernel
def is_visible(d, face, point):
    """Is a point above the plane of a face, by more than rounding?"""
    return dot(load3(d.epa_normal, face), point) - d.epa_offset[face] > ABOVE * d.epa_scale[0]


@kernel
def cut_horizon(d, face, point):
    """Remove the faces that see a point, beginning with `face`, and list the edges of the hole in order; how many.

    The faces are visited depth first: row s of `epa_visit` is a removed face, the edge it was entered by, and how many
    of its edges (in order from there) were looked at.
    """
    remove_face(d, face)
    d.epa_visit[0, 0], d.epa_visit[0, 1], d.epa_visit[0, 2] = face, 0, 0
    depth, edges = 1, 0
    while depth > 0:
        at, step = d.epa_visit[depth - 1, 0], d.epa_visit[depth - 1, 2]
        if step == 3:
            depth -= 1
            continue
        d.epa_visit[depth - 1, 2] = step + 1
        # edges in order around the face, so that those of the hole come in order too
        edge = (d.epa_visit[depth - 1, 1] + step) % 3
        beyond = d.epa_neighbors[at, edge]
        if d.epa_place[beyond] == REMOVED:
            continue
        entry = edge_from(d, beyond, d.epa_vertices[at, (edge + 1) % 3])
        # a neighbor that sees the point goes too, else the edge to it is on the rim of the hole
        if is_visible(d, beyond, point):
            remove_face(d, beyond)
            d.epa_visit[depth, 0], d.epa_visit[depth, 1], d.epa_visit[depth, 2] = beyond, entry, 1
            depth += 1
        elif edges < EPA_FACES:
            d.epa_horizon[edges, 0], d.epa_horizon[edges, 1] = beyond, entry
            edges += 1
    return edges


@kernel
def is_loop(d, edges):
    """Do the edges of the hole form one loop? Rounding may break it; then the polytope cannot grow any more."""
    if edges < 3 or d.epa_count[FACES] + edges > EPA_FACES:
        return False
    closed = True
    last, edge = d.epa_horizon[edges - 1, 0], d.epa_horizon[edges - 1, 1]
    previous = d.epa_vertices[last, edge]
    for k in range(edges):
        beyond, edge = d.epa_horizon[k, 0], d.epa_horizon[k, 1]
        closed = closed and d.epa_vertices[beyond, (edge + 1) % 3] == previous
        previous = d.epa_vertices[beyond, edge]
    return closed


@kernel
def fill_horizon(d, vertex, edges, lower, upper):
    """Join a new vertex to the edges of the hole; new faces at a distance in [lower, upper] are open.

    The polytope grows, so no face comes nearer once the origin is inside, except by rounding on a sliver.
    """
    first = d.epa_count[FACES]
    for k in range(edges):
        beyond, edge = d.epa_horizon[k, 0], d.epa_horizon[k, 1]
        before = first + (k - 1 if k > 0 else edges - 1)
        after = first + (k + 1 if k < edges - 1 else 0)
        start, end = d.epa_vertices[beyond, edge], d.epa_vertices[beyond, (edge + 1) % 3]
        d.epa_neighbors[beyond, edge] = first + k
        offset = add_face(d, (vertex, end, start), (before, beyond, after))
        if offset <= upper and (offset >= lower or lower <= 0.0):
            open_face(d, first + k)


@kernel
def nearest_open(d):
    """The open face nearest to the origin, -1 if there is none."""
    best, offset = -1, FAR
    for k in range(d.epa_count[OPEN]):
        face = d.epa_open[k]
        if d.epa_offset[face] < offset:
            best, offset = face, d.epa_offset[face]
    return best


@kernel
def is_known(d, vertex):
    """Is the last vertex made of the same two mesh vertices (or box corners) as an earlier one?"""
    first, second, known = d.convex_vertexid[vertex, 0], d.convex_vertexid[vertex, 1], False
    for k in range(FIRST, vertex):
        known = known or (d.convex_vertexid[k, 0] == first and d.convex_vertexid[k, 1] == second)
    return known


@kernel
def expand(m, d, tolerance, iterations, polytopes):
    """The face of the boundary of the difference that is nearest to the origin; -1 if the shapes are apart.

    If both shapes are polytopes, a support point found twice ends the search.
    """
    face, upper, inside = -1, FAR, 0
    for _ in range(EPA_ITERATIONS):
        nearest = nearest_open(d)
        if nearest < 0 or d.epa_offset[nearest] > upper + ABOVE * d.epa_scale[0]:
            break
        face = nearest
        lower = d.epa_offset[face]
        normal = load3(d.epa_normal, face)
        vertex = add_support(m, d, normal)
        point = load3(d.convex_vertex, vertex)
        reach = dot(normal, point)
        if reach <= 0.0:
            return -1
        upper = minimum(upper, reach)
        # as long as the origin is outside, find out whether it can be reached at all
        if reach - lower < (tolerance if lower > 0.0 else FLAT * d.epa_scale[0]):
            break
        if polytopes and is_known(d, vertex):
            break
        edges = cut_horizon(d, face, point)
        if not is_loop(d, edges):
            break
        slack = ABOVE * d.epa_scale[0]
        fill_horizon(d, vertex, edges, lower - slack, upper + slack)
        inside += 1 if lower > 0.0 else 0
        if inside >= iterations:
            break
    return face if face >= 0 and d.epa_offset[face] > ABOVE * d.epa_scale[0] else -1


@kernel
def set_witness(d, face):
    """Points of the shapes that meet where the origin is dropped on a face, and the normal; returns signed distance."""
    a, b, c = d.epa_vertices[face, 0], d.epa_vertices[face, 1], d.epa_vertices[face, 2]
    va, vb, vc = load3(d.convex_vertex, a), load3(d.convex_vertex, b), load3(d.convex_vertex, c)
    normal, offset = load3(d.epa_normal, face), d.epa_offset[face]
    u, v, w = projected_areas(va, vb, vc, scale(normal, offset))
    whole = u + v + w
    if abs_(whole) * OUTSIDE > abs_(u) + abs_(v) + abs_(w):
        u, v, w = u / whole, v / whole, w / whole
    else:  # far from the triangle: it is a sliver
        u, v, w = triangle_weights(va, vb, vc)
    first = add_scaled(scale(load3(d.convex_first, a), u), load3(d.convex_first, b), v)
    store3(d.convex_x1, 0, add_scaled(first, load3(d.convex_first, c), w))
    second = add_scaled(scale(load3(d.convex_second, a), u), load3(d.convex_second, b), v)
    store3(d.convex_x2, 0, add_scaled(second, load3(d.convex_second, c), w))
    store3(d.convex_normal, 0, normal)
    return -offset


@kernel
def epa(m, d, n, tolerance, iterations, polytopes):
    """The face that tells the penetration, its witness points in `convex_x1` and `convex_x2`; -1 if there is none.

    The first n vertices of the pool are a simplex that touches or contains the origin.
    """
    if not first_polytope(m, d, n):
        return -1
    return expand(m, d, tolerance, iterations, polytopes)
