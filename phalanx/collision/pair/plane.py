"""A plane against everything that is not a plane. The plane's normal is its z axis.

A candidate here and in the other analytic files is a tuple (dist, pos, normal), with dist = NO_CONTACT where the two
shapes are too far apart.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, and_, not_, sqrt, where
from phalanx.algebra.vector import (
    MINVAL,
    add,
    add_scaled,
    cross,
    dot,
    multiply_elements,
    negate,
    normalize,
    scale,
    sub,
    where3,
)
from phalanx.collision.table import NO_CONTACT, collider, put, put_tangent
from phalanx.tables.enums import GeomType

SQRT3 = 1.7320508075688772
#: A corner that no world has found yet: distance and offset from the center of the box.
NO_CORNER = (NO_CONTACT, 0.0, 0.0, 0.0)


# --- candidates


@kernel
def within(dist, far, margin):
    """The distance to report when `far` decides: MuJoCo's test is not dist > margin, but equal to it up to rounding."""
    return where(far, NO_CONTACT, where(dist > margin, margin, dist))


@kernel
def where_candidate(condition, a, b):
    """One of two candidates (dist, pos, normal), by world."""
    return where(condition, a[0], b[0]), where3(condition, a[1], b[1]), where3(condition, a[2], b[2])


@kernel
def put_two(d, first, second, margin):
    """Two candidates; the second moves up in the worlds where the first is no contact."""
    missing = not_(first[0] <= margin)
    a = where_candidate(missing, second, first)
    put(d, 0, a[0], a[1], a[2])
    put(d, 1, where(missing, NO_CONTACT, second[0]), second[1], second[2])


@kernel
def sphere_over_plane(origin, normal, center, radius, margin):
    """Candidate of a sphere and the half-space below a plane."""
    height = dot(sub(center, origin), normal)
    dist = height - radius
    pos = add_scaled(center, normal, -0.5 * dist - radius)
    return within(dist, height > margin + radius, margin), pos, normal


@kernel
def point_over_plane(dist, point, normal, hit):
    """Candidate of a point at signed distance `dist` from a plane."""
    return where(hit, dist, NO_CONTACT), add_scaled(point, normal, -0.5 * dist), normal


# --- round shapes


@collider(GeomType.PLANE, GeomType.SPHERE, max_contacts=1)
@kernel
def plane_sphere(m, d, plane, sphere, margin):
    """The lowest point of the sphere."""
    dist, pos, normal = sphere_over_plane(plane[0], column(plane[1], 2), sphere[0], sphere[2][0], margin)
    put(d, 0, dist, pos, normal)
    return 1


@collider(GeomType.PLANE, GeomType.CAPSULE, max_contacts=2)
@kernel
def plane_capsule(m, d, plane, capsule, margin):
    """The upper end (along the capsule's axis), then the lower one. The axis gives the frame its first tangent."""
    pos, mat, size, _ = capsule
    normal, axis = column(plane[1], 2), column(mat, 2)
    half = scale(axis, size[1])
    upper = sphere_over_plane(plane[0], normal, add(pos, half), size[0], margin)
    lower = sphere_over_plane(plane[0], normal, sub(pos, half), size[0], margin)
    put_two(d, upper, lower, margin)
    put_tangent(d, 0, axis)
    put_tangent(d, 1, axis)
    return 2


@collider(GeomType.PLANE, GeomType.ELLIPSOID, max_contacts=1)
@kernel
def plane_ellipsoid(m, d, plane, ellipsoid, margin):
    """The point of the ellipsoid that is deepest below the plane."""
    pos, mat, size, _ = ellipsoid
    normal = column(plane[1], 2)
    # down, as seen by the ellipsoid stretched to a sphere
    down = multiply_elements(multiply_transposed(mat, negate(normal)), size)
    squared = dot(down, down)
    has_length = squared >= MINVAL * MINVAL
    inverse = 1.0 / sqrt(where(has_length, squared, 1.0))
    local = where3(has_length, multiply_elements(down, scale(size, inverse)), (size[0], 0.0, 0.0))
    point = add(multiply_vector(mat, local), pos)
    dist = dot(normal, sub(point, plane[0]))
    contact = point_over_plane(dist, point, normal, dist <= margin)
    put(d, 0, contact[0], contact[1], contact[2])
    return 1


