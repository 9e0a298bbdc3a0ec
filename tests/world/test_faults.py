"""What stops a world, in words, and what it keeps: a state within MuJoCo's limits, however it is run."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.tables.sizes import MAXVAL

SCENE = """
<mujoco><option timestep="{timestep}" integrator="{integrator}"/>
<worldbody><body name="target" mocap="true"/>
<body name="ball"><freejoint name="free"/><geom size=".1"/></body>
<body name="arm" pos="1 0 0"><joint name="hinge" axis="0 1 0" springdamper="0 0"/><geom size=".1" pos="0 0 .3"/>
<body name="hand" pos="0 0 .6"><joint name="wrist" axis="1 0 0"/><geom size=".05" pos="0 0 .1"/></body></body>
</worldbody>
<actuator><motor name="motor" joint="hinge"/>
<general name="store" joint="wrist" dyntype="integrator" gainprm="0"/></actuator></mujoco>"""
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")
STATE = ("qpos", "qvel", "act", "time", "qacc_warmstart")
#: Starts that leave the limits: in a position, in a velocity, by a force, by the stages of RK4, in an activation.
STARTS = {
    "position": {"qvel": (0, 9.9e9), "qpos": (0, 9.999e9)},
    "velocity": {"qvel": (6, 9e9), "qfrc_applied": (6, 1e9)},
    "force": {"qfrc_applied": (0, 4e10)},
    "spin": {"qvel": (6, 5e6)},
    "activation": {"ctrl": (1, 9e9), "act": (0, 1.79e308)},
}


def scene(integrator: str, timestep: float = 0.01) -> phalanx.Model:
    return phalanx.Model.from_xml_string(SCENE.format(integrator=integrator, timestep=timestep))


def fill(target: object, start: dict[str, tuple[int, float]]) -> None:
    for name, (index, value) in start.items():
        getattr(target, name)[..., index] = value


def assert_good(data: phalanx.Data) -> None:
    for name in ("qpos", "qvel", "qacc_warmstart"):
        assert (np.abs(getattr(data, name)) <= MAXVAL).all(), f"{name} is {getattr(data, name)}"
    assert np.isfinite(data.act).all() and np.isfinite(data.time)


def fail(data: phalanx.Data, steps: int) -> phalanx.WorldError | None:
    """Step until it fails; the state before each step is kept by hand, and must be what the failure leaves."""
    for _ in range(steps):
        before = {name: np.array(getattr(data, name)) for name in STATE}
        try:
            data.step()
        except phalanx.WorldError as error:
            for name, values in before.items():
                np.testing.assert_array_equal(getattr(data, name), values, err_msg=name)
            return error
        assert_good(data)
    return None


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("timestep", [0.01, pytest.param(100.0, marks=pytest.mark.conformance)])
def test_the_last_good_state_is_kept(integrator: str, start: str, timestep: float) -> None:
    """One step at a time, many in a call, lanes, and one by one in a batch: the same state, bit for bit."""
    model = scene(integrator, timestep)
    data, at_once = model.make_data(), model.make_data()
    batches = [phalanx.BatchSim(model, 3, lanes=lanes) for lanes in (1, 8)]
    for target in (data, at_once, *batches):
        fill(target, STARTS[start])
    error = fail(data, 300)
    if error is None:
        return
    with pytest.raises(phalanx.WorldError) as caught:
        at_once.step(300)
    assert str(caught.value) == str(error)
    for batch in batches:
        errors = batch.step_all(300)
        assert str(errors[1]) == f"world 1: {error}"
    for name in STATE:
        expected = np.asarray(getattr(data, name)).tobytes()
        assert np.asarray(getattr(at_once, name)).tobytes() == expected
        for batch in batches:
            assert np.asarray(getattr(batch, name)[1]).tobytes() == expected, name


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_interpreted_keeps_the_same_state(integrator: str) -> None:
    model = scene(integrator)
    data = model.make_data()
    fill(data, STARTS["velocity"])
    error = fail(data, 300)
    assert error is not None
    with interpreted():
        plain = model.make_data()
        fill(plain, STARTS["velocity"])
        with pytest.raises(phalanx.WorldError) as caught:
            plain.step(300)
    assert str(caught.value) == str(error)
    for name in STATE:
        assert np.asarray(getattr(plain, name)).tobytes() == np.asarray(getattr(data, name)).tobytes()


NAMED = {
    "time": ((), r"^time of the world is nan"),
    "act": ((0,), r"^act\[0\] of actuator 'store' is nan"),
    "qacc_warmstart": ((6,), r"^qacc_warmstart\[6\] of joint 'hinge' \(body 'arm'\) is nan"),
    "qfrc_applied": ((7,), r"^qfrc_applied\[7\] of joint 'wrist' \(body 'hand'\) is nan"),
    "xfrc_applied": ((3, 4), r"^xfrc_applied\[3, 4\] of body 'arm' is nan"),
    "mocap_pos": ((0, 1), r"^mocap_pos\[0, 1\] of body 'target' is nan"),
    "mocap_quat": ((0, 3), r"^mocap_quat\[0, 3\] of body 'target' is nan"),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_number_that_is_not_finite_is_named(name: str) -> None:
    place, words = NAMED[name]
    model = scene("Euler")
    data, batch = model.make_data(), phalanx.BatchSim(model, 4)
    if name == "time":
        data.time = np.nan
    else:
        getattr(data, name)[place] = np.nan
    getattr(batch, name)[(2, *place)] = np.nan
    before = data.qpos.tobytes()
    with pytest.raises(phalanx.WorldError, match=words) as caught:
        data.step()
    assert caught.value.quantity == name and data.qpos.tobytes() == before
    errors = batch.step_all()
    assert [error is None for error in errors] == [True, True, False, True]
    assert str(errors[2]) == f"world 2: {caught.value}"
    # and it goes on when it is mended
    data.reset().step()


def test_a_bad_control_is_named_once_for_each_call() -> None:
    model = scene("Euler")
    data = model.make_data()
    data.ctrl[0] = np.inf
    with pytest.warns(phalanx.BadControlWarning, match=r"ctrl\[0\] of actuator 'motor' is inf"):
        data.step()
    data.ctrl[0] = 0
    data.step()  # no warning: warnings are errors here


@pytest.mark.parametrize("told", [1e9, -5.0, np.nan, np.inf])
def test_what_the_user_writes_into_warnings_does_no_harm(told: float) -> None:
    """Counts and places of warnings are rows that can be written, and steps look at them."""
    data = scene("Euler").make_data()
    data.warning_number[:], data.warning_lastinfo[:] = 100, told
    data.qvel[3] = np.nan
    with pytest.raises(phalanx.WorldError, match=r"qvel\[3\]"):
        data.step()
    data.reset()
    data.warning_lastinfo[:] = told
    data.ctrl[0] = np.nan
    with pytest.warns(phalanx.BadControlWarning, match=r"ctrl\[0\]"):
        data.step()


def test_a_past_control_is_blamed_on_the_history() -> None:
    text = SCENE.format(integrator="Euler", timestep=0.01).replace(
        '<motor name="motor" joint="hinge"/>', '<motor name="motor" joint="hinge" delay=".02" nsample="4"/>'
    )
    data = phalanx.Model.from_xml_string(text).make_data()
    data.ctrl[0] = np.nan
    data.step()
    data.ctrl[0] = 0
    with pytest.warns(phalanx.BadControlWarning, match=r"history\[\d+\] of actuator 'motor' is nan"):
        data.step(3)


@pytest.mark.parametrize("on_error", ["rise", None, 1, np.zeros(3), ["raise"]])
def test_a_policy_that_does_not_exist_is_refused(on_error) -> None:
    data = phalanx.Model.from_xml_string("<mujoco/>").make_data()
    with pytest.raises(phalanx.FieldError, match="on_error"):
        data.step(on_error=on_error)
