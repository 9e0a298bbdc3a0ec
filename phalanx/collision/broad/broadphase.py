"""The broad phase: pairs of geoms that are close, in scenes with too many pairs to list ahead.

Pairs of bodies whose boxes overlap are filtered and put in the order of MuJoCo's contacts, and their geoms are tested
by bounding spheres, through a tree of boxes where a body has many. In lanes a box holds the body in all worlds, so the
list is good for each of them.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3
from phalanx.algebra.number import any_, not_, or_
from phalanx.collision.ahead.motion import looks_ahead, may_meet
from phalanx.collision.broad.bounds import are_near, body_reach, is_beyond, to_body
from phalanx.collision.broad.filters import bodies_may_touch, geoms_may_touch, signature_of
from phalanx.collision.broad.resting import few_are_awake, sweep_awake
from phalanx.collision.broad.sweep import SWEPT, starts_from_counts, sweep
from phalanx.collision.contact import pair_gap, pair_margin
from phalanx.memory.awake import awake_bodies
from phalanx.memory.flags import is_disabled
from phalanx.tables.enums import DisableBit, GeomType, SleepState

#: Role of a body that is tested with all others (`broad/candidates.py`).
WITH_ALL = 2
#: With so many bodies for each pair, pairs are sorted by comparing them.
MANY_BODIES = 16
#: With fewer geoms than this in the larger of two bodies, each is tested with each.
FEW_GEOMS = 5


# --- pairs of bodies


@kernel
def pair_with_all(m, d):
    """Bodies that have no end, each with every other."""
    if m.body_sweep[0] == WITH_ALL:
        pair_one(m, d, 0)
    for body in awake_bodies(m, d):
        if m.body_sweep[body] == WITH_ALL:
            pair_one(m, d, body)


@kernel
def pair_one(m, d, body):
    """A body that has no end with every other; of those that sleep, only a body that is not static meets any."""
    if m.nsleep > 0 and d.body_awake[body] != SleepState.AWAKE:
        for other in awake_bodies(m, d):
            pair_two(m, d, body, other)
    else:
        for other in range(m.nbody):
            pair_two(m, d, body, other)


@kernel
def pair_two(m, d, body, other):
    """A body that has no end with another, once."""
    if m.body_sweep[other] == SWEPT or (m.body_sweep[other] == WITH_ALL and other > body):
        if d.nsweep < d.sweep_capacity:
            d.sweep_body1[d.nsweep] = body
            d.sweep_body2[d.nsweep] = other
        d.nsweep = d.nsweep + 1


@kernel
def filter_pairs(m, d):
    """Keep the pairs of bodies that may touch, the smaller id first."""
    count = 0
    for k in range(d.nsweep):
        body, other = d.sweep_body1[k], d.sweep_body2[k]
        body1, body2 = (body, other) if body < other else (other, body)
        d.sweep_body1[count] = body1
        d.sweep_body2[count] = body2
        count += bodies_may_touch(m, body1, body2)
    d.nsweep = count


@kernel
def drop_resting(m, d):
    """Leave out pairs of which neither is awake; explicit pairs of geoms are looked at apart from that."""
    count = 0
    for k in range(d.nsweep):
        body1, body2 = d.sweep_body1[k], d.sweep_body2[k]
        d.sweep_body1[count] = body1
        d.sweep_body2[count] = body2
        count += (d.body_awake[body1] == SleepState.AWAKE) | (d.body_awake[body2] == SleepState.AWAKE)
    d.nsweep = count


@kernel
def sort_few(d):
    """sweep_body1, sweep_partner: pairs by first body, then second, where there are few: a shell sort."""
    gap = 1
    while 3 * gap < d.nsweep:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, d.nsweep):
            body1, body2, place = d.sweep_body1[k], d.sweep_body2[k], k
            while place >= gap and signature_of(d.sweep_body1[place - gap], d.sweep_body2[place - gap]) > signature_of(
                body1, body2
            ):
                d.sweep_body1[place] = d.sweep_body1[place - gap]
                d.sweep_body2[place] = d.sweep_body2[place - gap]
                place -= gap
            d.sweep_body1[place] = body1
            d.sweep_body2[place] = body2
        gap //= 3
    for k in range(d.nsweep):
        d.sweep_partner[k] = d.sweep_body2[k]


@kernel
def sort_pairs(m, d):
    """sweep_body1, sweep_partner: pairs by first body, then second; sweep_end: where those of a first body end."""
    for body in range(m.nbody):
        d.sweep_end[body] = 0
        d.bucket_end[body] = 0
    for k in range(d.nsweep):
        d.sweep_end[d.sweep_body1[k]] += 1
        d.bucket_end[d.sweep_body2[k]] += 1
    starts_from_counts(d.sweep_end, m.nbody)
    starts_from_counts(d.bucket_end, m.nbody)
    for k in range(d.nsweep):
        second = d.sweep_body2[k]
        d.sweep_first[d.bucket_end[second]] = d.sweep_body1[k]
        d.bucket_end[second] += 1
    k = 0
    for second in range(m.nbody):
        while k < d.bucket_end[second]:
            first = d.sweep_first[k]
            d.sweep_partner[d.sweep_end[first]] = second
            d.sweep_body1[d.sweep_end[first]] = first
            d.sweep_end[first] += 1
            k += 1


# --- pairs of geoms


@kernel
def append_geoms(m, d, geom1, geom2, pair):
    """Note a pair of geoms, the first of smaller type, if their bounds are near in some world."""
    reach = pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair)
    near = are_near(m, d, geom1, geom2, reach)
    if looks_ahead(m):
        near = or_(near, may_meet(m, d, geom1, geom2, reach))
    if any_(near):
        if d.nclose < d.close_capacity:
            d.close_geom1[d.nclose] = geom1
            d.close_geom2[d.nclose] = geom2
            d.close_pair[d.nclose] = pair
        d.nclose = d.nclose + 1


@kernel
def in_order(m, geom, other):
    """Two geoms as a contact stores them: smaller type first, then smaller id."""
    first, second = m.geom_type[geom], m.geom_type[other]
    if first < second or (first == second and geom < other):
        return geom, other
    return other, geom


@kernel
def is_explicit(m, geom1, geom2, first, last):
    """Is the pair of geoms among these explicit pairs?"""
    for pair in range(first, last):
        a, b = m.pair_geom1[pair], m.pair_geom2[pair]
        if (a == geom1 and b == geom2) or (a == geom2 and b == geom1):
            return True
    return False


@kernel
def append_automatic(m, d, geom, other, first_pair, last_pair):
    """A pair of geoms found by its bodies, unless it is filtered out or given explicitly."""
    geom1, geom2 = in_order(m, geom, other)
    if geoms_may_touch(m, d, geom1, geom2) and not is_explicit(m, geom1, geom2, first_pair, last_pair):
        append_geoms(m, d, geom1, geom2, -1)


@kernel
def append_from_tree(m, d, geom, body, reach, first_pair, last_pair):
    """Geoms of a body near the bounding sphere of another geom, found through the body's tree of boxes."""
    root = m.body_bvhadr[body]
    point = to_body(d, body, load3(d.geom_xpos, geom))
    radius = m.geom_rbound[geom] + reach
    d.tree_stack[0] = 0
    height = 1
    while height > 0:
        height -= 1
        node = root + d.tree_stack[height]
        if any_(not_(is_beyond(m, node, point, radius))):
            if m.bvh_nodeid[node] >= 0:
                append_automatic(m, d, geom, m.bvh_nodeid[node], first_pair, last_pair)
            for side in range(2):
                if m.bvh_child[node, side] >= 0:
                    d.tree_stack[height] = m.bvh_child[node, side]
                    height += 1


