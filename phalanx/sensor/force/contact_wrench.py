"""Force and torque of a contact, from the forces of its rows."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, splat, where
from phalanx.collision.table import NO_CONTACT
from phalanx.constraint.contact_block import contact_acts, contact_kind, contact_touches
from phalanx.tables.enums import ConstraintType

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def contact_exists(d, contact):
    """Worlds that have the contact, with or without rows."""
    return d.contact_dist[contact] < NO_CONTACT


@kernel
def contact_pushes(d, contact):
    """Worlds where the contact has rows."""
    return and_(contact_acts(d, contact), d.contact_efc_address[contact] >= 0)


@kernel
def contact_wrench(m, d, contact):
    """(force, torque) on the second geom along the normal and both tangents, less the pull of adhesion.

    Zero in worlds where the contact has no rows.
    """
    like = d.contact_dist[contact]
    nothing = splat(like, 0.0)
    row = d.contact_efc_address[contact]
    if row < 0:
        return (nothing, nothing, nothing), (nothing, nothing, nothing)
    dim, acts = d.contact_dim[contact], contact_pushes(d, contact)
    kind, count = contact_kind(m, d, contact)
    # the normal force of a pyramid is the sum over its edges (MuJoCo's mju_decodePyramid)
    push = nothing + d.efc_force[row]
    if kind == ConstraintType.CONTACT_PYRAMIDAL:
        for k in range(1, count):
            push = push + d.efc_force[row + k]
    push = where(acts, push - d.contact_adhesion[contact], 0.0)
    if dim == 1:
        return (push, nothing, nothing), (nothing, nothing, nothing)
    slide = (friction_force(m, d, contact, 0), friction_force(m, d, contact, 1))
    if dim < 4:
        return (push, slide[0], slide[1]), (nothing, nothing, nothing)
    spin = friction_force(m, d, contact, 2)
    if dim < 6:
        return (push, slide[0], slide[1]), (spin, nothing, nothing)
    return (push, slide[0], slide[1]), (spin, friction_force(m, d, contact, 3), friction_force(m, d, contact, 4))


@kernel
def friction_force(m, d, contact, k):
    """Force or torque in the k-th direction of friction."""
    row, touches = d.contact_efc_address[contact], contact_touches(d, contact)
    kind, _ = contact_kind(m, d, contact)
    if kind == ConstraintType.CONTACT_PYRAMIDAL:
        edges = d.efc_force[row + 2 * k] - d.efc_force[row + 2 * k + 1]
        return where(touches, edges * d.contact_friction[contact, k], 0.0)
    return where(touches, d.efc_force[row + 1 + k], 0.0)
