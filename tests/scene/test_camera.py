"""Views of cameras: those of MuJoCo, for every kind of camera."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.scene.camera import view_of
from phalanx.scene.view import View
from tests.conformance.models import MODELS, compiled
from tests.quiet import quiet
from tests.scene.reference import MujocoWorld

WIDTH, HEIGHT = 320, 200
CAMERAS = """<mujoco>
  <visual><global fovy="50" azimuth="30" elevation="-20"/><map znear="0.02" zfar="30"/></visual>
  <statistic center="1 2 3" extent="2.5"/>
  <worldbody>
    <body name="swing" pos="0 0 1"><joint axis="0 1 0"/><geom size=".1"/>
      <camera name="fovy" pos=".1 .2 .3" euler="10 20 30" fovy="70"/>
      <camera name="parallel" pos="1 2 3" euler="30 20 30" fovy="2" projection="orthographic"/>
      <camera name="lens" pos="1 0 0" sensorsize=".004 .003" focal=".005 .006" principal=".0002 -.0003"
              resolution="640 480"/>
    </body>
    <body name="other" pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
  </worldbody>
</mujoco>"""


def moving(xml: str = CAMERAS) -> tuple[Any, Any, MujocoWorld]:
    mjmodel = mujoco.MjModel.from_xml_string(xml)
    mjdata = mujoco.MjData(mjmodel)
    mjdata.qpos[:] = 0.3
    mujoco.mj_forward(mjmodel, mjdata)
    return mjmodel, mjdata, MujocoWorld(phalanx.Model.from_mujoco(mjmodel), mjmodel, mjdata)


def expected_view(mjmodel: Any, mjdata: Any, camera: Any) -> tuple[np.ndarray, ...]:
    """Position, forward, up, and left, right, bottom, top at unit distance, near and far, of MuJoCo's camera."""
    scene = mujoco.MjvScene(mjmodel, 1000)
    mujoco.mjv_updateScene(mjmodel, mjdata, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    one, other = scene.camera[0], scene.camera[1]
    # the two eyes are beside the head
    pos = (np.array(one.pos) + other.pos) / 2
    depth = 1.0 if one.orthographic else one.frustum_near
    bottom, top = one.frustum_bottom / depth, one.frustum_top / depth
    half = one.frustum_width / depth or (top - bottom) / 2 * WIDTH / HEIGHT
    center = one.frustum_center / depth
    planes = np.array([center - half, center + half, bottom, top])
    return pos, np.array(one.forward), np.array(one.up), planes, np.array([one.frustum_near, one.frustum_far])


def actual_view(view: View) -> tuple[np.ndarray, ...]:
    """The same numbers of a View."""
    half = view.half_height * np.array([view.aspect * WIDTH / HEIGHT, 1.0])
    (x, y), (u, v) = view.shift, half
    planes = np.array([x - u, x + u, y - v, y + v])
    return view.pos, -view.mat[:, 2], view.mat[:, 1], planes, np.array([view.near, view.far])


def assert_same_view(view: View, mjmodel: Any, mjdata: Any, camera: Any) -> None:
    for actual, expected in zip(actual_view(view), expected_view(mjmodel, mjdata, camera), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(view.mat.T @ view.mat, np.eye(3), atol=1e-12)
    assert np.linalg.det(view.mat) > 0


def fixed(camera: int) -> Any:
    found = mujoco.MjvCamera()
    found.type, found.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, camera
    return found


@pytest.mark.parametrize("name", ["fovy", "parallel", "lens"])
def test_cameras_of_the_model_see_what_they_see_in_mujoco(name):
    mjmodel, mjdata, seen = moving()
    index = seen.model.camera(name).id
    view = view_of(seen.model, seen, name, WIDTH, HEIGHT)
    assert_same_view(view, mjmodel, mjdata, fixed(index))
    assert view.orthographic == (name == "parallel")
    for same in (index, seen.model.camera(name)):
        np.testing.assert_array_equal(view_of(seen.model, seen, same, WIDTH, HEIGHT).mat, view.mat)


def test_the_default_camera_is_that_of_mujoco():
    mjmodel, mjdata, seen = moving()
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(mjmodel, camera)
    assert_same_view(view_of(seen.model, seen, None, WIDTH, HEIGHT), mjmodel, mjdata, camera)


@pytest.mark.parametrize("seed", range(5))
def test_a_free_camera_and_one_that_tracks(seed):
    mjmodel, mjdata, seen = moving()
    rng = np.random.default_rng(seed)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = rng.normal(size=3)
    camera.distance, camera.azimuth, camera.elevation = (
        rng.uniform(0.1, 5),
        rng.uniform(-180, 180),
        rng.uniform(-89, 89),
    )
    ours = phalanx.Camera(distance=camera.distance, azimuth=camera.azimuth, elevation=camera.elevation)
    free = ours.replace(lookat=camera.lookat)
    assert_same_view(view_of(seen.model, seen, free, WIDTH, HEIGHT), mjmodel, mjdata, camera)
    camera.type, camera.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, seen.model.body("other").id
    tracking = ours.replace(track="other")
    assert_same_view(view_of(seen.model, seen, tracking, WIDTH, HEIGHT), mjmodel, mjdata, camera)


def test_an_orthographic_free_camera_has_a_height_in_meters():
    mjmodel, mjdata, seen = moving(CAMERAS.replace('fovy="50"', 'fovy="4" orthographic="true"'))
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(mjmodel, camera)
    view = view_of(seen.model, seen, None, WIDTH, HEIGHT)
    assert view.orthographic and view.half_height == 2
    assert_same_view(view, mjmodel, mjdata, camera)


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_all_cameras_of_all_models(name):
    mjmodel = compiled(name)
    if not mjmodel.ncam:
        pytest.skip("no cameras")
    mjdata = mujoco.MjData(mjmodel)
    mujoco.mj_forward(mjmodel, mjdata)
    with quiet():
        seen = MujocoWorld(phalanx.Model.from_mujoco(mjmodel), mjmodel, mjdata)
    for camera in range(mjmodel.ncam):
        assert_same_view(view_of(seen.model, seen, camera, WIDTH, HEIGHT), mjmodel, mjdata, fixed(camera))


@pytest.mark.parametrize(
    "camera, error, words",
    [
        ("fov", phalanx.UnknownNameError, "did you mean 'fovy'.*'fovy', 'parallel', 'lens'"),
        (3, phalanx.FieldError, "camera 3 does not exist; the model has 3: fovy, parallel, lens"),
        (-1, phalanx.FieldError, "None"),
        (1.5, phalanx.FieldError, "whole number"),
        (phalanx.Camera(track="nobody"), phalanx.UnknownNameError, "nobody"),
    ],
)
def test_a_camera_that_does_not_exist(camera, error, words):
    _, _, seen = moving()
    with pytest.raises(error, match=words):
        view_of(seen.model, seen, camera, WIDTH, HEIGHT)


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"lookat": (1, 2)}, "lookat"),
        ({"lookat": (1, 2, np.nan)}, "lookat"),
        ({"distance": -1}, "distance"),
        ({"azimuth": np.inf}, "azimuth"),
        ({"elevation": "up"}, "elevation"),
        ({"fovy": 0}, "fovy"),
        ({"track": "torso", "lookat": (0, 0, 0)}, "either track or lookat"),
    ],
)
def test_settings_of_a_camera_are_checked(settings, words):
    with pytest.raises(phalanx.FieldError, match=words):
        phalanx.Camera(**settings)


def test_an_unknown_setting_of_a_camera_has_a_hint():
    with pytest.raises(phalanx.FieldError, match="did you mean 'azimuth'"):
        phalanx.Camera().replace(azimut=3)


def test_the_size_of_a_picture_is_positive():
    _, _, seen = moving()
    with pytest.raises(phalanx.FieldError, match="width"):
        view_of(seen.model, seen, None, 0, 10)


def test_a_camera_of_a_world_that_is_not_finite():
    _, mjdata, seen = moving()
    mjdata.qpos[0] = np.nan
    mjdata.cam_xpos[:] = np.nan
    with pytest.raises(phalanx.FieldError, match=r"data\.qpos\[0\] is nan"):
        view_of(seen.model, seen, "fovy", 10, 10)
