"""Constraints of strain: rows of MuJoCo, and the bits of one world interpreted."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from tests.compiler.flexes import MODELS
from tests.constraint.harness import dense_jacobian, mujoco_jacobian
from tests.smooth.flex.deformed import assert_near, deform, pair, twin

NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
STRAINED = tuple(name for name in MODELS if "strain" in name and "edges" not in name)
FEW = ("trilinear strain", "trilinear strain shell", "strain of one cell")
ROWS = ("efc_pos", "efc_D", "efc_R", "efc_vel", "efc_aref", "efc_force")


def both(name: str, seed: int, **options: Any) -> tuple[Any, Any, phalanx.Data]:
    """MjModel, MjData and our Data at a random state, after forward."""
    theirs, ours = pair(MODELS[name], disableflags=NO_CONTACT, **options)
    mjdata = mujoco.MjData(theirs)
    deform(theirs, mjdata, np.random.default_rng(seed), 0.02)
    data = twin(ours, mjdata).forward()
    mujoco.mj_forward(theirs, mjdata)
    return theirs, mjdata, data


def compare(name: str, seed: int, **options: Any) -> None:
    theirs, mjdata, data = both(name, seed, **options)
    assert data.nefc == mjdata.nefc > 0
    np.testing.assert_array_equal(data.efc_id[: data.nefc], mjdata.efc_id)
    assert_near(dense_jacobian(data, theirs.nv), mujoco_jacobian(theirs, mjdata), 1e-12, "efc_J")
    for row in ROWS:
        assert_near(getattr(data, row)[: data.nefc], getattr(mjdata, row), 1e-9, row)
    assert_near(data.qacc, mjdata.qacc, 1e-9, "qacc")


@pytest.mark.parametrize("name", FEW)
def test_rows_of_strain_are_those_of_mujoco(name):
    compare(name, 0)


@pytest.mark.conformance
@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("name", STRAINED)
def test_all_rows_of_strain_are_those_of_mujoco(name, jacobian):
    for seed in range(3):
        compare(name, seed, jacobian=jacobian)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["trilinear strain", "quadratic strain ellipsoid", "trilinear strain shell"])
def test_a_strained_flex_follows_mujoco(name):
    theirs, mjdata, data = both(name, 1)
    for _ in range(100):
        for field in ("qpos", "qvel", "qacc_warmstart"):
            getattr(data, field)[:] = getattr(mjdata, field)
        data.step()
        mujoco.mj_step(theirs, mjdata)
        assert_near(data.qvel, mjdata.qvel, 1e-9, "qvel")


def test_interpreted_rows_of_strain_have_the_same_bits():
    _, _, data = both("trilinear strain", 0)
    plain = data.copy()
    rows = ("efc_J", "efc_J_colind", "efc_pos", "efc_D", "efc_KBIP", "qacc")
    for row in rows:
        plain._store.arrays[row][...] = 0
    run_interpreted("forward", data.model.store_for("float64"), plain._store)
    assert plain.nefc == data.nefc == 36
    for row in rows:
        assert getattr(plain, row).tobytes() == getattr(data, row).tobytes(), row


def test_a_cell_keeps_its_shape():
    """A cell that is pulled at one node follows as a whole."""
    theirs, ours = pair(MODELS["trilinear strain"].replace('solref=".1 1"', 'solref=".01 1"'), disableflags=NO_CONTACT)
    data = twin(ours, mujoco.MjData(theirs))
    data.forward()
    start = data._store.arrays["flexnode_xpos"].copy()
    data.qfrc_applied[0] = 1.0
    data.step(200)
    moved = data._store.arrays["flexnode_xpos"] - start

    # distances between nodes stay, though all of them move
    def spread(points: np.ndarray) -> np.ndarray:
        return np.linalg.norm(points[:, None] - points[None], axis=2)

    assert np.abs(moved).max() > 0.01
    assert np.abs(spread(start + moved) - spread(start)).max() < 0.01
