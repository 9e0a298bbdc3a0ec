"""Islands of many trees: their order, their factor against dense matrices, their results against MuJoCo, in lanes."""

from __future__ import annotations

import itertools
from copy import copy
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.number_type import NumberType
from phalanx.memory.store import PlainView, Store
from phalanx.solver.heap_factor import divide_by_heap_hessian
from phalanx.solver.heap_hessian import lay_out_island
from tests.solver.harness import Problem, dense_jacobian
from tests.solver.reference import inertia, tightened, variant
from tests.solver.test_lanes import LANES, assert_same_bits
from tests.solver.test_primal import relative

NEWTON = 2
CONES = pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
ISLANDS = pytest.mark.parametrize("islands", [False, True], ids=["monolithic", "islands"])
SHAPES = (
    '<freejoint/><geom size=".1" condim="{condim}"/>',
    '<freejoint/><geom type="box" size=".1 .09 .08" condim="{condim}"/>',
    '<joint type="ball"/><geom type="capsule" size=".05 .08" pos=".03 .02 .05" condim="{condim}"/>',
    '<joint type="slide" axis="0 0 1"/><joint axis="1 .2 0"/><geom type="capsule" size=".06 .05"/>'
    '<body pos=".1 0 .05"><joint axis="0 1 0" range="-20 20" limited="true" frictionloss=".1"/>'
    '<geom type="capsule" size=".04 .06"/></body>',
)


