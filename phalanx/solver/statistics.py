"""What is remembered of the iterations of a solve."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, lane_count, lane_get, not_, where, widen
from phalanx.tables.sizes import NISLAND, NSOLVER


@kernel
def recorded_islands(m):
    """How many islands there can be whose iterations are recorded."""
    return m.ntree if m.ntree < NISLAND else NISLAND


@kernel
def keep(field, place, here, value):
    """Write a value where the condition holds."""
    field[place] = where(here, value, field[place])


@kernel
def store_statistics(m, d, island, iteration, active, measures, counts, evaluations):
    """Rows solver_* of one iteration; `island` is the index of the island at hand in each world."""
    if iteration >= NSOLVER:
        return
    for k in range(recorded_islands(m)):
        here = and_(active, island == k)
        if any_(here):
            place = k * NSOLVER + iteration
            keep(d.solver_improvement, place, here, measures[0])
            keep(d.solver_gradient, place, here, measures[1])
            keep(d.solver_lineslope, place, here, measures[2])
            keep(d.solver_nactive, place, here, counts[0])
            keep(d.solver_nchange, place, here, counts[1])
            keep(d.solver_nupdate, place, here, counts[2])
            keep(d.solver_neval, place, here, evaluations)


@kernel
def store_more_statistics(m, d, island, active, measures, counts, evaluations):
    """Rows solver_* of one more iteration after those that a world has already."""
    for k in range(recorded_islands(m)):
        remaining = and_(active, island == k)
        for world in range(lane_count(d.solver_niter[k])):
            if any_(lane_get(remaining, world)):
                done = lane_get(d.solver_niter[k], world)
                here = and_(remaining, d.solver_niter[k] == done)
                store_statistics(m, d, island, int(widen(done)), here, measures, counts, evaluations)
                remaining = and_(remaining, not_(here))


@kernel
def count_iterations(m, d, island, active):
    """One more iteration in the active worlds."""
    for k in range(recorded_islands(m)):
        d.solver_niter[k] = where(and_(active, island == k), d.solver_niter[k] + 1.0, d.solver_niter[k])


@kernel
def store_entries(m, d, island, chosen, entries):
    """solver_nnz: the size of the solver's matrix."""
    for k in range(recorded_islands(m)):
        if any_(and_(chosen, island == k)):
            d.solver_nnz[k] = entries


@kernel
def note_outcome(m, d, island, chosen, tree, unsolved):
    """solver_converged and solver_unsolved: which islands were solved; `tree` is the first of the island at hand."""
    for k in range(recorded_islands(m)):
        keep(d.solver_converged, k, and_(chosen, island == k), where(unsolved, 0.0, 1.0))
    is_first = and_(and_(chosen, unsolved), d.solver_unsolved < 0.0)
    d.solver_unsolved = where(is_first, float(tree), d.solver_unsolved)
