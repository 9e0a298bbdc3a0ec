"""Small worlds and trajectories of them, for tests of what is shown."""

from __future__ import annotations

import phalanx
from phalanx import Trajectory

#: Two boxes, of which one falls onto the floor and one hangs on a hinge; names that try to break out of a page.
BOXES = """<mujoco model="two &lt;b&gt;boxes&lt;/b&gt;">
  <asset>
    <texture name="tiles" type="2d" builtin="checker" rgb1=".9 .9 .9" rgb2=".5 .5 .6" width="32" height="32"/>
    <material name="floor" texture="tiles" texrepeat="4 4" reflectance=".2"/>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir=".3 .3 -1" directional="true"/>
    <camera name="front" pos="0 -2 .8" xyaxes="1 0 0 0 .3 1"/>
    <geom name="floor" type="plane" size="2 2 .1" material="floor"/>
    <body name="&lt;/script&gt;&lt;script&gt;broken=1&lt;/script&gt;" pos="0 0 .5">
      <freejoint/><geom type="box" size=".2 .2 .2" rgba="1 0 0 1"/>
    </body>
    <body name="arm" pos=".7 0 .8">
      <joint name="swing" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 0 0 -.4" rgba="0 .6 0 1"/>
      <geom type="mesh" mesh="wedge" pos="0 0 -.5" rgba="0 0 1 1"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="swing"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/></sensor>
</mujoco>"""


def boxes() -> phalanx.Model:
    """The model of the two boxes."""
    return phalanx.Model.from_xml_string(BOXES)


def fall(model: phalanx.Model, steps: int = 250, every: int = 5, push: float = 0.0, marks=None) -> Trajectory:
    """A run from the initial state, half a second unless asked otherwise."""
    data = model.make_data()
    data.qvel[-1], data.ctrl[:] = 3.0, push
    recorder = Trajectory.recorder(data, marks=marks)
    for step in range(steps):
        if marks is not None:
            marks.arrow("up", start=data.qpos[:3], direction=(0, 0, 0.4))
        if step % every == 0:
            data.forward()
            recorder.capture()
        data.step()
    return recorder.trajectory
