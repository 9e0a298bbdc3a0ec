"""Constraint solvers: one row each. Keywords of MJCF, dispatch and what is computed for them derive from it."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.enums import Cone, Solver


@dataclass(frozen=True)
class SolverRow:
    """One algorithm for the forces of the constraints.

    Attributes:
        kind: its value in the options.
        keyword: its word in MJCF, "" if a model file cannot ask for it.
        doc: the algorithm, in one line.
        module: the file in `phalanx/solver` that holds its kernels.
        is_dual: does it work on forces, and need the matrix efc_AR? Otherwise it works on accelerations.
        has_noslip: does it make the noslip pass itself, with the problem at hand? Otherwise that comes after it.
        is_factoring: does it factor the Hessian of the cost?
        cones: friction cones that it can solve.
    """

    kind: Solver
    keyword: str
    doc: str
    module: str
    is_dual: bool = False
    has_noslip: bool = False
    is_factoring: bool = False
    cones: tuple[Cone, ...] = (Cone.PYRAMIDAL, Cone.ELLIPTIC)


SOLVERS: dict[Solver, SolverRow] = {row.kind: row for row in (
    SolverRow(Solver.PGS, "PGS", "projected Gauss-Seidel", "dual", is_dual=True, has_noslip=True),
    SolverRow(Solver.CG, "CG", "conjugate gradients with an exact line search", "primal"),
    SolverRow(Solver.NEWTON, "Newton", "Newton's method with an exact line search", "primal", is_factoring=True),
)}  # fmt: skip

#: The files that hold the kernels.
MODULES: tuple[str, ...] = tuple(dict.fromkeys(row.module for row in SOLVERS.values()))

#: Words of MJCF.
KEYWORDS: dict[str, int] = {row.keyword: int(row.kind) for row in SOLVERS.values() if row.keyword}

#: Solvers that work on forces.
DUAL: tuple[int, ...] = tuple(int(row.kind) for row in SOLVERS.values() if row.is_dual)

#: Solvers that make the noslip pass themselves.
WITH_NOSLIP: tuple[int, ...] = tuple(int(row.kind) for row in SOLVERS.values() if row.has_noslip)

#: Solvers that factor the Hessian.
FACTORING: tuple[int, ...] = tuple(int(row.kind) for row in SOLVERS.values() if row.is_factoring)
