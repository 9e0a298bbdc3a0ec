"""A box: half sizes along x, y, z."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import abs_, and_, copysign, maximum, minimum, splat, where
from phalanx.algebra.vector import MINVAL, dot, norm, normalize, where3
from phalanx.collision.convex.features import ALIGNED, direction_in_world, put_corner
from phalanx.collision.convex.support import VERTEX, direction_in_shape, to_world
from phalanx.collision.convex.table import edge_end, edges_at, face_normal, face_outline, faces_at, support
from phalanx.collision.geom.table import Vector, fit, inertia, is_inside, reach, volume
from phalanx.collision.ray.crossing import is_nearer, sphere_distance, to_local, world_normal
from phalanx.collision.ray.table import ray_shape
from phalanx.collision.sdf.table import TRUE_BOX, field_gradient, field_value
from phalanx.tables.enums import GeomType

# --- mass; its bounds are the default ones


@volume.row(GeomType.BOX)
def box_volume(size: Vector, shell: bool) -> float:
    """Volume, or area of the six faces."""
    x, y, z = size
    return 8 * (x * y + y * z + z * x) if shell else x * y * z * 8


@inertia.row(GeomType.BOX)
def box_inertia(size: Vector, mass: float, shell: bool) -> Vector:
    """A shell is six plates, with mass by area: each about its own middle, moved out to its face."""
    xx, yy, zz = (s * s for s in size)
    if not shell:
        return mass * (yy + zz) / 3, mass * (xx + zz) / 3, mass * (xx + yy) / 3
    lx, ly, lz = (2 * s for s in size)
    areas = (lx * ly, ly * lz, lz * lx)
    surface = 2 * (areas[0] + areas[1] + areas[2])
    m0, m1, m2 = (mass * area / surface for area in areas)
    return (
        2 * (m0 * zz + m2 * yy + m0 * ly * ly / 12 + m1 * (ly * ly + lz * lz) / 12 + m2 * lz * lz / 12),
        2 * (m0 * zz + m1 * xx + m0 * lx * lx / 12 + m1 * lz * lz / 12 + m2 * (lx * lx + lz * lz) / 12),
        2 * (m1 * xx + m2 * yy + m0 * (lx * lx + ly * ly) / 12 + m1 * ly * ly / 12 + m2 * lx * lx / 12),
    )


@fit.row(GeomType.BOX)
def box_fit(half: Vector, encloses: bool) -> Vector:
    """The half sizes themselves."""
    return half


# --- surface


@is_inside.row(GeomType.BOX)
@kernel
def in_box(m, mesh, size, point):
    """Between all pairs of faces."""
    return and_(and_(abs_(point[0]) < size[0], abs_(point[1]) < size[1]), abs_(point[2]) < size[2])


@reach.row(GeomType.BOX)
@kernel
def box_reach(m, mesh, size, direction):
    """The corner that the direction looks to."""
    return size[0] * abs_(direction[0]) + size[1] * abs_(direction[1]) + size[2] * abs_(direction[2])


@support.row(GeomType.BOX)
@kernel
def support_box(m, d, side, direction):
    """The corner, whose id has bit k set where coordinate k is positive."""
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


# --- faces and edges: corners by the signs of their coordinates (bits 0, 1, 2), faces +x -x +y -y +z -z


@kernel
def sign_of(corner, axis):
    """Sign of a coordinate of a corner."""
    return 1.0 if corner & (1 << axis) else -1.0


@kernel
def box_corner(d, side, corner):
    """Position of a corner in the frame of the box."""
    size = load3(d.convex_size, side)
    return (size[0] * sign_of(corner, 0), size[1] * sign_of(corner, 1), size[2] * sign_of(corner, 2))


@kernel
def shared_sign(d, side, axis):
    """+1 or -1 if all corners of the place have that sign of a coordinate, else 0."""
    dim, total = d.clip_dim[side], 0
    for k in range(dim):
        total += 1 if d.clip_corner[side, k] & (1 << axis) else -1
    return total // dim if total == dim or total == -dim else 0


@kernel
def box_face_along(d, side, outward):
    """The face of a box whose normal is within five degrees of a direction, -1 if there is none."""
    local = direction_in_shape(d, side, outward)
    face = -1
    if local[0] > ALIGNED or local[0] < -ALIGNED:
        face = 0 if local[0] > 0.0 else 1
    if local[1] > ALIGNED or local[1] < -ALIGNED:
        face = 2 if local[1] > 0.0 else 3
    if local[2] > ALIGNED or local[2] < -ALIGNED:
        face = 4 if local[2] > 0.0 else 5
    return face


@faces_at.row(GeomType.BOX)
@kernel
def box_faces(m, d, side, n, outward):
    """The faces that all corners of the place share: three at a corner, two at an edge, one of a face."""
    count = 0
    for axis in range(3):
        sign = shared_sign(d, side, axis)
        if sign != 0:
            d.clip_faces[side, count] = 2 * axis + (0 if sign > 0 else 1)
            count += 1
    if count == 4 - d.clip_dim[side]:
        return count
    # the corners lie across a face or through the box: take what the normal says
    face = box_face_along(d, side, outward)
    d.clip_faces[side, 0] = face
    return 1 if face >= 0 else 0


@face_normal.row(GeomType.BOX)
@kernel
def box_normal(m, d, side, face):
    """The axis of the face, with its sign."""
    sign, axis = 1.0 - 2.0 * (face % 2), face // 2
    return direction_in_world(
        d, side, (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    )


@face_outline.row(GeomType.BOX)
@kernel
def box_outline(m, d, side, face):
    """The four corners, in MuJoCo's order."""
    size = load3(d.convex_size, side)
    sign = 1.0 - 2.0 * (face % 2)
    if face < 2:
        x, y, z = sign * size[0], size[1], sign * size[2]
        put_corner(d, side, 0, (x, y, z))
        put_corner(d, side, 1, (x, y, -z))
        put_corner(d, side, 2, (x, -y, -z))
        put_corner(d, side, 3, (x, -y, z))
    elif face < 4:
        x, y, z = size[0], sign * size[1], sign * size[2]
        put_corner(d, side, 0, (-x, y, -z))
        put_corner(d, side, 1, (x, y, -z))
        put_corner(d, side, 2, (x, y, z))
        put_corner(d, side, 3, (-x, y, z))
    else:
        x, y, z = sign * size[0], size[1], sign * size[2]
        put_corner(d, side, 0, (-x, y, z))
        put_corner(d, side, 1, (x, y, z))
        put_corner(d, side, 2, (x, -y, z))
        put_corner(d, side, 3, (-x, -y, z))
    return 4


