"""Rows of every model of the matrix along MuJoCo's own trajectories, with MuJoCo's contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.conformance.models import MODELS, compiled
from tests.constraint.harness import check

STEPS, SWEEP, EVERY = 40, 400, 8
#: Beyond this many dofs fewer steps are taken.
LARGE = 200


def trajectory(model: Any, steps: int) -> Iterator[Any]:
    """A MjData along random controls, at every eighth step; forward computed."""
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    for step in range(steps):
        data.ctrl[:] = rng.uniform(low, high)
        mujoco.mj_step(model, data)
        if step % EVERY == EVERY - 1:
            mujoco.mj_forward(model, data)
            yield data


def check_model(name: str, steps: int, record: Callable[..., None]) -> None:
    model = compiled(name)
    if model.nflex:
        pytest.skip("flexes are not simulated")
    worst = check(model, trajectory(model, steps if model.nv < LARGE else steps // 5))
    record(name, "constraint rows", worst)


@pytest.mark.parametrize("name", MODELS)
def test_rows(name: str, record: Callable[..., None]) -> None:
    check_model(name, STEPS, record)


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_rows_of_long_runs(name: str, record: Callable[..., None]) -> None:
    check_model(name, SWEEP, record)
