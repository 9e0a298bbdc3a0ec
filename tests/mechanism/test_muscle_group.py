"""Antagonists: drive moves, co-contraction stiffens, for MuJoCo's muscles and for Hill muscles."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.mechanism import MuscleGroup, muscle_pair
from tests.compiler.compare import differences

HILL = phalanx.HillMuscle(500.0, 0.1, 0.1)


def elbow(**settings) -> tuple[phalanx.Spec, MuscleGroup]:
    """A forearm that swings in a plane, without gravity."""
    spec = phalanx.Spec()
    spec.option.gravity = 0, 0, 0
    arm = spec.worldbody.add_body(name="forearm")
    arm.add_geom(type="capsule", size=0.03, fromto=(0, 0, 0, 0.25, 0, 0))
    arm.add_joint(name="elbow", axis=(0, 1, 0), range=(-20, 140), damping=0.3)
    return spec, muscle_pair(spec, "elbow", arm=0.03, **settings)


@pytest.mark.parametrize("settings", [{"force": 400.0}, {"muscle": HILL}])
def test_the_flexor_moves_the_joint_forward_and_the_extensor_back(settings):
    spec, group = elbow(**settings)
    model = spec.compile()
    middle = np.radians(60.0)
    for drive, sign in ((0.5, 1.0), (-0.5, -1.0)):
        data = model.make_data()
        data.qpos[0] = middle
        group.apply(data, drive)
        data.step(100)
        assert sign * (data.qpos[0] - middle) > 0.01


@pytest.mark.parametrize("settings", [{"force": 400.0}, {"muscle": HILL}])
def test_cocontraction_stiffens_without_moving(settings):
    spec, group = elbow(**settings)
    model = spec.compile()
    moves = []
    for cocontraction in (0.1, 0.9):
        data = model.make_data()
        data.qpos[0] = np.radians(60.0)
        group.apply(data, 0.0, cocontraction)
        data.step(1500)
        rest = data.qpos[0]
        assert rest == pytest.approx(np.radians(60.0), abs=1e-3)
        data.qfrc_applied[0] = 1.0
        data.step(1500)
        moves.append(data.qpos[0] - rest)
    assert moves[1] < 0.5 * moves[0]


def test_the_pair_is_plain_mjcf():
    spec, _ = elbow(force=400.0, timeconst=(0.02, 0.05))
    assert not differences(spec.compile(), mujoco.MjModel.from_xml_string(spec.to_xml()))


def test_controls_of_a_group():
    group = MuscleGroup.join([MuscleGroup(("a",), ("b",)), MuscleGroup(("c",), ("d",))])
    controls = group.controls([-1.0, 0.0, 0.5], 0.2)
    np.testing.assert_allclose(controls["a"], [0.2, 0.2, 0.6])
    np.testing.assert_allclose(controls["d"], [1.0, 0.2, 0.2])
    assert set(controls) == {"a", "b", "c", "d"}


def test_what_makes_no_pair_is_named():
    for settings, words in (
        ({}, "give the force"),
        ({"force": 1.0, "muscle": HILL}, "give the force"),
        ({"force": -1.0}, "force is above zero"),
    ):
        with pytest.raises(phalanx.FieldError, match=words):
            elbow(**settings)
    with pytest.raises(phalanx.FieldError, match="between -1 and 1"):
        MuscleGroup(("a",), ("b",)).controls(2.0)
    spec = phalanx.Spec()
    joint = spec.worldbody.add_body(name="b").add_joint(name="j")
    with pytest.raises(phalanx.FieldError, match="has no range"):
        muscle_pair(spec, joint, arm=0.1, force=1.0)
