"""A plane against a convex mesh: the face of the hull that lies on the plane.

The deepest vertex decides whether there is contact. Of the hull polygons that meet there, the one that looks most
straight into the plane is the face in contact: its corners are the contacts, beginning with the deepest vertex. Of more
than four corners, four are kept that span a large area. Corners above the center of the mesh do not count.

Which corners are kept is the same in all poses: it is found once for each vertex at which a face lies on a plane.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import widen
from phalanx.algebra.vector import add_scaled, dot, negate, sub
from phalanx.collision.convex.multicontact import put_polygon_corner, quad_area, walk_forward
from phalanx.collision.convex.support import MESH, VERTEX, direction_in_shape, set_shape, to_world, widen3
from phalanx.collision.convex.table import support
from phalanx.collision.table import collider, put_world
from phalanx.tables.enums import GeomType
from phalanx.tables.scratch_fields import KEPT_FACES


@kernel
def lowest_polygon(m, d, vertex, down):
    """Of the polygons around a vertex, the one whose normal is nearest to a direction: its place in `mesh_polymap`.

    -1 if there is none.
    """
    mesh = d.convex_id[1, MESH]
    local = direction_in_shape(d, 1, down)
    row = m.mesh_vertadr[mesh] + vertex
    adr, best, most = m.mesh_polymapadr[row], -1, -2.0
    for k in range(adr, adr + m.mesh_polymapnum[row]):
        product = dot(load3(m.mesh_polynormal, m.mesh_polyadr[mesh] + m.mesh_polymap[k]), local)
        if product > most:
            best, most = k, product
    return best


@kernel
def local_vertex(m, d, vertex):
    """A vertex in the frame of the mesh."""
    return widen3(load3(m.mesh_vert, m.mesh_vertadr[d.convex_id[1, MESH]] + vertex))


@kernel
def corner_after(m, polygon, first, k):
    """The vertex k corners after the first."""
    return m.mesh_polyvert[m.mesh_polyvertadr[polygon] + (first + k) % m.mesh_polyvertnum[polygon]]


@kernel
def find_corners(m, d, polygon, vertex, place):
    """kept_corner: up to three more corners of a polygon beside a vertex of it; -1 where it has no more."""
    num, adr, first = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon], 0
    for k in range(num):
        if m.mesh_polyvert[adr + k] == vertex:
            first = k
    b, c, e = 1, 2, 3
    if num > 4:
        # the quadrilateral of the largest area, in the frame of the mesh: what is equal by symmetry stays so
        for k in range(num):
            put_polygon_corner(d, 0, k, local_vertex(m, d, corner_after(m, polygon, first, k)))
        b, c, e, _ = walk_forward(d, 0, num, 0, b, c, e, quad_area(d, 0, 0, b, c, e))
    d.kept_corner[place, 0] = corner_after(m, polygon, first, b) if num > 1 else -1
    d.kept_corner[place, 1] = corner_after(m, polygon, first, c) if num > 2 else -1
    d.kept_corner[place, 2] = corner_after(m, polygon, first, e) if num > 3 else -1


@kernel
def put_corner_contact(m, d, k, vertex, origin, normal, margin):
    """Contact k at a vertex within the margin and below the center; returns the count of contacts."""
    point = to_world(d, 1, local_vertex(m, d, vertex))
    dist = dot(sub(point, origin), normal)
    if dot(sub(point, load3(d.convex_pos, 1)), normal) > 0.0:
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
    dist = dot(sub(deepest, origin), normal)
    if not dist <= margin:
        return 0
    put_world(d, 0, dist, add_scaled(deepest, normal, -0.5 * dist), normal)
    vertex, count = d.convex_id[1, VERTEX], 1
    entry = lowest_polygon(m, d, vertex, negate(normal))
    if entry < 0:
        return count
    place = entry % KEPT_FACES
    if d.kept_entry[place] != entry + 1:
        find_corners(m, d, m.mesh_polyadr[mesh[3]] + m.mesh_polymap[entry], vertex, place)
        d.kept_entry[place] = entry + 1
    for corner in range(3):
        if d.kept_corner[place, corner] >= 0:
            count = put_corner_contact(m, d, count, d.kept_corner[place, corner], origin, normal, margin)
    return count
