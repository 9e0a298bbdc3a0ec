"""URDF files in our style: links, joints, looks, mimics, actuators, and the report of what was assumed."""

from __future__ import annotations

import pickle

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import ModelError, Spec
from tests.compiler.compare import differences
from tests.compiler.robots import INERTIAL, ROBOTS, SHAPE, arm, joint, link, robot


def said(spec: Spec | phalanx.Model) -> str:
    """The messages of a report."""
    return "\n".join(note.message for note in spec.report)


#: Robots that are as they should be, in our style.
SOUND = [
    name
    for name in ROBOTS
    if "crossed" not in name and "of a" not in name and name not in ("bounded inertia", "two shapes")
]


@pytest.mark.parametrize("name", SOUND)
def test_a_robot_that_is_saved_as_mjcf_compiles_to_the_same_model(name):
    spec = Spec.from_urdf(ROBOTS[name], actuators="position")
    model, again = spec.compile(), Spec.from_string(spec.to_xml()).compile()
    assert model.fingerprint() == again.fingerprint()
    assert differences(again, mujoco.MjModel.from_xml_string(spec.to_xml())) == {}


@pytest.mark.parametrize("name", SOUND)
def test_every_link_is_a_body_with_its_name(name):
    spec = Spec.from_urdf(ROBOTS[name])
    links = {text.split('"')[0] for text in ROBOTS[name].split('<link name="')[1:]}
    assert {body.name for body in spec.bodies} == links - {"world"}


@pytest.mark.parametrize("name", ["revolute both", "prismatic both", "continuous none", "planar none", "spherical"])
def test_both_styles_have_the_same_dynamics(name):
    ours, theirs = (Spec.from_urdf(ROBOTS[name], style=style).compile() for style in ("phalanx", "mujoco"))
    assert ours.nv == theirs.nv
    data = [model.make_data().step(50) for model in (ours, theirs)]
    # the same bodies, summed in another order
    np.testing.assert_allclose(data[0].qpos, data[1].qpos, rtol=1e-9, atol=1e-9)


def test_visuals_and_collisions_are_in_groups_of_their_own():
    model = Spec.from_urdf(ROBOTS["looks"]).compile()
    is_visual = model.geom_contype == 0
    assert set(model.geom_group[is_visual]) == {2} and set(model.geom_group[~is_visual]) == {3}
    assert model.geom("n").group[0] == 2
    red = model.geom("n")
    assert model.mat_rgba[red.matid[0]].tolist() == [1, 0, 0, 1]
    assert "material 'unknown' is not defined" in said(model)
    assert "its name is that of another geom" in said(model)


def test_a_robot_without_visuals_is_seen_by_its_collision_shapes():
    assert set(Spec.from_urdf(ROBOTS["shapes"]).compile().geom_group) == {0}


def test_the_base_is_fixed_or_floats():
    text = robot(link("base"), link("a"), joint("j", "base", "a"))
    fixed, floating = (Spec.from_urdf(text, base=base).compile() for base in ("fixed", "floating"))
    assert (fixed.nq, floating.nq) == (1, 8)
    assert floating.names.names["joint"] == ("base_free_joint", "j")
    world = robot(link("world", ""), link("base"), joint("w", "world", "base", "fixed"))
    assert Spec.from_urdf(world, base="floating").compile().nq == 7


def test_a_floating_joint_hangs_on_the_world_at_the_same_place():
    frame = '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>'
    text = robot(
        link("base"), link("a"), link("b"),
        f'<joint name="f" type="fixed">{frame}<parent link="base"/><child link="a"/></joint>',
        f'<joint name="g" type="floating">{frame}<parent link="a"/><child link="b"/></joint>',
    )  # fmt: skip
    model = Spec.from_urdf(text).compile()
    np.testing.assert_allclose(model.qpos0, [1, 1, 0, 0, 0, 0, 1], atol=1e-15)
    assert "child of the world" in said(model)


