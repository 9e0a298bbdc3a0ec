"""Disable and enable flags of the smooth stages, and states that make no sense, against MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.enums import DisableBit, EnableBit, WarningType
from tests.conformance.models import load, make_data
from tests.conformance.states import Worst, compare, random_states
from tests.conformance.states import load as load_state
from tests.conformance.test_forward import GROUPS, TOLERANCE
from tests.conformance.test_step import GAPS as STEP_GAPS
from tests.conformance.test_step import INTEGRATORS, STATE

STATES = 8
FIELDS = tuple(name for group, fields in GROUPS.items() if group not in ("state", "subtree_vel") for name in fields)

#: Option -> value, for each case.
FLAGS: dict[str, dict[str, int]] = {
    "no gravity": {"disableflags": DisableBit.GRAVITY},
    "no springs": {"disableflags": DisableBit.SPRING},
    "no dampers": {"disableflags": DisableBit.DAMPER},
    "no passive forces": {"disableflags": DisableBit.SPRING | DisableBit.DAMPER},
    "no actuation": {"disableflags": DisableBit.ACTUATION},
    "no clamping of controls": {"disableflags": DisableBit.CLAMPCTRL},
    "no implicit damping": {"disableflags": DisableBit.EULERDAMP},
    "nothing": {"disableflags": DisableBit.GRAVITY | DisableBit.SPRING | DisableBit.DAMPER | DisableBit.ACTUATION},
    "no energy": {"enableflags": 0},
    "groups 1 and 3 off": {"disableactuator": 0b1010},
    "all groups off": {"disableactuator": 0x7FFFFFFF},
}
MODELS = (
    "own/everything", "own/actuator_limits", "own/actuators_with_state", "own/gravcomp", "own/springs", "own/armature",
    "own/fluid_ellipsoid",
)  # fmt: skip


def with_flags(name: str, flags: dict[str, int], integrator: str = "Euler") -> tuple[Any, phalanx.Model]:
    """Both engines' model with flags changed."""
    model = copy(load(name).mujoco)
    model.opt.integrator = INTEGRATORS[integrator]
    for option, value in flags.items():
        if option == "disableflags":
            value |= model.opt.disableflags
        setattr(model.opt, option, int(value))
    return model, phalanx.Model.from_mujoco(model)


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("name", MODELS)
def test_flags_act_as_in_mujoco(name: str, flag: str, record: Callable[..., None]) -> None:
    """After forward, and after a step of each integrator."""
    worst = Worst(TOLERANCE)
    for integrator in INTEGRATORS:
        model, ours = with_flags(name, FLAGS[flag], integrator)
        data = make_data(ours)
        for number, mjdata in enumerate(random_states(model, STATES if integrator == "Euler" else 2, seed=3)):
            load_state(data, mjdata)
            mujoco.mj_forward(model, mjdata)
            data.forward()
            worst.add(compare(data, mjdata, FIELDS), f"state {number}")
            mujoco.mj_step(model, mjdata)
            data.step()
            if (name, integrator) not in STEP_GAPS:
                worst.add(compare(data, mjdata, STATE), f"step {number}, {integrator}")
    record(f"{name}, {flag}", "flags", worst.errors)
    assert not worst.failures, worst.failures


@pytest.mark.parametrize("flag", list(FLAGS)[:-1])
def test_flags_are_not_all_idle(flag: str) -> None:
    """Each flag changes something on some model, so that the comparison above means something."""
    for name in MODELS:
        model, plain = with_flags(name, FLAGS[flag])[0], load(name).mujoco
        states = (random_states(each, STATES, seed=3) for each in (model, plain))
        for first, second in zip(*states, strict=True):
            mujoco.mj_step(model, first)
            mujoco.mj_step(plain, second)
            if not np.array_equal(first.qvel, second.qvel) or not np.array_equal(first.energy, second.energy):
                return
    raise AssertionError(f"{flag} has no effect on any model")


# --- states that make no sense

EVERYTHING = "own/everything"
BAD_NUMBERS = {"NaN": np.nan, "infinite": np.inf, "minus infinite": -np.inf, "huge": 1.1e10, "minus huge": -1.1e10}


def good_state(seed: int = 5) -> tuple[Any, Any, phalanx.Data]:
    """A model with dampers off and a Data in motion on both sides."""
    pair = load(EVERYTHING)
    *_, mjdata = random_states(pair.mujoco, 3, seed)
    data = pair.data()
    load_state(data, mjdata)
    return pair.mujoco, mjdata, data


def state_bytes(data: phalanx.Data) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in data.snapshot().items() if data.row(name).state}


