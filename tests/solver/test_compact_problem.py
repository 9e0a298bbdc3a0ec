"""Rows of a world without gaps: worlds alone and together, matrices in stretches, memory that grows."""

from __future__ import annotations

from copy import copy

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.number_type import NumberType
from tests.conformance.models import compiled
from tests.solver.harness import Problem
from tests.solver.reference import variant
from tests.solver.scenes import mixed
from tests.solver.test_lanes import assert_same_bits, check_lanes

PGS = 0
#: Balls in two layers and a box on a floor: islands with more rows than a stretch has, and rows that share no tree.
HEAP = """<mujoco><option solver="PGS" cone="{cone}" jacobian="{jacobian}" noslip_iterations="{noslip}"/>
  <default><geom condim="{condim}" friction=".8 .02 .01"/></default>
  <worldbody><geom type="plane" size="9 9 1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".12 .1 .1"/></body>
    {balls}
  </worldbody></mujoco>"""
BALLS = "".join(
    f'<body pos="{0.19 * (k % 3) + 0.22:.3f} {0.19 * (k // 3 % 2):.3f} {0.1 + 0.17 * (k // 6):.3f}">'
    '<freejoint/><geom size=".1"/></body>'
    for k in range(9)
)


def heap(cone: str = "pyramidal", jacobian: str = "auto", condim: int = 3, noslip: int = 0) -> mujoco.MjModel:
    text = HEAP.format(cone=cone, jacobian=jacobian, condim=condim, noslip=noslip, balls=BALLS)
    return mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize(("cone", "condim"), [("pyramidal", 3), ("elliptic", 4), ("elliptic", 6)])
def test_worlds_of_a_heap_have_the_bits_of_one_world(jacobian: str, cone: str, condim: int) -> None:
    """Through whole steps, where memory grows: in lanes, over threads, and alone."""
    model = phalanx.Model.from_mujoco(heap(cone, jacobian, condim))
    rng = np.random.default_rng(0)
    speeds = 0.5 * rng.normal(size=(20, model.nv))
    speeds[8:16] = speeds[8]  # a lane of worlds with the same rows
    speeds[8:16, 2] += 1e-3 * np.arange(8)
    batch = phalanx.BatchSim(model, 20, lanes=8, threads=2)
    batch.qvel[:] = speeds
    batch.step(30)
    for world in (0, 3, 9, 15, 19):
        data = model.make_data()
        data.qvel[:] = speeds[world]
        data.step(30)
        assert data.nefc > 16
        assert batch.qpos[world].tobytes() == data.qpos.tobytes()
        assert batch.qvel[world].tobytes() == data.qvel.tobytes()


@pytest.mark.parametrize("jacobian", [0, 1], ids=["dense", "sparse"])
@pytest.mark.parametrize("islands", [False, True], ids=["monolithic", "islands"])
@pytest.mark.parametrize("width", [2, 8])
def test_matrices_from_either_source_give_the_same_bits(width: int, islands: bool, jacobian: int) -> None:
    """In lanes the matrix is a product of rows if Jacobians are dense, and is taken from efc_AR otherwise."""
    model = variant(mixed(3), PGS, 0, islands)
    model.opt.jacobian = jacobian
    problem = Problem(model, is_sorted=True)
    states = problem.states(width, every=7)
    for d, lane in zip(states, problem.solve(states, NumberType("float64", width)), strict=True):
        assert_same_bits(problem.solve([d])[0], lane)


def test_most_worlds_alike_and_some_not() -> None:
    """Five worlds are solved together, three on their own."""
    problem = Problem(variant(copy(compiled("suite/humanoid")), PGS, 1, True), is_sorted=True)
    first, *others = problem.states(4, every=7)
    group, rng = [], np.random.default_rng(0)
    for _ in range(5):
        alike = copy(first)
        alike.efc_aref[:] *= 1 + 0.1 * rng.normal(size=first.nefc)
        group.append(alike)
    group[1:1] = others
    for d, lane in zip(group, problem.solve(group, NumberType("float64", 8)), strict=True):
        assert_same_bits(problem.solve([d])[0], lane)


@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_heaps_have_the_forces_of_mujoco(cone: int, noslip: int) -> None:
    model = variant(heap(), PGS, cone, True, noslip)
    problem = Problem(model)
    for d in problem.states(4):
        ours = problem.solve([d])[0]
        assert ours["solver_niter"].tolist() == d.solver_niter.tolist()
        for name in ("efc_force", "qacc"):
            theirs = getattr(d, name)
            assert np.abs(ours[name] - theirs).max() < 1e-9 * np.abs(theirs).max(), name


def test_heaps_in_lanes() -> None:
    check_lanes(variant(heap(), PGS, 0, True), 1)


@pytest.mark.parametrize("jacobian", [0, 1], ids=["dense", "sparse"])
def test_lanes_keep_a_matrix_of_all_worlds_only_if_it_is_sparse(jacobian: int) -> None:
    """efc_AR of a Data is there for users; a lane makes the matrix of each world as it is solved."""
    model = variant(mixed(3), PGS, 0, True)
    model.opt.jacobian = jacobian
    problem = Problem(model, is_sorted=True)
    states = problem.states(8)
    alone, lanes = problem.fill(states[:1]), problem.fill(states, NumberType("float64", 8))
    problem.run(alone)
    problem.run(lanes)
    assert alone.arrays["nA"] > 0
    assert (lanes.arrays["nA"] > 0) == bool(jacobian)


def test_worlds_with_masses_of_their_own_have_the_bits_of_each_other() -> None:
    """Numbers of the Model are lanes, too: in lanes of any width, alone and together."""
    model = phalanx.Model.from_mujoco(heap())
    rng = np.random.default_rng(0)
    masses = model.body_mass * rng.uniform(0.7, 1.3, (8, model.nbody))
    masses[4:] = masses[4]
    found = []
    for lanes in (2, 8):
        batch = phalanx.BatchSim(model, 8, lanes=lanes, vary={"body_mass": masses})
        batch.step(20)
        found.append(np.array(batch.qpos))
    np.testing.assert_array_equal(*found)
    assert len(np.unique(found[0][:, 2])) > 3
