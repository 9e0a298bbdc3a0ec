"""All smooth forces, and the acceleration they give without constraints."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load6
from phalanx.memory.awake import awake_bodies, awake_dofs
from phalanx.smooth.jacobian import apply_force
from phalanx.smooth.step_metric import has_step_metric, solve_backbone


@kernel
def fwd_acceleration(m, d):
    """qfrc_smooth: passive - bias + applied + actuator + Cartesian forces; qacc_smooth = M^-1 qfrc_smooth.

    With the metric of a step, qacc_smooth is that of its backbone: couplings are yet to come.
    """
    for dof in awake_dofs(m, d):
        force = d.qfrc_passive[dof] - d.qfrc_bias[dof] + d.qfrc_applied[dof]
        d.qfrc_smooth[dof] = force + d.qfrc_actuator[dof]
    apply_cartesian_forces(m, d, d.qfrc_smooth)
    for dof in awake_dofs(m, d):
        d.qacc_smooth[dof] = d.qfrc_smooth[dof]
    if has_step_metric(m):
        for dof in awake_dofs(m, d):
            d.metric_force[dof] = d.qfrc_smooth[dof] + (d.efm_c[dof] + d.efm_ca[dof])
            d.qacc_smooth[dof] = d.metric_force[dof]
    solve_backbone(m, d, d.qacc_smooth)


@kernel
def apply_cartesian_forces(m, d, total):
    """total += J' xfrc_applied, at the center of mass of each body."""
    for body in awake_bodies(m, d):
        wrench = load6(d.xfrc_applied, body)
        force, torque = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
        apply_force(m, d, total, body, load3(d.xipos, body), force, torque)
