"""Elements of flexes against height fields and signed distance fields.

Prisms of a height field are convex shapes: each that is under an element may have a contact with it, in the frame of
the field. Triangles of a flex are searched for where a signed distance is least, as triangles of meshes are; each has
one contact at most, and the radius of the flex does not count.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import maximum, minimum, narrow, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, norm, normalize, scale, sub
from phalanx.collision.broad.terrain import points_below
from phalanx.collision.convex.gjk import FAR
from phalanx.collision.convex.support import search_tolerance, set_shape, widen3
from phalanx.collision.flex.element_trees import flex_box
from phalanx.collision.flex.flex_element import corner_at_hand
from phalanx.collision.flex.search import CORNERS, element_overlap, set_element, wide_geom
from phalanx.collision.flex.world_at_hand import at_hand
from phalanx.collision.pair.hfield import field_sizes, prism_center, prism_top, push_grid_point
from phalanx.collision.sdf.grid_pair import SAME, place_of
from phalanx.collision.sdf.mesh_pair import deepest_point, may_touch, surface_slope, value_at
from phalanx.collision.sdf.pair import box_of, field_of, halton, has_field, is_grid
from phalanx.collision.table import put
from phalanx.tables.enums import GeomType
from phalanx.tables.scratch_fields import SDF_STACK
from phalanx.tables.sizes import MAXCONPAIR


@kernel
def put_wide(d, k, dist, pos, normal):
    """Candidate k, from numbers in double precision."""
    like = d.near_dist[k]
    put(
        d,
        k,
        narrow(like, dist),
        (narrow(like, pos[0]), narrow(like, pos[1]), narrow(like, pos[2])),
        (narrow(like, normal[0]), narrow(like, normal[1]), narrow(like, normal[2])),
    )


# --- height fields


@kernel
def move_to_field(m, d, field, flex):
    """Take the element of side 1 to the frame of the height field; returns its lowest and highest corner there."""
    pos, mat, _, _ = field
    store3(d.convex_pos, 1, multiply_transposed(mat, sub(load3(d.convex_pos, 1), pos)))
    low = multiply_transposed(mat, sub(load3(d.flex_corner, CORNERS), pos))
    high = low
    for k in range(CORNERS, CORNERS + m.flex_dim[flex] + 1):
        place = multiply_transposed(mat, sub(load3(d.flex_corner, k), pos))
        store3(d.flex_corner, k, place)
        low = (minimum(low[0], place[0]), minimum(low[1], place[1]), minimum(low[2], place[2]))
        high = (maximum(high[0], place[0]), maximum(high[1], place[1]), maximum(high[2], place[2]))
    return low, high


@kernel
def prism_candidate(m, d, count, field, margin):
    """How many candidates there are after the prism at hand."""
    store3(d.convex_pos, 0, prism_center(d))
    distance = element_overlap(m, d, search_tolerance(m, d))
    if distance == FAR:
        return count
    pos = scale(add(load3(d.convex_x1, 0), load3(d.convex_x2, 0)), 0.5)
    normal = multiply_vector(field[1], load3(d.convex_normal, 0))
    put_wide(d, count, margin + distance, add(field[0], multiply_vector(field[1], pos)), normal)
    return count + 1


@part("mdiiip", "i")
def search_field(m, d, geom, flex, element, margin):
    """How many candidates a height field has with an element: one per prism, row by row."""
    count = 0
    margin, field = widen(at_hand(d, margin)), wide_geom(m, d, geom)
    set_shape(m, d, 0, GeomType.HFIELD, field, 0.5 * margin)
    set_element(m, d, 1, flex, element, margin)
    low, high = move_to_field(m, d, field, flex)
    sizes, dataid, reach = field_sizes(m, d, field[3]), field[3], widen(at_hand(d, m.flex_radius[flex])) + margin
    if low[2] - reach > sizes[2] or high[2] + reach < -sizes[3]:
        return count
    column0, column1 = points_below(low[0] - reach, high[0] + reach, sizes[0], m.hfield_ncol[dataid])
    row0, row1 = points_below(low[1] - reach, high[1] + reach, sizes[1], m.hfield_nrow[dataid])
    first_column, last_column, first_row, last_row = int(column0), int(column1), int(row0), int(row1)
    for row in range(first_row, last_row):
        push_grid_point(m, d, dataid, sizes, row + 1, first_column)
        push_grid_point(m, d, dataid, sizes, row, first_column)
        for point in range(2 * (first_column + 1), 2 * (last_column + 1)):
            push_grid_point(m, d, dataid, sizes, row + 1 - point % 2, point // 2)
            if count < MAXCONPAIR and not prism_top(d) < low[2] - reach:
                count = prism_candidate(m, d, count, field, margin)
    return count


# --- signed distance fields


@kernel
def corner_in_field(m, d, shape, flex, element, k):
    """Corner k of an element in the frame of a signed distance field."""
    return multiply_transposed(shape[1], sub(widen3(corner_at_hand(m, d, flex, element, k)), shape[0]))


@kernel
def deepest_of_triangle(m, d, field, a, b, c, margin):
    """(is there one, distance, point): the deepest of the points that searches on a triangle end at."""
    found, best, place = False, margin, a
    if may_touch(m, d, field, a, b, c, margin):
        for k in range(maximum(1, m.opt.sdf_initpoints)):
            u, v = halton(k + 1, 2), halton(k + 1, 3)
            if u + v > 1.0:
                u, v = 1.0 - u, 1.0 - v
            start = add_scaled(add_scaled(scale(a, 1.0 - u - v), b, u), c, v)
            point = deepest_point(m, d, field, a, b, c, start)
            dist = value_at(m, d, field, point)
            if dist < best:
                found, best, place = True, dist, point
    return found, best, place


@kernel
def triangle_candidate(m, d, field, shape, flex, element, margin, same, counts):
    """(how many candidates there are, how many triangles had one) after a triangle of a flex."""
    count, seen = counts
    a = corner_in_field(m, d, shape, flex, element, 0)
    b = corner_in_field(m, d, shape, flex, element, 1)
    c = corner_in_field(m, d, shape, flex, element, 2)
    found, dist, point = deepest_of_triangle(m, d, field, a, b, c, margin)
    if not found or seen >= MAXCONPAIR:
        return count, seen
    slope = surface_slope(m, d, field, point)
    if place_of(d, count, point, same) != count or norm(slope) < MINVAL:
        # neighbors find the same point; MuJoCo has counted it then
        return count, (count if same > MINVAL else seen + 1)
    store3(d.sdf_point, count, point)
    d.sdf_dist[count] = dist
    d.flex_found[count] = element
    axis = multiply_vector(shape[1], normalize(slope))
    pos = add(multiply_vector(shape[1], point), shape[0])
    put_wide(d, count, dist, add_scaled(pos, axis, -0.5 * dist), axis)
    return count + 1, seen + 1


@part("mdiip", "i")
def search_sdf(m, d, geom, flex, margin):
    """How many candidates a signed distance field has with the triangles of a flex; elements are in `flex_found`."""
    counts = (0, 0)
    shape = wide_geom(m, d, geom)
    if not has_field(m, shape[3]) or m.flex_dim[flex] != 2:
        return 0
    field = field_of(m, GeomType.SDF, shape)
    # MuJoCo looks at no margin; a grid does
    reach = widen(at_hand(d, margin)) if is_grid(m, shape[3]) else 0.0
    _, half = box_of(m, field)
    same = SAME * norm(half) if is_grid(m, shape[3]) else MINVAL
    root = m.flex_bvhadr[flex]
    if root < 0:
        for element in range(m.flex_elemnum[flex]):
            counts = triangle_candidate(m, d, field, shape, flex, element, reach, same, counts)
        return counts[0]
    waiting = 1
    d.sdf_stack[0] = 0
    while waiting > 0:
        waiting -= 1
        node = root + d.sdf_stack[waiting]
        box = flex_box(m, d, node)
        center = multiply_transposed(shape[1], sub(widen3((box[0], box[1], box[2])), shape[0]))
        # the ball around a box of the tree that the field is farther from holds no contact
        if value_at(m, d, field, center) < norm(widen3((box[3], box[4], box[5]))) + reach:
            element = m.bvh_nodeid[node]
            if element >= 0:
                counts = triangle_candidate(m, d, field, shape, flex, element, reach, same, counts)
            else:
                for k in range(2):
                    child = m.bvh_child[node, k]
                    if child >= 0 and waiting < SDF_STACK:
                        d.sdf_stack[waiting] = child
                        waiting += 1
    return counts[0]
