"""External forces on bodies: applied ones, contacts, equalities between bodies, and tendons."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed
from phalanx.algebra.memory import load3, load6, load9, store6
from phalanx.algebra.number import any_, or_
from phalanx.algebra.spatial import ZERO6
from phalanx.algebra.vector import negate, where3
from phalanx.constraint.table import equality_force
from phalanx.sensor.force.contact_wrench import ZERO3, contact_pushes, contact_wrench
from phalanx.sensor.force.tendon_tension import apply_tension, tendon_tension
from phalanx.smooth.contact_body import contact_bodies, touches_flex
from phalanx.smooth.jacobian import any_component
from phalanx.smooth.wrench import add_wrench
from phalanx.tables.enums import WrapType


@kernel
def external_forces(m, d):
    """cfrc_ext"""
    for body in range(m.nbody):
        store6(d.cfrc_ext, body, ZERO6)
    applied_forces(m, d)
    contact_forces(m, d)
    equality_forces(m, d)
    tendon_forces(m, d)


@kernel
def applied_forces(m, d):
    """cfrc_ext += xfrc_applied, which acts at centers of mass."""
    for body in range(1, m.nbody):
        wrench = load6(d.xfrc_applied, body)
        force, torque = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
        acts = or_(any_component(force), any_component(torque))
        if any_(acts):
            add_wrench(m, d, d.cfrc_ext, body, load3(d.xipos, body), force, torque, acts)


@kernel
def contact_forces(m, d):
    """cfrc_ext += what contacts do to their second body, and the opposite to the first; flexes are left out."""
    for contact in range(d.ncon):
        acts = contact_pushes(d, contact)
        if any_(acts) and not touches_flex(m, d, contact):
            body1, body2 = contact_bodies(m, d, contact)
            frame, point = load9(d.contact_frame, contact), where3(acts, load3(d.contact_pos, contact), ZERO3)
            along, about = contact_wrench(m, d, contact)
            force, torque = multiply_transposed(frame, along), multiply_transposed(frame, about)
            add_wrench(m, d, d.cfrc_ext, body1, point, negate(force), negate(torque), acts)
            add_wrench(m, d, d.cfrc_ext, body2, point, force, torque, acts)


@kernel
def equality_forces(m, d):
    """cfrc_ext += what equalities do to the bodies they tie together."""
    row = 0
    while row < d.ne:
        equality = d.efc_id[row]
        equality_force(m.eq_type[equality], m, d, equality, row)
        while row < d.ne and d.efc_id[row] == equality:
            row += 1


@kernel
def tendon_forces(m, d):
    """cfrc_ext += what tendons that run through space do along their paths."""
    for tendon in range(m.ntendon):
        if m.wrap_type[m.tendon_adr[tendon]] != WrapType.JOINT:
            apply_tension(m, d, d.cfrc_ext, tendon, tendon_tension(m, d, tendon))
