"""Contacts of a pair of geoms that lie ahead: found world by world, listed as those of colliders are."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import and_, any_, lane_count, lane_get, lane_set, not_, or_, splat, where, widen
from phalanx.algebra.vector import add, scale, sub
from phalanx.collision.ahead.impact import (
    closing,
    ends_at_start,
    find_impact,
    impact_points,
    motion_of_world,
    widen_geom,
)
from phalanx.collision.broad.filters import bodies_may_touch
from phalanx.collision.collide import geom_of_world, load_geom
from phalanx.collision.contact import append_contact, pair_margin
from phalanx.collision.ray.ray import ray_geom
from phalanx.collision.table import NO_CONTACT

#: How much farther points of a patch may be than what they travel in the rest of the step [m].
SLACK = 1e-6


@part("mdiiic", "c")
def look_ahead(m, d, geom1, geom2, pair, wanted):
    """Worlds, of those wanted, in which two geoms will touch within the step; the points are in `ahead_` rows."""
    first, second = load_geom(m, d, geom1), load_geom(m, d, geom2)
    margin = splat(first[0][0], pair_margin(m, geom1, geom2, pair))
    d.ahead_num = 0
    found = splat(first[0][0], 0.0)
    for world in range(lane_count(first[0][0])):
        if lane_get(wanted, world):
            d.near_world[0] = world
            one, two = widen_geom(geom_of_world(first, world)), widen_geom(geom_of_world(second, world))
            if touches_ahead(m, d, geom1, geom2, one, two, widen(lane_get(margin, world))):
                found = lane_set(found, world, 1.0)
    return found > 0.0


@kernel
def touches_ahead(m, d, geom1, geom2, one, two, margin):
    """Will two geoms touch in the world at hand? Then its points are noted, but those that another geom hides."""
    world, kinds = d.near_world[0], (m.geom_type[geom1], m.geom_type[geom2])
    motions = motion_of_world(d, geom1, world), motion_of_world(d, geom2, world)
    like = d.geom_travel[geom1]
    radii = (
        widen(lane_get(splat(like, m.geom_rbound[geom1]), world)),
        widen(lane_get(splat(like, m.geom_rbound[geom2]), world)),
    )
    impact = find_impact(m, d, kinds, one, two, motions, radii, margin)
    if not impact[0] > 0.0:
        return False
    travel1, travel2 = widen(lane_get(d.geom_travel[geom1], world)), widen(lane_get(d.geom_travel[geom2], world))
    # what is left of the step must be enough for the rest of the way, in whatever direction
    rest = 1.0 - impact[0]
    if impact[2] > margin + rest * (travel1 + travel2):
        return False
    way = closing(d, one, two, motions, impact)
    share, reach = travel1 / (travel1 + travel2), 2.0 * impact[2] + rest * way / impact[0] + SLACK
    count = impact_points(m, d, kinds, one, two, motions, impact, reach)
    touches = False
    for k in range(count):
        x1, x2 = ends_at_start(d, k, one, two, motions, impact[0])
        while d.ahead_num <= k:
            d.ahead_has[d.ahead_num] = 0.0
            d.ahead_num = d.ahead_num + 1
        if widen(d.world_dist[k]) <= reach and not is_hidden(m, d, geom1, geom2, x1, x2):
            put_ahead(d, k, world, add(scale(x1, share), scale(x2, 1.0 - share)), (impact[0], way))
            touches = True
    return touches


@kernel
def put_ahead(d, k, world, point, approach):
    """Note point k of a world: where it is, its normal, and (when it is reached, how far the geoms close in for it)."""
    d.ahead_has[k] = lane_set(d.ahead_has[k], world, 1.0)
    d.ahead_time[k] = lane_set(d.ahead_time[k], world, approach[0])
    d.ahead_way[k] = lane_set(d.ahead_way[k], world, approach[1])
    for axis in range(3):
        d.ahead_pos[k, axis] = lane_set(d.ahead_pos[k, axis], world, point[axis])
        d.ahead_normal[k, axis] = lane_set(d.ahead_normal[k, axis], world, d.world_normal[k, axis])


@kernel
def is_hidden(m, d, geom1, geom2, x1, x2):
    """Is there another geom between two points, one that both geoms may touch, in the world at hand?"""
    like = d.geom_travel[geom1]
    origin = splat(like, x1[0]), splat(like, x1[1]), splat(like, x1[2])
    path = sub(x2, x1)
    direction = splat(like, path[0]), splat(like, path[1]), splat(like, path[2])
    for geom in range(m.ngeom):
        if geom not in (geom1, geom2) and can_hide(m, geom, geom1) and can_hide(m, geom, geom2):
            x, _ = ray_geom(m, d, geom, origin, direction, splat(like, -1.0))
            if lane_get(and_(x >= 0.0, x < 1.0), d.near_world[0]):
                return True
    return False


@kernel
def can_hide(m, geom, other):
    """Can a geom stand before another one? If they may touch, or are both fixed to the world."""
    body1, body2 = m.geom_bodyid[geom], m.geom_bodyid[other]
    if m.body_weldid[body1] == 0 and m.body_weldid[body2] == 0:
        return True
    masks = m.geom_contype[geom] & m.geom_conaffinity[other]
    masks = masks | (m.geom_contype[other] & m.geom_conaffinity[geom])
    return bodies_may_touch(m, body1, body2) and masks != 0


@kernel
def append_ahead(m, d, geom1, geom2, pair, found):
    """List the points that lie ahead, in the worlds where they were found; distances are due with their rows."""
    margin = pair_margin(m, geom1, geom2, pair)
    for k in range(d.ahead_num if any_(found) else 0):
        is_contact = and_(found, d.ahead_has[k] != 0.0)
        if any_(is_contact):
            store3(d.near_pos, k, load3(d.ahead_pos, k))
            store3(d.near_normal, k, load3(d.ahead_normal, k))
            store3(d.near_tangent, k, (0.0, 0.0, 0.0))
            contact = d.ncon
            append_contact(m, d, geom1, geom2, pair, k, where(is_contact, margin, NO_CONTACT), is_contact)
            if contact < d.contact_capacity:
                d.contact_exclude[contact] = where(is_contact, 0.0, 1.0)
                d.contact_time[contact] = where(is_contact, d.ahead_time[k], 0.0)
                d.contact_way[contact] = where(is_contact, d.ahead_way[k], 0.0)


@kernel
def are_apart(d, count, near, margin):
    """Worlds in which none of the candidates of a pair touches."""
    touches = d.near_dist[0] != d.near_dist[0]
    for k in range(count):
        touches = or_(touches, and_(near, d.near_dist[k] < margin))
    return not_(touches)
