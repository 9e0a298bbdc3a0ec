"""More than one contact: the faces or edges in which two shapes meet, cut to what they have in common.

The search for the distance ends at a few vertices of each shape (`convex_vertexid`): one is a corner, two an edge, three
a face. If some face of the first shape and some face of the second at that place look at each other to within five
degrees, the second face is cut to the outline of the first, and every corner of what is left becomes a contact; if more
than four are left, four that span a large area. If there are no such faces but an edge of one shape lies along a face of
the other, the edge is cut to the outline of the face, and its two ends become contacts.

All contacts of a pair have the same normal, that of a face; each has its own distance from the other face.

One world at a time, in double precision (see `support.py`).
"""

from __future__ import annotations

import math

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import abs_, clamp, pick
from phalanx.algebra.vector import MINVAL, add_scaled, cross, dot, negate, norm, normalize, scale, sub
from phalanx.collision.support import MESH, TYPE, direction_in_shape, mesh_vertex, to_world
from phalanx.tables.enums import GeomType
from phalanx.tables.scratch_fields import CLIP_CORNERS, FACE_CORNERS

#: Faces whose normals have a smaller product look at each other.
FACING = -0.996
#: An edge lies along a face if its direction and the normal have a smaller product.
ALONG = 0.0888

CAPSULE = int(GeomType.CAPSULE)
#: Corners of the polygon that stands for the cap of a cylinder, and the cosines of their angles.
CAP = 16
COSINES = tuple(math.cos(2.0 * math.pi * k / CAP) for k in range(CAP))


# --- what meets at the corner, edge or face where a shape is touched


@kernel
def no_faces(m, d, side, n, outward):
    """How many faces of the shape meet there; their numbers go to `clip_faces`, or come from `listed_face`."""
    return 0


@kernel
def listed_face(m, d, side, i):
    """Number of the i-th of these faces."""
    return d.clip_faces[side, i]


@kernel
def no_normal(m, d, side, face):
    """Outward unit normal of a face."""
    return (0.0, 0.0, 0.0)


@kernel
def no_outline(m, d, side, face):
    """How many corners a face has; written to `clip_face` clockwise, as seen from outside."""
    return 0


@kernel
def no_edges(m, d, side):
    """How many edges start at the corner, or 1 if the shape is touched along an edge; the start goes to `clip_start`."""
    return 0


@kernel
def no_end(m, d, side, i):
    """The far end of the i-th of these edges."""
    return (0.0, 0.0, 0.0)


faces_at = Table("faces_at", no_faces)
face_number = Table("face_number", listed_face)
face_normal = Table("face_normal", no_normal)
face_outline = Table("face_outline", no_outline)
edges_at = Table("edges_at", no_edges)
edge_end = Table("edge_end", no_end)


@kernel
def turn(d, side, direction):
    """A direction of the shape in the world."""
    return multiply_vector(load9(d.convex_mat, side), direction)


@kernel
def put_corner(d, side, k, point):
    store3(d.clip_face, side * FACE_CORNERS + k, point)


@kernel
def feature(d, side, first, n):
    """1, 2 or 3: a corner, an edge or a face. The distinct ones among n vertices are listed in `clip_corner`.

    `first` is the row in `clip_row` of the first of the n rows of the vertex pool.
    """
    count = 0
    for k in range(n):
        vertex = d.convex_vertexid[d.clip_row[first + k], side]
        known = False
        for i in range(count):
            known = known or d.clip_corner[side, i] == vertex
        if not known:
            d.clip_corner[side, count] = vertex
            count += 1
    return count


# --- boxes: faces 0 to 5 are +x -x +y -y +z -z


@kernel
def sign_shared(d, side, dim, bit):
    """+1 or -1 if all corners of the feature have that sign of a coordinate, else 0."""
    ups = 0
    for k in range(dim):
        if d.clip_corner[side, k] & bit:
            ups += 1
    if ups == dim:
        return 1
    return -1 if ups == 0 else 0


@kernel
def box_face_along(d, side, outward):
    """The face of a box whose normal is within five degrees of a direction, -1 if there is none."""
    local = normalize(direction_in_shape(d, side, outward))
    for axis in range(3):
        x = local[0] if axis == 0 else (local[1] if axis == 1 else local[2])
        if x > -FACING:
            return 2 * axis
        if x < FACING:
            return 2 * axis + 1
    return -1