@edges_at.row(GeomType.BOX)
@kernel
def box_edges(m, d, side):
    """The three edges at a corner, or the one between two corners."""
    store3(d.clip_start, side, to_world(d, side, box_corner(d, side, d.clip_corner[side, 0])))
    return 3 if d.clip_dim[side] == 1 else 1


@edge_end.row(GeomType.BOX)
@kernel
def box_edge_end(m, d, side, i):
    """The other end; from a corner the i-th edge goes along axis i."""
    corner = d.clip_corner[side, 1] if d.clip_dim[side] == 2 else d.clip_corner[side, 0] ^ (1 << i)
    return to_world(d, side, box_corner(d, side, corner))


# --- rays


@ray_shape.row(GeomType.BOX)
@kernel
def ray_box(pos, mat, size, origin, direction):
    """The nearest of the faces that are hit."""
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
    """Is the place x of a ray inside the rectangle of the face?"""
    return and_(abs_(p[1] + x * v[1]) <= size[1], abs_(p[2] + x * v[2]) <= size[2])


@kernel
def nearer_face(x, normal, candidate, candidate_normal):
    """(distance, normal) after a candidate."""
    is_better = is_nearer(candidate, x)
    return where(is_better, candidate, x), where3(is_better, candidate_normal, normal)


# --- signed distance


@kernel
def beyond_faces(size, point):
    """How far a point is beyond the faces of a box, by axis."""
    return (abs_(point[0]) - size[0], abs_(point[1]) - size[1], abs_(point[2]) - size[2])


@kernel
def is_within(beyond):
    """Is the point inside the box?"""
    return beyond[0] < 0.0 and beyond[1] < 0.0 and beyond[2] < 0.0


@kernel
def outside_part(beyond):
    """The vector from the box to a point outside, zero along the axes on which it is within."""
    return (maximum(beyond[0], 0.0), maximum(beyond[1], 0.0), maximum(beyond[2], 0.0))


@kernel
def signed(vector, point):
    """The vector in the octant of the point."""
    return (copysign(vector[0], point[0]), copysign(vector[1], point[1]), copysign(vector[2], point[2]))


@kernel
def inner_direction(size, beyond):
    """Unit vector along which the distance inside a box is measured, in the positive octant."""
    return normalize((-size[0] / beyond[0], -size[1] / beyond[1], -size[2] / beyond[2]))


@field_value.row(GeomType.BOX)
@kernel
def box_value(m, d, size, dataid, point):
    """Outside the distance; inside, as MuJoCo, along a direction that the nearer faces draw towards themselves."""
    beyond = beyond_faces(size, point)
    if not is_within(beyond):
        return norm(outside_part(beyond))
    along = inner_direction(size, beyond)
    return -minimum(-beyond[0] / along[0], minimum(-beyond[1] / along[1], -beyond[2] / along[2]))


@field_gradient.row(GeomType.BOX)
@kernel
def box_gradient(m, d, size, dataid, point):
    """The direction that `box_value` measures along."""
    beyond = beyond_faces(size, point)
    if is_within(beyond):
        return signed(inner_direction(size, beyond), point)
    outside = outside_part(beyond)
    if norm(outside) > 0.0:
        return signed(normalize(outside), point)
    return true_box_gradient(m, d, size, dataid, point)


@field_value.row(TRUE_BOX)
@kernel
def true_box_value(m, d, size, dataid, point):
    """The distance to the surface, inside to the nearest face."""
    beyond = beyond_faces(size, point)
    return norm(outside_part(beyond)) + minimum(maximum(beyond[0], maximum(beyond[1], beyond[2])), 0.0)


@field_gradient.row(TRUE_BOX)
@kernel
def true_box_gradient(m, d, size, dataid, point):
    """Away from the nearest point of the surface, inside the normal of the nearest face."""
    beyond = beyond_faces(size, point)
    outside = outside_part(beyond)
    if norm(outside) > 0.0:
        return signed(normalize(outside), point)
    if beyond[0] >= beyond[1] and beyond[0] >= beyond[2]:
        return (copysign(1.0, point[0]), 0.0, 0.0)
    if beyond[1] >= beyond[2]:
        return (0.0, copysign(1.0, point[1]), 0.0)
    return (0.0, 0.0, copysign(1.0, point[2]))
