"""Accelerations that take the change of the forces with velocity into account.

Each kernel writes `qacc_implicit`, the acceleration of the update qvel += h qacc_implicit:

    (M - h qDeriv) a = qfrc_smooth + qfrc_constraint

with all of qDeriv (implicit, by a sparse LU), with its symmetric part and without the bias force (implicitfast, by
L'DL; a single free body gets everything, by its own 6x6), or with the dampers of joints only (Euler). d.qacc and the
forces of the constraints remain those of the forward pass.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.number import abs_, all_, and_, any_, not_, or_, where
from phalanx.algebra.tree import factor_tree, solve_tree
from phalanx.algebra.vector import MINVAL
from phalanx.integrator.bias_derivative import bias_slope, bias_slopes, is_free_tree
from phalanx.integrator.table import step_acceleration
from phalanx.integrator.velocity_derivative import deriv_smooth_vel
from phalanx.memory.awake import awake_dofs
from phalanx.memory.flags import is_disabled
from phalanx.smooth.actuator.reflected import damping_coefficients, is_reflected_to
from phalanx.smooth.passive.passive import dof_damping_slope
from phalanx.tables.enums import DisableBit, Integrator, WarningType

#: A row of the 6x6 system of a free body, with its right-hand side.
WIDTH = 7


@kernel
def sum_forces(m, d):
    """qacc_implicit: the right-hand side, before it is solved for."""
    for dof in awake_dofs(m, d):
        d.qacc_implicit[dof] = d.qfrc_smooth[dof] + d.qfrc_constraint[dof]


@kernel
def warn_of_pivot(d, dof, concerned):
    """Count a pivot that had to be replaced, in the worlds concerned whose `dof` is not negative."""
    is_bad = and_(concerned, dof >= 0.0)
    if any_(is_bad):
        d.warning_number[WarningType.INERTIA] = where(
            is_bad, d.warning_number[WarningType.INERTIA] + 1.0, d.warning_number[WarningType.INERTIA]
        )
        d.warning_lastinfo[WarningType.INERTIA] = where(is_bad, dof, d.warning_lastinfo[WarningType.INERTIA])


@kernel
def factor_h(m, d):
    """qH in place, and qHDiagInv; returns the dof of a pivot that had to be replaced, or -1."""
    return factor_tree(d.qH, d.qHDiagInv, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def solve_h(m, d):
    """qacc_implicit <- qH^-1 qacc_implicit"""
    solve_tree(d.qacc_implicit, d.qH, d.qHDiagInv, m.nv, m.M_rownnz, m.M_rowadr, m.M_colind)


# --- implicit


@step_acceleration.row(Integrator.IMPLICIT)
@part()
def implicit_acceleration(m, d):
    """qacc_implicit with the whole derivative; qDeriv, qLU."""
    implicit_matrix(m, d)
    bad_dof = factor_lu(m, d.qLU)
    warn_of_pivot(d, bad_dof, bad_dof >= 0.0)
    sum_forces(m, d)
    solve_lu(m, d.qLU, d.qacc_implicit)


@kernel
def implicit_matrix(m, d):
    """qLU = M - h qDeriv, not yet factored; qDeriv."""
    deriv_smooth_vel(m, d, True)
    step = m.opt.timestep
    for k in range(m.nD):
        source = m.mapM2D[k]
        if source >= 0:
            d.qLU[k] = d.M[source] - step * d.qDeriv[k]
        else:
            d.qLU[k] = 0.0 - step * d.qDeriv[k]


@kernel
def factor_lu(m, matrix):
    """Replace a matrix in the square pattern by L and U with (U + 1) L = matrix, from the last dof to the first.

    In this order nothing fills in: what a dof moves is part of what its ancestors move. A pivot too close to zero is
    replaced; returns the dof of the first one, or -1, as a number of each world.
    """
    bad_dof = -1.0
    for dof in range(m.nv - 1, -1, -1):
        start = m.D_rowadr[dof]
        diagonal = start + m.D_diag[dof]
        # eliminate the entries above the diagonal with the rows of deeper dofs, which are done
        for address in range(start + m.D_rownnz[dof] - 1, diagonal, -1):
            below = m.D_colind[address]
            source = m.D_rowadr[below]
            end = source + m.D_diag[below]
            factor = matrix[address] / matrix[end]
            matrix[address] = factor
            target = start
            while source < end:
                while m.D_colind[target] < m.D_colind[source]:
                    target += 1
                matrix[target] = matrix[target] - matrix[source] * factor
                source += 1
        pivot = matrix[diagonal]
        is_bad = abs_(pivot) < MINVAL
        bad_dof = where(and_(is_bad, bad_dof < 0.0), float(dof), bad_dof)
        matrix[diagonal] = where(is_bad, where(pivot < 0.0, -MINVAL, MINVAL), pivot)
    return bad_dof


@kernel
def solve_lu(m, matrix, x):
    """x <- ((U + 1) L)^-1 x"""
    for dof in range(m.nv - 1, -1, -1):
        start = m.D_rowadr[dof]
        value = x[dof]
        for address in range(start + m.D_diag[dof] + 1, start + m.D_rownnz[dof]):
            value = value - matrix[address] * x[m.D_colind[address]]
        x[dof] = value
    for dof in range(m.nv):
        start = m.D_rowadr[dof]
        diagonal = start + m.D_diag[dof]
        value = x[dof]
        for address in range(start, diagonal):
            value = value - matrix[address] * x[m.D_colind[address]]
        x[dof] = value / matrix[diagonal]


# --- implicitfast


@step_acceleration.row(Integrator.IMPLICITFAST)
@part()
def implicitfast_acceleration(m, d):
    """qacc_implicit with the symmetric part of the derivative, without the bias force; qDeriv, qH, qHDiagInv."""
    implicitfast_matrix(m, d)
    for tree in range(m.ntree):
        if is_free_tree(m, tree):
            keep_inertia(m, d, m.tree_dofadr[tree])
    bad_dof = factor_h(m, d)
    warn_of_pivot(d, bad_dof, bad_dof >= 0.0)
    sum_forces(m, d)
    solve_h(m, d)
    for tree in range(m.ntree):
        if is_free_tree(m, tree):
            free_body_acceleration(m, d, tree)


@kernel
def implicitfast_matrix(m, d):
    """qH = M - h qDeriv in the pattern of M, not yet factored; qDeriv."""
    deriv_smooth_vel(m, d, False)
    for k in range(m.nC):
        d.qH[k] = d.M[k] - m.opt.timestep * d.qDeriv[m.mapD2M[k]]


@kernel
def keep_inertia(m, d, first):
    """The rows of a free body in qH are those of M: it is solved for separately."""
    for dof in range(first, first + 6):
        start = m.M_rowadr[dof]
        for address in range(start, start + m.M_rownnz[dof]):
            d.qH[address] = d.M[address]


@kernel
def free_body_acceleration(m, d, tree):
    """The rows of a free body in qacc_implicit, with the whole derivative; as they are if its matrix is singular."""
    first = m.tree_dofadr[tree]
    free_body_system(m, d, tree, first)
    solved = solve_free_body(d.implicit_block)
    for k in range(6):
        dof = first + k
        d.qacc_implicit[dof] = where(solved, d.implicit_block[WIDTH * k + 6], d.qacc_implicit[dof])


@kernel
def free_body_system(m, d, tree, first):
    """implicit_block: M - h (qDeriv - derivative of the bias force), and the force as seventh column."""
    block, step = d.implicit_block, m.opt.timestep
    bias_slopes(m, d, tree)
    for k in range(WIDTH * 6):
        block[k] = 0.0
    for row in range(6):
        dof = first + row
        for address in range(m.M_rowadr[dof], m.M_rowadr[dof] + m.M_rownnz[dof]):
            column = m.M_colind[address] - first
            block[WIDTH * row + column] = d.M[address]
            block[WIDTH * column + row] = d.M[address]
        block[WIDTH * row + 6] = d.qfrc_smooth[dof] + d.qfrc_constraint[dof]
    for row in range(6):
        dof = first + row
        for address in range(m.D_rowadr[dof], m.D_rowadr[dof] + m.D_rownnz[dof]):
            other = m.D_colind[address]
            slope = d.qDeriv[address] - bias_slope(d, dof, other)
            place = WIDTH * row + other - first
            block[place] = block[place] - step * slope


@kernel
def solve_free_body(block):
    """Replace the seventh column by the solution, with the largest pivot of each column; False where there is none."""
    worst = 1.0
    for k in range(6):
        # the row with the largest entry in column k, the first of equals
        largest, best = abs_(block[WIDTH * k + k]), float(k)
        for row in range(k + 1, 6):
            size = abs_(block[WIDTH * row + k])
            is_larger = size > largest
            largest, best = where(is_larger, size, largest), where(is_larger, float(row), best)
        worst = where(largest < worst, largest, worst)
        for row in range(k + 1, 6):
            swap_rows(block, k, row, best == float(row))
        inverse = 1.0 / block[WIDTH * k + k]
        for row in range(k + 1, 6):
            factor = block[WIDTH * row + k] * inverse
            for column in range(k + 1, WIDTH):
                place = WIDTH * row + column
                block[place] = block[place] - factor * block[WIDTH * k + column]
    for row in range(5, -1, -1):
        value = block[WIDTH * row + 6]
        for column in range(row + 1, 6):
            value = value - block[WIDTH * row + column] * block[WIDTH * column + 6]
        block[WIDTH * row + 6] = value / block[WIDTH * row + row]
    return not_(worst < MINVAL)


@kernel
def swap_rows(block, a, b, chosen):
    """Exchange two rows from column a on, in the chosen worlds."""
    if any_(chosen):
        for column in range(a, WIDTH):
            upper, lower = block[WIDTH * a + column], block[WIDTH * b + column]
            block[WIDTH * a + column] = where(chosen, lower, upper)
            block[WIDTH * b + column] = where(chosen, upper, lower)


# --- Euler


@step_acceleration.row(Integrator.EULER)
@kernel
def euler_acceleration(m, d):
    """qacc_implicit: qacc, or where joints have dampers, with these at the end of the step; qH, qHDiagInv."""
    for dof in awake_dofs(m, d):
        d.qacc_implicit[dof] = d.qacc[dof]
    if is_damping_implicit(m):
        is_damped = has_dampers(m, d)
        if any_(is_damped):
            damped_acceleration(m, d, is_damped)


@kernel
def is_damping_implicit(m):
    """Do dampers act, and at the end of the step?"""
    return not is_disabled(m, DisableBit.EULERDAMP | DisableBit.DAMPER)


@kernel
def has_dampers(m, d):
    """Worlds in which some dof that is awake has damping of its own, or an actuator that reflects to it."""
    count = 0.0
    for dof in awake_dofs(m, d):
        count = where(is_reflected_to(m, m.dof_jntid[dof]), 1.0, count)
        bends = or_(m.dof_dampingpoly[dof, 0] != 0.0, m.dof_dampingpoly[dof, 1] != 0.0)
        count = where(or_(m.dof_damping[dof] > 0.0, bends), 1.0, count)
    return count > 0.0


@kernel
def damped_acceleration(m, d, is_damped):
    """qacc_implicit, qH and qHDiagInv of the damped worlds; the others keep what they have."""
    spare = not all_(is_damped)
    if spare:
        for k in range(m.nC):
            d.implicit_matrix[k] = d.qH[k]
        for dof in range(m.nv):
            d.implicit_diagonal[dof] = d.qHDiagInv[dof]
    for k in range(m.nC):
        d.qH[k] = d.M[k]
    for dof in range(m.nv):
        diagonal = m.M_rowadr[dof] + m.M_rownnz[dof] - 1
        d.qH[diagonal] = d.qH[diagonal] + m.opt.timestep * dof_damping_slope(m, d, dof)
    warn_of_pivot(d, factor_h(m, d), is_damped)
    sum_forces(m, d)
    solve_h(m, d)
    if spare:
        for k in range(m.nC):
            d.qH[k] = where(is_damped, d.qH[k], d.implicit_matrix[k])
        for dof in range(m.nv):
            d.qHDiagInv[dof] = where(is_damped, d.qHDiagInv[dof], d.implicit_diagonal[dof])
            d.qacc_implicit[dof] = where(is_damped, d.qacc_implicit[dof], d.qacc[dof])


# --- implicit springs and dampers, an extension of Phalanx


@step_acceleration.row(Integrator.IMPLICITSPRINGDAMPER)
@part()
def implicitspringdamper_acceleration(m, d):
    """qacc_implicit with the linear springs and dampers of joints at the end of the step; qH, qHDiagInv.

    With K and D their stiffness and damping, x the displacement from rest and f all other forces, the velocity v' after
    the step solves (M + h D + h² K) v' = M v + h f - h K x. In terms of the acceleration a = (v' - v) / h and of the
    total force f - D v - K x this is (M + h D + h² K) a = total force - h K v: the displacement is not needed.
    """
    step = m.opt.timestep
    sum_forces(m, d)
    for k in range(m.nC):
        d.qH[k] = d.M[k]
    for dof in range(m.nv):
        diagonal = m.M_rowadr[dof] + m.M_rownnz[dof] - 1
        if not is_disabled(m, DisableBit.DAMPER):
            d.qH[diagonal] = d.qH[diagonal] + step * damping_coefficients(m, dof)[0]
        if not is_disabled(m, DisableBit.SPRING):
            pull = step * m.jnt_stiffness[m.dof_jntid[dof]]
            d.qH[diagonal] = d.qH[diagonal] + step * pull
            d.qacc_implicit[dof] = d.qacc_implicit[dof] - pull * d.qvel[dof]
    bad_dof = factor_h(m, d)
    warn_of_pivot(d, bad_dof, bad_dof >= 0.0)
    solve_h(m, d)
