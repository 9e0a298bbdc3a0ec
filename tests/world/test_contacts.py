"""Contacts with names and forces."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import make_data

XML = """<mujoco><option cone="{cone}" impratio="2"/><worldbody>
  <geom name="floor" type="plane" size="5 5 1" condim="{dim}"/>
  <body name="lower" pos=".01 0 .098"><freejoint/><geom name="brick" type="box" size=".2 .1 .1" condim="{dim}"/>
    <geom size=".05" pos=".3 0 -.06" condim="{dim}"/></body>
  <body name="ball" pos="0 0 .297"><freejoint/><geom name="ball" size=".1" mass="2" condim="{dim}"/></body>
  <body name="far" pos="3 0 1"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>"""
CONES = ("pyramidal", "elliptic")


def pair(cone: str, dim: int, steps: int = 200) -> tuple[mujoco.MjModel, mujoco.MjData, phalanx.Data]:
    model = mujoco.MjModel.from_xml_string(XML.format(cone=cone, dim=dim))
    theirs, data = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    theirs.qvel[:6] = [0.5, 0.2, 0, 0.1, 0.2, 0.5]
    mujoco.mj_step(model, theirs, steps)
    mujoco.mj_forward(model, theirs)
    data.qpos, data.qvel, data.qacc_warmstart = theirs.qpos, theirs.qvel, theirs.qacc_warmstart
    return model, theirs, data.forward()


@pytest.mark.parametrize("dim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", CONES)
def test_contact_force_is_that_of_mujoco(cone: str, dim: int) -> None:
    model, theirs, data = pair(cone, dim, steps=20)
    assert data.ncon == theirs.ncon >= 2
    for k in range(data.ncon):
        expected = np.zeros(6)
        mujoco.mj_contactForce(model, theirs, k, expected)
        np.testing.assert_allclose(data.contact_force(k), expected, rtol=1e-7, atol=1e-6)
        np.testing.assert_array_equal(data.contact_force(k - data.ncon), data.contact_force(k))


@pytest.mark.parametrize("cone", CONES)
def test_net_forces_are_those_of_newton(cone: str) -> None:
    _, _, data = pair(cone, 3)
    masses = data.model.body_mass
    force, torque = data.net_force("lower", "floor")
    np.testing.assert_allclose(force[2], 9.81 * masses[1:3].sum(), rtol=1e-3)
    np.testing.assert_allclose(force, -data.net_force("floor", "lower").force)
    ball = data.net_force(data.body("ball"), "brick")
    np.testing.assert_allclose(ball.force, masses[2] * (data.joint(1).qacc[:3] + [0, 0, 9.81]), rtol=1e-6)
    np.testing.assert_allclose(data.net_force(data.model.geom("ball")).force, ball.force)
    # the ball pushes off center: the floor must turn the brick back
    reaction = data.net_force(data.model.geom("brick"), data.model.geom("ball"))
    np.testing.assert_allclose(data.net_force("lower").torque, torque + reaction.torque)
    np.testing.assert_array_equal(data.net_force("far").force, 0)
    np.testing.assert_array_equal(data.net_force("far", "lower").torque, 0)


def test_the_table_has_names_forces_and_slip() -> None:
    model, _, data = pair("elliptic", 3, steps=3)
    table = data.contacts()
    assert len(table) == data.ncon == len(list(table))
    assert set(table.columns) == set(table.rows.dtype.names)
    np.testing.assert_array_equal(table.depth, -data.contact_dist)
    np.testing.assert_array_equal(table["force1"], -table.force2)
    assert {str(name) for name in table.geom1} <= {"floor", "brick", "ball"}
    assert "geom 2" in table.geom2  # a geom without a name
    first = table[0]
    frame = data.contact_frame[0].reshape(3, 3)
    np.testing.assert_allclose(first["force2"], frame.T @ data.contact_force(0)[:3])
    np.testing.assert_allclose(first["normal"], frame[0])
    body = model.geom_bodyid[data.contact_geom[0, 1]]
    jacobian, _ = data.jac(data.contact_pos[0], int(body))
    velocity = jacobian @ data.qvel
    np.testing.assert_allclose(first["slip"], velocity - frame[0] * (frame[0] @ velocity), atol=1e-12)
    np.testing.assert_allclose(np.sum(table.slip * table.normal, axis=1), 0, atol=1e-12)
    text = repr(table)
    assert f"<{data.ncon} contacts>" in text and "floor (world) - brick (lower)" in text
    assert "slip" in dir(table)


def test_without_contacts_everything_is_empty() -> None:
    data = make_data(phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(XML.format(cone="elliptic", dim=3))))
    data.qpos[2], data.qpos[9] = 5.0, 7.0
    data.forward()
    assert len(data.contacts()) == 0 and repr(data.contacts()) == "<0 contacts>"
    np.testing.assert_array_equal(data.net_force("lower").force, 0)
    with pytest.raises(phalanx.FieldError, match="contact 0 does not exist: there are 0"):
        data.contact_force(0)


def test_errors_name_the_culprit() -> None:
    _, _, data = pair("elliptic", 3, steps=3)
    with pytest.raises(phalanx.FieldError, match=r"contact 99 does not exist"):
        data.contact_force(99)
    with pytest.raises(phalanx.UnknownNameError, match=r"no body or geom is named 'flor'; did you mean 'floor'"):
        data.net_force("flor")
    with pytest.raises(phalanx.UnknownNameError, match=r"'ball' names a body and a geom"):
        data.net_force("ball")
    with pytest.raises(phalanx.FieldError, match="by name"):
        data.net_force(3)
    with pytest.raises(phalanx.FieldError, match="not on a joint"):
        data.net_force(data.model.joint(0))
    with pytest.raises(phalanx.FieldError, match="did you mean 'depth'"):
        _ = data.contacts().dept
    with pytest.raises(phalanx.FieldError, match="did you mean 'slip'"):
        _ = data.contacts()["slipp"]
