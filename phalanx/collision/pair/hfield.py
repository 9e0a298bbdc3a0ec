"""Height fields against convex geoms.

A cell of the grid is two triangles, each the top of a prism that goes down to the base. Every prism under the other
geom is a convex shape of its own and makes at most one contact (`convex.overlap`), in the frame of the height field.
The cells may have any proportions; nothing is resampled.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector, transpose
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import lane_get, maximum, widen
from phalanx.algebra.vector import add, dot, scale, sub
from phalanx.collision.broad.terrain import points_below
from phalanx.collision.convex.convex import overlap
from phalanx.collision.convex.support import VERTEX, search_tolerance, set_shape, widen3
from phalanx.collision.convex.table import support
from phalanx.collision.table import collider, put_world
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import CONVEX, POLYTOPES
from phalanx.tables.sizes import MAXCONPAIR

#: Tolerance of the search between a prism and another polytope, which is finite.
EXACT = 1e-13


# --- the prism at hand: vertices 0 to 2 at the base, 3 to 5 above them


@support.row(GeomType.HFIELD)
@kernel
def support_prism(m, d, side, direction):
    """A vertex of the prism at hand, given in the frame of the height field: of the top or of the base."""
    first = 0 if direction[2] < 0.0 else 3
    best, top = first, dot(load3(d.prism_vertex, first), direction)
    for vertex in range(first + 1, first + 3):
        height = dot(load3(d.prism_vertex, vertex), direction)
        if height > top:
            best, top = vertex, height
    d.convex_id[side, VERTEX] = best
    return load3(d.prism_vertex, best)


@kernel
def push_column(d, x, y, bottom, top):
    """Replace the oldest of the three columns of the prism."""
    for k in range(2):
        store3(d.prism_vertex, k, load3(d.prism_vertex, k + 1))
        store3(d.prism_vertex, k + 3, load3(d.prism_vertex, k + 4))
    store3(d.prism_vertex, 2, (x, y, bottom))
    store3(d.prism_vertex, 5, (x, y, top))


@kernel
def prism_center(d):
    """Mean of the six vertices."""
    total = load3(d.prism_vertex, 0)
    for k in range(1, 6):
        total = add(total, load3(d.prism_vertex, k))
    return scale(total, 1.0 / 6.0)


@kernel
def prism_top(d):
    """The highest of the three upper vertices."""
    return maximum(maximum(d.prism_vertex[3, 2], d.prism_vertex[4, 2]), d.prism_vertex[5, 2])


# --- the grid


@kernel
def field_sizes(m, d, field):
    """Half extents in x and y, elevation scale and depth of the base, as the world at hand has them."""
    size = m.hfield_size
    world = d.near_world[0]
    return (
        widen(lane_get(size[field, 0], world)), widen(lane_get(size[field, 1], world)),
        widen(lane_get(size[field, 2], world)), widen(lane_get(size[field, 3], world)),
    )  # fmt: skip


@kernel
def push_grid_point(m, d, field, sizes, row, column):
    """Continue the prism at a point of the grid."""
    rows, columns = m.hfield_nrow[field], m.hfield_ncol[field]
    elevation = widen(m.hfield_data[m.hfield_adr[field] + row * columns + column])
    x = 2.0 * sizes[0] / (columns - 1) * column - sizes[0]
    y = 2.0 * sizes[1] / (rows - 1) * row - sizes[1]
    push_column(d, x, y, -sizes[3], elevation * sizes[2])


@kernel
def box_of_shape(m, d, kind):
    """(lower, upper) corner of the box around the second shape, in the frame of the height field."""
    x1, x0 = support(kind, m, d, 1, (1.0, 0.0, 0.0)), support(kind, m, d, 1, (-1.0, 0.0, 0.0))
    y1, y0 = support(kind, m, d, 1, (0.0, 1.0, 0.0)), support(kind, m, d, 1, (0.0, -1.0, 0.0))
    z1, z0 = support(kind, m, d, 1, (0.0, 0.0, 1.0)), support(kind, m, d, 1, (0.0, 0.0, -1.0))
    return (x0[0], y0[1], z0[2]), (x1[0], y1[1], z1[2])


@kernel
def set_field_and_geom(m, d, field, kind, geom, margin):
    """Lay out a prism without vertices and the geom, both in the frame of the height field and inflated."""
    pos, mat, size, dataid = geom
    set_shape(m, d, 0, GeomType.HFIELD, field, 0.5 * margin)
    frame = transpose(field[1])
    local = (multiply_transposed(field[1], sub(pos, field[0])), matmul(frame, mat), size, dataid)
    set_shape(m, d, 1, kind, local, 0.5 * margin)


@kernel
def prism_contact(m, d, k, field, tolerance, margin):
    """How many contacts there are after the prism at hand, which may be contact k."""
    store3(d.convex_pos, 0, prism_center(d))
    distance, _ = overlap(m, d, tolerance, 0.0, m.opt.ccd_iterations)
    if not distance < 0.0:
        return k
    pos = scale(add(load3(d.convex_x1, 0), load3(d.convex_x2, 0)), 0.5)
    normal = multiply_vector(field[1], load3(d.convex_normal, 0))
    put_world(d, k, margin + distance, add(field[0], multiply_vector(field[1], pos)), normal)
    return k + 1


@kernel
def hfield_contacts(m, d, field, kind, geom, margin):
    """How many contacts a height field has with a convex geom: one per prism, row by row."""
    margin = widen(margin)
    field = (widen3(field[0]), widen9(field[1]), field[2], field[3])
    geom = (widen3(geom[0]), widen9(geom[1]), geom[2], geom[3])
    set_field_and_geom(m, d, field, kind, geom, margin)
    sizes, dataid = field_sizes(m, d, field[3]), field[3]
    lower, upper = box_of_shape(m, d, kind)
    if lower[2] - margin > sizes[2] or upper[2] + margin < -sizes[3]:
        return 0
    column0, column1 = points_below(lower[0] - margin, upper[0] + margin, sizes[0], m.hfield_ncol[dataid])
    row0, row1 = points_below(lower[1] - margin, upper[1] + margin, sizes[1], m.hfield_nrow[dataid])
    first_column, last_column, first_row, last_row = int(column0), int(column1), int(row0), int(row1)
    is_polytope = kind in POLYTOPES and margin == 0.0
    tolerance = EXACT if is_polytope else search_tolerance(m, d)
    count = 0
    for row in range(first_row, last_row):
        push_grid_point(m, d, dataid, sizes, row + 1, first_column)
        push_grid_point(m, d, dataid, sizes, row, first_column)
        for point in range(2 * (first_column + 1), 2 * (last_column + 1)):
            push_grid_point(m, d, dataid, sizes, row + 1 - point % 2, point // 2)
            if count < MAXCONPAIR and not prism_top(d) < lower[2] - margin:
                count = prism_contact(m, d, count, field, tolerance, margin)
    return count


@kernel
def widen9(a):
    """A matrix in double precision."""
    return widen3((a[0], a[1], a[2])) + widen3((a[3], a[4], a[5])) + widen3((a[6], a[7], a[8]))


def hfield_collider(second: GeomType) -> Kernel:
    """File the collider of a height field and a type of convex geom."""
    kind = int(second)

    @kernel
    def hfield_pair(m, d, first, second, margin):
        return hfield_contacts(m, d, first, kind, second, margin)

    return collider(GeomType.HFIELD, second, max_contacts=MAXCONPAIR, world_by_world=True)(hfield_pair)


for _second in CONVEX:
    hfield_collider(_second)
