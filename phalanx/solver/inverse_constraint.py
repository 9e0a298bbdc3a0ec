"""The stage `inv_constraint`: forces of the constraints that belong to a given acceleration, without iterations."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.constraint.row_packs import divide_into_packs
from phalanx.memory.growth import lacks_memory
from phalanx.solver.constraint_update import update_rows
from phalanx.solver.island_products import row_times
from phalanx.solver.islands import list_all, worlds_with_rows
from phalanx.solver.packs import force_to_dofs
from phalanx.tables.enums import ConstraintState


@kernel
def inv_constraint(m, d):
    """efc_force, efc_state and qfrc_constraint at qacc: each row or cone yields its force from J qacc - aref alone."""
    for dof in range(m.nv):
        d.qfrc_constraint[dof] = 0.0
    if d.nefc == 0 or lacks_memory(d):
        return
    for row in range(d.nefc):
        d.solve_jar[row] = row_times(d, row, d.qacc) - d.efc_aref[row]
    forces_of_rows(m, d)


@kernel
def forces_of_rows(m, d):
    """efc_force, efc_state and qfrc_constraint at solve_jar; there are rows, and qfrc_constraint is zero."""
    for row in range(d.nefc):
        d.efc_force[row] = 0.0
        d.efc_state[row] = ConstraintState.SATISFIED
    divide_into_packs(m, d)
    list_all(m, d)
    has_rows = worlds_with_rows(d)
    update_rows(d, has_rows)
    force_to_dofs(d, has_rows)
