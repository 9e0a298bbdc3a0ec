"""Rays against shapes that have a formula, in lanes; what all rays need."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, and_, lane_get, not_, or_, splat, sqrt, where
from phalanx.algebra.vector import MINVAL, add_scaled, dot, normalize, sub, where3
from phalanx.collision.ray.table import ray_shape
from phalanx.tables.enums import GeomType

ZERO = (0.0, 0.0, 0.0)
#: Part of a length by which bounds are widened, so that rounding never leaves out what a ray hits.
BEYOND, BEYOND_SINGLE = 1e-9, 1e-3


# --- what all shapes need


@kernel
def to_local(pos, mat, origin, direction):
    """Origin and direction of the ray in the frame of the geom."""
    return multiply_transposed(mat, sub(origin, pos)), multiply_transposed(mat, direction)


@kernel
def is_nearer(candidate, x):
    """Is the candidate a hit, nearer than the hit (or miss) x?"""
    return and_(candidate >= 0.0, or_(x < 0.0, candidate < x))


@kernel
def roots(a, b, c):
    """Both solutions of a x^2 + 2 b x + c = 0, the smaller first; twice -1 if there are none."""
    square = b * b - a * c
    is_real = not_(or_(square < 0.0, a < MINVAL))
    root = sqrt(where(is_real, square, 0.0))
    divisor = where(is_real, a, 1.0)
    return where(is_real, (-b - root) / divisor, -1.0), where(is_real, (-b + root) / divisor, -1.0)


@kernel
def first_root(a, b, c):
    """The smallest solution that is not negative, or -1."""
    x0, x1 = roots(a, b, c)
    return where(x0 >= 0.0, x0, where(x1 >= 0.0, x1, -1.0))


@kernel
def sphere_distance(center, radius2, origin, direction):
    """Distance to a sphere of given squared radius."""
    offset = sub(origin, center)
    return first_root(dot(direction, direction), dot(direction, offset), dot(offset, offset) - radius2)


@kernel
def world_normal(is_hit, mat, local):
    """The normal in the world; zero where nothing was hit."""
    return where3(is_hit, multiply_vector(mat, local), ZERO)


@kernel
def of_world(like, x, world):
    """The number of one world; a number that all worlds of the lane `like` share is the same in each."""
    return lane_get(splat(like, x), world)


@kernel
def of_world3(like, v, world):
    return (of_world(like, v[0], world), of_world(like, v[1], world), of_world(like, v[2], world))


# --- shapes


@ray_shape.row(GeomType.PLANE)
@kernel
def ray_plane(pos, mat, size, origin, direction):
    """The front of a plane, inside its rectangle; a size of zero is endless."""
    p, v = to_local(pos, mat, origin, direction)
    is_facing = v[2] <= -MINVAL
    x = -p[2] / where(is_facing, v[2], -1.0)
    in_x = or_(size[0] <= 0.0, abs_(p[0] + x * v[0]) <= size[0])
    in_y = or_(size[1] <= 0.0, abs_(p[1] + x * v[1]) <= size[1])
    is_hit = and_(and_(is_facing, x >= 0.0), and_(in_x, in_y))
    return where(is_hit, x, -1.0), where3(is_hit, (mat[2], mat[5], mat[8]), ZERO)


@ray_shape.row(GeomType.SPHERE)
@kernel
def ray_sphere(pos, mat, size, origin, direction):
    x = sphere_distance(pos, size[0] * size[0], origin, direction)
    normal = normalize(sub(add_scaled(origin, direction, x), pos))
    return x, where3(x >= 0.0, normal, ZERO)


@ray_shape.row(GeomType.CAPSULE)
@kernel
def ray_capsule(pos, mat, size, origin, direction):
    radius, half = size[0], size[1]
    reach = radius + half
    may_hit = sphere_distance(pos, reach * reach, origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)

    # the round side, where `cap` is 0
    side = side_distance(p, v, radius, half)
    x, cap = where(side >= 0.0, side, -1.0), splat(p[0], 0.0)
    # the outer halves of the spheres at the ends
    speed2 = dot(v, v)
    top = (p[0], p[1], p[2] - half)
    t0, t1 = roots(speed2, dot(v, top), dot(top, top) - radius * radius)
    bottom = (p[0], p[1], p[2] + half)
    b0, b1 = roots(speed2, dot(v, bottom), dot(bottom, bottom) - radius * radius)
    x, cap = nearer_cap(x, cap, t0, p[2] + t0 * v[2] >= half, 1.0)
    x, cap = nearer_cap(x, cap, t1, p[2] + t1 * v[2] >= half, 1.0)
    x, cap = nearer_cap(x, cap, b0, p[2] + b0 * v[2] <= -half, -1.0)
    x, cap = nearer_cap(x, cap, b1, p[2] + b1 * v[2] <= -half, -1.0)

    x = where(may_hit, x, -1.0)
    point = add_scaled(p, v, x)
    local = normalize((point[0], point[1], where(cap == 0.0, 0.0, point[2] - half * cap)))
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def side_distance(p, v, radius, half):
    """Distance to the round side of a cylinder: to the first point on the endless one, if it is between the ends."""
    x = first_root(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius)
    return where(and_(x >= 0.0, abs_(p[2] + x * v[2]) <= half), x, -1.0)


@kernel
def nearer_cap(x, cap, candidate, is_on_cap, sign):
    """(distance, end) after a candidate on the end with the given sign."""
    is_better = and_(is_on_cap, is_nearer(candidate, x))
    return where(is_better, candidate, x), where(is_better, sign, cap)


@ray_shape.row(GeomType.ELLIPSOID)
@kernel
def ray_ellipsoid(pos, mat, size, origin, direction):
    p, v = to_local(pos, mat, origin, direction)
    s = (1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2]))
    a = s[0] * v[0] * v[0] + s[1] * v[1] * v[1] + s[2] * v[2] * v[2]
    b = s[0] * v[0] * p[0] + s[1] * v[1] * p[1] + s[2] * v[2] * p[2]
    c = s[0] * p[0] * p[0] + s[1] * p[1] * p[1] + s[2] * p[2] * p[2] - 1.0
    x = first_root(a, b, c)
    point = add_scaled(p, v, x)
    local = normalize((s[0] * point[0], s[1] * point[1], s[2] * point[2]))
    return x, world_normal(x >= 0.0, mat, local)


@ray_shape.row(GeomType.CYLINDER)
@kernel
def ray_cylinder(pos, mat, size, origin, direction):
    radius, half = size[0], size[1]
    may_hit = sphere_distance(pos, radius * radius + half * half, origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)

    # the flat ends, bottom first, then the round side, where `cap` is 0
    bottom, on_bottom = disk_distance(p, v, -half, radius)
    top, on_top = disk_distance(p, v, half, radius)
    x, cap = nearer_cap(splat(p[0], -1.0), splat(p[0], 0.0), bottom, on_bottom, -1.0)
    x, cap = nearer_cap(x, cap, top, on_top, 1.0)
    x, cap = nearer_cap(x, cap, side_distance(p, v, radius, half), may_hit, 0.0)

    x = where(may_hit, x, -1.0)
    point = add_scaled(p, v, x)
    round_normal = normalize((point[0], point[1], 0.0 * point[2]))
    local = where3(cap == 0.0, round_normal, (0.0, 0.0, cap))
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def disk_distance(p, v, height, radius):
    """Distance to the plane at a height, and whether it is met inside a circle."""
    is_crossing = abs_(v[2]) > MINVAL
    x = (height - p[2]) / where(is_crossing, v[2], 1.0)
    p0, p1 = p[0] + x * v[0], p[1] + x * v[1]
    return x, and_(is_crossing, p0 * p0 + p1 * p1 <= radius * radius)


@ray_shape.row(GeomType.BOX)
@kernel
def ray_box(pos, mat, size, origin, direction):
    x, _, local = box_distances(pos, mat, size, origin, direction)
    return x, world_normal(x >= 0.0, mat, local)


@kernel
def box_distances(pos, mat, size, origin, direction):
    """(distance, distances to the faces -x +x -y +y -z +z, normal in the frame of the box); -1 if there is no hit."""
    may_hit = sphere_distance(pos, dot(size, size), origin, direction) >= 0.0
    p, v = to_local(pos, mat, origin, direction)
    x_faces = face_pair((p[0], p[1], p[2]), (v[0], v[1], v[2]), size, may_hit)
    y_faces = face_pair((p[1], p[0], p[2]), (v[1], v[0], v[2]), (size[1], size[0], size[2]), may_hit)
    z_faces = face_pair((p[2], p[0], p[1]), (v[2], v[0], v[1]), (size[2], size[0], size[1]), may_hit)
    # the first of equals wins
    x = splat(p[0], -1.0)
    zero = splat(p[0], 0.0)
    x, normal = nearer_face(x, (zero, zero, zero), x_faces[0], (-1.0, 0.0, 0.0))
    x, normal = nearer_face(x, normal, x_faces[1], (1.0, 0.0, 0.0))
    x, normal = nearer_face(x, normal, y_faces[0], (0.0, -1.0, 0.0))
    x, normal = nearer_face(x, normal, y_faces[1], (0.0, 1.0, 0.0))
    x, normal = nearer_face(x, normal, z_faces[0], (0.0, 0.0, -1.0))
    x, normal = nearer_face(x, normal, z_faces[1], (0.0, 0.0, 1.0))
    return x, (x_faces[0], x_faces[1], y_faces[0], y_faces[1], z_faces[0], z_faces[1]), normal


@kernel
def face_pair(p, v, size, may_hit):
    """Distances to the two faces across the first axis; -1 where the ray misses them."""
    is_crossing = and_(may_hit, abs_(v[0]) > MINVAL)
    speed = where(is_crossing, v[0], 1.0)
    low, high = (-size[0] - p[0]) / speed, (size[0] - p[0]) / speed
    is_low = and_(and_(is_crossing, low >= 0.0), is_on_face(p, v, size, low))
    is_high = and_(and_(is_crossing, high >= 0.0), is_on_face(p, v, size, high))
    return where(is_low, low, -1.0), where(is_high, high, -1.0)


@kernel
def is_on_face(p, v, size, x):
    return and_(abs_(p[1] + x * v[1]) <= size[1], abs_(p[2] + x * v[2]) <= size[2])


@kernel
def nearer_face(x, normal, candidate, candidate_normal):
    """(distance, normal) after a candidate."""
    is_better = is_nearer(candidate, x)
    return where(is_better, candidate, x), where3(is_better, candidate_normal, normal)
