"""The inertia that accelerations are computed with: M, or with the discrete integrator the metric of a whole step.

With D and K the damping and stiffness of the smooth forces, the step map a = (v' - v) / h solves

    (M + h D + h² K) a = qfrc_smooth - h K v + J' f

Terms of dofs and of the fluid fit into the pattern of M: with them it is `metric`. Tendons and actuators couple dofs of
any kind: each is a row of a matrix as constraints are, `coupling_num` of them, kept in memory after the last constraint
row. The factors in qH are those of the backbone: `metric` with the diagonal of the couplings.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.tree import multiply_rows, solve_rows
from phalanx.tables.enums import Integrator

#: efc_id of a coupling; and of one along the first of three axes, those of the others are one less each: it has entries
#: for three dofs of each vertex, of which one moves along the axis.
COUPLING = -1
FIRST_AXIS = -2


@kernel
def has_step_metric(m):
    """Does forward dynamics compute the change of the velocity in a step, rather than its rate?"""
    return m.opt.integrator == Integrator.DISCRETE


@kernel
def metric_matrix(m, d):
    """The inertia in the pattern of M, without couplings."""
    return d.metric if has_step_metric(m) else d.M


@kernel
def backbone_factor(m, d):
    """L of the factored inertia."""
    return d.qH if has_step_metric(m) else d.qLD


@kernel
def backbone_inverse(m, d):
    """The inverse of D of the factored inertia."""
    return d.qHDiagInv if has_step_metric(m) else d.qLDiagInv


@kernel
def smooth_force(m, d):
    """The force that gives qacc_smooth: with the metric of a step, what springs will do is part of it."""
    return d.metric_force if has_step_metric(m) else d.qfrc_smooth


@kernel
def solve_backbone(m, d, x):
    """x <- A^-1 x, in place, with A the inertia without the couplings beside its diagonal."""
    factor, inverse = backbone_factor(m, d), backbone_inverse(m, d)
    for k in range(m.nsleep * d.more_dofs + 1):
        rows = (m.nsleep * d.awake_dof[k, 0], m.nv - m.nsleep * d.awake_dof[k, 1])
        solve_rows(x, factor, inverse, rows, m.M_rownnz, m.M_rowadr, m.M_colind)


@kernel
def mul_metric(m, d, result, x):
    """result <- A x, with A the inertia and its couplings."""
    matrix = metric_matrix(m, d)
    for k in range(m.nsleep * d.more_dofs + 1):
        rows = (m.nsleep * d.awake_dof[k, 0], m.nv - m.nsleep * d.awake_dof[k, 1])
        multiply_rows(result, matrix, x, rows, m.M_rownnz, m.M_rowadr, m.M_colind)
    row = d.nefc
    while row < d.nefc + d.coupling_num:
        add_couplings(d, row, result, x)
        row += d.efc_pack[row]


@kernel
def add_couplings(d, row, result, x):
    """result += J' D J x for a pack of couplings: one, or three with the same columns."""
    if d.efc_pack[row] == 1:
        add_coupling(d, row, result, x)
        return
    J, columns, start, width = d.efc_J, d.efc_J_colind, d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    a, b, c = 0.0, 0.0, 0.0
    for k in range(start, start + width):
        value = x[columns[k]]
        a = a + J[k] * value
        b = b + J[k + width] * value
        c = c + J[k + 2 * width] * value
    a, b, c = d.efc_D[row] * a, d.efc_D[row + 1] * b, d.efc_D[row + 2] * c
    for k in range(start, start + width):
        result[columns[k]] = result[columns[k]] + J[k] * a + J[k + width] * b + J[k + 2 * width] * c


@kernel
def add_coupling(d, row, result, x):
    """result += J' D J x for one coupling."""
    J, columns, start = d.efc_J, d.efc_J_colind, d.efc_J_rowadr[row]
    end = start + d.efc_J_rownnz[row]
    total = 0.0
    if d.efc_id[row] <= FIRST_AXIS:
        start = start + FIRST_AXIS - d.efc_id[row]
        for k in range(start, end, 3):
            total = total + J[k] * x[columns[k]]
        total = d.efc_D[row] * total
        for k in range(start, end, 3):
            result[columns[k]] = result[columns[k]] + J[k] * total
        return
    for k in range(start, end):
        total = total + J[k] * x[columns[k]]
    total = d.efc_D[row] * total
    for k in range(start, end):
        result[columns[k]] = result[columns[k]] + J[k] * total
