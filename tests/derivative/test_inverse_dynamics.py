"""Derivatives of inverse dynamics in lanes, against MuJoCo, which takes the same differences."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import MODELS as ALL_MODELS
from tests.conformance.models import load, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import random_states

EPS = 1e-4
MODELS = ("own/everything", "own/actuators_with_state", "own/contact", "own/sensor", "own/static")


def twins(name: str, number: int = 3) -> tuple[Any, Any, phalanx.Data]:
    """The same random state and acceleration in both engines."""
    pair = load(name)
    data = make_data(pair.phalanx)
    *_, mjdata = random_states(pair.mujoco, number, seed=11)
    load_state(data, mjdata)
    mujoco.mj_forward(pair.mujoco, mjdata)
    data.forward()
    data.qacc = mjdata.qacc[:] = np.random.default_rng(number).normal(size=pair.mujoco.nv)
    return pair.mujoco, mjdata, data


def check(name: str, number: int, actuation: bool) -> None:
    m, mjdata, data = twins(name, number)
    square, read = (m.nv, m.nv), (m.nv, m.nsensordata)
    theirs = [np.zeros(shape) for shape in (square, square, square, read, read, read, (m.nv, m.nC))]
    mujoco.mjd_inverseFD(m, mjdata, EPS, actuation, *theirs)
    before = data.fingerprint()
    ours = data.inverse_derivatives(eps=EPS, flg_actuation=actuation)
    assert data.fingerprint() == before
    for what, found, expected in zip(ours._fields, ours, theirs, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-7 * np.abs(expected).max(initial=1.0), err_msg=what)


@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_inverse_dynamics_is_differentiated_as_in_mujoco(name: str, actuation: bool) -> None:
    check(name, 3, actuation)


@pytest.mark.conformance
@pytest.mark.parametrize("name", [name for name in ALL_MODELS if name.startswith(("own/", "suite/"))])
def test_every_small_model(name: str) -> None:
    m = load(name).mujoco
    if m.nv > 60 or m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4 or m.opt.noslip_iterations:
        pytest.skip("MuJoCo refuses RK4 and noslip; large models take long")
    for number in (2, 4):
        check(name, number, True)


def test_lanes_and_threads_change_no_bit() -> None:
    *_, data = twins("own/everything")
    expected = data.inverse_derivatives()
    for lanes, threads in ((1, 1), (8, 2)):
        for one, other in zip(data.inverse_derivatives(lanes=lanes, threads=threads), expected, strict=True):
            assert np.array_equal(one, other)


def test_the_derivative_by_acceleration_is_the_inertia() -> None:
    """Without constraints."""
    *_, data = twins("own/ball_chain")
    found = data.inverse_derivatives(centered=True)
    assert data.nefc == 0
    np.testing.assert_allclose(found.DfDa, data.full_m(), atol=1e-7)


def test_products_of_the_inertia_are_differentiated() -> None:
    """d(M v)/dq, one direction after another."""
    *_, data = twins("own/ball_chain")
    m, eps = data.model, 1e-6
    v = np.random.default_rng(0).normal(size=m.nv)
    found = data.inertia_derivatives(v)
    probe = data.copy()
    for dof in range(m.nv):
        products = []
        for sign in (1.0, -1.0):
            probe.qpos = data.integrate_pos(data.qpos, np.eye(m.nv)[dof], sign * eps)
            products.append(probe.forward().mul_m(v))
        np.testing.assert_allclose(found[:, dof], (products[0] - products[1]) / (2 * eps), atol=1e-8)
    assert data.inertia_derivatives().shape == (m.nv, m.nC)
    with pytest.raises(phalanx.FieldError, match="vector"):
        data.inertia_derivatives([1.0])
