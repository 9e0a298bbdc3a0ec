"""Scenes with sensors: every type, on every kind of object, in one world full of joints, tendons and contacts."""

from __future__ import annotations

import itertools

import mujoco

from phalanx.tables.sensors import SENSORS

#: Objects of each kind that sensors of frames can be attached to: moving, moving otherwise, fixed, mocap.
FRAMES = {
    "body": ("arm", "hand", "post", "lifted"),
    "xbody": ("arm", "hand", "post", "lifted"),
    "geom": ("arm_geom", "hand_geom", "post_geom", "lifted_geom"),
    "site": ("arm_site", "hand_site", "post_site", "lifted_site"),
    "camera": ("arm_camera", "hand_camera", "post_camera"),
}

WORLD = """
<asset>
  <mesh name="rock" vertex="-.1 -.1 -.1  .12 -.1 -.1  -.1 .11 -.1  .1 .1 -.12  -.1 -.1 .1  .1 -.13 .1  -.1 .1 .1
    .1 .1 .14"/>
  <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 .3 .1  .5 1 .2  0 .4 .7"/>
</asset>
<worldbody>
  <geom name="floor" type="plane" size="5 5 1" condim="4" friction=".7 .05 .01"/>
  <geom name="hills" type="hfield" hfield="hills" pos="4 4 -.1"/>
  <geom name="wrapped" type="sphere" size=".15" pos="-.4 .3 .9" contype="0" conaffinity="0"/>
  <site name="zone" type="box" size=".6 .5 .4" pos=".2 .1 .4" euler="10 20 30"/>
  <body name="post" pos="1.5 0 .5" euler="20 0 40">
    <geom name="post_geom" type="cylinder" size=".1 .5" pos=".1 0 0"/>
    <site name="post_site" pos="0 .1 .2" euler="5 10 15"/>
    <camera name="post_camera" pos="0 -.6 .6" xyaxes="1 0 0 0 .8 .6" resolution="4 3" fovy="50"/>
  </body>
  <body name="lifted" mocap="true" pos="-1 -1 1">
    <geom name="lifted_geom" type="box" size=".1 .15 .2" pos=".1 0 0"/>
    <site name="lifted_site" pos="0 .1 .2"/>
  </body>
  <body name="arm" pos="0 0 1" euler="15 25 35">
    <joint name="shoulder" type="ball" damping=".1" range="0 60" limited="true"/>
    <geom name="arm_geom" type="capsule" size=".06" fromto="0 0 0 .3 .1 -.2" mass="1.3"/>
    <site name="arm_site" pos=".1 .05 0" euler="30 20 10" size=".1"/>
    <camera name="arm_camera" pos="0 0 .1" euler="10 20 30" mode="track" resolution="3 2" focal=".02 .03"
      sensorsize=".04 .03" principal=".001 .002"/>
    <body name="hand" pos=".3 .1 -.2">
      <joint name="wrist" type="hinge" axis="1 2 3" range="-20 30" margin=".1" stiffness="2" frictionloss=".1"/>
      <joint name="reach" type="slide" axis="0 1 1" range="-.1 .1" limited="true" armature=".02"/>
      <geom name="hand_geom" type="box" size=".08 .05 .04" pos=".05 0 0" euler="0 30 0" mass=".7"/>
      <geom name="thumb" type="sphere" size=".03" pos=".15 0 0" mass=".1"/>
      <site name="hand_site" pos=".1 .02 .03" type="ellipsoid" size=".2 .1 .15" euler="40 0 20"/>
      <camera name="hand_camera" pos="0 0 .1" euler="80 20 30" projection="orthographic" fovy=".5" resolution="2 3"/>
    </body>
  </body>
  <body name="ball" pos=".6 0 .12">
    <freejoint name="ball"/>
    <geom name="ball_geom" type="sphere" size=".13" condim="6" friction=".8 .02 .01" mass=".9"/>
    <site name="ball_site" type="sphere" size=".2"/>
    <site name="ball_side" type="capsule" size=".05 .1" pos="0 0 -.1" euler="90 0 0"/>
  </body>
  <body name="crate" pos="-.5 -.2 .19" euler="0 0 20">
    <freejoint name="crate"/>
    <geom name="crate_geom" type="box" size=".15 .1 .2" mass="2" condim="3"/>
    <site name="crate_site" type="box" size=".2 .2 .1" pos="0 0 -.15"/>
    <site name="crate_ring" type="cylinder" size=".2 .05" pos="0 0 -.2"/>
  </body>
  <body name="stone" pos="-.5 .6 .12">
    <freejoint name="stone"/>
    <geom name="stone_geom" type="mesh" mesh="rock" mass=".5" condim="1"/>
    <site name="stone_site" type="mesh" mesh="rock" pos="0 0 -.1"/>
  </body>
</worldbody>
<tendon>
  <spatial name="rope" stiffness="3" springlength=".2" damping=".4" limited="true" range=".1 .8" armature=".05"
    frictionloss=".2">
    <site site="zone"/><site site="crate_site"/><pulley divisor="2"/><site site="stone_site"/><site site="ball_site"/>
  </spatial>
  <spatial name="wound" stiffness="2" limited="true" range="0 3" margin=".4">
    <site site="crate_site"/><geom geom="wrapped"/><site site="stone_site"/>
  </spatial>
  <fixed name="sum" limited="true" range="-.1 .2" stiffness="1">
    <joint joint="wrist" coef=".7"/><joint joint="reach" coef="-.4"/>
  </fixed>
</tendon>
<actuator>
  <position name="servo" joint="wrist" kp="20" kv="1"/>
  <motor name="winch" tendon="rope" gear="1.7"/>
  <motor name="second" tendon="rope" gear="-.6"/>
  <general name="lazy" joint="reach" dyntype="filter" dynprm=".1"/>
  <motor name="push" site="hand_site" refsite="arm_site" gear="1 2 3 .1 .2 .3"/>
</actuator>
<equality>
  <connect name="pin" body1="ball" body2="stone" anchor=".1 .2 .1"/>
  <weld name="glue" body1="crate" body2="stone" torquescale=".6" relpose=".1 .2 .3 1 .2 .1 .3"/>
  <weld name="sites" site1="hand_site" site2="ball_site"/>
  <tendon name="ropes" tendon1="rope" tendon2="wound" polycoef=".1 .5 .2 .1 0"/>
  <tendon name="fixed_rope" tendon1="wound"/>
</equality>
"""


