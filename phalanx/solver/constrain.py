"""The stage `fwd_constraint`: start, islands, solver."""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import lane_count
from phalanx.constraint.row_packs import divide_into_packs
from phalanx.memory.awake import awake_dofs
from phalanx.memory.flags import is_disabled
from phalanx.memory.growth import lacks_memory
from phalanx.smooth.step_metric import mul_metric
from phalanx.solver.coupled import couple_acceleration
from phalanx.solver.islands import copy_by_island, solve_all, solve_by_island
from phalanx.solver.packs import all_rows_times
from phalanx.solver.table import warm_start
from phalanx.tables.enums import ConstraintState, DisableBit
from phalanx.tables.sizes import NISLAND


@kernel
def fwd_constraint(m, d):
    """qacc and the forces of the constraints."""
    for dof in awake_dofs(m, d):
        d.qacc[dof] = d.qacc_smooth[dof]
        d.qfrc_constraint[dof] = 0.0
    for island in range(NISLAND):
        d.solver_niter[island] = 0.0
        d.solver_converged[island] = 1.0
    d.solver_unsolved = -1.0
    d.nisland = 0
    d.nidof = 0
    if d.nefc > 0 and not lacks_memory(d):
        solve_constraints(m, d)


@part()
def solve_constraints(m, d):
    """Accelerations and forces from the rows that there are."""
    divide_into_packs(m, d)
    all_rows_times(d, d.qacc_smooth, d.efc_b)
    for row in range(d.nefc):
        d.efc_b[row] = d.efc_b[row] - d.efc_aref[row]
        d.solve_jar[row] = d.efc_b[row]
        d.efc_force[row] = 0.0
        d.efc_state[row] = ConstraintState.SATISFIED
    if not is_disabled(m, DisableBit.WARMSTART):
        warm_start(m.opt.solver, m, d)
    else:
        mul_metric(m, d, d.solve_Ma, d.qacc)
    if not is_disabled(m, DisableBit.ISLAND):
        solve_by_island(m, d)
    else:
        solve_all(m, d)
    if m.opt.noslip_iterations > 0 and d.coupling_num > 0:
        couple_acceleration(m, d)
    if d.nisland > 0 and lane_count(d.efc_D[0]) == 1:
        copy_by_island(d)
