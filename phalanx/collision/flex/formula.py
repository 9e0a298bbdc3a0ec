"""Elements of flexes against spheres, capsules and boxes, by formula.

An element is a segment, a triangle or a tetrahedron with a radius around it. A collider puts its candidates (`put` of
`collision/table.py`) and returns how many there are; normals go from the geom to the element.

One world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, clamp, maximum, minimum, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, negate, norm, normalize, scale, sub
from phalanx.collision.flex.flex_element import EDGES, FACES, corner_at_hand, weights_inside
from phalanx.collision.flex.world_at_hand import at_hand
from phalanx.collision.pair.capsule import capsule_box, capsule_capsule
from phalanx.collision.pair.sphere import sphere_capsule
from phalanx.collision.table import put
from phalanx.tables.enums import GeomType

#: What `collide_by_formula` returns for elements and geoms that have no formula.
NO_FORMULA = -1


# --- a segment is a capsule


@kernel
def capsule_of(a, b, radius):
    """A segment with a radius, as a capsule geom; of its rotation only the axis is set, as nothing else matters."""
    along = sub(a, b)
    x, y, z = normalize(along)
    center = scale(add(a, b), 0.5)
    return center, (0.0, 0.0, x, 0.0, 0.0, y, 0.0, 0.0, z), (radius, 0.5 * norm(along), 0.0), -1


@kernel
def segment_of(m, d, flex, element):
    """An element of a line, as a capsule."""
    start, end = corner_at_hand(m, d, flex, element, 0), corner_at_hand(m, d, flex, element, 1)
    return capsule_of(start, end, at_hand(d, m.flex_radius[flex]))


@kernel
def segment_contacts(m, d, kind, geom, a, b, radius, margin):
    """Candidates of a segment with a sphere, a capsule or a box."""
    capsule = capsule_of(a, b, radius)
    if kind == GeomType.SPHERE:
        return sphere_capsule(m, d, geom, capsule, margin)
    if kind == GeomType.CAPSULE:
        return capsule_capsule(m, d, geom, capsule, margin)
    count = capsule_box(m, d, capsule, geom, margin)
    flip_normals(d, count)
    return count


@kernel
def flip_normals(d, count):
    """Candidates of two shapes the other way around."""
    for k in range(count):
        for axis in range(3):
            d.near_normal[k, axis] = -d.near_normal[k, axis]


# --- a point and a triangle


@kernel
def side_of(p, a, b):
    """On which side of a line of the plane a point is: -1, 0 or 1."""
    area = (p[0] - b[0]) * (a[1] - b[1]) - (a[0] - b[0]) * (p[1] - b[1])
    return where(area > 0.0, 1.0, where(area < 0.0, -1.0, 0.0))


@kernel
def nearest_in_plane(p, a, b):
    """(point, distance): the point of a segment of the plane nearest to p."""
    ab, ap = (b[0] - a[0], b[1] - a[1]), (p[0] - a[0], p[1] - a[1])
    t = (ab[0] * ap[0] + ab[1] * ap[1]) / maximum(MINVAL, ab[0] * ab[0] + ab[1] * ab[1])
    t = clamp(t, 0.0, 1.0)
    x = (a[0] + t * ab[0], a[1] + t * ab[1])
    x = (where(t >= 1.0, b[0], x[0]), where(t >= 1.0, b[1], x[1]))
    return x, norm((x[0] - p[0], x[1] - p[1], 0.0))


@kernel
def way_to_triangle(point, a, b, c):
    """The vector from a point to the nearest point of a triangle.

    Over the inside of the triangle it is along the normal, however close the point is.
    """
    s, u, v = sub(point, a), sub(b, a), sub(c, a)
    normal = normalize(cross(u, v))
    height = dot(normal, s)
    foot = add_scaled(s, normal, -height)
    # axes of the plane, in which the triangle is (o, p, q) and the foot of the point is at
    x, y = normalize(u), normalize(cross(normal, u))
    o, p, q = (0.0, 0.0), (norm(u), 0.0), (dot(x, v), dot(y, v))
    at = (dot(x, foot), dot(y, foot))
    side1, side2, side3 = side_of(at, o, p), side_of(at, p, q), side_of(at, q, o)
    if side1 == side2 and side2 == side3:
        return sub(foot, s)
    on1, dist1 = nearest_in_plane(at, o, p)
    on2, dist2 = nearest_in_plane(at, p, q)
    on3, dist3 = nearest_in_plane(at, q, o)
    first = dist1 < dist2 and dist1 < dist3
    second = dist2 < dist3
    best = (
        where(first, on1[0], where(second, on2[0], on3[0])),
        where(first, on1[1], where(second, on2[1], on3[1])),
    )
    return sub(add_scaled(scale(x, best[0]), y, best[1]), s)


@kernel
def put_between(d, count, point, radius, way, around, margin):
    """(count): after the candidate of a ball at a point and what is at the end of a way, with a radius around it."""
    length = norm(way)
    if length > margin + radius + around:
        return count
    normal = normalize(way)
    dist = length - radius - around
    put(d, count, dist, add_scaled(point, normal, radius + 0.5 * dist), normal)
    return count + 1


@kernel
def ball_on_triangle(d, count, point, radius, triangle, around, margin):
    """Candidates so far, after a ball against a triangle."""
    way = way_to_triangle(point, triangle[0], triangle[1], triangle[2])
    return put_between(d, count, point, radius, way, around, margin)


@kernel
def capsule_on_triangle(d, geom, triangle, around, margin):
    """Both ends of a capsule as balls, then the corners of the triangle that are beside the capsule."""
    pos, mat, size, _ = geom
    radius, half = size[0], size[1]
    axis = column(mat, 2)
    start, end = add_scaled(pos, axis, -half), add_scaled(pos, axis, half)
    count = ball_on_triangle(d, 0, start, radius, triangle, around, margin)
    count = ball_on_triangle(d, count, end, radius, triangle, around, margin)
    along = sub(end, start)
    for vertex in triangle:
        t = dot(sub(vertex, start), along) / (4.0 * half * half)
        if t > MINVAL and t < 1.0 - MINVAL:
            near = add_scaled(start, along, t)
            way = sub(vertex, near)
            length = norm(way)
            if length <= radius + around + margin:
                normal = normalize(way)
                pos = scale(add_scaled(add(near, vertex), normal, radius - around), 0.5)
                put(d, count, length - radius - around, pos, normal)
                count += 1
    return count


@kernel
def corner_in_box(d, count, geom, vertex, around, margin):
    """Candidates so far, after a corner of a triangle against the nearest face of a box."""
    pos, mat, size, _ = geom
    x, y, z = multiply_transposed(mat, sub(vertex, pos))
    beyond = (abs_(x) - size[0], abs_(y) - size[1], abs_(z) - size[2])
    reach = margin + around
    if beyond[0] > reach or beyond[1] > reach or beyond[2] > reach:
        return count
    # the face that it is farthest beyond; the first of equal ones
    axis, most = 0, beyond[0]
    if beyond[1] > most:
        axis, most = 1, beyond[1]
    if beyond[2] > most:
        axis, most = 2, beyond[2]
    outward = (
        (where(x > 0.0, 1.0, -1.0) if axis == 0 else 0.0),
        (where(y > 0.0, 1.0, -1.0) if axis == 1 else 0.0),
        (where(z > 0.0, 1.0, -1.0) if axis == 2 else 0.0),
    )
    normal, dist = multiply_vector(mat, outward), most - around
    put(d, count, dist, add_scaled(vertex, normal, -(around + 0.5 * dist)), normal)
    return count + 1


@kernel
def box_on_triangle(d, geom, triangle, around, margin):
    """Corners of the triangle against faces of the box, then corners of the box against the triangle."""
    pos, mat, size, _ = geom
    count = 0
    for vertex in triangle:
        count = corner_in_box(d, count, geom, vertex, around, margin)
    for k in range(8):
        x = size[0] if k & 1 else -size[0]
        y = size[1] if k & 2 else -size[1]
        z = size[2] if k & 4 else -size[2]
        point = add(multiply_vector(mat, (x, y, z)), pos)
        count = ball_on_triangle(d, count, point, 0.0, triangle, around, margin)
    return count


# --- tetrahedra


@kernel
def face_of(corners, i, j, k, opposite):
    """(outward unit normal, offset of its plane) of a face of a tetrahedron."""
    a = corners[i]
    normal = normalize(cross(sub(corners[j], a), sub(corners[k], a)))
    normal = normal if dot(normal, sub(corners[opposite], a)) <= 0.0 else negate(normal)
    return normal, dot(normal, a)


@kernel
def way_to_tetrahedron(point, corners):
    """The vector from a point outside of a tetrahedron to the nearest point of its faces."""
    best = way_to_triangle(point, corners[0], corners[1], corners[2])
    for i, j, k, _ in FACES[1:]:
        way = way_to_triangle(point, corners[i], corners[j], corners[k])
        best = way if dot(way, way) < dot(best, best) else best
    return best


@kernel
def is_inside(point, corners):
    """Is a point inside a tetrahedron?"""
    w = weights_inside(point, corners)
    return w[0] > 0.0 and w[1] > 0.0 and w[2] > 0.0 and w[3] > 0.0


@kernel
def shallowest_face(corners, start, end):
    """(depth, normal, point): how deep a segment, or a point, is below the face that it is least deep below.

    The normal points into the tetrahedron, the point is the deeper end.
    """
    best = (-1.0, (1.0, 0.0, 0.0), start)
    for i, j, k, opposite in FACES:
        normal, offset = face_of(corners, i, j, k, opposite)
        depth1, depth2 = offset - dot(normal, start), offset - dot(normal, end)
        depth = maximum(depth1, depth2)
        if best[0] < 0.0 or depth < best[0]:
            best = (depth, negate(normal), start if depth1 >= depth2 else end)
    return best


@kernel
def sphere_on_tetrahedron(d, geom, corners, around, margin):
    """From outside to the nearest point, from inside to the nearest face."""
    point, _, size, _ = geom
    if is_inside(point, corners):
        depth, normal, _ = shallowest_face(corners, point, point)
        dist = -depth - size[0] - around
        put(d, 0, dist, add_scaled(point, normal, size[0] + 0.5 * dist), normal)
        return 1
    return put_between(d, 0, point, size[0], way_to_tetrahedron(point, corners), around, margin)


@kernel
def pierces(corners, start, end):
    """Does a segment have a part inside a tetrahedron?"""
    low, high = 0.0, 1.0
    for i, j, k, opposite in FACES:
        normal, offset = face_of(corners, i, j, k, opposite)
        above1, above2 = dot(normal, start) - offset, dot(normal, end) - offset
        part = above1 / where(above1 != above2, above1 - above2, 1.0)
        # beyond a plane with both ends: no part is left
        low = where(above1 > 0.0, maximum(low, where(above2 > 0.0, 2.0, part)), low)
        high = where(above1 > 0.0, high, where(above2 > 0.0, minimum(high, part), high))
    return low <= high


@kernel
def way_between_segments(start1, along1, start2, along2):
    """(position on the first, vector to the second) where two segments are nearest (Ericson, 2005)."""
    apart = sub(start1, start2)
    a, e, f = dot(along1, along1), dot(along2, along2), dot(along2, apart)
    b, c = dot(along1, along2), dot(along1, apart)
    determinant = a * e - b * b
    safe_a, safe_e = where(a > 0.0, a, 1.0), where(e > 0.0, e, 1.0)
    s = clamp((b * f - c * e) / where(determinant > 0.0, determinant, 1.0), 0.0, 1.0)
    s = where(determinant > 0.0, s, 0.0)
    t = (b * s + f) / safe_e
    s = where(t < 0.0, clamp(-c / safe_a, 0.0, 1.0), where(t > 1.0, clamp((b - c) / safe_a, 0.0, 1.0), s))
    t = clamp(t, 0.0, 1.0)
    return s, sub(add_scaled(start2, along2, t), add_scaled(start1, along1, s))


@kernel
def edge_depth(corners, start, axis, i, j, k, opposite, best):
    """The best way out so far, or that across an edge of a tetrahedron and the axis of a capsule if it is shorter.

    Ways are (depth, normal, point), as of `shallowest_face`; the point is where the axis is nearest to the edge.
    """
    a, b = corners[i], corners[j]
    across = cross(sub(b, a), axis)
    if norm(across) < MINVAL:
        return best
    normal = normalize(across)
    over1, over2 = dot(normal, sub(corners[k], a)), dot(normal, sub(corners[opposite], a))
    # the edge is the outermost of the tetrahedron on one side only
    if over1 > 0.0 and over2 > 0.0:
        normal = negate(normal)
    elif over1 > 0.0 or over2 > 0.0:
        return best
    depth = dot(normal, sub(a, start))
    if not depth < best[0]:
        return best
    # where the axis passes the edge: along the axis, in the plane across both
    side = cross(normal, sub(b, a))
    point = add_scaled(start, axis, dot(side, sub(a, start)) / dot(side, axis))
    return depth, negate(normal), point


@kernel
def capsule_on_tetrahedron(d, geom, corners, around, margin):
    """From outside between the nearest points; from inside the shortest way out, over a face or across an edge."""
    pos, mat, size, _ = geom
    radius, half, axis = size[0], size[1], column(mat, 2)
    start, end = add_scaled(pos, axis, -half), add_scaled(pos, axis, half)
    if pierces(corners, start, end):
        best = shallowest_face(corners, start, end)
        for i, j, k, opposite in EDGES:
            best = edge_depth(corners, start, axis, i, j, k, opposite, best)
        depth, normal, point = best
        dist = -depth - radius - around
        put(d, 0, dist, add_scaled(point, normal, radius + 0.5 * dist), normal)
        return 1
    point, way = start, way_to_tetrahedron(start, corners)
    other = way_to_tetrahedron(end, corners)
    if dot(other, other) < dot(way, way):
        point, way = end, other
    along = sub(end, start)
    for i, j, _, _ in EDGES:
        s, other = way_between_segments(start, along, corners[i], sub(corners[j], corners[i]))
        if dot(other, other) < dot(way, way):
            point, way = add_scaled(start, along, s), other
    return put_between(d, 0, point, radius, way, around, margin)


# --- by type


@kernel
def collide_by_formula(m, d, kind, geom, flex, element, margin):
    """How many candidates a geom has with an element, or NO_FORMULA."""
    dim, around = m.flex_dim[flex], at_hand(d, m.flex_radius[flex])
    if kind != GeomType.SPHERE and kind != GeomType.CAPSULE and (kind != GeomType.BOX or dim == 3):
        return NO_FORMULA
    a, b = corner_at_hand(m, d, flex, element, 0), corner_at_hand(m, d, flex, element, 1)
    if dim == 1:
        return segment_contacts(m, d, kind, geom, a, b, around, margin)
    c = corner_at_hand(m, d, flex, element, 2)
    if dim == 2:
        triangle = (a, b, c)
        if kind == GeomType.SPHERE:
            return ball_on_triangle(d, 0, geom[0], geom[2][0], triangle, around, margin)
        if kind == GeomType.CAPSULE:
            return capsule_on_triangle(d, geom, triangle, around, margin)
        return box_on_triangle(d, geom, triangle, around, margin)
    corners = (a, b, c, corner_at_hand(m, d, flex, element, 3))
    if kind == GeomType.SPHERE:
        return sphere_on_tetrahedron(d, geom, corners, around, margin)
    return capsule_on_tetrahedron(d, geom, corners, around, margin)
