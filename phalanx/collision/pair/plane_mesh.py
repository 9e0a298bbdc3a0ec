"""A plane against a convex mesh: the face of the hull that lies on the plane.

The deepest vertex decides whether there is contact. Of the hull polygons that meet there, the one that looks most
straight into the plane is the face in contact: its corners are the contacts, beginning with the deepest vertex. Of more
than four corners, four are kept that span a large area. Corners above the center of the mesh do not count.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import widen
from phalanx.algebra.vector import add_scaled, dot, negate, sub
from phalanx.collision.convex.multicontact import polygon_corner, put_polygon_corner, quad_area, walk_forward
from phalanx.collision.convex.support import MESH, VERTEX, direction_in_shape, set_shape, to_world, widen3
from phalanx.collision.convex.table import support
from phalanx.collision.table import collider, put_world
from phalanx.tables.enums import GeomType


@kernel
def lowest_polygon(m, d, vertex, down):
    """Of the polygons around a vertex, the one whose normal is nearest to a direction; -1 if there is none."""
    mesh = d.convex_id[1, MESH]
    local = direction_in_shape(d, 1, down)
    row = m.mesh_vertadr[mesh] + vertex
    adr, best, most = m.mesh_polymapadr[row], -1, -2.0
    for k in range(m.mesh_polymapnum[row]):
        polygon = m.mesh_polyadr[mesh] + m.mesh_polymap[adr + k]
        product = dot(load3(m.mesh_polynormal, polygon), local)
        if product > most:
            best, most = polygon, product
    return best


@kernel
def local_vertex(m, d, vertex):
    """A vertex in the frame of the mesh."""
    return widen3(load3(m.mesh_vert, m.mesh_vertadr[d.convex_id[1, MESH]] + vertex))


@kernel
def list_corners(m, d, polygon, vertex):
    """Corners of a polygon in `clip_polygon`, the first of the two, beginning with a vertex of it; returns how many.

    In the frame of the mesh: what is equal by symmetry stays so.
    """
    num, adr = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon]
    first = 0
    for k in range(num):
        if m.mesh_polyvert[adr + k] == vertex:
            first = k
    for k in range(num):
        put_polygon_corner(d, 0, k, local_vertex(m, d, m.mesh_polyvert[adr + (first + k) % num]))
    return num


@kernel
def put_corner_contact(d, k, corner, origin, normal, margin):
    """Contact k at a corner within the margin and below the center; returns the count of contacts."""
    point = to_world(d, 1, polygon_corner(d, 0, corner))
    dist = dot(sub(point, origin), normal)
    if corner > 0 and dot(sub(point, load3(d.convex_pos, 1)), normal) > 0.0:
        return k
    if not dist <= margin:
        return k
    put_world(d, k, dist, add_scaled(point, normal, -0.5 * dist), normal)
    return k + 1


@collider(GeomType.PLANE, GeomType.MESH, max_contacts=4, world_by_world=True)
@kernel
def plane_mesh(m, d, plane, mesh, margin):
    """The deepest vertex first, then up to three more corners of the lowest face."""
    origin, normal = widen3(plane[0]), widen3((plane[1][2], plane[1][5], plane[1][8]))
    margin = widen(margin)
    set_shape(m, d, 1, GeomType.MESH, mesh, 0.0)
    # no contact if the deepest vertex has none
    deepest = support(GeomType.MESH, m, d, 1, negate(normal))
    if not dot(sub(deepest, origin), normal) <= margin:
        return 0
    vertex = d.convex_id[1, VERTEX]
    polygon = lowest_polygon(m, d, vertex, negate(normal))
    count = 1
    if polygon >= 0:
        count = list_corners(m, d, polygon, vertex)
    else:
        put_polygon_corner(d, 0, 0, local_vertex(m, d, vertex))
    # of many corners, the quadrilateral of the largest area from the deepest vertex
    b, c, e = 1, 2, 3
    if count > 4:
        b, c, e, _ = walk_forward(d, 0, count, 0, b, c, e, quad_area(d, 0, 0, b, c, e))
    k = put_corner_contact(d, 0, 0, origin, normal, margin)
    if count > 1:
        k = put_corner_contact(d, k, b, origin, normal, margin)
    if count > 2:
        k = put_corner_contact(d, k, c, origin, normal, margin)
    if count > 3:
        k = put_corner_contact(d, k, e, origin, normal, margin)
    return k
