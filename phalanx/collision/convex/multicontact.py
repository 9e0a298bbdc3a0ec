"""More than one contact: the faces or edges in which two shapes meet, cut to what they have in common.

If a face of the first shape and a face of the second, both at the place where the shapes touch, look at each other to
within five degrees, the second is cut to the outline of the first, and every corner of what is left is a contact; of
more than four, four that span a large area. If there are no such faces but an edge of one shape lies along a face of
the other, the edge is cut to the outline of the face, and its two ends are contacts.

All contacts of a pair have the same normal, that of a face; each has its own distance.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import abs_, clamp
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, negate, normalize, sub
from phalanx.collision.convex.features import ALIGNED, face_corner, place
from phalanx.collision.convex.support import TYPE
from phalanx.collision.convex.table import edge_end, edges_at, face_id, face_normal, face_outline, faces_at
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import CLIP_SLACK, FACE_CORNERS

#: An edge lies along a face if its direction and the normal have a smaller product.
ALONG = 0.0888


# --- cutting a polygon, or an edge, to the outline of a face: two polygons, before and after, take turns in memory


@kernel
def polygon_corner(d, which, k):
    """Corner k of one of the two polygons in `clip_polygon`."""
    return load3(d.clip_polygon, 2 * k + which)


@kernel
def put_polygon_corner(d, which, k, point):
    """Set corner k of one of the two polygons in `clip_polygon`."""
    store3(d.clip_polygon, 2 * k + which, point)


@kernel
def clip_capacity(m):
    """Corners of a polygon that there is memory for: those of two faces, and some."""
    return 2 * max(FACE_CORNERS, m.npolygonmax) + CLIP_SLACK


@kernel
def cut(d, source, count, corner, inward, capacity):
    """Cut polygon `source` of the two by a plane; returns how many corners are left, in the other."""
    kept = 0
    for k in range(count):
        if kept + 2 > capacity:
            break
        p = polygon_corner(d, source, k)
        q = polygon_corner(d, source, k + 1 if k < count - 1 else 0)
        up_p, up_q = dot(sub(p, corner), inward), dot(sub(q, corner), inward)
        is_p, is_q = up_p > -MINVAL, up_q > -MINVAL
        if is_p != is_q:
            t = clamp(up_p / (up_p - up_q), 0.0, 1.0)
            put_polygon_corner(d, 1 - source, kept, add_scaled(p, sub(q, p), t))
            kept += 1
        if is_q:
            put_polygon_corner(d, 1 - source, kept, q)
            kept += 1
    return kept


@kernel
def cut_to_outline(d, cutter, corners, normal, count, capacity):
    """Cut the first polygon by all sides of a face; returns which of the two is left, and its corners."""
    source = 0
    for k in range(corners):
        start, end = face_corner(d, cutter, k), face_corner(d, cutter, k + 1 if k < corners - 1 else 0)
        count = cut(d, source, count, start, normalize(cross(sub(end, start), normal)), capacity)
        source = 1 - source
    return source, count


@kernel
def drop_outside(d, which, count, corner, normal, margin):
    """Keep the corners of a polygon that are not farther above a plane than the margin; returns how many."""
    kept = 0
    for k in range(count):
        point = polygon_corner(d, which, k)
        if dot(sub(point, corner), normal) <= margin:
            put_polygon_corner(d, which, kept, point)
            kept += 1
    return kept


@kernel
def quad_area(d, which, a, b, c, e):
    """Four times the squared area of a quadrilateral of corners of a polygon, from its diagonals."""
    pa, pb = polygon_corner(d, which, a), polygon_corner(d, which, b)
    pc, pe = polygon_corner(d, which, c), polygon_corner(d, which, e)
    product = cross(sub(pc, pa), sub(pe, pb))
    return dot(product, product)


@kernel
def walk_forward(d, which, count, a, b, c, e, best):
    """(b, c, e, area): move three corners of a quadrilateral forward as long as its area grows beyond `best`.

    Each step moves the last, then the third, then the second; the first stays.
    """
    trial = quad_area(d, which, a, b, c, (e + 1) % count)
    while trial > best:
        best, e = trial, (e + 1) % count
        trial = quad_area(d, which, a, b, (c + 1) % count, e)
        while trial > best:
            best, c = trial, (c + 1) % count
            trial = quad_area(d, which, a, b, (c + 1) % count, e)
        trial = quad_area(d, which, a, (b + 1) % count, c, e)
        while trial > best:
            best, b = trial, (b + 1) % count
            trial = quad_area(d, which, a, (b + 1) % count, c, e)
        trial = quad_area(d, which, a, b, c, (e + 1) % count)
    return b, c, e, best


@kernel
def keep_quad(d, which, count):
    """Four corners of a convex polygon that span a large area."""
    b, c, e = 1, 2, 3
    kept, best = (0, b, c, e), quad_area(d, which, 0, b, c, e)
    for a in range(count):
        b, c, e, area = walk_forward(d, which, count, a, b, c, e, best)
        if area > best:
            kept, best = (a, b, c, e), area
        # the next first corner must not meet the second, and so on
        if b == a:
            b = (b + 1) % count
            if c == b:
                c = (c + 1) % count
                if e == c:
                    e = (e + 1) % count
    return kept


@kernel
def keep_ends(d, which, count):
    """The two corners that are farthest from each other."""
    a, b, farthest = 0, 1, 0.0
    for i in range(count):
        for k in range(i + 1, count):
            apart = sub(polygon_corner(d, which, k), polygon_corner(d, which, i))
            square = dot(apart, apart)
            if square > farthest:
                a, b, farthest = i, k, square
    return a, b


# --- the contacts of a face with a face, and of an edge with a face


@kernel
def put_result(d, k, dist, pos):
    """Contact k of the patch: signed distance and the point halfway."""
    d.convex_dist[k] = dist
    store3(d.convex_point, k, pos)


@kernel
def put_face_point(d, k, point, normal0, normal1):
    """A corner of the second face dropped on the first, and from there back on the plane of the second."""
    drop = dot(sub(point, face_corner(d, 0, 0)), normal0)
    dist = -drop * dot(normal0, normal1)
    put_result(d, k, dist, add_scaled(add_scaled(point, normal0, -drop), normal1, -0.5 * dist))


@kernel
def face_points(d, corners0, normal0, corners1, normal1, margin, capacity):
    """How many contacts two faces make whose outlines are in `clip_face`."""
    for k in range(corners1):
        put_polygon_corner(d, 0, k, face_corner(d, 1, k))
    which, count = cut_to_outline(d, 0, corners0, normal0, corners1, capacity)
    count = drop_outside(d, which, count, face_corner(d, 0, 0), normal0, margin)
    store3(d.convex_normal, 0, negate(normal1))
    if count > 4:
        a, b, c, e = keep_quad(d, which, count)
        put_face_point(d, 0, polygon_corner(d, which, a), normal0, normal1)
        put_face_point(d, 1, polygon_corner(d, which, b), normal0, normal1)
        put_face_point(d, 2, polygon_corner(d, which, c), normal0, normal1)
        put_face_point(d, 3, polygon_corner(d, which, e), normal0, normal1)
        return 4
    for k in range(count):
        put_face_point(d, k, polygon_corner(d, which, k), normal0, normal1)
    return count


@kernel
def put_edge_point(d, k, point, corner, normal, inflate):
    """Contact k from a point of an edge that was clipped: how far it is over the other face, inflated."""
    point = add_scaled(point, normal, inflate)
    dist = dot(sub(point, corner), normal)
    put_result(d, k, dist, add_scaled(point, normal, -0.5 * dist))


@kernel
def edge_points(d, inflate, facer, corners, normal, margin, capacity):
    """How many contacts an edge, the first polygon, makes with a face whose outline is in `clip_face`."""
    which, count = cut_to_outline(d, facer, corners, normal, 2, capacity)
    corner = face_corner(d, facer, 0)
    count = drop_outside(d, which, count, corner, normal, margin - inflate)
    store3(d.convex_normal, 0, negate(normal) if facer == 1 else normal)
    if count == 1:
        put_edge_point(d, 0, polygon_corner(d, which, 0), corner, normal, inflate)
    if count < 2:
        return count
    a, b = keep_ends(d, which, count)
    put_edge_point(d, 0, polygon_corner(d, which, a), corner, normal, inflate)
    put_edge_point(d, 1, polygon_corner(d, which, b), corner, normal, inflate)
    return 2


@kernel
def edge_on_face(m, d, edger, faces, outward, margin):
    """Contacts of an edge of one side with one of the faces found on the other; -1 if no edge lies along a face.

    Only faces that look to the side of the edge count; `outward` is the normal from the first shape to the second.
    """
    facer = 1 - edger
    edge_kind, face_kind = d.convex_id[edger, TYPE], d.convex_id[facer, TYPE]
    edges = edges_at(edge_kind, m, d, edger)
    start = load3(d.clip_start, edger)
    inflate = d.convex_inflate[edger] if edge_kind == GeomType.CAPSULE else 0.0
    to_edge = outward if edger == 1 else negate(outward)
    for i in range(faces):
        face = face_id(face_kind, m, d, facer, i)
        normal = face_normal(face_kind, m, d, facer, face)
        for k in range(edges if dot(normal, to_edge) > 0.0 else 0):
            end = edge_end(edge_kind, m, d, edger, k)
            if abs_(dot(normalize(sub(end, start)), normal)) < ALONG:
                put_polygon_corner(d, 0, 0, start)
                put_polygon_corner(d, 0, 1, end)
                corners = face_outline(face_kind, m, d, facer, face)
                return edge_points(d, inflate, facer, corners, normal, margin, clip_capacity(m))
    return -1


@kernel
def facing_pair(m, d, faces0, faces1):
    """Numbers of the two faces that look at each other most straight, -1 if none do."""
    kind0, kind1 = d.convex_id[0, TYPE], d.convex_id[1, TYPE]
    best, face0, face1 = -ALIGNED, -1, -1
    for i in range(faces0):
        id0 = face_id(kind0, m, d, 0, i)
        normal0 = face_normal(kind0, m, d, 0, id0)
        for k in range(faces1):
            id1 = face_id(kind1, m, d, 1, k)
            product = dot(normal0, face_normal(kind1, m, d, 1, id1))
            if product < best:
                best, face0, face1 = product, id0, id1
    return face0, face1


@kernel
def multicontact(m, d, n, outward, margin):
    """How many contacts there are: `convex_dist`, `convex_point`, `convex_normal`; not positive if one has to do.

    `outward` is the unit normal from the first shape to the second; the n rows of the vertex pool in `clip_row` are
    those at which the search ended.
    """
    kind0, kind1 = d.convex_id[0, TYPE], d.convex_id[1, TYPE]
    place(d, 0, n)
    place(d, 1, n)
    faces0 = faces_at(kind0, m, d, 0, n, outward)
    faces1 = faces_at(kind1, m, d, 1, n, negate(outward))
    face0, face1 = facing_pair(m, d, faces0, faces1)
    if face0 >= 0:
        corners0, corners1 = face_outline(kind0, m, d, 0, face0), face_outline(kind1, m, d, 1, face1)
        normal0, normal1 = face_normal(kind0, m, d, 0, face0), face_normal(kind1, m, d, 1, face1)
        return face_points(d, corners0, normal0, corners1, normal1, margin, clip_capacity(m))
    # first an edge of the shape that is touched in less
    edger = 0 if d.clip_dim[0] <= d.clip_dim[1] else 1
    count = -1
    if d.clip_dim[edger] < 3:
        count = edge_on_face(m, d, edger, faces0 if edger == 1 else faces1, outward, margin)
    if count < 0 and d.clip_dim[1 - edger] < 3:
        count = edge_on_face(m, d, 1 - edger, faces1 if edger == 1 else faces0, outward, margin)
    return count
