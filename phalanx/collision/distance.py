"""Signed distance of two geoms, and the points where they are nearest.

Two convex shapes are searched for their distance (`convex_distance`). For all other pairs the contacts tell it: those
that the collider of the pair finds when it is given the largest distance of interest as margin, so that a pair with a
collider needs no row here. Where neither finds anything within that distance, the distance is the largest one.

`geom_distance` runs in lanes; the searches take the worlds in turn.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import any_, lane_count, lane_get, lane_set, primal, splat
from phalanx.collision.collide import geom_of_world, load_geom
from phalanx.collision.convex.convex import convex_distance
from phalanx.collision.convex.table import pair_distance
from phalanx.collision.table import NTYPE, has_exact_contacts
from phalanx.tables.geoms import CONVEX

#: Convex pairs whose contacts are found by search, or are not exact at a distance.
_SEARCHED = [pair for pair in combinations_with_replacement(sorted(CONVEX), 2) if not has_exact_contacts(*pair)]


@kernel
def lane_set3(v, w, x):
    """A vector with the one of world w replaced."""
    return (lane_set(v[0], w, x[0]), lane_set(v[1], w, x[1]), lane_set(v[2], w, x[2]))


@pair_distance.row(*(first * NTYPE + second for first, second in _SEARCHED))
@kernel
def searched_distance(m, d, pair, geom1, geom2, distmax):
    """The row of convex pairs: a search in each world."""
    first, second = load_geom(m, d, geom1), load_geom(m, d, geom2)
    like = first[0][0]
    zero = splat(like, 0.0)
    dist, start, end = splat(like, distmax), (zero, zero, zero), (zero, zero, zero)
    for w in range(lane_count(like)):
        d.near_world[0] = w
        limit = lane_get(distmax, w)
        one, two = geom_of_world(first, w), geom_of_world(second, w)
        # through memory, to be rounded to the precision of the physics
        d.world_dist[0] = convex_distance(m, d, pair // NTYPE, one, pair % NTYPE, two, limit)
        store3(d.world_pos, 0, load3(d.convex_x1, 0))
        store3(d.world_pos, 1, load3(d.convex_x2, 0))
        if any_(d.world_dist[0] < limit):
            dist = lane_set(dist, w, d.world_dist[0])
            start, end = lane_set3(start, w, load3(d.world_pos, 0)), lane_set3(end, w, load3(d.world_pos, 1))
    return dist, start, end


@kernel
def geom_distance(m, d, geom1, geom2, distmax):
    """(dist, from, to): signed distance of two geoms, and their nearest points.

    The first point is on the first geom; where the geoms overlap, the two are deepest in the other. Geoms as far apart
    as `distmax`, or of types that do not collide, have that distance and points zero.
    """
    kind1, kind2 = m.geom_type[geom1], m.geom_type[geom2]
    if kind1 > kind2:
        pair = kind2 * NTYPE + kind1
        dist, end, start = pair_distance(pair, m, d, pair, geom2, geom1, distmax)
        return dist, start, end
    pair = kind1 * NTYPE + kind2
    return pair_distance(pair, m, d, pair, geom1, geom2, distmax)


@part()
def asked_distance(m, d):
    """Answer in `distance_dist` and `distance_fromto` what `distance_geom` and `distance_max` ask."""
    geom1, geom2 = d.distance_geom[0], d.distance_geom[1]
    # a number as margins are, so that colliders are compiled once
    distmax = primal(d.distance_max) + 0.0 * m.geom_margin[geom1]
    d.distance_dist, start, end = geom_distance(m, d, geom1, geom2, distmax)
    store3(d.distance_fromto, 0, start)
    store3(d.distance_fromto, 1, end)
