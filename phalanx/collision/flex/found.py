"""The contacts of flexes that were found in the world at hand: their order, and which are left of too many.

Contacts of a body and a flex, and of two flexes, are sorted by geom and element. Of a flex that is rigid or
interpolated, whose contacts share few dofs, at most MAXCONPAIR are kept for each geom: the deepest, then always the one
that is farthest from all that are kept.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import minimum
from phalanx.algebra.vector import dot, sub
from phalanx.collision.flex.flex_parameters import flex_gap, flex_margin
from phalanx.collision.flex.world_at_hand import at_hand, vector_at_hand
from phalanx.tables.sizes import MAXCONPAIR, MAXVAL

#: Columns of `found_part`: what touches, -1 for what does not.
GEOM, FLEX1, FLEX2, ELEMENT1, ELEMENT2, VERTEX = 0, 1, 2, 3, 4, 5
PARTS = 6
#: Distance of a contact that is kept from those that are.
KEPT = -1.0


# --- the list


@kernel
def note_candidate(d, k, geom, flex1, flex2, element1, element2, vertex):
    """Add candidate k to the list, if memory has room for it."""
    place = d.found_num
    d.found_num = place + 1
    if place >= d.contact_capacity:
        return
    part = d.found_part
    part[place, GEOM], part[place, FLEX1], part[place, FLEX2] = geom, flex1, flex2
    part[place, ELEMENT1], part[place, ELEMENT2], part[place, VERTEX] = element1, element2, vertex
    d.found_dist[place] = at_hand(d, d.near_dist[k])
    store3(d.found_pos, place, vector_at_hand(d, d.near_pos, k))
    store3(d.found_normal, place, vector_at_hand(d, d.near_normal, k))
    store3(d.found_tangent, place, vector_at_hand(d, d.near_tangent, k))


@kernel
def reach_of(m, d, geom, flex1, flex2):
    """Distance from which on a contact is noticed."""
    return at_hand(d, flex_margin(m, geom, flex1, flex2) + flex_gap(m, geom, flex1, flex2))


@kernel
def note_candidates(m, d, count, geom, flex1, flex2, element1, element2):
    """Add the candidates of a geom or element and an element that are within reach."""
    reach = reach_of(m, d, geom, flex1, flex2)
    for k in range(count):
        if at_hand(d, d.near_dist[k]) <= reach:
            note_candidate(d, k, geom, flex1, flex2, element1, element2, -1)


@kernel
def swap_vectors(field, a, b):
    """Swap two rows of a field of vectors."""
    first = load3(field, a)
    store3(field, a, load3(field, b))
    store3(field, b, first)


@kernel
def swap_found(d, a, b):
    """Swap two contacts."""
    if a == b:
        return
    for k in range(PARTS):
        d.found_part[a, k], d.found_part[b, k] = d.found_part[b, k], d.found_part[a, k]
    d.found_dist[a], d.found_dist[b] = d.found_dist[b], d.found_dist[a]
    swap_vectors(d.found_pos, a, b)
    swap_vectors(d.found_normal, a, b)
    swap_vectors(d.found_tangent, a, b)


# --- sorting


@kernel
def first_id(d, place):
    """What contacts are sorted by first: the geom, or the element of the first flex."""
    return d.found_part[place, GEOM] if d.found_part[place, GEOM] >= 0 else d.found_part[place, ELEMENT1]


@kernel
def second_id(d, place):
    """What they are sorted by then: the element of the second flex, or its vertex."""
    return d.found_part[place, ELEMENT2] if d.found_part[place, ELEMENT2] >= 0 else d.found_part[place, VERTEX]


@kernel
def comes_before(d, a, b):
    """Does contact a come before contact b? Those of the same parts stay in their order."""
    first, second = first_id(d, a) - first_id(d, b), second_id(d, a) - second_id(d, b)
    if first != 0:
        return first < 0
    if second != 0:
        return second < 0
    return a < b


@kernel
def sort_found(d, first):
    """The contacts from `first` on by the ids of their sides: a shell sort of their places, then they are moved."""
    count, order = d.found_num - first, d.found_order
    for k in range(first, d.found_num):
        order[k] = k
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(first + gap, d.found_num):
            contact, place = order[k], k
            while place >= first + gap and comes_before(d, contact, order[place - gap]):
                order[place] = order[place - gap]
                place -= gap
            order[place] = contact
        gap //= 3
    for k in range(first, d.found_num):
        # a contact that was moved before is now where the one came from that took its place
        source = order[k]
        while source < k:
            source = order[source]
        swap_found(d, k, source)


# --- reduction


@kernel
def deepest(d, first, last):
    """The deepest contact from `first` to before `last`, the first of equal ones."""
    best = first
    for contact in range(first + 1, last):
        if d.found_dist[contact] < d.found_dist[best]:
            best = contact
    return best


@kernel
def choose_spread(d, first, last):
    """found_apart is KEPT for the contacts from `first` to before `last` that are kept: all, or MAXCONPAIR."""
    apart = d.found_apart
    for contact in range(first, last):
        apart[contact] = MAXVAL if last - first > MAXCONPAIR else KEPT
    best = deepest(d, first, last)
    for _ in range(MAXCONPAIR if last - first > MAXCONPAIR else 0):
        apart[best] = KEPT
        chosen, farthest = load3(d.found_pos, best), KEPT
        for contact in range(first, last):
            if apart[contact] >= 0.0:
                offset = sub(load3(d.found_pos, contact), chosen)
                apart[contact] = minimum(apart[contact], dot(offset, offset))
                if apart[contact] > farthest:
                    best, farthest = contact, apart[contact]


@kernel
def keep_spread(d, first):
    """Of the contacts from `first` on, keep at most MAXCONPAIR for each geom, in the order of the list."""
    start = first
    while start < d.found_num:
        end = start + 1
        while end < d.found_num and d.found_part[end, GEOM] == d.found_part[start, GEOM]:
            end += 1
        choose_spread(d, start, end)
        start = end
    place = first
    for contact in range(first, d.found_num):
        if d.found_apart[contact] < 0.0:
            swap_found(d, place, contact)
            place += 1
    d.found_num = place
