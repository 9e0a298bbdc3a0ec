"""Sensors and forces between bodies against MuJoCo, along its own trajectories, on every model that has sensors.

Both engines see the same contacts and solve to the minimum. Tolerances are those of the stage of a sensor: 1e-12 of the
largest reading of its type for positions and velocities, 1e-9 for what comes through the solver; where rounding alone
does more in the state, what rounding does (`states.resolution`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import SensorType
from tests.conformance.models import MODELS, compiled, make_data
from tests.conformance.states import Worst, compare, read, resolution, save
from tests.conformance.states import load as load_state
from tests.conformance.test_constrained import LARGE, NEWTON, prepared, run_injected, trajectory
from tests.sensor.harness import BODY_FORCES, TOLERANCE, readings, sensor_errors, stage_of

STATES, SWEEP = 4, 40
THROUGH_SOLVER = 1e-9
#: For every day; all models with sensors in the sweep.
EVERYDAY = ("own/sensor", "own/everything", "suite/quadruped", "suite/finger", "suite/humanoid", "suite/walker")
SENSOR_STAGES = ("sensor_pos", "sensor_vel", "sensor_acc", "rne_post_constraint")


def run_theirs(model: Any, data: Any) -> None:
    mujoco.mj_forward(model, data)
    mujoco.mj_rnePostConstraint(model, data)


def value_of(model: Any, data: Any, name: str) -> np.ndarray:
    """A field, or the readings of a type of sensor."""
    return read(data, name) if name in BODY_FORCES else readings(model, data)[int(SensorType[name])]


def limits(model: Any, state: np.ndarray, names: list[str]) -> dict[str, float]:
    return resolution(model, state, run_theirs, names, partial(value_of, model))


def check(name: str, count: int, record: Callable[..., None]) -> None:
    if not compiled(name).nsensor:
        pytest.skip("no sensors")
    model = prepared(name, NEWTON, int(compiled(name).opt.cone))
    data = make_data(phalanx.Model.from_mujoco(model))
    worst = {tolerance: Worst(tolerance) for tolerance in {THROUGH_SOLVER, *TOLERANCE.values()}}
    for number, theirs in enumerate(trajectory(model, count if model.nv < LARGE else 2, 10)):
        rng = np.random.default_rng(number)
        theirs.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6)) * model.body_mass[1:, None]
        bounds = partial(limits, model, save(model, theirs))
        load_state(data, theirs)
        run_theirs(model, theirs)
        run_injected(data, theirs)
        for stage in SENSOR_STAGES:
            data.run(stage)
        worst[THROUGH_SOLVER].add(compare(data, theirs, BODY_FORCES), f"state {number}", bounds)
        for kind, error in sensor_errors(model, theirs, data).items():
            worst[TOLERANCE[stage_of(model, SensorType[kind])]].add({kind: error}, f"state {number}", bounds)
        theirs.xfrc_applied[:] = 0
    found = {key: error for part in worst.values() for key, error in part.errors.items()}
    record(name, "sensors", found, any(part.is_rounding for part in worst.values()))
    assert not any(part.failures for part in worst.values()), [part.failures for part in worst.values()]


@pytest.mark.parametrize("name", EVERYDAY)
def test_sensors(name: str, record: Callable[..., None]) -> None:
    check(name, STATES, record)


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_sensors_of_every_model(name: str, record: Callable[..., None]) -> None:
    check(name, SWEEP, record)
