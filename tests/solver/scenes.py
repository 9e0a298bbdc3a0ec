"""A scene with rows of every kind, and contacts of every dimension."""

from __future__ import annotations

from typing import Any

import mujoco

BALL = '<body pos="{x} {y} .095"><freejoint/><geom size=".1" condim="{condim}" friction=".6 .02 .004"/></body>'
PILES = "".join(
    BALL.format(x=0.19 * i, y=0.19 * j, condim=condim)
    for i, condim in enumerate((1, 3, 4, 6))
    for j in range(2)
)  # fmt: skip

MIXED = """<mujoco>
  <option {option}/>
  <worldbody>
    <geom type="plane" size="9 9 1" condim="{floor}" friction=".6 .02 .004"/>
    <body pos="-1 0 .25">
      <joint name="a" axis="0 1 0" range="5 20" limited="true" frictionloss=".3"/>
      <geom type="capsule" fromto="0 0 0 .3 0 -.1" size=".05"/>
      <body pos=".3 0 -.1"><joint name="b" axis="0 1 .1" frictionloss=".1" range="-10 30" limited="true"/>
        <geom name="hand" type="capsule" fromto="0 0 0 .3 0 0" size=".08" condim="{floor}"/>
        <site name="hand" pos=".3 0 0"/>
      </body>
    </body>
    <body name="held" pos="-1 1 .3"><freejoint/><geom type="box" size=".1 .1 .2" mass="3"/>
      <site name="held"/>
    </body>
    {piles}
  </worldbody>
  <tendon>
    <fixed name="t" frictionloss=".2" range=".05 .1" limited="true">
      <joint joint="a" coef=".5"/><joint joint="b" coef="-.3"/>
    </fixed>
  </tendon>
  <equality><connect body1="held" anchor="0 0 .4"/><joint joint1="a" joint2="b" polycoef="0 .5 0 0 0"/></equality>
</mujoco>"""


def mixed(floor: int = 3, option: str = "") -> Any:
    """The scene; `floor` is the smallest dimension of contacts with the floor."""
    return mujoco.MjModel.from_xml_string(MIXED.format(floor=floor, option=option, piles=PILES))
