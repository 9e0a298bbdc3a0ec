"""Candidates to contacts: run the collider of each pair that is near, and list what it finds.

In one world the list is the world's own. In lanes it is the union over the worlds: a slot exists if any world has the
contact, and a world without it has the distance NO_CONTACT there.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import and_, any_, lane_count, not_, where
from phalanx.collision.ahead.look_ahead import append_ahead, are_apart, look_ahead
from phalanx.collision.ahead.motion import find_travel, looks_ahead, may_meet
from phalanx.collision.broad.bounds import are_near
from phalanx.collision.broad.broadphase import broadphase
from phalanx.collision.broad.filters import are_at_rest, keep_near
from phalanx.collision.collide import collide
from phalanx.collision.contact import append_contact, pair_gap, pair_margin
from phalanx.collision.flex.flex_contacts import flex_contacts
from phalanx.collision.table import NO_CONTACT
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.tables.enums import DisableBit


@kernel
def collide_pair(m, d, geom1, geom2, pair):
    """Contacts of two geoms, the first of smaller type."""
    if are_at_rest(m, d, geom1, geom2, pair):
        return
    near = are_near(m, d, geom1, geom2, pair_reach(m, geom1, geom2, pair))
    # for most pairs this is all: what follows is long, and a function of its own
    if any_(near) or looks_ahead(m):
        collide_near(m, d, geom1, geom2, pair, near)


@kernel
def pair_reach(m, geom1, geom2, pair):
    """Distance within which a contact is noticed."""
    return pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair)


@kernel
def collide_near(m, d, geom1, geom2, pair, near):
    """Contacts of two geoms, in the worlds where their bounding spheres are near."""
    reach = pair_reach(m, geom1, geom2, pair)
    if any_(near):
        near = keep_near(m, d, geom1, geom2, pair, near)
    count = collide(m, d, geom1, geom2, reach, near) if any_(near) else 0
    if looks_ahead(m):
        ahead = will_touch(m, d, geom1, geom2, pair, count, near)
        append_near(m, d, geom1, geom2, pair, count, reach, and_(near, not_(ahead)))
        append_ahead(m, d, geom1, geom2, pair, ahead)
    else:
        append_near(m, d, geom1, geom2, pair, count, reach, near)


@kernel
def append_near(m, d, geom1, geom2, pair, count, reach, near):
    """List the candidates of a pair that are within reach, in the worlds where it is near."""
    if any_(near):
        for k in range(count):
            is_contact = and_(near, d.near_dist[k] <= reach)
            if any_(is_contact):
                dist = where(is_contact, d.near_dist[k], NO_CONTACT)
                append_contact(m, d, geom1, geom2, pair, k, dist, is_contact)


@kernel
def will_touch(m, d, geom1, geom2, pair, count, near):
    """Worlds in which two geoms do not touch, but will within the step; where is in the rows of `look_ahead`."""
    margin = pair_margin(m, geom1, geom2, pair)
    wanted = may_meet(m, d, geom1, geom2, margin)
    if any_(wanted):
        wanted = and_(keep_near(m, d, geom1, geom2, pair, wanted), are_apart(d, count, near, margin))
    if any_(wanted):
        wanted = look_ahead(m, d, geom1, geom2, pair, wanted)
    return wanted


@kernel
def collision(m, d):
    """The contact list."""
    d.ncon = 0
    d.nsweep = 0
    d.nclose = 0
    d.nefc = 0
    d.nJ = 0
    is_off = is_disabled(m, DisableBit.CONSTRAINT | DisableBit.CONTACT)
    if not is_off and (m.ncandidate > 0 or m.flg_sweep):
        if looks_ahead(m):
            find_travel(m, d)
        find_contacts(m, d)
    if not is_off and m.nflex > 0:
        flex_contacts(m, d)


@kernel
def list_near(m, d):
    """near_candidate: of the pairs that are always looked at, those whose bounds are near; returns how many.

    Without branches, as the answer is hard to foresee and mostly no. It pays in one world only: in lanes the bounds
    cost more than a branch.
    """
    near_candidate, count = d.near_candidate, 0
    for k in range(m.ncandidate):
        geom1, geom2, pair = m.candidate_geom1[k], m.candidate_geom2[k], m.candidate_pair[k]
        reach = pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair)
        near_candidate[count] = k
        count += any_(are_near(m, d, geom1, geom2, reach))
    return count


@part()
def find_contacts(m, d):
    """Contacts of the pairs that are always looked at, then of those that the broad phase finds."""
    is_listed = lane_count(d.geom_xpos[0, 0]) == 1 and not looks_ahead(m)
    for near in range(list_near(m, d) if is_listed else m.ncandidate):
        k = d.near_candidate[near] if is_listed else near
        collide_pair(m, d, m.candidate_geom1[k], m.candidate_geom2[k], m.candidate_pair[k])
    if m.flg_sweep:
        broadphase(m, d)
        if not lacks_memory(d):
            for k in range(d.nclose):
                collide_pair(m, d, d.close_geom1[k], d.close_geom2[k], d.close_pair[k])
