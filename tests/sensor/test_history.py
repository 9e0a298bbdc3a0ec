"""Delays and intervals of sensors along trajectories of MuJoCo, and what a reset leaves of them."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import OWN, make_data
from tests.conformance.states import relative_error
from tests.quiet import quiet
from tests.sensor.harness import tightened

FILE = OWN / "sensor_delays.xml"
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
STEPS = 25
TOLERANCE = 1e-9


def delayed(**options: Any) -> Any:
    model = tightened(mujoco.MjModel.from_xml_path(str(FILE)))
    for name, value in options.items():
        setattr(model.opt, name, value)
    return model


def start(data: Any) -> None:
    data.qpos[:] = [0.3, 0.2]
    data.qvel[:] = [1.0, -3.0]


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("flags", [0, int(mujoco.mjtDisableBit.mjDSBL_SENSOR)])
def test_delayed_readings_along_a_trajectory(integrator: str, flags: int) -> None:
    model = delayed(integrator=INTEGRATORS[integrator], disableflags=flags)
    theirs, ours = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    start(theirs)
    start(ours)
    touched = 0
    for step in range(STEPS):
        theirs.ctrl[:] = ours.ctrl[:] = np.sin(step)
        mujoco.mj_step(model, theirs)
        ours.step()
        touched += theirs.ncon > 0
        assert relative_error(ours.sensordata, theirs.sensordata) < TOLERANCE, step
        assert relative_error(ours.history, theirs.history) < TOLERANCE, step
    assert 0 < touched < STEPS


PERIODS = [(0.01, 0.07, 0.0), (0.01, 0.04, -0.02), (0.002, 0.014, -0.006), (0.001, 0.0025, -0.001), (0.004, 0.3, -0.1)]
CLOCK = """<mujoco><option timestep="{}"/><worldbody><body><joint/><geom size=".1"/></body></worldbody>
<sensor><clock nsample="9" interval="{} {}"/></sensor></mujoco>"""


@pytest.mark.parametrize(("step", "period", "phase"), PERIODS)
def test_intervals(step: float, period: float, phase: float) -> None:
    """The same times, to the bit, from the initial history on."""
    model = mujoco.MjModel.from_xml_string(CLOCK.format(step, period, phase))
    theirs, ours = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    np.testing.assert_array_equal(ours.history, theirs.history)
    for _ in range(40):
        mujoco.mj_step(model, theirs)
        ours.step()
        np.testing.assert_array_equal(ours.history, theirs.history)
        np.testing.assert_array_equal(ours.sensordata, theirs.sensordata)


def test_a_reset_empties_histories() -> None:
    data = make_data(phalanx.Model.from_mujoco(delayed()))
    initial = data.history.copy()
    start(data)
    data.step(10)
    assert not np.array_equal(data.history, initial)
    assert not np.array_equal(data.sensordata, 0 * data.sensordata)
    data.reset()
    np.testing.assert_array_equal(data.history, initial)
    np.testing.assert_array_equal(data.sensordata, 0.0)


def test_a_world_that_is_reset_by_an_error_begins_anew() -> None:
    model = delayed()
    data, fresh = make_data(phalanx.Model.from_mujoco(model)), make_data(phalanx.Model.from_mujoco(model))
    start(data)
    data.step(10)
    data.qvel[0] = np.nan
    data.step(3, on_error="reset")
    fresh.step(3)
    np.testing.assert_array_equal(data.history, fresh.history)
    np.testing.assert_array_equal(data.sensordata, fresh.sensordata)


def test_a_world_of_a_batch_can_be_reset() -> None:
    with quiet():
        sim = phalanx.BatchSim(phalanx.Model.from_mujoco(delayed()), 8, lanes=8, threads=1)
    (sensordata,) = sim.bind("sensordata")
    sim.qvel[:] = [1.0, -3.0]
    sim.step(3)
    expected = sensordata[1].copy()
    sim.step(4)
    sim.reset(1)
    sim.qvel[1] = [1.0, -3.0]
    sim.step(3)
    np.testing.assert_array_equal(sensordata[1], expected)
    assert not np.array_equal(sensordata[0], expected)
