"""Newton and conjugate gradients against MuJoCo, on MuJoCo's own rows, and against the conditions of optimality."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pytest

from tests.conformance.models import FILES, compiled
from tests.solver.harness import Problem
from tests.solver.reference import cost, rounding, tightened, variant, violations

NEWTON, CG = 2, 1
EVERYDAY = ("suite/humanoid", "suite/quadruped", "suite/stacker", "suite/walker")
MANY = tuple(
    name
    for name in """
    suite/humanoid suite/humanoid_CMU suite/quadruped suite/walker suite/hopper suite/cheetah suite/stacker suite/dog
    gymnasium/ant gymnasium/humanoid gymnasium/half_cheetah
    shared/menagerie/agility_cassie/scene shared/menagerie/google_barkour_vb/scene
    shared/menagerie/shadow_hand/scene_right shared/mujoco/humanoid/22_humanoids
    """.split()
    if name in FILES
)
SOLVERS = pytest.mark.parametrize("solver", [NEWTON, CG], ids=["newton", "cg"])
CONES = pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
ISLANDS = pytest.mark.parametrize("islands", [False, True], ids=["monolithic", "islands"])
#: Iterations of conjugate gradients before rounding shows. 22 humanoids lose half of their digits in 30, and which,
#: hangs on the CPU, as MuJoCo's sines do: there counts of rows are compared up to this one, too.
LASTING, LASTING_IN_CROWDS = 40, 30
CROWDS = ("shared/mujoco/humanoid/22_humanoids",)


def relative(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max() / max(1e-9, np.abs(b).max()))


def mujoco_states(d: Any) -> np.ndarray:
    """States of the rows; with islands MuJoCo leaves those of the warm start in efc_state."""
    return d.iefc_state[d.map_efc2iefc] if d.nisland else d.efc_state


def recorded(values: np.ndarray, island: int, niter: int) -> np.ndarray:
    return values[island * 200 : island * 200 + min(niter, 200)]


def check_default(name: str, solver: int, cone: int, islands: bool, n: int) -> None:
    """Same iterations, same evaluations, same statistics, same forces."""
    problem = Problem(variant(copy(compiled(name)), solver, cone, islands))
    evaluations, differences, lasting = 0, 0, LASTING_IN_CROWDS if name in CROWDS else LASTING
    for d in problem.states(n):
        ours = problem.solve([d])[0]
        assert ours["solver_niter"].tolist() == d.solver_niter.tolist()
        # conjugate gradients multiply rounding errors with every iteration, most of all when they end unfinished
        is_finished = d.solver_niter.max() < problem.mjmodel.opt.iterations
        tolerance = 1e-11 if solver == NEWTON else 1e-7 if is_finished else 1e-5
        assert relative(ours["qacc"], d.qacc) < tolerance
        assert relative(ours["efc_force"], d.efc_force) < 100 * tolerance
        assert relative(ours["efc_b"], d.efc_b) < 1e-12
        assert relative(ours["qfrc_constraint"], d.qfrc_constraint) < 100 * tolerance
        np.testing.assert_array_equal(ours["efc_state"], mujoco_states(d))
        for island in range(min(20, max(1, d.nisland))):
            niter = int(d.solver_niter[island])
            for member in ("nactive", "nchange"):
                known = niter if is_finished or name not in CROWDS else LASTING_IN_CROWDS
                expected = recorded(getattr(d.solver, member), island, niter)[:known]
                np.testing.assert_array_equal(recorded(ours[f"solver_{member}"], island, niter)[:known], expected)
            # MuJoCo counts all rows when its factor has lost rank in an update; ours is never updated
            updates = recorded(d.solver.nupdate, island, niter)
            nefc = d.island_nefc[island] if d.nisland else d.nefc
            same = recorded(ours["solver_nupdate"], island, niter) == updates
            assert (same | (updates >= nefc)).all()
            mine = recorded(ours["solver_neval"], island, niter)
            evaluations += mine.sum()
            differences += np.abs(mine - recorded(d.solver.neval, island, niter)).sum()
            for member in ("improvement", "gradient"):
                # later ones of conjugate gradients are dominated by what rounding has become
                expected = recorded(getattr(d.solver, member), island, niter)[:lasting]
                mine = recorded(ours[f"solver_{member}"], island, niter)[:lasting]
                np.testing.assert_allclose(mine, expected, rtol=1e-3, atol=problem.mjmodel.opt.tolerance)
    # a line search whose slope is at its tolerance may need one evaluation more
    assert differences <= max(2, 0.02 * evaluations)


def check_tight(name: str, solver: int, cone: int, islands: bool, n: int) -> None:
    """With nothing left to gain both have the same answer."""
    problem = Problem(tightened(variant(copy(compiled(name)), solver, cone, islands)))
    for d in problem.states(n):
        ours = problem.solve([d])[0]
        # conjugate gradients stop where the cost no longer changes: forces are known to its square root
        tolerance = 1e-9 if solver == NEWTON else 1e-8
        assert relative(ours["qacc"], d.qacc) < tolerance
        assert relative(ours["efc_force"], d.efc_force) < 10 * tolerance


@SOLVERS
@CONES
@ISLANDS
@pytest.mark.parametrize("name", EVERYDAY)
def test_default_settings_give_the_iterations_of_mujoco(name, solver, cone, islands):
    check_default(name, solver, cone, islands, 4)


@SOLVERS
@CONES
@pytest.mark.parametrize("name", EVERYDAY)
def test_tight_tolerance_gives_the_accelerations_of_mujoco(name, solver, cone):
    check_tight(name, solver, cone, True, 3)


@pytest.mark.conformance
@SOLVERS
@CONES
@ISLANDS
@pytest.mark.parametrize("name", MANY)
def test_many_models(name, solver, cone, islands):
    check_default(name, solver, cone, islands, 12)
    check_tight(name, solver, cone, islands, 4)


@CONES
@pytest.mark.parametrize("name", EVERYDAY)
def test_newton_finds_the_minimum(name, cone):
    """Conditions that know nothing of MuJoCo's solver, and a cost that is not above its."""
    problem = Problem(tightened(variant(copy(compiled(name)), NEWTON, cone, True)))
    for d in problem.states(4, seed=1):
        ours = problem.solve([d])[0]
        found = violations(problem.mjmodel, d, ours)
        assert found["gradient"] < 1e-10
        assert found["outside"] < 1e-12
        assert found["complementary"] < 1e-10
        theirs = cost(problem.mjmodel, d, d.qacc)
        assert cost(problem.mjmodel, d, ours["qacc"]) <= theirs + 1e-13 * abs(theirs) + rounding(problem.mjmodel, d)


