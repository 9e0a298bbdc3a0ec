"""The exact diagonal of J M^-1 J', for the option `diagexact`."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import splat
from phalanx.constraint.contact_rows import regularize_contact
from phalanx.constraint.rows import regularize


@kernel
def use_exact_diagonal(m, d):
    """Weights of all rows from the inertia at the present position instead of that at qpos0."""
    row = 0
    while row < d.ne + d.nf + d.nl:
        impedance = d.efc_KBIP[row, 2]
        regularize(d, row, impedance > 0.0, impedance, exact_diagonal(m, d, row))
        row += 1
    for contact in range(d.ncon):
        row = d.contact_efc_address[contact]
        if row >= 0:
            regularize_contact(m, d, contact, row, exact_diagonal(m, d, row))


@kernel
def exact_diagonal(m, d, row):
    """J M^-1 J' of one row: with M = L' D L the square of L^-T J', weighted by 1 / D."""
    x = d.row_vector
    for dof in range(m.nv):
        x[dof] = 0.0
    start = d.efc_J_rowadr[row]
    for k in range(start, start + d.efc_J_rownnz[row]):
        x[d.efc_J_colind[k]] = d.efc_J[k]
    total = splat(d.qLDiagInv[0], 0.0)
    for dof in range(m.nv - 1, -1, -1):
        value = x[dof]
        first = m.M_rowadr[dof]
        for k in range(first, first + m.M_rownnz[dof] - 1):
            ancestor = m.M_colind[k]
            x[ancestor] = x[ancestor] - d.qLD[k] * value
        total = total + value * value * d.qLDiagInv[dof]
    return total
