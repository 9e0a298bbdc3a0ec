"""Everything that is wrong is said: what, where, and what was probably meant."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import json
import pickle
import re

import pytest

from phalanx import MjcfError, Model
from tests.compiler.malformed import MALFORMED


@pytest.mark.parametrize("name", MALFORMED)
def test_the_message_says_what_is_wrong(name):
    xml, message = MALFORMED[name]
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_string(xml)
    assert message in str(caught.value)
    assert all(problem.line >= 1 and problem.column >= 1 for problem in caught.value.problems)


def test_there_are_enough_malformed_models():
    assert len(MALFORMED) >= 100


def test_all_problems_are_found_in_one_pass():
    xml = """<mujoco>
  <worldbody>
    <goem/>
    <body name="a">
      <joint axis="0 0 0"/>
      <geom siz=".1"/>
      <geom type="bx" size=".1"/>
    </body>
    <body name="a"><geom size=".1" material="none"/></body>
  </worldbody>
  <actuator><motor joint="nowhere"/></actuator>
</mujoco>"""
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_string(xml)
    places = [(problem.line, problem.column) for problem in caught.value.problems]
    assert places == [(3, 5), (5, 14), (6, 13), (7, 13), (9, 11), (9, 36), (11, 20)]


#: Broken XML is the only problem of its file, what flexcomp is called may be a joint, and bytes that are no UTF-8 are
#: text in another encoding, which is passed over.
ALONE = ("bytes", "crossed", "duplicate attribute", "too deep", "flex")
MISTAKE = '<sensor><jointpos joint="nowhere"/></sensor>'


@pytest.mark.parametrize(
    "name", [name for name, (xml, _) in MALFORMED.items() if "</mujoco>" in str(xml) and name not in ALONE]
)
def test_another_mistake_hides_nothing(name):
    xml = MALFORMED[name][0]
    xml = xml.decode("latin-1") if isinstance(xml, bytes) else xml
    end = xml.rindex("</mujoco>")
    alone, both = problems_of(xml), problems_of(xml[:end] + MISTAKE + xml[end:])
    assert len(both) == len(alone) + 1
    assert {(p.element, p.message) for p in alone} <= {(p.element, p.message) for p in both}


#: Elements with several mistakes, and the attributes that must be blamed for them.
SEVERAL = {
    "geom": ('<geom type="box" size="-1 1 1" mass="-1" condim="2" material="none"/>', "", "size mass condim material"),
    "joint": ('<joint axis="0 0 0" range="2 1" armature="-1" actuatorfrcrange="1 0"/>', "",
              "axis range armature actuatorfrcrange"),
    "inertial": ('<body><joint/><inertial pos="0 0 0" mass="-1" diaginertia="-1 1 1"/></body>', "", "mass diaginertia"),
    "camera": ('<camera fovy="200" target="none"/>', "", "fovy target"),
    "light": ('<light dir="0 0 0" softness="3" target="none"/>', "", "dir softness target"),
    "ranges": ("", '<actuator><motor joint="none" ctrlrange="2 1" forcerange="3 1" delay="1"/></actuator>',
              "joint ctrlrange forcerange delay"),
    "general": ("", '<actuator><general cranksite="none" slidersite="nowhere" cranklength="1" actdim="3"/></actuator>',
                "cranksite slidersite actdim"),
    "exclude": ("", '<contact><exclude body1="none" body2="nowhere"/></contact>', "body1 body2"),
    "pair": ("", '<contact><pair geom1="none" geom2="nowhere" condim="2"/></contact>', "geom1 geom2 condim"),
    "weld": ("", '<equality><weld body1="none" body2="nowhere"/></equality>', "body1 body2"),
    "tendon": ("", '<tendon><spatial material="none" range="2 1" armature="-1" springlength="2 1"><site site="s"/>'
               '<site site="r"/></spatial></tendon>', "material range armature springlength site site"),
    "framepos": ("", '<sensor><framepos objtype="site" objname="none" reftype="site" refname="nowhere" delay="1"/></sensor>',
                 "objname refname delay"),
    "mesh": ("", '<asset><mesh name="m" file="none.obj" scale="0 1 1" refquat="0 0 0 0" maxhullvert="2"/></asset>',
             "file scale refquat maxhullvert"),
    "mesh of numbers": ("", '<asset><mesh name="m" vertex="0 0" face="1" normal="1"/></asset>', "vertex face normal"),
    "hfield": ("", '<asset><hfield name="h" size="1 1 -1 1" nrow="2" ncol="2" elevation="1 2"/></asset>', "size elevation"),
    "skin": ("", '<asset><skin name="s" material="none" vertex="1" face="1"/></asset>', "material vertex face"),
    "builtin mesh": ("", '<asset><mesh name="m" builtin="supertorus" params="1 2 0 0" scale="0 1 1"/></asset>',
                     "params params params params scale"),
    "mesh of wrong numbers": ("", '<asset><mesh name="m" vertex="0 0 0 1 0 0" face="0 1 7" texcoord="1 1"/></asset>',
                              "<mesh <mesh <mesh"),
    "bone": ("", '<deformable><skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 5" texcoord="1 1"><bone body="none" bindpos="0 0 0" '
             'bindquat="1 0 0 0" vertid="0 1" vertweight="1"/></skin></deformable>', "face texcoord vertid body"),
    "texture": ("", '<asset><texture name="t" type="cube" nchannel="2" gridsize="3 9" gridlayout="xyz" file="none.png"/></asset>',
                "nchannel gridsize gridlayout gridlayout file"),
    "builtin texture": ("", '<asset><texture name="t" type="2d" builtin="flat" width="0" height="0" nchannel="5"/></asset>',
                        "width height nchannel"),
    "sides of a cube": ("", '<asset><texture name="t" fileup="a.png" filedown="b.jpg"/></asset>', "fileup filedown"),
    "muscle": ("", '<actuator><muscle joint="j" range="2 1" lmin="2" lmax="1" vmax="0" fpmax="-1"/></actuator>',
               "range lmin lmax vmax fpmax"),
    "Hill muscle": ("", '<actuator><general joint="j" gaintype="hill" dyntype="hill" gainprm="-1 -1 -1"/></actuator>',
                    "gainprm gainprm gainprm"),
    "kinds": ("", '<actuator><general joint="j" gaintype="pid" biastype="so3" dyntype="hill" ctrlrange="2 1"/></actuator>',
              "<general <general gaintype gaintype dyntype dyntype ctrlrange"),
    "target": ("", '<actuator><motor joint="j" tendon="t" refsite="s" cranklength="1" delay="1"/></actuator>',
               "tendon tendon refsite refsite cranklength delay"),
    "dcmotor": ("", '<actuator><dcmotor joint="j" inductance="-1" thermal="1" input="foo"/></actuator>', "input"),
    "motor": ("", '<actuator><dcmotor joint="j" inductance="-1" thermal="1"/></actuator>',
              "<dcmotor <dcmotor inductance thermal"),
    "path": ("", '<tendon><spatial width="-1"><pulley divisor="2"/><pulley divisor="2"/></spatial></tendon>',
             "width <spatial <spatial"),
    "frame": ('<frame scale="-1 2" massscale="-1"><geom size="-1"/></frame>', "", "scale scale massscale size"),
    "joints": ('<freejoint/><joint type="ball" range="1 2"/><joint type="ball"/>', "", "<body <body range"),
    "numeric": ("", '<custom><numeric name="n" size="0" data="1 x"/><text name="t"/></custom>', "size data <text"),
    "contact": ("", '<sensor><contact geom1="g" body1="b" geom2="g" body2="b" num="0" cutoff="x"/></sensor>',
                "geom1 geom2 num cutoff"),
    "distance": ("", '<sensor><distance nsample="-1" interval="-1"/></sensor>', "<distance <distance nsample interval"),
    "fromto": ('<geom type="capsule" size="-1" fromto="0 0 0 0 0 0" rgba="x" mass="-1"/>', "", "size fromto rgba mass"),
    "large numbers": ('<geom type="box" size="1e200 1 1" mass="0"/><geom type="box" size="1 1e200 1" mass="0"/>', "", "<geom <geom"),
    "class": ('<geom class="none" condim="7" size="x" priority="y"/>', "", "class condim size priority"),
    "key": ("", '<keyframe><key qpos="1 2" qvel="1 2" ctrl="3"/></keyframe>', "qpos qvel ctrl"),
    "option": ("", '<option timestep="-1" actuatorgroupdisable="40" integrator="none" cone="none"/>',
               "timestep actuatorgroupdisable integrator cone"),
}  # fmt: skip


@pytest.mark.parametrize("name", SEVERAL)
def test_all_mistakes_of_one_element_are_found(name):
    inside, outside, attributes = SEVERAL[name]
    body = f'<body name="b"><joint name="j"/><geom name="g" size=".1"/>{inside}</body>'
    xml = f"<mujoco><worldbody>{body}</worldbody>{outside}</mujoco>"
    blamed = [re.match(r"<?\w+", xml[problem.column - 1 :]).group() for problem in problems_of(xml)]
    assert sorted(blamed) == sorted(attributes.split())


@pytest.mark.parametrize(
    "name", [name for name, (xml, _) in MALFORMED.items() if "</mujoco>" in str(xml) and name not in ALONE]
)
def test_an_attribute_that_cannot_be_read_hides_nothing(name):
    """Each element that has a problem gets an attribute that does not exist: that is one problem more."""
    xml = MALFORMED[name][0]
    xml = xml.decode("latin-1") if isinstance(xml, bytes) else xml
    alone = problems_of(xml)
    lines = xml.split("\n")
    for problem in alone:
        start = lines[problem.line - 1].rfind("<", 0, problem.column)
        tag = re.match(r"<[\w:]+", lines[problem.line - 1][max(start, 0) :])
        if tag is None or " zzz=" in lines[problem.line - 1]:
            continue
        end = start + tag.end()
        both = [*lines]
        both[problem.line - 1] = f'{both[problem.line - 1][:end]} zzz="1"{both[problem.line - 1][end:]}'
        found = problems_of("\n".join(both))
        messages = sorted(other.message for other in found)
        assert messages == sorted([*(other.message for other in alone), *(m for m in messages if "'zzz'" in m)])


def problems_of(xml):
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_string(xml)
    return caught.value.problems


@pytest.mark.parametrize("text", ["<mujoco><worldbody>", None], ids=["broken", "missing"])
def test_a_model_that_cannot_be_read_is_the_only_problem_of_attaching_it(tmp_path, text):
    if text:
        (tmp_path / "arm.xml").write_text(text)
    (tmp_path / "model.xml").write_text(
        """<mujoco><asset><model name="arm" file="arm.xml"/></asset>