@faces_at.row(GeomType.BOX)
@kernel
def box_faces(m, d, side, n, outward):
    dim, count = d.clip_dim[side], 0
    for axis in range(3):
        sign = sign_shared(d, side, dim, 1 << axis)
        if sign != 0:
            d.clip_faces[side, count] = 2 * axis + (1 if sign < 0 else 0)
            count += 1
    if count == 4 - dim:
        return count
    # the vertices lie across a face or through the box: take what the normal says
    face = box_face_along(d, side, outward)
    d.clip_faces[side, 0] = face
    return 1 if face >= 0 else 0


@face_normal.row(GeomType.BOX)
@kernel
def box_normal(m, d, side, face):
    sign = 1.0 - 2.0 * (face % 2)
    axis = face // 2
    return turn(
        d, side, (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    )


@kernel
def put_box_corner(d, side, k, x, y, z):
    size = load3(d.convex_size, side)
    put_corner(d, side, k, to_world(d, side, (x * size[0], y * size[1], z * size[2])))


@face_outline.row(GeomType.BOX)
@kernel
def box_outline(m, d, side, face):
    s = 1.0 - 2.0 * (face % 2)
    if face < 2:
        put_box_corner(d, side, 0, s, 1.0, s)
        put_box_corner(d, side, 1, s, 1.0, -s)
        put_box_corner(d, side, 2, s, -1.0, -s)
        put_box_corner(d, side, 3, s, -1.0, s)
    elif face < 4:
        put_box_corner(d, side, 0, -1.0, s, -s)
        put_box_corner(d, side, 1, 1.0, s, -s)
        put_box_corner(d, side, 2, 1.0, s, s)
        put_box_corner(d, side, 3, -1.0, s, s)
    else:
        put_box_corner(d, side, 0, -s, 1.0, s)
        put_box_corner(d, side, 1, s, 1.0, s)
        put_box_corner(d, side, 2, s, -1.0, s)
        put_box_corner(d, side, 3, -s, -1.0, s)
    return 4


@kernel
def box_corner(d, side, corner):
    size = load3(d.convex_size, side)
    x = size[0] if corner & 1 else -size[0]
    y = size[1] if corner & 2 else -size[1]
    z = size[2] if corner & 4 else -size[2]
    return to_world(d, side, (x, y, z))


@edges_at.row(GeomType.BOX)
@kernel
def box_edges(m, d, side):
    store3(d.clip_start, side, box_corner(d, side, d.clip_corner[side, 0]))
    return 3 if d.clip_dim[side] == 1 else 1


@edge_end.row(GeomType.BOX)
@kernel
def box_edge_end(m, d, side, i):
    if d.clip_dim[side] == 2:
        return box_corner(d, side, d.clip_corner[side, 1])
    return box_corner(d, side, d.clip_corner[side, 0] ^ (1 << i))


# --- meshes: faces are the polygons of the hull


@kernel
def has_polygon(m, vertex, polygon):
    adr = m.mesh_polymapadr[vertex]
    for k in range(m.mesh_polymapnum[vertex]):
        if m.mesh_polymap[adr + k] == polygon:
            return True
    return False


@faces_at.row(GeomType.MESH)
@kernel
def mesh_faces(m, d, side, n, outward):
    mesh, dim = d.convex_id[side, MESH], d.clip_dim[side]
    if m.mesh_polynum[mesh] == 0:
        return 0
    first = m.mesh_vertadr[mesh]
    vertex = first + d.clip_corner[side, 0]
    num, adr = m.mesh_polymapnum[vertex], m.mesh_polymapadr[vertex]
    if dim == 1:
        return num
    count = 0
    for k in range(num):
        polygon = m.mesh_polymap[adr + k]
        if count < 2 and has_polygon(m, first + d.clip_corner[side, 1], polygon):
            if dim == 2 or has_polygon(m, first + d.clip_corner[side, 2], polygon):
                d.clip_faces[side, count] = polygon
                count += 1
    return count if dim == 2 or count == 0 else 1


@face_number.row(GeomType.MESH)
@kernel
def mesh_face_number(m, d, side, i):
    if d.clip_dim[side] == 1:
        vertex = m.mesh_vertadr[d.convex_id[side, MESH]] + d.clip_corner[side, 0]
        return m.mesh_polymap[m.mesh_polymapadr[vertex] + i]
    return d.clip_faces[side, i]


@face_normal.row(GeomType.MESH)
@kernel
def mesh_normal(m, d, side, face):
    return turn(d, side, load3(m.mesh_polynormal, m.mesh_polyadr[d.convex_id[side, MESH]] + face))


@face_outline.row(GeomType.MESH)
@kernel
def mesh_outline(m, d, side, face):
    polygon = m.mesh_polyadr[d.convex_id[side, MESH]] + face
    num, adr = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon]
    step = (num + FACE_CORNERS - 1) // FACE_CORNERS
    count = 0
    for k in range(num - 1, -1, -step):
        put_corner(d, side, count, mesh_vertex(m, d, side, m.mesh_polyvert[adr + k]))
        count += 1
    return count


