"""A sphere against a sphere, capsule, cylinder or box."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import column, multiply_transposed, multiply_vector
from phalanx.algebra.number import abs_, and_, any_, clamp, not_, sqrt, where
from phalanx.algebra.vector import MINVAL, add, add_scaled, cross, dot, negate, normalize, scale, sub, where3
from phalanx.collision.pair.plane import sphere_over_plane, where_candidate, within
from phalanx.collision.table import NO_CONTACT, collider, put
from phalanx.tables.enums import GeomType


@kernel
def between_spheres(center1, radius1, axis1, center2, radius2, axis2, margin):
    """Candidate of two spheres. Where the centers coincide the normal is across the two axes."""
    apart = sub(center2, center1)
    squared = dot(apart, apart)
    length = sqrt(squared)
    together = length < MINVAL
    normal = scale(apart, 1.0 / where(together, 1.0, length))
    if any_(together):
        normal = where3(together, normalize(cross(axis1, axis2)), normal)
    reach = margin + radius1 + radius2
    dist = length - radius1 - radius2
    pos = add(scale(normal, radius1 + 0.5 * dist), center1)
    return within(dist, squared > reach * reach, margin), pos, normal


@collider(GeomType.SPHERE, GeomType.SPHERE, max_contacts=1)
@kernel
def sphere_sphere(m, d, first, second, margin):
    """On the line between the centers."""
    dist, pos, normal = between_spheres(
        first[0], first[2][0], column(first[1], 2), second[0], second[2][0], column(second[1], 2), margin
    )
    put(d, 0, dist, pos, normal)
    return 1


@collider(GeomType.SPHERE, GeomType.CAPSULE, max_contacts=1)
@kernel
def sphere_capsule(m, d, sphere, capsule, margin):
    """The sphere of the capsule that is nearest."""
    axis, half = column(capsule[1], 2), capsule[2][1]
    along = clamp(dot(axis, sub(sphere[0], capsule[0])), -half, half)
    center = add(scale(axis, along), capsule[0])
    dist, pos, normal = between_spheres(
        sphere[0], sphere[2][0], column(sphere[1], 2), center, capsule[2][0], axis, margin
    )
    put(d, 0, dist, pos, normal)
    return 1


@collider(GeomType.SPHERE, GeomType.CYLINDER, max_contacts=1)
@kernel
def sphere_cylinder(m, d, sphere, cylinder, margin):
    """Side, cap or rim by where the center is; for a center inside the nearer of side and cap."""
    center, radius, axis = sphere[0], cylinder[2][0], column(cylinder[1], 2)
    half = cylinder[2][1]
    apart = sub(center, cylinder[0])
    along = dot(axis, apart)
    on_axis = scale(axis, along)
    across = sub(apart, on_axis)
    squared = dot(across, across)
    side, cap = abs_(along) < half, squared < radius * radius
    cap_nearer = half - abs_(along) < radius - sqrt(squared)
    only_side = and_(side, not_(and_(cap, cap_nearer)))
    only_cap = and_(cap, not_(only_side))

    # side: sphere on the axis; rim: sphere of no size
    end = where(along > 0.0, half, -half)
    rim = add(scale(axis, end), scale(across, radius / sqrt(where(squared > 0.0, squared, 1.0))))
    other = add(where3(only_side, on_axis, rim), cylinder[0])
    found = between_spheres(
        center, sphere[2][0], column(sphere[1], 2), other, where(only_side, radius, 0.0), axis, margin
    )
    if any_(only_cap):
        outward = where3(along > 0.0, axis, negate(axis))
        dist, pos, up = sphere_over_plane(add_scaled(cylinder[0], axis, end), outward, center, sphere[2][0], margin)
        found = where_candidate(only_cap, (dist, pos, negate(up)), found)
    put(d, 0, found[0], found[1], found[2])
    return 1


# --- box


@kernel
def clamp_to_box(point, size):
    """The point of a box nearest to a point, in the frame of the box."""
    return (
        clamp(point[0], -size[0], size[0]),
        clamp(point[1], -size[1], size[1]),
        clamp(point[2], -size[2], size[2]),
    )


@kernel
def nearer_face(best, axis, sign, depth):
    """The face with the smaller depth: (depth, inward normal); the earlier one if they are equal."""
    closer = depth < best[0]
    return (
        where(closer, depth, best[0]),
        where(closer, where(axis == 0, sign, 0.0), best[1]),
        where(closer, where(axis == 1, sign, 0.0), best[2]),
        where(closer, where(axis == 2, sign, 0.0), best[3]),
    )


@kernel
def nearest_face(center, size):
    """Depth of a point inside a box, and the inward normal of the nearest face, in the frame of the box."""
    best = (2.0 * (size[0] + size[1] + size[2]), 0.0, 0.0, 0.0)
    best = nearer_face(best, 0, 1.0, abs_(-size[0] - center[0]))
    best = nearer_face(best, 0, -1.0, abs_(size[0] - center[0]))
    best = nearer_face(best, 1, 1.0, abs_(-size[1] - center[1]))
    best = nearer_face(best, 1, -1.0, abs_(size[1] - center[1]))
    best = nearer_face(best, 2, 1.0, abs_(-size[2] - center[2]))
    best = nearer_face(best, 2, -1.0, abs_(size[2] - center[2]))
    return best[0], (best[1], best[2], best[3])


@kernel
def between_sphere_and_box(center, radius, box, margin):
    """Candidate of a sphere and a box."""
    origin, mat, size, _ = box
    local = multiply_transposed(mat, sub(center, origin))
    nearest = clamp_to_box(local, size)
    inward = sub(nearest, local)
    gap = sqrt(dot(inward, inward))
    inside = gap <= MINVAL
    inward = scale(inward, 1.0 / where(inside, 1.0, gap))
    pos = add(scale(nearest, 0.5), scale(add_scaled(local, inward, radius), 0.5))
    far = gap - radius > margin
    if any_(inside):
        depth, deep_inward = nearest_face(local, size)
        pos = where3(inside, add_scaled(local, deep_inward, 0.5 * (radius - depth)), pos)
        inward = where3(inside, deep_inward, inward)
        gap = where(inside, -depth, gap)
    dist = where(far, NO_CONTACT, gap - radius)
    return dist, add(multiply_vector(mat, pos), origin), multiply_vector(mat, inward)


@collider(GeomType.SPHERE, GeomType.BOX, max_contacts=1)
@kernel
def sphere_box(m, d, sphere, box, margin):
    """The nearest point of the box; for a center inside, the nearest face."""
    dist, pos, normal = between_sphere_and_box(sphere[0], sphere[2][0], box, margin)
    put(d, 0, dist, pos, normal)
    return 1
