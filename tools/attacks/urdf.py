"""Attack on the readers of robots: URDF with extreme attributes, damaged texts and meshes, xacro, too much of everything.

Whatever a file holds, reading it in any way gives a Model or one of our own errors; a Model that was read can be written
as MJCF and is the same when it is read again.
"""

# ruff: noqa: E501 : a robot is easier to read in few lines

from __future__ import annotations

import random
import re
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import phalanx
from phalanx import Spec
from phalanx.tables.urdf_schema import JOINTS
from tools.attack_damage import EXTREME, damaged_bytes, damaged_text
from tools.attack_worker import LONGEST, attack_with, work
from tools.attack_worker import finding as found_with
from tools.attacks.mjcf import TETRAHEDRON, png, stl


class Case(NamedTuple):
    """A robot with the files that it names, how it is read, and what was done to it."""

    text: str
    assets: dict[str, bytes]
    settings: dict[str, Any]
    what: str
    is_macro: bool = False


#: A robot with everything that URDF has words for.
ROBOT = """<?xml version="1.0"?><robot name="r" version="1.0">
<mujoco><compiler balanceinertia="true" discardvisual="false"/><option timestep=".002" gravity="0 0 -9"><flag contact="enable"/></option><size nuserdata="2"/></mujoco>
<material name="red"><color rgba="1 0 0 1"/></material><material name="wood"><texture filename="a.png"/></material>
<link name="base"><inertial><origin xyz="0 0 .1" rpy="0 .1 0"/><mass value="2"/><inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial>
<visual name="v"><origin xyz="0 0 1"/><geometry><box size=".1 .2 .3"/></geometry><material name="red"/></visual>
<collision name="c"><origin rpy="0 0 1"/><geometry><cylinder radius=".1" length=".3"/></geometry></collision></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx=".02" ixy="0" ixz="0" iyy=".02" iyz="0" izz=".02"/></inertial>
<visual><geometry><mesh filename="package://pkg/a.obj" scale="1 1 2"/></geometry><material name="blue"><color rgba="0 0 1 1"/></material></visual>
<collision><geometry><mesh filename="a.stl"/></geometry></collision><collision><geometry><capsule radius=".1" length=".2"/></geometry></collision></link>
<link name="hand"><inertial><mass value=".5"/><inertia ixx=".01" ixy=".001" ixz="0" iyy=".01" iyz="0" izz=".01"/></inertial><collision><geometry><sphere radius=".1"/></geometry></collision></link>
<link name="finger"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link><link name="tip"/>
<joint name="j1" type="revolute"><origin xyz="0 0 1" rpy="0 0 .5"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><calibration rising="0"/><dynamics damping=".1" friction=".2"/><limit lower="-1" upper="1" effort="10" velocity="3"/><safety_controller soft_lower_limit="-1" soft_upper_limit="1" k_position="1" k_velocity="2"/></joint>
<joint name="j2" type="prismatic"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/><limit lower="0" upper=".1" effort="5" velocity="1"/></joint>
<joint name="j3" type="continuous"><parent link="hand"/><child link="finger"/><axis xyz="1 1 0"/><mimic joint="j2" multiplier="2" offset=".1"/></joint>
<joint name="j4" type="fixed"><parent link="finger"/><child link="tip"/></joint>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="j1"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint><actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
<gazebo reference="arm"><mu1>1</mu1></gazebo></robot>"""

#: A xacro file that makes such links.
MACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="3"/><xacro:arg name="size" default="0.2"/>
<xacro:macro name="part" params="name mass:=1 *shape"><link name="${name}"><inertial><mass value="${mass * 2}"/><inertia ixx="${mass/10}" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial>
<collision><geometry><xacro:insert_block name="shape"/></geometry></collision></link></xacro:macro>
<xacro:part name="a"><box size="$(arg size) ${n} ${sin(n)}"/></xacro:part><xacro:if value="${n > 2}"><xacro:part name="b" mass="2"><sphere radius=".1"/></xacro:part></xacro:if>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-${pi}" upper="${pi / 2}" effort="1" velocity="1"/></joint></robot>"""


def files() -> dict[str, bytes]:
    """The files that the robot names."""
    return {"package://pkg/a.obj": TETRAHEDRON, "a.stl": stl(), "a.png": png()}


def _settings(rng: random.Random) -> dict[str, Any]:
    return {
        "style": rng.choice(("phalanx", "mujoco")),
        "base": rng.choice(("fixed", "floating")),
        "actuators": rng.choice(("transmissions", "motor", "position", None)),
        "repair": rng.random() < 0.7,
    }


_VALUE = re.compile(r'(\w+)="([^"]*)"')
#: How many attributes the robot has.
ATTRIBUTES = len(_VALUE.findall(ROBOT))


