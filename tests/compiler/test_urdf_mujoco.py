"""URDF files in MuJoCo's style: every field is what MuJoCo compiles."""

# ruff: noqa: E501 : a robot is easier to read in one line

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import MjcfError, Spec
from tests.compiler.compare import HULL_ORDER, differences
from tests.compiler.robots import MUJOCO, ROBOTS


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_is_compiled_as_by_mujoco(name):
    ours = Spec.from_urdf(ROBOTS[name], style="mujoco").compile()
    assert differences(ours, mujoco.MjModel.from_xml_string(ROBOTS[name])) == {}


@pytest.mark.parametrize("name", [name for name, text in ROBOTS.items() if "<mujoco>" not in text])
def test_links_and_visuals_that_are_kept_are_those_of_mujoco(name):
    text = ROBOTS[name].replace('<robot name="r">', f'<robot name="r">{MUJOCO}')
    ours = Spec.from_urdf(text, style="mujoco").compile()
    assert differences(ours, mujoco.MjModel.from_xml_string(text)) == {}


def _tetrahedron(size: float) -> str:
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in (size * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])))
    return points + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


MESHES = {"a/m.obj": _tetrahedron(1), "b/m.obj": _tetrahedron(2), "m1.obj": _tetrahedron(3)}
#: Names of meshes are made from those of files; scales and folders make more of them.
MESHED = "".join(
    f'<collision><geometry><mesh filename="{file}"{scale}/></geometry></collision>'
    for file, scale in (
        ("a/m.obj", ""), ("m1.obj", ""), ("a/m.obj", ' scale="2 2 -2"'), ("b/m.obj", ""), ("a/m.obj", ' scale="1 1 1"'),
    )
)  # fmt: skip


@pytest.mark.parametrize("settings", ["", '<mujoco><compiler meshdir="." strippath="false"/></mujoco>'])
def test_meshes_are_those_of_mujoco(tmp_path, settings):
    path = tmp_path / "robot.urdf"
    for name, data in MESHES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(data)
    path.write_text(f'<robot name="r">{settings}<link name="base">{MESHED}</link></robot>')
    ours = phalanx.load(path, style="mujoco")
    assert ours.names.names["mesh"] == ("m", "m1", "m1_1", "m2")
    assert differences(ours, mujoco.MjModel.from_xml_path(str(path)), skip=HULL_ORDER) == {}


REFUSED = {
    "no type": '<link name="a"/><link name="b"/><joint name="j"><parent link="a"/><child link="b"/></joint>',
    "two parents": '<link name="a"/><link name="b"/>'
    + 2 * '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>',
    "no such link": '<link name="a"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>',
    "two links": '<link name="a"/><link name="a"/>',
    "no name": "<link/>",
    "no shape": '<link name="a"><collision><geometry/></collision></link>',
    "no mass": '<link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>',
    "impossible inertia": '<link name="a"><inertial><mass value="1"/><inertia ixx="3" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>',
    "negative inertia": '<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="-1" ixy="0" ixz="0" iyz="0"/></inertial></link>',
    "negative inertia with a bound": '<mujoco><compiler boundinertia="1"/></mujoco><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="-1" ixy="0" ixz="0" iyz="0"/></inertial></link>',
    "unknown shape": '<link name="a"><collision><geometry><plane/></geometry></collision></link>',
    "world that is no link": '<link name="b"><inertial><mass value="1"/></inertial></link><joint name="j" type="fixed"><parent link="world"/><child link="b"/></joint>',
    "no inertia": '<link name="a"><inertial><mass value="1"/></inertial></link>',
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_mujoco_refuses_is_refused(name):
    text = f"<robot>{REFUSED[name]}</robot>"
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)
    for style in ("mujoco", "phalanx"):
        with pytest.raises(MjcfError):
            Spec.from_urdf(text, style=style).compile()


@pytest.mark.parametrize(
    "text", [ROBOTS["fixed"], "<mujoco model='m'><worldbody><geom size='.1'/></worldbody></mujoco>"]
)
@pytest.mark.parametrize(("before", "after"), [("\n \t", ""), ("\ufeff\n", ""), ("", "\n\0"), ("", "\0\0\n")])
def test_space_before_the_declaration_and_zeros_at_the_end_do_not_matter(tmp_path, text, before, after):
    path = tmp_path / ("robot.urdf" if "<robot" in text else "model.xml")
    path.write_bytes((before + '<?xml version="1.0"?>' + text + after).encode())
    ours = phalanx.load(path, style="mujoco") if "<robot" in text else phalanx.load(path)
    assert differences(ours, mujoco.MjModel.from_xml_path(str(path))) == {}


def test_places_after_a_late_declaration_are_those_of_the_file():
    with pytest.raises(MjcfError, match="model:3:"):
        Spec.from_urdf('\n<?xml version="1.0"?>\n<robot><link/></robot>').compile()
    with pytest.raises(MjcfError, match="not valid XML"):
        Spec.from_string("<mujoco/>\0<!-- more -->").compile()
