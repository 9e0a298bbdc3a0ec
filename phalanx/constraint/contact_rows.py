"""Rows of contacts."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6
from phalanx.algebra.number import any_, where
from phalanx.algebra.vector import negate, where3
from phalanx.constraint.contact_block import (
    NO_DOFS,
    PASSIVE,
    ZERO3,
    contact_acts,
    contact_axes,
    contact_kind,
    put_contact_values,
    put_directions,
    put_edges,
)
from phalanx.constraint.effective_distance import put_effective_distances
from phalanx.constraint.flex_rows import add_flex_contact, has_elements
from phalanx.constraint.passive_contact import is_passive
from phalanx.constraint.rows import describe, reserve, sum_invweight
from phalanx.smooth.chain import from_tree_center, part_ways, point_velocity, step_back
from phalanx.smooth.contact_body import contact_bodies
from phalanx.smooth.jacobian import last_dof
from phalanx.tables.enums import ConstraintType


@kernel
def contact_rows(m, d):
    """Rows of all contacts that act."""
    put_effective_distances(m, d)
    for contact in range(d.ncon):
        d.contact_efc_address[contact] = -1
        if is_passive(m, d, contact):
            d.contact_exclude[contact] = PASSIVE
        elif any_(contact_acts(d, contact)):
            if has_elements(m, d, contact):
                add_flex_contact(m, d, contact)
            else:
                add_contact(m, d, contact)


@kernel
def add_contact(m, d, contact):
    """Rows of one contact; it is excluded if no dof moves its bodies against each other."""
    body1, body2 = contact_bodies(m, d, contact)
    width, _ = part_ways(m, body1, body2)
    if width == 0:
        acts = contact_acts(d, contact)
        d.contact_exclude[contact] = where(acts, NO_DOFS, d.contact_exclude[contact] + 0.0)
        return
    kind, count = contact_kind(m, d, contact)
    row, address = d.nefc, d.nJ
    if not reserve(d, count, width):
        return
    d.contact_efc_address[contact] = row
    describe(d, row, address, count, width, kind, contact)
    put_contact_jacobian(m, d, contact, address, width)
    put_contact_values(m, d, contact, row, sum_invweight(m, body1, body2, 0))


# --- Jacobian


@kernel
def put_contact_jacobian(m, d, contact, address, width):
    """For each dof that moves one body only: velocity of the second minus the first, in the frame of the contact."""
    body1, body2 = contact_bodies(m, d, contact)
    kind, _ = contact_kind(m, d, contact)
    axes, touches, friction = contact_axes(d, contact)
    point = where3(contact_acts(d, contact), load3(d.contact_pos, contact), ZERO3)
    offset1, offset2 = from_tree_center(m, d, body1, point), from_tree_center(m, d, body2, point)
    dof1, dof2, dim = last_dof(m, body1), last_dof(m, body2), d.contact_dim[contact]
    for k in range(address + width - 1, address - 1, -1):
        dof, linear, spin = relative_motion(d, dof1, dof2, offset1, offset2)
        if kind == ConstraintType.CONTACT_PYRAMIDAL:
            put_edges(d, (k, width, dof, dim), axes, touches, friction, linear, spin)
        else:
            put_directions(d, (k, width, dof, dim), axes, touches, linear, spin)
        dof1, dof2 = step_back(m, dof1, dof2)


@kernel
def relative_motion(d, dof1, dof2, offset1, offset2):
    """The later of two different dofs, and the motion it gives the second body minus that of the first."""
    if dof1 > dof2:
        axis = load6(d.cdof, dof1)
        return dof1, negate(point_velocity(axis, offset1)), negate((axis[0], axis[1], axis[2]))
    axis = load6(d.cdof, dof2)
    return dof2, point_velocity(axis, offset2), (axis[0], axis[1], axis[2])
