"""Contacts in physical units: closed forms against simulations."""

import math

import numpy as np
import pytest

import phalanx
from phalanx.mechanism import (
    ContactSettings,
    check_contacts,
    contact_mass,
    pyramid_gain,
    ratio_of_restitution,
    restitution_of_ratio,
)

MASS, GRAVITY = 0.5, 9.81


def ball(settings: ContactSettings, height: float, timestep: float, contact: str = 'condim="1"', option: str = ""):
    """A ball above a floor, with the settings on both geoms."""
    numbers = f'solref="{settings.solref[0]!r} {settings.solref[1]!r}" solimp="{" ".join(map(repr, settings.solimp))}"'
    text = f"""<mujoco><option timestep="{timestep}" {option}/>
      <default><geom {numbers} {contact}/></default>
      <worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <body pos="0 0 {height}"><freejoint/><geom name="ball" size="0.1" mass="{MASS}"/></body>
      </worldbody></mujoco>"""
    return phalanx.Model.from_xml_string(text)


@pytest.mark.parametrize(
    ("contact", "option", "gain"),
    [
        ('condim="1"', "", 1.0),
        ('condim="3" friction="0.5"', 'cone="elliptic"', 1.0),
        ('condim="3" friction="0.5"', "", pyramid_gain(0.5, 3)),
        ('condim="4" friction="0.8"', 'impratio="3"', pyramid_gain(0.8, 4, 3.0)),
    ],
)
def test_a_ball_at_rest_is_as_deep_as_its_weight_presses_it(contact, option, gain):
    settings = ContactSettings(2e4, 300.0, MASS, impedance=0.9, gain=gain)
    model = ball(settings, 0.1, 1e-3, contact, option)
    data = model.make_data()
    data.step(2000)
    depth = 0.1 - data.qpos[2]
    assert depth == pytest.approx(settings.penetration(MASS * GRAVITY), rel=1e-9)
    again = ContactSettings.of_geoms(model, "floor", "ball")
    assert again.stiffness == pytest.approx(2e4, rel=1e-12)
    assert again.damping == pytest.approx(300.0, rel=1e-12)
    assert again.impedance == pytest.approx(0.9, rel=1e-12)


@pytest.mark.parametrize("restitution", [0.1, 0.3, 0.6, 0.9])
def test_a_ball_bounces_with_its_restitution(restitution):
    settings = ContactSettings.from_restitution(restitution, mass=MASS, stiffness=1e5, impedance=0.5)
    steps = 2000
    timestep = settings.duration / steps
    model = ball(settings, 0.1 + 1e-9, timestep, option='gravity="0 0 0"')
    data = model.make_data()
    data.qvel[2] = -1.0
    data.step(steps + 200)
    # semi-implicit Euler is of first order
    assert data.qvel[2] == pytest.approx(restitution, abs=20.0 / steps)


def test_restitution_and_damping_ratio_are_inverse():
    for restitution in (1e-6, 0.05, math.exp(-2.0), 0.5, 0.99, 1.0):
        assert restitution_of_ratio(ratio_of_restitution(restitution)) == pytest.approx(restitution, rel=1e-12)
    ratios = np.linspace(0.0, 4.0, 401)
    values = [restitution_of_ratio(ratio) for ratio in ratios]
    assert (np.diff(values) < 0).all()


def test_solver_numbers_and_physical_ones_are_inverse():
    for gain in (1.0, 6.4, 0.3):
        settings = ContactSettings(3e3, 40.0, 2.0, impedance=0.7, gain=gain)
        again = ContactSettings.from_solver(settings.solref, settings.solimp, mass=2.0, gain=gain)
        for name in ("stiffness", "damping", "mass", "impedance", "gain"):
            assert getattr(again, name) == pytest.approx(getattr(settings, name), rel=1e-12)


def test_time_constant_and_damping_ratio_mean_what_mujoco_says():
    settings = ContactSettings.from_solver((0.02, 0.8), (0.9, 0.9), mass=2.0)
    assert settings.damping_ratio == pytest.approx(0.8, rel=1e-12)
    frequency = math.sqrt(settings.stiffness / settings.apparent_mass)
    assert 1.0 / (frequency * settings.damping_ratio) == pytest.approx(0.02, rel=1e-12)