@edges_at.row(GeomType.MESH)
@kernel
def mesh_edges(m, d, side):
    corner = d.clip_corner[side, 0]
    store3(d.clip_start, side, mesh_vertex(m, d, side, corner))
    vertex = m.mesh_vertadr[d.convex_id[side, MESH]] + corner
    return m.mesh_polymapnum[vertex] if d.clip_dim[side] == 1 else 1


@edge_end.row(GeomType.MESH)
@kernel
def mesh_edge_end(m, d, side, i):
    """At a corner: its predecessor in the i-th polygon."""
    corner = d.clip_corner[side, 0]
    if d.clip_dim[side] == 2:
        return mesh_vertex(m, d, side, d.clip_corner[side, 1])
    polygon = m.mesh_polyadr[d.convex_id[side, MESH]] + mesh_face_number(m, d, side, i)
    num, adr = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon]
    before = m.mesh_polyvert[adr + num - 1]
    for k in range(num):
        vertex = m.mesh_polyvert[adr + k]
        if vertex == corner:
            break
        before = vertex
    return mesh_vertex(m, d, side, before)


# --- the side of a capsule or a cylinder: one edge, along the axis through a point of the surface


@kernel
def vertex_of(d, side):
    """The first of the vertices where the search ended, on one of the shapes."""
    vertex = d.clip_row[0]
    return load3(d.convex_first, vertex) if side == 0 else load3(d.convex_second, vertex)


@kernel
def set_side_line(d, side, x, y, half):
    store3(d.clip_start, side, to_world(d, side, (x, y, half)))
    store3(d.clip_end, side, to_world(d, side, (x, y, -half)))


@edges_at.row(GeomType.CAPSULE)
@kernel
def capsule_edges(m, d, side):
    """Through the nearest point, inflated as it is."""
    point = load3(d.convex_x1, 0) if side == 0 else load3(d.convex_x2, 0)
    local = direction_in_shape(d, side, sub(point, load3(d.convex_pos, side)))
    set_side_line(d, side, local[0], local[1], -d.convex_size[side, 1])
    return 1


@edges_at.row(GeomType.CYLINDER)
@kernel
def cylinder_edges(m, d, side):
    """From the first vertex, which may be inflated, drawn back to the radius."""
    local = direction_in_shape(d, side, sub(vertex_of(d, side), load3(d.convex_pos, side)))
    across = scale(normalize((local[0], local[1], 0.0)), d.convex_size[side, 0])
    half = d.convex_size[side, 1]
    set_side_line(d, side, across[0], across[1], half if local[2] >= 0.0 else -half)
    return 1


@edge_end.row(GeomType.CAPSULE, GeomType.CYLINDER)
@kernel
def side_line_end(m, d, side, i):
    return load3(d.clip_end, side)


# --- cylinders: two caps, drawn as regular polygons, and the line of the side that is touched


@faces_at.row(GeomType.CYLINDER)
@kernel
def cylinder_faces(m, d, side, n, outward):
    """The cap that all of the n vertices are on, if they are on one."""
    center, axis = load3(d.convex_pos, side), turn(d, side, (0.0, 0.0, 1.0))
    ups = 0
    for k in range(n):
        vertex = d.clip_row[k]
        point = load3(d.convex_first, vertex) if side == 0 else load3(d.convex_second, vertex)
        if dot(sub(point, center), axis) > 0.0:
            ups += 1
    d.clip_faces[side, 0] = 0 if ups == n else 1
    return 1 if ups == n or ups == 0 else 0


@face_normal.row(GeomType.CYLINDER)
@kernel
def cylinder_normal(m, d, side, face):
    return turn(d, side, (0.0, 0.0, 1.0 - 2.0 * face))


