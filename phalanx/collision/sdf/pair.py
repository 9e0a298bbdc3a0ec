"""What the searches for contacts of signed distance fields share: the two fields at hand and where to begin.

A pair of fields is a tuple (second, first, mat, pos). The search runs in the frame of the second geom, which is always
an SDF; `mat` and `pos` take a point from there to the frame of the first. In double precision, one world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import matmul, multiply_transposed, multiply_vector, transpose
from phalanx.algebra.memory import load6
from phalanx.algebra.number import abs_, maximum, minimum
from phalanx.algebra.vector import add, normalize, scale, sub
from phalanx.collision.convex.support import widen3
from phalanx.collision.geom.table import bounds
from phalanx.collision.pair.hfield import widen9
from phalanx.collision.sdf.table import GRID, PLUGIN, TRUE_BOX, field_gradient, field_value
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import GROUND

#: Half size of a shape without end.
ENDLESS = 1e10


# --- fields


@kernel
def is_grid(m, dataid):
    """Is the field a grid? Ids of meshes come first."""
    return dataid >= m.nmesh and dataid < m.nmesh + m.ngrid


@kernel
def is_plugin(m, dataid):
    """Is the field that of a plugin? Their ids come last."""
    return dataid >= m.nmesh + m.ngrid


@kernel
def mesh_of(m, dataid):
    """The mesh that a field without a grid has been made from, or has been made of it."""
    return m.geom_dataid[dataid - m.nmesh - m.ngrid] if is_plugin(m, dataid) else dataid


@kernel
def has_field(m, dataid):
    """Is there an octree, a grid or a plugin of this id?"""
    if dataid < 0:
        return False
    if dataid < m.nmesh:
        return m.mesh_octadr[dataid] >= 0
    return True


@kernel
def field_of(m, kind, geom):
    """The field of a geom, as MuJoCo defines it where it does."""
    dataid, size = geom[3], widen3(geom[2])
    if kind == GeomType.SDF and is_plugin(m, dataid):
        return PLUGIN, size, dataid - m.nmesh - m.ngrid
    return (GRID if kind == GeomType.SDF and is_grid(m, dataid) else kind), size, dataid


@kernel
def with_true_distance(field):
    """The same field, with the distance to the surface inside too."""
    return (TRUE_BOX if field[0] == GeomType.BOX else field[0]), field[1], field[2]


@kernel
def widened(geom):
    """A geom (pos, mat, size, dataid) with its frame in double precision."""
    return widen3(geom[0]), widen9(geom[1]), geom[2], geom[3]


@kernel
def pair_of(first_field, first, second_field, second):
    """The pair of two fields of geoms in double precision."""
    back = transpose(first[1])
    return second_field, first_field, matmul(back, second[1]), multiply_transposed(first[1], sub(second[0], first[0]))


@kernel
def in_first(pair, point):
    """A point in the frame of the first geom."""
    return add(multiply_vector(pair[2], point), pair[3])


@kernel
def values(m, d, pair, point):
    """Distances to the second and to the first surface."""
    second, first = pair[0], pair[1]
    there = in_first(pair, point)
    return (
        field_value(second[0], m, d, second[1], second[2], point),
        field_value(first[0], m, d, first[1], first[2], there),
    )


@kernel
def gradients(m, d, pair, point):
    """Gradients of both distances in the frame of the second geom."""
    second, first = pair[0], pair[1]
    there = in_first(pair, point)
    return (
        field_gradient(second[0], m, d, second[1], second[2], point),
        multiply_transposed(pair[2], field_gradient(first[0], m, d, first[1], first[2], there)),
    )


@kernel
def unit_gradient(m, d, field, point):
    """Direction in which the distance grows."""
    return normalize(field_gradient(field[0], m, d, field[1], field[2], point))


@kernel
def mean_gradient(m, d, field, point, reach):
    """Mean of unit gradients around a point: between two faces, a direction between their normals, and shorter."""
    total = unit_gradient(m, d, field, point)
    for sign in range(-1, 2, 2):
        step = sign * reach
        total = add(total, unit_gradient(m, d, field, (point[0] + step, point[1], point[2])))
        total = add(total, unit_gradient(m, d, field, (point[0], point[1] + step, point[2])))
        total = add(total, unit_gradient(m, d, field, (point[0], point[1], point[2] + step)))
    return scale(total, 1.0 / 7.0)


# --- where to begin


@kernel
def box_of(m, field):
    """(center, half sizes) of the box around the inside of a field, in its frame."""
    kind, size, dataid = field
    if kind == GRID:
        box = load6(m.grid_aabb, dataid - m.nmesh)
        return (box[0], box[1], box[2]), (box[3], box[4], box[5])
    if kind in (GeomType.SDF, PLUGIN):
        mesh = m.geom_dataid[dataid] if kind == PLUGIN else dataid
        box = load6(m.bvh_aabb, m.mesh_bvhadr[mesh])
        return (box[0], box[1], box[2]), (box[3], box[4], box[5])
    if kind in GROUND:
        return (0.0, 0.0, 0.0), (ENDLESS, ENDLESS, ENDLESS)
    box, _ = bounds(kind, size)
    return (box[0], box[1], box[2]), (box[3], box[4], box[5])


@kernel
def shared_box(m, pair, margin):
    """(lower, upper) corner of where the boxes of both fields overlap, in the frame of the first geom."""
    second, first, mat, pos = pair
    center, half = box_of(m, second)
    center = add(multiply_vector(mat, center), pos)
    reach = (
        abs_(mat[0]) * half[0] + abs_(mat[1]) * half[1] + abs_(mat[2]) * half[2] + margin,
        abs_(mat[3]) * half[0] + abs_(mat[4]) * half[1] + abs_(mat[5]) * half[2] + margin,
        abs_(mat[6]) * half[0] + abs_(mat[7]) * half[1] + abs_(mat[8]) * half[2] + margin,
    )
    middle, size = box_of(m, first)
    lower, upper = sub(center, reach), add(center, reach)
    low, high = sub(middle, size), add(middle, size)
    return (
        (maximum(lower[0], low[0]), maximum(lower[1], low[1]), maximum(lower[2], low[2])),
        (minimum(upper[0], high[0]), minimum(upper[1], high[1]), minimum(upper[2], high[2])),
    )


@kernel
def is_empty(lower, upper):
    """Is there nothing between two corners of a box?"""
    return upper[0] < lower[0] or upper[1] < lower[1] or upper[2] < lower[2]


@kernel
def halton(k, base):
    """Element k of a sequence that fills the interval from 0 to 1 evenly."""
    part, total = 1.0 / base, 0.0
    while k > 0:
        total += part * (k % base)
        part /= base
        k //= base
    return total


@kernel
def start_point(pair, lower, upper, k):
    """Point k of a sequence that fills the box evenly, in the frame of the second geom."""
    place = (
        lower[0] + (upper[0] - lower[0]) * halton(k, 2),
        lower[1] + (upper[1] - lower[1]) * halton(k, 3),
        lower[2] + (upper[2] - lower[2]) * halton(k, 5),
    )
    return multiply_transposed(pair[2], sub(place, pair[3]))
