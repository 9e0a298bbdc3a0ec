"""What is wrong with URDF files: all of it at once, with places; and what can be repaired."""

# ruff: noqa: E501 : a robot is easier to read in one line

from __future__ import annotations

import pytest

from phalanx import Limits, MjcfError, Spec
from tests.compiler.robots import INERTIAL, ROBOTS, SHAPE, arm, joint, link, robot


def problems_of(text: str, **settings: object) -> list[str]:
    with pytest.raises(MjcfError) as caught:
        Spec.from_urdf(text, **settings).compile()
    return [str(problem) for problem in caught.value.problems]


BROKEN = """<robot name="r">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <mass value="x"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"/>
    </inertial>
    <visual><geometry><bx size="1 1 1"/></geometry></visual>
    <collision><geometry><box size="1 1"/></geometry></collision>
  </link>
  <joint name="hip" type="revolut">
    <parent link="bas"/>
    <child link="arm"/>
    <axs xyz="0 0 1"/>
    <limit lower="0" uper="1"/>
  </joint>
</robot>"""


def test_all_problems_are_listed_with_their_places():
    assert problems_of(BROKEN) == [
        "model:5:13: mass: value='x': 'x' is not a number",
        "model:6:7: inertia: attribute 'iyz' is missing",
        "model:8:23: element 'bx' is not allowed in geometry; did you mean 'box'?",
        "model:9:31: box: size takes 3 values, not 2",
        "model:11:21: joint 'hip': type='revolut' is not a valid keyword; did you mean 'revolute'?",
        "model:12:13: parent: link='bas': there is no such link; did you mean 'base'?",
        "model:14:5: element 'axs' is not allowed in joint; did you mean 'axis'?",
        "model:15:22: limit: unknown attribute 'uper'; did you mean 'upper'?",
    ]


def test_files_of_other_languages_are_told_apart():
    assert "this is MJCF" in problems_of("<mujoco/>")[0]
    assert "this is SDF" in problems_of("<sdf/>")[0]
    assert "did you mean 'robot'" in problems_of("<robt/>")[0]
    with pytest.raises(MjcfError, match="this is URDF"):
        Spec.from_string("<robot/>")


