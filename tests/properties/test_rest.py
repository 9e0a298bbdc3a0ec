"""Things at rest stay at rest: free-running contact over a minute, not drifting more than MuJoCo does."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import compiled, make_data
from tests.properties.scenes import BOXES, EDGE, grasp, stack

MINUTE = 60.0
#: Drift that double precision cannot tell from MuJoCo's, over a minute.
ROUNDING = 1e-6


def pair(xml: str) -> tuple[mujoco.MjModel, mujoco.MjData, phalanx.Data]:
    model = mujoco.MjModel.from_xml_string(xml)
    return model, mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))


def test_a_stack_of_boxes_stands_for_a_minute(record: Callable[..., None]) -> None:
    model, theirs, data = pair(stack())
    start = data.qpos.reshape(BOXES, 7)[:, :3].copy()
    steps = round(MINUTE / model.opt.timestep)
    data.step(steps)
    mujoco.mj_step(model, theirs, steps)
    positions = data.qpos.reshape(BOXES, 7)[:, :3]
    drift = np.abs(positions - start)[:, :2].max()
    their_drift = np.abs(theirs.qpos.reshape(BOXES, 7)[:, :3] - start)[:, :2].max()
    record("stack of ten boxes", "a minute", {"drift [m]": drift})
    assert drift <= their_drift + ROUNDING
    assert np.abs(data.qvel).max() < 1e-3
    # each contact yields a little under the weight above it
    sunk = start[:, 2] - positions[:, 2]
    assert (sunk > 0).all() and sunk.max() < EDGE / 10
    np.testing.assert_allclose(data.net_force("floor", "box0").force, [0, 0, -9.81 * BOXES], atol=1e-3)


@pytest.mark.parametrize("noslip", [0, 5])
def test_a_grasp_holds_for_a_minute(noslip: int, record: Callable[..., None]) -> None:
    """Friction of the soft contact creeps; with noslip it does not. How the cube came to rest decides how much."""
    model, theirs, data = pair(grasp().format(noslip=noslip))
    data.ctrl = theirs.ctrl[:] = 2.0
    mujoco.mj_step(model, theirs, round(2.0 / model.opt.timestep))
    data.qpos, data.qvel, data.qacc_warmstart = theirs.qpos, theirs.qvel, theirs.qacc_warmstart
    height, steps = theirs.qpos[4], round(MINUTE / model.opt.timestep)
    data.step(steps)
    mujoco.mj_step(model, theirs, steps)
    creep, their_creep = height - data.qpos[4], height - theirs.qpos[4]
    record(f"grasp, {noslip} noslip iterations", "a minute", {"creep [m]": abs(creep)})
    assert abs(creep - their_creep) <= 0.01 * abs(their_creep) + ROUNDING
    assert creep < (1e-4 if noslip else 0.05)
    np.testing.assert_allclose(data.net_force(data.geom("cube")).force, [0, 0, 9.81 * 0.1], atol=1e-3)


def test_a_humanoid_falls_and_rests(record: Callable[..., None]) -> None:
    model = compiled("suite/humanoid")
    theirs, data = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    theirs.qpos[2] = data.qpos[2] = 1.5
    steps = round(10.0 / model.opt.timestep)
    data.step(steps)
    mujoco.mj_step(model, theirs, steps)
    record("humanoid that fell", "ten seconds", {"speed": np.abs(data.qvel).max()})
    assert data.ncon >= 3
    assert np.abs(data.qvel).max() < max(0.05, 2.0 * np.abs(theirs.qvel).max())
    assert data.xpos[1:, 2].min() > 0 and data.xpos[1:, 2].max() < 0.6
    weight = model.body_subtreemass[0] * 9.81
    np.testing.assert_allclose(data.net_force(data.geom("floor")).force[2], -weight, rtol=0.05)
