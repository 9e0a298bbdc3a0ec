"""Friction loss of dofs and tendons: rows that resist motion up to a force."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load5
from phalanx.algebra.number import any_, where
from phalanx.constraint.impedance import row_parameters
from phalanx.constraint.rows import describe, note_tendon, put_entry, put_row, put_tendon, release, reserve, where_felt
from phalanx.memory.awake import awake_dofs, is_tendon_asleep
from phalanx.tables.enums import ConstraintType


@kernel
def put_friction(m, d, row, acts, bound, solref, solimp, diagonal):
    """A row without position, hence without stiffness."""
    _, b, impedance, slope = row_parameters(m, solref, solimp, 0.0)
    put_row(d, row, acts, (0.0, 0.0), (0.0, b, impedance, slope), diagonal)
    d.efc_frictionloss[row] = where(acts, bound, 0.0)


@kernel
def dof_friction(m, d):
    """A row for every dof with friction loss."""
    for dof in awake_dofs(m, d):
        bound = m.dof_frictionloss[dof]
        acts = bound != 0.0
        row, address = d.nefc, d.nJ
        if any_(acts) and reserve(d, 1, 1):
            describe(d, row, address, 1, 1, ConstraintType.FRICTION_DOF, dof)
            put_entry(d, address, dof, where(acts, 1.0, 0.0))
            solref, solimp = load2(m.dof_solref, dof), load5(m.dof_solimp, dof)
            put_friction(m, d, row, acts, bound, solref, solimp, m.dof_invweight0[dof])


@kernel
def tendon_friction(m, d):
    """A row for every tendon with friction loss."""
    for tendon in range(m.ntendon):
        has_friction = m.tendon_frictionloss[tendon] > 0.0
        if any_(has_friction) and not is_tendon_asleep(m, d, tendon) and m.ten_J_rownnz[tendon] > 0:
            add_tendon_friction(m, d, tendon, has_friction)


@kernel
def add_tendon_friction(m, d, tendon, has_friction):
    """The row of one tendon, unless nothing moves it in any world that has friction."""
    row, address, width = d.nefc, d.nJ, m.ten_J_rownnz[tendon]
    if not reserve(d, 1, width):
        return
    put_tendon(m, d, address, tendon, where(has_friction, 1.0, 0.0))
    acts = where_felt(m, d, has_friction, address, width)
    if not any_(acts):
        release(d, 1, width)
        return
    describe(d, row, address, 1, width, ConstraintType.FRICTION_TENDON, tendon)
    note_tendon(d, tendon, row)
    solref, solimp = load2(m.tendon_solref_fri, tendon), load5(m.tendon_solimp_fri, tendon)
    put_friction(m, d, row, acts, m.tendon_frictionloss[tendon], solref, solimp, m.tendon_invweight0[tendon])