<worldbody><attach model="arm" prefix="left_"/><body><joint name="hip"/><geom size="1"/></body></worldbody>
<actuator><motor joint="left_elbow"/><motor joint="hp"/></actuator></mujoco>"""
    )
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_path(tmp_path / "model.xml")
    first, second = caught.value.problems
    assert "arm.xml" in str(first)
    assert "joint='hp'" in second.message


def test_copies_that_could_not_be_made_are_not_missed():
    (only,) = problems_of(
        """<mujoco><worldbody><replicate count="2" sep="-"><joint/>
<body name="arm"><joint name="hip"/><geom size="1"/></body></replicate></worldbody>
<actuator><motor joint="hip-0"/></actuator></mujoco>"""
    )
    assert only.element == "replicate"


def test_each_use_of_an_unsupported_feature_is_listed():
    xml = '<mujoco><worldbody><flexcomp name="a"/>\n<body><flexcomp name="b"/></body></worldbody></mujoco>'
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_string(xml)
    assert [(p.line, p.element) for p in caught.value.problems] == [(1, "flexcomp 'a'"), (2, "flexcomp 'b'")]


def test_problems_are_data():
    with pytest.raises(MjcfError) as caught:
        Model.from_xml_string('<mujoco><worldbody><geom sise="1"/></worldbody></mujoco>')
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.problems == caught.value.problems
    entry = json.loads(json.dumps(error.problems[0].as_dict()))
    assert entry["line"] == 1 and entry["column"] == 26 and entry["element"] == "geom"


def test_an_include_that_includes_itself_is_refused(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco><include file="a.xml"/></mujoco>')
    with pytest.raises(MjcfError, match="is the file that includes it"):
        Model.from_xml_path(tmp_path / "a.xml")


def test_a_cycle_of_includes_is_refused(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
    (tmp_path / "b.xml").write_text('<mujoco><include file="c.xml"/></mujoco>')
    (tmp_path / "c.xml").write_text('<mujoco><include file="b.xml"/></mujoco>')
    with pytest.raises(MjcfError, match="included more than once"):
        Model.from_xml_path(tmp_path / "a.xml")


def test_a_file_is_included_once_whatever_its_path(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "b.xml").write_text("<mujoco/>")
    (tmp_path / "a.xml").write_text('<mujoco><include file="b.xml"/><include file="d/../b.xml"/></mujoco>')
    with pytest.raises(MjcfError, match="included more than once"):
        Model.from_xml_path(tmp_path / "a.xml")


def test_models_that_attach_each_other_without_end_are_refused(tmp_path):
    text = '<mujoco model="{0}"><asset><model name="o" file="{1}.xml"/></asset><worldbody><attach model="o" prefix="p"/></worldbody></mujoco>'
    (tmp_path / "a.xml").write_text(text.format("a", "b"))
    (tmp_path / "b.xml").write_text(text.format("b", "a"))
    with pytest.raises(MjcfError, match="attach each other more than"):
        Model.from_xml_path(tmp_path / "a.xml")


def test_a_path_cannot_escape_with_strippath(tmp_path):
    (tmp_path / "secret.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    (tmp_path / "models").mkdir()
    xml = '<mujoco><compiler strippath="true"/><asset><mesh name="m" file="../secret.obj"/></asset></mujoco>'
    (tmp_path / "models" / "a.xml").write_text(xml)
    with pytest.raises(MjcfError, match="cannot be read"):
        Model.from_xml_path(tmp_path / "models" / "a.xml")


def test_a_missing_file_is_one_problem(tmp_path):
    with pytest.raises(MjcfError, match="cannot be read"):
        Model.from_xml_path(tmp_path / "nowhere.xml")


def test_nothing_is_said_about_what_comes_after_broken_xml():
    text = """<mujoco><worldbody><geom type="mesh" mesh="m" material="x"/>
    <geom name="a"size="1"/></worldbody><asset><mesh name="m" file="m.obj"/><material name="x"/></asset></mujoco>"""
    with pytest.raises(MjcfError) as error:
        Model.from_xml_string(text)
    (problem,) = error.value.problems
    assert "not valid XML" in problem.message and problem.line == 2


def test_what_refers_to_a_refused_element_is_not_wrong():
    *refused, other = problems_of(
        """<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
<actuator><plugin name="p" plugin="mujoco.pid" joint="j"/></actuator>
<sensor><actuatorpos actuator="p"/><actuatorpos actuator="pq"/></sensor></mujoco>"""
    )
    assert ["is not declared" in problem.message for problem in refused] == [True]
    assert "actuator='pq'" in other.message


def test_refused_physics_is_all_that_is_wrong_with_what_it_is_part_of():
    text = """<mujoco><asset><mesh name="m"><plugin plugin="p"/></mesh></asset>
    <worldbody><body><freejoint/><geom type="sdf" mesh="m"/></body>
    <flexcomp name="f" count="3 3 1"><plugin plugin="p"/></flexcomp></worldbody>
    <equality><weld body1="f_0"/></equality></mujoco>"""
    with pytest.raises(MjcfError) as error:
        Model.from_xml_string(text)
    assert [problem.line for problem in error.value.problems] == [1, 3]
    first, second = (problem.message for problem in error.value.problems)
    assert "is not declared" in first and "not supported" in second
