"""Identification: parameters are recovered, errors are honest, unknowns are found by name, mistakes are named."""

import numpy as np
import pytest

import phalanx
from phalanx.control.unknowns import Place

XML = """<mujoco><option timestep="0.005"/><worldbody><body name="bob"><joint name="hinge" axis="0 1 0" damping=".1"/>
  <geom name="ball" size=".05" pos="0 0 -.5" mass="1"/></body></worldbody>
  <actuator><motor name="motor" joint="hinge" gear="2"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><jointvel name="speed" joint="hinge"/></sensor></mujoco>"""
MODEL = phalanx.Model.from_xml_string(XML)


def measure(noise: float, seed: int = 0, steps: int = 200) -> phalanx.Recording:
    rng = np.random.default_rng(seed)
    ctrl = np.sin(0.05 * np.arange(steps))[:, None]
    readings = phalanx.rollout(MODEL, {"qpos": [1.0]}, ctrl[None], outputs="sensordata").sensordata[0]
    return phalanx.Recording(np.ones(1), np.zeros(1), ctrl, readings + noise * rng.standard_normal(readings.shape))


UNKNOWNS = [
    phalanx.Unknown(("body_mass", "body_inertia"), "bob"),
    phalanx.Unknown("dof_damping", "hinge"),
]
GUESS = MODEL.replace(
    body_mass=0.7 * MODEL.body_mass, body_inertia=0.7 * MODEL.body_inertia, dof_damping=0.02
)  # fmt: skip
TRUTH = np.array([1 / 0.7, 0.1])


def test_without_noise_parameters_are_found_exactly():
    found = phalanx.identify(GUESS, UNKNOWNS, measure(0.0), tolerance=1e-14)
    np.testing.assert_allclose(found.values, TRUTH, rtol=1e-8)
    np.testing.assert_allclose(found.model.body_mass, MODEL.body_mass, rtol=1e-8)
    assert found.converged and found.residual < 1e-8
    assert "dof_damping of hinge" in repr(found)


def test_with_noise_the_errors_tell_how_far_off_the_values_are():
    off = []
    for seed in range(12):
        found = phalanx.identify(GUESS, UNKNOWNS, measure(1e-2, seed), scale=1e-2)
        off.append((found.values - TRUTH) / found.errors)
        assert found.residual == pytest.approx(1.0, abs=0.15)
    # multiples of the standard deviation: their mean square is that of chi squared
    assert 0.3 < np.mean(np.square(off)) < 2.5 and np.abs(off).max() < 5


def test_what_was_not_measured_does_not_count():
    recording = measure(0.0)
    recording.sensordata[50:, 1] = np.nan
    found = phalanx.identify(GUESS, UNKNOWNS, recording, tolerance=1e-14)
    np.testing.assert_allclose(found.values, TRUTH, rtol=1e-8)


def test_what_no_sensor_feels_is_named():
    with pytest.raises(phalanx.FieldError, match=r"depends on geom_friction of ball \[0\]"):
        phalanx.identify(MODEL, [phalanx.Unknown("geom_friction", "ball", column=0)], measure(1e-3))


def test_a_common_factor_that_motion_does_not_show_has_a_huge_error():
    """Mass, damping and gear times the same number move alike."""
    gear = phalanx.Unknown("actuator_gear", "motor", column=0)
    found = phalanx.identify(GUESS, [*UNKNOWNS, gear], measure(1e-2), scale=1e-2)
    assert (found.errors > 10 * found.values).all()


def test_bounds_hold():
    tight = phalanx.Unknown("dof_damping", "hinge", bounds=(0.0, 0.05))
    found = phalanx.identify(MODEL, [tight], measure(0.0))
    assert found.values[0] == pytest.approx(0.05, rel=1e-3) and found.values[0] <= 0.05


def test_options_are_found_too():
    gravity = phalanx.Unknown("opt.gravity", column=2, bounds=(-30.0, 0.0))
    found = phalanx.identify(MODEL.replace(opt={"gravity": [0, 0, -5.0]}), [gravity], measure(0.0), tolerance=1e-14)
    assert found.values[0] == pytest.approx(-9.81, rel=1e-8)
    assert found.model.opt.gravity[2] == found.values[0]


def test_a_place_is_that_of_the_named_object():
    place = Place.of(MODEL, phalanx.Unknown("actuator_gear", "motor", column=0))
    assert place.value == 2.0
    array = np.stack([MODEL.actuator_gear, MODEL.actuator_gear])
    place.write("actuator_gear", array, np.array([5.0, 6.0]))
    np.testing.assert_array_equal(array[:, 0, 0], [5.0, 6.0])
    np.testing.assert_array_equal(array[:, 0, 1:], 0.0)


@pytest.mark.parametrize(
    ("unknown", "message"),
    [
        (phalanx.Unknown("body_mas", "bob"), "body_mass"),
        (phalanx.Unknown("body_mass", "bib"), "no body is named 'bib'"),
        (phalanx.Unknown("body_mass"), "which one"),
        (phalanx.Unknown("opt.gravity", "bob"), "belongs to no object"),
        (phalanx.Unknown("geom_friction", "ball"), "column="),
        (phalanx.Unknown("geom_friction", "ball", column=7), "no such number"),
        (phalanx.Unknown("body_parentid", "bob"), "no real numbers"),
        (phalanx.Unknown("dof_damping", "hinge", bounds=(1.0, 1.0)), "leave nothing"),
        (phalanx.Unknown((), "bob"), "at least one field"),
    ],
)
def test_unknowns_that_do_not_exist_are_named(unknown, message):
    with pytest.raises(phalanx.PhalanxError, match=message):
        phalanx.identify(MODEL, [unknown], measure(0.0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ctrl": np.zeros((3, 1))}, "ctrl of a recording"),
        ({"sensordata": np.zeros((200, 3))}, "sensordata of a recording"),
        ({"qpos": np.zeros(2)}, "qpos of a recording"),
    ],
)
def test_recordings_that_do_not_fit_are_named(change, message):
    recording = phalanx.Recording(**(vars(measure(0.0)) | change))
    with pytest.raises(phalanx.FieldError, match=message):
        phalanx.identify(MODEL, UNKNOWNS, recording)


def test_noise_of_sensors_is_above_zero():
    with pytest.raises(phalanx.FieldError, match="scale is above zero"):
        phalanx.identify(MODEL, UNKNOWNS, measure(0.0), scale=0.0)


def test_a_fit_can_be_drawn(tmp_path):
    found = phalanx.identify(MODEL, UNKNOWNS[1:], measure(1e-2))
    found.plot(measure(1e-2), tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 5000
