"""One step at a time along a MuJoCo trajectory: before each step the whole state of MuJoCo is copied, so errors do not grow.

Tolerance: 1e-12 of the largest magnitude of each field, or what the condition of the inertia matrix allows (see
`test_forward`); positions move by the acceleration times the square of the step, so they keep 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.conformance.models import MODELS, REPRESENTATIVE, load
from tests.conformance.states import compare, load as load_state
from tests.conformance.test_forward import Worst, solve_tolerance

INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
FIELDS = ("qpos", "qvel", "act", "time", "plastic", "qacc", "qacc_warmstart")
STEPS, ALL_STEPS = 200, 1000
#: Speeds beyond this end a trajectory: without limits and contacts some models spin up.
FAST = 1e4


def start(model: Any, seed: int) -> Any:
    """A MjData in motion, not far from where the model begins."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv) * 0.3, 1.0)
    data.qvel[:] = rng.normal(size=model.nv) * 0.5
    return data


def drive(model: Any, data: Any, rng: np.random.Generator) -> None:
    """New controls and forces, now and then."""
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    data.ctrl[:] = (low + high) / 2 + (high - low) * rng.uniform(-0.6, 0.6, model.nu)
    data.mocap_pos[:] += rng.normal(size=data.mocap_pos.shape) * 0.1
    data.xfrc_applied[1:] = 0
    if model.nbody > 1:
        body = rng.integers(1, model.nbody)
        data.xfrc_applied[body] = rng.normal(size=6) * model.body_mass[body]


def steps_taken(name: str, integrator: str, count: int, seed: int) -> tuple[Worst, int]:
    """Errors along a trajectory, and how many steps it had."""
    pair = load(name, integrator=INTEGRATORS[integrator])
    m, data = pair.mujoco, pair.data()
    mjdata, rng = start(m, seed), np.random.default_rng([seed, 1])
    worst = Worst()
    for number in range(count):
        if number % 10 == 0:
            drive(m, mjdata, rng)
        load_state(data, mjdata)
        mujoco.mj_step(m, mjdata)
        if not (np.abs(mjdata.qvel) < FAST).all():
            return worst, number
        data.step()
        for key, error in compare(data, mjdata, FIELDS).items():
            worst.add(key, error, partial(solve_tolerance, m, mjdata), f"step {number}")
    return worst, count


def check_steps(name: str, integrator: str, count: int, record: Callable[..., None]) -> None:
    worst, taken = steps_taken(name, integrator, count, seed=2)
    record(name, f"step {integrator}", worst.errors, "*" if worst.is_conditioned else "")
    assert not worst.failures, f"{name}, {integrator}: {worst.failures}"
    assert taken > 20


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", REPRESENTATIVE)
def test_step(name: str, integrator: str, record: Callable[..., None]) -> None:
    check_steps(name, integrator, STEPS, record)


@pytest.mark.conformance
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", MODELS)
def test_step_of_every_model(name: str, integrator: str, record: Callable[..., None]) -> None:
    check_steps(name, integrator, ALL_STEPS, record)
