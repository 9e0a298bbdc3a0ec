"""Elastic forces are between the parts of a flex: what they do to the body that carries it."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx

CARRIED = """<mujoco><option gravity="0 0 0"/><worldbody><body name="b"><freejoint/>
  <geom size=".05" mass="1" contype="0" conaffinity="0"/>
  <flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" pos="0 0 .1" mass=".2" dof="{dof}">
    <elasticity young="2e3"/><contact contype="0" conaffinity="0" selfcollide="none"/><pin gridrange="{pins}"/>
  </flexcomp></body></worldbody></mujoco>"""


FULL, CELLS = ("full", "0 0 0 2 2 0"), ("trilinear", "0 0 0 1 1 0")


def strained(dof: str, pins: str) -> tuple[Any, phalanx.Data]:
    """Both engines at the same deformation."""
    mjmodel = mujoco.MjModel.from_xml_string(CARRIED.format(dof=dof, pins=pins))
    mjdata, data = mujoco.MjData(mjmodel), phalanx.Model.from_mujoco(mjmodel).make_data()
    mjdata.qpos[7:] += 0.01 * np.random.default_rng(0).normal(size=mjmodel.nq - 7)
    data.qpos[:] = mjdata.qpos
    mujoco.mj_forward(mjmodel, mjdata)
    return mjdata, data.forward()


@pytest.mark.parametrize(("dof", "pins"), [FULL, CELLS])
def test_forces_on_a_body_with_a_flex_are_those_of_mujoco(dof: str, pins: str) -> None:
    mjdata, data = strained(dof, pins)
    np.testing.assert_allclose(
        data.qfrc_spring, mjdata.qfrc_spring, rtol=0, atol=1e-12 * np.abs(data.qfrc_spring).max()
    )


def test_vertices_do_not_push_the_whole() -> None:
    _, data = strained(*FULL)
    assert np.abs(data.qfrc_spring[6:]).max() > 0.1
    assert np.abs(data.qfrc_spring[:3]).max() < 1e-14


def test_cells_push_the_whole_by_the_forces_on_their_free_nodes() -> None:
    """Joints above free nodes do not feel their forces, as in MuJoCo: docs/differences.md."""
    _, data = strained(*CELLS)
    model = data.model
    nodes = [body for body in model.flex_nodebodyid if model.body_dofnum[body] == 3]
    free = sum(data.qfrc_spring[model.body_dofadr[body] :][:3] for body in nodes)
    assert np.abs(free).max() > 0.1
    np.testing.assert_allclose(data.qfrc_spring[:3], -free, atol=1e-13)


def test_momentum_of_a_free_solid_stays() -> None:
    """Nothing but elastic forces: the sum of momenta, and of moments of momenta, stays what it was."""
    model = phalanx.Model.from_xml_string(
        CARRIED.format(dof="full", pins="").replace('<pin gridrange=""/>', "").replace("<freejoint/>", "")
    )
    rng, data = np.random.default_rng(1), model.make_data()
    data.qpos[:] += 0.005 * rng.normal(size=model.nq)
    data.qvel[:] = 0.1 * rng.normal(size=model.nv)
    mass = model.body_mass[model.flex_vertbodyid][:, None]
    data.forward()
    before, turning = mass * data.qvel.reshape(-1, 3), np.cross(data.flexvert_xpos, mass * data.qvel.reshape(-1, 3))
    for _ in range(200):
        data.step()
    data.forward()
    after = mass * data.qvel.reshape(-1, 3)
    assert np.abs(after - before).max() > 1e-3
    np.testing.assert_allclose(after.sum(0), before.sum(0), rtol=0, atol=1e-13)
    # semi-implicit steps keep the moment of momentum as well: forces are along lines between moved vertices
    np.testing.assert_allclose(np.cross(data.flexvert_xpos, after).sum(0), turning.sum(0), rtol=0, atol=1e-12)
