"""Constraint islands as MuJoCo describes them."""

from __future__ import annotations

from copy import copy

import mujoco
import numpy as np
import pytest

from phalanx.solver import islands
from tests.conformance.models import FILES, compiled
from tests.solver.harness import Problem

TREES = ("tree_island", "map_itree2tree", "dof_island", "map_dof2idof", "map_idof2dof")
ISLANDS = (
    "island_ntree", "island_itreeadr", "island_nv", "island_idofadr", "island_dofadr", "island_ne", "island_nf",
    "island_nefc", "island_iefcadr",
)  # fmt: skip
DOFS = ("ifrc_smooth", "iacc_smooth")


def models():
    return [n for n in ("suite/stacker", "suite/quadruped", "shared/mujoco/humanoid/22_humanoids") if n in FILES]


@pytest.mark.parametrize("name", models())
def test_islands_are_those_of_mujoco(name):
    problem = Problem(copy(compiled(name)))
    for d in problem.states(6):
        rows, store = problem.union([d]), problem.fill([d])
        problem.run(store)
        ours, places = store.arrays, problem.results(store, rows, 0)["places"]
        assert (ours["nisland"], ours["nidof"]) == (d.nisland, d.nidof)
        for field in TREES:
            np.testing.assert_array_equal(ours[field], getattr(d, field), field)
        for field in ISLANDS:
            np.testing.assert_array_equal(ours[field][: d.nisland], getattr(d, field), field)
        for field in DOFS:
            np.testing.assert_array_equal(ours[field][: d.nidof], getattr(d, field), field)
        np.testing.assert_array_equal(ours["efc_island"][places], d.efc_island)
        np.testing.assert_allclose(ours["iacc"][: d.nidof], d.iacc, rtol=1e-8, atol=1e-8)
        np.testing.assert_array_equal(ours["map_iefc2efc"][ours["map_efc2iefc"]], np.arange(d.nefc))
        np.testing.assert_array_equal(ours["iefc_D"], ours["efc_D"][ours["map_iefc2efc"]])


def test_without_islands_there_are_none():
    model = copy(compiled("suite/stacker"))
    model.opt.disableflags |= 1 << 18
    problem = Problem(model)
    d = problem.states(1)[0]
    store = problem.fill([d])
    problem.run(store)
    assert (store.arrays["nisland"], store.arrays["nidof"]) == (0, 0)


# --- one solve for each island


def separate_humanoids(count: int) -> mujoco.MjModel:
    """Humanoids three meters apart on one floor, each about to touch it."""
    parent = mujoco.MjSpec()
    parent.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1])
    for k in range(count):
        frame = parent.worldbody.add_frame(pos=[3.0 * (k % 10), 3.0 * (k // 10), 0.0])
        child = mujoco.MjSpec.from_file(str(FILES["suite/humanoid"]))
        child.option.timestep = parent.option.timestep
        frame.attach_body(child.body("torso"), f"{k}/", "")
    return parent.compile()


def fallen(model: mujoco.MjModel, steps: int = 300) -> mujoco.MjData:
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, steps)
    mujoco.mj_forward(model, data)
    return data


def test_each_island_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five boxes, of which two stand on each other and one flies, are three solves of their own dofs and rows."""
    box = '<body pos="{} 0 {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    bodies = "".join(box.format(x, z) for x, z in ((0, 0.099), (1, 0.099), (1, 0.298), (2, 5.0), (3, 0.099)))
    xml = f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'
    problem = Problem(mujoco.MjModel.from_xml_string(xml))
    d = fallen(problem.mjmodel, 1)
    calls, solver = [], islands.solve_island

    def counting(kind, m, data, chosen, island):
        calls.append((data.solve_dof[: data.solve_ndof].tolist(), data.solve_nrow))
        return solver(kind, m, data, chosen, island)

    monkeypatch.setattr(islands, "solve_island", counting)
    problem.solve_interpreted(d)
    dofs = [list(range(6)), list(range(6, 18)), list(range(24, 30))]
    assert [call[0] for call in calls] == dofs
    assert sum(call[1] for call in calls) == d.nefc and d.nisland == 3


@pytest.mark.parametrize("count", [1, 22, pytest.param(100, marks=pytest.mark.conformance)])
def test_the_work_is_linear_in_separate_humanoids(count: int) -> None:
    """As many islands as humanoids, each of the size of one: what a solve costs depends on its island only."""
    model = separate_humanoids(count)
    problem, d = Problem(model), fallen(model)
    store = problem.fill([d])
    problem.run(store)
    ours = store.arrays
    assert ours["nisland"] == count
    np.testing.assert_array_equal(ours["island_nv"][:count], model.nv // count)
    alone = ours["island_nefc"][0]
    assert np.abs(ours["island_nefc"][:count] - alone).max() <= 8  # one contact more or less
    recorded = min(count, 20)
    assert np.ptp(ours["solver_nnz"][:recorded]) == 0 and np.ptp(ours["solver_niter"][:recorded]) <= 2