@face_outline.row(GeomType.CYLINDER)
@kernel
def cylinder_outline(m, d, side, face):
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    for k in range(CAP):
        i = (CAP - k) % CAP if face == 0 else k
        x, y = radius * pick(COSINES, i), radius * pick(COSINES, (i + 3 * CAP // 4) % CAP)
        put_corner(d, side, k, to_world(d, side, (x, y, half if face == 0 else -half)))
    return CAP


# --- cutting a polygon, or an edge, to the outline of a face


@kernel
def cut(d, source, target, count, corner, inward):
    """Cut the polygon at row `source` of `clip_polygon` by a plane; returns the corners of the rest, at row `target`."""
    kept = 0
    for k in range(count):
        p = load3(d.clip_polygon, source + k)
        q = load3(d.clip_polygon, source + (k + 1 if k < count - 1 else 0))
        side_p, side_q = dot(sub(p, corner), inward), dot(sub(q, corner), inward)
        is_p, is_q = side_p > -MINVAL, side_q > -MINVAL
        if not is_p and not is_q:
            continue
        if is_p != is_q:
            t = clamp(side_p / (side_p - side_q), 0.0, 1.0)
            store3(d.clip_polygon, target + kept, add_scaled(p, sub(q, p), t))
            kept += 1
        if is_q:
            store3(d.clip_polygon, target + kept, q)
            kept += 1
    return kept


@kernel
def cut_to_outline(d, cutter, corners, normal, count):
    """Cut the polygon in `clip_polygon` by all sides of a face; returns (row, corners) of what is left."""
    base = cutter * FACE_CORNERS
    source = 0
    for k in range(corners):
        start = load3(d.clip_face, base + k)
        end = load3(d.clip_face, base + (k + 1 if k < corners - 1 else 0))
        inward = normalize(cross(sub(end, start), normal))
        target = CLIP_CORNERS - source
        count = cut(d, source, target, count, start, inward)
        source = target
    return source, count


@kernel
def quad_area(d, row, a, b, c, e):
    """Four times the squared area of a quadrilateral of corners of the polygon at `row`, from its diagonals."""
    pa, pb = load3(d.clip_polygon, row + a), load3(d.clip_polygon, row + b)
    pc, pe = load3(d.clip_polygon, row + c), load3(d.clip_polygon, row + e)
    product = cross(sub(pc, pa), sub(pe, pb))
    return dot(product, product)


@kernel
def keep_quad(d, row, count):
    """Four corners of a convex polygon that span a large area, by turning three of them around each first one."""
    a, b, c, e = 0, 1, 2, 3
    kept = (a, b, c, e)
    best = quad_area(d, row, a, b, c, e)
    while a < count:
        trial = quad_area(d, row, a, b, c, (e + 1) % count)
        while trial > best:
            best, e = trial, (e + 1) % count
            trial = quad_area(d, row, a, b, (c + 1) % count, e)
            while trial > best:
                best, c = trial, (c + 1) % count
                trial = quad_area(d, row, a, b, (c + 1) % count, e)
            trial = quad_area(d, row, a, (b + 1) % count, c, e)
            while trial > best:
                best, b = trial, (b + 1) % count
                trial = quad_area(d, row, a, (b + 1) % count, c, e)
            kept = (a, b, c, e)
            trial = quad_area(d, row, a, b, c, (e + 1) % count)
        if b == a:
            b = (b + 1) % count
            if c == b:
                c = (c + 1) % count
                if e == c:
                    e = (e + 1) % count
        a += 1
    return kept


@kernel
def keep_ends(d, row, count):
    """The two corners that are farthest from each other."""
    a, b, farthest = 0, 1, 0.0
    for i in range(count):
        for k in range(i + 1, count):
            apart = sub(load3(d.clip_polygon, row + k), load3(d.clip_polygon, row + i))
            square = dot(apart, apart)
            if square > farthest:
                a, b, farthest = i, k, square
    return a, b


@kernel
def put_result(d, k, dist, pos):
    d.convex_dist[k] = dist
    store3(d.convex_point, k, pos)


@kernel
def drop_outside(d, row, count, corner, normal, margin):
    """Keep the corners of a polygon that are not farther above a plane than the margin; returns how many."""
    kept = 0
    for k in range(count):
        point = load3(d.clip_polygon, row + k)
        if dot(sub(point, corner), normal) <= margin:
            store3(d.clip_polygon, row + kept, point)
            kept += 1
    return kept


@kernel
def put_face_point(d, k, row, normal0, normal1):
    """A corner of the second face dropped on the first, and from there back on the plane of the second."""
    point = load3(d.clip_polygon, row)
    drop = dot(sub(point, load3(d.clip_face, 0)), normal0)
    dist = -drop * dot(normal0, normal1)
    put_result(d, k, dist, add_scaled(add_scaled(point, normal0, -drop), normal1, -0.5 * dist))


@kernel
def face_points(d, corners0, normal0, corners1, normal1, margin):
    """How many contacts two faces make whose outlines are in `clip_face`."""
    for k in range(corners1):
        store3(d.clip_polygon, k, load3(d.clip_face, FACE_CORNERS + k))
    row, count = cut_to_outline(d, 0, corners0, normal0, corners1)
    count = drop_outside(d, row, count, load3(d.clip_face, 0), normal0, margin)
    store3(d.convex_normal, 0, negate(normal1))
    if count > 4:
        a, b, c, e = keep_quad(d, row, count)
        put_face_point(d, 0, row + a, normal0, normal1)
        put_face_point(d, 1, row + b, normal0, normal1)
        put_face_point(d, 2, row + c, normal0, normal1)
        put_face_point(d, 3, row + e, normal0, normal1)
        return 4
    for k in range(count):
        put_face_point(d, k, row + k, normal0, normal1)
    return count


@kernel
def put_edge_point(d, k, row, corner, normal, inflate):
    point = add_scaled(load3(d.clip_polygon, row), normal, inflate)
    dist = dot(sub(point, corner), normal)
    put_result(d, k, dist, add_scaled(point, normal, -0.5 * dist))


@kernel
def edge_points(d, start, end, inflate, facer, corners, normal, margin):
    """How many contacts an edge, inflated or not, makes with a face whose outline is in `clip_face`."""
    store3(d.clip_polygon, 0, start)
    store3(d.clip_polygon, 1, end)
    row, count = cut_to_outline(d, facer, corners, normal, 2)
    corner = load3(d.clip_face, facer * FACE_CORNERS)
    count = drop_outside(d, row, count, corner, normal, margin - inflate)
    store3(d.convex_normal, 0, negate(normal) if facer == 1 else normal)
    if count == 1:
        put_edge_point(d, 0, row, corner, normal, inflate)
    if count > 1:
        a, b = keep_ends(d, row, count)
        put_edge_point(d, 0, row + a, corner, normal, inflate)
        put_edge_point(d, 1, row + b, corner, normal, inflate)
        count = 2
    return count


# --- faces and edges that meet


@kernel
def edge_on_face(m, d, edger, faces, margin):
    """Contacts of an edge of one side with one of the faces found on the other; -1 if no edge lies along a face."""
    facer = 1 - edger
    edge_kind, face_kind = d.convex_id[edger, TYPE], d.convex_id[facer, TYPE]
    edges = edges_at(edge_kind, m, d, edger)
    start = load3(d.clip_start, edger)
    inflate = d.convex_inflate[edger] if edge_kind == CAPSULE else 0.0
    for i in range(faces):
        face = face_number(face_kind, m, d, facer, i)
        normal = face_normal(face_kind, m, d, facer, face)
        for k in range(edges):
            end = edge_end(edge_kind, m, d, edger, k)
            if abs_(dot(normalize(sub(end, start)), normal)) < ALONG:
                corners = face_outline(face_kind, m, d, facer, face)
                return edge_points(d, start, end, inflate, facer, corners, normal, margin)
    return -1


@kernel
def multicontact(m, d, n, outward, margin):
    """How many contacts there are: `convex_dist`, `convex_point` and their `convex_normal`; zero if one has to do.

    `outward` is the unit normal from the first shape to the second; the n rows of the pool in `clip_row` are the
    vertices where the search ended.
    """
    kind0, kind1 = d.convex_id[0, TYPE], d.convex_id[1, TYPE]
    dim0, dim1 = feature(d, 0, 0, n), feature(d, 1, 0, n)
    d.clip_dim[0], d.clip_dim[1] = dim0, dim1
    faces0 = faces_at(kind0, m, d, 0, n, outward)
    faces1 = faces_at(kind1, m, d, 1, n, negate(outward))
    best, face0, face1 = FACING, -1, -1
    for i in range(faces0):
        normal0 = face_normal(kind0, m, d, 0, face_number(kind0, m, d, 0, i))
        for k in range(faces1):
            product = dot(normal0, face_normal(kind1, m, d, 1, face_number(kind1, m, d, 1, k)))
            if product < best:
                best, face0, face1 = product, i, k
    if face0 >= 0:
        face0, face1 = face_number(kind0, m, d, 0, face0), face_number(kind1, m, d, 1, face1)
        corners0, corners1 = face_outline(kind0, m, d, 0, face0), face_outline(kind1, m, d, 1, face1)
        normal0, normal1 = face_normal(kind0, m, d, 0, face0), face_normal(kind1, m, d, 1, face1)
        return face_points(d, corners0, normal0, corners1, normal1, margin)
    count = edge_on_face(m, d, 0, faces1, margin) if dim0 < 3 else -1
    if count < 0 and dim1 < 3:
        count = edge_on_face(m, d, 1, faces0, margin)
    return count
