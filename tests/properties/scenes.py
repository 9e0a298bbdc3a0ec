"""Scenes that run freely for a long time: a stack, a fall, a grasp. Both engines simulate them."""

from __future__ import annotations

BOXES, EDGE = 10, 0.1


def stack() -> str:
    """Ten cubes on each other."""
    bodies = "".join(
        f'<body pos="0 0 {EDGE * (k + 0.5)}"><freejoint/><geom name="box{k}" type="box" size="{EDGE / 2} {EDGE / 2} '
        f'{EDGE / 2}" mass="1"/></body>'
        for k in range(BOXES)
    )
    return f'<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>'


def grasp() -> str:
    """Two fingers press a cube from both sides and hold it above the ground by friction."""
    finger = """
    <body name="{side}" pos="{x} 0 1">
      <joint name="{side}" type="slide" axis="{axis} 0 0" damping="1"/>
      <geom name="{side}" type="box" size=".01 .03 .03" mass=".2" condim="4" friction="1 .01 .001"/>
    </body>"""
    return f"""<mujoco>
      <option cone="elliptic" impratio="10" noslip_iterations="{{noslip}}"/>
      <worldbody>
        <geom name="floor" type="plane" size="5 5 1"/>
        {finger.format(side="left", x=-0.05, axis=1)}{finger.format(side="right", x=0.05, axis=-1)}
        <body name="cube" pos="0 0 1"><freejoint/>
          <geom name="cube" type="box" size=".03 .03 .03" mass=".1" condim="4" friction="1 .01 .001"/></body>
      </worldbody>
      <actuator><motor joint="left" gear="1"/><motor joint="right" gear="1"/></actuator>
    </mujoco>"""
