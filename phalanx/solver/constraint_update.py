"""Forces and states of the rows at a given J a - aref, and the cost of all of them."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, not_, or_, splat, sqrt, where
from phalanx.solver.island_products import cone_zone, has_cone
from phalanx.tables.enums import ConstraintState, ConstraintType


@kernel
def record(d, row, state, force, chosen, counts):
    """Store state and force of a row in the chosen worlds; counts of active, changed rows, and those of the Hessian."""
    active, changed, updated = counts
    state = where(d.efc_D[row] != 0.0, state, ConstraintState.SATISFIED)
    before = d.efc_state[row]
    is_quadratic, was_quadratic = state == ConstraintState.QUADRATIC, before == ConstraintState.QUADRATIC
    flips = or_(and_(is_quadratic, not_(was_quadratic)), and_(was_quadratic, not_(is_quadratic)))
    d.efc_state[row] = where(chosen, state, before)
    d.efc_force[row] = where(chosen, force, d.efc_force[row])
    return (
        active + where(state != ConstraintState.SATISFIED, 1.0, 0.0),
        changed + where(state != before, 1.0, 0.0),
        updated + where(flips, 1.0, 0.0) + where(state == ConstraintState.CONE, 1.0, 0.0),
    )


@kernel
def update_cone(d, row, contact, dim, jar, chosen, counts):
    """State and force of an elliptic contact."""
    own = has_cone(d, row)
    mu = where(own, d.contact_mu[contact], 1.0)
    normal, square = jar[row] * mu, 0.0
    for j in range(1, dim):
        slide = jar[row + j] * where(own, d.contact_friction[contact, j - 1], 1.0)
        square = square + slide * slide
    tangent = sqrt(square)
    top, bottom = cone_zone(normal, tangent, mu)
    state = where(top, ConstraintState.SATISFIED, where(bottom, ConstraintState.QUADRATIC, ConstraintState.CONE))
    sliding = not_(or_(top, bottom))
    mass = d.efc_D[row] / (mu * mu * (1.0 + mu * mu))
    push = -mass * (normal - mu * tangent) * mu
    force = where(top, 0.0, where(bottom, -d.efc_D[row] * jar[row], push))
    counts = record(d, row, state, force, chosen, counts)
    ratio = -push / where(sliding, tangent, 1.0)
    for j in range(1, dim):
        friction = where(own, d.contact_friction[contact, j - 1], 1.0)
        slide = jar[row + j] * friction
        force = where(top, 0.0, where(bottom, -d.efc_D[row + j] * jar[row + j], ratio * slide * friction))
        counts = record(d, row + j, state, force, chosen, counts)
    return counts


@kernel
def update_equalities(d, chosen):
    """The same for equalities, which always act: once their states are known, only forces change."""
    rows, jar, count = d.solve_row, d.solve_jar, d.solve_ne
    none = splat(jar[rows[0]], 0.0)
    if count == 0:
        return none, none, none
    if d.solve_knows_ne == 0:
        counts = (none, none, none)
        for i in range(count):
            row = rows[i]
            counts = record(d, row, ConstraintState.QUADRATIC, -d.efc_D[row] * jar[row], chosen, counts)
        d.solve_active = counts[0]
        d.solve_knows_ne = 1
        return counts
    # the islands that these rows are listed for only lose worlds
    if rows[count - 1] - rows[0] == count - 1:
        for row in range(rows[0], rows[0] + count):
            d.efc_force[row] = where(chosen, -d.efc_D[row] * jar[row], d.efc_force[row])
    else:
        for i in range(count):
            row = rows[i]
            d.efc_force[row] = where(chosen, -d.efc_D[row] * jar[row], d.efc_force[row])
    return d.solve_active, none, none


@kernel
def update_rows(d, chosen):
    """efc_state and efc_force of the island at solve_jar. Returns how many rows are active, changed, to be updated."""
    rows, jar = d.solve_row, d.solve_jar
    counts = update_equalities(d, chosen)
    # friction loss: quadratic near zero, of constant force beyond (Huber)
    first = d.solve_ne + d.solve_nf
    for i in range(d.solve_ne, first):
        row = rows[i]
        loss = d.efc_frictionloss[row]
        bound = d.efc_R[row] * loss
        negative, positive = jar[row] <= -bound, jar[row] >= bound
        state = where(
            negative, ConstraintState.LINEARNEG, where(positive, ConstraintState.LINEARPOS, ConstraintState.QUADRATIC)
        )
        force = where(negative, loss, where(positive, -loss, -d.efc_D[row] * jar[row]))
        counts = record(d, row, state, force, chosen, counts)
    # limits and contacts only push
    i = first
    while i < d.solve_nrow:
        row = rows[i]
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC:
            contact = d.efc_id[row]
            dim = d.contact_dim[contact]
            counts = update_cone(d, row, contact, dim, jar, chosen, counts)
            i += dim
        else:
            is_free = jar[row] >= 0.0
            force = where(is_free, 0.0, -d.efc_D[row] * jar[row])
            counts = record(
                d, row, where(is_free, ConstraintState.SATISFIED, ConstraintState.QUADRATIC), force, chosen, counts
            )
            i += 1
    return counts


@kernel
def cone_cost(d, row, contact, dim, jar):
    """Cost of an elliptic contact."""
    own = has_cone(d, row)
    mu = where(own, d.contact_mu[contact], 1.0)
    normal, square, bottom_cost = jar[row] * mu, 0.0, 0.5 * d.efc_D[row] * jar[row] * jar[row]
    for j in range(1, dim):
        slide = jar[row + j] * where(own, d.contact_friction[contact, j - 1], 1.0)
        square = square + slide * slide
        bottom_cost = bottom_cost + 0.5 * d.efc_D[row + j] * jar[row + j] * jar[row + j]
    tangent = sqrt(square)
    top, bottom = cone_zone(normal, tangent, mu)
    excess = normal - mu * tangent
    mass = d.efc_D[row] / (mu * mu * (1.0 + mu * mu))
    return where(top, 0.0, where(bottom, bottom_cost, 0.5 * mass * excess * excess))


@kernel
def constraint_cost(d, jar):
    """The part of the cost that belongs to constraints, over all rows."""
    cost = 0.0
    for row in range(d.ne):
        cost = cost + 0.5 * d.efc_D[row] * jar[row] * jar[row]
    for row in range(d.ne, d.ne + d.nf):
        loss, x = d.efc_frictionloss[row], jar[row]
        bound = d.efc_R[row] * loss
        linear = where(x < 0.0, -x, x) * loss - 0.5 * bound * loss
        cost = cost + where(or_(x <= -bound, x >= bound), linear, 0.5 * d.efc_D[row] * x * x)
    row = d.ne + d.nf
    while row < d.nefc:
        if d.efc_type[row] == ConstraintType.CONTACT_ELLIPTIC:
            contact = d.efc_id[row]
            dim = d.contact_dim[contact]
            cost = cost + cone_cost(d, row, contact, dim, jar)
            row += dim
        else:
            cost = cost + where(jar[row] < 0.0, 0.5 * d.efc_D[row] * jar[row] * jar[row], 0.0)
            row += 1
    return cost
