"""Worlds with contacts, for tests in JavaScript."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx

#: Balls that fall onto a floor: no contacts at first, so memory must grow.
BALLS = """<mujoco model="balls">
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="low" pos="0 0 .3"><freejoint/><geom size=".1"/></body>
    <body name="high" pos=".03 .02 .6"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <keyframe><key name="apart" qpos="0 0 .3 1 0 0 0 .5 0 .3 1 0 0 0"/></keyframe>
</mujoco>"""

#: Boxes and a mesh that topple, whose contacts are searched for; a tendon, a motor, a limit.
HEAP = """<mujoco model="heap">
  <asset><mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="base" pos="0 0 .2"><freejoint/><geom type="box" size=".2 .15 .1"/></body>
    <body name="top" pos=".05 .02 .5" euler="10 20 30"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="wedge" pos="-.05 0 .8"><freejoint/><geom type="mesh" mesh="wedge"/></body>
    <body name="arm" pos=".5 0 .6">
      <joint name="swing" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <site name="tip" pos=".3 0 0"/>
    </body>
    <site name="hook" pos=".6 .1 1"/>
  </worldbody>
  <tendon><spatial name="rope" stiffness="20"><site site="hook"/><site site="tip"/></spatial></tendon>
  <actuator><motor name="push" joint="swing" ctrlrange="-1 1"/></actuator>
  <sensor><touch site="tip"/><jointpos joint="swing"/></sensor>
</mujoco>"""

#: Each with its solver, cone and integrator.
VARIANTS: dict[str, dict[str, Any]] = {
    "humanoid": {},
    "quadruped": {"opt.integrator": "implicitfast"},
    "gripper": {"opt.cone": "elliptic", "opt.noslip_iterations": 3},
    "heap": {"opt.solver": "pgs"},
    "balls": {"opt.integrator": "rk4"},
}
#: Models with flexes: of vertices that are bodies, and of cells that bodies carry.
FLEXES = ("cloth", "soft_gripper")


def scene(name: str) -> phalanx.Data:
    """A Data in motion."""
    texts = {"balls": BALLS, "heap": HEAP}
    model = phalanx.Model.from_xml_string(texts[name]) if name in texts else phalanx.load(name)
    model = model.replace(**VARIANTS[name]) if VARIANTS.get(name) else model
    data = model.make_data()
    random = np.random.default_rng(7)
    data.qvel = 0.3 * random.standard_normal(model.nv)
    if model.nu:
        low, high = np.asarray(model.actuator_ctrlrange).T
        data.ctrl = np.clip(0.2 * random.standard_normal(model.nu), low, np.maximum(high, low))
    return data
