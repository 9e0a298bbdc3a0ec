"""Tendons and adhesion where constraints act on them: limits, friction loss, equalities, contacts."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import OWN, make_data
from tests.conformance.states import Worst, compare, random_states
from tests.conformance.states import load as load_state

#: Through a solver that iterates.
TOLERANCE = 1e-9


def test_limits_friction_and_equalities_of_tendons() -> None:
    model = mujoco.MjModel.from_xml_path(str(OWN / "tendon_constraints.xml"))
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
    data, worst, rows = make_data(phalanx.Model.from_mujoco(model)), Worst(TOLERANCE), set()
    for number, mjdata in enumerate(random_states(model, 20, seed=2)):
        load_state(data, mjdata)
        mujoco.mj_step(model, mjdata)
        data.step()
        fields = ("ne", "nf", "nl", "nefc", "efc_type", "efc_id", "efc_pos", "efc_J", "efc_D", "efc_aref", "efc_force",
                  "tendon_efcadr", "qfrc_constraint", "qacc", "qvel", "qpos")  # fmt: skip
        worst.add(compare(data, mjdata, fields), f"state {number}")
        rows |= set(mjdata.efc_type.tolist())
    assert not worst.failures, worst.failures
    kinds = mujoco.mjtConstraint
    assert {kinds.mjCNSTR_EQUALITY, kinds.mjCNSTR_FRICTION_TENDON, kinds.mjCNSTR_LIMIT_TENDON} <= rows


ADHESION = """
<mujoco>
  <option timestep=".002" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="a" pos="0 0 .19">
      <freejoint/>
      <geom type="box" size=".2 .2 .2" margin=".02" gap=".05"/>
      <body name="b" pos="0 0 .45">
        <joint axis="0 1 0"/>
        <geom size=".2" margin=".01"/>
        <geom type="capsule" size=".05 .3" pos="0 0 .2" euler="90 0 0" condim="1"/>
      </body>
    </body>
    <body name="c" pos=".39 0 .21"><freejoint/><geom size=".2" margin=".1" gap=".3"/></body>
    <body name="d" pos="5 0 5"><freejoint/><geom size=".2"/></body>
  </worldbody>
  <actuator>
    <adhesion body="a" ctrlrange="0 1" gain="5"/><general body="b" gear="3 0 0 0 0 0" gainprm="2"/>
    <adhesion body="c" ctrlrange="0 1" gain="5"/><adhesion body="d" ctrlrange="0 1" gain="5"/>
  </actuator>
</mujoco>
"""


def dense_moments(m: Any, data: Any) -> np.ndarray:
    matrix = np.zeros((m.nout, m.nv))
    for out in range(m.nout):
        entries = slice(data.moment_rowadr[out], data.moment_rowadr[out] + data.moment_rownnz[out])
        matrix[out, data.moment_colind[entries]] = data.actuator_moment[entries]
    return matrix


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_adhesion_pulls_along_the_contacts_of_a_body(cone: str) -> None:
    """Contacts with rows and contacts in the gap; a body without contact feels nothing."""
    model = mujoco.MjModel.from_xml_string(ADHESION.format(cone=cone))
    data, mjdata, rng = make_data(phalanx.Model.from_mujoco(model)), mujoco.MjData(model), np.random.default_rng(0)
    excluded = set()
    for number in range(12):
        mujoco.mj_resetData(model, mjdata)
        mujoco.mj_integratePos(model, mjdata.qpos, rng.normal(size=model.nv), 0.02 * min(number, 1))
        mjdata.qvel[:], mjdata.ctrl[:] = rng.normal(size=model.nv), 0.5
        load_state(data, mjdata)
        mujoco.mj_forward(model, mjdata)
        data.forward()
        np.testing.assert_allclose(dense_moments(model, data), dense_moments(model, mjdata), atol=1e-12)
        np.testing.assert_allclose(data.qfrc_actuator, mjdata.qfrc_actuator, atol=1e-11)
        excluded |= set(mjdata.contact.exclude.tolist())
    assert {0, 1} <= excluded
