"""compiler/conflict: settings of attached models, as MuJoCo resolves them."""

from __future__ import annotations

import mujoco
import pytest

from phalanx import MjcfError, Model
from tests.compiler.compare import differences

CHILD = """<mujoco>{}<worldbody><body name="c"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>"""
PARENT = """<mujoco><compiler conflict="{}"/>{}
<asset><model name="m" file="c.xml"/><model name="n" file="d.xml"/></asset>
<worldbody><attach model="m" prefix="x-"/><attach model="n" prefix="y-"/></worldbody></mujoco>"""
#: What the outer model, the first and the second attached one write.
CASES = {
    "nothing": ("", "", ""),
    "adopted": ("", '<option timestep=".01"/>', ""),
    "adopted twice": ("", '<option timestep=".01"/>', '<option timestep=".02"/>'),
    "least": ('<option timestep=".003" tolerance="1e-6"/>', '<option timestep=".01" tolerance="1e-7"/>', ""),
    "most": ('<option iterations="7"/>', '<option iterations="9"/>', '<option ls_iterations="60"/>'),
    "equal": ('<option timestep=".01"/>', '<option timestep=".01"/>', ""),
    "default written": ('<option timestep=".01"/>', '<option timestep=".002"/>', ""),
    "others": ('<option gravity="0 0 -1"/>', '<option timestep=".01" wind="1 2 3"/>', '<option density="2"/>'),
    "keywords": ("", '<option integrator="RK4" cone="elliptic"/>', ""),
    "other keywords": ('<option integrator="implicit"/>', '<option integrator="RK4"/>', ""),
    "vectors": ('<option gravity="0 0 -1"/>', '<option gravity="0 0 -2"/>', ""),
    "several options": ('<option timestep=".01"/><option timestep=".02"/>', '<option timestep=".015"/>', ""),
    "flags": ("", '<option><flag contact="disable" energy="enable"/></option>', ""),
    "flags of both": (
        '<option><flag gravity="disable"/></option>', '<option><flag contact="disable" energy="enable"/></option>',
        '<option><flag limit="disable" gravity="disable"/></option>',
    ),
    "flags that differ": (
        '<option><flag contact="enable" energy="enable"/></option>',
        '<option><flag contact="disable" energy="disable"/></option>', "",
    ),
    "flags that are off": (
        '<option><flag contact="disable"/></option>', '<option><flag contact="enable"/></option>', "",
    ),
    "groups": ('<option actuatorgroupdisable="1"/>', '<option actuatorgroupdisable="2 3"/>', ""),
    "statistics": ('<statistic extent="5"/>', '<statistic extent="7" meansize="3"/>', ""),
    "pictures": ('<visual><map znear=".3"/></visual>', '<visual><map znear=".5"/></visual>', ""),
    "sizes": ("", '<size nuser_body="3" nkey="4" nuserdata="7" memory="10M"/>', ""),
    "sizes of both": ('<size nuserdata="2" memory="9M"/>', '<size nuserdata="7" memory="1G"/>', '<size nkey="5"/>'),
    "default sizes": ('<size nuserdata="2"/>', '<size nuserdata="0" nkey="0"/>', ""),
    "compiler": ("", '<compiler boundmass="100" angle="radian"/>', ""),
}  # fmt: skip


@pytest.mark.parametrize("policy", ["warning", "merge", "error"])
@pytest.mark.parametrize("name", CASES)
def test_settings_are_mujocos(name, policy):
    parent, first, second = CASES[name]
    xml = PARENT.format(policy, parent)
    files = {"c.xml": CHILD.format(first).encode(), "d.xml": CHILD.format(second).encode()}
    try:
        theirs = mujoco.MjModel.from_xml_string(xml, files)
    except ValueError as error:
        assert "conflict" in str(error)
        with pytest.raises(MjcfError, match="in the attached model"):
            Model.from_xml_string(xml, files)
        return
    assert differences(Model.from_xml_string(xml, files), theirs) == {}
