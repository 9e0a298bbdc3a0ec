"""Motors: the elements that they become, their torque-speed curves in simulation, presets."""

from __future__ import annotations

import math
import sys

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.mechanism import Motor, motor_presets, plot_torque_speed
from phalanx.mechanism.motor import MODES
from tests.compiler.compare import differences

LINE = {"stall_torque": 4.0, "no_load_speed": 8.0, "voltage": 12.0}
GAINS = {
    "position": {"kp": 30.0, "kd": 1.0},
    "velocity": {"kd": 5.0},
    "torque": {},
    "pd": {"kp": 30.0, "kd": 1.0},
    "dc": {},
}


def driven(motor: Motor, damping: float = 0.0) -> tuple[phalanx.Spec, phalanx.Model]:
    """A wheel with a motor, without gravity."""
    spec = phalanx.Spec()
    spec.option.gravity = 0, 0, 0
    wheel = spec.worldbody.add_body(name="wheel")
    wheel.add_geom(type="cylinder", size=(0.1, 0.02), mass=2.0)
    joint = wheel.add_joint(name="axle", axis=(0, 0, 1), damping=damping)
    motor.attach(spec, joint)
    return spec, spec.compile()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("line", [True, False])
def test_every_mode_is_plain_mjcf(mode, line):
    if mode == "dc" and not line:
        return
    motor = Motor(
        mode, max_torque=3.0, gear=10.0, rotor_inertia=1e-5, friction=0.1, damping=0.02, limits=(-1, 2), delay=0.01,
        **GAINS[mode], **(LINE if line else {}),
    )  # fmt: skip
    spec, model = driven(motor)
    assert not differences(model, mujoco.MjModel.from_xml_string(spec.to_xml()))
    assert model.dof_armature[0] == pytest.approx(1e-3)
    assert model.dof_frictionloss[0] == 0.1 and model.dof_damping[0] == 0.02
    np.testing.assert_allclose(model.jnt_range[0], [-1, 2], rtol=1e-15)
    assert model.nu == (3 if mode == "pd" else 1)


@pytest.mark.parametrize("limit", [None, 2.5])
def test_the_torque_at_full_voltage_is_that_of_the_curve(limit):
    motor = Motor("dc", max_torque=limit, **LINE)
    _, model = driven(motor)
    data = model.make_data()
    for speed in (0.0, 1.0, 4.0, 7.5):
        data.qvel[0], data.ctrl[0] = speed, 12.0
        data.forward()
        assert data.qfrc_actuator[0] == pytest.approx(float(motor.torque_at(speed)), rel=1e-12)


@pytest.mark.parametrize("mode", ["torque", "velocity", "position"])
def test_a_servo_cannot_beat_its_voltage(mode):
    motor = Motor(mode, **{**GAINS[mode], **LINE})
    _, model = driven(motor)
    data = model.make_data()
    data.qvel[0], data.ctrl[0] = 6.0, 1000.0
    data.forward()
    assert data.qfrc_actuator[0] == pytest.approx(float(motor.torque_at(6.0)), rel=1e-12)


def test_a_motor_without_load_reaches_its_no_load_speed():
    _, model = driven(Motor("dc", **LINE))
    data = model.make_data()
    data.ctrl[0] = 6.0
    data.step(5000)
    assert data.qvel[0] == pytest.approx(4.0, rel=1e-6)


def test_servos_go_where_they_are_told():
    for motor, control in (
        (Motor("position", kp=30.0, kd=2.0, limits=(-3, 3)), [1.2]),
        (Motor("pd", kp=30.0, kd=2.0), [1.2, 0.0, 0.0]),
        (Motor("position", kp=30.0, kd=2.0, **LINE), [1.2]),
        (Motor("pd", kp=30.0, kd=2.0, **LINE), [1.2, 0.0, 0.0]),
    ):
        _, model = driven(motor)
        data = model.make_data()
        data.ctrl[:] = control
        data.step(4000)
        assert data.qpos[0] == pytest.approx(1.2, abs=1e-6)
    _, model = driven(Motor("velocity", kd=5.0, max_torque=1.0))
    data = model.make_data()
    data.ctrl[0] = 3.0
    data.step(3000)
    assert data.qvel[0] == pytest.approx(3.0, rel=1e-6)


def test_a_delayed_command_acts_later():
    _, model = driven(Motor("torque", max_torque=5.0, delay=0.02))
    data = model.make_data()
    data.ctrl[0] = 1.0
    moves = []
    for _ in range(20):
        data.step()
        moves.append(data.qvel[0] != 0.0)
    assert moves.index(True) == 10


def test_constants_of_the_rotor_give_the_same_line():
    motor = Motor.from_rotor(torque_constant=0.05, resistance=0.5, voltage=24.0, gear=10.0, mode="dc")
    assert motor.stall_torque == pytest.approx(10 * 0.05 * 24 / 0.5)
    assert motor.no_load_speed == pytest.approx(24 / 0.5)


def test_presets_are_those_of_their_makers():
    assert set(motor_presets()) == {
        "dynamixel_ax12a", "dynamixel_xl320", "dynamixel_xh430_w350", "dynamixel_xm540_w270", "mini_cheetah_hip",
        "mini_cheetah_knee",
    }  # fmt: skip
    hip = Motor.preset("mini_cheetah_hip", mode="torque")
    assert hip.no_load_speed == pytest.approx(40.0)
    assert float(hip.torque_at(0.0)) == 18.0
    servo = Motor.preset("dynamixel_xm540_w270", mode="dc")
    assert (servo.stall_torque, servo.no_load_speed) == (10.6, pytest.approx(math.pi))
    assert "emanual.robotis.com" in motor_presets()["dynamixel_xl320"]


def test_the_curve_is_drawn(tmp_path):
    figure = plot_torque_speed(Motor("dc", **LINE), tmp_path / "curve.png", title="a motor")
    assert (tmp_path / "curve.png").stat().st_size > 1000 and len(figure.axes) == 2
    with pytest.raises(phalanx.FieldError, match="no torque-speed curve"):
        plot_torque_speed(Motor("torque", max_torque=1.0))


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(phalanx.MissingPackageError, match=r"phalanx\[demo\]"):
        plot_torque_speed(Motor("dc", **LINE))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mode": "postion"}, "did you mean 'position'"),
        ({"mode": "position"}, "needs kp"),
        ({"mode": "torque", "kp": 1.0}, "kp has no effect"),
        ({"mode": "dc"}, 'mode "dc" needs'),
        ({"stall_torque": 1.0}, "stall_torque alone"),
        ({"gear": 0.0}, "gear is above zero"),
        ({"friction": -1.0}, "friction is at least 0"),
        ({"limits": (1, 0)}, "limits are a lower and a higher"),
    ],
)
def test_what_makes_no_motor_is_named(arguments, words):
    with pytest.raises(phalanx.FieldError, match=words):
        Motor(**arguments)


def test_what_has_no_motor_is_named():
    spec = phalanx.Spec()
    body = spec.worldbody.add_body(name="b")
    ball, unnamed = body.add_joint(name="ball", type="ball"), body.add_joint()
    with pytest.raises(phalanx.FieldError, match="drives a"):
        Motor(max_torque=1.0).attach(spec, ball)
    with pytest.raises(phalanx.FieldError, match="needs a name"):
        Motor(max_torque=1.0).attach(spec, unnamed)
    with pytest.raises(phalanx.FieldError, match="there is no motor"):
        Motor.preset("dynamixel_ax12")
