"""Constraint islands as MuJoCo describes them."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

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
