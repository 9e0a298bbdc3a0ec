"""What rows of contacts share, whoever touches: frictionless, pyramidal and elliptic."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5, load9
from phalanx.algebra.number import and_, maximum, not_, or_, sqrt, where
from phalanx.algebra.vector import MINVAL, dot, where3
from phalanx.constraint.impedance import (
    damping,
    friction_reference,
    one_sided_parameters,
    usable_impedance,
    usable_reference,
)
from phalanx.constraint.rows import put_entry, put_place, put_regularization, regularization
from phalanx.tables.enums import Cone, ConstraintType

ZERO3 = (0.0, 0.0, 0.0)
#: Why a contact has no rows: no dof moves its sides apart.
NO_DOFS = 3.0
#: The same: it is a passive force (`passive_contact.py`).
PASSIVE = 4.0


@kernel
def contact_acts(d, contact):
    """Worlds where the contact has rows."""
    return d.contact_exclude[contact] == 0


@kernel
def contact_pushes(d, contact):
    """Worlds where the contact has rows or is a passive force."""
    return or_(contact_acts(d, contact), d.contact_exclude[contact] == PASSIVE)


@kernel
def contact_touches(d, contact):
    """Worlds where it has friction rows too: not where adhesion alone holds it at a distance."""
    is_held = and_(d.contact_adhesion[contact] != 0.0, d.contact_dist[contact] >= d.contact_includemargin[contact])
    return and_(contact_acts(d, contact), not_(is_held))


@kernel
def contact_kind(m, d, contact):
    """Type of the rows of a contact, and how many they are."""
    dim = d.contact_dim[contact]
    if dim == 1:
        return ConstraintType.CONTACT_FRICTIONLESS, 1
    if m.opt.cone == Cone.PYRAMIDAL:
        return ConstraintType.CONTACT_PYRAMIDAL, 2 * (dim - 1)
    return ConstraintType.CONTACT_ELLIPTIC, dim


# --- Jacobian


@kernel
def contact_axes(d, contact):
    """(axes, touches, friction): the frame and the friction of a contact, exact zeros where it does not act.

    So worlds without the contact do not feel the row.
    """
    acts, touches = contact_acts(d, contact), contact_touches(d, contact)
    frame, friction = load9(d.contact_frame, contact), load5(d.contact_friction, contact)
    axes = (
        where3(acts, (frame[0], frame[1], frame[2]), ZERO3),
        where3(touches, (frame[3], frame[4], frame[5]), ZERO3),
        where3(touches, (frame[6], frame[7], frame[8]), ZERO3),
    )
    friction = (
        where(touches, friction[0], 0.0), where(touches, friction[1], 0.0), where(touches, friction[2], 0.0),
        where(touches, friction[3], 0.0), where(touches, friction[4], 0.0),
    )  # fmt: skip
    return axes, touches, friction


@kernel
def put_directions(d, place, axes, touches, linear, spin):
    """Entries of one dof in the rows of a frictionless or elliptic contact."""
    k, width, dof, dim = place
    put_entry(d, k, dof, dot(axes[0], linear))
    if dim > 1:
        put_entry(d, k + width, dof, dot(axes[1], linear))
        put_entry(d, k + 2 * width, dof, dot(axes[2], linear))
    if dim > 3:
        put_entry(d, k + 3 * width, dof, where(touches, dot(axes[0], spin), 0.0))
    if dim > 4:
        put_entry(d, k + 4 * width, dof, dot(axes[1], spin))
        put_entry(d, k + 5 * width, dof, dot(axes[2], spin))


@kernel
def put_edges(d, place, axes, touches, friction, linear, spin):
    """Entries of one dof in the rows of a pyramid: push + mu slide, push - mu slide, for every direction of friction.

    Where adhesion alone holds the contact, the first row is the push and the others are nothing.
    """
    k, width, dof, dim = place
    push = dot(axes[0], linear)
    touch = where(touches, push, 0.0)
    slide = dot(axes[1], linear) * friction[0]
    put_entry(d, k, dof, push + slide)
    put_entry(d, k + width, dof, touch - slide)
    put_edge_pair(d, k + 2 * width, width, dof, touch, dot(axes[2], linear) * friction[1])
    if dim > 3:
        put_edge_pair(d, k + 4 * width, width, dof, touch, dot(axes[0], spin) * friction[2])
    if dim > 4:
        put_edge_pair(d, k + 6 * width, width, dof, touch, dot(axes[1], spin) * friction[3])
        put_edge_pair(d, k + 8 * width, width, dof, touch, dot(axes[2], spin) * friction[4])


@kernel
def put_edge_pair(d, k, width, dof, push, slide):
    """Entries of one dof in the two edges of a pyramid that share a direction of friction."""
    put_entry(d, k, dof, push + slide)
    put_entry(d, k + width, dof, push - slide)


# --- values


@kernel
def put_contact_values(m, d, contact, row, translation):
    """Positions, parameters and weights; `translation` is the inverse inertia of the bodies against translation."""
    kind, count = contact_kind(m, d, contact)
    acts, touches = contact_acts(d, contact), contact_touches(d, contact)
    place = (d.contact_dist[contact], d.contact_includemargin[contact])
    solref, solimp = load2(d.contact_solref, contact), load5(d.contact_solimp, contact)
    parameters = one_sided_parameters(m, solref, solimp, place[0] - place[1])
    put_place(d, row, acts, place, parameters)
    if kind == ConstraintType.CONTACT_PYRAMIDAL:
        for k in range(row + 1, row + count):
            put_place(d, k, touches, place, parameters)
        friction = d.contact_friction[contact, 0]
        diagonal = translation + where(touches, friction * friction * translation, 0.0)
        regularize_contact(m, d, contact, row, diagonal)
    else:
        b = friction_damping(m, d, contact, solref, solimp)
        for k in range(row + 1, row + count):
            put_place(d, k, touches, (0.0, 0.0), (0.0, b, parameters[2], parameters[3]))
        regularize_contact(m, d, contact, row, translation)


@kernel
def friction_damping(m, d, contact, solref, solimp):
    """B of the friction directions of an elliptic contact."""
    reference = friction_reference(m, load2(d.contact_solreffriction, contact), usable_reference(m, solref))
    return damping(reference, usable_impedance(solimp)[1])


@kernel
def regularize_contact(m, d, contact, row, diagonal):
    """Weights of all rows and the friction of the regularized cone, from the diagonal element of the first row."""
    kind, count = contact_kind(m, d, contact)
    impedance = d.efc_KBIP[row, 2]
    acts, touches = impedance > 0.0, contact_touches(d, contact)
    normal = regularization(impedance, diagonal)
    if kind == ConstraintType.CONTACT_FRICTIONLESS:
        put_regularization(d, row, acts, impedance, normal)
        return
    friction = d.contact_friction[contact, 0]
    tangential = normal / maximum(MINVAL, m.opt.impratio)
    mu = friction * sqrt(tangential / normal)
    d.contact_mu[contact] = where(acts, mu, 0.0)
    if kind == ConstraintType.CONTACT_PYRAMIDAL:
        edge = 2.0 * mu * mu * normal
        put_regularization(d, row, acts, impedance, where(touches, edge, normal))
        for k in range(row + 1, row + count):
            put_regularization(d, k, touches, impedance, edge)
        return
    put_regularization(d, row, acts, impedance, normal)
    put_regularization(d, row + 1, touches, impedance, tangential)
    for k in range(2, count):
        other = d.contact_friction[contact, k - 1]
        put_regularization(d, row + k, touches, impedance, tangential * friction * friction / (other * other))
