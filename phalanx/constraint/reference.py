"""The stage that gives constraint rows their reference acceleration, from velocities; and the pull of adhesion."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.memory import load3
from phalanx.algebra.number import splat, where
from phalanx.algebra.vector import where3
from phalanx.constraint.contact_block import ZERO3, contact_touches
from phalanx.constraint.table import equality_drift
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import has_step_metric
from phalanx.tables.enums import ConstraintType


@part()
def reference_constraint(m, d):
    """efc_vel and efc_aref: how fast rows are violated, and the acceleration they ask for."""
    if lacks_memory(d):
        return
    row_velocities(d)
    if m.flg_surfacevel != 0:
        surface_velocities(d)
    for row in range(d.nefc):
        k, b, impedance = d.efc_KBIP[row, 0], d.efc_KBIP[row, 1], d.efc_KBIP[row, 2]
        d.efc_aref[row] = -b * d.efc_vel[row] - k * impedance * (d.efc_pos[row] - d.efc_margin[row])
    if m.flg_adhesion != 0 and not has_step_metric(m):
        adhesion_references(d)
    drifts(m, d)
    d.has_implicit_rows = False


@kernel
def row_velocities(d):
    """efc_vel = J qvel"""
    for row in range(d.nefc):
        start = d.efc_J_rowadr[row]
        velocity = splat(d.efc_pos[row], 0.0)
        for k in range(start, start + d.efc_J_rownnz[row]):
            velocity = velocity + d.efc_J[k] * d.qvel[d.efc_J_colind[k]]
        d.efc_vel[row] = velocity


@kernel
def drifts(m, d):
    """What changes of the Jacobian of equalities ask for."""
    row = 0
    while row < d.ne:
        equality = d.efc_id[row]
        equality_drift(m.eq_type[equality], m, d, equality, row)
        while row < d.ne and d.efc_id[row] == equality:
            row += 1


# --- surfaces that slide


@kernel
def surface_velocities(d):
    """Surfaces that slide under their geoms, as in a conveyor belt."""
    for contact in range(d.ncon):
        row = d.contact_efc_address[contact]
        if row >= 0 and d.contact_dim[contact] > 1:
            slide1, slide2, spin = where3(contact_touches(d, contact), load3(d.contact_surfacevel, contact), ZERO3)
            if d.efc_type[row] == ConstraintType.CONTACT_PYRAMIDAL:
                add_to_edges(d, contact, row, 0, slide1)
                add_to_edges(d, contact, row, 1, slide2)
                if d.contact_dim[contact] > 3:
                    add_to_edges(d, contact, row, 2, spin)
            else:
                d.efc_vel[row + 1] = d.efc_vel[row + 1] + slide1
                d.efc_vel[row + 2] = d.efc_vel[row + 2] + slide2
                if d.contact_dim[contact] > 3:
                    d.efc_vel[row + 3] = d.efc_vel[row + 3] + spin


@kernel
def add_to_edges(d, contact, row, direction, velocity):
    """A velocity along one direction of friction, for the two edges of a pyramid that share it."""
    first = row + 2 * direction
    change = where(contact_touches(d, contact), d.contact_friction[contact, direction] * velocity, 0.0)
    d.efc_vel[first] = d.efc_vel[first] + change
    d.efc_vel[first + 1] = d.efc_vel[first + 1] - change


# --- adhesion


@kernel
def adhesion_references(d):
    """Contacts that pull: the push that it takes to balance them is not felt as a violation."""
    for contact in range(d.ncon):
        row = d.contact_efc_address[contact]
        if row >= 0:
            add_adhesion_reference(d, contact, row)


@kernel
def add_adhesion_reference(d, contact, row):
    """efc_aref of one contact: R times the push that balances its pull."""
    pull = where(d.efc_KBIP[row, 2] > 0.0, d.contact_adhesion[contact], 0.0)
    if d.efc_type[row] != ConstraintType.CONTACT_PYRAMIDAL:
        d.efc_aref[row] = d.efc_aref[row] + d.efc_R[row] * pull
        return
    # the pull is shared by the edges, unless there is no surface to rub on
    touches, edges = contact_touches(d, contact), 2 * (d.contact_dim[contact] - 1)
    share = pull / edges
    d.efc_aref[row] = d.efc_aref[row] + d.efc_R[row] * where(touches, share, pull)
    for k in range(row + 1, row + edges):
        d.efc_aref[k] = d.efc_aref[k] + d.efc_R[k] * where(touches, share, 0.0)
