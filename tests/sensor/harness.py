"""States in motion for both engines, and errors of sensors by type."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.tables.enums import SensorType, Stage
from tests.conformance.models import make_data
from tests.conformance.states import load as load_state
from tests.conformance.states import relative_error

#: Tolerance of each stage: what follows from the state, and what comes through the solver.
TOLERANCE = {Stage.POS: 1e-12, Stage.VEL: 1e-12, Stage.ACC: 1e-9}
BODY_FORCES = ("cacc", "cfrc_ext", "cfrc_int")


def tightened(model: Any) -> Any:
    """Both engines end at the minimum."""
    model.opt.tolerance, model.opt.ls_tolerance = 0.0, 1e-10
    model.opt.iterations, model.opt.ls_iterations = 200, 100
    return model


def moving_state(model: Any, seed: int, spread: float = 0.1) -> Any:
    """A MjData with velocities, controls, activations and applied forces; seed 0 is in the reference pose."""
    data, rng = mujoco.MjData(model), np.random.default_rng(seed)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), spread if seed else 0.0)
    data.time = rng.uniform(0, 5)
    for name in ("qvel", "ctrl", "act", "qfrc_applied"):
        getattr(data, name)[:] = rng.normal(size=getattr(data, name).shape)
    data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6))
    data.mocap_pos[:] += 0.2 * rng.normal(size=data.mocap_pos.shape)
    return data


def forward_both(model: Any, seed: int) -> tuple[Any, phalanx.Data]:
    """Both engines after forward and the pass after constraints."""
    theirs, ours = moving_state(model, seed), make_data(phalanx.Model.from_mujoco(model))
    load_state(ours, theirs)
    mujoco.mj_forward(model, theirs)
    mujoco.mj_rnePostConstraint(model, theirs)
    ours.forward().rne_post_constraint()
    return theirs, ours


def readings(model: Any, data: Any) -> dict[int, np.ndarray]:
    """The numbers of all sensors of a type, by type."""
    owner = np.repeat(np.arange(model.nsensor), model.sensor_dim)
    kinds = np.asarray(model.sensor_type)[owner]
    return {int(kind): np.asarray(data.sensordata)[kinds == kind] for kind in np.unique(kinds)}


def stage_of(model: Any, kind: int) -> Stage:
    """The latest stage of the sensors of a type."""
    return Stage(int(np.max(np.asarray(model.sensor_needstage)[np.asarray(model.sensor_type) == kind])))


def sensor_errors(model: Any, theirs: Any, ours: Any) -> dict[str, float]:
    """Relative error of the sensors of each type."""
    expected, actual = readings(model, theirs), readings(model, ours)
    return {SensorType(kind).name: relative_error(actual[kind], expected[kind]) for kind in expected}


def assert_sensors_agree(model: Any, theirs: Any, ours: Any, where: str = "") -> dict[str, float]:
    found = sensor_errors(model, theirs, ours)
    for name, error in found.items():
        assert error <= TOLERANCE[stage_of(model, SensorType[name])], f"{name} differs by {error:.1e} {where}"
    return found
