"""Random states for both engines, and the comparison of what they compute from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.batch.binding import KEPT
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.tables.field import Kind

#: Smaller numbers are what rounding leaves of a zero.
DUST = 1e-18
QUATERNION = {int(mujoco.mjtJoint.mjJNT_FREE): 3, int(mujoco.mjtJoint.mjJNT_BALL): 0}
#: The complete state: what a Data must hold for a step to be determined.
STATE = tuple(
    name for name, row in DATA_SCHEMA.fields.items() if row.state and row.kind is Kind.REAL and row.mujoco != "-"
)


def random_states(model: Any, count: int, seed: int = 0) -> Iterator[Any]:
    """A MjData in one random state after the other, by seed and number; forward has not been called.

    Positions lie on the manifold, reached from qpos0 by a random velocity. Every fourth state has quaternions that are
    not unit, every fifth joint angles of many turns; the first is qpos0 at rest, the second has quaternions of zero
    length. Controls are within and beyond their ranges, forces act on dofs and on bodies, mocap bodies are anywhere.
    """
    data = mujoco.MjData(model)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        mujoco.mj_resetData(model, data)
        if number:
            _set_position(model, data, rng, turns=40.0 if number % 5 == 4 else 1.0)
            _set_velocity_and_inputs(model, data, rng)
            if number % 4 == 3:
                _stretch_quaternions(model, data, rng)
            if number == 1:
                _stretch_quaternions(model, data, rng, 0.0)
        yield data


def _set_position(model: Any, data: Any, rng: np.random.Generator, turns: float) -> None:
    velocity = rng.normal(size=model.nv)
    scalar = np.isin(model.jnt_type[model.dof_jntid], [mujoco.mjtJoint.mjJNT_HINGE])
    velocity[scalar] *= turns
    mujoco.mj_integratePos(model, data.qpos, velocity, 1.0)
    data.mocap_pos[:] = rng.normal(size=data.mocap_pos.shape)
    data.mocap_quat[:] = rng.normal(size=data.mocap_quat.shape)


def _set_velocity_and_inputs(model: Any, data: Any, rng: np.random.Generator) -> None:
    data.time = rng.uniform(0, 10)
    data.qvel[:] = rng.normal(size=model.nv) * rng.choice([0.3, 1.0, 5.0])
    data.act[:] = rng.normal(size=model.na)
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    reach = rng.choice([0.5, 1.0])
    data.ctrl[:] = (low + high) / 2 + (high - low) * rng.uniform(-reach, reach, model.nu)
    data.qfrc_applied[:] = rng.normal(size=model.nv)
    data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6))
    data.qacc_warmstart[:] = rng.normal(size=model.nv)
    for joint in np.flatnonzero(model.jnt_plasticadr >= 0):
        if int(model.jnt_type[joint]) not in QUATERNION:
            data.plastic[model.jnt_plasticadr[joint]] += rng.normal() * 0.1


def _stretch_quaternions(model: Any, data: Any, rng: np.random.Generator, factor: float | None = None) -> None:
    for joint, kind in enumerate(model.jnt_type):
        if int(kind) in QUATERNION:
            first = model.jnt_qposadr[joint] + QUATERNION[int(kind)]
            data.qpos[first : first + 4] *= rng.uniform(0.1, 10) if factor is None else factor


def load(data: phalanx.Data, mjdata: Any) -> None:
    """Copy the whole state and all inputs of a MjData."""
    for name, row in DATA_SCHEMA.fields.items():
        if row.state and row.mujoco != "-":
            array = data._store.arrays[name]
            array[...] = np.asarray(read(mjdata, name)).reshape(array.shape)


def kept_by_batches(mjdata: Any) -> dict[str, np.ndarray]:
    """What a batch keeps of a world, by name; rows of sleep, which MuJoCo has not, are empty."""
    empty = {name: np.zeros((0, *DATA_SCHEMA.fields[name].shape[1:])) for name in KEPT}
    return {name: np.copy(getattr(mjdata, name)) if hasattr(mjdata, name) else empty[name] for name in KEPT}


def read(mjdata: Any, name: str) -> Any:
    """MuJoCo's value of a row."""
    return attrgetter(DATA_SCHEMA.fields[name].mujoco or name)(mjdata)


