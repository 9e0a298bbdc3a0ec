"""Equalities of flex edges: rows, forces and accelerations are MuJoCo's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.smooth.flex.deformed import MODES_AS_STIFFNESS, OTHERS, assert_near, deform, load, twin, with_gaps

NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
SPARSE = int(mujoco.mjtJacobian.mjJAC_SPARSE)
ROWS = ("efc_pos", "efc_aref", "efc_D", "efc_KBIP", "efc_vel")


def compare(name: str, seeds: int, **options: int) -> None:
    theirs, ours = load(name, disableflags=NO_CONTACT, tolerance=0, iterations=200, **options)
    if not (theirs.eq_type == mujoco.mjtEq.mjEQ_FLEX).any():
        return
    for seed in range(seeds):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(seed), 0.02)
        data = twin(ours, mjdata).forward()
        mujoco.mj_forward(theirs, mjdata)
        assert data.nefc == mjdata.nefc > 0
        for field in ROWS:
            assert_near(getattr(data, field), getattr(mjdata, field), 1e-12, f"{name} {field}")
        for field in ("qacc", "qfrc_constraint", "efc_force"):
            assert_near(getattr(data, field), getattr(mjdata, field), 1e-9, f"{name} {field}")


@pytest.mark.parametrize("name", ["edge solver", "pin to hinge", "rod box equality"])
def test_edges_that_keep_their_length_are_those_of_mujoco(name: str) -> None:
    compare(name, 2)


@pytest.mark.conformance
@pytest.mark.parametrize("name", with_gaps(OTHERS, MODES_AS_STIFFNESS))
def test_other_edges_that_keep_their_length_are_those_of_mujoco(name: str) -> None:
    compare(name, 5, jacobian=SPARSE)


def test_an_equality_that_is_switched_off_has_no_rows() -> None:
    theirs, ours = load("grid 2")
    data = twin(ours, mujoco.MjData(theirs)).forward()
    assert data.nefc == 16
    data.eq_active[:] = 0
    assert data.forward().nefc == 0
