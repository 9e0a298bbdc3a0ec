"""PGS against MuJoCo, sweep by sweep: at equal numbers of iterations both must have the same forces."""

from __future__ import annotations

from copy import copy
from typing import Any

import mujoco
import numpy as np
import pytest

from phalanx.solver import dual
from phalanx.solver.dual import without_rises
from phalanx.solver.momentum import limited
from phalanx.tables.enums import ConstraintState, ConstraintType
from tests.conformance.models import FILES, compiled
from tests.solver.harness import Problem
from tests.solver.reference import tightened, variant
from tests.solver.scenes import mixed
from tests.solver.test_primal import CONES, EVERYDAY, ISLANDS, MANY, recorded, relative

PGS, NEWTON = 0, 2
ITERATIONS = (1, 2, 5, 20, 100)
#: Forces are the same function of the same rows: only rounding differs.
TOLERANCE = 1e-9


def is_decided(d: Any) -> np.ndarray:
    """Rows whose state is not a matter of rounding: the force of a contact that slides is on its cone."""
    decided = np.ones(d.nefc, bool)
    for row in np.flatnonzero(d.efc_type == ConstraintType.CONTACT_ELLIPTIC):
        contact = d.efc_id[row]
        first, dim = d.contact.efc_address[contact], d.contact.dim[contact]
        force = d.efc_force[first : first + dim]
        friction = np.linalg.norm(force[1:] / d.contact.friction[contact][: dim - 1])
        decided[row] = abs(friction - force[0]) > 1e-9 * abs(force[0])
    return decided


def check_result(problem: Problem, d: Any, ours: dict[str, np.ndarray], tolerance: float = TOLERANCE) -> None:
    """Same iterations, same forces, same accelerations, same statistics."""
    assert ours["solver_niter"].tolist() == d.solver_niter.tolist()
    for name in ("qacc", "efc_force", "qfrc_constraint", "efc_b"):
        assert relative(ours[name], getattr(d, name)) < tolerance, name
    decided = is_decided(d)
    np.testing.assert_array_equal(ours["efc_state"][decided], d.efc_state[decided])
    for island in range(min(20, max(1, d.nisland))):
        niter = int(d.solver_niter[island])
        expected = recorded(d.solver.improvement, island, niter)
        scale = max(problem.mjmodel.opt.tolerance, np.abs(expected).max(initial=0.0))
        found = recorded(ours["solver_improvement"], island, niter)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=10 * tolerance * scale)
        if problem.mjmodel.opt.cone == 0 and problem.mjmodel.opt.solver == PGS:
            for member in ("nactive", "nchange"):
                theirs = recorded(getattr(d.solver, member), island, niter)
                np.testing.assert_array_equal(recorded(ours[f"solver_{member}"], island, niter), theirs, member)


def check_sweeps(model: Any, iterations: int, n: int) -> None:
    model.opt.iterations = iterations
    problem = Problem(model)
    for d in problem.states(n):
        check_result(problem, d, problem.solve([d])[0])


@CONES
@ISLANDS
@pytest.mark.parametrize("iterations", ITERATIONS)
@pytest.mark.parametrize("name", EVERYDAY)
def test_sweeps_give_the_forces_of_mujoco(name, iterations, islands, cone):
    check_sweeps(variant(copy(compiled(name)), PGS, cone, islands), iterations, 3)


@CONES
@ISLANDS
@pytest.mark.parametrize("iterations", ITERATIONS)
@pytest.mark.parametrize("floor", [1, 3, 4, 6])
def test_rows_of_every_kind(floor, iterations, islands, cone):
    model = variant(mixed(floor), PGS, cone, islands)
    problem = Problem(model)
    kinds = {int(kind) for d in problem.states(3) for kind in d.efc_type}
    assert set(range(5)) < kinds
    check_sweeps(model, iterations, 3)


@pytest.mark.conformance
@CONES
@ISLANDS
@pytest.mark.parametrize("name", MANY)
def test_many_models(name, islands, cone):
    for iterations in ITERATIONS:
        check_sweeps(variant(copy(compiled(name)), PGS, cone, islands), iterations, 6)