def heap(count: int, seed: int = 0, shapes: tuple[str, ...] = SHAPES) -> Any:
    """Trees of several kinds on top of each other, some of them tied together."""
    rng, side = np.random.default_rng(seed), int(np.ceil(count ** (1 / 3)))
    bodies, ties, free = "", "", []
    for k in range(count):
        place = 0.2 * np.array([k % side, k // side % side, k // side**2]) + rng.normal(size=3) * 0.005 + [0, 0, 0.1]
        shape = shapes[rng.integers(len(shapes))].format(condim=rng.choice([1, 3, 4, 6]))
        turn = " ".join(map(str, rng.normal(size=4)))
        bodies += f'<body name="b{k}" pos="{" ".join(map(str, place))}" quat="{turn}">{shape}</body>'
        free += [k] if "freejoint" in shape else []
    for first, second in zip(free[::4], free[2::4], strict=False):
        ties += f'<connect body1="b{first}" body2="b{second}" anchor=".1 0 .1"/>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody><equality>{ties}</equality></mujoco>'
    )


def hessian(problem: Problem, store: Store, d: Any) -> np.ndarray:
    """The second derivative of the cost, dense."""
    a, J, row = store.arrays, dense_jacobian(problem.mjmodel, d), 0
    places = problem.results(store, problem.union([d]), 0)["places"]
    state = a["efc_state"][places]
    H = inertia(problem.mjmodel, d) + J.T @ np.diag(np.where(state == 1, d.efc_D, 0)) @ J
    while row < d.nefc:
        if state[row] == 4:
            contact = int(a["efc_id"][places[row]])
            dim = int(a["contact_dim"][contact])
            block = a["contact_H"][contact][: dim * dim].reshape(dim, dim)
            H = H + J[row : row + dim].T @ block @ J[row : row + dim]
            row += dim - 1
        row += 1
    return H


@CONES
@pytest.mark.parametrize("seed", range(3))
def test_direction_is_that_of_a_dense_hessian(seed, cone):
    problem, rng = Problem(variant(heap(14, seed), NEWTON, cone, False)), np.random.default_rng(seed)
    for d in problem.states(2, every=20):
        store = problem.fill([d])
        problem.run(store)
        a, view = store.arrays, PlainView(store)
        a["solve_grad"][:] = rng.normal(size=problem.mjmodel.nv)
        a["heap_world"].fill(-1)
        divide_by_heap_hessian(PlainView(problem.model._store), view, True)
        H = hessian(problem, store, d)
        residual = H @ a["solve_Mgrad"] - a["solve_grad"]
        assert np.abs(residual).max() < 1e-12 * np.abs(H).max() * np.abs(a["solve_Mgrad"]).max()


def pattern(store: Store, columns: list[list[int]]) -> set[tuple[int, int]]:
    """The slow way: pairs of trees (first, second in the order) that rows tie together or that fill in."""
    place, order = store.arrays["heap_place"], list(map(int, store.arrays["heap_order"]))
    near: dict[int, set[int]] = {tree: set() for tree in order}
    for trees in columns:
        for tree in trees:
            near[tree] |= {other for other in trees if place[other] > place[tree]}
    for tree in order:
        for other in near[tree]:
            near[other] |= {third for third in near[tree] if place[third] > place[other]}
    return {(tree, other) for tree in order for other in near[tree]}


@pytest.mark.parametrize("seed", range(4))
def test_panels_have_what_an_elimination_fills_in(seed):
    problem = Problem(variant(heap(40, seed), NEWTON, 0, False))
    for d in problem.states(2, every=30):
        store = problem.fill([d])
        problem.run(store)
        a, ntree = store.arrays, problem.mjmodel.ntree
        assert lay_out_island(PlainView(problem.model._store), PlainView(store), 0)
        assert sorted(a["heap_order"]) == list(range(ntree))
        dof_tree, J = problem.mjmodel.dof_treeid, dense_jacobian(problem.mjmodel, d)
        filled = pattern(store, [sorted(set(dof_tree[row != 0].tolist())) for row in J])
        have = set()
        for tree in range(ntree):
            panel = a["heap_panel"][tree]
            last = a["panel_tree"][panel]
            own = [
                t for t in range(ntree) if a["heap_panel"][t] == panel and a["heap_place"][t] > a["heap_place"][tree]
            ]
            have |= {(tree, int(t)) for t in a["heap_fill"][a["heap_adr"][last] :][: a["heap_num"][last]]}
            have |= {(tree, t) for t in own}
        assert filled <= have
        # few of them are zero
        assert len(have) <= 1.5 * len(filled)


def test_a_chain_of_bodies_in_random_order_fills_in_nothing():
    rng, count = np.random.default_rng(0), 60
    chain = rng.permutation(count)
    bodies = "".join(f'<body name="b{k}" pos="{k} 0 1"><freejoint/><geom size=".02"/></body>' for k in range(count))
    ties = "".join(f'<connect body1="b{a}" body2="b{b}" anchor="0 0 0"/>' for a, b in itertools.pairwise(chain))
    xml = f"<mujoco><worldbody>{bodies}</worldbody><equality>{ties}</equality></mujoco>"
    data = phalanx.Model.from_xml_string(xml).make_data()
    data.qvel[:] = rng.normal(size=6 * count)
    data.forward()
    assert int(data._store.arrays["nfill"]) == count - 1


@CONES
@ISLANDS
def test_lanes_give_the_bits_of_one_world(cone, islands):
    problem = Problem(variant(heap(24, 1), NEWTON, cone, islands), is_sorted=True)
    group = problem.states(8, every=7)
    for d, lane in zip(group, problem.solve(group, LANES), strict=True):
        assert_same_bits(problem.solve([d])[0], lane)


def test_worlds_that_move_apart_keep_their_bits_in_a_batch():
    model = phalanx.Model.from_mujoco(heap(20, 2))
    batch, rng = phalanx.BatchSim(model, 6, lanes=4, threads=1), np.random.default_rng(0)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    start = batch.qvel.copy()
    batch.step(30)
    for world in range(6):
        data = model.make_data()
        data.qvel[:] = start[world]
        assert data.step(30).qpos.tobytes() == batch.qpos[world].tobytes()


@CONES
def test_interpreted_gives_the_bits_of_compiled(cone):
    problem = Problem(variant(heap(12, 3), NEWTON, cone, False), is_sorted=True)
    for d in problem.states(1, every=15):
        assert_same_bits(problem.solve([d])[0], problem.solve_interpreted(d))


@pytest.mark.parametrize("number", [NumberType("float32", 1), NumberType("float32", 8)], ids=["one", "lanes"])
def test_single_precision_comes_near(number):
    problem = Problem(variant(heap(24, 4), NEWTON, 0, True), is_sorted=True)
    states = problem.states(number.worlds, every=11)
    for d, found in zip(states, problem.solve(states, number), strict=True):
        exact = problem.solve([d])[0]["qacc"]
        assert np.abs(found["qacc"] - exact).max() < 1e-3 * (1 + np.abs(exact).max())


@CONES
@ISLANDS
@pytest.mark.parametrize("seed", range(2))
def test_accelerations_are_those_of_mujoco(seed, cone, islands):
    check_against_mujoco(heap(30, seed), seed, cone, islands)


@pytest.mark.conformance
@CONES
@ISLANDS
@pytest.mark.parametrize("seed", range(2, 12))
def test_accelerations_of_many_heaps_are_those_of_mujoco(seed, cone, islands):
    check_against_mujoco(heap(10 + 9 * seed, seed), seed, cone, islands)


def check_against_mujoco(mjmodel: Any, seed: int, cone: int, islands: bool) -> None:
    """The iterations of MuJoCo on its own rows, and its accelerations where nothing is left to gain."""
    for is_tight in (False, True):
        model = variant(copy(mjmodel), NEWTON, cone, islands)
        problem = Problem(tightened(model) if is_tight else model)
        for d in problem.states(3, seed=seed):
            ours = problem.solve([d])[0]
            if not is_tight:
                assert ours["solver_niter"].tolist() == d.solver_niter.tolist()
            assert relative(ours["qacc"], d.qacc) < 1e-9
            assert relative(ours["efc_force"], d.efc_force) < 1e-8
