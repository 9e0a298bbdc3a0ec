"""Sensors of the plugin mujoco.sensor.touch_grid against MuJoCo with its plugin loaded."""

from __future__ import annotations

import functools

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.conformance.plugin_models import configured

SCENE = """<mujoco><option cone="{cone}" impratio="2" tolerance="1e-14"/>
<extension><plugin plugin="mujoco.sensor.touch_grid">
<instance name="shared"><config key="size" value="3 3"/><config key="fov" value="60 60"/></instance></plugin>
</extension>
<worldbody><geom type="plane" size="3 3 .1" condim="6" friction="1 .02 .01"/>
<body name="palm" pos="0 0 .15"><freejoint/><geom type="box" size=".2 .2 .05" condim="4"/>
<body pos="0 0 -.06"><site name="down" euler="5 10 0"/></body><site name="up" pos="0 0 -.1" euler="180 0 20"/></body>
<body pos="0 0 .35"><freejoint/><geom size=".1" condim="6"/></body>
<body pos=".1 .1 .3"><freejoint/><geom type="capsule" size=".05 .1" condim="3"/></body>
<body pos="-.1 .12 .3"><freejoint/><geom size=".08" condim="1"/><site name="egg"/></body>
</worldbody><sensor>{sensors}</sensor></mujoco>"""


def sensor(site: str, config: dict[str, str], attributes: str = "") -> str:
    return f"""<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="{site}" {attributes}>
    {configured(config)}</plugin>"""


SENSORS = "".join((
    *(sensor("up", {"size": "5 4", "fov": "70 60", "nchannel": str(n), "gamma": str(g)})
      for n in (0, 1, 3, 6) for g in (0, 0.3, 1)),
    sensor("up", {"size": "2 2", "fov": "90 45"}, 'cutoff=".3"'),
    sensor("down", {"size": "8 8", "fov": "180 90", "nchannel": "6"}),
    sensor("egg", {"size": "1 1", "fov": "180 90", "nchannel": "2"}),
    '<plugin instance="shared" objtype="site" objname="up"/><plugin instance="shared" objtype="site" objname="egg"/>',
    '<touch site="egg"/>',
))  # fmt: skip


@functools.cache
def models(cone: str) -> tuple[mujoco.MjModel, phalanx.Model]:
    xml = SCENE.format(cone=cone, sensors=SENSORS)
    return mujoco.MjModel.from_xml_string(xml), phalanx.Model.from_xml_string(xml)


def check(cone: str, states: int, seed: int) -> None:
    """Readings at states of MuJoCo's trajectories; the solver runs to the minimum, so that forces are the same."""
    mjmodel, model = models(cone)
    data, mjdata, rng = model.make_data(), mujoco.MjData(mjmodel), np.random.default_rng(seed)
    read = 0
    for number in range(states):
        if number % 10 == 0:
            mujoco.mj_resetData(mjmodel, mjdata)
            mjdata.qvel[:] = rng.normal(size=mjmodel.nv)
        for _ in range(20):
            mujoco.mj_step(mjmodel, mjdata)
        for name in ("qpos", "qvel", "qacc_warmstart"):
            getattr(data, name)[:] = getattr(mjdata, name)
        mujoco.mj_forward(mjmodel, mjdata)
        data.forward()
        read += np.count_nonzero(mjdata.sensordata)
        scale = 1 + np.abs(mjdata.sensordata).max()
        np.testing.assert_allclose(data.sensordata, mjdata.sensordata, atol=1e-9 * scale, rtol=0)
        np.testing.assert_allclose(data.cfrc_ext, mjdata.cfrc_ext, atol=1e-8 * scale, rtol=0)
    assert read > 20 * states


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_readings_are_those_of_mujoco(cone):
    check(cone, 20, 0)


@pytest.mark.conformance
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_readings_at_many_states(cone):
    check(cone, 500, 1)


def test_a_contact_on_an_edge_is_in_the_bin_of_mujoco():
    """Straight ahead is an edge of bins: sums of rounded steps decide."""
    for count in range(1, 24):
        xml = f"""<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody>
        <geom type="plane" size="1 1 .1"/><body pos="0 0 .0999"><freejoint/><geom size=".1"/><site name="s"/></body>
        </worldbody><sensor>{sensor("s", {"size": f"{count} {count + 1}", "fov": "40 30"})}</sensor></mujoco>"""
        mjmodel = mujoco.MjModel.from_xml_string(xml)
        data, mjdata = phalanx.Model.from_xml_string(xml).make_data(), mujoco.MjData(mjmodel)
        mujoco.mj_forward(mjmodel, mjdata)
        data.forward()
        assert mjdata.sensordata.any()
        np.testing.assert_allclose(data.sensordata, mjdata.sensordata, atol=1e-9)


def test_bits_are_the_same_in_every_way_of_running():
    _, model = models("pyramidal")
    speeds = np.random.default_rng(3).normal(size=(5, model.nv)) * 0.3
    batch = phalanx.BatchSim(model, len(speeds))
    batch.bind("sensordata")
    batch.qvel[:] = speeds
    batch.step(100)
    for k, speed in enumerate(speeds):
        data = model.make_data()
        data.qvel[:] = speed
        data.step(100)
        assert data.sensordata.any()
        assert data.sensordata.tobytes() == batch.sensordata[k].tobytes()
    with interpreted():
        slow = model.make_data()
    data = model.make_data()
    for name in ("qpos", "qvel", "qacc_warmstart"):
        getattr(slow, name)[:] = getattr(data, name)[:] = getattr(batch, name)[0] if name != "qacc_warmstart" else 0.0
    slow.forward()
    data.forward()
    assert slow.sensordata.tobytes() == data.sensordata.tobytes()
