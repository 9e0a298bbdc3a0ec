"""From the acceleration of a step to that of forward dynamics: the inverse of what `implicit.py` does.

A step changes the velocity by h a, where (M - h qDeriv) a = qfrc_smooth + qfrc_constraint. The right-hand side is M
times the acceleration of forward dynamics, which is therefore M^-1 (M - h qDeriv) a.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import any_, where
from phalanx.algebra.tree import multiply_tree
from phalanx.integrator.bias_derivative import is_free_tree
from phalanx.integrator.implicit import (
    WIDTH,
    free_body_system,
    has_dampers,
    implicit_matrix,
    implicitfast_matrix,
    is_damping_implicit,
)
from phalanx.integrator.table import discrete_acceleration
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.reflected import damping_coefficients
from phalanx.smooth.inertia import mul_m, solve_m
from phalanx.smooth.passive.passive import dof_damping_slope
from phalanx.tables.enums import DisableBit, Integrator


@discrete_acceleration.row(Integrator.IMPLICIT)
@kernel
def implicit_inverse(m, d):
    """qacc of forward dynamics, from that of a step with the whole derivative."""
    implicit_force(m, d)
    replace_acceleration(m, d, True)


@discrete_acceleration.row(Integrator.IMPLICITFAST)
@kernel
def implicitfast_inverse(m, d):
    """The same with the symmetric part of the derivative."""
    implicitfast_force(m, d)
    replace_acceleration(m, d, True)


@discrete_acceleration.row(Integrator.IMPLICITSPRINGDAMPER)
@kernel
def implicitspringdamper_inverse(m, d):
    """The same with the springs and dampers of joints."""
    spring_damper_force(m, d)
    replace_acceleration(m, d, True)


@discrete_acceleration.row(Integrator.EULER)
@kernel
def euler_inverse(m, d):
    """The same with the dampers of joints, where there are any; without them qacc is that of forward dynamics."""
    if is_damping_implicit(m):
        is_damped = has_dampers(m, d)
        if any_(is_damped):
            damper_force(m, d)
            replace_acceleration(m, d, is_damped)


@kernel
def replace_acceleration(m, d, chosen):
    """qacc <- M^-1 qacc_implicit, which holds a force, in the chosen worlds."""
    solve_m(m, d, d.qacc_implicit)
    for dof in range(m.nv):
        d.qacc[dof] = where(chosen, d.qacc_implicit[dof], d.qacc[dof])


# --- the force M a - h qDeriv a of each integrator, in qacc_implicit


@kernel
def damper_force(m, d):
    """Dampers of joints, at the end of the step."""
    mul_m(m, d, d.qacc_implicit, d.qacc)
    for dof in range(m.nv):
        change = m.opt.timestep * dof_damping_slope(m, d, dof) * d.qacc[dof]
        d.qacc_implicit[dof] = d.qacc_implicit[dof] + change


@kernel
def implicit_force(m, d):
    """The whole derivative; qDeriv, qLU (not factored)."""
    implicit_matrix(m, d)
    for dof in range(m.nv):
        force = 0.0
        for address in range(m.D_rowadr[dof], m.D_rowadr[dof] + m.D_rownnz[dof]):
            force = force + d.qLU[address] * d.qacc[m.D_colind[address]]
        d.qacc_implicit[dof] = force


@kernel
def implicitfast_force(m, d):
    """The symmetric part of the derivative, without the bias force; single free bodies have all of it. qDeriv, qH."""
    implicitfast_matrix(m, d)
    multiply_tree(d.qacc_implicit, d.qH, d.qacc, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)
    for tree in range(m.ntree):
        if is_free_tree(m, tree):
            first = m.tree_dofadr[tree]
            free_body_system(m, d, tree, first)
            for row in range(6):
                force = 0.0
                for column in range(6):
                    force = force + d.implicit_block[WIDTH * row + column] * d.qacc[first + column]
                d.qacc_implicit[first + row] = force


@kernel
def spring_damper_force(m, d):
    """Linear springs and dampers of joints, at the end of the step."""
    step = m.opt.timestep
    mul_m(m, d, d.qacc_implicit, d.qacc)
    for dof in range(m.nv):
        if not is_disabled(m, DisableBit.DAMPER):
            change = step * damping_coefficients(m, dof)[0] * d.qacc[dof]
            d.qacc_implicit[dof] = d.qacc_implicit[dof] + change
        if not is_disabled(m, DisableBit.SPRING):
            pull = step * m.jnt_stiffness[m.dof_jntid[dof]]
            d.qacc_implicit[dof] = d.qacc_implicit[dof] + pull * (d.qvel[dof] + step * d.qacc[dof])
