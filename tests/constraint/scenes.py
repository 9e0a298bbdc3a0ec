"""Small scenes, each about one kind of row."""

from __future__ import annotations

from typing import Any

import mujoco

SCENE = """<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <option {option}><flag {flags}/></option>
  <default>{default}</default>
  <worldbody>{bodies}</worldbody>
  {rest}
</mujoco>"""

#: A chain of joints of every type with a site each, another that starts at its second link, a free body, a mocap body.
BODIES = """
  <site name="s0" pos=".1 .2 .3" euler=".1 .2 .3"/>
  <body name="a" pos="0 0 1"><joint name="a" axis="0 1 .2"/><geom size=".1" mass="1"/>
    <body name="b" pos=".2 0 .1" euler=".3 .1 0"><joint name="b" type="ball" range="0 .8"/>
      <geom type="capsule" size=".05 .1"/>
      <site name="sb" pos="0 .1 .05" euler=".3 .2 .1"/>
      <body name="c" pos="0 .3 0"><joint name="c1" type="slide" axis="1 .2 0"/><joint name="c2" axis="0 0 1"/>
        <geom type="box" size=".1 .05 .02"/><site name="sc" pos=".1 0 0" euler="0 .4 .1"/>
        <body name="fixed" pos="0 0 .1"><geom size=".03"/></body>
      </body>
      <body name="e" pos="0 -.2 .1"><joint name="e" axis="1 0 0"/><geom type="box" size=".04 .05 .1"/></body>
    </body>
  </body>
  <body name="f" pos=".3 .1 1.2"><freejoint name="f"/><geom type="ellipsoid" size=".1 .05 .08"/><site name="sf"/></body>
  <body name="p" mocap="true" pos=".3 0 1"/>"""


def scene(rest: str = "", bodies: str = BODIES, option: str = "", flags: str = "", default: str = "") -> Any:
    """A compiled scene."""
    text = SCENE.format(rest=rest, bodies=bodies, option=option, flags=flags or 'contact="disable"', default=default)
    return mujoco.MjModel.from_xml_string(text)


def equalities(*elements: str, **options: str) -> Any:
    return scene(f"<equality>{''.join(elements)}</equality>", **options)


EQUALITIES = {
    "connect to a body": '<connect body1="b" body2="f" anchor=".1 0 .2"/>',
    "connect to the world": '<connect body1="c" anchor="0 0 .1"/>',
    "connect in one tree": '<connect body1="c" body2="e" anchor=".1 .2 0"/>',
    "connect with an ancestor": '<connect body1="c" body2="a" anchor=".1 .2 0"/>',
    "connect of sites": '<connect site1="sc" site2="sf"/>',
    "connect to a mocap": '<connect body1="p" body2="f" anchor="0 0 0"/>',
    "weld": '<weld body1="b" body2="f" torquescale=".7" anchor=".1 .2 .3"/>',
    "weld with a pose": '<weld body1="f" body2="c" relpose=".1 .2 0 .9 .1 .2 .3" torquescale="3"/>',
    "weld to the world": '<weld body1="f"/>',
    "weld in one tree": '<weld body1="c" body2="e" torquescale=".1"/>',
    "weld of sites": '<weld site1="sb" site2="sf" torquescale="1.5"/>',
    "weld of a site and the world": '<weld site1="s0" site2="sc"/>',
    "weld to a mocap": '<weld body1="p" body2="f"/>',
    "joint": '<joint joint1="a" polycoef=".2 0 0 0 0"/>',
    "two joints": '<joint joint1="a" joint2="c2" polycoef=".1 .5 -.3 .2 .1"/>',
    "two joints, the later first": '<joint joint1="e" joint2="c1" polycoef=".1 .5 -.3 .2 .1"/>',
}

TENDONS = """<tendon>
  <fixed name="t0" {t}><joint joint="a" coef=".5"/><joint joint="c2" coef="-1"/></fixed>
  <fixed name="t1"><joint joint="c1" coef="2"/><joint joint="c2" coef=".3"/><joint joint="e" coef="1"/></fixed>
  <spatial name="t2" {t}><site site="s0"/><site site="sb"/><site site="sf"/></spatial>
</tendon>"""

FEET = """
  <geom name="floor" type="plane" size="5 5 1" {floor}/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .15 .1" {foot}/></body>
  <body pos=".3 0 .09"><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/><geom type="capsule" size=".1 .1" {foot}/>
    <body pos="0 .3 0"><joint axis="1 0 0"/><geom type="sphere" size=".11" {foot}/></body>
    <body pos=".2 .3 0"><joint axis="1 1 0"/><geom type="sphere" size=".11" {foot}/></body>
  </body>"""


def feet(floor: str = "", foot: str = "", rest: str = "", **options: str) -> Any:
    """Bodies near a floor, two of them near each other."""
    return scene(rest, FEET.format(floor=floor, foot=foot), **{"flags": 'contact="enable"', **options})
