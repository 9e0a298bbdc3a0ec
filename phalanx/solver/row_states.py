"""States of the rows of a dual problem, from their forces, eight rows at a time."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load8, store8
from phalanx.algebra.number import splat, sqrt, where
from phalanx.solver.compact_problem import (
    AT_HIGH,
    AT_LOW,
    FORCE,
    FRICTION,
    HIGH,
    LOW,
    STATE,
    UNSCALE,
    WITHIN,
    eight_zeros,
    has_cones,
    sum8,
)
from phalanx.tables.enums import ConstraintState


@kernel
def update_states(d, problem, active):
    """States of the rows from their forces. Returns how many are active and how many changed."""
    if has_cones(d):
        find_cone_states(d, problem)
    count, changed = eight_zeros(problem), eight_zeros(problem)
    for k in range(0, d.compact_nrow, 8):
        before, state = load8(problem[STATE], k), eight_states(problem, k)
        count = tuple(count[j] + where(state[j] != ConstraintState.SATISFIED, 1.0, 0.0) for j in range(8))
        changed = tuple(changed[j] + where(state[j] != before[j], 1.0, 0.0) for j in range(8))
        store8(problem[STATE], k, tuple(where(active, state[j], before[j]) for j in range(8)))
    return sum8(count), sum8(changed)


@kernel
def eight_states(problem, k):
    """States of eight rows from their forces."""
    force, low, high = load8(problem[FORCE], k), load8(problem[LOW], k), load8(problem[HIGH], k)
    at_low, at_high, within = load8(problem[AT_LOW], k), load8(problem[AT_HIGH], k), load8(problem[WITHIN], k)
    upper = tuple(where(force[j] >= high[j], at_high[j], within[j]) for j in range(8))
    return tuple(where(force[j] <= low[j], at_low[j], upper[j]) for j in range(8))


@kernel
def find_cone_states(d, problem):
    """States of elliptic contacts, where those of rows without limits are looked up."""
    i = 0
    while i < d.compact_nrow:
        dim = d.compact_dim[i]
        if dim > 1:
            state = cone_state(problem, i, dim)
            for k in range(i, i + dim):
                problem[WITHIN][k] = state
        i += dim


@kernel
def cone_state(problem, i, dim):
    """On which piece of the cone a force is."""
    mu, square = problem[FRICTION][i], splat(problem[FORCE][i], 0.0)
    normal = problem[FORCE][i] * problem[UNSCALE][i]
    for j in range(1, dim):
        push = problem[FORCE][i + j] * problem[UNSCALE][i + j]
        square = square + push * push
    tangent = sqrt(square)
    top, bottom = mu * normal >= tangent, normal + mu * tangent <= 0.0
    state = where(bottom, ConstraintState.QUADRATIC, ConstraintState.CONE)
    return where(top, ConstraintState.SATISFIED, state)
