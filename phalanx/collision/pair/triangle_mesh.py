"""A triangle mesh as it is, convex or not, against a convex geom.

MuJoCo collides the convex hull of a mesh; this is for shapes on their own. The box of the geom, in the frame of the
mesh, is taken down the tree of the mesh's triangles, and every triangle that is near meets the geom as a convex shape
of its own. The mesh is a surface: a geom that is wholly inside a closed mesh does not touch it.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load9, store3, store9
from phalanx.algebra.number import abs_, is_single, maximum, sqrt, widen
from phalanx.algebra.vector import add, dot, negate, scale, sub
from phalanx.collision.convex.convex import overlap
from phalanx.collision.convex.support import HULL_VERTEX, MESH, TYPE, VERTEX, search_tolerance, set_shape, widen3
from phalanx.collision.convex.table import support
from phalanx.collision.geom.mesh import mesh_triangle
from phalanx.collision.table import put_world
from phalanx.tables.sizes import MAXCONPAIR, MAXTREEDEPTH

#: A shape that is no geom (see `convex/table.py`): its three corners, in the world, are its row of `convex_mat`.
TRIANGLE = 22

#: Contacts closer than this, relative to the size of the geom, with normals that agree as well are one; in single
#: precision it is the second value.
SAME, SAME_SINGLE = 1e-7, 1e-5


# --- a triangle as a convex shape


@kernel
def set_triangle(d, side, corners, inflate):
    """Lay out a triangle, nine numbers, as the shape of one side."""
    store9(d.convex_mat, side, corners)
    store3(d.convex_pos, side, scale(add(add(corners[0:3], corners[3:6]), corners[6:9]), 1.0 / 3.0))
    store3(d.convex_size, side, (0.0, 0.0, 0.0))
    d.convex_inflate[side] = inflate
    d.convex_id[side, TYPE] = TRIANGLE
    d.convex_id[side, MESH] = -1
    d.convex_id[side, VERTEX] = -1
    d.convex_id[side, HULL_VERTEX] = -1


@support.row(TRIANGLE)
@kernel
def support_triangle(m, d, side, direction):
    """The corner farthest along the direction."""
    corners = load9(d.convex_mat, side)
    a, b, c = corners[0:3], corners[3:6], corners[6:9]
    on_a, on_b, on_c = dot(a, direction), dot(b, direction), dot(c, direction)
    if on_a >= on_b and on_a >= on_c:
        d.convex_id[side, VERTEX] = 0
        return a
    if on_b >= on_c:
        d.convex_id[side, VERTEX] = 1
        return b
    d.convex_id[side, VERTEX] = 2
    return c


@kernel
def face_corners(m, mesh, face, pos, mat):
    """World corners of a triangle of a mesh, nine numbers; `pos` and `mat` are the frame of the mesh."""
    a, b, c = mesh_triangle(m, mesh, face)
    return add(multiply_vector(mat, a), pos) + add(multiply_vector(mat, b), pos) + add(multiply_vector(mat, c), pos)


# --- the box of the geom


@kernel
def widen_frame(geom):
    """Position and rotation of a geom in double precision."""
    pos, mat, _, _ = geom
    return widen3(pos), widen3(mat[0:3]) + widen3(mat[3:6]) + widen3(mat[6:9])


@kernel
def box_in_mesh(m, d, kind, pos, mat):
    """(center, half sizes) in the frame of the mesh of a box around the shape of side 1."""
    x, y, z = (mat[0], mat[3], mat[6]), (mat[1], mat[4], mat[7]), (mat[2], mat[5], mat[8])
    low = (
        dot(x, sub(support(kind, m, d, 1, negate(x)), pos)),
        dot(y, sub(support(kind, m, d, 1, negate(y)), pos)),
        dot(z, sub(support(kind, m, d, 1, negate(z)), pos)),
    )
    high = (
        dot(x, sub(support(kind, m, d, 1, x), pos)),
        dot(y, sub(support(kind, m, d, 1, y), pos)),
        dot(z, sub(support(kind, m, d, 1, z), pos)),
    )
    return scale(add(low, high), 0.5), scale(sub(high, low), 0.5)


@kernel
def gap(m, node, center, half):
    """Distance of a box from the box of a node of the tree, zero if they overlap."""
    x = maximum(abs_(m.bvh_aabb[node, 0] - center[0]) - m.bvh_aabb[node, 3] - half[0], 0.0)
    y = maximum(abs_(m.bvh_aabb[node, 1] - center[1]) - m.bvh_aabb[node, 4] - half[1], 0.0)
    z = maximum(abs_(m.bvh_aabb[node, 2] - center[2]) - m.bvh_aabb[node, 5] - half[2], 0.0)
    return sqrt(x * x + y * y + z * z)


# --- contacts


@kernel
def is_same(d, k, pos, normal, near):
    """Is contact k of this world the one at `pos`?"""
    apart = sub(widen3(load3(d.world_pos, k)), pos)
    change = sub(widen3(load3(d.world_normal, k)), normal)
    return dot(apart, apart) <= near * near and dot(change, change) <= SAME


@kernel
def keep_contact(d, count, dist, pos, normal, near):
    """Add a contact to the `count` there are; of equal ones the deepest stays, of too many the deepest stay."""
    shallowest = 0
    for k in range(count):
        if is_same(d, k, pos, normal, near):
            if dist < widen(d.world_dist[k]):
                put_world(d, k, dist, pos, normal)
            return count
        if widen(d.world_dist[k]) > widen(d.world_dist[shallowest]):
            shallowest = k
    if count < MAXCONPAIR:
        put_world(d, count, dist, pos, normal)
        return count + 1
    if dist < widen(d.world_dist[shallowest]):
        put_world(d, shallowest, dist, pos, normal)
    return count


@kernel
def triangle_mesh_contacts(m, d, mesh_geom, kind, geom, margin):
    """How many contacts the surface of a mesh has with a convex geom of type `kind`, at most MAXCONPAIR.

    Normals point from the mesh to the geom.
    """
    pos, mat = widen_frame(mesh_geom)
    mesh, margin = mesh_geom[3], widen(margin)
    set_shape(m, d, 1, kind, geom, 0.5 * margin)
    center, half = box_in_mesh(m, d, kind, pos, mat)
    near = (SAME_SINGLE if is_single(d.world_dist[0]) else SAME) * maximum(maximum(half[0], half[1]), half[2])
    count, waiting, root = 0, 1, m.mesh_bvhadr[mesh]
    d.ray_stack[0] = 0
    while waiting > 0:
        waiting -= 1
        node = root + d.ray_stack[waiting]
        if gap(m, node, center, half) <= margin:
            face = m.bvh_nodeid[node]
            if face >= 0:
                count = triangle_contact(m, d, kind, geom, face_corners(m, mesh, face, pos, mat), margin, count, near)
            else:
                waiting = push_children(m, d, node, waiting)
    return count


@kernel
def push_children(m, d, node, waiting):
    """Both children of a node on the stack; how many are on it."""
    for k in range(2):
        if waiting < MAXTREEDEPTH:
            d.ray_stack[waiting] = m.bvh_child[node, 1 - k]
            waiting += 1
    return waiting


@kernel
def triangle_contact(m, d, kind, geom, corners, margin, count, near):
    """How many contacts there are with that of one more triangle."""
    set_triangle(d, 0, corners, 0.5 * margin)
    set_shape(m, d, 1, kind, geom, 0.5 * margin)
    distance, _ = overlap(m, d, search_tolerance(m, d), 0.0, m.opt.ccd_iterations)
    if not distance < 0.0:
        return count
    middle = scale(add(load3(d.convex_x1, 0), load3(d.convex_x2, 0)), 0.5)
    return keep_contact(d, count, margin + distance, middle, load3(d.convex_normal, 0), near)


# --- distance


@kernel
def triangle_mesh_distance(m, d, mesh_geom, kind, geom, distmax):
    """Signed distance of the surface of a mesh and a convex geom of type `kind`, `distmax` if they are farther apart.

    The nearest points (of an overlap: the deepest of any triangle) are left in `convex_x1` and `convex_x2`, the unit
    vector from the mesh to the geom in `convex_normal`.
    """
    pos, mat = widen_frame(mesh_geom)
    mesh, best = mesh_geom[3], widen(distmax)
    on_mesh, on_geom, normal = pos, widen3(geom[0]), (1.0, 0.0, 0.0)
    set_shape(m, d, 1, kind, geom, 0.0)
    center, half = box_in_mesh(m, d, kind, pos, mat)
    waiting, root = 1, m.mesh_bvhadr[mesh]
    d.ray_stack[0] = 0
    while waiting > 0:
        waiting -= 1
        node = root + d.ray_stack[waiting]
        # boxes farther away than the best triangle so far hold no better one
        if gap(m, node, center, half) <= maximum(best, 0.0):
            face = m.bvh_nodeid[node]
            if face < 0:
                waiting = push_nearer_last(m, d, root, node, waiting, center, half)
            else:
                set_triangle(d, 0, face_corners(m, mesh, face, pos, mat), 0.0)
                set_shape(m, d, 1, kind, geom, 0.0)
                cutoff = maximum(best, 0.0)
                distance, _ = overlap(m, d, search_tolerance(m, d), cutoff, m.opt.ccd_iterations)
                if distance < best:
                    best = distance
                    on_mesh, on_geom = load3(d.convex_x1, 0), load3(d.convex_x2, 0)
                    normal = load3(d.convex_normal, 0)
    store3(d.convex_x1, 0, on_mesh)
    store3(d.convex_x2, 0, on_geom)
    store3(d.convex_normal, 0, normal)
    return best


@kernel
def push_nearer_last(m, d, root, node, waiting, center, half):
    """Both children of a node on the stack, the nearer one on top; how many are on it."""
    left, right = m.bvh_child[node, 0], m.bvh_child[node, 1]
    if gap(m, root + left, center, half) > gap(m, root + right, center, half):
        left, right = right, left
    if waiting + 1 < MAXTREEDEPTH:
        d.ray_stack[waiting] = right
        d.ray_stack[waiting + 1] = left
        return waiting + 2
    return waiting