@kernel
def append_geoms_of(m, d, body1, body2, first_pair, last_pair):
    """Pairs of geoms of two bodies, as found."""
    large, small = (body1, body2) if m.body_geomnum[body1] > m.body_geomnum[body2] else (body2, body1)
    has_tree = m.body_geomnum[large] >= FEW_GEOMS and not is_disabled(m, DisableBit.MIDPHASE)
    reach = body_reach(m, body1) + body_reach(m, body2)
    if looks_ahead(m):
        reach = reach + (d.body_travel[body1] + d.body_travel[body2])
    outer, inner = (small, large) if has_tree else (body1, body2)
    for geom in range(m.body_geomadr[outer], m.body_geomadr[outer] + m.body_geomnum[outer]):
        if has_tree and m.geom_type[geom] != GeomType.PLANE:
            append_from_tree(m, d, geom, inner, reach, first_pair, last_pair)
        else:
            for other in range(m.body_geomadr[inner], m.body_geomadr[inner] + m.body_geomnum[inner]):
                append_automatic(m, d, geom, other, first_pair, last_pair)


@kernel
def sort_geoms(d, first):
    """The pairs noted since `first`, by first geom, then second. Few, and mostly in order."""
    for k in range(first + 1, d.nclose):
        geom1, geom2 = d.close_geom1[k], d.close_geom2[k]
        place = k
        while place > first and (
            d.close_geom1[place - 1] > geom1 or (d.close_geom1[place - 1] == geom1 and d.close_geom2[place - 1] > geom2)
        ):
            d.close_geom1[place] = d.close_geom1[place - 1]
            d.close_geom2[place] = d.close_geom2[place - 1]
            place -= 1
        d.close_geom1[place] = geom1
        d.close_geom2[place] = geom2


