"""Finite differences of steps and of inverse dynamics, against MuJoCo's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states

MODELS = ("own/mixed_tree", "own/actuators_with_state", "own/ball_chain", "own/sensor", "own/free", "own/static")
#: Large enough that what rounding adds is small: both engines take the same differences.
EPS = 1e-4


def twins(name: str):
    pair = load(name)
    data = make_data(pair.phalanx)
    *_, mjdata = random_states(pair.mujoco, 3, seed=11)
    load_state(data, mjdata)
    mujoco.mj_forward(pair.mujoco, mjdata)
    return pair.mujoco, mjdata, data.forward()


@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_transitions_are_those_of_mujoco(name: str, centered: bool) -> None:
    m, mjdata, data = twins(name)
    nx = 2 * m.nv + m.na
    theirs = np.zeros((nx, nx)), np.zeros((nx, m.nu)), np.zeros((m.nsensordata, nx)), np.zeros((m.nsensordata, m.nu))
    before = data.fingerprint()
    mujoco.mjd_transitionFD(m, mjdata, EPS, centered, *theirs)
    ours = data.transition_fd(EPS, centered)
    for found, expected in zip(ours, theirs, strict=True):
        scale = np.abs(expected).max(initial=1.0)
        np.testing.assert_allclose(found, expected, atol=1e-8 * scale)
    assert data.fingerprint() == before


@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_inverse_dynamics_is_differentiated_as_in_mujoco(name: str, actuation: bool) -> None:
    m, mjdata, data = twins(name)
    data.qacc = mjdata.qacc[:] = np.random.default_rng(0).normal(size=m.nv)
    square, read = (m.nv, m.nv), (m.nv, m.nsensordata)
    theirs = [np.zeros(shape) for shape in (square, square, square, read, read, read, (m.nv, m.nC))]
    mujoco.mjd_inverseFD(m, mjdata, EPS, actuation, *theirs)
    ours = data.inverse_fd(EPS, actuation)
    for what, found, expected in zip(ours._fields, ours, theirs, strict=True):
        scale = np.abs(expected).max(initial=1.0)
        np.testing.assert_allclose(found, expected, atol=1e-7 * scale, err_msg=what)


def test_controls_stay_in_their_ranges() -> None:
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
    <actuator><motor joint="j" ctrlrange="-1 1" ctrllimited="true"/><motor joint="j" gear="2"/></actuator></mujoco>"""
    m = mujoco.MjModel.from_xml_string(xml)
    mjdata, data = mujoco.MjData(m), phalanx.Model.from_xml_string(xml).make_data()
    for ctrl in (-1.0, 1.0, 0.3, 5.0):
        mjdata.ctrl[0] = data.ctrl[0] = ctrl
        for centered in (False, True):
            expected = np.zeros((2, 2))
            mujoco.mjd_transitionFD(m, mjdata, EPS, centered, None, expected, None, None)
            np.testing.assert_allclose(data.transition_fd(EPS, centered).B, expected, atol=1e-9)


def test_exact_derivatives_are_near() -> None:
    """A slide without gravity: x' = x + h (v + h u / m)."""
    xml = """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide"/>
    <geom size=".1" mass="2"/></body></worldbody><actuator><motor joint="j"/></actuator></mujoco>"""
    data = phalanx.Model.from_xml_string(xml).make_data()
    A, B, C, D = data.transition_fd()
    h = data.model.opt.timestep
    np.testing.assert_allclose(A, [[1, h], [0, 1]], atol=1e-9)
    np.testing.assert_allclose(B, [[h * h / 2], [h / 2]], atol=1e-9)
    assert C.shape == (0, 2) and D.shape == (0, 1)


@pytest.mark.parametrize("eps", [0.0, -1.0, np.inf, np.nan, "x"])
def test_a_bad_size_is_refused(eps: float) -> None:
    data = load("own/free").phalanx.make_data()
    for call in (data.transition_fd, data.inverse_fd):
        with pytest.raises(phalanx.FieldError, match="eps"):
            call(eps)
