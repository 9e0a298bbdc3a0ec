"""Box against box: fifteen candidate axes, then a clipped face or a pair of edges. One world at a time.

Two boxes overlap if no axis separates them: three face normals of each box, and the cross products of their edges. The
axis of least overlap says what touches. If it is a face normal, the facing face of the other box is clipped to that
face and every corner that is left near it is a contact. If it is a pair of edges, their closest points are the contact.

Sums are in MuJoCo's order: boxes of a model are often parallel, and then rounding decides between equal axes.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, matmul, multiply_transposed, multiply_vector, transpose, where9
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import abs_, and_, any_, clamp, is_single, maximum, minimum, or_, splat, sqrt, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, dot, negate, normalize, sub, where3
from phalanx.collision.table import collider, put_world
from phalanx.tables.enums import GeomType

#: Most contacts of a pair.
MAX_CONTACTS = 8
#: Most corners of a clipped face that are kept; rounding may give more than the eight of exact arithmetic.
MAX_CORNERS = 12

# what a comparison allows for rounding, in float64 and float32
#: Separation, per sum of all half sizes.
SEPARATION_SLACK, SEPARATION_SLACK_SINGLE = 1e-13, 1e-6
#: Squared sine of the angle between two edges too parallel to span an axis.
PARALLEL, PARALLEL_SINGLE = 1e-16, 1e-7
#: Component of the axis too small to say which of two edges is nearer.
AMBIGUOUS, AMBIGUOUS_SINGLE = 1e-9, 1e-5
#: Squared distance of corners that are one, per squared size of the face.
SAME_CORNER, SAME_CORNER_SINGLE = 1e-14, 1e-10

#: An edge axis must beat what is best so far by this part of its separation.
EDGE_BIAS = 1e-6
#: An edge axis this parallel to the best face normal ...
FACE_LIKE = 0.99
#: ... must beat it by this part of the face's separation, else the face is taken.
FACE_BIAS = 0.05

#: Kinds of axis: 0-2 faces of the first box, 3-5 of the second, 6 + 3 i + j edge i of the first with j of the second.
FIRST_EDGE = 6
SEPARATED = -1
LOWEST = -1e10


@collider(GeomType.BOX, GeomType.BOX, max_contacts=MAX_CONTACTS, world_by_world=True)
@kernel
def box_box(m, d, first, second, margin):
    """The axis that separates the boxes most: two edges touch in one point, or a face is clipped by another."""
    pos1, mat1, size1, _ = first
    pos2, mat2, size2, _ = second
    # the second box in the frame of the first, and the center of the first in the frame of the second
    rotation = matmul(transpose(mat1), mat2)
    center2 = multiply_transposed(mat1, sub(pos2, pos1))
    center1 = multiply_transposed(mat2, sub(pos1, pos2))
    slack = SEPARATION_SLACK_SINGLE if is_single(pos1[0]) else SEPARATION_SLACK
    limit = margin + slack * (size1[0] + size1[1] + size1[2] + size2[0] + size2[1] + size2[2])

    face, face_separation = best_face(rotation, center1, center2, size1, size2, limit)
    if face == SEPARATED:
        return 0
    axis, separation = best_edge(rotation, center2, size1, size2, limit, face_separation)
    if axis == SEPARATED:
        return 0
    if axis >= FIRST_EDGE and not is_face_like(rotation, axis, separation, face, face_separation):
        return edge_contact(d, pos1, mat1, rotation, center2, size1, size2, axis, limit, margin)
    return face_contacts(d, first, second, rotation, center1, center2, face, margin)


# --- small vectors, by an index of the data


@kernel
def at(v, k):
    """Element k."""
    return where(k == 0, v[0], where(k == 1, v[1], v[2]))


@kernel
def replaced(v, k, value):
    """The vector with element k replaced."""
    return (where(k == 0, value, v[0]), where(k == 1, value, v[1]), where(k == 2, value, v[2]))


@kernel
def cycled(v, k):
    """The vector from element k on, in a circle."""
    return (
        where(k == 0, v[0], where(k == 1, v[1], v[2])),
        where(k == 0, v[1], where(k == 1, v[2], v[0])),
        where(k == 0, v[2], where(k == 1, v[0], v[1])),
    )


@kernel
def cycled_rows(a, k):
    """The three rows of a matrix from row k on."""
    r0, r1, r2 = (a[0], a[1], a[2]), (a[3], a[4], a[5]), (a[6], a[7], a[8])
    return (
        where3(k == 0, r0, where3(k == 1, r1, r2)),
        where3(k == 0, r1, where3(k == 1, r2, r0)),
        where3(k == 0, r2, where3(k == 1, r0, r1)),
    )


@kernel
def abs3(v):
    """Absolute values of the elements."""
    return (abs_(v[0]), abs_(v[1]), abs_(v[2]))


# --- which axis separates most


@kernel
def best_face(rotation, center1, center2, size1, size2, limit):
    """(axis, separation) of the face normal that separates most; SEPARATED if one separates beyond the limit."""
    r = rotation
    x1 = abs_(center2[0]) - size1[0] - dot(abs3((r[0], r[1], r[2])), size2)
    y1 = abs_(center2[1]) - size1[1] - dot(abs3((r[3], r[4], r[5])), size2)
    z1 = abs_(center2[2]) - size1[2] - dot(abs3((r[6], r[7], r[8])), size2)
    if any_(maximum(maximum(x1, y1), z1) > limit):
        return SEPARATED, x1
    x2 = abs_(center1[0]) - size2[0] - dot(abs3((r[0], r[3], r[6])), size1)
    y2 = abs_(center1[1]) - size2[1] - dot(abs3((r[1], r[4], r[7])), size1)
    z2 = abs_(center1[2]) - size2[2] - dot(abs3((r[2], r[5], r[8])), size1)
    if any_(maximum(maximum(x2, y2), z2) > limit):
        return SEPARATED, x2
    # the first of equals wins
    axis, best = SEPARATED, splat(x1, LOWEST)
    if any_(x1 > best):
        axis, best = 0, x1
    if any_(y1 > best):
        axis, best = 1, y1
    if any_(z1 > best):
        axis, best = 2, z1
    if any_(x2 > best):
        axis, best = 3, x2
    if any_(y2 > best):
        axis, best = 4, y2
    if any_(z2 > best):
        axis, best = 5, z2
    return axis, best


@kernel
def best_edge(rotation, center2, size1, size2, limit, face_separation):
    """(axis, separation) of the pair of edges that separates most and more than a face; (0, the face's) without one."""
    parallel = PARALLEL_SINGLE if is_single(limit) else PARALLEL
    axis, best = 0, face_separation
    rows = cycled_rows(rotation, 1)
    center, size = cycled(center2, 1), cycled(size1, 1)
    for i in range(3):
        # the cross product of edge i with an edge of the second box has the components u, v along the next two edges
        row_u, row_v, half = rows[0], rows[1], size2
        for j in range(3):
            u, v = -row_v[0], row_u[0]
            square = u * u + v * v
            if any_(square >= parallel):
                inverse = 1.0 / sqrt(square)
                u, v = u * inverse, v * inverse
                radius1 = size[0] * abs_(u) + size[1] * abs_(v)
                radius2 = half[1] * abs_(u * row_u[1] + v * row_v[1]) + half[2] * abs_(u * row_u[2] + v * row_v[2])
                separation = abs_(u * center[0] + v * center[1]) - radius1 - radius2
                if any_(separation > limit):
                    return SEPARATED, best
                if any_(separation - EDGE_BIAS * abs_(separation) > best) and any_(separation > face_separation):
                    axis, best = FIRST_EDGE + 3 * i + j, separation
            row_u = (row_u[1], row_u[2], row_u[0])
            row_v = (row_v[1], row_v[2], row_v[0])
            half = (half[1], half[2], half[0])
        rows = (rows[1], rows[2], rows[0])
        center, size = (center[1], center[2], center[0]), (size[1], size[2], size[0])
    return axis, best


@kernel
def edge_normal(rotation, axis):
    """Unit vector normal to both edges of a pair, in the frame of the first box, with any sign."""
    i = (axis - FIRST_EDGE) // 3
    edge = column3(rotation, (axis - FIRST_EDGE) % 3)
    return normalize(
        (
            where(i == 0, 0.0, where(i == 1, edge[2], -edge[1])),
            where(i == 0, -edge[2], where(i == 1, 0.0, edge[0])),
            where(i == 0, edge[1], where(i == 1, -edge[0], 0.0)),
        )
    )


@kernel
def column3(a, k):
    """Column k of a matrix."""
    return where3(k == 0, column(a, 0), where3(k == 1, column(a, 1), column(a, 2)))


@kernel
def is_face_like(rotation, axis, separation, face, face_separation):
    """Should the best face stand in for the best edge pair? It gives more contacts, and keeps a resting pair calm."""
    normal = edge_normal(rotation, axis)
    cosine = abs_(at(normal, face)) if face < 3 else abs_(dot(normal, column3(rotation, face - 3)))
    bound = face_separation + FACE_BIAS * abs_(face_separation) + MINVAL
    return any_(cosine > FACE_LIKE) and any_(separation < bound)


# --- edge against edge


@kernel
def edge_contact(d, pos1, mat1, rotation, center2, size1, size2, axis, limit, margin):
    """The contact halfway between the closest points of two edges."""
    i, j = (axis - FIRST_EDGE) // 3, (axis - FIRST_EDGE) % 3
    normal = edge_normal(rotation, axis)
    normal = where3(dot(normal, center2) < 0.0, negate(normal), normal)
    towards1 = multiply_transposed(rotation, normal)
    corner1, corner2 = edge_middle(normal, size1, i), negate(edge_middle(towards1, size2, j))
    doubtful1, doubtful2 = doubtful_component(normal, i), doubtful_component(towards1, j)

    # a component near zero leaves two edges to choose from: the pair with the closest points is meant
    point1, point2, gap = closest_on_edges(rotation, center2, corner1, corner2, size1, size2, i, j)
    for choice in range(1, 4):
        flip1, flip2 = choice // 2, choice % 2
        if (flip1 == 0 or doubtful1 >= 0) and (flip2 == 0 or doubtful2 >= 0):
            c1 = replaced(corner1, doubtful1, -at(corner1, doubtful1)) if flip1 != 0 else corner1
            c2 = replaced(corner2, doubtful2, -at(corner2, doubtful2)) if flip2 != 0 else corner2
            p1, p2, g = closest_on_edges(rotation, center2, c1, c2, size1, size2, i, j)
            if any_(g < gap):
                point1, point2, gap = p1, p2, g

    dist = dot(sub(point2, point1), normal)
    if any_(dist > limit):
        return 0
    middle = (0.5 * (point1[0] + point2[0]), 0.5 * (point1[1] + point2[1]), 0.5 * (point1[2] + point2[2]))
    # beyond the margin by no more than rounding counts as at the margin
    put_world(d, 0, minimum(dist, margin), add(multiply_vector(mat1, middle), pos1), multiply_vector(mat1, normal))
    return 1


@kernel
def edge_middle(direction, size, k):
    """Middle of the edge along k that lies farthest in a direction normal to it."""
    corner = (
        where(direction[0] >= 0.0, size[0], -size[0]),
        where(direction[1] >= 0.0, size[1], -size[1]),
        where(direction[2] >= 0.0, size[2], -size[2]),
    )
    return replaced(corner, k, 0.0)


@kernel
def doubtful_component(direction, k):
    """The component, other than k, that is too small to tell its sign; -1 if there is none."""
    ambiguous = AMBIGUOUS_SINGLE if is_single(direction[0]) else AMBIGUOUS
    following, preceding = (k + 1) % 3, (k + 2) % 3
    if any_(abs_(at(direction, following)) < ambiguous):
        return following
    if any_(abs_(at(direction, preceding)) < ambiguous):
        return preceding
    return -1


@kernel
def closest_on_edges(rotation, center2, middle1, middle2, size1, size2, i, j):
    """Closest points of two edges given by their middles, in the frame of the first box, and their squared distance."""
    start2 = add(multiply_vector(rotation, middle2), center2)
    direction2 = column3(rotation, j)
    half1, half2 = at(size1, i), at(size2, j)
    offset = sub(start2, middle1)
    along1, along2 = at(offset, i), dot(direction2, offset)
    cosine = at(direction2, i)
    sine2 = 1.0 - cosine * cosine
    free = where(sine2 < MINVAL, 0.0, (along1 - cosine * along2) / sine2)
    s = clamp(free, -half1, half1)
    t = clamp(cosine * s - along2, -half2, half2)
    s = clamp(along1 + cosine * t, -half1, half1)
    point1 = replaced(middle1, i, s)
    point2 = add_scaled(start2, direction2, t)
    gap = sub(point2, point1)
    return point1, point2, dot(gap, gap)


# --- face against whatever faces it


@kernel
def face_contacts(d, first, second, rotation, center1, center2, face, margin):
    """Contacts of a face (0-2 of the first box, 3-5 of the second) with the box on its other side."""
    is_first = face < 3
    a = face if is_first else face - 3
    # the box that owns the face, and the other one in its frame, its axes as columns
    pos = where3(is_first, first[0], second[0])
    mat = where9(is_first, first[1], second[1])
    size = cycled(where3(is_first, first[2], second[2]), a)
    center = cycled(where3(is_first, center2, center1), a)
    other_size = where3(is_first, second[2], first[2])
    rows = cycled_rows(where9(is_first, rotation, transpose(rotation)), a)
    sign = where(center[0] >= 0.0, 1.0, -1.0)

    # the face of the other box that looks most at this face
    b = 0
    if any_(abs_(rows[0][1]) > abs_(rows[0][0])):
        b = 1
    if any_(abs_(rows[0][2]) > abs_(at(rows[0], b))):
        b = 2
    other_size = cycled(other_size, b)
    up, x, y = cycled(rows[0], b), cycled(rows[1], b), cycled(rows[2], b)
    start, count = clipped_face(d, center, up, x, y, size, other_size, sign)

    normal_sign = sign if is_first else -sign
    normal = column3(mat, a)
    normal = (normal_sign * normal[0], normal_sign * normal[1], normal_sign * normal[2])
    found = 0
    for k in range(count):
        corner = load3(d.box_polygon, start + k)
        if any_(corner[2] > margin) or found == MAX_CONTACTS or is_known(d, start, found, corner, size):
            continue
        store3(d.box_polygon, start + found, corner)
        halfway = cycled((sign * (size[0] + 0.5 * corner[2]), corner[0], corner[1]), (3 - a) % 3)
        put_world(d, found, corner[2], add(multiply_vector(mat, halfway), pos), normal)
        found += 1
    return found


@kernel
def clipped_face(d, center, up, x, y, size, other_size, sign):
    """The facing face of the other box, cut to the column above the face. Returns (start, count) in box_polygon.

    `center` of the other box and its axes `up`, `x`, `y` (one row each) are along the normal of the face and its two
    sides; first of the axes is the one of the facing face. A corner is (x, y, height above the face).
    """
    inward = where(sign * up[0] > 0.0, -1.0, 1.0) * other_size[0]
    middle = (center[1] + inward * x[0], center[2] + inward * y[0], sign * (center[0] + inward * up[0]) - size[0])
    u = (other_size[1] * x[1], other_size[1] * y[1], other_size[1] * up[1] * sign)
    v = (other_size[2] * x[2], other_size[2] * y[2], other_size[2] * up[2] * sign)
    store3(d.box_polygon, 0, add(add(middle, u), v))
    store3(d.box_polygon, 1, add(sub(middle, u), v))
    store3(d.box_polygon, 2, sub(sub(middle, u), v))
    store3(d.box_polygon, 3, sub(add(middle, u), v))
    start, count = clip(d, 0, 4, 0, 1.0, size[1])
    start, count = clip(d, start, count, 0, -1.0, size[1])
    start, count = clip(d, start, count, 1, 1.0, size[2])
    return clip(d, start, count, 1, -1.0, size[2])


@kernel
def clip(d, start, count, axis, sign, limit):
    """Cut the polygon of `count` corners at `start` to sign * coordinate <= limit; where it is then, and its count."""
    is_inside = True
    for k in range(count):
        beyond = sign * d.box_polygon[start + k, axis] - limit
        d.box_beyond[k] = beyond
        is_inside = is_inside and any_(beyond <= 0.0)
    if is_inside:
        return start, count
    target = MAX_CORNERS - start
    kept = 0
    for k in range(count):
        after = k + 1 if k + 1 < count else 0
        p, q = d.box_beyond[k], d.box_beyond[after]
        corner = load3(d.box_polygon, start + k)
        if any_(p <= 0.0) and kept < MAX_CORNERS:
            store3(d.box_polygon, target + kept, corner)
            kept += 1
        if any_(or_(and_(p < 0.0, q > 0.0), and_(p > 0.0, q < 0.0))) and kept < MAX_CORNERS:
            side = sub(load3(d.box_polygon, start + after), corner)
            store3(d.box_polygon, target + kept, add_scaled(corner, side, p / (p - q)))
            kept += 1
    return target, kept


@kernel
def is_known(d, start, count, corner, size):
    """Is the corner one of the first `count` of the list at `start`, seen from above?"""
    same = SAME_CORNER_SINGLE if is_single(corner[0]) else SAME_CORNER
    limit = same * (size[1] * size[1] + size[2] * size[2])
    for k in range(count):
        other = load3(d.box_polygon, start + k)
        x, y = other[0] - corner[0], other[1] - corner[1]
        if any_(x * x + y * y < limit):
            return True
    return False
