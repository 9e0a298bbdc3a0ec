"""The distance equality, which MuJoCo does not have: against its definition and finite differences."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import EqType
from tests.conformance.models import make_data
from tests.conformance.states import random_states
from tests.constraint.harness import STATE, dense_jacobian
from tests.constraint.scenes import equalities

LENGTH = 0.4
ENDS = {
    "bodies": '<connect body1="c" body2="f" anchor="0 0 0"/>',
    "bodies of one tree": '<connect body1="c" body2="e" anchor="0 0 0"/>',
    "world": '<connect body1="f" anchor="0 0 0"/>',
    "sites": '<connect site1="sc" site2="sf"/>',
}


def distance_model(element: str) -> Any:
    """MuJoCo's model for kinematics; the engine under test takes the connect for a distance."""
    model = equalities(element)
    model.eq_type[0] = EqType.DISTANCE
    model.eq_data[0] = 0
    model.eq_data[0, 0] = LENGTH
    return model


def ends(model: Any, data: Any) -> tuple[np.ndarray, np.ndarray]:
    """Vector between the two points, and its Jacobian."""
    is_site = model.eq_objtype[0] == mujoco.mjtObj.mjOBJ_SITE
    position, jacobian = [], []
    for thing in (model.eq_obj1id[0], model.eq_obj2id[0]):
        body = model.site_bodyid[thing] if is_site else thing
        point = (data.site_xpos if is_site else data.xpos)[thing]
        columns = np.zeros((3, model.nv))
        mujoco.mj_jac(model, data, columns, None, point, body)
        position.append(point.copy())
        jacobian.append(columns)
    return position[0] - position[1], jacobian[0] - jacobian[1]


def row_jacobian(model: Any, qpos: np.ndarray) -> np.ndarray:
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    gap, jacobian = ends(model, data)
    return gap @ jacobian / np.linalg.norm(gap)


def run(data: phalanx.Data) -> None:
    for stage in ("kinematics", "com_pos", "make_m", "factor_m", "com_vel", "make_constraint", "reference_constraint"):
        data.run(stage)


@pytest.mark.parametrize("name", ENDS)
def test_distance(name: str) -> None:
    model = distance_model(ENDS[name])
    data = make_data(phalanx.Model.from_mujoco(model))
    for theirs in random_states(model, 10):
        for field in STATE:
            getattr(data, field)[...] = getattr(theirs, field)
        run(data)
        mujoco.mj_kinematics(model, theirs)
        gap, _ = ends(model, theirs)
        assert (data.ne, data.efc_type[0], data.efc_id[0]) == (1, 0, 0)
        assert data.efc_pos[0] == pytest.approx(np.linalg.norm(gap) - LENGTH, abs=1e-14)
        np.testing.assert_allclose(dense_jacobian(data, model.nv)[0], row_jacobian(model, theirs.qpos), atol=1e-13)


@pytest.mark.parametrize("name", ENDS)
def test_drift_is_the_rate_of_the_jacobian(name: str) -> None:
    model = distance_model(ENDS[name])
    data, rng = make_data(phalanx.Model.from_mujoco(model)), np.random.default_rng(0)
    for _ in range(5):
        qpos, qvel, step = model.qpos0.copy(), rng.normal(size=model.nv), 1e-5
        mujoco.mj_integratePos(model, qpos, rng.normal(size=model.nv), 1.0)
        data.qpos[:], data.qvel[:] = qpos, qvel
        run(data)
        before, after = qpos.copy(), qpos.copy()
        mujoco.mj_integratePos(model, before, qvel, -step)
        mujoco.mj_integratePos(model, after, qvel, step)
        drift = (row_jacobian(model, after) - row_jacobian(model, before)) @ qvel / (2 * step)
        k, b, impedance, _ = data.efc_KBIP[0]
        expected = -b * data.efc_vel[0] - k * impedance * data.efc_pos[0] - drift
        assert data.efc_aref[0] == pytest.approx(expected, rel=1e-7, abs=1e-6)


def test_points_that_coincide_are_pushed_apart() -> None:
    """Zero distance has no direction: one is chosen, and nothing is NaN."""
    model = distance_model(ENDS["world"])
    data = make_data(phalanx.Model.from_mujoco(model))
    data.qpos[-7:-4] = 0
    data.qvel[:] = 1
    run(data)
    assert data.ne == 1
    assert data.efc_pos[0] == -LENGTH
    np.testing.assert_array_equal(dense_jacobian(data, model.nv)[0, -6:-3], [1, 0, 0])
    assert np.isfinite([data.efc_aref[0], data.efc_R[0], data.efc_D[0], *data.efc_KBIP[0]]).all()