def relative_error(actual: Any, expected: Any, scale: float | None = None) -> float:
    """Largest difference over the largest magnitude expected; absolute when nothing is expected but zeros (or dust).

    Numbers that are not finite must be the same on both sides, else the error is infinite.
    """
    actual, expected = np.asarray(actual, float), np.asarray(expected, float)
    if actual.shape != expected.shape:
        return np.inf
    finite = np.isfinite(expected)
    if not np.array_equal(actual[~finite], expected[~finite], equal_nan=True) or not np.isfinite(actual[finite]).all():
        return np.inf
    if scale is None:
        scale = np.abs(expected[finite]).max(initial=0.0)
    return float(np.abs(actual[finite] - expected[finite]).max(initial=0.0) / (scale if scale > DUST else 1.0))


def compare(data: phalanx.Data, mjdata: Any, fields: Iterable[str], tolerance: float | None = None) -> dict[str, float]:
    """Relative error of each field; with a tolerance, only of those beyond it."""
    errors = {}
    for name in fields:
        expected = read(mjdata, name)
        errors[name] = relative_error(getattr(data, name), np.reshape(expected, np.shape(getattr(data, name))))
    return errors if tolerance is None else beyond(errors, tolerance)


INTEGRATION = int(mujoco.mjtState.mjSTATE_INTEGRATION)
#: How many times MuJoCo repeats a computation from a state changed in its last bits, and what is allowed beyond that.
REPEATS, ALLOWANCE = 40, 4.0


def save(model: Any, data: Any) -> np.ndarray:
    """The whole state of a MjData as one vector."""
    state = np.zeros(mujoco.mj_stateSize(model, INTEGRATION))
    mujoco.mj_getState(model, data, state, INTEGRATION)
    return state


def resolution(
    model: Any,
    state: np.ndarray,
    run: Callable[[Any, Any], None],
    fields: Iterable[str],
    value: Callable[[Any, str], Any] | None = None,
) -> dict[str, float]:
    """What rounding alone does to each field in this state, relative to its largest magnitude.

    `value` reads a field of a MjData.

    MuJoCo computes the fields again from states whose positions, velocities and activations differ by one unit in the
    last place, at random. A problem that cancels or is ill-conditioned answers with changes far above 1e-16, because
    every rounding on the way falls differently; no engine can agree with MuJoCo better than MuJoCo agrees with itself.
    """
    rng, value = np.random.default_rng(0), value or read
    exact, disturbed = mujoco.MjData(model), mujoco.MjData(model)
    mujoco.mj_setState(model, exact, state, INTEGRATION)
    run(model, exact)
    spread: dict[str, float] = {}
    for _ in range(REPEATS):
        mujoco.mj_setState(model, disturbed, state, INTEGRATION)
        for vector in (disturbed.qpos, disturbed.qvel, disturbed.act):
            vector *= 1.0 + 2.0**-52 * rng.integers(-1, 2, len(vector))
        run(model, disturbed)
        merge_worst(spread, {name: relative_error(value(disturbed, name), value(exact, name)) for name in fields})
    return {name: ALLOWANCE * value for name, value in spread.items()}


def beyond(errors: Mapping[str, float], tolerance: float) -> dict[str, float]:
    """The errors that are larger than the tolerance, or not a number."""
    return {name: error for name, error in errors.items() if not error <= tolerance}


def merge_worst(total: dict[str, float], errors: Mapping[str, float]) -> None:
    """Keep the largest error of each name."""
    for name, error in errors.items():
        total[name] = max(total.get(name, 0.0), error)


@dataclass
class Worst:
    """Largest errors over many states, and those beyond the tolerance.

    The tolerance is fixed, unless rounding alone does more in the state (`resolution`, asked for only when needed).
    """

    tolerance: float
    errors: dict[str, float] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    #: Was some error beyond the fixed tolerance, but within what rounding does?
    is_rounding: bool = False

    def add(
        self, errors: Mapping[str, float], where: str, limits: Callable[[list[str]], Mapping[str, float]] | None = None
    ) -> None:
        merge_worst(self.errors, errors)
        large = beyond(errors, self.tolerance)
        if large and limits is not None:
            bounds = limits(list(large))
            rounded = {name for name, error in large.items() if error <= bounds[name]}
            self.is_rounding |= bool(rounded)
            large = {name: error for name, error in large.items() if name not in rounded}
        for name, error in large.items():
            self.failures.setdefault(name, f"{error:.1e} in {where}")
