"""Sweeps over the forces of an island, of worlds with the same rows together and of the others one by one."""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, count_, lane_count, lane_get, not_, or_, splat
from phalanx.solver.compact_problem import (
    all_worlds,
    fill_rows,
    first_world,
    keep_in_lane,
    keep_in_world,
    lane_problem,
    list_compact_rows,
    make_matrix,
    one_world,
    only,
    store_rows,
    world_problem,
)

#: So many worlds of a lane with the same rows take longer one by one than together.
TOGETHER = 4


@kernel
def solve_by_world(m, d, chosen, island, limits, sweeps):
    """Sweep until there is no world left; returns where the limit of iterations was met, and the most iterations.

    sweeps(m, d, problem, active, group, island, limits) returns the same of one problem; `group` is where it is kept.
    limits = (scale of the cost, tolerance), and what else `sweeps` takes of each world.
    """
    worlds = lane_count(d.efc_D[0])
    remaining, unsolved, most = chosen, and_(chosen, not_(chosen)), 0
    while any_(remaining):
        if worlds > 1:
            group = worlds_with_same_rows(d, remaining)
            if count_(group) >= TOGETHER:
                left, iterations = solve_together(m, d, group, island, limits, sweeps)
            else:
                world = first_world(group, worlds)
                group = only(d.efc_D[0], world)
                left, iterations = solve_alone(m, d, world, group, island, limits, sweeps)
        else:
            group = remaining
            left, iterations = solve_alone(m, d, 0, group, island, limits, sweeps)
        unsolved = or_(unsolved, and_(group, left))
        remaining = and_(remaining, not_(group))
        most = max(most, iterations)
    return unsolved, most


@kernel
def worlds_with_same_rows(d, among):
    """The first of some worlds, and those that have the same rows."""
    world = first_world(among, lane_count(d.efc_D[0]))
    for i in range(d.solve_nrow):
        weight = d.efc_D[d.solve_row[i]]
        among = and_(among, weight != 0.0 if any_(lane_get(weight, world) != 0.0) else weight == 0.0)
    return among


@kernel
def solve_together(m, d, group, island, limits, sweeps):
    """Worlds that have the same rows."""
    problem = lane_problem(d)
    list_compact_rows(d, group)
    if not make_matrix(m, d, problem, all_worlds, 0):
        return and_(group, not_(group)), 0
    fill_rows(d, problem, all_worlds, 0)
    left, iterations = sweeps(m, d, problem, group, group, island, limits)
    store_rows(d, problem, keep_in_lane, group, 0)
    return left, iterations


@kernel
def solve_alone(m, d, world, group, island, limits, sweeps):
    """One world, the only one of its group."""
    problem = world_problem(d)
    list_compact_rows(d, group)
    if not make_matrix(m, d, problem, one_world, world):
        return False, 0
    fill_rows(d, problem, one_world, world)
    # options may differ between worlds
    own_limits = tuple(lane_get(splat(d.efc_D[0], limit), world) for limit in limits)
    left, iterations = sweeps(m, d, problem, True, group, island, own_limits)
    store_rows(d, problem, keep_in_world, group, world)
    return any_(left), iterations
