"""One step at a time along a MuJoCo trajectory: MuJoCo's state is copied before each step, so errors do not grow.

Tolerance: 1e-12 of the largest magnitude of each field, or what rounding does in that state (`states.resolution`). A
velocity is measured against the terms of its update too: it may pass through zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.data_fields import DATA
from tests.conformance.models import MODELS, REPRESENTATIVE, Pair, load
from tests.conformance.states import Worst, compare, relative_error, resolution, save
from tests.conformance.states import load as load_state
from tests.conformance.test_forward import GROUPS, expected_failure

TOLERANCE = 1e-12
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
STATE = ("qpos", "act", "time", "plastic", "qacc", "qacc_warmstart")
#: Everything else that a step leaves behind.
DERIVED = tuple(
    name
    for group, fields in GROUPS.items()
    if group not in ("state", "subtree_vel", "fwd_constraint")
    for name in fields
)
STEPS, ALL_STEPS, DERIVED_STEPS = 200, 1000, 30
#: A trajectory begins anew when something moves faster: without limits and contacts some models spin up.
FAST = 1e3
#: Accelerations beyond this are those of an unstable step, whose intermediate numbers have lost all digits.
SENSELESS = 1e8


def start(model: Any, data: Any, rng: np.random.Generator) -> None:
    """In motion, not far from where the model begins."""
    mujoco.mj_resetData(model, data)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv) * 0.3, 1.0)
    data.qvel[:] = rng.normal(size=model.nv) * 0.5


def drive(model: Any, data: Any, rng: np.random.Generator) -> None:
    """New controls and forces."""
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    data.ctrl[:] = (low + high) / 2 + (high - low) * rng.uniform(-0.6, 0.6, model.nu)
    data.mocap_pos[:] += rng.normal(size=data.mocap_pos.shape) * 0.1
    data.xfrc_applied[1:] = 0
    if model.nbody > 1:
        body = rng.integers(1, model.nbody)
        data.xfrc_applied[body] = rng.normal(size=6) * model.body_mass[body]


def trajectory(model: Any, count: int, seed: int) -> Iterator[Any]:
    """A MjData before each of `count` steps; the caller steps it."""
    rng, data = np.random.default_rng(seed), mujoco.MjData(model)
    for number in range(count):
        if number == 0 or not (np.abs(data.qvel) < FAST).all():
            start(model, data, rng)
        if number % 10 == 0:
            drive(model, data, rng)
        yield data


def velocity_error(data: phalanx.Data, mjdata: Any, before: np.ndarray) -> float:
    scale = max(np.abs(values).max(initial=0.0) for values in (before, mjdata.qvel))
    return relative_error(data.qvel, mjdata.qvel, scale=scale)


def is_sensible(mjdata: Any) -> bool:
    """Did the step that MuJoCo took make sense?"""
    return not mjdata.warning.number.any() and bool((np.abs(mjdata.qacc) < SENSELESS).all())


def errors_along(name: str, integrator: str, count: int, fields: tuple[str, ...]) -> Worst:
    """Errors along a trajectory; the time step is that of the model, or smaller where the integrator is unstable."""
    step = load(name).mujoco.opt.timestep
    for fraction in (1.0, 0.1, 0.01):
        pair = load(name, integrator=INTEGRATORS[integrator], timestep=step * fraction)
        worst, compared = errors_of_pair(pair, count, fields)
        if compared > count / 2:
            return worst
    raise AssertionError(f"only {compared} of {count} steps of {name} were stable")


def errors_of_pair(pair: Pair, count: int, fields: tuple[str, ...]) -> tuple[Worst, int]:
    """Errors along a trajectory, and how many of its steps were compared."""
    m, data, worst, compared = pair.mujoco, pair.data(), Worst(TOLERANCE), 0
    for number, mjdata in enumerate(trajectory(m, count, seed=2)):
        load_state(data, mjdata)
        state, before = save(m, mjdata), mjdata.qvel.copy()
        mujoco.mj_step(m, mjdata)
        if is_sensible(mjdata):
            data.step()
            errors = compare(data, mjdata, fields) | {"qvel": velocity_error(data, mjdata, before)}
            worst.add(errors, f"step {number}", partial(resolution, m, state, mujoco.mj_step))
            compared += 1
        else:
            mujoco.mj_resetData(m, mjdata)
            mjdata.qvel[:] = FAST
    return worst, compared


def check_steps(name: str, integrator: str, count: int, record: Callable[..., None]) -> None:
    worst = errors_along(name, integrator, count, STATE)
    record(name, f"step {integrator}", worst.errors, worst.is_rounding)
    assert not worst.failures, f"{name}, {integrator}: {worst.failures}"


#: (model, integrator) -> reason.
GAPS: dict[tuple[str, str], str] = {}


def cases(names: tuple[str, ...]) -> list[Any]:
    return [
        pytest.param(name, integrator, marks=expected_failure(GAPS.get((name, integrator))))
        for name in names
        for integrator in INTEGRATORS
    ]


@pytest.mark.parametrize(("name", "integrator"), cases(REPRESENTATIVE))
def test_step(name: str, integrator: str, record: Callable[..., None]) -> None:
    check_steps(name, integrator, STEPS, record)


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "integrator"), cases(MODELS))
def test_step_of_every_model(name: str, integrator: str, record: Callable[..., None]) -> None:
    check_steps(name, integrator, ALL_STEPS, record)


#: What each integrator leaves of its own.
WRITTEN = {
    "Euler": ("qH", "qHDiagInv"),
    "RK4": (),
    "implicit": ("qDeriv", "qLU"),
    "implicitfast": ("qDeriv", "qH", "qHDiagInv"),
}


@pytest.mark.parametrize(("name", "integrator"), cases(REPRESENTATIVE))
def test_fields_after_a_step(name: str, integrator: str, record: Callable[..., None]) -> None:
    """Results that a step leaves behind are those of MuJoCo: of the start of the step, of the last stage for RK4."""
    assert set(WRITTEN[integrator]) <= {row.name for row in DATA["implicit"]}
    worst = errors_along(name, integrator, DERIVED_STEPS, (*DERIVED, *WRITTEN[integrator]))
    record(name, f"after {integrator}", worst.errors, worst.is_rounding)
    assert not worst.failures, f"{name}, {integrator}: {worst.failures}"


def test_half_turns_with_rk4(record: Callable[..., None]) -> None:
    """A body that turns by radians in a step: the Munthe-Kaas correction sees the shortest rotation."""
    pair = load("own/free", integrator=INTEGRATORS["RK4"])
    m, data, worst = pair.mujoco, pair.data(), Worst(TOLERANCE)
    rng, mjdata = np.random.default_rng(0), mujoco.MjData(pair.mujoco)
    for angle in np.linspace(0.1, 8, 40):
        mujoco.mj_resetData(m, mjdata)
        axis = rng.normal(size=3)
        mjdata.qvel[3:6] = axis / np.linalg.norm(axis) * angle / m.opt.timestep
        load_state(data, mjdata)
        mujoco.mj_step(m, mjdata)
        data.step()
        worst.add(compare(data, mjdata, ("qpos", "qvel", "qacc")), f"a turn by {angle:.2f} rad")
    record("own/free", "RK4, large turns", worst.errors)
    assert not worst.failures, worst.failures
