"""Stops of joints: depth and bounce as their settings say."""

from __future__ import annotations

import mujoco
import pytest

import phalanx
from phalanx.mechanism import ContactSettings, JointStop, joint_inertia
from tests.compiler.compare import differences


def wheel(stop: JointStop | None, timestep: float = 1e-3) -> phalanx.Spec:
    """A wheel without gravity."""
    spec = phalanx.Spec()
    spec.option.gravity, spec.option.timestep = (0, 0, 0), timestep
    body = spec.worldbody.add_body(name="wheel")
    body.add_geom(type="cylinder", size=(0.1, 0.02), mass=4.0)
    body.add_joint(name="axle", axis=(0, 0, 1))
    if stop is not None:
        stop.attach(spec, "axle")
    return spec


def test_a_torque_presses_the_joint_into_its_stop():
    inertia = joint_inertia(wheel(None).compile(), "axle")
    assert inertia == pytest.approx(0.5 * 4.0 * 0.1**2)
    settings = ContactSettings.from_restitution(0.2, mass=inertia, stiffness=500.0)
    spec = wheel(JointStop(-1.0, 0.5, settings))
    data = spec.compile().make_data()
    data.qpos[0], data.qfrc_applied[0] = 0.5, 3.0
    data.step(5000)
    assert data.qpos[0] - 0.5 == pytest.approx(settings.penetration(3.0), rel=1e-9)
    assert not differences(spec.compile(), mujoco.MjModel.from_xml_string(spec.to_xml()))


def test_a_joint_bounces_off_its_stop():
    settings = ContactSettings.from_restitution(0.4, mass=0.02, stiffness=500.0)
    steps = 2000
    data = wheel(JointStop(-1.0, 0.5, settings), settings.duration / steps).compile().make_data()
    data.qpos[0], data.qvel[0] = 0.5 - 1e-9, 1.0
    data.step(steps + 100)
    # semi-implicit Euler is of first order
    assert -data.qvel[0] == pytest.approx(0.4, abs=20.0 / steps)


def test_a_plain_stop_is_a_range():
    model = wheel(JointStop(-0.5, 1.0, margin=0.1)).compile()
    assert model.jnt_range[0].tolist() == pytest.approx([-0.5, 1.0], rel=1e-15)
    assert model.jnt_limited[0] and model.jnt_margin[0] == 0.1


def test_what_makes_no_stop_is_named():
    with pytest.raises(phalanx.FieldError, match="a lower and a higher end"):
        JointStop(1.0, 0.0)
    spec = phalanx.Spec()
    body = spec.worldbody.add_body(name="b")
    body.add_geom(size=0.1)
    ball = body.add_joint(name="ball", type="ball")
    with pytest.raises(phalanx.FieldError, match="has stops at both ends"):
        JointStop(0.0, 1.0).attach(spec, ball)
    with pytest.raises(phalanx.FieldError, match="several dofs"):
        joint_inertia(spec.compile(), "ball")
