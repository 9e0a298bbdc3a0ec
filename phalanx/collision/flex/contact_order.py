"""The order of contacts of flexes in the list: those of the worlds of a lane together, then between contacts of geoms.

What was found in one world is a list in MuJoCo's order. Lists of several worlds become one that has each of them in its
order: a contact of the same parts is one slot, others are put where their ids come. Worlds without the contact have
the distance NO_CONTACT there. Slots are linked while they come, then they are moved to their places.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import lane_count, lane_set
from phalanx.collision.flex.flex_parameters import put_parameters
from phalanx.collision.flex.found import ELEMENT1, ELEMENT2, FLEX1, FLEX2, GEOM, VERTEX
from phalanx.collision.table import NO_CONTACT
from phalanx.tables.enums import GeomType

#: No slot.
NONE = -1


# --- lists of several worlds


@kernel
def is_ground(m, geom):
    """Is a geom met without a tree, before those of the same body that have one?"""
    return geom >= 0 and (m.geom_type[geom] == GeomType.PLANE or m.geom_type[geom] == GeomType.SDF)


@kernel
def compare_bodies(m, geom1, geom2):
    """Below zero if the body of the first geom comes first, above if that of the second does; no geom comes last."""
    body1 = m.geom_bodyid[geom1] if geom1 >= 0 else m.nbody
    body2 = m.geom_bodyid[geom2] if geom2 >= 0 else m.nbody
    return body1 - body2


@kernel
def compare(m, d, slot, place):
    """Below zero if a slot comes before a contact that was found, zero if it has the same parts.

    An order that lists of one pair of objects have; where they do not, slots are more than they need to be.
    """
    part, geom = d.found_part, d.contact_geom[slot, 0]
    difference = compare_bodies(m, geom, part[place, GEOM])
    if difference == 0:
        difference = d.contact_flex[slot, 0] - part[place, FLEX1]
    if difference == 0:
        difference = d.contact_flex[slot, 1] - part[place, FLEX2]
    if difference == 0:
        # the ground comes first
        difference = int(is_ground(m, part[place, GEOM])) - int(is_ground(m, geom))
    if difference == 0:
        difference = geom - part[place, GEOM]
    if difference == 0:
        difference = d.contact_elem[slot, 0] - part[place, ELEMENT1]
    if difference == 0:
        difference = d.contact_elem[slot, 1] - part[place, ELEMENT2]
    if difference == 0:
        difference = d.contact_vert[slot, 1] - part[place, VERTEX]
    return difference


@kernel
def open_slot(d, slot, place):
    """A contact of the same parts as one that was found, in no world so far."""
    part, geom = d.found_part, d.found_part[place, GEOM]
    d.contact_geom1[slot], d.contact_geom2[slot] = geom, -1
    d.contact_geom[slot, 0], d.contact_geom[slot, 1] = geom, -1
    d.contact_flex[slot, 0], d.contact_flex[slot, 1] = part[place, FLEX1], part[place, FLEX2]
    d.contact_elem[slot, 0], d.contact_elem[slot, 1] = part[place, ELEMENT1], part[place, ELEMENT2]
    d.contact_vert[slot, 0], d.contact_vert[slot, 1] = -1, part[place, VERTEX]
    d.contact_dist[slot] = NO_CONTACT
    for axis in range(3):
        d.contact_pos[slot, axis] = 0.0
        d.contact_frame[slot, axis] = 1.0 if axis == 0 else 0.0
        d.contact_frame[slot, 3 + axis] = 0.0


@kernel
def fill_slot(d, slot, world, place):
    """The numbers of one world: its normal and its tangent are kept where the frame will be."""
    d.contact_dist[slot] = lane_set(d.contact_dist[slot], world, d.found_dist[place])
    for axis in range(3):
        d.contact_pos[slot, axis] = lane_set(d.contact_pos[slot, axis], world, d.found_pos[place, axis])
        d.contact_frame[slot, axis] = lane_set(d.contact_frame[slot, axis], world, d.found_normal[place, axis])
        tangent = lane_set(d.contact_frame[slot, 3 + axis], world, d.found_tangent[place, axis])
        d.contact_frame[slot, 3 + axis] = tangent


@kernel
def unite(m, d, head, world):
    """Put what was found in one world into the linked slots that begin with `head`; returns where they begin then."""
    before, slot = NONE, head
    for place in range(d.found_num):
        order = compare(m, d, slot, place) if slot >= 0 else 1
        while order < 0:
            before, slot = slot, d.contact_order[slot]
            order = compare(m, d, slot, place) if slot >= 0 else 1
        if order != 0:
            after, slot = slot, d.ncon
            d.ncon = d.ncon + 1
            if d.ncon > d.contact_capacity:
                return head
            open_slot(d, slot, place)
            d.contact_order[slot] = after
            if before >= 0:
                d.contact_order[before] = slot
            else:
                head = slot
        fill_slot(d, slot, world, place)
        before, slot = slot, d.contact_order[slot]
    return head


@kernel
def swap_slots(d, a, b):
    """Swap two contacts of flexes, of which there are parts, distance, position and normal so far."""
    if a == b:
        return
    swap(d.contact_dist, a, b)
    swap_rows(d.contact_pos, a, b, 3)
    swap_rows(d.contact_frame, a, b, 6)
    swap_parts(d, a, b)


@kernel
def place_slots(m, d, first, head):
    """Move the slots from `first` on into their order, and give them the parameters of what touches."""
    place, slot = first, head
    while slot >= 0:
        after = d.contact_order[slot]
        d.contact_next[place] = slot
        place, slot = place + 1, after
    for k in range(first, d.ncon):
        d.contact_order[k] = d.contact_next[k]
    if lane_count(d.time) > 1:
        arrange(d, first, d.ncon - first, swap_slots)
    for contact in range(first, d.ncon):
        put_parameters(m, d, contact)


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
def swap_parts(d, a, b):
    """Swap what touches at two contacts."""
    swap(d.contact_geom1, a, b)
    swap(d.contact_geom2, a, b)
    swap_rows(d.contact_geom, a, b, 2)
    swap_rows(d.contact_flex, a, b, 2)
    swap_rows(d.contact_elem, a, b, 2)
    swap_rows(d.contact_vert, a, b, 2)


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
    swap_parts(d, a, b)
    swap(d.contact_exclude, a, b)


@kernel
def arrange(d, first, count, swap_two):
    """Move `count` contacts from `first` on: `contact_order` says, for each place, which contact comes there."""
    order = d.contact_order
    for k in range(first, first + count):
        # a contact that was moved before is now where the one came from that took its place
        source = order[k]
        while source < k:
            source = order[source]
        swap_two(d, k, source)


# --- between contacts of geoms


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
    arrange(d, 0, d.ncon, swap_contacts)
