"""The dual problem, f' AR f / 2 + b' f over the forces f: what solvers that work on forces share.

Its rows are those of the island at hand that some of the worlds have. A block is a single row, or the rows of an
elliptic contact. Forces are in efc_force; those of a block are changed in `block_new` before they are stored.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, maximum, splat, sqrt, where
from phalanx.algebra.vector import MINVAL
from phalanx.solver.island_products import force_to_dofs, has_cone, solve_factored
from phalanx.solver.qcqp import ball2, ball3, ball5
from phalanx.tables.enums import ConstraintState, ConstraintType

#: An update of a block that raises the cost by more than this is undone.
MAX_RISE = 1e-10


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
    """Blocks in the order of rows."""
    blocks, i = 0, 0
    while i < d.dual_nrow:
        row, dim = d.dual_row[i], 1
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC and goes_on(d, i):
            dim = d.contact_dim[d.efc_id[row]]
        for k in range(row, row + dim):
            d.dual_dim[k] = 0
        d.dual_dim[row] = dim
        d.dual_block[blocks] = row
        blocks += 1
        i += dim
    d.dual_nblock = blocks


@kernel
def gather_matrix(d):
    """AR between the rows of the list, and the inverse of its diagonal."""
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
        d.dual_inverse[row] = 1.0 / d.dual_matrix[d.dual_diagonal[row]]


@kernel
def residual(d, row):
    """AR f + b, one row of it."""
    matrix, columns, force = d.dual_matrix, d.dual_colind, d.efc_force
    total, start = splat(force[row], 0.0), d.dual_rowadr[row]
    for k in range(start, start + d.dual_rownnz[row]):
        total = total + matrix[k] * force[columns[k]]
    return d.efc_b[row] + total


# --- the block at hand: rows `first` to `end` of an elliptic contact, or two edges of a pyramid


@kernel
def load_block(d, row, first, end):
    """Forces, residuals and matrix of some rows counted from `row`."""
    for j in range(first, end):
        d.block_residual[j] = residual(d, row + j)
        d.block_old[j] = d.efc_force[row + j]
        d.block_new[j] = d.efc_force[row + j]
        diagonal = d.dual_diagonal[row + j]
        for k in range(first, end):
            d.block_matrix[j, k] = d.dual_matrix[diagonal + k - j]


@kernel
def undo_rise(d, first, end):
    """Change of the cost; a block that would raise it keeps its forces."""
    new, old = d.block_new, d.block_old
    change = splat(new[first], 0.0)
    for j in range(first, end):
        product = d.block_residual[j]
        for k in range(first, end):
            product = product + 0.5 * (d.block_matrix[j, k] * (new[k] - old[k]))
        change = change + (new[j] - old[j]) * product
    rises = change > MAX_RISE
    for j in range(first, end):
        new[j] = where(rises, old[j], new[j])
    return where(rises, 0.0, change)


@kernel
def store_block(d, row, first, end, worlds):
    """Keep the new forces."""
    for j in range(first, end):
        d.efc_force[row + j] = where(worlds, d.block_new[j], d.efc_force[row + j])


@kernel
def load_friction(d, row, dim):
    """Coefficients of friction of an elliptic contact."""
    contact = d.efc_id[row]
    for j in range(1, dim):
        d.block_friction[j] = d.contact_friction[contact, j - 1]


@kernel
def scaled(d, j, k):
    """An element of the matrix in coordinates where the limit of friction is a ball."""
    return d.block_matrix[j, k] * d.block_friction[j] * d.block_friction[k]


@kernel
def scaled_slope(d, j):
    """Its slope without friction, in the same coordinates."""
    return d.block_slope[j] * d.block_friction[j]


@kernel
def find_friction(d, dim, normal, worlds):
    """block_new: the best friction at a given normal force; block_slope is the slope of the cost without friction."""
    new, friction = d.block_new, d.block_friction
    if dim == 3:
        is_bound, is_regular = slide(d, normal, worlds)
    elif dim == 4:
        is_bound, is_regular = slide_and_spin(d, normal, worlds)
    else:
        is_bound, is_regular = slide_spin_and_roll(d, normal, worlds)
    has_friction = and_(is_regular, normal >= MINVAL)
    for j in range(1, dim):
        new[j] = where(has_friction, new[j] * friction[j], 0.0)
    bring_to_boundary(d, dim, normal, is_bound)


@kernel
def slide(d, normal, worlds):
    """Two directions of friction, scaled. Returns where they are at their limit and where the problem is regular."""
    A = (scaled(d, 1, 1), scaled(d, 2, 1), scaled(d, 2, 2))
    b = (scaled_slope(d, 1), scaled_slope(d, 2))
    x, outcome = ball2(A, b, normal, worlds)
    d.block_new[1] = x[0]
    d.block_new[2] = x[1]
    return outcome


@kernel
def slide_and_spin(d, normal, worlds):
    """Three directions."""
    A = (
        scaled(d, 1, 1), scaled(d, 2, 1), scaled(d, 2, 2), scaled(d, 3, 1), scaled(d, 3, 2), scaled(d, 3, 3),
    )  # fmt: skip
    b = (scaled_slope(d, 1), scaled_slope(d, 2), scaled_slope(d, 3))
    x, outcome = ball3(A, b, normal, worlds)
    d.block_new[1] = x[0]
    d.block_new[2] = x[1]
    d.block_new[3] = x[2]
    return outcome


@kernel
def slide_spin_and_roll(d, normal, worlds):
    """Five directions."""
    A = (
        scaled(d, 1, 1), scaled(d, 2, 1), scaled(d, 2, 2), scaled(d, 3, 1), scaled(d, 3, 2), scaled(d, 3, 3),
        scaled(d, 4, 1), scaled(d, 4, 2), scaled(d, 4, 3), scaled(d, 4, 4), scaled(d, 5, 1), scaled(d, 5, 2),
        scaled(d, 5, 3), scaled(d, 5, 4), scaled(d, 5, 5),
    )  # fmt: skip
    b = (scaled_slope(d, 1), scaled_slope(d, 2), scaled_slope(d, 3), scaled_slope(d, 4), scaled_slope(d, 5))
    x, outcome = ball5(A, b, normal, worlds)
    d.block_new[1] = x[0]
    d.block_new[2] = x[1]
    d.block_new[3] = x[2]
    d.block_new[4] = x[3]
    d.block_new[5] = x[4]
    return outcome


@kernel
def friction_square(d, dim):
    """Square of the friction in coordinates where its limit is a ball."""
    total = splat(d.block_new[1], 0.0)
    for j in range(1, dim):
        total = total + d.block_new[j] * d.block_new[j] / (d.block_friction[j] * d.block_friction[j])
    return total


@kernel
def bring_to_boundary(d, dim, normal, worlds):
    """Scale the friction of the block to its limit."""
    ratio = sqrt(normal * normal / maximum(MINVAL, friction_square(d, dim)))
    for j in range(1, dim):
        d.block_new[j] = where(worlds, d.block_new[j] * ratio, d.block_new[j])


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
    solve_factored(x, d.solve_dof, d.solve_ndof, d.qLD, d.qLDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind)
    for i in range(d.solve_ndof):
        dof = d.solve_dof[i]
        d.qacc[dof] = where(worlds, d.qacc_smooth[dof] + x[dof], d.qacc[dof])