#: Objects that a sensor of one object can be attached to.
NAMED = {
    "site": ["arm_site", "hand_site", "post_site", "lifted_site", "ball_site"],
    "tendon": ["rope", "wound", "sum"],
    "actuator": ["servo", "winch", "lazy", "push"],
    "body": ["world", "arm", "hand", "crate", "lifted"],
    "joint": ["wrist", "reach"],
}


def simple_sensors() -> list[str]:
    """One sensor on one object."""
    rows = []
    for tag, kind in ((row.tag, row.of) for row in SENSORS.values() if row.of in NAMED):
        if tag == "touch":
            names = ["ball_site", "ball_side", "crate_site", "crate_ring", "hand_site", "arm_site"]
        elif tag.startswith("ball"):
            names = ["shoulder"]
        elif tag.startswith("jointlimit"):
            names = ["shoulder", "wrist", "reach"]
        else:
            names = NAMED[kind]
        rows += [f'<{tag} {kind}="{name}"/>' for name in names]
    return rows


def frame_sensors() -> list[str]:
    """Every kind of frame, alone and seen from every kind of frame."""
    rows = []
    for tag in ("pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel", "linacc", "angacc"):
        for kind, names in FRAMES.items():
            rows += [f'<frame{tag} objtype="{kind}" objname="{name}"/>' for name in names]
    for tag in ("pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel"):
        for (kind, names), (reference, others) in itertools.product(FRAMES.items(), repeat=2):
            rows += [
                f'<frame{tag} objtype="{kind}" objname="{name}" reftype="{reference}" refname="{other}"/>'
                for name, other in ((names[0], others[1]), (names[1], others[2]), (names[2], others[0]))
            ]
    return rows


