"""Blocks of rows: memory for them, what is the same for all kinds, and weights from the diagonal of J M^-1 J'.

A row acts in the worlds where its impedance is positive. Where it does not, all its values are zero and R is one.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import store4
from phalanx.algebra.number import and_, maximum, or_, where
from phalanx.algebra.quaternion import where4
from phalanx.algebra.vector import MINVAL
from phalanx.tables.enums import Jacobian

#: With fewer dofs than this MuJoCo's Jacobian is dense, unless the option says otherwise.
MIN_SPARSE = 60
ZERO4 = (0.0, 0.0, 0.0, 0.0)


@kernel
def reserve(d, count, width):
    """Append `count` rows of `width` entries each. False if memory has no room: then nothing may be written."""
    d.nefc = d.nefc + count
    d.nJ = d.nJ + count * width
    return d.nefc <= d.efc_capacity and d.nJ <= d.J_capacity


@kernel
def release(d, count, width):
    """Take back the last rows."""
    d.nefc = d.nefc - count
    d.nJ = d.nJ - count * width


@kernel
def describe(d, row, address, count, width, kind, owner):
    """Type, object and place of the entries of a block of rows."""
    for k in range(count):
        d.efc_type[row + k] = kind
        d.efc_id[row + k] = owner
        d.efc_J_rownnz[row + k] = width
        d.efc_J_rowadr[row + k] = address + k * width
        d.efc_J_rowsuper[row + k] = 0


@kernel
def put_entry(d, address, dof, value):
    """One entry of the Jacobian: its column and its value."""
    d.efc_J_colind[address] = dof
    d.efc_J[address] = value


@kernel
def put_column3(d, address, width, dof, column):
    """Entries of one dof in three rows."""
    put_entry(d, address, dof, column[0])
    put_entry(d, address + width, dof, column[1])
    put_entry(d, address + 2 * width, dof, column[2])


@kernel
def note_tendon(d, tendon, row):
    """Remember the first row that involves a tendon."""
    if d.tendon_efcadr[tendon] < 0:
        d.tendon_efcadr[tendon] = row


@kernel
def put_tendon(m, d, address, tendon, factor):
    """The Jacobian of a tendon times a factor as the entries of a row."""
    start = m.ten_J_rowadr[tendon]
    for k in range(m.ten_J_rownnz[tendon]):
        put_entry(d, address + k, m.ten_J_colind[start + k], factor * d.ten_J[start + k])


@kernel
def put_place(d, row, acts, place, parameters):
    """place = (pos, margin), parameters = (K, B, impedance, its derivative)."""
    d.efc_pos[row] = where(acts, place[0], 0.0)
    d.efc_margin[row] = where(acts, place[1], 0.0)
    d.efc_frictionloss[row] = 0.0
    store4(d.efc_KBIP, row, where4(acts, parameters, ZERO4))


@kernel
def put_row(d, row, acts, place, parameters, diagonal):
    """All values of a row that stands alone."""
    put_place(d, row, acts, place, parameters)
    regularize(d, row, acts, parameters[2], diagonal)


@kernel
def put_three(d, row, acts, violation, parameters, diagonal):
    """Numbers of three rows without margin that differ only in their violation."""
    put_row(d, row, acts, (violation[0], 0.0), parameters, diagonal)
    put_row(d, row + 1, acts, (violation[1], 0.0), parameters, diagonal)
    put_row(d, row + 2, acts, (violation[2], 0.0), parameters, diagonal)


@kernel
def sum_invweight(m, body1, body2, kind):
    """Inverse inertia of two bodies at qpos0: kind 0 against translation, 1 against rotation."""
    return m.body_invweight0[body1, kind] + m.body_invweight0[body2, kind]


@kernel
def regularization(impedance, diagonal):
    """R of a row: (1 - I) / I of the inverse inertia."""
    return maximum(MINVAL, (1.0 - impedance) * diagonal / impedance)


@kernel
def put_regularization(d, row, acts, impedance, r):
    """R, D = 1 / R, and the diagonal that would give this R."""
    d.efc_R[row] = where(acts, r, 1.0)
    d.efc_D[row] = where(acts, 1.0 / r, 0.0)
    d.efc_diagA[row] = where(acts, r * impedance / (1.0 - impedance), 0.0)


@kernel
def regularize(d, row, acts, impedance, diagonal):
    """Weight of a row that stands alone."""
    put_regularization(d, row, acts, impedance, regularization(impedance, diagonal))


@kernel
def is_dense(m):
    """Is MuJoCo's Jacobian of this model dense?"""
    return m.opt.jacobian == Jacobian.DENSE or (m.opt.jacobian == Jacobian.AUTO and m.nv < MIN_SPARSE)


@kernel
def where_felt(m, d, acts, address, entries):
    """Worlds where a block of rows acts: not where its Jacobian is zero, if MuJoCo would look at its values."""
    has_look = is_dense(m)
    is_felt = or_(d.efc_J[address] != 0.0, not has_look)
    for k in range(address + 1, address + entries if has_look else address):
        is_felt = or_(is_felt, d.efc_J[k] != 0.0)
    return and_(acts, is_felt)
