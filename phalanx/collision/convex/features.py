"""Faces and edges of boxes, meshes, cylinders and capsules at the place where they are touched.

The rows of the tables in `shape_tables.py` that `multicontact.py` asks for. The place is known by the vertices at which
the search for the distance ended: one is a corner, two an edge, three a face (`clip_dim`, `clip_corner`).

One world at a time, in double precision (see `support.py`).
"""

from __future__ import annotations

import math

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import pick
from phalanx.algebra.vector import normalize, scale
from phalanx.collision.convex.support import MESH, direction_in_shape, mesh_vertex, to_shape, to_world
from phalanx.collision.convex.table import edge_end, edges_at, face_normal, face_number, face_outline, faces_at
from phalanx.tables.enums import GeomType
from phalanx.tables.scratch_fields import FACE_CORNERS

#: Normals with a larger product count as the same.
ALIGNED = 0.996

#: Corners of the polygon that stands for the cap of a cylinder, and where they are on a circle.
CAP = 16
COSINES = tuple(math.cos(2.0 * math.pi * k / CAP) for k in range(CAP))
SINES = tuple(math.sin(2.0 * math.pi * k / CAP) for k in range(CAP))


@kernel
def turn(d, side, direction):
    """A direction of the shape in the world."""
    return multiply_vector(load9(d.convex_mat, side), direction)


@kernel
def put_corner(d, side, k, point):
    store3(d.clip_face, side * FACE_CORNERS + k, to_world(d, side, point))


@kernel
def place(d, side, n):
    """Find where a shape is touched, at a corner, an edge or a face: 1, 2, 3 to `clip_dim`, vertices to `clip_corner`.

    The n rows of the vertex pool at which the search ended are in `clip_row`.
    """
    count = 0
    for k in range(n):
        vertex = d.convex_vertexid[d.clip_row[k], side]
        known = False
        for i in range(count):
            known = known or d.clip_corner[side, i] == vertex
        if not known:
            d.clip_corner[side, count] = vertex
            count += 1
    d.clip_dim[side] = count


# --- boxes: corners by the signs of their coordinates (bits 0, 1, 2), faces +x -x +y -y +z -z


@kernel
def sign_of(corner, axis):
    return 1.0 if corner & (1 << axis) else -1.0


@kernel
def box_corner(d, side, corner):
    size = load3(d.convex_size, side)
    return (size[0] * sign_of(corner, 0), size[1] * sign_of(corner, 1), size[2] * sign_of(corner, 2))


@kernel
def shared_sign(d, side, axis):
    """+1 or -1 if all corners of the place have that sign of a coordinate, else 0."""
    dim, total = d.clip_dim[side], 0
    for k in range(dim):
        total += 1 if d.clip_corner[side, k] & (1 << axis) else -1
    return total // dim if total == dim or total == -dim else 0


@kernel
def box_face_along(d, side, outward):
    """The face of a box whose normal is within five degrees of a direction, -1 if there is none."""
    local = direction_in_shape(d, side, outward)
    face = -1
    if local[0] > ALIGNED or local[0] < -ALIGNED:
        face = 0 if local[0] > 0.0 else 1
    if local[1] > ALIGNED or local[1] < -ALIGNED:
        face = 2 if local[1] > 0.0 else 3
    if local[2] > ALIGNED or local[2] < -ALIGNED:
        face = 4 if local[2] > 0.0 else 5
    return face


@faces_at.row(GeomType.BOX)
@kernel
def box_faces(m, d, side, n, outward):
    count = 0
    for axis in range(3):
        sign = shared_sign(d, side, axis)
        if sign != 0:
            d.clip_faces[side, count] = 2 * axis + (0 if sign > 0 else 1)
            count += 1
    if count == 4 - d.clip_dim[side]:
        return count
    # the corners lie across a face or through the box: take what the normal says
    face = box_face_along(d, side, outward)
    d.clip_faces[side, 0] = face
    return 1 if face >= 0 else 0


@face_normal.row(GeomType.BOX)
@kernel
def box_normal(m, d, side, face):
    sign, axis = 1.0 - 2.0 * (face % 2), face // 2
    return turn(d, side, (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0))


@face_outline.row(GeomType.BOX)
@kernel
def box_outline(m, d, side, face):
    size = load3(d.convex_size, side)
    sign = 1.0 - 2.0 * (face % 2)
    if face < 2:
        x, y, z = sign * size[0], size[1], sign * size[2]
        put_corner(d, side, 0, (x, y, z))
        put_corner(d, side, 1, (x, y, -z))
        put_corner(d, side, 2, (x, -y, -z))
        put_corner(d, side, 3, (x, -y, z))
    elif face < 4:
        x, y, z = size[0], sign * size[1], sign * size[2]
        put_corner(d, side, 0, (-x, y, -z))
        put_corner(d, side, 1, (x, y, -z))
        put_corner(d, side, 2, (x, y, z))
        put_corner(d, side, 3, (-x, y, z))
    else:
        x, y, z = sign * size[0], size[1], sign * size[2]
        put_corner(d, side, 0, (-x, y, z))
        put_corner(d, side, 1, (x, y, z))
        put_corner(d, side, 2, (x, -y, z))
        put_corner(d, side, 3, (-x, -y, z))
    return 4


@edges_at.row(GeomType.BOX)
@kernel
def box_edges(m, d, side):
    store3(d.clip_start, side, to_world(d, side, box_corner(d, side, d.clip_corner[side, 0])))
    return 3 if d.clip_dim[side] == 1 else 1


@edge_end.row(GeomType.BOX)
@kernel
def box_edge_end(m, d, side, i):
    corner = d.clip_corner[side, 1] if d.clip_dim[side] == 2 else d.clip_corner[side, 0] ^ (1 << i)
    return to_world(d, side, box_corner(d, side, corner))