CONTACT_FIELDS = "found force torque dist pos normal tangent linvel angvel"
PAIRS = (
    "", 'geom1="floor"', 'geom2="floor"', 'body1="ball"', 'body2="crate"', 'subtree1="arm"', 'subtree2="arm"',
    'geom1="floor" body2="crate"', 'geom1="crate_geom" geom2="floor"', 'subtree1="world" body2="ball"', 'site="zone"',
    'site="crate_site" body2="crate"', 'site="ball_side"', 'site="stone_site"', 'body1="hand" body2="arm"',
)  # fmt: skip


def contact_sensors() -> list[str]:
    rows = []
    for pair in PAIRS:
        rows.append(f'<contact {pair} num="3" data="{CONTACT_FIELDS}"/>')
        rows.append(f'<contact {pair} num="2" data="{CONTACT_FIELDS}" reduce="mindist"/>')
        rows.append(f'<contact {pair} num="2" data="found force dist" reduce="maxforce"/>')
        rows.append(f'<contact {pair} data="found force torque dist pos normal tangent" reduce="netforce"/>')
        rows += [
            f'<contact {pair} num="2" data="{data}"/>' for data in ("found", "dist pos", "linvel", "force", "angvel")
        ]
    return rows


RAY_FIELDS = "dist dir origin point normal depth"


def ray_sensors() -> list[str]:
    rows = []
    for place in (*(f'site="{name}"' for name in NAMED["site"]), *(f'camera="{name}"' for name in FRAMES["camera"])):
        rows += [f'<rangefinder {place} data="{data}"/>' for data in (RAY_FIELDS, "dist", "normal", "dir depth")]
    rows += [f'<camprojection site="{s}" camera="{c}"/>' for s in NAMED["site"] for c in FRAMES["camera"]]
    return rows


def distance_sensors() -> list[str]:
    ends = (
        'geom1="arm_geom" geom2="ball_geom"', 'geom1="crate_geom" geom2="post_geom"',
        'geom1="stone_geom" geom2="hand_geom"', 'body1="hand" body2="crate"', 'body1="ball" body2="stone"',
        'geom1="floor" body2="arm"',
    )  # fmt: skip
    return [
        f'<{tag} {end} cutoff="{cutoff}"/>'
        for tag in ("distance", "normal", "fromto")
        for end in ends
        for cutoff in (0, 0.3, 10)
    ]


def inside_sensors() -> list[str]:
    zones = ("zone", "arm_site", "hand_site", "ball_side", "crate_ring", "stone_site")
    return [
        f'<insidesite site="{zone}" objtype="{kind}" objname="{name}"/>'
        for zone in zones
        for kind, names in FRAMES.items()
        for name in names
    ]


def enclosed_sensors() -> list[str]:
    """In zones that lie askew and have no flat sides or edges along their axes: there rounding decides in MuJoCo."""
    zones = ("hand_site", "stone_site")
    enclosed = {**FRAMES, "geom": (*FRAMES["geom"], "stone_geom", "crate_geom"), "camera": ()}
    return [
        f'<insidesite site="{zone}" objtype="{kind}" objname="{name}" enclosed="true"/>'
        for zone in zones
        for kind, names in enclosed.items()
        for name in names
    ]


FAMILIES = {
    "simple": simple_sensors,
    "frame": frame_sensors,
    "contact": contact_sensors,
    "ray": ray_sensors,
    "distance": distance_sensors,
    "inside": inside_sensors,
    "enclosed": enclosed_sensors,
    "global": lambda: ["<e_potential/>", "<e_kinetic/>", "<clock/>", '<user dim="3" needstage="pos"/>'],
}


def scene(sensors: list[str], option: str = "", flags: str = "") -> mujoco.MjModel:
    """The world with some sensors."""
    options = f'<option magnetic=".1 -.2 .5" {option}><flag {flags}/></option>'
    xml = f"<mujoco>{options}<compiler angle='degree'/>{WORLD}<sensor>{''.join(sensors)}</sensor></mujoco>"
    return mujoco.MjModel.from_xml_string(xml)
