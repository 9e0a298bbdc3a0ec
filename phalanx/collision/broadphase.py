"""Sweep and prune: pairs of geoms that are close, in scenes with too many pairs to list ahead.

Boxes around bodies are sorted along the axis on which they are spread most, dealt into strips along the next, and swept
strip by strip: bodies that overlap along the sweep are tested on the other two axes. So the cost is close to linear in
the number of bodies, in a plain of robots as in a heap.

Pairs of bodies are then put in the order of MuJoCo's contacts, and their geoms are tested by bounding spheres, through
a tree of boxes where a body has many. In lanes a box holds the body in all worlds, so the list is good for each of
them.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import any_, maximum, minimum, not_, sqrt
from phalanx.collision.bounds import are_near, body_reach, find_body_box, is_beyond, to_body
from phalanx.collision.contact import pair_gap, pair_margin
from phalanx.collision.filters import bodies_may_touch, geoms_may_touch, signature_of
from phalanx.tables.enums import DisableBit, GeomType

MIDPHASE = int(DisableBit.MIDPHASE)
PLANE = int(GeomType.PLANE)
#: Roles of bodies (`model.candidates`).
SWEPT, WITH_ALL = 1, 2
#: With fewer geoms than this in the larger of two bodies, each is tested with each.
FEW_GEOMS = 5


# --- pairs of bodies


@kernel
def append_bodies(m, d, body, other):
    """Note a pair of bodies whose boxes overlap, unless it is filtered out."""
    body1, body2 = (body, other) if body < other else (other, body)
    if bodies_may_touch(m, body1, body2):
        if d.nsweep < d.sweep_capacity:
            d.sweep_body1[d.nsweep] = body1
            d.sweep_body2[d.nsweep] = body2
        d.nsweep = d.nsweep + 1


@kernel
def list_swept(m, d):
    """Boxes of all bodies that are swept, their numbers in sweep_order; how many there are."""
    count = 0
    for body in range(1, m.nbody):
        if m.body_sweep[body] == SWEPT:
            find_body_box(m, d, body)
            d.sweep_order[count] = body
            count += 1
    return count


@kernel
def widest_axis(d, count, other):
    """The axis, but not the other, along which the centers of the boxes are spread most."""
    best, most = (other + 1) % 3, -1.0
    for axis in range(3):
        total, square = 0.0, 0.0
        for k in range(count):
            body = d.sweep_order[k]
            center = d.body_low[body, axis] + d.body_high[body, axis]
            total += center
            square += center * center
        spread = square - total * total / count
        if axis != other and spread > most:
            best, most = axis, spread
    return best


@kernel
def next_gap(gap):
    """Strides of the sort: 1, 4, 13, 40, ... backwards."""
    return (gap - 1) // 3


@kernel
def sort_along(d, count, axis):
    """Shell sort of sweep_order by lowest coordinate."""
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            body = d.sweep_order[k]
            low = d.body_low[body, axis]
            place = k
            while place >= gap and d.body_low[d.sweep_order[place - gap], axis] > low:
                d.sweep_order[place] = d.sweep_order[place - gap]
                place -= gap
            d.sweep_order[place] = body
        gap = next_gap(gap)


@kernel
def overlaps(d, i, j):
    """Do the boxes at two places of the sorted list overlap across the sweep?"""
    return (
        d.sweep_low[i, 1] <= d.sweep_high[j, 1]
        and d.sweep_low[j, 1] <= d.sweep_high[i, 1]
        and d.sweep_low[i, 2] <= d.sweep_high[j, 2]
        and d.sweep_low[j, 2] <= d.sweep_high[i, 2]
    )


@kernel
def list_boxes(d, count, axis, across):
    """Corners of the boxes in sorted order, axes in the order of their use."""
    for k in range(count):
        body = d.sweep_order[k]
        for turn in range(3):
            source = axis if turn == 0 else across if turn == 1 else 3 - axis - across
            d.sweep_low[k, turn] = d.body_low[body, source]
            d.sweep_high[k, turn] = d.body_high[body, source]


@kernel
def plan_strips(d, count):
    """(start, width, number) of strips across the sweep: at most sqrt(count), at least twice as wide as a box."""
    low, high, extent = d.sweep_low[0, 1], d.sweep_high[0, 1], 0.0
    for k in range(count):
        low = minimum(low, d.sweep_low[k, 1])
        high = maximum(high, d.sweep_high[k, 1])
        extent += d.sweep_high[k, 1] - d.sweep_low[k, 1]
    width = maximum((high - low) / sqrt(1.0 * count), 2.0 * extent / count)
    if width > 0.0 and (high - low) / width < count - 1.0:
        return low, width, int((high - low) / width) + 1
    return low, width, 1


@kernel
def strip_of(strips, x):
    """The strip of a coordinate; what is no number is in the first."""
    start, width, number = strips
    place = (x - start) / width
    if not place > 0.0:
        return 0
    return int(minimum(place, number - 1.0))


@kernel
def deal_into_strips(d, count, strips):
    """strip_place: the boxes of each strip, in sorted order; strip_end: where those of a strip end."""
    for strip in range(strips[2]):
        d.strip_end[strip] = 0
    for k in range(count):
        for strip in range(strip_of(strips, d.sweep_low[k, 1]), strip_of(strips, d.sweep_high[k, 1]) + 1):
            d.strip_end[strip] += 1
    start = 0
    for strip in range(strips[2]):
        number = d.strip_end[strip]
        d.strip_end[strip] = start
        start += number
    for k in range(count):
        for strip in range(strip_of(strips, d.sweep_low[k, 1]), strip_of(strips, d.sweep_high[k, 1]) + 1):
            place = d.strip_end[strip]
            d.strip_place[place] = k
            d.strip_end[strip] = place + 1


@kernel
def sweep_strip(m, d, first, last, strip, strips):
    """Pairs of a strip; a pair that is in several strips belongs to the one where both boxes have begun."""
    for a in range(first, last):
        i = d.strip_place[a]
        end = d.sweep_high[i, 0]
        b = a + 1
        while b < last and d.sweep_low[d.strip_place[b], 0] <= end:
            j = d.strip_place[b]
            b += 1
            if overlaps(d, i, j) and strip_of(strips, maximum(d.sweep_low[i, 1], d.sweep_low[j, 1])) == strip:
                append_bodies(m, d, d.sweep_order[i], d.sweep_order[j])


@kernel
def sweep(m, d):
    """Pairs of swept bodies whose boxes overlap."""
    count = list_swept(m, d)
    if count < 2:
        return
    axis = widest_axis(d, count, -1)
    sort_along(d, count, axis)
    list_boxes(d, count, axis, widest_axis(d, count, axis))
    strips = plan_strips(d, count)
    deal_into_strips(d, count, strips)
    first = 0
    for strip in range(strips[2]):
        sweep_strip(m, d, first, d.strip_end[strip], strip, strips)
        first = d.strip_end[strip]


@kernel
def pair_with_all(m, d):
    """Bodies that have no end, each with every other."""
    for body in range(m.nbody):
        if m.body_sweep[body] == WITH_ALL:
            for other in range(m.nbody):
                if m.body_sweep[other] == SWEPT or (m.body_sweep[other] == WITH_ALL and other > body):
                    append_bodies(m, d, body, other)


@kernel
def sort_pairs(m, d):
    """sweep_partner: the second bodies by first body, ascending; sweep_end: where those of a body end."""
    for body in range(m.nbody):
        d.sweep_end[body] = 0
    for k in range(d.nsweep):
        d.sweep_end[d.sweep_body1[k]] += 1
    start = 0
    for body in range(m.nbody):
        number = d.sweep_end[body]
        d.sweep_end[body] = start
        start += number
    for k in range(d.nsweep):
        body, other = d.sweep_body1[k], d.sweep_body2[k]
        place = d.sweep_end[body]
        d.sweep_partner[place] = other
        d.sweep_end[body] = place + 1
    first = 0
    for body in range(m.nbody):
        for k in range(first + 1, d.sweep_end[body]):
            other = d.sweep_partner[k]
            place = k
            while place > first and d.sweep_partner[place - 1] > other:
                d.sweep_partner[place] = d.sweep_partner[place - 1]
                place -= 1
            d.sweep_partner[place] = other
        first = d.sweep_end[body]


# --- pairs of geoms


@kernel
def append_geoms(m, d, geom1, geom2, pair):
    """Note a pair of geoms, the first of smaller type, if their bounds are near in some world."""
    reach = pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair)
    if any_(are_near(m, d, geom1, geom2, reach)):
        if d.nclose < d.close_capacity:
            d.close_geom1[d.nclose] = geom1
            d.close_geom2[d.nclose] = geom2
            d.close_pair[d.nclose] = pair
        d.nclose = d.nclose + 1


@kernel
def in_order(m, geom, other):
    """Two geoms as a contact stores them: smaller type first, then smaller number."""
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
    has_tree = m.body_geomnum[large] >= FEW_GEOMS and (m.opt.disableflags & MIDPHASE) == 0
    reach = body_reach(m, body1) + body_reach(m, body2)
    outer, inner = (small, large) if has_tree else (body1, body2)
    for geom in range(m.body_geomadr[outer], m.body_geomadr[outer] + m.body_geomnum[outer]):
        if has_tree and m.geom_type[geom] != PLANE:
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
    """Close pairs of geoms, by pair of bodies; explicit ones first in each."""
    pair = 0
    k = 0
    for body1 in range(m.nbody):
        while k < d.sweep_end[body1]:
            body2 = d.sweep_partner[k]
            k += 1
            while pair < m.npair and m.pair_signature[pair] < signature_of(body1, body2):
                append_explicit(m, d, pair)
                pair += 1
            first_pair = pair
            while pair < m.npair and m.pair_signature[pair] == signature_of(body1, body2):
                append_explicit(m, d, pair)
                pair += 1
            first = d.nclose
            append_geoms_of(m, d, body1, body2, first_pair, pair)
            if (m.opt.disableflags & MIDPHASE) == 0 and d.nclose <= d.close_capacity:
                sort_geoms(d, first)
    while pair < m.npair:
        append_explicit(m, d, pair)
        pair += 1


@kernel
def broadphase(m, d):
    """The list of close pairs of geoms. If memory is short, only the numbers of pairs are right."""
    pair_with_all(m, d)
    sweep(m, d)
    if d.nsweep <= d.sweep_capacity:
        sort_pairs(m, d)
        list_geoms(m, d)
