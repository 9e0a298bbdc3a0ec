"""One world alone, the same world in a lane, and the interpreted source: the same bits."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pytest

from phalanx.algebra.number_type import NumberType
from phalanx.tables.enums import ConstraintType
from tests.conformance.models import FILES, compiled
from tests.solver.harness import ONE_WORLD, Problem, native
from tests.solver.reference import variant
from tests.solver.scenes import mixed

LANES = NumberType("float64", 8)
NEWTON, CG, PGS = 2, 1, 0
#: Solver and iterations of the noslip pass.
WAYS = pytest.mark.parametrize(
    ("solver", "noslip"),
    [(NEWTON, 0), (CG, 0), (PGS, 0), (NEWTON, 5), (PGS, 5)],
    ids=["newton", "cg", "pgs", "newton, noslip", "pgs, noslip"],
)
FEW = ("suite/humanoid", "suite/stacker")
MANY = tuple(
    name
    for name in (
        "suite/quadruped", "suite/dog", "shared/menagerie/agility_cassie/scene",
        "shared/menagerie/google_barkour_vb/scene", "shared/menagerie/shadow_hand/scene_right",
        "shared/mujoco/cube/cube_3x3x3", "shared/mujoco/humanoid/22_humanoids",
    )
    if name in FILES
)  # fmt: skip


def assert_same_bits(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> None:
    for name in a.keys() - {"places"}:
        np.testing.assert_array_equal(a[name].astype(float).view(np.int64), b[name].astype(float).view(np.int64), name)


def check_lanes(model: Any, groups: int) -> None:
    problem = Problem(model, is_sorted=True)
    states = problem.states(8 * groups, every=7)
    for start in range(0, 8 * groups, 8):
        group = states[start : start + 8]
        for d, lane in zip(group, problem.solve(group, LANES), strict=True):
            assert_same_bits(problem.solve([d])[0], lane)


@pytest.mark.parametrize("islands", [False, True], ids=["monolithic", "islands"])
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@WAYS
@pytest.mark.parametrize("name", FEW)
def test_lanes_give_the_bits_of_one_world(name, solver, noslip, cone, islands):
    check_lanes(variant(copy(compiled(name)), solver, cone, islands, noslip), 2)


@pytest.mark.parametrize("islands", [False, True], ids=["monolithic", "islands"])
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@WAYS
def test_rows_of_every_kind_in_lanes(solver, noslip, cone, islands):
    check_lanes(variant(mixed(1), solver, cone, islands, noslip), 1)


def test_worlds_with_the_same_rows_stop_on_their_own():
    """Alike but for their velocities, so that they are solved together: each has its own number of iterations."""
    problem = Problem(variant(mixed(3), PGS, 1, True), is_sorted=True)
    d = problem.states(1)[0]
    group, rng = [], np.random.default_rng(0)
    for world in range(8):
        other = copy(d)
        other.efc_aref[:] *= 1 + 0.3 * world * rng.normal(size=d.nefc)
        group.append(other)
    lanes = problem.solve(group, LANES)
    for other, lane in zip(group, lanes, strict=True):
        assert_same_bits(problem.solve([other])[0], lane)
    assert len({tuple(lane["solver_niter"].astype(int)) for lane in lanes}) > 3


@pytest.mark.conformance
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@WAYS
@pytest.mark.parametrize("name", MANY)
def test_lanes_of_many_models_give_the_bits_of_one_world(name, solver, noslip, cone):
    check_lanes(variant(copy(compiled(name)), solver, cone, True, noslip), 2)


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@WAYS
def test_interpreted_gives_the_bits_of_compiled(solver, noslip, cone):
    problem = Problem(variant(copy(compiled("suite/walker")), solver, cone, True, noslip))
    for d in problem.states(2):
        assert_same_bits(problem.solve([d])[0], problem.solve_interpreted(d))


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_interpreted_dual_solvers_meet_rows_of_every_kind(cone):
    model = variant(mixed(1), PGS, cone, True, 2)
    model.opt.iterations = 2
    problem = Problem(model)
    d = problem.states(3)[-1]
    assert_same_bits(problem.solve([d])[0], problem.solve_interpreted(d))


@WAYS
def test_a_contact_with_only_a_normal_in_one_world_is_as_one_without_friction(solver, noslip):
    """A slot of an elliptic contact whose friction rows one world does not have."""
    problem = Problem(variant(copy(compiled("suite/humanoid")), solver, 1, True, noslip), is_sorted=True)
    for d in problem.states(8):
        rows = problem.union([d])
        first = next((k for k, row in enumerate(rows) if row.kind == ConstraintType.CONTACT_ELLIPTIC), None)
        if first is None:
            continue
        lanes, alone = problem.fill([d] * 8, LANES), problem.fill([d])
        for store, place in ((lanes, (..., 3)), (alone, ...)):
            a = store.arrays
            for row in (first + 1, first + 2):
                start, n = a["efc_J_rowadr"][row], a["efc_J_rownnz"][row]
                a["efc_J"][start : start + n][place] = 0
                a["efc_aref"][row : row + 1][place] = 0
                a["efc_D"][row : row + 1][place] = 0
                a["efc_R"][row : row + 1][place] = 1
            a["contact_mu"][place] = np.where(np.isfinite(a["contact_mu"][place]), a["contact_mu"][place], np.nan)
        alone.arrays["efc_type"][first : first + 3] = ConstraintType.CONTACT_FRICTIONLESS
        problem.run(lanes)
        problem.run(alone)
        for name in ("qacc", "efc_force", "solver_niter", "qfrc_constraint"):
            ours, theirs = lanes.arrays[name][..., 3].astype(float), alone.arrays[name].astype(float)
            np.testing.assert_array_equal(ours, theirs, name)
        return
    raise AssertionError("no elliptic contact")


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize(("solver", "noslip"), [(PGS, 0), (PGS, 5), (NEWTON, 5)])
@pytest.mark.parametrize("width", [1, 16])
def test_single_precision_of_dual_solvers_is_finite(width, solver, noslip, cone):
    model = variant(mixed(1), solver, cone, True, noslip)
    model.opt.tolerance = 1e-6
    problem, number = Problem(model), NumberType("float32", width)
    states = problem.states(16)
    for start in range(0, 16, width):
        for ours in problem.solve(states[start : start + width], number):
            assert all(np.isfinite(ours[name]).all() for name in ("efc_force", "qacc", "qfrc_constraint"))


@pytest.mark.parametrize("width", [1, 16])
def test_single_precision_is_near(width):
    problem = Problem(copy(compiled("suite/humanoid")))
    problem.mjmodel.opt.tolerance = 1e-6
    states = problem.states(16)
    number = NumberType("float32", width)
    for start in range(0, 16, width):
        group = states[start : start + width]
        for d, ours in zip(group, problem.solve(group, number), strict=True):
            assert np.isfinite(ours["efc_force"]).all()
            assert np.abs(ours["qacc"] - d.qacc).max() < 2e-3 * np.abs(d.qacc).max()


@WAYS
def test_a_world_without_rows_keeps_its_smooth_acceleration(solver, noslip):
    problem = Problem(variant(copy(compiled("suite/humanoid")), solver, 0, True, noslip))
    d = problem.states(1)[0]
    store = problem.fill([d] * 8, LANES)
    for name in ("efc_D", "efc_aref", "efc_J"):
        store.arrays[name][..., 5] = 0
    problem.run(store)
    np.testing.assert_array_equal(store.arrays["qacc"][..., 5], d.qacc_smooth)
    assert store.arrays["solver_niter"][0, 5] == 0
    assert store.arrays["solver_niter"][0, 4] > 0


def test_no_rows_at_all():
    problem = Problem(copy(compiled("suite/humanoid")))
    d = problem.states(1)[0]
    store = problem.fill([d])
    store.arrays["nefc"][...] = 0
    native(ONE_WORLD)(problem.model.store_for("float64").address, store.address, 1)
    np.testing.assert_array_equal(store.arrays["qacc"], d.qacc_smooth)
    assert not store.arrays["qfrc_constraint"].any()
