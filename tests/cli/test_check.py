"""`phalanx check`: problems of model files, in words and as data."""

from __future__ import annotations

import json

from tests.cli.test_cli import run


def test_a_good_model_is_described(tmp_path):
    path = tmp_path / "good.xml"
    path.write_text("<mujoco model='ball'><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    result = run("check", str(path))
    assert result.exit_code == 0
    assert "<Model 'ball'" in result.text


def test_problems_are_listed_with_their_places(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n<worldbody>\n  <goem/>\n  <geom siz='1'/></worldbody></mujoco>")
    result = run("check", str(path))
    assert result.exit_code == 1
    assert f"{path}:3:3: element 'goem' is not allowed in worldbody; did you mean 'geom'?" in result.text
    assert f"{path}:4:9: geom: unknown attribute 'siz'; did you mean 'size'?" in result.text


ROBOT = """<robot name="r"><link name="base"/><link name="a">
<inertial><mass value="1"/><inertia ixx="3" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><limit lower="0" upper="1" velocity="2"/></joint>
</robot>"""


def test_a_robot_is_checked_and_what_was_assumed_is_listed(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT)
    result = run("check", str(path))
    assert result.exit_code == 1 and f"{path}:2:28: inertia: link 'a': no body has" in result.text
    result = run("check", str(path), "--urdf", "repair=true", "--urdf", "actuators=motor")
    assert result.exit_code == 0 and "note: " in result.text and "velocities are not limited" in result.text
    assert "nu 1" in result.text
    (report,) = json.loads(run("check", "--json", str(path), "--urdf", "repair=true").text)
    assert {note["element"] for note in report["notes"]} == {"inertia", "limit"}
    assert "write it as NAME=VALUE" in run("check", str(path), "--urdf", "repair").text
    assert "it is true or false" in run("check", str(path), "--urdf", "repair=yes").text
    assert "did you mean 'floating'" in run("check", str(path), "--urdf", "base=flaoting").text


def test_problems_as_json(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco><worldbody><geom siz='1'/></worldbody></mujoco>")
    result = run("check", "--json", str(path))
    assert result.exit_code == 1
    (report,) = json.loads(result.output)
    assert report["file"] == str(path)
    assert report["problems"][0]["column"] == 26


def test_what_has_no_effect_is_listed_and_is_no_problem(tmp_path):
    path = tmp_path / "odd.xml"
    material = "<asset><material name='m' rgba=''/></asset>"
    cloth = "<worldbody><flexcomp name='f' type='grid' count='3 3 1'/></worldbody>"
    path.write_text(f"<mujoco>\n{material}\n<option><flag ipc='enable'/></option>\n{cloth}\n</mujoco>")
    result = run("check", str(path))
    assert result.exit_code == 0
    assert f"warning: {path}:2:27: material 'm': rgba is empty" in result.text
    left_out = "this version does not simulate contacts without penetration (flag ipc) of flex 'f'"
    assert f"warning: {path}: {left_out}" in result.text
    (report,) = json.loads(run("check", "--json", str(path)).output)
    assert report["problems"] == []
    assert len(report["warnings"]) == 2


def test_one_file_that_cannot_be_read_does_not_hide_the_others(tmp_path):
    path = tmp_path / "good.xml"
    path.write_text("<mujoco model='ball'/>")
    result = run("check", str(tmp_path / "model.step"), str(path))
    assert result.exit_code == 1
    assert "no reader for '.step'" in result.text
    assert "<Model 'ball'" in result.text
