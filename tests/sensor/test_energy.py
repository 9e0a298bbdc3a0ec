"""Energies of a world and the sensors that read them, with the option `energy` on and off, in every way of running."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import make_data

POTENTIAL, KINETIC = "<e_potential/>", "<e_kinetic/>"
SENSORS = ("", POTENTIAL, KINETIC, POTENTIAL + KINETIC, KINETIC + POTENTIAL)
SAMPLED = ('<e_potential interval=".01"/>', '<e_kinetic interval=".01"/>', '<e_potential interval=".01"/><e_kinetic/>')
WORLDS = 3


def scene(sensors: str, flag: str, integrator: str) -> Any:
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option integrator="{integrator}"><flag energy="{flag}"/></option>
      <worldbody><body pos="0 0 1"><joint type="slide" axis="1 0 1" stiffness="3"/><geom size=".1"/>
        <body pos="0 0 .3"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></body></worldbody>
      <sensor>{sensors}</sensor></mujoco>""")


def moving(model: Any) -> tuple[Any, phalanx.Data, phalanx.BatchSim]:
    """The same state in MuJoCo, in one world and in a batch whose energy and sensors are bound."""
    ours = phalanx.Model.from_mujoco(model)
    theirs, data, batch = mujoco.MjData(model), make_data(ours), phalanx.BatchSim(ours, WORLDS, threads=1)
    batch.bind("energy", "sensordata")
    for each in (theirs, data, batch):
        each.qpos[:], each.qvel[:] = [0.3, 0.2], [0.5, 0.7]
    return theirs, data, batch


def assert_same(field: str, theirs: Any, data: phalanx.Data, batch: phalanx.BatchSim) -> None:
    np.testing.assert_allclose(getattr(data, field), getattr(theirs, field), rtol=1e-12, err_msg=field)
    for world in getattr(batch, field):
        np.testing.assert_array_equal(world, getattr(data, field), err_msg=field)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("flag", ["enable", "disable"])
@pytest.mark.parametrize("sensors", (*SENSORS, *SAMPLED))
def test_energies_are_those_of_mujoco(sensors: str, flag: str, integrator: str) -> None:
    """Zero where neither the option nor a sensor of the potential energy asks for it, after steps too.

    Binding it asks for it: a batch has that of the option.
    """
    model = scene(sensors, flag, integrator)
    theirs, data, batch = moving(model)
    asked_model = scene(sensors, "enable", integrator)
    asked, counted, _ = moving(asked_model)
    mujoco.mj_forward(model, theirs)
    mujoco.mj_forward(asked_model, asked)
    for each in (data, counted, batch):
        each.forward()
    np.testing.assert_allclose(data.energy, theirs.energy, rtol=1e-12)
    assert_same("energy", asked, counted, batch)
    assert_same("sensordata", theirs, data, batch)
    for _ in range(3):
        mujoco.mj_step(model, theirs)
        mujoco.mj_step(asked_model, asked)
        for each in (data, counted, batch):
            each.step()
        np.testing.assert_allclose(data.energy, theirs.energy, rtol=1e-12)
        assert_same("energy", asked, counted, batch)
        if flag == "disable":
            assert_same("sensordata", theirs, data, batch)
    mujoco.mj_inverse(model, theirs)
    data.inverse()
    np.testing.assert_allclose(data.energy, theirs.energy, rtol=1e-12)


@pytest.mark.parametrize("sensors", [KINETIC, KINETIC + POTENTIAL])
def test_a_sensor_of_kinetic_energy_tells_that_of_the_present_state(sensors: str) -> None:
    """With the option on, MuJoCo's sensor tells that of the step before."""
    model = scene(sensors, "enable", "Euler")
    theirs, data, _ = moving(model)
    before = 0.0
    for step in range(5):
        mujoco.mj_step(model, theirs)
        data.step()
        assert data.sensordata[0] == data.energy[1]
        if step:
            np.testing.assert_allclose(theirs.sensordata[0], before, rtol=1e-12)
        before = float(data.energy[1])
