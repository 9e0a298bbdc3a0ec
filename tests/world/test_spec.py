"""The editable tree: read, change, attach, compile, write."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import MjcfError, Model, Spec
from tests.compiler.compare import differences
from tests.compiler.snippets import SNIPPETS
from tests.compiler.test_files import FILES

LEG = """<mujoco model="leg"><compiler angle="radian"/><default><geom size=".05"/><default class="big"><geom rgba="1 0 0 1"/></default></default>
<asset><material name="mat"/></asset>
<worldbody><body name="hip" pos="0 0 1"><joint name="h" axis="0 1 0" range="-1 1"/><geom class="big" material="mat"/>
<body name="knee" pos="0 0 -.5"><joint name="k" axis="0 1 0"/><geom/><site name="foot"/></body></body>
<body name="other"><freejoint name="o"/><geom/></body></worldbody>
<actuator><motor name="mh" joint="h"/><motor name="mo" joint="o"/></actuator>
<sensor><framepos name="p" objtype="site" objname="foot"/></sensor>
<keyframe><key name="bent" qpos="1 .5 0 0 3 1 0 0 0" ctrl="2 3"/></keyframe></mujoco>"""


def equal(a: Model, b: Model) -> list[str]:
    """Fields in which two models differ in any bit."""
    return [
        name
        for name, array in a._store.arrays.items()
        if not np.array_equal(array, b._store.arrays[name]) and not name.endswith(("paths", "pathadr"))
    ]


def check_round_trip(name: str) -> None:
    spec = Spec.from_string(SNIPPETS[name])
    assert equal(Spec.from_string(spec.to_xml()).compile(), spec.compile()) == []


@pytest.mark.parametrize("name", list(SNIPPETS)[::4])
def test_writing_and_reading_changes_nothing(name):
    check_round_trip(name)


@pytest.mark.conformance
@pytest.mark.parametrize("name", SNIPPETS)
def test_writing_and_reading_changes_no_snippet(name):
    check_round_trip(name)


@pytest.mark.conformance
@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith("own/gaps")])
def test_writing_and_reading_changes_no_public_model(name, tmp_path):
    try:
        spec = Spec.from_file(FILES[name])
        expected = spec.compile()
    except MjcfError as error:
        pytest.skip(f"refused: {error}")
    spec.save(tmp_path / "written.xml")
    assert equal(phalanx.load(tmp_path / "written.xml"), expected) == []


def test_a_written_model_means_the_same_to_mujoco():
    xml = Spec.from_string(LEG).to_xml()
    assert differences(Model.from_xml_string(LEG), mujoco.MjModel.from_xml_string(xml)) == {}


def test_attributes_are_typed_and_checked():
    spec = Spec.from_string(LEG)
    hip = spec.find("body", "hip")
    assert hip["pos"] == (0.0, 0.0, 1.0)
    hip["pos"] = 0, 0, 2
    assert spec.compile().body("hip").pos[2] == 2
    with pytest.raises(phalanx.FieldError, match="did you mean 'pos'"):
        hip["poss"] = 1
    with pytest.raises(phalanx.FieldError, match="3 values, not 2"):
        hip["pos"] = 1, 2
    with pytest.raises(phalanx.FieldError, match="did you mean 'hinge'"):
        spec.find("joint", "h")["type"] = "hing"
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'knee'"):
        spec.find("body", "kne")


def test_elements_can_be_added_and_removed():
    spec = Spec()
    body = spec.worldbody.add("body", name="ball", pos=(0, 0, 1))
    body.add("freejoint")
    body.add("geom", size=0.1, class_=None)
    assert spec.compile().nv == 6
    body.remove()
    assert spec.compile().nbody == 1
    with pytest.raises(phalanx.FieldError, match="cannot hold 'jont'; did you mean 'joint'"):
        body.add("jont")


def test_keyframes_follow_their_joints():
    spec = Spec.from_string(LEG)
    before = spec.compile()
    spec.find("body", "knee").remove()
    spec.section("sensor").children.clear()
    extra = spec.worldbody.add("body", name="first")
    extra.add("joint", name="new", ref=0.25)
    extra.add("geom", size=0.1)
    spec.worldbody.children.insert(0, spec.worldbody.children.pop())
    model = spec.compile()
    assert before.key_qpos[0].tolist() == [1, 0.5, 0, 0, 3, 1, 0, 0, 0]
    assert model.key_qpos[0].tolist() == [0.25, 1, 0, 0, 3, 1, 0, 0, 0]
    assert model.key_ctrl[0].tolist() == [2, 3]


def test_a_keyframe_finds_a_joint_that_was_replaced_by_its_name():
    spec = Spec.from_string(LEG)
    knee = spec.find("body", "knee")
    spec.find("joint", "k").remove()
    knee.add("joint", name="k", axis=(1, 0, 0))
    assert spec.compile().key_qpos[0, :2].tolist() == [1, 0.5]


ROBOT = '<mujoco><asset><model name="leg" file="leg.xml"/></asset><worldbody><body name="torso" pos="0 0 2"><freejoint name="root"/><geom size=".2"/>{}</body></worldbody></mujoco>'


@pytest.mark.parametrize(
    "attachments",
    [
        '<attach model="leg" body="hip" prefix="l_"/>',
        '<frame pos="0 .1 0" euler="0 0 30"><attach model="leg" body="hip" prefix="l_"/></frame><attach model="leg" body="hip" prefix="r_"/>',
        '<frame pos="0 .1 0"><attach model="leg" body="knee" prefix="l_"/></frame>',
        '<replicate count="2" sep="-" offset="0 1 0"><attach model="leg" body="hip" prefix="l_"/></replicate>',
    ],
)
def test_attached_files_are_mujocos(attachments):
    xml, files = ROBOT.format(attachments), {"leg.xml": LEG.encode()}
    theirs = mujoco.MjModel.from_xml_string(xml, files)
    assert differences(Model.from_xml_string(xml, files), theirs) == {}


def test_a_spec_can_be_attached_to_another():
    leg, robot = (
        Spec.from_string(LEG),
        Spec.from_string(ROBOT.replace('<model name="leg" file="leg.xml"/>', "").format("")),
    )
    torso = robot.find("body", "torso")
    robot.attach(leg, torso, body="hip", prefix="left_")
    robot.attach(leg, torso.add("frame", pos=(0, 1, 0)), body="hip", prefix="right_")
    model = robot.compile()
    assert [model.body(name).id for name in ("torso", "left_hip", "left_knee", "right_hip", "right_knee")] == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert model.joint("left_h").range.tolist() == [-1, 1]
    assert model.key("left_bent").qpos[7:].tolist() == [1, 0.5, 0, 0]
    files = {"leg.xml": LEG.encode()}
    xml = ROBOT.format(
        '<attach model="leg" body="hip" prefix="left_"/><frame pos="0 1 0"><attach model="leg" body="hip" prefix="right_"/></frame>'
    )
    assert differences(model, mujoco.MjModel.from_xml_string(xml, files)) == {}


def test_attached_specs_are_saved_beside_the_model(tmp_path):
    leg, robot = (
        Spec.from_string(LEG),
        Spec.from_string(ROBOT.replace('<model name="leg" file="leg.xml"/>', "").format("")),
    )
    robot.attach(leg, robot.find("body", "torso"), body="hip", prefix="left_")
    with pytest.raises(phalanx.ModelError, match=r"Spec\.save"):
        robot.to_xml()
    robot.save(tmp_path / "robot.xml")
    assert equal(phalanx.load(tmp_path / "robot.xml"), robot.compile()) == []


def test_a_model_saved_elsewhere_finds_its_assets(tmp_path):
    (tmp_path / "a" / "meshes").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "meshes" / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    (tmp_path / "a" / "m.xml").write_text(
        '<mujoco><compiler meshdir="meshes"/><asset><mesh file="m.obj"/></asset></mujoco>'
    )
    spec = Spec.from_file(tmp_path / "a" / "m.xml")
    spec.save(tmp_path / "b" / "m.xml")
    assert equal(phalanx.load(tmp_path / "b" / "m.xml"), spec.compile()) == []


def test_an_edited_model_is_written_with_whole_keyframes():
    spec = Spec.from_string(LEG)
    spec.find("body", "knee").remove()
    spec.section("sensor").children.clear()
    assert Spec.from_string(spec.to_xml()).compile().key_qpos.tolist() == spec.compile().key_qpos.tolist()


def test_a_copy_is_independent():
    spec = Spec.from_string(LEG)
    twin = spec.copy()
    twin.find("body", "knee").remove()
    twin.section("sensor").children.clear()
    assert spec.compile().nbody == twin.compile().nbody + 1


def test_load_goes_by_the_ending(tmp_path):
    path = tmp_path / "leg.xml"
    path.write_text(LEG)
    model = phalanx.load(path)
    model.save(tmp_path / "leg.npz")
    assert equal(phalanx.load(tmp_path / "leg.npz"), model) == []
    with pytest.raises(phalanx.ModelError, match=r"no reader for '\.txt'"):
        phalanx.load(tmp_path / "leg.txt")


def test_load_tells_that_the_text_of_a_model_is_no_path():
    with pytest.raises(phalanx.ModelError, match=r"Model.from_xml_string\(text\) reads MJCF$"):
        phalanx.load("\n" + LEG)


def test_includes_are_spliced_anywhere(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.xml").write_text(
        '<mujoco><include file="parts/defaults.xml"/><worldbody><body><include file="parts/body.xml"/></body></worldbody></mujoco>'
    )
    (tmp_path / "parts" / "defaults.xml").write_text(
        '<mujocoinclude><default><geom size=".3"/></default></mujocoinclude>'
    )
    (tmp_path / "parts" / "body.xml").write_text('<mujoco><freejoint/><geom/><include file="parts/more.xml"/></mujoco>')
    (tmp_path / "parts" / "more.xml").write_text('<mujoco><geom pos="1 0 0"/></mujoco>')
    path = str(tmp_path / "main.xml")
    assert differences(Model.from_xml_path(path), mujoco.MjModel.from_xml_path(path)) == {}


def test_a_problem_in_an_included_file_names_that_file(tmp_path):
    (tmp_path / "main.xml").write_text('<mujoco><worldbody>\n<include file="part.xml"/></worldbody></mujoco>')
    (tmp_path / "part.xml").write_text('<mujoco>\n  <geom siz=".1"/></mujoco>')
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_path(tmp_path / "main.xml")
    problem = caught.value.problems[0]
    assert problem.file.endswith("part.xml")
    assert (problem.line, problem.column) == (2, 9)
    assert "did you mean 'size'" in problem.message


def test_a_spec_shows_what_is_in_it():
    spec = Spec.from_string('<mujoco model="ball"><worldbody><body><geom size="1"/></body></worldbody></mujoco>')
    assert repr(spec) == "<Spec 'ball': 1 bodies, 1 geoms>"
    assert repr(Spec()) == "<Spec 'unnamed': empty>"
