"""Elements of flexes against convex shapes, by search: boxes, cylinders, ellipsoids, meshes, and other elements.

An element without its radius is a polytope: a segment, a triangle or a tetrahedron. While it is apart from the other
shape, its distance (`gjk`) less the radius is the answer. Where it overlaps another polytope the depth (`epa`) of the
two is found exactly, and the radius adds to it. What is left are round shapes, and flat elements that touch: the
penetration of the full shapes, with their radii.

One world at a time, in double precision (see `convex/support.py`).
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import abs_, narrow, sqrt, widen
from phalanx.algebra.vector import MINVAL, add, add_scaled, dot, normalize, scale, sub
from phalanx.collision.convex.convex import overlap, restore, shrink
from phalanx.collision.convex.epa import epa, set_witness
from phalanx.collision.convex.gjk import FAR, gjk
from phalanx.collision.convex.support import HULL_VERTEX, MESH, TYPE, VERTEX, search_tolerance, set_shape, widen3
from phalanx.collision.convex.table import support
from phalanx.collision.flex.flex_element import corner_at_hand
from phalanx.collision.flex.world_at_hand import at_hand, geom_at_hand
from phalanx.collision.table import put
from phalanx.tables.enums import GeomType
from phalanx.tables.geoms import POLYTOPES

#: A shape that is no geom (see `convex/table.py`): an element, whose corners are rows of `flex_corner`.
ELEMENT = 23
#: Corners of an element that there is room for.
CORNERS = 4
#: Most steps of the searches for the normal of an ellipsoid, and the change at which they end.
ELLIPSOID_STEPS, ELLIPSOID_TOLERANCE = 30, 1e-6


# --- an element as a convex shape


@support.row(ELEMENT)
@kernel
def support_element(m, d, side, direction):
    """The corner farthest along the direction."""
    first = CORNERS * side
    best, top = first, dot(load3(d.flex_corner, first), direction)
    for k in range(first + 1, first + d.convex_id[side, MESH]):
        height = dot(load3(d.flex_corner, k), direction)
        if height > top:
            best, top = k, height
    d.convex_id[side, VERTEX] = best
    return load3(d.flex_corner, best)


@kernel
def set_element(m, d, side, flex, element, margin):
    """Lay out an element as the shape of one side, with its radius and half of a margin around it."""
    corners = m.flex_dim[flex] + 1
    middle = (0.0, 0.0, 0.0)
    for k in range(corners):
        place = widen3(corner_at_hand(m, d, flex, element, k))
        store3(d.flex_corner, CORNERS * side + k, place)
        middle = add_scaled(middle, place, 1.0 / corners)
    # the search begins at a point of the shape
    store3(d.convex_pos, side, middle)
    store3(d.convex_size, side, (0.0, 0.0, 0.0))
    d.convex_inflate[side] = widen(at_hand(d, m.flex_radius[flex])) + 0.5 * margin
    d.convex_id[side, TYPE] = ELEMENT
    d.convex_id[side, MESH] = corners
    d.convex_id[side, VERTEX] = -1
    d.convex_id[side, HULL_VERTEX] = -1


# --- the search


@kernel
def has_faces(d, side):
    """Is a shape without its radius bounded by flat faces?"""
    kind = d.convex_id[side, TYPE]
    return kind == ELEMENT or kind == GeomType.HFIELD or kind in POLYTOPES


@kernel
def thicken(d, normal, radius0, radius1):
    """Move the nearest points of two shapes to their surfaces; they were found without the radii."""
    store3(d.convex_normal, 0, normal)
    store3(d.convex_x1, 0, add_scaled(load3(d.convex_x1, 0), normal, radius0))
    store3(d.convex_x2, 0, add_scaled(load3(d.convex_x2, 0), normal, -radius1))


@kernel
def element_overlap(m, d, tolerance):
    """Signed distance of the two shapes at hand, FAR if they do not touch; nearest points as `overlap` leaves them."""
    kind0, kind1 = d.convex_id[0, TYPE], d.convex_id[1, TYPE]
    inflate0, inflate1 = d.convex_inflate[0], d.convex_inflate[1]
    radius0, radius1 = shrink(d, 0), shrink(d, 1)
    radius = radius0 + radius1
    # without radii first: while the cores are apart, or both have faces, the answer is exact
    is_exact = has_faces(d, 0) and has_faces(d, 1)
    start = sub(load3(d.convex_pos, 0), load3(d.convex_pos, 1))
    distance, n, apart = gjk(m, d, start, 0.0 if is_exact else tolerance, radius, m.opt.ccd_iterations)
    is_apart = distance > tolerance and apart
    if distance == FAR:
        pass
    elif is_apart:
        thicken(d, normalize(sub(load3(d.convex_x2, 0), load3(d.convex_x1, 0))), radius0, radius1)
        distance = distance - radius
    elif is_exact and n == CORNERS:
        face = epa(m, d, n, MINVAL, m.opt.ccd_iterations, True)
        if face >= 0:
            distance, is_apart = set_witness(d, face) - radius, True
            thicken(d, load3(d.convex_normal, 0), radius0, radius1)
    restore(d, 0, kind0, inflate0)
    restore(d, 1, kind1, inflate1)
    if distance != FAR and not is_apart:
        distance, _ = overlap(m, d, tolerance, 0.0, m.opt.ccd_iterations)
    return distance if distance < 0.0 else FAR


@kernel
def put_found(d, k, dist):
    """Candidate k from the nearest points of the two shapes."""
    like = d.near_dist[k]
    x, y, z = scale(add(load3(d.convex_x1, 0), load3(d.convex_x2, 0)), 0.5)
    normal = load3(d.convex_normal, 0)
    pos = (narrow(like, x), narrow(like, y), narrow(like, z))
    put(d, k, narrow(like, dist), pos, (narrow(like, normal[0]), narrow(like, normal[1]), narrow(like, normal[2])))


# --- normals of round geoms, where a triangle meets them


@kernel
def cylinder_normal(size, point, normal):
    """Away from the axis, unless the point is near a cap; all in the frame of the cylinder. A rule of MuJoCo."""
    radius, half = size[0], size[1]
    height, away = abs_(point[2]), sqrt(point[0] * point[0] + point[1] * point[1])
    if height > 0.95 * half or abs_(half - height) < 0.25 * abs_(radius - away):
        return normal
    return normalize((point[0], point[1], 0.0))


@kernel
def normal_inside_ellipsoid(size, point, normal):
    """The normal where the ray along it leaves the ellipsoid, again and again until it is its own."""
    x, y, z = 1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2])
    rest = point[0] * point[0] * x + point[1] * point[1] * y + point[2] * point[2] * z - 1.0
    change, k = 1.0, 0
    while k < ELLIPSOID_STEPS and change >= ELLIPSOID_TOLERANCE:
        square = normal[0] * normal[0] * x + normal[1] * normal[1] * y + normal[2] * normal[2] * z
        slope = point[0] * normal[0] * x + point[1] * normal[1] * y + point[2] * normal[2] * z
        determinant = slope * slope - square * rest
        if determinant < MINVAL or square < MINVAL:
            return normal
        way = (sqrt(determinant) - slope) / square
        if way < 0.0:
            return normal
        there = add_scaled(point, normal, way)
        better = normalize((there[0] * x, there[1] * y, there[2] * z))
        step = sub(better, normal)
        change, normal = sqrt(dot(step, step)), better
        k += 1
    return normal


@kernel
def normal_outside_ellipsoid(size, point):
    """The normal at the nearest point of the ellipsoid: Newton's method for the multiplier of its equation."""
    x, y, z = size[0] * size[0], size[1] * size[1], size[2] * size[2]
    a, b, c = point[0] * point[0] * x, point[1] * point[1] * y, point[2] * point[2] * z
    multiplier, k, is_done = 0.0, 0, False
    while k < ELLIPSOID_STEPS and not is_done:
        p, q, r = 1.0 / (x + multiplier), 1.0 / (y + multiplier), 1.0 / (z + multiplier)
        value = a * p * p + b * q * q + c * r * r - 1.0
        slope = -2.0 * (a * p * p * p + b * q * q * q + c * r * r * r)
        is_done = value < ELLIPSOID_TOLERANCE or slope > -MINVAL or -value / slope < ELLIPSOID_TOLERANCE
        if not is_done:
            multiplier = multiplier - value / slope
        k += 1
    return normalize((point[0] / (x + multiplier), point[1] / (y + multiplier), point[2] / (z + multiplier)))


