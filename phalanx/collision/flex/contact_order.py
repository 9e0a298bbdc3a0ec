"""The order of contacts, and which are left of too many: rows of the contact list are moved after they are made.

Contacts of a body and a flex, and of two flexes, are sorted by geom and element; with contacts of geoms they are in the
order of bodies. Of a flex that is rigid or interpolated, whose contacts share few dofs, at most MAXCONPAIR are kept for
each geom: the deepest, then always the one that is farthest from all that are kept.

One world at a time.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import minimum
from phalanx.algebra.vector import dot, sub
from phalanx.tables.sizes import MAXCONPAIR, MAXVAL

#: Distance of a contact that is kept from those that are.
KEPT = -1.0


# --- rows of the list


@kernel
def swap(field, a, b):
    """Swap two elements of a field."""
    field[a], field[b] = field[b], field[a]


@kernel
def swap_rows(field, a, b, width):
    """Swap two rows of a field."""
    for k in range(width):
        field[a, k], field[b, k] = field[b, k], field[a, k]


@kernel
def swap_contacts(d, a, b):
    """Swap two contacts: what the narrow phase knows of them. The solver has not seen them yet."""
    if a == b:
        return
    swap(d.contact_dist, a, b)
    swap_rows(d.contact_pos, a, b, 3)
    swap_rows(d.contact_frame, a, b, 9)
    swap(d.contact_includemargin, a, b)
    swap_rows(d.contact_friction, a, b, 5)
    swap_rows(d.contact_solref, a, b, 2)
    swap_rows(d.contact_solreffriction, a, b, 2)
    swap_rows(d.contact_solimp, a, b, 5)
    swap(d.contact_adhesion, a, b)
    swap_rows(d.contact_surfacevel, a, b, 3)
    swap(d.contact_time, a, b)
    swap(d.contact_way, a, b)
    swap(d.contact_dim, a, b)
    swap(d.contact_geom1, a, b)
    swap(d.contact_geom2, a, b)
    swap_rows(d.contact_geom, a, b, 2)
    swap_rows(d.contact_flex, a, b, 2)
    swap_rows(d.contact_elem, a, b, 2)
    swap_rows(d.contact_vert, a, b, 2)
    swap(d.contact_exclude, a, b)


@kernel
def arrange(d, first, count):
    """Move `count` contacts from `first` on: `contact_order` says, for each place, which contact comes there."""
    order = d.contact_order
    for k in range(first, first + count):
        # a contact that was moved before is now where the one came from that took its place
        source = order[k]
        while source < k:
            source = order[source]
        swap_contacts(d, k, source)


# --- sorting


@kernel
def id_of_side(d, contact, side):
    """What contacts are sorted by: geom, element or vertex of a side."""
    if d.contact_geom[contact, side] >= 0:
        return d.contact_geom[contact, side]
    if d.contact_elem[contact, side] >= 0:
        return d.contact_elem[contact, side]
    return d.contact_vert[contact, side]


@kernel
def comes_before(d, a, b):
    """Does contact a come before contact b? Those of the same parts stay in their order."""
    first, second = id_of_side(d, a, 0) - id_of_side(d, b, 0), id_of_side(d, a, 1) - id_of_side(d, b, 1)
    if first != 0:
        return first < 0
    if second != 0:
        return second < 0
    return a < b


@kernel
def sort_contacts(d, first):
    """The contacts from `first` on by the ids of their sides: a shell sort of their places, then they are moved."""
    count, order = d.ncon - first, d.contact_order
    for k in range(first, d.ncon):
        order[k] = k
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(first + gap, d.ncon):
            contact, place = order[k], k
            while place >= first + gap and comes_before(d, contact, order[place - gap]):
                order[place] = order[place - gap]
                place -= gap
            order[place] = contact
        gap //= 3
    arrange(d, first, count)


@kernel
def first_body(m, d, contact):
    """The lower of the bodies that touch; of two flexes the count of bodies, which is more."""
    geom1, geom2 = d.contact_geom[contact, 0], d.contact_geom[contact, 1]
    if geom1 < 0:
        return m.nbody
    if geom2 < 0:
        return m.geom_bodyid[geom1]
    return min(m.geom_bodyid[geom1], m.geom_bodyid[geom2])


@kernel
def merge_contacts(m, d, middle):
    """Contacts of geoms, which end at `middle`, and those of flexes after them, by first body; those of geoms first."""
    order, geoms, flexes = d.contact_order, 0, middle
    for place in range(d.ncon):
        is_flex = geoms == middle
        if not is_flex and flexes < d.ncon:
            is_flex = first_body(m, d, flexes) < first_body(m, d, geoms)
        if is_flex:
            order[place] = flexes
            flexes += 1
        else:
            order[place] = geoms
            geoms += 1
    arrange(d, 0, d.ncon)


# --- reduction


@kernel
def deepest(d, first, last):
    """The deepest contact from `first` to before `last`, the first of equal ones."""
    best = first
    for contact in range(first + 1, last):
        if d.contact_dist[contact] < d.contact_dist[best]:
            best = contact
    return best


@kernel
def choose_spread(d, first, last):
    """contact_apart is KEPT for the contacts from `first` to before `last` that are kept: all, or MAXCONPAIR."""
    apart = d.contact_apart
    for contact in range(first, last):
        apart[contact] = MAXVAL if last - first > MAXCONPAIR else KEPT
    best = deepest(d, first, last)
    for _ in range(MAXCONPAIR if last - first > MAXCONPAIR else 0):
        apart[best] = KEPT
        chosen, farthest = load3(d.contact_pos, best), KEPT
        for contact in range(first, last):
            if apart[contact] >= 0.0:
                offset = sub(load3(d.contact_pos, contact), chosen)
                apart[contact] = minimum(apart[contact], dot(offset, offset))
                if apart[contact] > farthest:
                    best, farthest = contact, apart[contact]


@kernel
def keep_spread(d, first):
    """Of the contacts from `first` on, keep at most MAXCONPAIR for each geom, in the order of the list."""
    start = first
    while start < d.ncon:
        end = start + 1
        while end < d.ncon and d.contact_geom[end, 0] == d.contact_geom[start, 0]:
            end += 1
        choose_spread(d, start, end)
        start = end
    place = first
    for contact in range(first, d.ncon):
        if d.contact_apart[contact] < 0.0:
            swap_contacts(d, place, contact)
            place += 1
    d.ncon = place
