"""What is noted of each world after a run: the rows that act in it, and its contacts.

The rows decide which worlds share a lane group: those where the same constraints act.

All worlds of a group pay for a constraint that one of them has, and iterate as long as the slowest. Worlds whose rows
of the last step are alike are therefore put together; what each of them computes does not depend on its neighbors.
Contacts have the most and the longest rows, so worlds are alike by them first, and by other rows among those that have
the same contacts.

A pattern is a place in the sequence of all sets of bits in which each differs from the next by one bit (Gray's code):
worlds at neighboring places have more in common than numbers with the same bits would in ascending order.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, floor, not_, splat, where
from phalanx.integrator.state_limits import is_alive
from phalanx.memory.growth import lacks_memory
from phalanx.sensor.force.contact_wrench import contact_exists
from phalanx.tables.enums import ConstraintType

#: Kinds of constraint that a pattern tells apart; numbers of so many bits are exact in float32.
BITS = 22
#: The lowest of these bits are for rows that are no contacts.
OTHERS = 4


@kernel
def pattern_bit(d, row):
    """A bit for the joint, tendon, equality or pair of geoms that a row belongs to; not always one of its own."""
    owner = d.efc_id[row]
    if d.efc_type[row] >= ConstraintType.CONTACT_FRICTIONLESS:
        return OTHERS + (d.contact_geom[owner, 0] + d.contact_geom[owner, 1]) % (BITS - OTHERS)
    return (7 * owner + d.efc_type[row]) % OTHERS


@kernel
def has_bit(pattern, size):
    """Worlds whose set has the bit of a size (one, two, four ...): the middle half of each block of four sizes."""
    place = pattern - floor(pattern / (4.0 * size)) * (4.0 * size)
    return and_(place >= size, place < 3.0 * size)


@kernel
def flip_bit(pattern, size):
    """The patterns of the sets that have a bit where these do not: blocks of twice its size are reversed."""
    place = pattern - floor(pattern / (2.0 * size)) * (2.0 * size)
    return pattern - place + (2.0 * size - 1.0 - place)


@kernel
def note_pattern(d):
    """row_pattern: the place of the set of rows that act, in each world. contact_count: how many contacts it has."""
    if lacks_memory(d):
        return
    pattern, previous = splat(d.time, 0.0), -1
    for row in range(d.nefc):
        bit = pattern_bit(d, row)
        if bit != previous:
            size = float(1 << bit)
            is_new = and_(d.efc_KBIP[row, 2] > 0.0, not_(has_bit(pattern, size)))
            pattern = where(is_new, flip_bit(pattern, size), pattern)
        previous = bit
    d.row_pattern = pattern
    count = splat(d.time, 0.0)
    for contact in range(d.ncon):
        count = count + where(contact_exists(d, contact), 1.0, 0.0)
    # in lanes, a world that has stopped was not looked at; how many it had before depends on how steps are grouped
    d.contact_count = where(is_alive(d), count, 0.0)