def attribute_case(number: int, rng: random.Random) -> Case:
    """The robot with one extreme attribute, or two of them."""
    text, told = ROBOT, []
    for chosen in {number, *(rng.sample(range(ATTRIBUTES), 1) if rng.random() < 0.3 else ())}:
        match = [*_VALUE.finditer(text)][chosen]
        words = match[2].split() or [""]
        kinds = (*EXTREME, *JOINTS, "j1", "arm", "tip", "red", "package://", "file:///dev/zero", "model://a/../../b")
        words[rng.randrange(len(words))] = rng.choice(kinds).replace('"', "")
        value = " ".join(words).replace("<", "&lt;")
        text = text[: match.start(2)] + value + text[match.end(2) :]
        told.append(f"{match[1]}={value[:60]!r}")
    return Case(text, files(), _settings(rng), ", ".join(told))


def text_case(rng: random.Random) -> Case:
    """A damaged text."""
    text = damaged_text(ROBOT, rng)
    return Case(text, files(), _settings(rng), f"damaged text {zlib.crc32(text.encode('utf-8', 'replace'))}")


def file_case(rng: random.Random) -> Case:
    """A damaged mesh or picture."""
    assets = files()
    name = rng.choice([*assets])
    assets[name] = damaged_bytes(assets[name], rng)
    return Case(ROBOT, assets, _settings(rng), f"damaged {name}: {assets[name][:60]!r}")


def macro_case(rng: random.Random) -> Case:
    """A damaged xacro file."""
    text = damaged_text(MACRO, rng)
    return Case(text, {}, {}, f"damaged xacro {zlib.crc32(text.encode('utf-8', 'replace'))}", is_macro=True)


def _chain(count: int, kind: str, inside: str) -> str:
    links = "".join(f'<link name="l{k}">{inside}</link>' for k in range(count))
    joints = "".join(
        f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/></joint>'
        for k in range(count - 1)
    )
    return f"<robot>{links}{joints}</robot>"


def _greedy(rng: random.Random) -> Iterator[Callable[[], tuple[str, str]]]:
    """Robots that ask for much, and what they are."""
    n = rng.choice((300, 1000, 3000))
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    yield lambda: (_chain(n, "fixed", mass), f"{n} fixed links in a chain")
    yield lambda: (_chain(n // 10, "revolute", mass + box), f"{n // 10} links in a chain")
    yield lambda: (f"<robot><link name='a'>{box * n}</link></robot>", f"{n} shapes")
    yield lambda: (f"<robot>{'<link/>' * n}</robot>", f"{n} mistakes")
    yield lambda: (f"<robot>{'<foo>' * n}{'</foo>' * n}</robot>", f"{n} unknown elements in each other")
    yield lambda: (f"<robot>{'<gazebo><a/></gazebo>' * n}<link name='a'/></robot>", f"{n} notes")
    yield lambda: (
        "<robot>"
        + "".join(
            f"<link name='l{k}'/><joint name='j{k}' type='fixed'><parent link='l{k}'/><child link='l{(k + 1) % n}'/></joint>"
            for k in range(n)
        )
        + "</robot>",
        f"a loop of {n} links",
    )
    yield lambda: (
        _chain(n // 10, "continuous", mass).replace("<parent", '<mimic joint="j0" multiplier="2"/><parent'),
        f"{n // 10} joints that mimic",
    )


def greedy_case(rng: random.Random) -> Case:
    """A robot that asks for much memory or time."""
    text, what = rng.choice([*_greedy(rng)])()
    return Case(text, {}, _settings(rng), what)


def case_of(number: int) -> Case:
    """The case with a number."""
    rng = random.Random(number)
    kind = rng.random()
    if kind < 0.5:
        return attribute_case(rng.randrange(ATTRIBUTES), rng)
    if kind < 0.8:
        return text_case(rng)
    if kind < 0.9:
        return file_case(rng)
    return macro_case(rng) if kind < 0.97 else greedy_case(rng)


def read(case: Case) -> None:
    """Read a robot, and if there is one, write it as MJCF and URDF and read both."""
    with tempfile.TemporaryDirectory() as folder:
        if case.is_macro:
            path = Path(folder) / "robot.xacro"
            path.write_text(case.text, encoding="utf-8", errors="replace")
            phalanx.load(path, repair=True)
            return
        spec = Spec.from_urdf(case.text, assets=case.assets, **case.settings)
        model = spec.compile()
        again = _again(spec.to_xml(), case.assets)
        if again.fingerprint() != model.fingerprint():
            raise AssertionError("the MJCF that was written is another model")
        model.to_urdf(Path(folder) / "again.urdf")
        phalanx.load(Path(folder) / "again.urdf", repair=True)


def _again(text: str, assets: dict[str, bytes]) -> phalanx.Model:
    """The model of a text that we wrote, which must not be refused."""
    try:
        return Spec.from_string(text, assets=assets).compile()
    except phalanx.ModelError as error:
        raise AssertionError(f"the MJCF that was written is refused: {error}") from error


def finding(case: Case, seconds: float = LONGEST) -> str:
    """What is wrong with how a case is treated, "" if nothing is."""
    return found_with(case.what, lambda: read(case), seconds)


def attack(seed: int, seconds: float) -> list[str]:
    """Read damaged and greedy robots for some seconds; everything that was found, one line each."""
    return attack_with("urdf", seed, seconds)


if __name__ == "__main__":
    work(lambda number: finding(case_of(number)))
