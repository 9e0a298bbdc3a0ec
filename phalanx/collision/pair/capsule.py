"""A capsule against a capsule or a box.

Capsule and box: find the point of the capsule's segment that is nearest to the box, then look for one more point along
the segment that is still over the same part of the box; each of the two is a sphere against the box. The search runs in
the frame of the box. Positions along the segment, and along an edge of the box, go from -1 to 1.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, and_, any_, clamp, minimum, not_, or_, splat, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, multiply_elements, scale, sub
from phalanx.collision.pair.plane import put_two
from phalanx.collision.pair.sphere import between_sphere_and_box, between_spheres, clamp_to_box
from phalanx.collision.table import NO_CONTACT, collider
from phalanx.tables.enums import GeomType

#: Axes count as parallel when the squared sine of their angle is at most this.
PARALLEL = 1e-8

#: What of the box is nearest to the segment.
NOTHING, FACE, EDGE, CORNER = 0.0, 1.0, 2.0, 3.0
#: No face: the end of the segment is inside the box.
INSIDE = -1.0
#: Further along the segment than any end.
ENDLESS = 1e20
#: No second point.
NO_POINT = -4.0
#: Factor on sizes for a first look at distances.
NEAR = 1.001


# --- capsule and capsule


@kernel
def snap(s, t, start, end):
    """The pair (s, t) of positions on two segments with t limited to the second, and s set to match the limit."""
    below, above = t < 0.0, t > 1.0
    return where(below, start, where(above, end, s)), clamp(t, 0.0, 1.0)


@kernel
def nearest_on_segments(start1, along1, start2, along2):
    """Nearest points of two segments: (parallel, s, t, s', t') with positions from 0 to 1.

    Parallel segments have two pairs of points, the ends of the common part in the order of the first segment.
    """
    apart = sub(start1, start2)
    squared1, squared2 = dot(along1, along1), dot(along2, along2)
    point1, point2 = squared1 <= MINVAL, squared2 <= MINVAL
    divisor1, divisor2 = where(point1, 1.0, squared1), where(point2, 1.0, squared2)
    offset1, offset2, mixed = dot(along1, apart), dot(along2, apart), dot(along1, along2)
    # positions on the first segment nearest to the start and the end of the second
    start = clamp(-offset1 / divisor1, 0.0, 1.0)
    end = clamp((mixed - offset1) / divisor1, 0.0, 1.0)

    normal = cross(along1, along2)
    sine = dot(normal, normal)
    parallel = not_(sine > squared1 * PARALLEL * squared2)
    s = clamp(dot(cross(along2, apart), normal) / where(parallel, 1.0, sine), 0.0, 1.0)
    s = where(parallel, 0.0, s)
    s, t = snap(s, (mixed * s + offset2) / divisor2, start, end)
    s2, t2 = snap(1.0, (mixed + offset2) / divisor2, start, end)
    if any_(or_(point1, point2)):
        s = where(point1, 0.0, where(point2, start, s))
        t = where(point2, 0.0, where(point1, clamp(offset2 / divisor2, 0.0, 1.0), t))
        parallel = and_(parallel, not_(or_(point1, point2)))
    return parallel, s, t, s2, t2


@collider(GeomType.CAPSULE, GeomType.CAPSULE, max_contacts=2)
@kernel
def capsule_capsule(m, d, first, second, margin):
    """Two points if the axes are parallel, else the nearest two points of the axes."""
    axis1, axis2 = column(first[1], 2), column(second[1], 2)
    half1, half2 = scale(axis1, first[2][1]), scale(axis2, second[2][1])
    start1, start2 = sub(first[0], half1), sub(second[0], half2)
    along1, along2 = sub(add(first[0], half1), start1), sub(add(second[0], half2), start2)
    radius1, radius2 = first[2][0], second[2][0]
    parallel, s, t, s2, t2 = nearest_on_segments(start1, along1, start2, along2)
    a, b = add_scaled(start1, along1, s), add_scaled(start2, along2, t)
    found = between_spheres(a, radius1, axis1, b, radius2, axis2, margin)
    other = (splat(found[0], NO_CONTACT), found[1], found[2])
    if any_(parallel):
        a, b = add_scaled(start1, along1, s2), add_scaled(start2, along2, t2)
        dist, pos, normal = between_spheres(a, radius1, axis1, b, radius2, axis2, margin)
        other = (where(parallel, dist, NO_CONTACT), pos, normal)
    put_two(d, found, other, margin)
    return 2


# --- capsule and box: the nearest point


@kernel
def nearest_end(best, center, half, end, size):
    """An end of the segment, if it is over a face or inside the box, and nearer than the best so far.

    `best` is (squared distance, position on the segment, FACE or NOTHING, axis of the face).
    """
    point = add_scaled(center, half, end)
    on_box = clamp_to_box(point, size)
    x, y, z = point[0] != on_box[0], point[1] != on_box[1], point[2] != on_box[2]
    beyond_two = or_(and_(x, or_(y, z)), and_(y, z))
    apart = sub(on_box, point)
    squared = dot(apart, apart)
    closer = and_(not_(beyond_two), squared < best[0])
    axis = where(z, 2.0, where(y, 1.0, where(x, 0.0, INSIDE)))
    return (
        where(closer, squared, best[0]),
        where(closer, end, best[1]),
        where(closer, FACE, best[2]),
        where(closer, axis, best[3]),
    )


@kernel
def edges_along(center, half, size, length):
    """What the four edges along one axis have in common; center, half axis and size of this axis only.

    The position on the edge is x and that on the segment y. They are nearest where
    squared_edge x + mixed y = along_edge and mixed x + squared_half y = along_half, if neither end limits them.
    """
    squared_edge, mixed, squared_half = size * size, -size * half, length * length
    along_edge = size * center
    determinant = squared_edge * squared_half - mixed * mixed
    usable = abs_(determinant) >= MINVAL
    per_edge = 1.0 / where(squared_edge > 0.0, squared_edge, 1.0)
    return (
        squared_edge,
        mixed,
        squared_half * along_edge,
        mixed * along_edge,
        1.0 / where(usable, determinant, 1.0),
        1.0 / where(squared_half > 0.0, squared_half, 1.0),
        # x where y is at its end, plus and minus
        (along_edge - mixed) * per_edge,
        (along_edge + mixed) * per_edge,
        # added to squared distances: parallel edges do not count
        where(usable, 0.0, NO_CONTACT),
    )


@kernel
def nearest_on_edge(along_half, edges):
    """Nearest points of an edge and the segment: (x, y, end), end = -1 or 1 where x was limited, else 0."""
    squared_edge, mixed, product, mixed_product, inverse, per_half, at_plus, at_minus, _ = edges
    free = (product - mixed * along_half) * inverse
    x = clamp(free, -1.0, 1.0)
    y = where(x == free, (squared_edge * along_half - mixed_product) * inverse, (along_half - mixed * x) * per_half)
    # once x was limited, it counts as limited
    solved = where(y > 1.0, at_plus, where(y < -1.0, at_minus, x))
    end = where(solved > 1.0, 1.0, where(solved < -1.0, -1.0, where(x == free, 0.0, x)))
    return clamp(solved, -1.0, 1.0), clamp(y, -1.0, 1.0), end


@kernel
def nearer_edge(best, edgeid, axis, middle, center, half, size, edges):
    """The id of the edge and its squared distance from the segment, if it is nearer than the best so far."""
    apart = sub(middle, center)
    x, y, _ = nearest_on_edge(dot(half, apart), edges)
    apart = add_scaled(apart, half, -y)
    if axis == 0:
        apart = (apart[0] + size[0] * x, apart[1], apart[2])
    elif axis == 1:
        apart = (apart[0], apart[1] + size[1] * x, apart[2])
    else:
        apart = (apart[0], apart[1], apart[2] + size[2] * x)
    squared = dot(apart, apart) + edges[8]
    closer = squared < best[0] - MINVAL
    return where(closer, squared, best[0]), where(closer, edgeid, best[1])


@kernel
def nearest_edge(squared, center, half, size, along_x, along_y, along_z):
    """Number of the nearest of the twelve edges, -1 if none is nearer than `squared`.

    Edges along x come first, then y, then z; minus before plus, the lower axis faster.
    """
    x, y, z = size
    best = (squared, -1.0)
    best = nearer_edge(best, 0.0, 0, (0.0, -y, -z), center, half, size, along_x)
    best = nearer_edge(best, 1.0, 0, (0.0, y, -z), center, half, size, along_x)
    best = nearer_edge(best, 2.0, 0, (0.0, -y, z), center, half, size, along_x)
    best = nearer_edge(best, 3.0, 0, (0.0, y, z), center, half, size, along_x)
    best = nearer_edge(best, 4.0, 1, (-x, 0.0, -z), center, half, size, along_y)
    best = nearer_edge(best, 5.0, 1, (x, 0.0, -z), center, half, size, along_y)
    best = nearer_edge(best, 6.0, 1, (-x, 0.0, z), center, half, size, along_y)
    best = nearer_edge(best, 7.0, 1, (x, 0.0, z), center, half, size, along_y)
    best = nearer_edge(best, 8.0, 2, (-x, -y, 0.0), center, half, size, along_z)
    best = nearer_edge(best, 9.0, 2, (x, -y, 0.0), center, half, size, along_z)
    best = nearer_edge(best, 10.0, 2, (-x, y, 0.0), center, half, size, along_z)
    best = nearer_edge(best, 11.0, 2, (x, y, 0.0), center, half, size, along_z)
    return best[1]


@kernel
def edge_of_id(edgeid):
    """Axis of an edge, and the signs of its middle, 0 along the axis."""
    axis = where(edgeid >= 8.0, 2.0, where(edgeid >= 4.0, 1.0, 0.0))
    edgeid = edgeid - 4.0 * axis
    higher = where(edgeid >= 2.0, 1.0, -1.0)
    edgeid = where(edgeid >= 2.0, edgeid - 2.0, edgeid)
    lower = where(edgeid >= 1.0, 1.0, -1.0)
    x, y, z = axis == 0.0, axis == 1.0, axis == 2.0
    return axis, (where(x, 0.0, lower), where(y, 0.0, where(x, lower, higher)), where(z, 0.0, higher))


@kernel
def pick3(axis, x, y, z):
    """One of three numbers, for an axis that differs between worlds."""
    return where(axis == 0.0, x, where(axis == 1.0, y, z))


@kernel
def pick_edges(axis, x, y, z):
    """What is known of the four edges along an axis that differs between worlds."""
    return (
        pick3(axis, x[0], y[0], z[0]),
        pick3(axis, x[1], y[1], z[1]),
        pick3(axis, x[2], y[2], z[2]),
        pick3(axis, x[3], y[3], z[3]),
        pick3(axis, x[4], y[4], z[4]),
        pick3(axis, x[5], y[5], z[5]),
        pick3(axis, x[6], y[6], z[6]),
        pick3(axis, x[7], y[7], z[7]),
        pick3(axis, x[8], y[8], z[8]),
    )


# --- capsule and box: the second point


@kernel
def quotient(a, b):
    """a / b, or ENDLESS when b is 0."""
    return where(b == 0.0, ENDLESS, a / where(b == 0.0, 1.0, b))


@kernel
def second_from_corner(position, against, axis, crossing):
    """How far the second point is from a first one at a corner.

    `against` is 1 for the axes along which the segment and the corner have opposite signs, else 0; `crossing` is how
    far one must go to cross the box along each axis. If the signs all agree or all differ, the segment points away from
    the corner. Else one axis is the odd one out: the second point is towards it along the edge, or opposite over the
    face.
    """
    count = against[0] + against[1] + against[2]
    odd_value = where(count == 1.0, 1.0, 0.0)
    sense = where(count == 1.0, 1.0, -1.0)
    odd = where(against[0] == odd_value, 0.0, where(against[1] == odd_value, 1.0, 2.0))
    direction = pick3(odd, axis[0], axis[1], axis[2])
    along_edge = minimum(1.0 - sense * position, pick3(odd, crossing[0], crossing[1], crossing[2]))
    over_face = 1.0 + sense * position
    over_face = minimum(over_face, where(odd == 0.0, ENDLESS, crossing[0]))
    over_face = minimum(over_face, where(odd == 1.0, ENDLESS, crossing[1]))
    over_face = minimum(over_face, where(odd == 2.0, ENDLESS, crossing[2]))
    second = where(direction * direction > 0.5, along_edge * sense, over_face * -sense)
    return where(or_(count == 0.0, count == 3.0), NO_POINT, second)


@kernel
def second_from_edge(position, on_edge, edge, against, axis, half, size, crossing):
    """How far the second point is from a first one in the middle of an edge.

    There is one if the segment goes over one of the two faces of the edge and not out of both: it is over the face that
    is closer to the segment's direction, before the segment leaves this face on the far side or along the edge.
    """
    # the axes after the edge's, in cyclic order
    against1 = pick3(edge, against[1], against[2], against[0])
    against2 = pick3(edge, against[2], against[0], against[1])
    first_longer = abs_(pick3(edge, axis[1], axis[2], axis[0])) > abs_(pick3(edge, axis[2], axis[0], axis[1]))
    sense = where(where(first_longer, against1, against2) > 0.0, 1.0, -1.0)
    crossing1 = pick3(edge, crossing[1], crossing[2], crossing[0])
    crossing2 = pick3(edge, crossing[2], crossing[0], crossing[1])
    along = pick3(edge, half[0], half[1], half[2])
    rest = where(sign(along) == sense, 1.0 - on_edge, 1.0 + on_edge)
    second = minimum(1.0 - sense * position, where(first_longer, crossing1, crossing2))
    second = minimum(second, quotient(pick3(edge, size[0], size[1], size[2]) * rest, abs_(along)))
    return where(against1 + against2 == 1.0, second * sense, NO_POINT)


@kernel
def until_wall(limit, size, point, step, over):
    """`limit`, or where a point that moves along one axis leaves the box, if that is earlier.

    Not where it is `over` a face of this axis; nor where it is on a wall already.
    """
    meets = quotient(where(step > 0.0, size, -size) - point, step)
    return where(and_(not_(over), and_(meets > 0.0, meets < limit)), meets, limit)


@kernel
def second_from_face(position, face, center, half, size):
    """How far the second point is from an end that is over a face: towards the other end, while over the face."""
    point = add_scaled(center, half, position)
    step = scale(half, -position)
    second = until_wall(2.0, size[0], point[0], step[0], face == 0.0)
    second = until_wall(second, size[1], point[1], step[1], face == 1.0)
    second = until_wall(second, size[2], point[2], step[2], face == 2.0)
    return where(face == INSIDE, NO_POINT, second * -position)


@kernel
def sign(x):
    """1 for a positive number, else -1."""
    return where(x > 0.0, 1.0, -1.0)


@kernel
def opposite(side, direction):
    """1 if a side of the box and a direction have opposite signs, else 0; for the direction 0 counts as minus."""
    return where(side * sign(direction) < 0.0, 1.0, 0.0)


# --- capsule and box: the collider


@kernel
def points_of_segment(center, axis, half, length, size, far):
    """Two positions on the segment: (what of the box is nearest, first, second - first or NO_POINT)."""
    # what is nearest: an end of the segment over a face, or an edge of the box
    best = nearest_end((far * far, 0.0, NOTHING, INSIDE), center, half, -1.0, size)
    squared, position, feature, face = nearest_end(best, center, half, 1.0, size)
    along_x = edges_along(center[0], half[0], size[0], length)
    along_y = edges_along(center[1], half[1], size[1], length)
    along_z = edges_along(center[2], half[2], size[2], length)
    edgeid = nearest_edge(squared, center, half, size, along_x, along_y, along_z)
    edge, side = edge_of_id(edgeid)
    apart = sub(multiply_elements(side, size), center)
    on_edge, on_segment, end = nearest_on_edge(dot(half, apart), pick_edges(edge, along_x, along_y, along_z))
    feature = where(edgeid < 0.0, feature, where(end == 0.0, EDGE, CORNER))
    position = where(edgeid < 0.0, position, on_segment)

    # how far along the segment the box goes on, by axis, and in which direction from the nearest edge or corner
    crossing = (
        quotient(2.0 * size[0], abs_(half[0])),
        quotient(2.0 * size[1], abs_(half[1])),
        quotient(2.0 * size[2], abs_(half[2])),
    )
    against = (opposite(side[0], half[0]), opposite(side[1], half[1]), opposite(side[2], half[2]))
    second = splat(feature, NO_POINT)
    # a second point only where a segment lies along the box, as in MuJoCo's mjc_CapsuleBox
    if any_(feature == CORNER):
        corner = (
            where(edge == 0.0, opposite(end, half[0]), against[0]),
            where(edge == 1.0, opposite(end, half[1]), against[1]),
            where(edge == 2.0, opposite(end, half[2]), against[2]),
        )
        second = where(feature == CORNER, second_from_corner(position, corner, axis, crossing), second)
    if any_(feature == EDGE):
        point = second_from_edge(position, on_edge, edge, against, axis, half, size, crossing)
        second = where(feature == EDGE, point, second)
    if any_(feature == FACE):
        second = where(feature == FACE, second_from_face(position, face, center, half, size), second)
    return feature, position, second


@kernel
def boxes_near(center, half, size, reach):
    """Is a segment's bounding box within reach of the box? Wide enough to forgive rounding."""
    return and_(
        abs_(center[0]) <= NEAR * (abs_(half[0]) + size[0] + reach),
        and_(
            abs_(center[1]) <= NEAR * (abs_(half[1]) + size[1] + reach),
            abs_(center[2]) <= NEAR * (abs_(half[2]) + size[2] + reach),
        ),
    )