def test_chains_of_mimics_follow_the_joint_at_their_end():
    spec = Spec.from_urdf(ROBOTS["mimic"])
    found = {equality.joint1: (equality.joint2, equality.polycoef) for equality in spec.equalities}
    assert found == {"j2": ("j1", (0.2, 3, 0, 0, 0)), "j3": ("j1", (pytest.approx(0.1 - 2 * 0.2), -6, 0, 0, 0))}
    data = spec.compile().make_data()
    data.joint("j1").qpos = 0.1
    data.step(2000)
    q1, q2, q3 = (float(data.joint(name).qpos[0]) for name in ("j1", "j2", "j3"))
    # equalities are soft
    assert (q2, q3) == (pytest.approx(3 * q1 + 0.2, abs=0.05), pytest.approx(-2 * q2 + 0.1, abs=0.05))


def test_a_joint_without_room_is_held_in_place():
    model = Spec.from_urdf(ROBOTS["prismatic equal"]).compile()
    assert (model.neq, model.eq_data[0, 0], model.jnt_limited[0]) == (1, 1, 0)


# --- actuators


def driven(actuators: str | None, limit: str = 'lower="-1" upper="3" effort="8"') -> Spec:
    return Spec.from_urdf(arm("revolute", f"<limit {limit}/>"), actuators=actuators)


def test_motors_have_the_effort_of_their_joints():
    model = driven("motor").compile()
    assert model.names.names["actuator"] == ("j", "k")
    assert model.actuator_ctrlrange.tolist() == [[-8, 8], [0, 0]]
    assert model.actuator_ctrllimited.tolist() == [1, 0]
    assert "not limited" in said(model)


def test_position_servos_reach_full_effort_at_a_tenth_of_the_range():
    model = driven("position").compile()
    assert model.actuator_ctrlrange[0].tolist() == [-1, 3]
    assert model.actuator_forcerange[0].tolist() == [-8, 8]
    assert model.actuator_gainprm[0, 0] == pytest.approx(8 / 0.4)
    assert "are a guess" in said(model)


@pytest.mark.parametrize("effort", ["1.7976931348623157e308", "1e308"])
def test_gains_beyond_numbers_are_a_problem_of_the_file(effort):
    limit = f'lower="-1" upper="1e-3" effort="{effort}"'
    with pytest.raises(phalanx.MjcfError, match="beyond numbers"):
        driven("position", limit).compile()
    text = arm("revolute", f"<limit {limit}/>")
    assert Spec.from_urdf(text, actuators="position", repair=True).compile().names.names["actuator"] == ("k",)


def test_no_actuators_are_made_if_none_are_wanted():
    assert driven(None).compile().nu == 0


TRANSMISSION = """<transmission name="t">{kind}<joint name="j">{interface}</joint>
<actuator name="m">{reduction}</actuator></transmission>"""
SIMPLE = "<type>transmission_interface/SimpleTransmission</type>"


def transmitted(interface: str = "", reduction: str = "", kind: str = SIMPLE) -> Spec:
    interface = f"<hardwareInterface>{interface}</hardwareInterface>" if interface else ""
    reduction = f"<mechanicalReduction>{reduction}</mechanicalReduction>" if reduction else ""
    text = TRANSMISSION.format(kind=kind, interface=interface, reduction=reduction)
    return Spec.from_urdf(
        arm("revolute", '<limit lower="-1" upper="1" effort="8"/>').replace("</robot>", f"{text}</robot>")
    )


@pytest.mark.parametrize(
    ("reduction", "words"), [("1e-200", "beyond numbers"), ("-1e-320", "beyond numbers"), ("1e308", "too large")]
)
def test_reductions_beyond_numbers_are_a_problem_of_the_file(reduction, words):
    with pytest.raises(phalanx.MjcfError, match=words):
        transmitted("PositionJointInterface", reduction).compile()


