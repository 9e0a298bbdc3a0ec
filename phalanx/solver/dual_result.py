"""What follows from the forces of an island that a dual solver has found."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import where
from phalanx.smooth.step_metric import backbone_factor, backbone_inverse
from phalanx.solver.island_products import solve_factored
from phalanx.solver.packs import force_to_dofs


@kernel
def finish_dual(m, d, worlds):
    """qfrc_constraint and qacc of the island, from the forces."""
    force_to_dofs(d, worlds)
    x = d.solve_Mgrad
    for i in range(d.solve_ndof):
        x[d.solve_dof[i]] = d.qfrc_constraint[d.solve_dof[i]]
    factor, inverse = backbone_factor(m, d), backbone_inverse(m, d)
    solve_factored(x, d.solve_dof, d.solve_ndof, factor, inverse, m.M_rownnz, m.M_rowadr, m.M_colind)
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        d.qacc[dof] = where(worlds, d.qacc_smooth[dof] + x[dof], d.qacc[dof])
