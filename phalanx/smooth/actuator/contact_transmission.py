"""Transmission to the contacts of a body: an adhesion actuator pulls along their normals."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import any_, splat, where
from phalanx.algebra.vector import where3
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.actuator.moment_row import add_relative_wrench, clear_row, store_row
from phalanx.smooth.actuator.table import transmit
from phalanx.tables.enums import TrnType

#: contact_exclude up to which a contact is felt: 0 has rows, 1 is in the gap.
IN_GAP = 1
ZERO3 = (0.0, 0.0, 0.0)


@transmit.row(TrnType.BODY)
@kernel
def contact_output(m, d, actuator, out, address):
    """No length; the mean over the contacts of a body of the Jacobian against their normals."""
    body = m.actuator_trnid[actuator, 0]
    clear_row(m, d)
    count = splat(d.actuator_length[out], 0.0)
    for contact in range(0 if lacks_memory(d) else d.ncon):
        geom1, geom2 = d.contact_geom[contact, 0], d.contact_geom[contact, 1]
        if geom1 >= 0 and geom2 >= 0 and (m.geom_bodyid[geom1] == body or m.geom_bodyid[geom2] == body):
            is_felt = d.contact_exclude[contact] <= IN_GAP
            count = count + where(is_felt, 1.0, 0.0)
            add_normal(m, d, contact, m.geom_bodyid[geom1], m.geom_bodyid[geom2], is_felt)
    d.actuator_length[out] = 0.0
    return store_row(m, d, out, address, -1.0 / where(count > 0.0, count, 1.0))


@kernel
def add_normal(m, d, contact, body1, body2, is_felt):
    """The Jacobian of the distance of two bodies along the normal of a contact, in the worlds where it is felt."""
    if any_(is_felt):
        point = where3(is_felt, load3(d.contact_pos, contact), ZERO3)
        normal = where3(is_felt, load3(d.contact_frame, contact), ZERO3)
        add_relative_wrench(m, d, body2, point, body1, point, normal, ZERO3)
