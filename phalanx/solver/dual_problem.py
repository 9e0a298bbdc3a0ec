"""The dual problem, f' AR f / 2 + b' f over the forces f: what solvers that work on forces share.

Its rows are those of the island at hand that some of the worlds have. A block is a single row, or the rows of an
elliptic contact. Forces are in efc_force; those of a block are changed in `block.py` before they are stored.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, splat, sqrt, where
from phalanx.smooth.step_metric import backbone_factor, backbone_inverse
from phalanx.solver.block import AFTER, BEFORE, FRICTION, RESIDUAL, UNSCALE, lane_block
from phalanx.solver.island_products import has_cone, solve_factored
from phalanx.solver.packs import force_to_dofs
from phalanx.tables.enums import ConstraintState, ConstraintType

# --- rows and matrix


@kernel
def list_dual_rows(d, worlds):
    """Rows, blocks and matrix of the island at hand, in some of its worlds."""
    for row in range(d.nefc):
        d.dual_has[row] = False
    count = 0
    for i in range(d.solve_nrow):
        row = d.solve_row[i]
        if any_(and_(worlds, d.efc_D[row] != 0.0)):
            d.dual_has[row] = True
            d.dual_row[count] = row
            count += 1
    d.dual_nrow = count
    list_blocks(d)
    gather_matrix(d)


@kernel
def goes_on(d, i):
    """Does the contact of a row of the list have another row after it?"""
    if i + 1 >= d.dual_nrow:
        return False
    row, following = d.dual_row[i], d.dual_row[i + 1]
    return following == row + 1 and d.efc_id[following] == d.efc_id[row] and d.efc_type[following] == d.efc_type[row]


@kernel
def list_blocks(d):
    """dual_dim: which rows form blocks."""
    i = 0
    while i < d.dual_nrow:
        row, dim = d.dual_row[i], 1
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC and goes_on(d, i):
            dim = d.contact_dim[d.efc_id[row]]
        for k in range(row, row + dim):
            d.dual_dim[k] = 0
        d.dual_dim[row] = dim
        i += dim


@kernel
def gather_matrix(d):
    """AR between the rows of the list."""
    place = 0
    for i in range(d.dual_nrow):
        row = d.dual_row[i]
        d.dual_rowadr[row] = place
        first = d.efc_AR_rowadr[row]
        for k in range(first, first + d.efc_AR_rownnz[row]):
            column = d.efc_AR_colind[k]
            if d.dual_has[column]:
                if column == row:
                    d.dual_diagonal[row] = place
                d.dual_colind[place] = column
                d.dual_matrix[place] = d.efc_AR[k]
                place += 1
        d.dual_rownnz[row] = place - d.dual_rowadr[row]


@kernel
def residual(d, row):
    """AR f + b, one row of it."""
    matrix, columns, force = d.dual_matrix, d.dual_colind, d.efc_force
    total, start = splat(force[row], 0.0), d.dual_rowadr[row]
    for k in range(start, start + d.dual_rownnz[row]):
        total = total + matrix[k] * force[columns[k]]
    return d.efc_b[row] + total


# --- the block at hand


@kernel
def load_block(d, row, first, end):
    """Forces, residuals and matrix of some rows counted from `row`."""
    rows, matrix = lane_block(d)
    for j in range(first, end):
        rows[j, RESIDUAL] = residual(d, row + j)
        rows[j, BEFORE] = d.efc_force[row + j]
        rows[j, AFTER] = d.efc_force[row + j]
        diagonal = d.dual_diagonal[row + j]
        for k in range(first, end):
            matrix[j, k] = d.dual_matrix[diagonal + k - j]


@kernel
def store_block(d, row, first, end, worlds):
    """Keep the new forces."""
    for j in range(first, end):
        d.efc_force[row + j] = where(worlds, d.block_rows[j, AFTER], d.efc_force[row + j])


@kernel
def load_friction(d, row, dim):
    """Coefficients of friction of an elliptic contact."""
    contact = d.efc_id[row]
    for j in range(1, dim):
        d.block_rows[j, FRICTION] = d.contact_friction[contact, j - 1]
        d.block_rows[j, UNSCALE] = 1.0 / d.contact_friction[contact, j - 1]


# --- states and results


@kernel
def note_state(d, row, state, worlds, counts):
    """Store the state of a row; counts of active and of changed rows."""
    active, changed = counts
    own, before = and_(worlds, d.efc_D[row] != 0.0), d.efc_state[row]
    d.efc_state[row] = where(own, state, before)
    return (
        active + where(and_(own, state != ConstraintState.SATISFIED), 1.0, 0.0),
        changed + where(and_(own, state != before), 1.0, 0.0),
    )


@kernel
def cone_state(d, row, dim):
    """On which piece of the cone a force is."""
    contact, own = d.efc_id[row], has_cone(d, row)
    mu = where(own, d.contact_mu[contact], 1.0)
    normal, square = d.efc_force[row] / mu, 0.0
    for j in range(1, dim):
        push = d.efc_force[row + j] / where(own, d.contact_friction[contact, j - 1], 1.0)
        square = square + push * push
    tangent = sqrt(square)
    top, bottom = mu * normal >= tangent, normal + mu * tangent <= 0.0
    plain = where(d.efc_force[row] <= 0.0, ConstraintState.SATISFIED, ConstraintState.QUADRATIC)
    return where(
        own,
        where(top, ConstraintState.SATISFIED, where(bottom, ConstraintState.QUADRATIC, ConstraintState.CONE)),
        plain,
    )


@kernel
def update_states(d, worlds):
    """efc_state from the forces. Returns how many rows are active and how many changed."""
    none = splat(d.efc_D[0], 0.0)
    counts, force = (none, none), d.efc_force
    for i in range(d.dual_nrow):
        row = d.dual_row[i]
        loss, dim = d.efc_frictionloss[row], d.dual_dim[row]
        if d.efc_type[row] == ConstraintType.EQUALITY:
            counts = note_state(d, row, splat(none, ConstraintState.QUADRATIC), worlds, counts)
        elif d.efc_type[row] <= ConstraintType.FRICTION_TENDON:
            state = where(
                force[row] <= -loss,
                ConstraintState.LINEARPOS,
                where(force[row] >= loss, ConstraintState.LINEARNEG, ConstraintState.QUADRATIC),
            )
            counts = note_state(d, row, state, worlds, counts)
        elif dim > 1:
            state = cone_state(d, row, dim)
            for k in range(row, row + dim):
                counts = note_state(d, k, state, worlds, counts)
        elif dim == 1:
            state = where(force[row] <= 0.0, ConstraintState.SATISFIED, ConstraintState.QUADRATIC)
            counts = note_state(d, row, state, worlds, counts)
    return counts


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
