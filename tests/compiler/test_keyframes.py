"""Keyframes together with replicate, and keyframes that come along with attached models: MuJoCo's, number by number."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx import MjcfError, Model
from tests.compiler.compare import HULL_ORDER, differences

LEG = """<body name="leg" pos="0 0 1"><joint name="hip" axis="0 1 0"/><geom size=".1"/>
<body name="shin"><joint name="knee" type="slide"/><geom size=".1"/></body></body>"""
MOCAP = '<body name="ghost" mocap="true" pos="1 2 3" quat="1 1 0 0"><geom size=".1"/></body>'
BEFORE = '<body name="first"><joint name="first"/><geom size=".1"/></body>'
AFTER = '<body name="last" pos="0 0 5"><freejoint name="last"/><geom size=".1"/></body>'
MOTORS = '<actuator><general name="p" joint="hip" dyntype="integrator"/><motor name="q" joint="knee"/></actuator>'


def numbers(count: int, seed: int = 0) -> str:
    return " ".join(map(str, np.random.default_rng(seed).normal(size=count).round(3).tolist()))


def assert_equal(xml: str, files: dict[str, str] | None = None, skip: tuple[str, ...] = ()) -> None:
    """Both engines refuse the model, or make the same one."""
    given = {name: text.encode() for name, text in (files or {}).items()}
    try:
        theirs = mujoco.MjModel.from_xml_string(xml, given)
    except ValueError as error:
        with pytest.raises(MjcfError):
            print(Model.from_xml_string(xml, given), "but MuJoCo:", error)
        return
    assert differences(Model.from_xml_string(xml, given), theirs, (*HULL_ORDER, "paths", "npaths", *skip)) == {}


# --- replicate


def replicated(key: str, before: str = "", after: str = "", mocap: str = "", count: int = 3) -> str:
    inner = f'<replicate count="{count}" offset="1 0 0">{LEG}{mocap}</replicate>'
    return f"<mujoco><worldbody>{before}{inner}{after}</worldbody>{MOTORS}<keyframe>{key}</keyframe></mujoco>"


@pytest.mark.parametrize("after", ["", AFTER])
@pytest.mark.parametrize("before", ["", BEFORE])
@pytest.mark.parametrize("missing", [4, 5, 1, 0, -1])
def test_positions_and_velocities_of_copies(before, after, missing):
    """As many numbers as all copies need, as the model had before it was copied, and others."""
    count = 6 + bool(before) + 7 * bool(after)
    key = f'<key name="k" qpos="{numbers(count - missing)}"/>'
    assert_equal(replicated(key, before, after))
    key = f'<key name="k" qvel="{numbers(count - bool(after) - missing)}"/>'
    assert_equal(replicated(key, before, after))


@pytest.mark.parametrize("copies", [1, 3])
def test_controls_and_mocap_bodies_of_copies(copies):
    key = f'<key ctrl="{numbers(2 * copies)}" act="{numbers(copies, 1)}"/>'
    assert_equal(replicated(key, BEFORE, AFTER))
    key += f'<key time="2" mpos="{numbers(3 * copies)}" mquat="{numbers(4 * copies, 1)}"/>'
    assert_equal(replicated(key, BEFORE, mocap=MOCAP))


@pytest.mark.parametrize("count", [0, 1, 11])
def test_any_number_of_copies(count):
    assert_equal(replicated(f'<key qpos="{numbers(2 * count + 1)}"/>' if count else "<key/>", BEFORE, count=count))


def test_copies_of_copies():
    inner = f'<replicate count="2" offset="0 0 1" sep="-">{LEG}</replicate>'
    body = f'<body name="o"><joint name="x"/><geom size=".1"/>{inner}</body>'
    outer = f'<replicate count="2" offset="1 0 0">{body}</replicate>'
    assert_equal(f'<mujoco><worldbody>{outer}</worldbody><keyframe><key qpos="{numbers(10)}"/></keyframe></mujoco>')


# --- attach

#: A model to be attached: two joints, a mocap body, two actuators, two keyframes.
CHILD = f"""<mujoco><worldbody>{LEG}{MOCAP}</worldbody>{MOTORS}
<keyframe>
  <key name="bent" time="1" qpos=".1 .2" qvel=".3 .4" ctrl=".5 .6" act=".7" mpos="7 8 9" mquat="0 1 0 0"/>
  <key name="partly" qpos="-.5 .25"/><key qvel="1 2"/>
</keyframe></mujoco>"""
MANY = CHILD.replace(LEG, f'<replicate count="2" offset="0 1 0">{LEG}</replicate>').replace(
    'qpos=".1 .2" qvel=".3 .4" ctrl=".5 .6" act=".7"', 'qpos="1 2 3 4" qvel="5 6 7 8" ctrl="1 2 3 4" act="5 6"'
).replace('qpos="-.5 .25"', 'qpos="4 3 2 1"').replace('qvel="1 2"', 'qvel="4 5 6 7"')  # fmt: skip


def attached(body: str, key: str = "", motors: str = "") -> str:
    return f"""<mujoco><asset><model name="child" file="child.xml"/></asset><worldbody>{body}</worldbody>{motors}
    <keyframe>{key}</keyframe></mujoco>"""


ONE_LEG = '<attach model="child" body="leg" prefix="a-"/>'
ATTACHMENTS = {
    "all of it": '<attach model="child" prefix="a-"/>',
    "one body": ONE_LEG,
    "an inner body": '<attach model="child" body="shin" prefix="a-"/>',
    "the mocap body": '<attach model="child" body="ghost" prefix="a-"/>',
    "twice": '<attach model="child" prefix="a-"/><frame pos="0 3 0"><attach model="child" prefix="b-"/></frame>',
    "parts": ONE_LEG + '<attach model="child" body="shin" prefix="b-"/>',
    "on a body": f'{BEFORE}<body name="torso"><freejoint/><geom size=".2"/>{ONE_LEG}</body>',
    "before others": ONE_LEG + AFTER,
    "replicated": f'{BEFORE}<replicate count="2" offset="1 0 0">{ONE_LEG}</replicate>',
}


@pytest.mark.parametrize("child", ["plain", "copies"])
@pytest.mark.parametrize("name", ATTACHMENTS)
def test_keyframes_come_along(name, child):
    if child == "copies" and "body=" in ATTACHMENTS[name]:
        pytest.skip("the names of copies are others")
    assert_equal(attached(ATTACHMENTS[name]), {"child.xml": CHILD if child == "plain" else MANY})


@pytest.mark.parametrize("size", ["own", "whole"])
def test_keyframes_of_both_models(size):
    motor = '<actuator><motor joint="first"/></actuator>'
    key = f'<key name="mine" qpos="{numbers(1 if size == "own" else 3)}" ctrl="{numbers(1 if size == "own" else 3)}"/>'
    assert_equal(attached(BEFORE + ATTACHMENTS["all of it"], key, motor), {"child.xml": CHILD})


def test_models_within_models():
    """MuJoCo warns that it forgets the outer prefix of such keyframes; ours have it, everything else is equal."""
    middle = attached(BEFORE + ATTACHMENTS["all of it"], '<key name="middle" qpos=".9"/>')
    top = attached(AFTER + '<attach model="child" prefix="top-"/>').replace("child.xml", "middle.xml")
    files = {"middle.xml": middle, "child.xml": CHILD}
    assert_equal(top, files, ("names", "names_map", "nnames", "name_keyadr", "nnames_map"))
    names = Model.from_xml_string(top, files).names.names["key"]
    assert names == ("top-middle", "top-a-bent", "top-a-partly", "top-a-")