@pytest.mark.parametrize(
    ("interface", "bias"),
    [("hardware_interface/EffortJointInterface", 0), ("PositionJointInterface", 1), ("hw/VelocityJointInterface", 1)],
)
def test_transmissions_become_actuators(interface, bias):
    model = transmitted(interface, "50").compile()
    assert model.names.names["actuator"] == ("m",)
    assert model.actuator_gear[0, 0] == 50
    assert model.actuator_biastype[0] == bias
    bounds = model.actuator_forcerange if bias else model.actuator_ctrlrange
    assert bounds[0].tolist() == [-8 / 50, 8 / 50]


def test_transmissions_that_are_not_simple_are_reported():
    spec = transmitted(kind="<type>transmission_interface/DifferentialTransmission</type>")
    assert spec.compile().nu == 0
    assert "only simple transmissions" in said(spec)
    assert "no hardware interface" in said(transmitted())


# --- the report


NOTED = {
    "velocities are not limited": arm("revolute", '<limit lower="-1" upper="1" velocity="2"/>'),
    "lower is not written, which means 0": arm("prismatic", '<limit upper="1"/>'),
    "does not hold 0": arm("prismatic", '<limit lower=".5" upper="1"/>'),
    "without limits is not limited": arm("revolute"),
    "safety controller": arm("revolute", '<safety_controller k_velocity="3"/>'),
    "calibration has no effect": arm("revolute", '<calibration rising="0"/>'),
    "of a fixed joint has no effect": arm("fixed", '<dynamics damping="1"/>'),
    "filled with water": ROBOTS["no inertial"],
    "settings for Gazebo": robot('<gazebo reference="base"><mu1>3</mu1></gazebo>', link("base")),
    "element 'plugin' is unknown": robot(link("base", "<plugin/>")),
    "attribute 'mu_coulomb' of dynamics is unknown": arm("revolute", '<dynamics mu_coulomb="0"/>'),
    "element 'visual' is unknown": ROBOTS["settings"],
    "an inertia without mass": robot(link("base", INERTIAL.replace('value="2"', 'value="0"'))),
    "there is no link 'world'": robot(link("a"), joint("j", "world", "a")),
    "the shape plane is unknown: the visual is left out": robot(
        link("base", INERTIAL + "<visual><geometry><plane/></geometry></visual>")
    ),
    "the sphere has the size 0: the visual is left out": robot(
        link("base", INERTIAL + '<visual><geometry><sphere radius="0"/></geometry></visual>')
    ),
    "the link 'world' is the world itself": robot(link("world"), link("a"), joint("j", "world", "a")),
}


@pytest.mark.parametrize("message", NOTED)
def test_what_is_assumed_is_reported_with_its_place(message):
    model = Spec.from_urdf(NOTED[message]).compile()
    notes = [note for note in model.report if message in note.message]
    assert notes and all(note.line for note in notes)


def test_the_report_stays_with_the_model():
    model = Spec.from_urdf(NOTED["velocities are not limited"]).compile()
    assert model.replace(opt={"timestep": 0.001}).report == model.report
    assert pickle.loads(pickle.dumps(model)).report == model.report
    assert Spec.from_urdf(NOTED["velocities are not limited"]).copy().report == model.report


def test_a_robot_with_nothing_to_say_has_an_empty_report():
    assert (
        Spec.from_urdf(robot(link("base"), link("a", INERTIAL + SHAPE), joint("j", "base", "a", "continuous"))).report
        == ()
    )


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"style": "mujco"}, "mujoco"),
        ({"base": "float"}, "floating"),
        ({"actuators": "motors"}, "motor"),
        ({"bas": "fixed"}, "base"),
    ],
)
def test_settings_that_do_not_exist_are_refused(settings, hint):
    with pytest.raises(ModelError, match=f"did you mean '{hint}'"):
        Spec.from_urdf(robot(link("base")), **settings)