@collider(GeomType.PLANE, GeomType.CYLINDER, max_contacts=4)
@kernel
def plane_cylinder(m, d, plane, cylinder, margin):
    """The deepest rim point, the same point of the other cap, and two more of the lower rim at 120 degrees."""
    pos, mat, size, _ = cylinder
    normal, axis = column(plane[1], 2), column(mat, 2)
    height = dot(sub(pos, plane[0]), normal)

    # the half axis towards the plane, and the radius that goes down
    slope = dot(normal, axis)
    axis = where3(slope > 0.0, negate(axis), axis)
    slope = -abs_(slope)
    down = sub(scale(axis, slope), normal)
    squared = dot(down, down)
    tilted = squared >= MINVAL * MINVAL
    down = where3(
        tilted, scale(down, size[0] / sqrt(where(tilted, squared, 1.0))), scale((mat[0], mat[3], mat[6]), size[0])
    )
    drop = dot(down, normal)
    axis = scale(axis, size[1])
    slope = slope * size[1]

    near, far, side = height + slope + drop, height - slope + drop, height + slope - 0.5 * drop
    hit = near <= margin
    has_far, has_side = and_(hit, far <= margin), and_(hit, side <= margin)
    across = scale(normalize(cross(down, axis)), size[0] * SQRT3 * 0.5)
    first = point_over_plane(near, add(add(pos, down), axis), normal, hit)
    other = point_over_plane(far, sub(add(pos, down), axis), normal, has_far)
    left = point_over_plane(side, add_scaled(add(add(pos, across), axis), down, -0.5), normal, has_side)
    right = point_over_plane(side, add_scaled(add(sub(pos, across), axis), down, -0.5), normal, has_side)

    # without the point of the far cap the others move up
    second = where_candidate(has_far, other, left)
    third = where_candidate(has_far, left, right)
    put(d, 0, first[0], first[1], normal)
    put(d, 1, second[0], second[1], normal)
    put(d, 2, third[0], third[1], normal)
    put(d, 3, where(has_far, right[0], NO_CONTACT), right[1], normal)
    return 4


# --- box


@kernel
def where_corner(condition, a, b):
    """One of two corners (dist, x, y, z), by world."""
    return (
        where(condition, a[0], b[0]),
        where(condition, a[1], b[1]),
        where(condition, a[2], b[2]),
        where(condition, a[3], b[3]),
    )


@kernel
def push_corner(corners, corner, normal, height, margin):
    """Four corners with one more in front, if it is below the center and near the plane; the last one drops out."""
    rise = dot(normal, corner)
    dist = height + rise
    found = and_(dist <= margin, rise <= 0.0)
    a, b, c, e = corners
    new = (dist, corner[0], corner[1], corner[2])
    return where_corner(found, new, a), where_corner(found, a, b), where_corner(found, b, c), where_corner(found, c, e)


@kernel
def put_corner(d, k, corner, center, normal):
    """Candidate k at a corner, which is given relative to the center of the box."""
    dist = corner[0]
    point = add((corner[1], corner[2], corner[3]), center)
    put(d, k, dist, add_scaled(point, normal, -0.5 * dist), normal)


@collider(GeomType.PLANE, GeomType.BOX, max_contacts=4)
@kernel
def plane_box(m, d, plane, box, margin):
    """The first four corners, x fastest and minus before plus, that are below the center and near the plane."""
    pos, mat, size, _ = box
    normal = column(plane[1], 2)
    height = dot(sub(pos, plane[0]), normal)
    x, y, z = scale(column(mat, 0), size[0]), scale(column(mat, 1), size[1]), scale(column(mat, 2), size[2])
    # corners 4 to 7 have z plus; corner 7 - k is opposite to corner k
    corner4 = add(negate(add(x, y)), z)
    corner5 = add(sub(x, y), z)
    corner6 = add(sub(y, x), z)
    corner7 = add(add(x, y), z)
    found = (NO_CORNER, NO_CORNER, NO_CORNER, NO_CORNER)
    # from the last to the first: what remains in front are the first four
    found = push_corner(found, corner7, normal, height, margin)
    found = push_corner(found, corner6, normal, height, margin)
    found = push_corner(found, corner5, normal, height, margin)
    found = push_corner(found, corner4, normal, height, margin)
    found = push_corner(found, negate(corner4), normal, height, margin)
    found = push_corner(found, negate(corner5), normal, height, margin)
    found = push_corner(found, negate(corner6), normal, height, margin)
    found = push_corner(found, negate(corner7), normal, height, margin)
    put_corner(d, 0, found[0], pos, normal)
    put_corner(d, 1, found[1], pos, normal)
    put_corner(d, 2, found[2], pos, normal)
    put_corner(d, 3, found[3], pos, normal)
    return 4
