"""Histories against MuJoCo: single buffers by its own functions, and delayed controls along trajectories."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.smooth.history import insert_sample, read_sample
from tests.conformance.models import OWN, make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import relative_error

REAL = ctypes.POINTER(ctypes.c_double)
LIBRARY = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco*"))))
LIBRARY.mju_historyInsert.restype = REAL
LIBRARY.mju_historyInsert.argtypes = [REAL, ctypes.c_int, ctypes.c_int, ctypes.c_double]
LIBRARY.mju_historyRead.restype = REAL
LIBRARY.mju_historyRead.argtypes = [REAL, ctypes.c_int, ctypes.c_int, REAL, ctypes.c_double, ctypes.c_int]


def pointer(values: np.ndarray):
    return values.ctypes.data_as(REAL)


def new_buffer(count: int, dim: int) -> np.ndarray:
    return np.concatenate([[0, count - 1], -0.1 * np.arange(count, 0, -1), np.zeros(count * dim)])


def insert_theirs(buffer: np.ndarray, count: int, dim: int, time: float, values: np.ndarray) -> None:
    slot = LIBRARY.mju_historyInsert(pointer(buffer), count, dim, time)
    for k in range(dim):
        slot[k] = values[k]


def insert_ours(buffer: np.ndarray, count: int, dim: int, time: float, values: np.ndarray) -> None:
    address = insert_sample(SimpleNamespace(history=buffer), 0, count, dim, time, 0)
    buffer[address : address + dim] = values


def read_theirs(buffer: np.ndarray, count: int, dim: int, time: float, order: int) -> np.ndarray:
    result = np.zeros(dim)
    found = LIBRARY.mju_historyRead(pointer(buffer), count, dim, pointer(result), time, order)
    return np.array([found[k] for k in range(dim)]) if found else result


def read_ours(buffer: np.ndarray, count: int, dim: int, time: float, order: int) -> np.ndarray:
    data = SimpleNamespace(history=buffer)
    return np.array([read_sample(data, 0, count, dim, k, time, order, 0) for k in range(dim)])


@pytest.mark.parametrize("count", [1, 2, 3, 7])
@pytest.mark.parametrize("dim", [1, 3])
def test_a_buffer_is_that_of_mujoco(count: int, dim: int) -> None:
    """Samples in order, at the same time again, and older than others; read in and beyond the stored times."""
    rng, theirs = np.random.default_rng([count, dim]), new_buffer(count, dim)
    ours, now = theirs.copy(), 0.0
    with interpreted():
        for _ in range(200):
            now += rng.choice([0.1, 0.1, 0.03, 0.0, -0.07, -0.25])
            values = rng.normal(size=dim)
            insert_theirs(theirs, count, dim, now, values)
            insert_ours(ours, count, dim, now, values)
            np.testing.assert_array_equal(ours, theirs)
            for time in (*rng.uniform(now - 0.1 * (count + 1), now + 0.1, 4), rng.choice(ours[2 : 2 + count])):
                for order in range(3):
                    expected = read_theirs(theirs, count, dim, time, order)
                    np.testing.assert_allclose(read_ours(ours, count, dim, time, order), expected, rtol=1e-12)


def drive(model, mjdata, number: int) -> None:
    mjdata.ctrl[:] = np.random.default_rng(number).normal(size=model.nu)


@pytest.mark.parametrize("integrator", ["mjINT_EULER", "mjINT_RK4"])
def test_delayed_controls_along_a_trajectory(integrator: str) -> None:
    """One step from MuJoCo's state, again and again; then the history is full of different controls."""
    model = mujoco.MjModel.from_xml_path(str(OWN / "actuator_delays.xml"))
    model.opt.integrator = getattr(mujoco.mjtIntegrator, integrator)
    data, mjdata = make_data(phalanx.Model.from_mujoco(model)), mujoco.MjData(model)
    np.testing.assert_array_equal(data.history, mjdata.history)
    np.testing.assert_array_equal(data.ctrl, mjdata.ctrl)
    for number in range(40):
        drive(model, mjdata, number)
        load_state(data, mjdata)
        mujoco.mj_step(model, mjdata)
        data.step()
        for field in ("history", "actuator_force", "qfrc_actuator", "act", "qvel", "qpos"):
            assert relative_error(getattr(data, field), getattr(mjdata, field)) < 1e-12, (field, number)
    forces = np.abs(mjdata.actuator_force).reshape(model.nout, -1)
    assert np.count_nonzero(forces) > model.nout - 2


def test_a_world_that_is_reset_forgets() -> None:
    """After an automatic reset the histories are those of the start."""
    model = mujoco.MjModel.from_xml_path(str(OWN / "actuator_delays.xml"))
    data = make_data(phalanx.Model.from_mujoco(model))
    first = data.history.copy(), data.ctrl.copy()
    data.ctrl[:] = 1.0
    data.step(5)
    assert not np.array_equal(data.history, first[0])
    data.qvel[0] = np.nan
    data.step(on_error="reset")
    mjdata = mujoco.MjData(model)
    mujoco.mj_step(model, mjdata)
    np.testing.assert_array_equal(data.history, mjdata.history)
    np.testing.assert_array_equal(data.ctrl, first[1])
