"""Built-in meshes: every shape, way of weighing and use, equal to MuJoCo's, or refused by both."""

from __future__ import annotations

import mujoco
import pytest

from phalanx import MjcfError, Model
from tests.compiler.compare import HULL_ORDER, differences, hulls_differ

SHAPES = [
    ("sphere", "1"), ("hemisphere", "2"), ("cone", "5 .5"), ("supersphere", "6 .5 2"), ("supertorus", "6 .4 1 1"),
    ("wedge", "2 3 30 20 0"), ("wedge", "3 3 100 80 .5"), ("wedge", "4 5 180 90 1"),
    ("plate", "3 2"), ("plate", "2 2"), ("plate", "5 4"),
    ("grid", "3 2 1 .1 .2 .3 2"), ("grid", "3 2 2 .1 .2 .3 3"), ("grid", "2 2 3 .1 .2 .3"),
    ("square", "3 2 1 .1 .2 .3"), ("square", "2 2 1 -.1 .1 .1"),
    ("disc", "3 3 1 .1 .2 .3"), ("disc", "4 3 1 .1 .2 .3"), ("disc", "5 6 1 .3 .2 0"),
    ("box", "2 3 2 .1 .2 .3"), ("box", "3 3 3 .1 .2 .3 2"), ("box", "4 3 5 .1 .2 .3 2"),
    ("cylinder", "3 4 3 .1 .2 .3 2"), ("cylinder", "3 4 3 .1 .2 .3"),
    ("ellipsoid", "4 3 3 .1 .2 .3 2"), ("ellipsoid", "4 3 3 .1 .2 .3 3"),
]  # fmt: skip
WRONG = [
    ("wedge", "2 3 30 20"), ("wedge", "0 3 30 20 0"), ("wedge", "2 3 190 20 0"), ("wedge", "2 3 90 100 0"),
    ("wedge", "2 3 90 20 2"), ("plate", "1 1"), ("plate", "2"), ("plate", "0 3"), ("grid", "3 2 1 .1 .2 .3"),
    ("grid", "3 2 2 .1 .2 .3 2"), ("grid", "3 1 1 .1 .2 .3 1"), ("square", "1 2 1 .1 .1 .1"),
    ("square", "2 2 1 .1 .1"), ("disc", "3 3 2 .1 .2 .3"), ("box", "1 2 2 .1 .2 .3"), ("box", "2 2 2 .1 .2 .3 1"),
    ("cylinder", "2 2 2 .1 .2"), ("ellipsoid", "2 2"),
]  # fmt: skip
MODEL = """<mujoco><asset><mesh name="m" builtin="{}" params="{}" scale=".7 1 1.3" {}/></asset>
<worldbody><body><freejoint/><geom size="1"/><geom type="mesh" mesh="m" {}/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("shape, params", SHAPES)
def test_shapes_are_mujocos(shape, params):
    compared = 0
    for inertia in ("", 'inertia="shell"', 'inertia="convex"', 'inertia="exact"'):
        for use in ('contype="0" conaffinity="0"', ""):
            xml = MODEL.format(shape, params, inertia, use)
            try:
                theirs = mujoco.MjModel.from_xml_string(xml)
            except ValueError:
                with pytest.raises(MjcfError):
                    Model.from_xml_string(xml)
                continue
            ours = Model.from_xml_string(xml)
            assert differences(ours, theirs, HULL_ORDER) == {}, xml
            assert hulls_differ(ours, theirs) == []
            compared += 1
    assert compared


@pytest.mark.parametrize("shape, params", WRONG)
def test_wrong_parameters_are_refused(shape, params):
    xml = MODEL.format(shape, params, "", "")
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(MjcfError):
        Model.from_xml_string(xml)


@pytest.mark.parametrize("count", [3, 4, 8, 12])
def test_any_number_of_normals(count):
    normals = " ".join(("0 0 1", "1 0 0", "0 1 0")[k % 3] for k in range(count))
    xml = f"""<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
    normal="{normals}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    theirs = mujoco.MjModel.from_xml_string(xml)
    assert differences(Model.from_xml_string(xml), theirs, HULL_ORDER) == {}
