"""Worlds that pictures are taken of in tests, and random cameras."""

from __future__ import annotations

from functools import cache

import numpy as np

import phalanx

#: Every kind of geom, some with textures; a mirror, a light that casts shadows, a spot, see-through geoms, a tendon.
EVERY_KIND = """
<mujoco model="every kind">
  <visual><headlight ambient=".2 .2 .2" diffuse=".3 .3 .3"/><map fogstart="2" fogend="6"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".6 .7 .9" rgb2=".1 .2 .3" width="32" height="192"/>
    <texture name="tiles" type="2d" builtin="checker" rgb1=".8 .8 .8" rgb2=".3 .4 .5" width="64" height="64"/>
    <texture name="cube" type="cube" builtin="flat" mark="cross" rgb1=".8 .3 .2" markrgb="1 1 1" width="32"
      height="192"/>
    <material name="floor" texture="tiles" texrepeat="2 2" texuniform="true" reflectance=".3"/>
    <material name="tiled" texture="tiles" texrepeat="3 3" specular=".9" shininess=".8"/>
    <material name="cube" texture="cube" emission=".2"/>
    <mesh name="torus" builtin="supertorus" params="20 .3 1 1" scale=".3 .3 .3"/>
    <mesh name="ball" builtin="sphere" params="2" scale=".2 .2 .2"/>
    <hfield name="hill" nrow="6" ncol="9" size=".5 .4 .2 .1"
      elevation="0 0 0 0 0 0 0 0 0 0 1 2 3 2 1 2 1 0 0 2 3 5 4 3 1 1 0 0 1 2 4 5 2 3 2 0 0 1 1 2 2 1 3 1 0
      0 0 0 0 0 0 0 0 0"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 4" dir="-.3 .2 -1" directional="true" diffuse=".6 .6 .6"/>
    <light name="lamp" pos="1 -1 2" dir="-.4 .4 -1" cutoff="40" exponent="5" attenuation="1 .1 .05"/>
    <camera name="fixed" pos="1.6 -2.6 1.7" xyaxes=".85 .52 0 -.22 .37 .9"/>
    <camera name="parallel" pos="1.6 -2.6 1.7" xyaxes=".85 .52 0 -.22 .37 .9" projection="orthographic" fovy="3"/>
    <geom name="floor" type="plane" size="0 0 .1" material="floor"/>
    <geom name="hill" type="hfield" hfield="hill" pos="-1 1 .1" material="tiled"/>
    <geom name="box" type="box" size=".2 .15 .1" pos="-.9 -.6 .15" euler="0 0 30" material="cube"/>
    <geom name="glass" type="box" size=".02 .3 .25" pos=".75 -.5 .3" rgba=".3 .6 .9 .4"/>
    <body pos="0 0 .6">
      <freejoint/>
      <geom name="sphere" size=".15" material="tiled"/>
      <geom name="capsule" type="capsule" size=".07" fromto=".2 0 0 .5 .2 .2" rgba=".9 .5 .2 1"/>
      <geom name="ellipsoid" type="ellipsoid" size=".1 .2 .15" pos="-.4 .1 .1" rgba=".3 .8 .4 1"/>
      <geom name="cylinder" type="cylinder" size=".1 .12" pos="0 -.4 .1" euler="40 20 0" material="tiled"/>
      <geom name="torus" type="mesh" mesh="torus" pos=".3 .5 .4" euler="50 0 0" rgba=".8 .7 .3 1"/>
      <site name="tip" pos="0 0 .4" size=".03"/>
    </body>
    <body pos=".9 .6 .4">
      <joint type="slide" axis="0 0 1"/>
      <geom name="blob" type="sdf" mesh="ball" rgba=".7 .3 .7 1"/>
    </body>
    <site name="anchor" pos="0 0 1.6" size=".03"/>
  </worldbody>
  <tendon><spatial name="rope" width=".01" rgba=".9 .9 .2 1"><site site="tip"/><site site="anchor"/></spatial></tendon>
</mujoco>
"""


@cache
def every_kind() -> phalanx.Data:
    """A world with every kind of geom."""
    return phalanx.Model.from_xml_string(EVERY_KIND).make_data().forward()


@cache
def built_in(name: str) -> phalanx.Data:
    """A built-in model in its first keyframe."""
    return phalanx.load(name).make_data().reset(0).forward()


def random_camera(rng: np.random.Generator, model: phalanx.Model) -> phalanx.Camera:
    """A free camera that looks at the model from above."""
    extent = float(model.stat.extent)
    return phalanx.Camera(
        lookat=np.asarray(model.stat.center) + rng.normal(0, 0.1 * extent, 3),
        distance=extent * rng.uniform(0.8, 2.0),
        azimuth=rng.uniform(0, 360),
        elevation=rng.uniform(-70, -5),
    )
