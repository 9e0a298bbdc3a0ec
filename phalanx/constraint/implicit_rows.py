"""Rows whose spring and damper are those after the step: harder, and with a reference that knows where the step leads.

With v the velocity of a row, r its violation and c the drift of its Jacobian, the reference -B v - K I r + c at the end
of the step, r + h (v + h a) and v + h a, is

    aref' = (aref - h K I v) / n        R' = R / n        n = 1 + h B + h² K I

The inverse inertia that R is made of is that of the metric: the diagonal at qpos0 is corrected by the ratio of what J
sees of the diagonals of metric and M.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load4
from phalanx.algebra.number import maximum, minimum, splat, where
from phalanx.algebra.vector import MINVAL
from phalanx.constraint.contact_block import contact_kind
from phalanx.constraint.impedance import implicit_divisor, softest_ratio
from phalanx.constraint.reference import adhesion_references
from phalanx.constraint.rows import put_regularization


@kernel
def make_rows_implicit(m, d, is_exact):
    """efc_R, efc_D, efc_diagA, efc_aref. With `is_exact` the rows have the diagonal of the metric already."""
    if not d.has_implicit_rows:
        # what a second call starts from, too
        for row in range(d.nefc):
            d.bare_R[row] = d.efc_R[row]
            d.bare_aref[row] = d.efc_aref[row]
        d.has_implicit_rows = True
    for row in range(d.ne + d.nf + d.nl):
        put_implicit_row(m, d, row, hardening(m, d, row, is_exact), is_exact)
    for contact in range(d.ncon):
        first = d.contact_efc_address[contact]
        if first >= 0:
            # rows of a contact share what its normal, or first edge, makes of the metric
            factor = hardening(m, d, first, is_exact)
            for row in range(first, first + contact_kind(m, d, contact)[1]):
                put_implicit_row(m, d, row, factor, is_exact)
    if m.flg_adhesion != 0:
        adhesion_references(d)


@kernel
def put_implicit_row(m, d, row, factor, is_exact):
    """R scaled by a factor, and the reference at the end of the step."""
    acts, parameters = d.efc_D[row] != 0.0, load4(d.efc_KBIP, row)
    r = d.efc_R[row] if is_exact else d.bare_R[row]
    # a row without inertia stays as hard as rows may be
    hardened = maximum(r * factor, minimum(r, MINVAL))
    put_regularization(d, row, acts, where(acts, parameters[2], 0.5), where(acts, hardened, 1.0))
    ahead = m.opt.timestep * parameters[0] * parameters[2] * d.efc_vel[row]
    d.efc_aref[row] = (d.bare_aref[row] - ahead) / implicit_divisor(m, parameters)


@kernel
def hardening(m, d, row, is_exact):
    """R' / R of a row: of its spring, within the bound of the hardest row, and of the metric."""
    parameters = load4(d.efc_KBIP, row)
    impedance = where(d.efc_D[row] != 0.0, parameters[2], 0.5)
    factor = maximum(1.0 / implicit_divisor(m, parameters), softest_ratio() * impedance / (1.0 - impedance))
    return factor if is_exact else factor * metric_ratio(m, d, row)


@kernel
def metric_ratio(m, d, row):
    """J diag(metric)^-1 J' / J diag(M)^-1 J'; one where J is zero."""
    heavy, bare = splat(d.efc_R[row], 0.0), splat(d.efc_R[row], 0.0)
    start = d.efc_J_rowadr[row]
    for k in range(start, start + d.efc_J_rownnz[row]):
        dof, square = d.efc_J_colind[k], d.efc_J[k] * d.efc_J[k]
        inertia = d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1]
        heavy = heavy + square / (inertia + d.efm_sdiag[dof])
        bare = bare + square / inertia
    is_felt = bare > 0.0
    return where(is_felt, heavy / where(is_felt, bare, 1.0), 1.0)
