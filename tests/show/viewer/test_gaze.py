"""Where the page looks from."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import numpy as np
import pytest

import phalanx
from phalanx.show.viewer.gaze import Gaze
from phalanx.show.viewer.lamps import LAMPS, lamps_of, sky_of
from phalanx.show.viewer.one_world import OneWorld
from phalanx.show.viewer.session import Session
from tests.show.viewer.fake_scene import FakeScene

XML = """<mujoco><option gravity="0 0 0"/><worldbody><light dir="0 0 -1" diffuse=".6 .3 .3"/>
  <light dir="0 1 -1" castshadow="false" diffuse=".2 .2 .2"/>
  <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1" fovy="60"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def session() -> Session:
    return Session(OneWorld(phalanx.Model.from_xml_string(XML).make_data()), is_paused=True)


@pytest.fixture
def server() -> SimpleNamespace:
    camera = SimpleNamespace(client=SimpleNamespace(atomic=contextlib.nullcontext))
    clients = {0: SimpleNamespace(camera=camera)}
    return SimpleNamespace(
        scene=FakeScene(), initial_camera=SimpleNamespace(), get_clients=lambda: clients, camera=camera
    )


def test_tracking_moves_the_world_and_leaves_the_camera_to_the_user(session, server):
    gaze = Gaze(server)
    session.look_through("tracking")
    gaze.follow(session.frame())
    np.testing.assert_array_equal(gaze.shift, 0)
    session.world.data.qpos[:3] = 2, 3, 4
    session.world.forward()
    gaze.follow(session.frame())
    np.testing.assert_allclose(gaze.shift, [-2, -3, -3], atol=1e-12)
    np.testing.assert_array_equal(server.scene.nodes["/world"].position, gaze.shift)
    session.look_through("free")
    gaze.follow(session.frame())
    np.testing.assert_array_equal(gaze.shift, 0)
    assert not hasattr(server.camera, "position")


def test_a_camera_of_the_model_moves_that_of_the_page(session, server):
    session.look_through("side")
    Gaze(server).follow(session.frame())
    np.testing.assert_allclose(server.camera.position, [0, -3, 1])
    assert server.camera.fov == pytest.approx(np.pi / 3)
    # viser looks along +z of the camera, with y down
    axes = phalanx.transforms.quat2mat(server.camera.wxyz)
    np.testing.assert_allclose(axes[:, 2], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(axes[:, 1], [0, 0, -1], atol=1e-12)


def test_pages_open_at_the_free_camera_of_the_model(session, server):
    Gaze(server).begin(session.first_view(), session.first_distance())
    np.testing.assert_allclose(server.initial_camera.look_at, session.world.model.stat.center, atol=1e-9)


def test_lights_become_lamps_and_one_of_them_casts_a_shadow(session):
    lamps = lamps_of(session.frame().cast.lights, True, True)
    assert [is_casting for _, _, _, is_casting in lamps] == [True, False]
    assert lamps[0][1] == (255, 128, 128)
    assert sum(intensity for _, _, intensity, _ in lamps) <= LAMPS
    assert not any(is_casting for _, _, _, is_casting in lamps_of(session.frame().cast.lights, True, False))


def test_a_model_without_lights_has_a_sun():
    session = Session(OneWorld(phalanx.Model.from_xml_string("<mujoco/>").make_data()), is_paused=True)
    ((direction, _, intensity, is_casting),) = lamps_of(session.frame().cast.lights, True, True)
    assert direction[2] < 0
    assert intensity == LAMPS
    assert is_casting


def test_the_sky_goes_from_the_zenith_to_the_horizon():
    assert sky_of(phalanx.Model.from_xml_string("<mujoco/>")) is None
    sky = sky_of(phalanx.load("humanoid"))
    assert sky.dtype == np.uint8
    assert sky.shape[2] == 3
    assert np.any(sky[0, 0] != sky[-1, 0])
