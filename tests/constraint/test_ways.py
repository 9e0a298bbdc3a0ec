"""Rows interpreted and in single precision."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from tests.conformance.models import make_data
from tests.constraint.harness import run_rows
from tests.constraint.scenes import BODIES, EQUALITIES, feet, scene

STAGES = ("make_constraint", "passive", "adhesion", "reference_constraint")
ROWS = (
    "efc_type", "efc_id", "efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_J", "efc_pos", "efc_margin",
    "efc_frictionloss", "efc_diagA", "efc_KBIP", "efc_R", "efc_D", "efc_vel", "efc_aref", "contact_mu",
)  # fmt: skip
LIMITS = '<joint range="-.3 .5" limited="true" margin=".1" frictionloss=".2" solimplimit=".8 .9 .3 .4 3"/>'
FOOT = 'condim="6" friction=".8 .1 .02" surfacevel="1 .2 .3 .4 .5 .6" adhesion="1" gap=".02"'


def models() -> dict[str, Any]:
    equalities = f"<equality>{''.join(EQUALITIES.values())}</equality>"
    return {
        "equalities": scene(equalities, BODIES, "", 'diagexact="enable"', LIMITS),
        "pyramids": feet(foot=FOOT, option='cone="pyramidal"'),
        "cones": feet(foot=FOOT, option='cone="elliptic"'),
    }


def state(model: Any) -> Any:
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 0.03)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    return data


@pytest.mark.parametrize("name", models())
def test_interpreted_rows_have_the_same_bits(name: str) -> None:
    theirs = models()[name]
    model = phalanx.Model.from_mujoco(theirs)
    data = make_data(model)
    run_rows(state(theirs), data)
    plain = data.copy()
    for row in ROWS:
        plain._store.arrays[row][...] = 0
    for stage in STAGES:
        run_interpreted(stage, model.store_for("float64"), plain._store)
    assert data.nefc == plain.nefc > 10
    for row in ROWS:
        assert getattr(data, row).tobytes() == getattr(plain, row).tobytes(), row


@pytest.mark.conformance
@pytest.mark.parametrize("name", models())
def test_single_precision(name: str) -> None:
    theirs = models()[name]
    model = phalanx.Model.from_mujoco(theirs)
    data, single = make_data(model), make_data(model, dtype="float32")
    run_rows(state(theirs), data)
    run_rows(state(theirs), single)
    assert data.nefc == single.nefc > 10
    for row in ROWS:
        expected = np.asarray(getattr(data, row), float)
        size = max(1.0, np.abs(expected).max(initial=0.0))
        np.testing.assert_allclose(getattr(single, row), expected, rtol=0, atol=1e-3 * size, err_msg=row)
