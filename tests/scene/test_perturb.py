"""Dragged bodies: forces and poses as MuJoCo's mjv_applyPerturbForce and mjv_applyPerturbPose have them."""

from __future__ import annotations

from copy import copy
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import GeomType
from tests.scene.reference import MujocoWorld, actual_rows, differences, expected_rows
from tests.scene.test_camera import fixed

XML = """<mujoco>
  <visual><map stiffness="80" stiffnessrot="300"/></visual>
  <worldbody>
    <camera pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="root" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
      <body name="arm" pos="0 0 .4"><joint axis="0 1 0"/><joint axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 .3 .2 .1" size=".05"/></body></body>
    <body name="hinge" pos="2 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
    <body name="target" mocap="true" pos="0 1 1"><geom type="box" size=".1 .2 .1" pos=".3 .1 0"/></body>
  </worldbody>
</mujoco>"""
BODIES = ("root", "arm", "hinge", "target")
TRANSLATE, ROTATE = int(mujoco.mjtPertBit.mjPERT_TRANSLATE), int(mujoco.mjtPertBit.mjPERT_ROTATE)


def start(body: str, seed: int) -> tuple[Any, Any, Any, Any, phalanx.Perturbation]:
    """A random state, a body held at a random point in both engines, and random targets."""
    mjmodel = mujoco.MjModel.from_xml_string(XML)
    mjdata = mujoco.MjData(mjmodel)
    rng = np.random.default_rng(seed)
    mujoco.mj_integratePos(mjmodel, mjdata.qpos, rng.normal(size=mjmodel.nv), 1)
    mjdata.qvel[:] = rng.normal(size=mjmodel.nv)
    mujoco.mj_forward(mjmodel, mjdata)
    seen = MujocoWorld(phalanx.Model.from_mujoco(mjmodel), mjmodel, mjdata)
    scene = mujoco.MjvScene(mjmodel, 100)
    mujoco.mjv_updateScene(mjmodel, mjdata, mujoco.MjvOption(), None, fixed(0), mujoco.mjtCatBit.mjCAT_ALL, scene)
    theirs = mujoco.MjvPerturb()
    theirs.select = mjmodel.body(body).id
    theirs.localpos[:] = rng.normal(size=3) * 0.1
    mujoco.mjv_initPerturb(mjmodel, mjdata, scene, theirs)
    ours = phalanx.Perturbation(seen, body, local=np.array(theirs.localpos))
    shift = rng.normal(size=3)
    theirs.refpos[:] += shift
    theirs.refselpos[:] += shift
    ours.target = np.array(theirs.refselpos)
    orientation = rng.normal(size=4)
    ours.orientation = orientation
    mujoco.mju_mulQuat(theirs.refquat, orientation / np.linalg.norm(orientation), mjmodel.body(body).iquat)
    return mjmodel, mjdata, seen, theirs, ours


def select(theirs: Any, ours: phalanx.Perturbation, modes: int) -> None:
    """Keep what is asked for."""
    theirs.active = modes
    if not modes & TRANSLATE:
        ours.target = None
    if not modes & ROTATE:
        ours.orientation = None


@pytest.mark.parametrize("modes", [TRANSLATE, ROTATE, TRANSLATE | ROTATE])
@pytest.mark.parametrize("body", BODIES)
def test_the_force_is_that_of_mujoco(body, modes):
    for seed in range(5):
        mjmodel, mjdata, seen, theirs, ours = start(body, seed)
        assert ours.mass == pytest.approx(theirs.localmass, rel=1e-12)
        select(theirs, ours, modes)
        mujoco.mjv_applyPerturbForce(mjmodel, mjdata, theirs)
        expected = mjdata.xfrc_applied[ours.body]
        # stiffness is in single precision in MuJoCo, and the same here as these are whole numbers
        np.testing.assert_allclose(ours.force(seen.model, seen), expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("paused", [True, False])
@pytest.mark.parametrize("modes", [TRANSLATE, ROTATE, TRANSLATE | ROTATE])
@pytest.mark.parametrize("body", BODIES)
def test_the_pose_is_that_of_mujoco(body, modes, paused):
    for seed in range(5):
        mjmodel, mjdata, seen, theirs, ours = start(body, seed)
        if not modes & ROTATE:  # MuJoCo keeps the orientation of the beginning
            mujoco.mju_mulQuat(theirs.refquat, mjdata.xquat[ours.body], mjmodel.body_iquat[ours.body])
        if not modes & TRANSLATE:
            theirs.refpos[:] = mjdata.xipos[ours.body]
        select(theirs, ours, modes)
        data = MujocoWorld(seen.model, mjmodel, copy(mjdata))
        moved = ours.move(data, paused)
        before = [np.array(x) for x in (mjdata.qpos, mjdata.mocap_pos, mjdata.mocap_quat)]
        mujoco.mjv_applyPerturbPose(mjmodel, mjdata, theirs, paused)
        after = (mjdata.qpos, mjdata.mocap_pos, mjdata.mocap_quat)
        for actual, expected in zip((data.qpos, data.mocap_pos, data.mocap_quat), after, strict=True):
            np.testing.assert_allclose(actual, expected, atol=1e-12)
        assert moved == any(not np.array_equal(a, b) for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("modes", [TRANSLATE, ROTATE])
def test_what_is_dragged_is_drawn_as_in_mujoco(modes):
    mjmodel, mjdata, seen, theirs, ours = start("arm", 0)
    select(theirs, ours, modes)
    show = phalanx.Show(selection=True, labels="selection")
    expected, actual = expected_rows(mjmodel, mjdata, show, theirs), actual_rows(seen.model, seen, show, ours)
    if modes == ROTATE:  # twelve edges, where MuJoCo has one box of lines
        count = len(actual)
        actual = [row for row in actual if row.kind != GeomType.CAPSULE or not row.is_decor]
        assert count - len(actual) == 12
    assert not differences(actual, expected)


def test_a_body_is_pulled_to_its_target_and_released():
    model = phalanx.Model.from_xml_string(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='ball'><freejoint/><geom size='.1'/></body>"
        "</worldbody></mujoco>"
    )
    data = model.make_data().forward()
    np.testing.assert_allclose(phalanx.Perturbation(data, "ball", point=(0.05, 0, 0)).local, (0.05, 0, 0))
    drag = phalanx.Perturbation(data, "ball")
    drag.apply(data)
    assert not data.xfrc_applied.any(), "nothing is pulled yet"
    drag.target = (0.05, 0.3, 0)
    for _ in range(3000):
        drag.apply(data)
        data.step()
    np.testing.assert_allclose(drag.point(data), drag.target, atol=1e-6)
    drag.release(data)
    assert not data.xfrc_applied.any() and drag.target is None


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"body": "world"}, "the world cannot be dragged"),
        ({"body": "ball", "local": (0, 0, 0), "point": (0, 0, 0)}, "either"),
        ({"body": "ball", "local": (0, 0)}, "local is 3 finite numbers"),
        ({"body": "bal"}, "bal"),
    ],
)
def test_what_cannot_be_dragged(arguments, words):
    model = phalanx.Model.from_xml_string(
        "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = model.make_data().forward()
    with pytest.raises(phalanx.PhalanxError, match=words):
        phalanx.Perturbation(data, arguments.pop("body"), **arguments)


@pytest.mark.parametrize("name, value", [("target", (0, np.nan, 0)), ("target", (1, 2)), ("orientation", (0, 0, 0, 0))])
def test_targets_are_checked(name, value):
    _, _, _, _, drag = start("arm", 0)
    with pytest.raises(phalanx.FieldError, match=name):
        setattr(drag, name, value)