@kernel
def append_explicit(m, d, pair):
    """An explicit pair: no filter but that of its bounds."""
    geom1, geom2 = in_order(m, m.pair_geom1[pair], m.pair_geom2[pair])
    append_geoms(m, d, geom1, geom2, pair)


@kernel
def list_geoms(m, d):
    """Close pairs of geoms, by pair of bodies; explicit ones first in each. Lists of the model are in that order."""
    pair, exclusion = 0, 0
    for k in range(d.nsweep):
        body1, body2 = d.sweep_body1[k], d.sweep_partner[k]
        signature = signature_of(body1, body2)
        # both lists are sorted by signature, so they are walked along with the pairs of bodies
        while exclusion < m.nexclude and m.exclude_signature[exclusion] < signature:
            exclusion += 1
        if exclusion < m.nexclude and m.exclude_signature[exclusion] == signature:
            continue
        while pair < m.npair and m.pair_signature[pair] < signature:
            append_explicit(m, d, pair)
            pair += 1
        # explicit pairs of these bodies come first, and are not listed a second time below
        first_pair = pair
        while pair < m.npair and m.pair_signature[pair] == signature:
            append_explicit(m, d, pair)
            pair += 1
        first = d.nclose
        append_geoms_of(m, d, body1, body2, first_pair, pair)
        if not is_disabled(m, DisableBit.MIDPHASE) and d.nclose <= d.close_capacity:
            sort_geoms(d, first)
    # explicit pairs of bodies that are not close: what the model lists is always looked at
    while pair < m.npair:
        append_explicit(m, d, pair)
        pair += 1


@part()
def broadphase(m, d):
    """The list of close pairs of geoms. If memory is short, only the counts of pairs are right."""
    pair_with_all(m, d)
    if few_are_awake(m, d):
        sweep_awake(m, d)
    else:
        sweep(m, d)
    if d.nsweep <= d.sweep_capacity:
        filter_pairs(m, d)
        if m.nsleep > 0:
            drop_resting(m, d)
        if m.nsleep > 0 and MANY_BODIES * d.nsweep < m.nbody:
            sort_few(d)
        else:
            sort_pairs(m, d)
        list_geoms(m, d)
