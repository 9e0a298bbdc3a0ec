"""Solvers by number."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel


@kernel
def no_solver(m, d, chosen, island):
    """Forces and accelerations of the island in solve_dof, solve_row, in the chosen worlds.

    `island` is the number of the island in each world. At entry qacc, solve_Ma and solve_jar hold the start. Returns
    the worlds that were not solved within the limit of iterations.
    """
    return chosen


solve_island = Table("solve_island", no_solver, ("phalanx.solver.primal",))
