"""Adhesion: contacts that pull their bodies together, a passive force."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number import and_, any_, where
from phalanx.algebra.vector import dot, where3
from phalanx.constraint.contact_block import ZERO3, contact_acts
from phalanx.constraint.flex_rows import has_elements, pull_flex
from phalanx.memory.awake import awake_dofs
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.chain import difference_column, from_tree_center, part_ways, step_back
from phalanx.smooth.contact_body import contact_bodies
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import DisableBit


@kernel
def adhesion(m, d):
    """qfrc_adhesion, added to qfrc_passive; with springs and dampers both disabled there is none."""
    has_passive = not is_disabled(m, DisableBit.SPRING) or not is_disabled(m, DisableBit.DAMPER)
    if m.flg_adhesion == 0 or not has_passive or is_disabled(m, DisableBit.CONTACT) or lacks_memory(d):
        return
    for contact in range(d.ncon):
        pulls = and_(contact_acts(d, contact), d.contact_adhesion[contact] != 0.0)
        if any_(pulls):
            if has_elements(m, d, contact):
                pull_flex(m, d, contact)
            else:
                pull_together(m, d, contact, pulls)
    for dof in awake_dofs(m, d):
        d.qfrc_passive[dof] = d.qfrc_passive[dof] + d.qfrc_adhesion[dof]


@kernel
def pull_together(m, d, contact, pulls):
    """The force of one contact along its normal, on each dof that moves one of its bodies."""
    body1, body2 = contact_bodies(m, d, contact)
    point = where3(pulls, load3(d.contact_pos, contact), ZERO3)
    frame, force = d.contact_frame, where(pulls, d.contact_adhesion[contact], 0.0)
    normal = where3(pulls, (frame[contact, 0], frame[contact, 1], frame[contact, 2]), ZERO3)
    offset1, offset2 = from_tree_center(m, d, body1, point), from_tree_center(m, d, body2, point)
    dof1, dof2 = last_dof(m, body1), last_dof(m, body2)
    count, _ = part_ways(m, body1, body2)
    for _ in range(count):
        dof, linear = difference_column(d, dof1, dof2, offset1, offset2)
        d.qfrc_adhesion[dof] = d.qfrc_adhesion[dof] + dot(normal, linear) * force
        dof1, dof2 = step_back(m, dof1, dof2)
