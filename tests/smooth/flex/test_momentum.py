"""Elastic forces are between the parts of a flex: they do not push the body that carries it as a whole."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx

CARRIED = """<mujoco><option gravity="0 0 0"/><worldbody><body name="b"><freejoint/>
  <geom size=".05" mass="1" contype="0" conaffinity="0"/>
  <flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" pos="0 0 .1" mass=".2" dof="{dof}">
    <elasticity young="2e3"/><contact contype="0" conaffinity="0" selfcollide="none"/><pin gridrange="{pins}"/>
  </flexcomp></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("dof", "pins"), [("full", "0 0 0 2 2 0"), ("trilinear", "0 0 0 1 1 0")])
def test_a_flex_on_a_body_does_not_push_the_whole(dof, pins):
    model = phalanx.Model.from_xml_string(CARRIED.format(dof=dof, pins=pins))
    data = model.make_data()
    data.qpos[7:] += 0.01 * np.random.default_rng(0).normal(size=model.nq - 7)
    data.forward()
    assert np.abs(data.qfrc_spring[6:]).max() > 0.1
    assert np.abs(data.qfrc_spring[:3]).max() < 1e-14


def test_mujoco_pushes_a_body_with_cells_as_a_whole():
    """The departure that docs/differences.md tells of: should MuJoCo change, this fails."""
    mjmodel = mujoco.MjModel.from_xml_string(CARRIED.format(dof="trilinear", pins="0 0 0 1 1 0"))
    mjdata = mujoco.MjData(mjmodel)
    mjdata.qpos[7:] += 0.01 * np.random.default_rng(0).normal(size=mjmodel.nq - 7)
    mujoco.mj_forward(mjmodel, mjdata)
    assert np.abs(mjdata.qfrc_spring[:3]).max() > 0.1