@pytest.mark.parametrize("value", BAD_NUMBERS.values(), ids=BAD_NUMBERS)
@pytest.mark.parametrize(
    ("quantity", "index", "joint", "body"),
    [("qpos", 2, "root", "torso"), ("qpos", 11, "elbow", "elbow"), ("qvel", 7, "shoulder", "shoulder"),
     ("qvel", 17, "crate", "crate"), ("qpos", 20, "crate", "crate")],
)  # fmt: skip
def test_bad_state_raises_and_is_kept(quantity: str, index: int, joint: str, body: str, value: float) -> None:
    _, _, data = good_state()
    getattr(data, quantity)[index] = value
    before = state_bytes(data)
    with pytest.raises(phalanx.WorldError) as caught:
        data.step(3)
    error = caught.value
    assert (error.quantity, error.index, error.world) == (quantity, index, None)
    assert error.time == data.time
    np.testing.assert_equal(error.value, value)
    for words in (f"{quantity}[{index}]", f"joint '{joint}'", f"body '{body}'", f"time {data.time:g}"):
        assert words in str(error)
    assert state_bytes(data) == before


def test_bad_acceleration_raises_and_state_is_kept() -> None:
    _, _, data = good_state()
    data.qfrc_applied[11] = 1e15
    before = state_bytes(data)
    with pytest.raises(phalanx.WorldError, match=r"qacc\[\d+\] of joint '.+' .* at time"):
        data.step()
    assert state_bytes(data) == before


def test_the_time_of_an_error_is_that_of_the_last_good_state() -> None:
    """A force that grows the speed beyond all bounds: the good steps are kept, the bad one is not taken."""
    pair = load("own/slide")
    data = pair.data()
    data.qfrc_applied[1] = 1e9 * pair.mujoco.body_mass[2]
    single = data.copy()
    with pytest.raises(phalanx.WorldError) as caught:
        data.step(100_000)
    good = 0
    with pytest.raises(phalanx.WorldError):
        while True:
            single.step()
            good += 1
    assert good > 10
    assert data.qpos.tobytes() == single.qpos.tobytes()
    assert caught.value.time == data.time == single.time == pytest.approx(good * pair.mujoco.opt.timestep)


def test_a_world_goes_on_after_its_state_is_mended() -> None:
    _, _, data = good_state()
    reference = data.copy().step(2)
    data.qpos[3], good = np.nan, data.qpos[3]
    with pytest.raises(phalanx.WorldError):
        data.step()
    data.qpos[3] = good
    data.step(2)
    assert state_bytes(data) == state_bytes(reference)
    assert data.error() is None


@pytest.mark.parametrize("value", BAD_NUMBERS.values(), ids=BAD_NUMBERS)
def test_bad_control_counts_as_no_control(value: float) -> None:
    """As in MuJoCo: all controls are zero for the step, a warning is counted, `ctrl` stays as it is."""
    model, mjdata, data = good_state()
    mjdata.ctrl[2] = value
    load_state(data, mjdata)
    mujoco.mj_step(model, mjdata)
    with pytest.warns(phalanx.BadControlWarning, match=r"ctrl\[2\] of actuator"):
        data.step()
    assert not compare(data, mjdata, (*FIELDS, *STATE, "qvel", "ctrl", "warning_number", "warning_lastinfo"), TOLERANCE)
    assert data.warning_number[WarningType.BADCTRL] == 1


def spoil_qpos(mjdata: Any) -> None:
    mjdata.qpos[4] = np.nan


def spoil_qvel(mjdata: Any) -> None:
    mjdata.qvel[3] = -1e11


def spoil_both(mjdata: Any) -> None:
    spoil_qpos(mjdata)
    spoil_qvel(mjdata)


def spoil_qacc(mjdata: Any) -> None:
    mjdata.qfrc_applied[2] = 1e20


def spoil_control_too(mjdata: Any) -> None:
    spoil_qvel(mjdata)
    mjdata.ctrl[:1] = np.nan


RESETS = (spoil_qpos, spoil_qvel, spoil_both, spoil_qacc, spoil_control_too)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("spoil", RESETS)
@pytest.mark.parametrize(
    "name",
    [
        "own/actuator_limits", "own/mocap", "own/actuators_with_state",
        EVERYTHING,
    ],
)  # fmt: skip
def test_reset_on_error_is_mujocos_autoreset(name: str, spoil: Callable[[Any], None], integrator: str) -> None:
    """The state starts anew, the step goes on from there, and later steps too."""
    if (name, integrator) in STEP_GAPS:
        pytest.skip(STEP_GAPS[name, integrator])
    model, ours = with_flags(name, {}, integrator)
    data = make_data(ours)
    *_, mjdata = random_states(model, 3, seed=5)
    spoil(mjdata)
    load_state(data, mjdata)
    for _ in range(3):
        mujoco.mj_step(model, mjdata)
        data.step(on_error="reset")
        fields = (*STATE, "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "warning_number")
        assert not compare(data, mjdata, fields, TOLERANCE)
    assert mjdata.time == pytest.approx(3 * model.opt.timestep)


def test_autoreset_can_be_compared() -> None:
    """The flag that lets MuJoCo reset is on in all of these models."""
    assert not load(EVERYTHING).mujoco.opt.disableflags & DisableBit.AUTORESET
    assert load(EVERYTHING).mujoco.opt.enableflags & EnableBit.ENERGY


def test_unknown_policy_is_refused() -> None:
    _, _, data = good_state()
    with pytest.raises(phalanx.FieldError, match="on_error"):
        data.step(on_error="ignore")
