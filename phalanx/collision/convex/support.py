"""Support functions: the point of a convex shape that lies farthest along a direction.

Two shapes at a time are laid out in the working memory of a collision (side 0 and side 1, `set_shape`), in double
precision whatever the precision of the physics: the searches built on support points compare nearly equal numbers, and
a mesh has single precision to begin with. One world at a time; nothing here runs in lanes.

The rows of the table `support` in `shape_tables.py`, and the support points of the difference of the two shapes.

A shape may be inflated: every support point is moved by `convex_inflate[side]` along the direction.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load9, store3, store9
from phalanx.algebra.number import lane_get, sqrt, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, multiply_elements, negate, scale, sub
from phalanx.collision.convex.table import SEGMENT, support
from phalanx.tables.enums import GeomType

#: Columns of `convex_id`: type of the shape, its mesh, the vertex (of the mesh, or corner of the box) found last, and
#: the same vertex by its number in the hull, both -1 before the first search.
TYPE, MESH, VERTEX, HULL_VERTEX = 0, 1, 2, 3

#: Meshes with fewer vertices are searched from end to end; larger ones by walking along the edges of the hull.
WALK_FROM = 10
#: A direction component beyond this counts as +1 or -1 in the grid of starting points.
GRID = 0.4


# --- the two shapes at hand


@kernel
def widen3(v):
    return (widen(v[0]), widen(v[1]), widen(v[2]))


@kernel
def search_tolerance(m, d):
    """How accurate a search must be in the world at hand."""
    return widen(lane_get(m.opt.ccd_tolerance, d.near_world[0]))


@kernel
def set_shape(m, d, side, kind, geom, inflate):
    """Lay out a geom, a tuple (pos, mat, size, dataid), as the shape of one side."""
    pos, mat, size, dataid = geom
    store3(d.convex_pos, side, widen3(pos))
    row = widen3((mat[0], mat[1], mat[2])) + widen3((mat[3], mat[4], mat[5])) + widen3((mat[6], mat[7], mat[8]))
    store9(d.convex_mat, side, row)
    store3(d.convex_size, side, widen3(size))
    d.convex_inflate[side] = inflate
    d.convex_id[side, TYPE] = kind
    d.convex_id[side, MESH] = dataid
    d.convex_id[side, VERTEX] = -1
    d.convex_id[side, HULL_VERTEX] = -1


@kernel
def to_world(d, side, point):
    return add(multiply_vector(load9(d.convex_mat, side), point), load3(d.convex_pos, side))


@kernel
def direction_in_shape(d, side, direction):
    return multiply_transposed(load9(d.convex_mat, side), direction)


@kernel
def to_shape(d, side, point):
    """A world point in the frame of the shape."""
    return direction_in_shape(d, side, sub(point, load3(d.convex_pos, side)))


# --- rows


@support.row(SEGMENT)
@kernel
def support_segment(m, d, side, direction):
    mat = load9(d.convex_mat, side)
    half = d.convex_size[side, 1]
    along = mat[2] * direction[0] + mat[5] * direction[1] + mat[8] * direction[2]
    return add_scaled(load3(d.convex_pos, side), (mat[2], mat[5], mat[8]), half if along >= 0.0 else -half)


@support.row(GeomType.SPHERE)
@kernel
def support_sphere(m, d, side, direction):
    return add_scaled(load3(d.convex_pos, side), direction, d.convex_size[side, 0])


@support.row(GeomType.CAPSULE)
@kernel
def support_capsule(m, d, side, direction):
    local = direction_in_shape(d, side, direction)
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    end = half if local[2] >= 0.0 else -half
    return to_world(d, side, (local[0] * radius, local[1] * radius, local[2] * radius + end))


@support.row(GeomType.ELLIPSOID)
@kernel
def support_ellipsoid(m, d, side, direction):
    size = load3(d.convex_size, side)
    on_ball = multiply_elements(direction_in_shape(d, side, direction), size)
    length = sqrt(on_ball[0] * on_ball[0] + on_ball[1] * on_ball[1] + on_ball[2] * on_ball[2])
    if length < MINVAL:
        return to_world(d, side, (size[0], 0.0, 0.0))
    return to_world(d, side, multiply_elements(on_ball, scale(size, 1.0 / length)))


@support.row(GeomType.CYLINDER)
@kernel
def support_cylinder(m, d, side, direction):
    local = direction_in_shape(d, side, direction)
    radius, half = d.convex_size[side, 0], d.convex_size[side, 1]
    across = sqrt(local[0] * local[0] + local[1] * local[1])
    stretch = radius / across if across >= MINVAL else 0.0
    return to_world(d, side, (local[0] * stretch, local[1] * stretch, half if local[2] >= 0.0 else -half))


@support.row(GeomType.BOX)
@kernel
def support_box(m, d, side, direction):
    """The corner, whose number has bit k set where coordinate k is positive."""
    local = direction_in_shape(d, side, direction)
    size = load3(d.convex_size, side)
    corner = 0
    x, y, z = -size[0], -size[1], -size[2]
    if local[0] >= 0.0:
        x, corner = size[0], corner + 1
    if local[1] >= 0.0:
        y, corner = size[1], corner + 2
    if local[2] >= 0.0:
        z, corner = size[2], corner + 4
    d.convex_id[side, VERTEX] = corner
    return to_world(d, side, (x, y, z))


# --- meshes


@kernel
def height(m, vertex, direction):
    """How far a vertex of a mesh lies along a direction."""
    v = load3(m.mesh_vert, vertex)
    return direction[0] * widen(v[0]) + direction[1] * widen(v[1]) + direction[2] * widen(v[2])


@kernel
def mesh_vertex(m, d, side, vertex):
    """World position of a vertex, given by its number in the mesh of the shape."""
    v = load3(m.mesh_vert, m.mesh_vertadr[d.convex_id[side, MESH]] + vertex)
    return to_world(d, side, (widen(v[0]), widen(v[1]), widen(v[2])))


@support.row(GeomType.MESH)
@kernel
def support_mesh(m, d, side, direction):
    local = direction_in_shape(d, side, direction)
    mesh = d.convex_id[side, MESH]
    if m.mesh_graphadr[mesh] < 0 or m.mesh_vertnum[mesh] < WALK_FROM:
        best = highest_vertex(m, mesh, local, d.convex_id[side, VERTEX])
    else:
        seed = walk_uphill(m, mesh, local, d.convex_id[side, HULL_VERTEX])
        d.convex_id[side, HULL_VERTEX] = seed
        graph = m.mesh_graphadr[mesh]
        best = m.mesh_graph[graph + 2 + m.mesh_graph[graph] + seed]
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
def grid_cell(x):
    """0, 1, 2 for a component that is clearly negative, small, clearly positive."""
    if x > GRID:
        return 2
    return 0 if x < -GRID else 1


@kernel
def walk_uphill(m, mesh, direction, known):
    """Walk along the edges of the hull as long as there is a higher neighbor; vertices by their number in the hull.

    Starts from the better of the vertex found last time and the extreme one of the nearest of 27 directions.
    """
    first, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    num = m.mesh_graph[graph]
    edgeadr, vertex_of, edges = graph + 2, graph + 2 + num, graph + 2 + 2 * num
    cell = grid_cell(direction[0]) * 9 + grid_cell(direction[1]) * 3 + grid_cell(direction[2])
    best = m.mesh_extrema[mesh, cell]
    top = height(m, first + m.mesh_graph[vertex_of + best], direction)
    if known >= 0:
        h = height(m, first + m.mesh_graph[vertex_of + known], direction)
        if h >= top:
            best, top = known, h
    previous = -1
    while best != previous:
        previous = best
        edge = edges + m.mesh_graph[edgeadr + best]
        neighbor = m.mesh_graph[edge]
        while neighbor >= 0:
            h = height(m, first + m.mesh_graph[vertex_of + neighbor], direction)
            if h > top:
                best, top = neighbor, h
            edge += 1
            neighbor = m.mesh_graph[edge]
    return best


# --- the difference of the two shapes


@kernel
def difference_support(m, d, k, direction):
    """Vertex k of the pool: the point of the difference, first shape minus second, farthest along a unit vector."""
    back = negate(direction)
    first = support(d.convex_id[0, TYPE], m, d, 0, direction)
    first = add_scaled(first, direction, d.convex_inflate[0])
    second = support(d.convex_id[1, TYPE], m, d, 1, back)
    second = add_scaled(second, back, d.convex_inflate[1])
    store3(d.convex_first, k, first)
    store3(d.convex_second, k, second)
    store3(d.convex_vertex, k, sub(first, second))
    d.convex_vertexid[k, 0] = d.convex_id[0, VERTEX]
    d.convex_vertexid[k, 1] = d.convex_id[1, VERTEX]


@kernel
def copy_vertex(d, to, k):
    store3(d.convex_first, to, load3(d.convex_first, k))
    store3(d.convex_second, to, load3(d.convex_second, k))
    store3(d.convex_vertex, to, load3(d.convex_vertex, k))
    d.convex_vertexid[to, 0] = d.convex_vertexid[k, 0]
    d.convex_vertexid[to, 1] = d.convex_vertexid[k, 1]
