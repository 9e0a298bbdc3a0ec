"""Accelerations in the metric of a step with its couplings, from a force: one sparse solve, with Newton's Hessian.

MuJoCo takes conjugate gradients, to the tolerance of the solver. The factors here are exact.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import where
from phalanx.constraint.hessian_size import has_room_for_hessian
from phalanx.solver.hessian import assemble, hessian_pattern
from phalanx.solver.hessian_factor import divide_by_factors, factor_hessian
from phalanx.solver.islands import append_all_couplings, append_dof, clear_island, worlds_with_rows


@part()
def coupled_acceleration(m, d):
    """qacc_smooth = A^-1 metric_force"""
    solve_coupled(m, d, d.metric_force, d.qacc_smooth)


@kernel
def solve_coupled(m, d, force, result):
    """result <- A^-1 force, with A the metric and its couplings. If memory has no room, nothing."""
    clear_island(d)
    for dof in range(m.nv):
        append_dof(m, d, dof)
        result[dof] = force[dof]
    append_all_couplings(d)
    if hessian_pattern(m, d) < 0:
        # counted, so that there will be room
        has_room_for_hessian(m, d)
        return
    assemble(m, d, d.hessian)
    # no cone is listed, so the factors are those of the couplings alone
    factor_hessian(m, d)
    divide_by_factors(m, d, d, result)


@kernel
def couple_acceleration(m, d):
    """qacc after a pass that knew the backbone only: that of the forces which it found, in the worlds with rows."""
    total = d.solve_Mgrad
    for dof in range(m.nv):
        d.solve_grad[dof] = d.metric_force[dof] + d.qfrc_constraint[dof]
    solve_coupled(m, d, d.solve_grad, total)
    has_rows = worlds_with_rows(d)
    for dof in range(m.nv):
        d.qacc[dof] = where(has_rows, total[dof], d.qacc[dof])
