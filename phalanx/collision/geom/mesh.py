"""A mesh: the convex hull of its vertices; rays see its triangles.

Bounds, mass and sizes come with the compiled mesh (`phalanx/mesh`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_vector
from phalanx.algebra.memory import load3, load4, load6, store3
from phalanx.algebra.number import (
    abs_,
    and_,
    any_,
    count_,
    is_single,
    lane_count,
    lane_get,
    lane_set,
    maximum,
    not_,
    or_,
    splat,
    where,
    widen,
)
from phalanx.algebra.quaternion import conjugate, rotate
from phalanx.algebra.vector import dot, sub
from phalanx.collision.convex.features import direction_in_world, put_world_corner
from phalanx.collision.convex.support import HULL_VERTEX, MESH, VERTEX, direction_in_shape, to_world, widen3
from phalanx.collision.convex.table import (
    edge_end,
    edges_at,
    face_id,
    face_normal,
    face_outline,
    faces_at,
    support,
)
from phalanx.collision.geom.box import ray_box
from phalanx.collision.geom.table import is_inside, reach
from phalanx.collision.ray.crossing import BEYOND, BEYOND_SINGLE, is_after, is_nearer, to_local
from phalanx.collision.ray.table import no_hit, ray_asset
from phalanx.collision.ray.triangle import across, box_interval, triangle_distance, triangle_normal
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import MAXTREEDEPTH

#: Meshes with fewer vertices are searched from end to end; larger ones by walking along the edges of the hull.
WALK_FROM = 10
#: So many worlds at a vertex of a hull look at its neighbors together, fewer one after the other.
TOGETHER = 3
#: A direction component beyond this counts as +1 or -1 in the grid of starting points.
GRID = 0.4


@is_inside.row(GeomType.MESH)
@kernel
def in_hull(m, mesh, size, point):
    """Below every face of the convex hull. The frame of a site is that of the mesh as it was read."""
    first = m.mesh_polyadr[mesh]
    point = rotate(sub(point, load3(m.mesh_pos, mesh)), conjugate(load4(m.mesh_quat, mesh)))
    inside = point[0] == point[0]
    for polygon in range(first, first + m.mesh_polynum[mesh]):
        corner = load3(m.mesh_vert, m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[polygon]])
        offset = sub(point, (widen(corner[0]), widen(corner[1]), widen(corner[2])))
        inside = and_(inside, dot(load3(m.mesh_polynormal, polygon), offset) <= 0.0)
    return inside


# --- support points


@kernel
def height(m, vertex, direction):
    """How far a vertex of a mesh lies along a direction."""
    v = load3(m.mesh_vert, vertex)
    return direction[0] * widen(v[0]) + direction[1] * widen(v[1]) + direction[2] * widen(v[2])


@kernel
def mesh_vertex(m, d, side, vertex):
    """World position of a vertex, given by its index in the mesh of the shape."""
    v = load3(m.mesh_vert, m.mesh_vertadr[d.convex_id[side, MESH]] + vertex)
    return to_world(d, side, (widen(v[0]), widen(v[1]), widen(v[2])))


@support.row(GeomType.MESH)
@kernel
def support_mesh(m, d, side, direction):
    """The highest vertex of the hull; the one found last is where the next search begins."""
    local = direction_in_shape(d, side, direction)
    mesh = d.convex_id[side, MESH]
    if not is_walked(m, mesh):
        best = highest_vertex(m, mesh, local, d.convex_id[side, VERTEX])
    else:
        seed = walk_uphill(m, mesh, local, d.convex_id[side, HULL_VERTEX])
        d.convex_id[side, HULL_VERTEX] = seed
        best = hull_vertex(m, mesh, seed) - m.mesh_vertadr[mesh]
    d.convex_id[side, VERTEX] = best
    return mesh_vertex(m, d, side, best)


@kernel
def highest_vertex(m, mesh, direction, known):
    """Search all vertices; among equals the one found last time, else the first."""
    first = m.mesh_vertadr[mesh]
    best = known if known > 0 else 0
    top = height(m, first + best, direction)
    for vertex in range(m.mesh_vertnum[mesh]):
        h = height(m, first + vertex, direction)
        if h > top:
            best, top = vertex, h
    return best


@kernel
def highest_of_all(m, mesh, direction):
    """Search all vertices; the first of equals, as a number: in lanes worlds have different ones."""
    first = m.mesh_vertadr[mesh]
    best, top = splat(direction[0], 0.0), height(m, first, direction)
    for vertex in range(1, m.mesh_vertnum[mesh]):
        h = height(m, first + vertex, direction)
        is_higher = h > top
        best, top = where(is_higher, vertex, best), where(is_higher, h, top)
    return best


@reach.row(GeomType.MESH)
@kernel
def mesh_reach(m, mesh, size, direction):
    """The height of the highest vertex, in the worlds where there is a direction: of few vertices in lanes."""
    like = size[0] + direction[0]
    top = splat(like, 0.0)
    if is_walked(m, mesh):
        wide, counts = widen3(direction), dot(direction, direction) > 0.0
        vertex = walk_in_lanes(m, mesh, wide, counts)
        for w in range(lane_count(top)):
            if lane_get(counts, w):
                local = (lane_get(wide[0], w), lane_get(wide[1], w), lane_get(wide[2], w))
                top = lane_set(top, w, height(m, m.mesh_vertadr[mesh] + int(lane_get(vertex, w)), local))
    else:
        first = m.mesh_vertadr[mesh]
        top = height(m, first, direction) + 0.0 * like
        for vertex in range(first + 1, first + m.mesh_vertnum[mesh]):
            top = maximum(top, height(m, vertex, direction))
    return top


@kernel
def is_walked(m, mesh):
    """Is a mesh searched by walking along the edges of its hull?"""
    return m.mesh_graphadr[mesh] >= 0 and m.mesh_vertnum[mesh] >= WALK_FROM


@kernel
def grid_cell(x):
    """0, 1, 2 for a component that is clearly negative, small, clearly positive."""
    if x > GRID:
        return 2
    return 0 if x < -GRID else 1


@kernel
def cell_along(x):
    """The same as a number, which may differ by world."""
    return where(x > GRID, 2.0, where(x < -GRID, 0.0, 1.0))


@kernel
def hull_vertex(m, mesh, vertex):
    """Row of `mesh_vert` of a vertex, given by its index in the hull."""
    graph = m.mesh_graphadr[mesh]
    # layout of MuJoCo's mesh_graph: counts, start of the edges of each vertex, its vertex in the mesh, edges
    return m.mesh_vertadr[mesh] + m.mesh_graph[graph + 2 + m.mesh_graph[graph] + vertex]


@kernel
def first_edge(m, mesh, vertex):
    """Where the neighbors of a vertex of the hull begin in `mesh_graph`; -1 comes after the last."""
    graph = m.mesh_graphadr[mesh]
    return graph + 2 + 2 * m.mesh_graph[graph] + m.mesh_graph[graph + 2 + vertex]


@kernel
def walk_uphill(m, mesh, direction, known):
    """Walk along the edges of the hull as long as there is a higher neighbor; vertices by their index in the hull.

    Starts from the better of the vertex found last time and the extreme one of the nearest of 27 directions.
    """
    cell = grid_cell(direction[0]) * 9 + grid_cell(direction[1]) * 3 + grid_cell(direction[2])
    best = m.mesh_extrema[mesh, cell]
    if known >= 0:
        top = height(m, hull_vertex(m, mesh, best), direction)
        if height(m, hull_vertex(m, mesh, known), direction) >= top:
            best = known
    return walk_on(m, mesh, direction, best)


@kernel
def walk_on(m, mesh, direction, best):
    """The end of a walk that has come to a vertex."""
    top, previous = height(m, hull_vertex(m, mesh, best), direction), -1
    # the hull is convex: a vertex without a higher neighbor is the highest
    while best != previous:
        previous = best
        edge = first_edge(m, mesh, best)
        neighbor = m.mesh_graph[edge]
        while neighbor >= 0:
            h = height(m, hull_vertex(m, mesh, neighbor), direction)
            if h > top:
                best, top = neighbor, h
            edge += 1
            neighbor = m.mesh_graph[edge]
    return best


@kernel
def walk_in_lanes(m, mesh, direction, near):
    """The highest vertex of the hull, as a number, in the worlds that count.

    The walk of each world is that of `walk_uphill`; worlds that come to the same vertex look around there together.
    """
    cell = cell_along(direction[0]) * 9.0 + cell_along(direction[1]) * 3.0 + cell_along(direction[2])
    place, worlds = splat(direction[0], 0.0), lane_count(direction[0])
    for w in range(worlds):
        if lane_get(near, w):
            place = lane_set(place, w, m.mesh_extrema[mesh, int(lane_get(cell, w))])
    # each world in turn leads those at the same vertex, and goes on alone when few are left with it
    walking = near
    for w in range(worlds):
        while lane_get(walking, w):
            vertex = int(lane_get(place, w))
            here = and_(walking, place == vertex)
            if worlds < TOGETHER or count_(here) < TOGETHER:
                local = (lane_get(direction[0], w), lane_get(direction[1], w), lane_get(direction[2], w))
                place = lane_set(place, w, walk_on(m, mesh, local, vertex))
                break
            ahead = highest_neighbor(m, mesh, direction, vertex)
            walking = and_(walking, not_(and_(here, ahead == vertex)))
            place = where(here, ahead, place)
    for w in range(worlds):
        if lane_get(near, w):
            vertex = hull_vertex(m, mesh, int(lane_get(place, w)))
            place = lane_set(place, w, vertex - m.mesh_vertadr[mesh])
    return place


@kernel
def highest_neighbor(m, mesh, direction, vertex):
    """The highest of a vertex of the hull and its neighbors, as a number; the vertex itself if none is higher."""
    best, top = splat(direction[0], vertex), height(m, hull_vertex(m, mesh, vertex), direction)
    edge = first_edge(m, mesh, vertex)
    neighbor = m.mesh_graph[edge]
    while neighbor >= 0:
        h = height(m, hull_vertex(m, mesh, neighbor), direction)
        is_higher = h > top
        best, top = where(is_higher, neighbor, best), where(is_higher, h, top)
        edge += 1
        neighbor = m.mesh_graph[edge]
    return best


# --- faces and edges: the polygons of the hull


@kernel
def corner_vertex(m, d, side, k):
    """Row of `mesh_vert` of a vertex of the place."""
    return m.mesh_vertadr[d.convex_id[side, MESH]] + d.clip_corner[side, k]


@kernel
def has_polygon(m, vertex, polygon):
    """Is a polygon of the hull among those around a vertex?"""
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


@face_id.row(GeomType.MESH)
@kernel
def mesh_face_id(m, d, side, i):
    """At a corner every polygon of the vertex counts, without a list."""
    if d.clip_dim[side] == 1:
        return m.mesh_polymap[m.mesh_polymapadr[corner_vertex(m, d, side, 0)] + i]
    return d.clip_faces[side, i]


@face_normal.row(GeomType.MESH)
@kernel
def mesh_normal(m, d, side, face):
    """The normal of the polygon."""
    return direction_in_world(d, side, load3(m.mesh_polynormal, m.mesh_polyadr[d.convex_id[side, MESH]] + face))


@face_outline.row(GeomType.MESH)
@kernel
def mesh_outline(m, d, side, face):
    """The corners of the polygon, backwards."""
    polygon = m.mesh_polyadr[d.convex_id[side, MESH]] + face
    num, adr = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon]
    for k in range(num):
        put_world_corner(d, side, k, mesh_vertex(m, d, side, m.mesh_polyvert[adr + num - 1 - k]))
    return num


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
    polygon = m.mesh_polyadr[d.convex_id[side, MESH]] + mesh_face_id(m, d, side, i)
    num, adr = m.mesh_polyvertnum[polygon], m.mesh_polyvertadr[polygon]
    corner, before = d.clip_corner[side, 0], m.mesh_polyvert[adr + num - 1]
    for k in range(1, num):
        if m.mesh_polyvert[adr + k] == corner:
            before = m.mesh_polyvert[adr + k - 1]
    return mesh_vertex(m, d, side, before)


# --- rays


@ray_asset.row(GeomType.MESH)
@kernel
def ray_mesh(m, d, geom, world, origin, direction, limit):
    """The triangles of a mesh, seen from any side, through its tree of boxes."""
    pos, mat, size, mesh = geom
    best, normal = no_hit(pos[0])
    box, _ = ray_box(pos, mat, size, origin, direction)
    if any_(box < 0.0):
        return best, normal
    p, v = to_local(pos, mat, origin, direction)
    inverse = (1.0 / v[0], 1.0 / v[1], 1.0 / v[2])
    across1, across2 = across(v)
    slack = BEYOND_SINGLE if is_single(best) else BEYOND
    root = m.mesh_bvhadr[mesh]
    nearest_face = -1
    d.ray_stack[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = root + d.ray_stack[waiting]
        enter, leave = box_interval(load6(m.bvh_aabb, node), p, inverse)
        if is_single(best):
            leave = leave + slack * abs_(leave)  # the box of a flat face has no thickness left
        is_beyond = or_(is_after(enter, best, slack), is_after(enter, limit, slack))
        if not any_(enter < leave) or any_(is_beyond):
            continue
        face = m.bvh_nodeid[node]
        if face >= 0:
            a, b, c = mesh_triangle(m, mesh, face)
            x = triangle_distance(a, b, c, p, v, across1, across2)
            if any_(is_nearer(x, best)):
                best, nearest_face = x, face
            continue
        for k in range(2):
            child = m.bvh_child[node, k]
            if child >= 0 and waiting < MAXTREEDEPTH:
                d.ray_stack[waiting] = child
                waiting += 1
    if nearest_face >= 0:
        a, b, c = mesh_triangle(m, mesh, nearest_face)
        normal = multiply_vector(mat, triangle_normal(a, b, c, best))
    return best, normal


@kernel
def mesh_triangle(m, mesh, face):
    """The corners of a face of a mesh, in double precision."""
    row = m.mesh_faceadr[mesh] + face
    return face_corner(m, mesh, row, 0), face_corner(m, mesh, row, 1), face_corner(m, mesh, row, 2)


@kernel
def face_corner(m, mesh, row, corner):
    """Position of a corner of a triangle, in double precision."""
    vertex = load3(m.mesh_vert, m.mesh_vertadr[mesh] + m.mesh_face[row, corner])
    return (widen(vertex[0]), widen(vertex[1]), widen(vertex[2]))
