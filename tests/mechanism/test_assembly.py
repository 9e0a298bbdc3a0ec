"""Start poses of closed mechanisms: residuals by name, limits, and what does not close."""

import numpy as np
import pytest

import phalanx

FOUR_BAR = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="crank"><joint name="crank" axis="0 1 0" {limit}/><geom size=".02"/>
    <body name="coupler" pos="0 0 {crank}"><joint name="knee" axis="0 1 0"/><geom size=".02"/>
      <site name="end" pos=".3 0 0"/></body></body>
  <body name="rocker" pos=".3 0 0"><joint name="rocker" axis="0 1 0"/><geom size=".02"/>
    <site name="tip" pos="0 0 .15"/></body></worldbody>
  <equality><connect name="loop" site1="end" site2="tip"/></equality></mujoco>"""


def four_bar(crank: float = 0.1, limit: str = "") -> phalanx.Model:
    return phalanx.Model.from_xml_string(FOUR_BAR.format(crank=crank, limit=limit))


def test_a_loop_closes():
    model = four_bar()
    found = phalanx.assemble(model)
    assert found.converged and found.residuals["connect loop"] < 1e-9
    data = model.make_data()
    data.qpos[:] = found.qpos
    data.forward()
    np.testing.assert_allclose(data.site("end").xpos, data.site("tip").xpos, atol=1e-9)


def test_joints_that_are_held_stay_exactly():
    start = np.array([0.7, 0.0, 0.0])
    found = phalanx.assemble(four_bar(), start, joints=["knee", "rocker"])
    assert found.converged and found.qpos[0] == 0.7


def test_limits_are_kept():
    found = phalanx.assemble(four_bar(limit='range="0.5 1"'))
    assert found.converged and 0.5 <= found.qpos[0] <= 1.0


def test_a_loop_that_cannot_close_is_reported_by_name():
    model = four_bar(crank=2.0)
    found = phalanx.assemble(model)
    assert not found.converged
    # links of 2 and 0.3 + 0.15 around a base of 0.3: what lacks is 1.25
    assert found.residuals["connect loop"] == pytest.approx(2.0 - 0.3 - 0.15 - 0.3, abs=1e-5)
    assert "NOT converged" in repr(found)
    with pytest.raises(phalanx.ModelError, match=r"connect loop 1\.25"):
        phalanx.assemble(model, strict=True)


def test_welds_tendons_and_coupled_joints_are_satisfied():
    text = """<mujoco><worldbody>
      <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/></body>
      <body name="b" pos="1 0 0"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
        <geom size=".1"/></body></worldbody>
      <tendon><fixed name="sum"><joint joint="x" coef="1"/><joint joint="z" coef="2"/></fixed></tendon>
      <equality><weld name="weld" body1="a" body2="b" relpose="0.2 0 0 .8 .6 0 0"/>
        <tendon name="length" tendon1="sum" polycoef=".4 0 0 0 0"/>
        <joint name="follow" joint1="z" joint2="x" polycoef="0 .5 0 0 0"/></equality></mujoco>"""
    model = phalanx.Model.from_xml_string(text)
    found = phalanx.assemble(model)
    assert found.converged
    assert set(found.residuals) == {"weld weld", "tendon length", "joint follow"}
    x, z = found.qpos[7:]
    assert (x, z) == (pytest.approx(0.2, abs=1e-8), pytest.approx(0.1, abs=1e-8))


def test_a_limit_of_a_joint_that_may_not_move_is_reported():
    found = phalanx.assemble(four_bar(limit='range="0.5 1"'), joints=["knee", "rocker"])
    assert not found.converged
    assert found.residuals["limit of joint 'crank'"] == pytest.approx(0.5)


def test_nothing_to_satisfy():
    found = phalanx.assemble(phalanx.load("arm"))
    assert found.converged and not found.residuals
    assert "nothing to satisfy" in repr(found)


def test_bad_positions_are_named():
    with pytest.raises(phalanx.FieldError, match=r"qpos has shape \(3,\)"):
        phalanx.assemble(four_bar(), [0.0])
