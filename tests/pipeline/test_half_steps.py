"""A step in two halves, step1 and step2."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.tables.enums import Integrator
from tests.conformance.models import load, make_data
from tests.conformance.states import compare, random_states
from tests.conformance.states import load as load_state

MODELS = ("own/everything", "own/contact", "own/actuators_with_state", "own/sensor_delays", "own/equality")
INTEGRATORS = ("EULER", "IMPLICIT", "IMPLICITFAST")
XML = """<mujoco><option timestep="{step}"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
</worldbody><actuator><motor joint="hinge"/></actuator><sensor><jointvel joint="hinge"/></sensor></mujoco>"""


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", MODELS)
def test_both_halves_are_a_step(name: str, integrator: str) -> None:
    model = load(name, integrator=int(Integrator[integrator])).phalanx
    whole, halves = make_data(model), make_data(model)
    *_, mjdata = random_states(load(name).mujoco, 3, seed=4)
    for data in (whole, halves):
        load_state(data, mjdata)
    for _ in range(10):
        whole.step()
        halves.step1().step2()
        assert whole.fingerprint() == halves.fingerprint()
    first, second = whole.snapshot(), halves.snapshot()
    assert [name for name in first if first[name].tobytes() != second[name].tobytes()] == []


@pytest.mark.parametrize("name", MODELS)
def test_the_first_half_computes_what_that_of_mujoco_does(name: str) -> None:
    pair = load(name)
    data = make_data(pair.phalanx)
    for mjdata in random_states(pair.mujoco, 3, seed=4):
        load_state(data, mjdata)
        mujoco.mj_step1(pair.mujoco, mjdata)
        data.step1()
        fields = ("xpos", "cvel", "M", "qfrc_bias", "qfrc_passive", "ten_length", "actuator_length", "sensordata")
        assert compare(data, mjdata, fields, 1e-11) == {}


def test_controls_are_set_between_the_halves() -> None:
    xml = XML.format(step=0.002)
    m = mujoco.MjModel.from_xml_string(xml)
    mjdata, data = mujoco.MjData(m), phalanx.Model.from_xml_string(xml).make_data()
    for _ in range(200):
        mujoco.mj_step1(m, mjdata)
        mjdata.ctrl[0] = 1 - mjdata.sensordata[0]
        mjdata.xfrc_applied[1, 2] = 5 * mjdata.xpos[1, 2]
        mujoco.mj_step2(m, mjdata)
        data.step1()
        data.ctrl[0] = 1 - data.sensordata[0]
        data.xfrc_applied[1, 2] = 5 * data.xpos[1, 2]
        data.step2()
    np.testing.assert_allclose(data.qpos, mjdata.qpos, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(data.time, mjdata.time, rtol=1e-12)


def test_the_second_half_of_runge_kutta_is_that_of_euler() -> None:
    base = load("own/mixed_tree")
    *_, mjdata = random_states(base.mujoco, 3, seed=5)
    euler, staged = (
        make_data(base.phalanx.replace(opt={"integrator": int(kind)})) for kind in (Integrator.EULER, Integrator.RK4)
    )
    for data in (euler, staged):
        load_state(data, mjdata)
    assert staged.step1().step2().fingerprint() == euler.step().fingerprint()
    theirs = mujoco.MjModel.__copy__(base.mujoco)
    theirs.opt.integrator = int(Integrator.RK4)
    mujoco.mj_step1(theirs, mjdata)
    mujoco.mj_step2(theirs, mjdata)
    np.testing.assert_allclose(staged.qpos, mjdata.qpos, rtol=1e-12, atol=1e-12)


def test_hooks_of_controls_run_in_the_first_half() -> None:
    def control(m, d):
        d.ctrl[0] = 2.0 - d.qvel[6]

    model = phalanx.Model.from_xml_string(XML.format(step=0.002)).with_hooks(control=control)
    whole, halves = model.make_data().step(20), model.make_data()
    for _ in range(20):
        halves.step1().step2()
    assert whole.fingerprint() == halves.fingerprint()
    halves.step1()
    halves.ctrl[0] = 7.0
    assert halves.step2().ctrl[0] == 7.0


def test_interpreted_gives_the_same_bits() -> None:
    found = []
    for flag in (False, True):
        with interpreted(flag):
            data = phalanx.Model.from_xml_string(XML.format(step=0.002)).make_data()
            data.qvel[:] = np.arange(7)
            for _ in range(3):
                data.step1()
                data.ctrl[0] = data.sensordata[0]
                data.step2()
            found.append(data.get_state().tobytes())
    assert found[0] == found[1]


# --- failures


def test_a_bad_state_is_refused_by_the_first_half() -> None:
    data = phalanx.Model.from_xml_string(XML.format(step=0.002)).make_data()
    data.qvel[2] = np.nan
    with pytest.raises(phalanx.WorldError, match=r"qvel\[2\]"):
        data.step1()
    with pytest.raises(phalanx.WorldError, match=r"qvel\[2\]"):
        data.step2()
    data.qvel[2] = 0
    assert data.step1().step2().time == 0.002


def test_a_bad_force_is_refused_by_the_second_half() -> None:
    data = phalanx.Model.from_xml_string(XML.format(step=0.002)).make_data().step1()
    before = data.qpos.copy()
    data.xfrc_applied[1, 0] = np.inf
    with pytest.raises(phalanx.WorldError, match="xfrc_applied"):
        data.step2()
    np.testing.assert_array_equal(data.qpos, before)
    data.xfrc_applied[1, 0] = 0
    assert data.step2().time == 0.002


def test_a_world_is_reset_as_in_mujoco() -> None:
    """By either half, also if the world that begins anew has more contacts than before."""
    model = phalanx.Model.from_xml_string(XML.format(step=0.002))
    fresh = model.make_data().step()
    data = model.make_data()
    data.qpos[2] = 5.0
    data.qvel[0] = np.nan
    data.step1(on_error="reset").step2(on_error="reset")
    assert data.fingerprint() == fresh.fingerprint()
    other = model.make_data()
    other.qpos[2] = 5.0
    other.step1(on_error="reset")
    other.qfrc_applied[0] = np.nan
    assert other.ncon == 0
    other.step2(on_error="reset")
    assert other.ncon == 1
    assert other.fingerprint() == fresh.fingerprint()


def test_an_unknown_policy_is_refused() -> None:
    data = phalanx.Model.from_xml_string(XML.format(step=0.002)).make_data()
    for call in (data.step1, data.step2):
        with pytest.raises(phalanx.FieldError, match='on_error is "raise" or "reset"'):
            call(on_error="stop")