@kernel
def ellipsoid_normal(size, point, normal):
    """The normal of an ellipsoid near a point; all in the frame of the ellipsoid. A rule of MuJoCo."""
    x, y, z = point[0] / size[0], point[1] / size[1], point[2] / size[2]
    if x * x + y * y + z * z <= 1.0:
        return normal_inside_ellipsoid(size, point, normal)
    return normal_outside_ellipsoid(size, point)


@kernel
def set_round_normal(d, kind, geom):
    """Replace the normal that was found by that of a round geom: triangles have corners, round geoms do not."""
    if kind != GeomType.CYLINDER and kind != GeomType.ELLIPSOID:
        return
    pos, mat, size, _ = geom
    middle = scale(add(load3(d.convex_x1, 0), load3(d.convex_x2, 0)), 0.5)
    point = multiply_transposed(mat, sub(middle, pos))
    normal = multiply_transposed(mat, load3(d.convex_normal, 0))
    if kind == GeomType.CYLINDER:
        normal = cylinder_normal(size, point, normal)
    else:
        normal = ellipsoid_normal(size, point, normal)
    store3(d.convex_normal, 0, multiply_vector(mat, normal))


# --- colliders


@kernel
def wide_geom(m, d, geom):
    """A geom (pos, mat, size, dataid) in double precision."""
    pos, mat, size, dataid = geom_at_hand(m, d, geom)
    rows = widen3((mat[0], mat[1], mat[2])) + widen3((mat[3], mat[4], mat[5])) + widen3((mat[6], mat[7], mat[8]))
    return widen3(pos), rows, widen3(size), dataid


@part("mdiiip", "i")
def search_geom(m, d, geom, flex, element, margin):
    """How many candidates a convex geom has with an element: none or one."""
    margin, shape = widen(at_hand(d, margin)), wide_geom(m, d, geom)
    set_shape(m, d, 0, m.geom_type[geom], shape, 0.5 * margin)
    set_element(m, d, 1, flex, element, margin)
    distance = element_overlap(m, d, search_tolerance(m, d))
    if distance == FAR:
        return 0
    if m.flex_dim[flex] == 2:
        set_round_normal(d, m.geom_type[geom], shape)
    put_found(d, 0, margin + distance)
    return 1


@part("mdiiiip", "i")
def search_elements(m, d, flex1, element1, flex2, element2, margin):
    """How many candidates two elements have: none or one."""
    margin = widen(at_hand(d, margin))
    set_element(m, d, 0, flex1, element1, margin)
    set_element(m, d, 1, flex2, element2, margin)
    distance = element_overlap(m, d, search_tolerance(m, d))
    if distance == FAR:
        return 0
    put_found(d, 0, margin + distance)
    return 1
