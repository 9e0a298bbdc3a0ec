"""A plane against a convex mesh: the face of the hull that lies on the plane.

The deepest vertex decides whether there is contact. Of the hull polygons that meet there, the one that looks most
straight into the plane is the face in contact: its corners are the contacts, beginning with the deepest vertex. Of more
than four corners, four are kept that span a large area. Corners above the center of the mesh do not count.

Which corners are kept is the same in all poses: it is found once for each vertex at which a face lies on a plane.

Vertices and faces are looked up in one world after another, as worlds touch at different ones; what is computed with
them runs in lanes. In double precision, whatever the precision of the physics: the vertices are compared as in
`convex/support.py`.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set, narrow, not_, or_, splat, where, widen
from phalanx.algebra.vector import add, add_scaled, dot, negate, sub, where3
from phalanx.collision.convex.multicontact import put_polygon_corner, quad_area, walk_forward
from phalanx.collision.convex.support import widen3
from phalanx.collision.geom.mesh import highest_of_all, is_walked, walk_in_lanes
from phalanx.collision.table import NO_CONTACT, collider, put
from phalanx.tables.enums import GeomType
from phalanx.tables.scratch_fields import KEPT_FACES

# --- in one world


@kernel
def lowest_polygon(m, mesh, vertex, down):
    """Of the polygons around a vertex, the one whose normal is nearest to a direction: its place in `mesh_polymap`.

    -1 if there is none.
    """
    row = m.mesh_vertadr[mesh] + vertex
    adr, best, most = m.mesh_polymapadr[row], -1, -2.0
    for k in range(adr, adr + m.mesh_polymapnum[row]):
        product = dot(load3(m.mesh_polynormal, m.mesh_polyadr[mesh] + m.mesh_polymap[k]), down)
        if product > most:
            best, most = k, product
    return best


@kernel
def corner_after(m, polygon, first, k):
    """The vertex k corners after the first."""
    return m.mesh_polyvert[m.mesh_polyvertadr[polygon] + (first + k) % m.mesh_polyvertnum[polygon]]


@kernel
def find_corners(m, d, mesh, polygon, vertex, place):
    """kept_corner: up to three more corners of a polygon beside a vertex of it; -1 where it has no more."""
    num, adr, first = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon], 0
    for k in range(num):
        if m.mesh_polyvert[adr + k] == vertex:
            first = k
    b, c, e = 1, 2, 3
    if num > 4:
        # the quadrilateral of the largest area, in the frame of the mesh: what is equal by symmetry stays so
        for k in range(num):
            corner = m.mesh_vertadr[mesh] + corner_after(m, polygon, first, k)
            put_polygon_corner(d, 0, k, widen3(load3(m.mesh_vert, corner)))
        b, c, e, _ = walk_forward(d, 0, num, 0, b, c, e, quad_area(d, 0, 0, b, c, e))
    d.kept_corner[place, 0] = corner_after(m, polygon, first, b) if num > 1 else -1
    d.kept_corner[place, 1] = corner_after(m, polygon, first, c) if num > 2 else -1
    d.kept_corner[place, 2] = corner_after(m, polygon, first, e) if num > 3 else -1


@kernel
def set_corner(m, d, k, mesh, vertex, w):
    """touch_corner: corner k in world w is a vertex of the mesh."""
    v = load3(m.mesh_vert, m.mesh_vertadr[mesh] + vertex)
    for axis in (0, 1, 2):
        d.touch_corner[k, axis] = lane_set(d.touch_corner[k, axis], w, v[axis])


@kernel
def set_face(m, d, mesh, vertex, down, w):
    """touch_corner: the corners of the lowest face at the deepest vertex in world w; returns how many it has."""
    count = 1
    entry = lowest_polygon(m, mesh, vertex, down)
    if entry < 0:
        return count
    place = entry % KEPT_FACES
    if d.kept_entry[place] != entry + 1:
        find_corners(m, d, mesh, m.mesh_polyadr[mesh] + m.mesh_polymap[entry], vertex, place)
        d.kept_entry[place] = entry + 1
    for corner in range(3):
        if d.kept_corner[place, corner] >= 0:
            set_corner(m, d, count, mesh, d.kept_corner[place, corner], w)
            count += 1
    return count


# --- in lanes


@kernel
def deepest_vertex(m, mesh, down, near):
    """The highest vertex of the hull along a direction, as a number, in the worlds that count."""
    if not is_walked(m, mesh):
        return highest_of_all(m, mesh, down)
    return walk_in_lanes(m, mesh, down, near)


@kernel
def touching_corner(d, k, pose, origin, normal):
    """(dist, point) of a corner in the world."""
    point = add(multiply_vector(pose[1], widen3(load3(d.touch_corner, k))), pose[0])
    return dot(sub(point, origin), normal), point


@kernel
def is_contact(corner, pose, normal, margin):
    """Is a corner within the margin and below the center?"""
    is_below = not_(dot(sub(corner[1], pose[0]), normal) > 0.0)
    return and_(is_below, corner[0] <= margin)


@kernel
def where_corner(condition, a, b):
    """One of two corners (dist, point), by world."""
    return where(condition, a[0], b[0]), where3(condition, a[1], b[1])


@kernel
def put_corner(d, k, is_there, corner, normal):
    """Candidate k, in the worlds where it is there."""
    like, pos = d.near_dist[k], add_scaled(corner[1], normal, -0.5 * corner[0])
    put(
        d, k, where(is_there, narrow(like, corner[0]), NO_CONTACT),
        (narrow(like, pos[0]), narrow(like, pos[1]), narrow(like, pos[2])),
        (narrow(like, normal[0]), narrow(like, normal[1]), narrow(like, normal[2])),
    )  # fmt: skip


@collider(GeomType.PLANE, GeomType.MESH, max_contacts=4, given_near=True)
@kernel
def plane_mesh(m, d, plane, mesh, margin, near):
    """The deepest vertex first, then up to three more corners of the lowest face."""
    origin, normal = widen3(plane[0]), widen3((plane[1][2], plane[1][5], plane[1][8]))
    a, margin = mesh[1], widen(margin)
    mat = widen3((a[0], a[1], a[2])) + widen3((a[3], a[4], a[5])) + widen3((a[6], a[7], a[8]))
    pose, asset = (widen3(mesh[0]), mat), mesh[3]
    down = multiply_transposed(mat, negate(normal))
    vertex = deepest_vertex(m, asset, down, near)
    for w in range(lane_count(vertex)):
        if lane_get(near, w):
            set_corner(m, d, 0, asset, int(lane_get(vertex, w)), w)
    # no contact if the deepest vertex has none
    deepest = touching_corner(d, 0, pose, origin, normal)
    touches = and_(near, deepest[0] <= margin)
    if not any_(touches):
        return 0
    put_corner(d, 0, touches, deepest, normal)
    count = splat(vertex, 0.0)
    for w in range(lane_count(vertex)):
        if lane_get(touches, w):
            local = (lane_get(down[0], w), lane_get(down[1], w), lane_get(down[2], w))
            count = lane_set(count, w, set_face(m, d, asset, int(lane_get(vertex, w)), local, w))
    first = touching_corner(d, 1, pose, origin, normal)
    second = touching_corner(d, 2, pose, origin, normal)
    third = touching_corner(d, 3, pose, origin, normal)
    has_first = and_(count > 1.0, is_contact(first, pose, normal, margin))
    has_second = and_(count > 2.0, is_contact(second, pose, normal, margin))
    has_third = and_(count > 3.0, is_contact(third, pose, normal, margin))
    # in the place of a corner without contact the next ones move up
    has_both, has_either = and_(has_first, has_second), or_(has_first, has_second)
    has_one, has_two = or_(has_either, has_third), or_(has_both, and_(has_either, has_third))
    has_three = and_(has_both, has_third)
    if not any_(has_one):
        return 1
    put_corner(d, 1, has_one, where_corner(has_first, first, where_corner(has_second, second, third)), normal)
    if not any_(has_two):
        return 2
    put_corner(d, 2, has_two, where_corner(has_both, second, third), normal)
    if not any_(has_three):
        return 3
    put_corner(d, 3, has_three, third, normal)
    return 4
