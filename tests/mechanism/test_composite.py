"""Composite joints and couplings against closed forms: angles, speeds, ratios, energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import phalanx
from phalanx import mechanism
from phalanx.compiler.mechanism.fourbar import fourbar_angles
from phalanx.transforms import quat2mat
from tests.mechanism.samples import sample


def positions(kind: str, **held: float) -> dict[str, float]:
    """Positions of all scalar joints of a sample in which some are held."""
    model = phalanx.Model.from_xml_string(sample(kind))
    names = model.names.names["joint"]
    start = np.zeros(model.nq)
    for name, value in held.items():
        start[names.index(name)] = value
    found = phalanx.assemble(model, start, joints=[name for name in names if name not in held])
    assert found.converged
    return dict(zip(names, found.qpos.tolist(), strict=True))


def test_a_screw_travels_by_its_pitch():
    assert positions("screw", s_1=3.7)["s_2"] == pytest.approx(3.7 * 0.2 / (2.0 * math.pi), abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "held", "name", "expected"),
    [
        ("gear", {"b": 2.5}, "a", -2.5 * 16 / 40),
        ("worm", {"b": 30.0}, "a", -30.0 * 2 / 30),
        ("rack", {"a": 1.5}, "x", 0.04 * 1.5),
        ("belt", {"b": 2.0}, "a", -2.0 * 0.03 / 0.1),
        ("cable", {"a": 0.5, "b": 0.2}, "x", -(0.1 * 0.5 - 0.2 * 0.2)),
        ("differential", {"c": 3.0, "a": 0.25}, "b", 2.0 * 3.0 / 4.0 - 0.25),
        ("planetary", {"a": 2.0, "b": 0.0}, "c", 2.0 / (1.0 + 64 / 20)),
        ("planetary", {"a": 0.0, "c": 1.0}, "b", 1.0 + 20 / 64),
    ],
)
def test_couplings_have_their_ratios(kind, held, name, expected):
    assert positions(kind, **held)[name] == pytest.approx(expected, abs=1e-9)


LINKS = {"ground": 0.3, "crank": 0.1, "coupler": 0.25, "rocker": 0.2}


@pytest.mark.parametrize("angle", [0.3, 1.2, 2.5, 4.0, 5.5])
@pytest.mark.parametrize("crossed", [False, True])
def test_a_four_bar_linkage_satisfies_the_equation_of_freudenstein(angle, crossed):
    coupler, rocker = fourbar_angles(**LINKS, angle=angle, crossed=crossed)
    g, a, b, c = LINKS.values()
    left = g / a * math.cos(rocker) - g / c * math.cos(angle) + (a * a - b * b + c * c + g * g) / (2.0 * a * c)
    assert left == pytest.approx(math.cos(angle - rocker), abs=1e-12)
    # the loop of vectors closes: crank + coupler = ground + rocker
    ends = a * np.exp(1j * angle) + b * np.exp(1j * coupler) - g - c * np.exp(1j * rocker)
    assert abs(ends) < 1e-15


def test_a_moving_four_bar_linkage_follows_its_closed_form():
    spec = phalanx.Spec()
    mechanism.add(spec, "fourbar", name="f", angle=60.0, **LINKS)
    model = spec.compile()
    start = math.radians(60.0)
    first = fourbar_angles(**LINKS, angle=start, crossed=False)
    for move in (0.2, 0.9, 1.7):
        found = phalanx.assemble(model, [move, 0.0, 0.0], joints=["f_coupler", "f_rocker"])
        coupler, rocker = fourbar_angles(**LINKS, angle=start + move, crossed=False)
        # the joint of the coupler is relative to the crank
        np.testing.assert_allclose(found.qpos, [move, coupler - first[0] - move, rocker - first[1]], atol=1e-8)


def test_a_universal_joint_has_its_ratio_of_speeds():
    bend = 0.6
    text = f"""<mujoco><worldbody><site name="bearing" pos="{math.cos(bend)} {math.sin(bend)} 0"/>
      <body name="in"><joint name="in" axis="1 0 0"/><geom size=".1"/>
        <body name="out"><universal name="u" axis="0 1 0" axis2="0 0 1"/><geom size=".1"/><site name="tip" pos="1 0 0"/>
      </body></body></worldbody>
      <equality><connect site1="tip" site2="bearing"/></equality></mujoco>"""
    model = phalanx.Model.from_xml_string(text)
    data = model.make_data()

    def orientation(angle: float, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = phalanx.assemble(model, [angle, *guess], joints=["u_1", "u_2"], tolerance=1e-13)
        data.qpos[:] = found.qpos
        return quat2mat(data.forward().body("out").xquat).reshape(3, 3), found.qpos[1:]

    axis, guess, h = np.array([math.cos(bend), math.sin(bend), 0.0]), np.array([0.0, bend]), 1e-4
    for angle in np.linspace(0.0, 1.4, 5):
        _, guess = orientation(angle, guess)
        before, after = orientation(angle - h, guess)[0], orientation(angle + h, guess)[0]
        rate = (after - before) @ (0.5 * (before + after)).T / (2.0 * h)
        speed = axis @ np.array([rate[2, 1], rate[0, 2], rate[1, 0]])
        expected = math.cos(bend) / (1.0 - math.sin(bend) ** 2 * math.cos(angle) ** 2)
        assert speed == pytest.approx(expected, abs=1e-6)


def test_composite_joints_leave_the_motions_that_they_should():
    for kind, moves in (("cylindrical", 2), ("planar", 3), ("universal", 2), ("screw", 1), ("loop", 1)):
        model = phalanx.Model.from_xml_string(sample(kind))
        data = model.make_data().forward()
        assert model.nv - np.linalg.matrix_rank(data.full_jac()[: data.ne]) == moves
    planar = phalanx.Model.from_xml_string(sample("planar"))
    np.testing.assert_allclose(planar.jnt_axis @ planar.jnt_axis.T, np.eye(3), atol=1e-15)


def test_a_swinging_linkage_keeps_its_energy():
    spec = phalanx.Spec.from_string(sample("fourbar", 'timestep="0.0005" gravity="0 -9.81 0" integrator="RK4"'))
    spec.option.flag.energy = "enable"
    # a stiff closure: it yields by its acceleration times the square of its time constant, and dissipates that
    spec.equality("f").solref = 0.002, 1.0
    data = spec.compile().make_data()
    data.step()
    energies, kinetic = [], []
    for _ in range(20):
        data.step(100)
        energies.append(float(data.energy.sum()))
        kinetic.append(float(data.energy[1]))
    assert max(kinetic) > 0.1
    assert np.ptp(energies) < 1e-3 * max(kinetic)
    assert energies[-1] <= energies[0]


def test_mechanisms_are_added_in_python():
    spec = phalanx.Spec()
    cross = spec.worldbody.add_body(name="cross")
    cross.add_geom(size=0.1)
    made = mechanism.add(cross, "universal", name="u", damping=0.2)
    assert [joint.name for joint in made] == ["u_1", "u_2"]
    made[0].range = -30, 30
    (tie,) = mechanism.add(spec, "gear", joint1=made[0], joint2=made[1], ratio=2)
    assert tie.tag == "joint" and tie.joint1 == "u_1"
    model = spec.compile()
    assert (model.njnt, model.neq) == (2, 1)
    assert model.jnt_range[0].tolist() == pytest.approx([-math.pi / 6, math.pi / 6])


@pytest.mark.parametrize(
    ("holder", "kind", "attributes", "words"),
    [
        ("body", "univesal", {}, "did you mean 'universal'"),
        ("spec", "universal", {"name": "u"}, "added to body or frame"),
        ("body", "gear", {}, "added to the Spec"),
        ("body", "screw", {"name": "s"}, "needs pitch"),
        ("body", "screw", {"name": "s", "pitch": 0}, "pitch must be"),
        ("body", "screw", {"name": "s", "pith": 1}, "did you mean 'pitch'"),
        ("spec", "fourbar", {"name": "f", **LINKS, "crank": 3.0}, "do not reach"),
    ],
)
def test_what_cannot_be_added_changes_nothing(holder, kind, attributes, words):
    spec = phalanx.Spec()
    body = spec.worldbody.add_body(name="b")
    before = spec.to_xml()
    with pytest.raises(phalanx.FieldError, match=words):
        mechanism.add(spec if holder == "spec" else body, kind, **attributes)
    assert spec.to_xml() == before
