"""The limit row of a joint or tendon that a sensor reports on."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, not_, or_, splat, where

#: What is reported of a row.
DISTANCE, VELOCITY, FORCE = 0, 1, 2


@kernel
def row_value(d, row, quantity):
    """Distance from the limit, its rate, or the force of a row."""
    if quantity == DISTANCE:
        return d.efc_pos[row] - d.efc_margin[row]
    if quantity == VELOCITY:
        return d.efc_vel[row]
    return d.efc_force[row]


@kernel
def of_first_limit(d, kind, owner, quantity):
    """A value of the first row that limits an object in each world; zero where none does."""
    value = splat(d.time, 0.0)
    found = value != 0.0
    first = d.ne + d.nf
    for row in range(first, first + d.nl):
        if d.efc_type[row] == kind and d.efc_id[row] == owner:
            acts = d.efc_KBIP[row, 2] > 0.0
            value = where(and_(acts, not_(found)), row_value(d, row, quantity), value)
            found = or_(found, acts)
    return value