@collider(GeomType.CAPSULE, GeomType.BOX, max_contacts=2)
@kernel
def capsule_box(m, d, capsule, box, margin):
    """Spheres at one or two places of the axis against the box."""
    radius, length = capsule[2][0], capsule[2][1]
    origin, mat, size, _ = box
    center = multiply_transposed(mat, sub(capsule[0], origin))
    axis = multiply_transposed(mat, column(capsule[1], 2))
    half = scale(axis, length)
    found = (splat(center[0], NO_CONTACT), center, axis)
    other = found
    if any_(boxes_near(center, half, size, radius + abs_(margin))):
        far = 2.0 * (length + radius + size[0] + size[1] + size[2]) + margin
        feature, first, second = points_of_segment(center, axis, half, length, size, far)
        point = add(multiply_vector(mat, add_scaled(center, half, first)), origin)
        dist, pos, normal = between_sphere_and_box(point, radius, box, margin)
        found = (where(feature == NOTHING, NO_CONTACT, dist), pos, normal)
        has_second = second != NO_POINT
        if any_(has_second):
            point = add(multiply_vector(mat, add_scaled(center, half, second + first)), origin)
            dist, pos, normal = between_sphere_and_box(point, radius, box, margin)
            other = (where(has_second, dist, NO_CONTACT), pos, normal)
    put_two(d, found, other, margin)
    return 2