# --- meshes: faces are the polygons of the hull


@kernel
def corner_vertex(m, d, side, k):
    """Row of `mesh_vert` of a vertex of the place."""
    return m.mesh_vertadr[d.convex_id[side, MESH]] + d.clip_corner[side, k]


@kernel
def has_polygon(m, vertex, polygon):
    adr, found = m.mesh_polymapadr[vertex], False
    for k in range(m.mesh_polymapnum[vertex]):
        found = found or m.mesh_polymap[adr + k] == polygon
    return found


@faces_at.row(GeomType.MESH)
@kernel
def mesh_faces(m, d, side, n, outward):
    """All polygons around a corner, the two at an edge, or the one of a face."""
    dim, vertex = d.clip_dim[side], corner_vertex(m, d, side, 0)
    num, adr = m.mesh_polymapnum[vertex], m.mesh_polymapadr[vertex]
    if dim == 1:
        return num
    count, most = 0, 4 - dim
    for k in range(num):
        polygon = m.mesh_polymap[adr + k]
        shared = has_polygon(m, corner_vertex(m, d, side, 1), polygon)
        if dim == 3:
            shared = shared and has_polygon(m, corner_vertex(m, d, side, 2), polygon)
        if shared and count < most:
            d.clip_faces[side, count] = polygon
            count += 1
    return count


@face_number.row(GeomType.MESH)
@kernel
def mesh_face_number(m, d, side, i):
    if d.clip_dim[side] == 1:
        return m.mesh_polymap[m.mesh_polymapadr[corner_vertex(m, d, side, 0)] + i]
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
    k, count = num - 1, 0
    while k >= 0:
        store3(d.clip_face, side * FACE_CORNERS + count, mesh_vertex(m, d, side, m.mesh_polyvert[adr + k]))
        k -= step
        count += 1
    return count


@edges_at.row(GeomType.MESH)
@kernel
def mesh_edges(m, d, side):
    """At a corner as many as there are polygons; a mesh without a hull has neither."""
    store3(d.clip_start, side, mesh_vertex(m, d, side, d.clip_corner[side, 0]))
    polygons = m.mesh_polymapnum[corner_vertex(m, d, side, 0)]
    return polygons if d.clip_dim[side] == 1 else min(polygons, 1)


@edge_end.row(GeomType.MESH)
@kernel
def mesh_edge_end(m, d, side, i):
    """At a corner: its predecessor in the i-th polygon."""
    if d.clip_dim[side] == 2:
        return mesh_vertex(m, d, side, d.clip_corner[side, 1])
    polygon = m.mesh_polyadr[d.convex_id[side, MESH]] + mesh_face_number(m, d, side, i)
    num, adr = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon]
    corner, before = d.clip_corner[side, 0], m.mesh_polyvert[adr + num - 1]
    for k in range(1, num):
        if m.mesh_polyvert[adr + k] == corner:
            before = m.mesh_polyvert[adr + k - 1]
    return mesh_vertex(m, d, side, before)


# --- the side of a capsule or a cylinder: one edge, along the axis through a point of the surface


@kernel
def search_end(d, side, k):
    """Where on a shape the search ended: the k-th vertex, inflated as the shape was, in the frame of the shape."""
    row = d.clip_row[k]
    return to_shape(d, side, load3(d.convex_first, row) if side == 0 else load3(d.convex_second, row))


@kernel
def set_side_line(d, side, x, y, half):
    store3(d.clip_start, side, to_world(d, side, (x, y, half)))
    store3(d.clip_end, side, to_world(d, side, (x, y, -half)))


@edges_at.row(GeomType.CAPSULE)
@kernel
def capsule_edges(m, d, side):
    """Through the nearest point, inflated as the shape was."""
    local = to_shape(d, side, load3(d.convex_x1, 0) if side == 0 else load3(d.convex_x2, 0))
    set_side_line(d, side, local[0], local[1], -d.convex_size[side, 1])
    return 1


@edges_at.row(GeomType.CYLINDER)
@kernel
def cylinder_edges(m, d, side):
    """From the first vertex, drawn back to the radius."""
    point = search_end(d, side, 0)
    across = scale(normalize((point[0], point[1], 0.0)), d.convex_size[side, 0])
    half = d.convex_size[side, 1]
    set_side_line(d, side, across[0], across[1], half if point[2] >= 0.0 else -half)
    return 1


@edge_end.row(GeomType.CAPSULE, GeomType.CYLINDER)
@kernel
def side_line_end(m, d, side, i):
    return load3(d.clip_end, side)


# --- the caps of a cylinder, faces 0 and 1, drawn as regular polygons


@faces_at.row(GeomType.CYLINDER)
@kernel
def cylinder_faces(m, d, side, n, outward):
    """The cap that all vertices are on, if they are on one."""
    ups = 0
    for k in range(n):
        ups += 1 if search_end(d, side, k)[2] > 0.0 else 0
    d.clip_faces[side, 0] = 0 if ups == n else 1
    return 1 if ups in (0, n) else 0


@face_normal.row(GeomType.CYLINDER)
@kernel
def cap_normal(m, d, side, face):
    return turn(d, side, (0.0, 0.0, 1.0 - 2.0 * face))


@face_outline.row(GeomType.CYLINDER)
@kernel
def cap_outline(m, d, side, face):
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    for k in range(CAP):
        i = (CAP - k) % CAP if face == 0 else k
        point = (radius * pick(COSINES, i), radius * pick(SINES, i), half if face == 0 else -half)
        put_corner(d, side, k, point)
    return CAP
