"""Solvers by kind: tables of kernels, in the file that the row of the solver in `tables/solvers.py` names."""

from __future__ import annotations

from phalanx.algebra.dispatch import Table
from phalanx.algebra.jit import kernel
from phalanx.tables.solvers import MODULES


@kernel
def no_solver(m, d, chosen, island):
    """Forces and accelerations of the island in solve_dof, solve_row, in the chosen worlds.

    `island` is the index of the island in each world. At entry the start is what `warm_start` left. Returns the worlds
    that were not solved within the limit of iterations.
    """
    return chosen


@kernel
def no_warm_start(m, d):
    """Choose where to start, once for all islands, on the grounds of qacc_warmstart.

    At entry everything is set for a start without constraint forces: qacc, solve_Ma, solve_jar and efc_force.
    """
    return


_FILES = tuple(f"phalanx.solver.{name}" for name in MODULES)
solve_island = Table("solve_island", no_solver, _FILES)
warm_start = Table("warm_start", no_warm_start, _FILES)