@CONES
def test_a_sparse_jacobian_gives_the_same(cone):
    model = variant(mixed(), PGS, cone, True)
    model.opt.jacobian = 1
    check_sweeps(model, 20, 4)


@CONES
@ISLANDS
def test_the_size_of_the_matrix_is_recorded(cone, islands):
    for jacobian in (0, 1):
        model = variant(mixed(), PGS, cone, islands)
        model.opt.jacobian = jacobian
        problem = Problem(model)
        for d in problem.states(2):
            store = problem.fill([d])
            problem.run(store)
            n = max(1, d.nisland)
            np.testing.assert_array_equal(store.arrays["solver_nnz"][:n], d.solver_nnz[:n])


@CONES
def test_without_a_warm_start_forces_start_from_zero(cone):
    model = variant(copy(compiled("suite/humanoid")), PGS, cone, True)
    model.opt.disableflags |= 1 << 9
    check_sweeps(model, 5, 3)


def test_a_bad_warm_start_is_not_used():
    """Forces whose cost is above zero are worse than none."""
    model = variant(mixed(), PGS, 1, True)
    model.opt.iterations = 2
    problem = Problem(model)
    for d in problem.states(3):
        d.qacc_warmstart[:] = 1e3 * np.random.default_rng(0).normal(size=model.nv)
        mujoco.mj_fwdConstraint(model, d)
        ours = problem.solve([d])[0]
        assert relative(ours["efc_force"], d.efc_force) < TOLERANCE
        assert np.abs(ours["efc_force"]).max() < 1e5


@CONES
def test_many_sweeps_find_the_minimum_that_newton_finds(cone):
    """The two solvers share nothing but the rows."""
    patient = tightened(variant(copy(compiled("suite/walker")), PGS, cone, True))
    patient.opt.iterations = 20000
    dual, primal = Problem(patient), Problem(tightened(variant(copy(compiled("suite/walker")), NEWTON, cone, True)))
    for d in primal.states(3):
        ours, theirs = dual.solve([d])[0], primal.solve([d])[0]
        assert relative(ours["qacc"], theirs["qacc"]) < 1e-6


def test_states_are_those_of_the_forces():
    problem = Problem(variant(mixed(), PGS, 0, True))
    seen = set()
    for d in problem.states(6):
        ours = problem.solve([d])[0]
        np.testing.assert_array_equal(ours["efc_state"], d.efc_state)
        seen |= set(ours["efc_state"].astype(int).tolist())
    assert {ConstraintState.SATISFIED, ConstraintState.QUADRATIC} <= seen


@pytest.mark.skipif("shared/mujoco/humanoid/22_humanoids" not in FILES, reason="shared models are not there")
def test_many_islands():
    check_sweeps(variant(copy(compiled("shared/mujoco/humanoid/22_humanoids")), PGS, 1, True), 20, 2)


@CONES
def test_a_sweep_in_which_a_row_raises_the_cost_is_made_again_without_it(
    cone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Best forces never raise it, so some are made worse here; undoing each at once must give the same bits."""
    model = variant(mixed(1), PGS, cone, True)
    model.opt.iterations = 3
    problem = Problem(model)
    d = problem.states(3)[-1]
    updates = [0]

    def overshooting(force: float, low: float, high: float) -> float:
        updates[0] += 1
        return limited(force, low, high) + (7.0 if force % 3.0 < 1.0 else 0.0)

    def undone_at_once(old: float, force: float, step: float, change: float) -> tuple[float, float, float]:
        return without_rises(old, force, step, change)

    monkeypatch.setattr(dual, "limited", overshooting)
    again = problem.solve_interpreted(d)["efc_force"]
    made, updates[0] = updates[0], 0
    monkeypatch.setattr(dual, "with_rises", undone_at_once)
    at_once = problem.solve_interpreted(d)["efc_force"]
    assert made > updates[0]
    assert np.abs(again).max() > 0.0
    assert again.tobytes() == at_once.tobytes()