WRONG = {
    "the robot has no links": robot(),
    "loop: a, b": robot(link("base"), link("a"), link("b"), joint("j", "a", "b"), joint("k", "b", "a")),
    "the child of two joints, 'j' and 'k'": robot(link("base"), link("a"), link("b"), joint("j", "base", "b"), joint("k", "a", "b")),
    "given to two links, first in line 1": robot(link("base"), link("base")),
    "given to two joints": robot(link("base"), link("a"), link("b"), joint("j", "base", "a"), joint("j", "base", "b")),
    "has no parent element": robot(link("base"), '<joint name="j" type="fixed"><child link="base"/></joint>'),
    "one shape, not 0": robot(link("base", "<visual><geometry/></visual>")),
    "one shape, not 2": robot(link("base", '<visual><geometry><sphere radius="1"/><box size="1 1 1"/></geometry></visual>')),
    "has no geometry element": robot(link("base", "<collision/>")),
    "axis 0 0 0 of joint 'j' has no direction": arm("revolute", '<axis xyz="0 0 0"/>'),
    "joints mimic each other in a loop: j, k, j": robot(link("base"), link("a"), link("b"), joint("j", "base", "a", inside='<mimic joint="k"/>'), joint("k", "a", "b", inside='<mimic joint="j"/>')),
    "a floating joint must hang on a link that does not move": robot(link("base"), link("a"), link("b"), joint("j", "base", "a"), joint("f", "a", "b", "floating")),
    "entities are not supported": '<!DOCTYPE robot [<!ENTITY e "x">]><robot name="&e;"/>',
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_a_problem_is_named(message):
    found = problems_of(WRONG[message])
    assert len(found) == 1 and message in found[0], found


def inertial(mass: str, moments: str) -> str:
    xx, yy, zz = moments.split()
    return f'<inertial><mass value="{mass}"/><inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial>'


def moving(inside: str) -> str:
    return robot(link("base"), link("a", inside), joint("j", "base", "a", "continuous"))


REPAIRED = {
    "mechanicalReduction 'x' is not a number": arm("revolute").replace(
        "</robot>",
        '<transmission name="t"><joint name="j"/><actuator name="m"><mechanicalReduction>x</mechanicalReduction></actuator></transmission></robot>',
    ),
    "the inertial has no mass element": moving(
        '<inertial><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' + SHAPE
    ),
    "the inertial has no inertia element": moving(inertial("1", "1 1 1")).replace(
        "</robot>", link("b", '<inertial><mass value="1"/></inertial>') + joint("f", "a", "b", "fixed") + "</robot>"
    ),
    "the shape plane is unknown": moving(
        INERTIAL + '<collision><geometry><plane normal="0 0 1"/></geometry></collision>'
    ),
    "the sphere has the size 0": moving(INERTIAL + '<collision><geometry><sphere radius="0"/></geometry></collision>'),
    "the box has the size 1 -1 1, which must be positive": moving(
        INERTIAL + '<visual><geometry><box size="1 -1 1"/></geometry></visual>'
    ),
    "no body has the principal moments 3 1 1": moving(inertial("1", "1 3 1")),
    "the principal moments 1 1 -0.5 must be positive": moving(inertial("1", "1 -.5 1")),
    "link 'a' moves and has the mass 2 kg and the principal moments 1 1 0": moving(inertial("2", "1 0 1")),
    "it moves and has no mass": moving(""),
    "link 'a' moves and has no mass": moving(inertial("0", "0 0 0")),
    "the mass -1 kg is negative": moving(inertial("-1", "1 1 1")),
    "lower=2 is above upper=1": ROBOTS["revolute crossed"],
    "joint='jj': there is no such joint": ROBOTS["mimic of an unknown joint"],
    "joint 'j1' has not one coordinate": ROBOTS["mimic of a planar joint"],
    "name='jj': there is no such joint": arm("revolute").replace(
        "</robot>", '<transmission name="t"><joint name="jj"/><actuator name="m"/></transmission></robot>'
    ),
}


@pytest.mark.parametrize("message", REPAIRED)
def test_what_is_not_physical_is_named_and_repaired_on_request(message):
    found = problems_of(REPAIRED[message])
    assert len(found) == 1 and message in found[0] and "repair=True" in found[0], found
    model = Spec.from_urdf(REPAIRED[message], repair=True).compile()
    assert any(message in note.message and "repaired" in note.message for note in model.report)
    moments = model.body_inertia[1:]
    assert (2 * moments.max(axis=1) <= moments.sum(axis=1) * (1 + 1e-12)).all()


def test_a_repaired_inertia_keeps_its_largest_moment():
    model = Spec.from_urdf(REPAIRED["no body has the principal moments 3 1 1"], repair=True).compile()
    assert model.body("a").inertia == pytest.approx([3, 1.5, 1.5])


def test_inertias_of_links_that_do_not_move_may_be_zero():
    assert Spec.from_urdf(ROBOTS["point mass"]).compile().body("b").inertia.tolist() == [0, 0, 0]


def test_problems_of_the_compiler_are_at_the_place_in_the_file():
    text = '<robot>\n<link name="base">\n<collision>\n<geometry><sphere radius="-1"/></geometry></collision></link></robot>'
    assert problems_of(text)[0].startswith("model:4:11: sphere:")
    text = '<robot>\n<link name="base">\n<collision>\n<geometry><mesh filename="m.obj"/></geometry></collision></link></robot>'
    assert problems_of(text)[0].startswith("model:4:11: mesh 'm':")


def test_unknown_shapes_beside_known_ones_do_not_hide_a_problem():
    shapes = '<sphere radius="1"/><box size="1 1 1"/><plane/>'
    found = problems_of(robot(link("base", f"<collision><geometry>{shapes}</geometry></collision>")))
    assert len(found) == 1 and "one shape, not 2" in found[0]


def test_limits_hold_for_robots():
    with pytest.raises(MjcfError, match="limit elements=3"):
        Spec.from_urdf(robot(link("base", INERTIAL)), limits=Limits(elements=3)).compile()
