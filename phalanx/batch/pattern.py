"""What is noted of each world after a run: the rows that act in it, and its contacts.

The rows decide which worlds share a lane group: those where the same constraints act.

All worlds of a group pay for a constraint that one of them has, and iterate as long as the slowest. Worlds whose rows
of the last step are alike are therefore put together; what each of them computes does not depend on its neighbors.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import splat, where
from phalanx.integrator.state_limits import is_alive
from phalanx.memory.growth import lacks_memory
from phalanx.sensor.force.contact_wrench import contact_exists
from phalanx.tables.enums import ConstraintType

#: Kinds of constraint that a pattern tells apart; a sum of so many powers of two is exact in float32.
BITS = 22


@kernel
def pattern_bit(d, row):
    """A bit for the joint, tendon, equality or pair of geoms that a row belongs to; not always one of its own."""
    owner = d.efc_id[row]
    if d.efc_type[row] >= ConstraintType.CONTACT_FRICTIONLESS:
        return (3 * d.contact_geom[owner, 0] + 5 * d.contact_geom[owner, 1]) % BITS
    return (7 * owner + d.efc_type[row]) % BITS


@kernel
def note_pattern(d):
    """row_pattern: the sum of the bits of the rows that act, in each world. contact_count: how many contacts it has."""
    if lacks_memory(d):
        return
    pattern, previous = splat(d.time, 0.0), -1
    for row in range(d.nefc):
        bit = pattern_bit(d, row)
        if bit != previous:
            pattern = pattern + where(d.efc_KBIP[row, 2] > 0.0, float(1 << bit), 0.0)
        previous = bit
    d.row_pattern = pattern
    count = splat(d.time, 0.0)
    for contact in range(d.ncon):
        count = count + where(contact_exists(d, contact), 1.0, 0.0)
    # in lanes, a world that has stopped was not looked at; how many it had before depends on how steps are grouped
    d.contact_count = where(is_alive(d), count, 0.0)
