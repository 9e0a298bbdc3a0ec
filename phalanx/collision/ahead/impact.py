"""When two geoms that move will touch: conservative advancement (Mirtich), one world at a time.

Between the supporting planes of the nearest points, at a distance along their normal, nothing closes faster than the
relative shift along it and the rotations at the bounding radius. So both geoms are moved on by the part of the step
that this takes to a small distance, and again, until they are nearly there. Distances and stops are MuJoCo's.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion, matmul
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import lane_get, maximum, widen
from phalanx.algebra.quaternion import from_rotation_vector, rotate
from phalanx.algebra.vector import add, add_scaled, cross, dot, negate, norm, scale, sub
from phalanx.collision.ahead.patch import plane_patch
from phalanx.collision.convex.convex import convex_contacts, convex_distance
from phalanx.collision.convex.support import TYPE, set_shape, widen3
from phalanx.collision.convex.table import support
from phalanx.collision.table import NO_CONTACT
from phalanx.memory.flags import is_disabled
from phalanx.tables.enums import DisableBit, GeomType

#: The distance that is aimed at, and how much farther is near enough, as parts of the distance at the start.
AIM, ENOUGH = 0.02, 0.01
#: Most advances: two geoms that rotate fast close in slowly.
MOST_ADVANCES = 100


@kernel
def motion_of_world(d, geom, world):
    """(shift, rotation vector) of a geom in the step, in double precision."""
    return (
        widen3((
            lane_get(d.geom_shift[geom, 0], world), lane_get(d.geom_shift[geom, 1], world),
            lane_get(d.geom_shift[geom, 2], world),
        )),
        widen3((
            lane_get(d.geom_rotation[geom, 0], world), lane_get(d.geom_rotation[geom, 1], world),
            lane_get(d.geom_rotation[geom, 2], world),
        )),
    )  # fmt: skip


@kernel
def widen_geom(geom):
    """A geom, a tuple (pos, mat, size, dataid), in double precision."""
    pos, mat, size, dataid = geom
    rows = widen3((mat[0], mat[1], mat[2])) + widen3((mat[3], mat[4], mat[5])) + widen3((mat[6], mat[7], mat[8]))
    return widen3(pos), rows, widen3(size), dataid


@kernel
def moved(geom, motion, t):
    """The geom after a part of the step."""
    pos, mat, size, dataid = geom
    rotated = matmul(from_quaternion(from_rotation_vector(scale(motion[1], t))), mat)
    return add_scaled(pos, motion[0], t), rotated, size, dataid


@kernel
def moved_back(geom, motion, t, point):
    """Where a point of the geom, which has moved for a part of the step, was at its start."""
    offset = sub(point, add_scaled(geom[0], motion[0], t))
    return add(geom[0], rotate(offset, from_rotation_vector(scale(motion[1], -t))))


@kernel
def measure(m, d, kinds, one, two):
    """Distance of two geoms; nearest points in `convex_x1`, `convex_x2`, the normal in `convex_normal`."""
    if kinds[0] != GeomType.PLANE:
        return convex_distance(m, d, kinds[0], one, kinds[1], two, NO_CONTACT)
    normal = (one[1][2], one[1][5], one[1][8])
    set_shape(m, d, 1, kinds[1], two, 0.0)
    point = support(kinds[1], m, d, 1, negate(normal))
    dist = dot(normal, sub(point, one[0]))
    store3(d.convex_normal, 0, normal)
    store3(d.convex_x1, 0, add_scaled(point, normal, -dist))
    store3(d.convex_x2, 0, point)
    return dist


@kernel
def find_impact(m, d, kinds, first, second, motions, radii, margin):
    """(t, dist at the start, dist): the part of the step after which two geoms nearly touch; t is -1 if they do not."""
    one, two = first, second
    t, start = 0.0, measure(m, d, kinds, one, two)
    dist = start
    aim, enough = margin + AIM * (start - margin), ENOUGH * (start - margin)
    whirl = norm(motions[0][1]) * radii[0] + norm(motions[1][1]) * radii[1]
    approach = sub(motions[0][0], motions[1][0])
    for _ in range(MOST_ADVANCES):
        if dist - aim <= enough:
            return t, start, dist
        bound = dot(load3(d.convex_normal, 0), approach) + whirl
        if not bound > 0.0:
            return -1.0, start, dist
        t = t + (dist - aim) / bound
        if not t < 1.0:
            return -1.0, start, dist
        one, two = moved(first, motions[0], t), moved(second, motions[1], t)
        dist = measure(m, d, kinds, one, two)
    return -1.0, start, dist


@kernel
def closing(d, first, second, motions, impact):
    """How far the geoms close in until the impact: by their distances, or by the velocities of the nearest points."""
    t, start, dist = impact
    x1, x2 = load3(d.convex_x1, 0), load3(d.convex_x2, 0)
    way1 = add(motions[0][0], cross(motions[0][1], sub(x1, add_scaled(first[0], motions[0][0], t))))
    way2 = add(motions[1][0], cross(motions[1][1], sub(x2, add_scaled(second[0], motions[1][0], t))))
    return maximum(start - dist, t * dot(load3(d.convex_normal, 0), sub(way1, way2)))


@kernel
def impact_points(m, d, kinds, first, second, motions, impact, reach):
    """How many points two geoms touch in at the impact, in world_dist, world_pos and world_normal.

    `reach` is the distance from which points may still touch in the rest of the step. From the point halfway to that
    on the second geom it is `ahead_half`.
    """
    t, _, dist = impact
    normal = load3(d.convex_normal, 0)
    if kinds[0] == GeomType.PLANE:
        count = plane_patch(m, d, normal, reach)
        for k in range(count):
            # the plane is below the point: halfway between them, as other colliders say
            d.world_dist[k] = dot(normal, sub(widen3(load3(d.world_pos, k)), first[0]))
            half = scale(normal, 0.5 * widen(d.world_dist[k]))
            store3(d.ahead_half, k, half)
            store3(d.world_pos, k, sub(widen3(load3(d.world_pos, k)), half))
        return count
    x1, x2 = load3(d.convex_x1, 0), load3(d.convex_x2, 0)
    if not is_disabled(m, DisableBit.MULTICCD):
        d.convex_id[0, TYPE], d.convex_id[1, TYPE] = kinds[0], kinds[1]
        one, two = moved(first, motions[0], t), moved(second, motions[1], t)
        count = convex_contacts(m, d, one, two, reach)
        if count > 1:
            face = load3(d.convex_normal, 0)
            # the patch is that of shapes grown along their faces, by half of the reach; they shrink along the normal
            grown = scale(sub(normal, face), 0.5 * reach)
            for k in range(count):
                store3(d.ahead_half, k, add_scaled(grown, face, 0.5 * d.convex_dist[k]))
                store3(d.world_normal, k, normal)
            return count
    d.world_dist[0] = dist
    store3(d.world_pos, 0, scale(add(x1, x2), 0.5))
    store3(d.world_normal, 0, normal)
    store3(d.ahead_half, 0, scale(sub(x2, x1), 0.5))
    return 1


@kernel
def ends_at_start(d, k, first, second, motions, t):
    """Where the points of both geoms that meet in contact k of the impact are at the start of the step."""
    point, half = widen3(load3(d.world_pos, k)), load3(d.ahead_half, k)
    return (
        moved_back(first, motions[0], t, sub(point, half)),
        moved_back(second, motions[1], t, add(point, half)),
    )