@pytest.mark.skipif("shared/mujoco/cube/cube_3x3x3" not in FILES, reason="shared models are not there")
def test_newton_stays_accurate_where_updates_of_a_factor_lose_digits():
    """Rank-one updates make MuJoCo take many more iterations here; ours assembles what has lost its digits."""
    problem = Problem(copy(compiled("shared/mujoco/cube/cube_3x3x3")))
    for d in problem.states(5):
        ours = problem.solve([d])[0]
        assert ours["solver_niter"][0] <= d.solver_niter[0]
        theirs = cost(problem.mjmodel, d, d.qacc)
        assert cost(problem.mjmodel, d, ours["qacc"]) <= theirs + 1e-13 * abs(theirs) + rounding(problem.mjmodel, d)


def test_without_a_warm_start_the_solver_starts_from_smooth_accelerations():
    model = copy(compiled("suite/humanoid"))
    model.opt.disableflags |= 1 << 9
    problem = Problem(model)
    for d in problem.states(3):
        ours = problem.solve([d])[0]
        assert ours["solver_niter"].tolist() == d.solver_niter.tolist()
        assert relative(ours["qacc"], d.qacc) < 1e-11


@pytest.mark.parametrize("option", ["iterations", "ls_iterations"])
@SOLVERS
def test_limits_on_iterations_are_kept(option, solver):
    model = copy(compiled("suite/humanoid"))
    model.opt.solver = solver
    setattr(model.opt, option, 3)
    problem = Problem(model)
    for d in problem.states(4):
        ours = problem.solve([d])[0]
        assert ours["solver_niter"].tolist() == d.solver_niter.tolist()
        assert relative(ours["qacc"], d.qacc) < 1e-9
