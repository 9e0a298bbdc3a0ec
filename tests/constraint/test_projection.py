"""Y = J M^(-1/2) and AR = Y Y' + R against MuJoCo: numbers, and with a sparse Jacobian the pattern too."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from tests.conformance.models import compiled, make_data
from tests.constraint.harness import dense_jacobian, run_rows
from tests.constraint.scenes import BODIES, EQUALITIES, feet, scene

EQUALITY = f"<equality>{''.join(EQUALITIES.values())}</equality>"
LIMITS = '<joint range="-.3 .5" limited="true" margin=".1" frictionloss=".2"/>'
FOOT = 'condim="6" friction=".8 .1 .02"'
POINT = """<body><joint type="slide" axis="1 0 0" range="1 2" frictionloss="1"/><joint type="slide" axis="0 1 0"
  range="1 2"/><joint type="slide" axis="0 0 1" range="1 2" frictionloss="2"/><geom size=".1"/></body>"""
SCENES = {
    "equalities": lambda option, flags: scene(EQUALITY, BODIES, option, flags, LIMITS),
    "pyramids": lambda option, flags: feet(foot=FOOT, option=f'cone="pyramidal" {option}', flags=flags),
    "cones": lambda option, flags: feet(foot=FOOT, option=f'cone="elliptic" {option}', flags=flags),
    "a point": lambda option, flags: scene("", POINT, option, flags, '<joint limited="true"/>'),
}
CONTACTS = 'contact="enable"'
JACOBIANS = ("dense", "sparse")
MATRICES = ("Y", "AR")


def state(model: Any, seed: int, size: float = 0.03) -> Any:
    data, rng = mujoco.MjData(model), np.random.default_rng(seed)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), size)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    return data


def dense(rows: Any, name: str, columns: int) -> np.ndarray:
    """A matrix in sparse rows."""
    found = np.zeros((rows.nefc, columns))
    for row in range(rows.nefc):
        start = getattr(rows, f"efc_{name}_rowadr")[row]
        entries = slice(start, start + getattr(rows, f"efc_{name}_rownnz")[row])
        found[row, getattr(rows, f"efc_{name}_colind")[entries]] = getattr(rows, f"efc_{name}")[entries]
    return found


def check(model: Any, data: phalanx.Data, theirs: Any) -> None:
    run_rows(theirs, data)
    assert data.nefc == theirs.nefc > 0
    for name, columns in zip(MATRICES, (model.nv, theirs.nefc), strict=True):
        ours = dense(data, name, columns)
        if mujoco.mj_isSparse(model):
            assert getattr(data, f"n{name[0]}") == getattr(theirs, f"n{name[0]}")
            for part in ("rownnz", "rowadr", "colind"):
                field = f"efc_{name}_{part}"
                np.testing.assert_array_equal(getattr(data, field), getattr(theirs, field), field)
            expected = dense(theirs, name, columns)
        else:
            expected = np.reshape(getattr(theirs, f"efc_{name}"), ours.shape)
        np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("flags", ['diagexact="disable"', 'diagexact="enable"'])
@pytest.mark.parametrize("jacobian", JACOBIANS)
@pytest.mark.parametrize("name", SCENES)
def test_matrices_are_those_of_mujoco(name: str, jacobian: str, flags: str) -> None:
    model = SCENES[name](f'solver="PGS" jacobian="{jacobian}"', flags)
    data = make_data(phalanx.Model.from_mujoco(model))
    for seed in range(4):
        check(model, data, state(model, seed))


@pytest.mark.parametrize("name", ["suite/humanoid", "suite/quadruped"])
def test_models(name: str) -> None:
    model = compiled(name).__copy__()
    model.opt.jacobian, model.opt.noslip_iterations = 1, 1
    data = make_data(phalanx.Model.from_mujoco(model))
    for seed in range(4):
        check(model, data, state(model, seed, 0.3))


def test_primal_solvers_need_no_matrix() -> None:
    theirs = SCENES["cones"]("", CONTACTS)
    data = make_data(phalanx.Model.from_mujoco(theirs))
    data.qpos[:] = state(theirs, 0).qpos
    data.forward()
    assert data.nefc > 0
    assert (data.nY, data.nA) == (0, 0)


def test_interpreted_matrices_have_the_same_bits() -> None:
    theirs = SCENES["cones"]('solver="PGS"', CONTACTS)
    model = phalanx.Model.from_mujoco(theirs)
    data = make_data(model)
    run_rows(state(theirs, 0), data)
    plain = data.copy()
    for name in MATRICES:
        plain._store.arrays[f"efc_{name}"][...] = 0
    run_interpreted("make_constraint", model.store_for("float64"), plain._store)
    for name in MATRICES:
        assert getattr(data, f"efc_{name}").tobytes() == getattr(plain, f"efc_{name}").tobytes()


def test_the_whole_step_uses_them() -> None:
    """Memory grows by itself, and accelerations follow from the forces."""
    theirs = SCENES["cones"]('solver="PGS" noslip_iterations="3"', CONTACTS)
    data = make_data(phalanx.Model.from_mujoco(theirs))
    data.qpos[:] = state(theirs, 0).qpos
    data.forward()
    assert data.nA > 0
    J, M = dense_jacobian(data, theirs.nv), np.zeros((theirs.nv, theirs.nv))
    np.testing.assert_allclose(data.qfrc_constraint, J.T @ data.efc_force, rtol=1e-12, atol=1e-12)
    M[np.repeat(np.arange(theirs.nv), theirs.M_rownnz), theirs.M_colind] = data.M
    M += np.tril(M, -1).T
    force = M @ (data.qacc - data.qacc_smooth)
    np.testing.assert_allclose(force, data.qfrc_constraint, rtol=1e-9, atol=1e-9)
