"""What real models hold without effect: MuJoCo passes over it, and so do we, with a warning."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import warnings

import mujoco
import pytest

from phalanx import MjcfWarning, Model
from tests.compiler.compare import HULL_ORDER, differences

WORLD = "<mujoco><worldbody>{}</worldbody></mujoco>"
GEOM = '<geom size=".1"/>'
#: Model -> what the warning says, with its place.
PASSED = {
    "empty color": (WORLD.format('<geom size=".1" rgba=""/>'), "model:1:36: geom: rgba is empty"),
    "blank color": (WORLD.format('<geom size=".1" rgba=" "/>'), "model:1:36: geom: rgba is empty"),
    "empty position": (WORLD.format('<body pos="" quat=""><geom size=".1"/></body>'), "model:1:26: body: pos is empty"),
    "empty default": (f'<mujoco><default><geom rgba="1 0 0 1" condim=""/></default><worldbody>{GEOM}</worldbody></mujoco>',
                      "model:1:39: geom: condim is empty"),
    "prefix of replicate": (WORLD.format(f'<replicate count="2" prefix="p">{GEOM}</replicate>'),
                            "model:1:41: replicate: attribute 'prefix' has no effect"),
    "text": (WORLD.format("hello" + GEOM), "model:1:25: worldbody: text 'hello' outside of any attribute"),
    "text after an element": (WORLD.format(GEOM + " hello"), "text 'hello' outside of any attribute"),
    "text as it is": (WORLD.format("<![CDATA[hello]]>" + GEOM), "text 'hello' outside of any attribute"),
}  # fmt: skip


@pytest.mark.parametrize("name", PASSED)
def test_mujocos_model_comes_with_a_warning(name):
    text, message = PASSED[name]
    with pytest.warns(MjcfWarning) as caught:
        ours = Model.from_xml_string(text)
    assert message in str(caught[0].message) and caught[0].filename == __file__
    assert differences(ours, mujoco.MjModel.from_xml_string(text), HULL_ORDER) == {}


def test_there_is_one_warning_for_each_cause():
    text = WORLD.format('<geom size=".2" rgba=""/>' * 3 + "hello" + GEOM + "there")
    with pytest.warns(MjcfWarning) as caught:
        Model.from_xml_string(text)
    first, second = (str(one.message) for one in caught)
    assert first.endswith("(and 2 more like it)") and "(and 1 more like it)" in second


def test_sound_models_come_without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Model.from_xml_string("<mujoco><!-- note --><custom><text name='a'>some text</text></custom></mujoco>")


@pytest.mark.parametrize(
    ("corners", "others"), [(99, True), (100, True), (101, True), (300, True), (101, False), (300, False)]
)
def test_faces_with_more_than_100_corners_are_left_out(corners, others):
    from tests.compiler.test_limits import MESH, _polygon

    mesh = _polygon(corners)
    if others:
        mesh += "".join(f"\nf {k + 1} {(k + 1) % corners + 1} {corners + 1}" for k in range(corners))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ours = Model.from_xml_string(MESH.format("a.obj"), {"a.obj": mesh})
    theirs = mujoco.MjModel.from_xml_string(MESH.format("a.obj"), {"a.obj": mesh.encode()})
    assert ours.mesh_face.tolist() == theirs.mesh_face.tolist()
    assert [str(one.message) for one in caught] == (
        ["model:1:31: mesh 'm': 1 faces with more than 100 corners are left out, as in MuJoCo"] if corners > 100 else []
    )