def test_depth_decides_where_the_impedance_is_taken():
    soft = ContactSettings.from_solver((0.02, 1), (0.1, 0.9, 0.01), mass=1.0, depth=0.0)
    hard = ContactSettings.from_solver((0.02, 1), (0.1, 0.9, 0.01), mass=1.0)
    assert (soft.impedance, hard.impedance) == (0.1, 0.9)
    assert soft.stiffness < hard.stiffness


def test_penetration_and_load_give_the_stiffness():
    settings = ContactSettings.from_restitution(0.5, mass=1.0, penetration=1e-3, load=9.81)
    assert settings.stiffness == pytest.approx(9810.0)


def test_a_contact_beyond_its_time_step_gains_energy_and_is_warned_of():
    settings = ContactSettings(1e5, 100.0, MASS, impedance=0.5)
    limit = settings.largest_timestep
    assert settings.check_timestep(0.9 * limit)
    with pytest.warns(phalanx.ContactStiffnessWarning, match="cannot carry a contact of 1e"):
        assert not settings.check_timestep(1.1 * limit)

    # the same oscillator without one-sidedness, below and above the limit
    k, c = settings.stiffness / settings.apparent_mass, settings.damping / settings.apparent_mass
    for factor, decays in ((0.99, True), (1.01, False)):
        h = factor * limit
        matrix = np.array([[1.0 - h * h * k, h * (1.0 - h * c)], [-h * k, 1.0 - h * c]])
        assert bool(np.abs(np.linalg.eigvals(matrix)).max() < 1.0) is decays


def test_effective_mass_of_two_balls():
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body><freejoint/><geom name="a" size=".1" mass="2"/></body>
      <body pos="1 0 0"><freejoint/><geom name="b" size=".1" mass="3"/></body></worldbody></mujoco>"""
    model = phalanx.Model.from_xml_string(text)
    assert contact_mass(model, "floor", "a") == pytest.approx(2.0)
    assert contact_mass(model, "a", "b") == pytest.approx(1.2)
    with pytest.raises(phalanx.FieldError, match="no mass"):
        contact_mass(model, "floor", "floor")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ContactSettings(0.0, 1.0, 1.0), "stiffness is above zero"),
        (lambda: ContactSettings(1.0, -1.0, 1.0), "damping is at least 0"),
        (lambda: ContactSettings(1.0, 1.0, math.nan), "mass is a number"),
        (lambda: ContactSettings(1.0, 1.0, 1.0, impedance=1.0), "impedance is between"),
        (lambda: ContactSettings.from_restitution(0.0, mass=1.0, stiffness=1.0), "infinite damping"),
        (lambda: ContactSettings.from_restitution(0.5, mass=1.0), "give the stiffness"),
        (lambda: ContactSettings.from_restitution(0.5, mass=1.0, stiffness=1, penetration=1), "not both"),
        (lambda: ContactSettings.from_solver((0.02, -1), (0.9, 0.9), mass=1.0), "two positive numbers"),
        (lambda: ContactSettings.from_solver((0.02, 1), (0.9,), mass=1.0), "two to five"),
        (lambda: pyramid_gain(1.0, 2), "condim is 1, 3, 4 or 6"),
    ],
)
def test_bad_quantities_are_named(make, words):
    with pytest.raises(phalanx.FieldError, match=words):
        make()


def test_contacts_of_a_data_are_checked_against_the_time_step():
    settings = ContactSettings(1e6, 10.0, MASS, impedance=0.5)
    data = ball(settings, 0.0999, 1e-2).make_data().forward()
    with pytest.warns(phalanx.ContactStiffnessWarning, match="'floor' and geom 'ball'"):
        (message,) = check_contacts(data)
    assert "N/m" in message

    text = """<mujoco><worldbody><geom type="plane" size="1 1 1" solref=".001 1"/>
      <body pos="0 0 .09"><freejoint/><geom name="b" size=".1" solref=".001 1"/></body></worldbody></mujoco>"""
    data = phalanx.Model.from_xml_string(text).make_data().forward()
    with pytest.warns(phalanx.ContactStiffnessWarning, match="acts as one of 0.004 s"):
        check_contacts(data)
    calm = phalanx.Model.from_xml_string(text.replace('".001 1"', '".02 1"')).make_data().forward()
    assert check_contacts(calm) == []
