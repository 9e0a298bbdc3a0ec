"""Every type of sensor, on every kind of object, against MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import SensorType
from tests.conformance.models import make_data
from tests.conformance.states import load as load_state
from tests.sensor.harness import assert_sensors_agree, forward_both, moving_state, tightened
from tests.sensor.scenes import FAMILIES, scene

#: Types that no family has: they are tested in files of their own, as those of plugins are.
ELSEWHERE = {SensorType.TACTILE, SensorType.PLUGIN}
SEEDS, SWEEP = range(3), range(3, 60)
#: Longer searches for the overhang may follow rounding (`test_enclosed`).
OPTIONS = {"enclosed": 'ccd_iterations="3"'}


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("family", FAMILIES)
def test_readings_are_those_of_mujoco(family: str, cone: str) -> None:
    model = tightened(scene(FAMILIES[family](), f'cone="{cone}" {OPTIONS.get(family, "")}'))
    for seed in SEEDS:
        theirs, ours = forward_both(model, seed)
        assert theirs.ncon > 3 and ours.ncon == theirs.ncon
        assert_sensors_agree(model, theirs, ours, f"in state {seed}")


@pytest.mark.conformance
@pytest.mark.parametrize("family", FAMILIES)
def test_readings_in_many_states(family: str) -> None:
    model = tightened(scene(FAMILIES[family](), OPTIONS.get(family, "")))
    for seed in SWEEP:
        theirs, ours = forward_both(model, seed)
        assert_sensors_agree(model, theirs, ours, f"in state {seed}")


def test_every_type_is_tested() -> None:
    sensors = [row for family in FAMILIES.values() for row in family()]
    assert set(scene(sensors).sensor_type) == {int(kind) for kind in SensorType if kind not in ELSEWHERE}


LIMITED = """
<jointvel joint="wrist" cutoff=".2"/><gyro site="hand_site" cutoff=".3"/><touch site="ball_site" cutoff="1"/>
<framepos objtype="body" objname="hand" cutoff=".1"/><distance geom1="arm_geom" geom2="ball_geom" cutoff=".05"/>
<contact geom1="floor" data="force dist pos" cutoff=".001"/><rangefinder site="arm_site" cutoff=".2"/>
<fromto geom1="arm_geom" geom2="ball_geom" cutoff=".5"/>
<insidesite site="zone" objtype="body" objname="hand" cutoff=".5"/>
<clock cutoff=".5"/><user dim="2" cutoff="1"/>
"""


def test_cutoff_depends_on_the_kind_of_number() -> None:
    model = tightened(scene([LIMITED]))
    for seed in SEEDS:
        theirs, ours = forward_both(model, seed)
        assert_sensors_agree(model, theirs, ours)
    assert np.abs(ours.sensordata[:1]).max() == 0.2


@pytest.mark.parametrize("flags", ['sensor="disable"', 'contact="disable"'])
def test_flags(flags: str) -> None:
    """Disabled sensors keep what they had; without contacts the sensors of contacts have nothing to say."""
    model = tightened(scene(FAMILIES["simple"]() + FAMILIES["contact"](), flags=flags))
    theirs, ours = forward_both(model, 1)
    assert_sensors_agree(model, theirs, ours)
    if "sensor" in flags:
        assert not ours.sensordata.any()


def test_energy_needs_no_flag() -> None:
    model = scene(FAMILIES["global"]())
    theirs, ours = forward_both(model, 1)
    assert ours.sensor(0).data[0] != 0.0
    np.testing.assert_allclose(ours.energy, theirs.energy, rtol=1e-12)


def test_stages_alone_give_the_readings_of_forward() -> None:
    model = phalanx.Model.from_mujoco(scene(FAMILIES["simple"]()))
    data = make_data(model)
    load_state(data, moving_state(scene([]), 1))
    data.forward()
    expected = data.sensordata.copy()
    data.sensordata[:] = np.nan
    for stage in ("sensor_pos", "sensor_vel", "sensor_acc"):
        data.run(stage)
    np.testing.assert_array_equal(data.sensordata, expected)


def test_a_sensor_by_name() -> None:
    model = phalanx.Model.from_mujoco(scene(['<gyro name="gyro" site="arm_site"/>', '<clock name="clock"/>']))
    data = make_data(model)
    data.time = 3.0
    data.forward()
    assert data.sensor("clock").data == 3.0
    assert data.sensor("gyro").data.shape == (3,)


def test_runge_kutta_reports_the_start_of_the_step() -> None:
    sensors = [row for family in ("simple", "global") for row in FAMILIES[family]()]
    model = tightened(scene(sensors, 'integrator="RK4"', 'energy="enable"'))
    theirs, ours = moving_state(model, 1), make_data(phalanx.Model.from_mujoco(model))
    load_state(ours, theirs)
    mujoco.mj_step(model, theirs)
    ours.step()
    assert_sensors_agree(model, theirs, ours)
    np.testing.assert_allclose(ours.energy, theirs.energy, rtol=1e-12)


HUB = """<mujoco><worldbody><site name="zone" type="box" size="1 1 .4" pos="0 0 {height}"/>
<body name="hub"><body name="leaf" pos="0 0 2"><joint type="slide"/><geom size=".1"/></body></body>
</worldbody><sensor><insidesite site="zone" objtype="body" objname="hub"/></sensor></mujoco>"""


@pytest.mark.parametrize("height", [0, 2])
def test_a_body_without_mass_is_where_its_subtree_is(height: int) -> None:
    model = mujoco.MjModel.from_xml_string(HUB.format(height=height))
    theirs, ours = forward_both(model, 0)
    assert ours.sensordata[0] == theirs.sensordata[0] == (height == 2)
