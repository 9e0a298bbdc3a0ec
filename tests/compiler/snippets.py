"""Small models, one per element, attribute or combination: the name says which."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

BODY = '<geom size=".1"/>'


def world(content: str, before: str = "", after: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{content}</worldbody>{after}</mujoco>"


def geom(attributes: str, before: str = "") -> str:
    """A free body with a geom."""
    return world(f"<body><freejoint/><geom {attributes}/></body>", before)


def joint(attributes: str, before: str = "") -> str:
    return world(f'<body pos="0 0 1"><joint {attributes}/><geom size=".1" pos=".1 .2 .3"/></body>', before)


#: Two links with named parts, for what refers to them.
ARM = """
<body name="a" pos="0 0 1"><joint name="j1" axis="0 1 0" range="-60 60"/>
  <geom name="g1" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="s1" pos=".1 0 .05"/>
  <body name="b" pos=".3 0 0"><joint name="j2" axis="0 1 .2" range="-90 30"/><joint name="j3" type="slide" axis="1 0 0"/>
    <geom name="g2" type="box" size=".1 .02 .03" pos=".1 0 0"/><site name="s2" pos=".1 0 .05" euler="10 20 30"/>
    <body name="c" pos=".2 0 0"><joint name="ball" type="ball"/><geom name="g3" size=".05" pos=".02 .01 0"/><site name="s3"/>
      <camera name="cam" resolution="4 3"/></body>
  </body></body>
<body name="free" pos="1 0 0"><freejoint name="f"/><geom name="g4" size=".1"/><site name="s4" pos="0 .1 0"/></body>
"""


def arm(after: str, before: str = "") -> str:
    return world(ARM, before, after)


def actuator(xml: str, before: str = "") -> str:
    return arm(f"<actuator>{xml}</actuator>", before)


def sensor(xml: str) -> str:
    return arm("<tendon><fixed name='t' range='-1 1'><joint joint='j1' coef='2'/></fixed></tendon>"
               f"<actuator><motor name='m' joint='j1'/></actuator><sensor>{xml}</sensor>")  # fmt: skip


def tendon(xml: str, before: str = "") -> str:
    return arm(f"<tendon>{xml}</tendon>", before)


def equality(xml: str, before: str = "") -> str:
    return arm(f"<equality>{xml}</equality>", before)


CUBE = 'vertex="0 0 0  1 0 0  0 1 0  0 0 1  1 1 0  1 0 1  0 1 1  1 1 1"'
TETRA = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"'


def mesh(attributes: str, geom_attributes: str = 'type="mesh" mesh="m"', before: str = "") -> str:
    return geom(geom_attributes, f'{before}<asset><mesh name="m" {attributes}/></asset>')


def hfield(attributes: str) -> str:
    return world('<geom type="hfield" hfield="h"/>', f'<asset><hfield name="h" {attributes}/></asset>')


def default(defaults: str, content: str, after: str = "") -> str:
    return world(content, f"<default>{defaults}</default>", after)


SNIPPETS = {
    # --- geoms
    "sphere": geom('size=".2"'),
    "capsule": geom('type="capsule" size=".1 .2"'),
    "cylinder": geom('type="cylinder" size=".1 .2"'),
    "ellipsoid": geom('type="ellipsoid" size=".1 .2 .3"'),
    "box": geom('type="box" size=".1 .2 .3"'),
    **{f"shell {kind}": geom(f'type="{kind}" size="{size}" shellinertia="true"') for kind, size in (
        ("sphere", ".2"), ("capsule", ".1 .2"), ("cylinder", ".1 .2"), ("ellipsoid", ".1 .2 .3"), ("box", ".1 .2 .3"))},
    **{f"fromto {kind}": geom(f'type="{kind}" size=".1" fromto="0 0 .1 .3 .4 0"') for kind in
       ("capsule", "cylinder", "ellipsoid", "box")},
    "fromto down": geom('type="capsule" size=".1" fromto="0 0 1 0 0 0"'),
    "fromto up": geom('type="capsule" size=".1" fromto="0 0 0 0 0 1"'),
    "plane": world('<geom type="plane" size="1 2 .1"/>'),
    "infinite plane": world('<geom type="plane" size="0 0 1"/>'),
    "plane on a static body": world('<body pos="0 0 1" euler="0 10 0"><geom type="plane" size="1 1 1"/></body>'),
    "plane on a mocap body": world('<body mocap="true"><geom type="plane" size="1 1 1"/></body>'),
    "mass": geom('size=".1" mass="2"'),
    "mass zero": world('<body><freejoint/><geom size=".1"/><geom size=".2" mass="0"/></body>'),
    "density": geom('size=".1" density="10"'),
    "solver numbers": geom('size=".1" solref=".01 .9" solimp=".8 .9" solmix="2" priority="3"'),
    "one solref number": geom('size=".1" solref=".01"'),
    "friction": geom('size=".1" friction=".5 .1"'),
    "margin and gap": geom('size=".1" margin=".01" gap=".02"'),
    "surfacevel": geom('type="box" size=".1 .1 .1" surfacevel="1 2 3 4 5 6"'),
    "short surfacevel": geom('type="box" size=".1 .1 .1" surfacevel="1"'),
    "adhesion": geom('size=".1" adhesion="3"'),
    "masks": geom('size=".1" contype="6" conaffinity="3" condim="6" group="2"'),
    "rgba and shadow": geom('size=".1" rgba="1 .5 .2 .1" castshadow="false"'),
    "user": geom('size=".1" user="1 2 3"'),
    **{f"fluid {kind}": geom(f'type="{kind}" size=".1 .2 .3" fluidshape="ellipsoid"') for kind in
       ("sphere", "capsule", "cylinder", "ellipsoid", "box")},
    "fluidcoef": geom('type="box" size=".1 .2 .3" fluidshape="ellipsoid" fluidcoef="1 2 3"'),
    # --- frames that scale
    "scaled frame": world('<frame pos="1 2 3" scale="2" massscale="3"><body><joint name="j" type="slide" range="-1 1" stiffness="2"/><geom type="mesh" mesh="m"/><site name="s"/></body></frame><geom type="mesh" mesh="m"/>',
                          '<asset><mesh name="m" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1"/></asset>',
                          '<tendon><fixed name="t" range="-1 1"><joint joint="j" coef="2"/></fixed></tendon><actuator><position tendon="t" kp="2" ctrlrange="-1 1"/></actuator><sensor><framepos objtype="site" objname="s" noise=".1"/></sensor><keyframe><key qpos=".1"/></keyframe>'),
    "stretched frame": world('<frame euler="0 0 30" scale="2 3 5" scaling="geometry"><body pos="1 2 3" euler="90 0 0"><freejoint/><inertial pos=".1 .2 .3" mass="1" diaginertia="1 1.2 1.4" euler="10 20 30"/><geom type="box" size=".1 .2 .3"/><geom type="mesh" mesh="m" euler="10 0 0"/></body></frame>',
                             '<asset><mesh name="m" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1"/></asset>', '<keyframe><key qpos="1 2 3 1 0 0 0"/></keyframe>'),
    "two equal moments": world('<body><freejoint/><geom type="mesh" mesh="m"/><geom type="mesh" mesh="m"/></body>', '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" refpos=".1 .2 .3" refquat="1 1 0 0"/></asset>'),
    "keys given in part, stretched": world('<frame pos=".1 .2 .3" euler="0 20 30" scale="2 3 5" scaling="geometry"><body pos="1 2 3" euler="90 0 0"><freejoint/><geom type="box" size=".1 .2 .3"/></body><body mocap="true" pos="3 2 1"><geom type="box" size="1 1 1"/></body></frame>',
                                           "", '<keyframe><key qpos="1"/><key qpos="1 2"/><key qpos="1 2 3"/><key qpos="1 2 3 0 1"/><key qvel="1"/><key qvel="1 2"/><key qvel="1 2 3 4"/><key mpos="7 8 9"/></keyframe>'),
    # --- orientation
    "quat": geom('type="box" size=".1 .2 .3" quat="1 2 3 4"'),
    "axisangle": geom('type="box" size=".1 .2 .3" axisangle="1 2 3 40"'),
    "xyaxes": geom('type="box" size=".1 .2 .3" xyaxes="1 2 3 4 5 7"'),
    "zaxis": geom('type="box" size=".1 .2 .3" zaxis="1 2 3"'),
    "zaxis down": geom('type="box" size=".1 .2 .3" zaxis="0 0 -1"'),
    "euler": geom('type="box" size=".1 .2 .3" euler="10 20 30"'),
    "radians": geom('type="box" size=".1 .2 .3" euler=".1 .2 .3"', '<compiler angle="radian"/>'),
    **{f"eulerseq {seq}": geom('type="box" size=".1 .2 .3" euler="10 20 30"', f'<compiler eulerseq="{seq}"/>')
       for seq in ("zyx", "XYZ", "xYz", "zxz")},
    "body orientation": world(f'<body pos="1 2 3" xyaxes="0 1 0 -1 0 0">{BODY}<body euler="1 2 3">{BODY}</body></body>'),
    "orientation in a class": default('<geom euler="10 20 30" type="box" size=".1 .2 .3"/>',
        '<body><freejoint/><geom/><geom quat="1 1 0 0"/><geom zaxis="1 1 1"/></body>'),
    # --- inertia
    "two geoms": world('<body><freejoint/><geom size=".1" pos=".1 .2 .3"/><geom type="box" size=".1 .2 .3"/></body>'),
    "three geoms": world('<body><freejoint/><geom size=".1" pos=".1 .2 .3"/><geom type="box" size=".1 .2 .3"/>'
                         '<geom type="capsule" size=".1 .2" euler="30 0 40" pos="0 .3 .4"/></body>'),
    "symmetric pair": world('<body><freejoint/><geom size=".1" pos=".1 0 0"/><geom size=".1" pos="-.1 0 0"/></body>'),
    "inertial": world('<body><freejoint/><inertial pos=".1 .2 .3" mass="2" diaginertia=".1 .2 .25"/></body>'),
    "inertial with orientation": world('<body><freejoint/><inertial pos="0 0 0" euler="10 20 30" mass="2" diaginertia=".1 .2 .25"/></body>'),
    "fullinertia": world('<body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia=".3 .2 .25 .01 .02 -.03"/></body>'),
    "diagonal fullinertia": world('<body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia=".2 .3 .25 0 0 0"/></body>'),
    "small fullinertia": world('<body><freejoint/><inertial pos="0 0 0" mass="2" fullinertia="2.3e-7 3.1e-7 2.5e-7 1e-9 2e-9 3e-10"/></body>'),
    "inertial in a frame": world('<body><freejoint/><frame pos="1 2 3" euler="10 20 30"><inertial pos=".1 .2 .3" mass="2" diaginertia=".1 .2 .25"/></frame></body>'),
    "inertial beside geoms": world(f'<body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>{BODY}</body>'),
    "inertiafromgeom true": world(f'<body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>{BODY}</body>', '<compiler inertiafromgeom="true"/>'),
    "inertiafromgeom false": world(f'<body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>{BODY}</body>', '<compiler inertiafromgeom="false"/>'),
    "inertiagrouprange": world('<body><freejoint/><geom size=".1" group="1"/><geom size=".2" group="3"/></body>', '<compiler inertiagrouprange="0 2"/>'),
    "boundmass": world('<body><freejoint/><geom size=".1" mass=".001"/></body>', '<compiler boundmass="3" boundinertia=".2"/>'),
    "balanceinertia": world('<body><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 2 4"/></body>', '<compiler balanceinertia="true"/>'),
    "settotalmass": world(f'<body><freejoint/>{BODY}</body><body pos="1 0 0"><freejoint/>{BODY}</body>', '<compiler settotalmass="7"/>'),
    "static body without mass": world('<body pos="1 2 3" euler="10 20 30"><site/></body>'),
    "massless body with massive child": world(f'<body><joint/><body>{BODY}</body></body>'),
    # --- joints
    **{f"joint {kind}": joint(f'type="{kind}" armature=".1" damping=".2"') for kind in ("free", "ball", "slide", "hinge")},
    "joint axis": joint('axis="1 2 3" pos=".1 .2 .3"'),
    "range in degrees": joint('range="-30 40"'),
    "range in radians": joint('range="-.3 .4"', '<compiler angle="radian"/>'),
    "slide range": joint('type="slide" range="-30 40"'),
    "ball range": joint('type="ball" range="0 40"'),
    "limited false": joint('range="-30 40" limited="false"'),
    "autolimits false": joint('range="-30 40" limited="true"', '<compiler autolimits="false"/>'),
    "ref": joint('ref="30" springref="20"'),
    "slide ref": joint('type="slide" ref=".3" springref=".2"'),
    "stiffness": joint('stiffness="1 2 3" damping="4 5 6"'),
    "short stiffness": joint('stiffness="1 2" damping="4"'),
    "springdamper": joint('springdamper=".1 .5"'),
    "springdamper ball": joint('type="ball" springdamper=".1 .5"'),
    "springyield": joint('springyield="10" stiffness="1"'),
    "ball springyield": joint('type="ball" springyield="10" stiffness="1"', '<size nkey="1"/>'),
    "frictionloss": joint('frictionloss=".3" solreffriction=".1 .9" solimpfriction=".5 .6"'),
    "limit solver": joint('solreflimit=".1 .9" solimplimit=".5 .6" margin=".1"'),
    "actuatorfrcrange": joint('actuatorfrcrange="-3 4" actuatorgravcomp="true"'),
    "joint user and group": joint('user="1 2" group="3"'),
    "freejoint align": world('<body><freejoint align="true"/><geom type="box" size=".1 .2 .3" pos=".1 0 0" euler="10 20 0"/><site pos="1 0 0"/><camera/><light dir="1 0 0"/></body>'),
    "alignfree": world('<body pos="1 2 3" euler="0 30 0"><joint type="free"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/><geom size=".1"/></body>', '<compiler alignfree="true"/>'),
    "alignfree with child": world(f'<body><freejoint/><geom size=".1" pos="1 0 0"/><body>{BODY}</body></body>', '<compiler alignfree="true"/>'),
    "several joints": world(f'<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint/>{BODY}</body>'),
    "slides only": world(f'<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>{BODY}</body>'),
    "tilted slide": world(f'<body><joint type="slide" axis="1 1 0"/>{BODY}</body>'),
    "simple off": world(f'<body simple="false"><freejoint/>{BODY}</body>'),
    "simple below static": world(f'<body pos="0 0 1"><body><joint/>{BODY}</body></body>'),
    "chain": arm(""),
    # --- bodies
    "mocap": world(f'<body mocap="true" pos="1 2 3" euler="10 0 0">{BODY}<body>{BODY}</body></body>', '<size nkey="2"/>'),
    "gravcomp": world(f'<body gravcomp=".5"><freejoint/>{BODY}</body>'),
    **{f"sleep {policy}": world(f'<body sleep="{policy}"><freejoint/>{BODY}</body>') for policy in ("auto", "never", "allowed", "init")},
    "body user": world(f'<body user="1 2">{BODY}</body><body user="3">{BODY}</body>'),
    "two world bodies": f"<mujoco><worldbody><body name='x'><freejoint/>{BODY}</body></worldbody><worldbody><body><freejoint/>{BODY}</body></worldbody></mujoco>",
    "names": "<mujoco model='ünï'><worldbody><body name='a'><geom name='a' size='.1'/><geom name='bé' size='.1'/></body></worldbody></mujoco>",
    # --- frames
    "frame": world(f'<frame pos="1 2 3" euler="10 20 30"><body pos="1 0 0" euler="0 0 5"><freejoint/>{BODY}</body><geom size=".1" pos="0 1 0"/></frame>'),
    "frame in a body": world('<body><frame pos="1 2 3" euler="10 20 30"><joint pos="0 0 1" axis="1 0 0"/><geom type="box" size=".1 .2 .3"/><site pos="1 0 0"/><camera pos="0 1 0"/><light dir="1 0 0"/></frame></body>'),
    "nested frames": world('<frame pos="1 0 0" euler="30 0 0"><frame pos="0 1 0" euler="0 40 0"><geom size=".1" pos="0 0 1"/></frame></frame>'),
    "frame childclass": default('<default class="big"><geom size=".5"/></default><geom size=".1"/>', '<frame childclass="big"><geom/><frame><geom/></frame></frame><geom/>'),
    "frame around a free body": world(f'<frame pos="0 0 1" quat="1 1 0 0"><body pos="1 0 0"><freejoint/>{BODY}</body></frame>'),
    # --- replicate
    "replicate": world(f'<replicate count="3" offset="1 0 0"><body name="b"><freejoint name="f"/>{BODY}</body></replicate>'),
    "replicate turned": world('<replicate count="5" offset="1 0 .1" euler="0 0 30" sep="-"><body name="b"><joint name="j"/><geom size=".1" pos="1 0 0"/></body></replicate>'),
    "replicate euler of two axes": world('<replicate count="4" offset=".3 0 0" euler="20 0 30"><geom size=".1" pos="1 0 0"/></replicate>'),
    "replicate geoms and sites": world('<body><freejoint/><geom size=".1"/><replicate count="12" euler="0 0 30"><geom size=".02" pos=".2 0 0"/><site name="s" pos=".3 0 0"/></replicate></body>'),
    "nested replicate": world('<replicate count="2" offset="0 1 0" sep="r"><replicate count="3" offset="1 0 0" sep="c"><geom name="g" size=".1"/></replicate></replicate>'),
    "replicate with referring elements": world(
        '<replicate count="2" offset="1 0 0" sep="_"><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body></replicate><body name="o" pos="0 3 0"><joint name="oj"/><geom name="og" size=".1"/></body>', "",
        '<actuator><motor name="om" joint="oj"/><motor name="m" joint="j"/></actuator>'
        '<sensor><jointpos name="p" joint="j"/><framepos objtype="site" objname="s"/><jointvel joint="oj"/></sensor>'
        '<equality><joint name="e" joint1="j" polycoef="0 1 0 0 0"/></equality>'),
    "replicate with elements that refer to copies": world(
        '<site name="a"/><replicate count="2" offset="0 1 0"><body><joint name="j"/><geom size=".1"/><site name="b" pos="0 0 1"/></body></replicate><body pos="3 0 0"><joint name="k"/><geom size=".1"/></body>', "",
        '<tendon><spatial name="t"><site site="a"/><site site="b"/></spatial><fixed name="f"><joint joint="k" coef="1"/></fixed></tendon><actuator><position name="p" tendon="t" kp="100"/><motor name="q" tendon="f"/></actuator><sensor><tendonpos tendon="t"/><actuatorfrc actuator="p"/><tendonpos tendon="f"/><actuatorfrc actuator="q"/></sensor><custom><tuple name="u"><element objtype="tendon" objname="t"/></tuple></custom>'),
    "replicate zero": world('<geom size="1"/><replicate count="0"><geom size=".1"/></replicate>'),
    # --- attach
    "self attach": world(f'<body name="a" pos="1 0 0"><joint name="j"/>{BODY}</body><body pos="0 1 0"><attach body="a" prefix="p_"/></body>', "",
                         '<actuator><motor name="m" joint="j"/></actuator>'),
    "self attach frame": world(f'<frame name="fr" pos="1 0 0"><body name="a"><joint name="j"/>{BODY}</body></frame><body pos="0 1 0"><attach frame="fr" prefix="p_"/></body>'),
    # --- smaller models
    **{f"fusestatic {k}": world(content, f'<compiler fusestatic="true"/>{before}', after) for k, (content, before, after) in enumerate((
        ('<body pos="0 0 1" euler="0 0 30"><geom size=".1"/><body pos="1 0 0"><joint/><geom size=".1"/></body></body>', "", ""),
        ('<body name="a"><joint name="j"/><geom size=".1"/><body pos="0 1 0" euler="10 0 0"><geom type="box" size=".1 .2 .3"/><site name="s" pos="1 0 0"/><camera/><light dir="1 0 0"/></body><geom size=".05" pos="1 0 0"/></body>', "", ""),
        ('<body><joint/><geom size=".1"/><body pos="0 1 0"><geom size=".2"/><body pos="0 1 0" euler="0 20 0"><geom size=".1"/><body><joint/><geom size=".1"/></body></body></body></body>', "", ""),
        ('<body><joint/><inertial pos=".1 0 0" mass="2" diaginertia="1 1 1"/><geom size=".1"/><body pos="0 1 0"><geom size=".2"/></body></body>', "", ""),
        ('<body><joint/><geom size=".1"/><body pos="0 1 0" euler="0 30 0"><inertial pos=".1 0 0" mass="2" diaginertia="1 1.1 1.2"/></body></body>', "", ""),
        ('<body><joint/><body pos="0 1 0" euler="0 30 0"><inertial pos=".1 0 0" mass="2" diaginertia="1 1.1 1.2"/></body></body>', "", ""),
        ('<body><joint/><geom size=".1"/><body name="x" pos="0 1 0"><geom size=".2"/></body><body name="y" pos="0 2 0"><geom size=".2"/></body></body>', "", '<sensor><framepos objtype="body" objname="x"/></sensor>'),
        ('<body><joint/><geom size=".1"/><body pos="0 1 0" fuse="false"><geom size=".2"/></body><body gravcomp="1" pos="0 2 0"><geom size=".2"/></body></body>', "", ""),
        ('<body mocap="true"><geom size=".1"/><body pos="0 1 0"><geom size=".2"/></body></body><body pos="1 0 0"><site name="s"/></body>', "", '<sensor><force site="s"/></sensor>'),
        ('<body><joint/><geom size=".1"/><body pos="0 1 0"><geom size=".2"/></body></body>', '<option density="1"/>', ""),
        ('<body><geom size=".1"/><body gravcomp="1" pos="0 1 0"><geom size=".2" fluidshape="ellipsoid"/></body></body>', '<option density="1"/>', ""),
    ))},
    **{f"discardvisual {k}": world(content, f'<compiler discardvisual="true"/>{before}', after) for k, (content, before, after) in enumerate((
        ('<body><joint/><geom size=".1" contype="0" conaffinity="0" pos="1 0 0"/><geom size=".2"/></body>', "", ""),
        ('<body><joint/><geom size=".1" contype="0" conaffinity="0" material="m"/><geom type="mesh" mesh="v" contype="0" conaffinity="0"/><geom type="mesh" mesh="c"/></body>', f'<asset><material name="m"/><texture name="t" type="2d" builtin="flat" width="1" height="1"/><mesh name="v" {TETRA} scale="1 .5 .7"/><mesh name="c" {CUBE} scale=".1 .2 .4"/></asset>', ""),
        ('<body><joint/><geom name="g" size=".1" contype="0" conaffinity="0"/><geom size=".2" contype="0"/></body><geom size="1" contype="0" conaffinity="0"/>', "", '<sensor><framepos objtype="geom" objname="g"/></sensor>'),
        ('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size=".1" contype="0" conaffinity="0"/><geom size=".1" fluidshape="ellipsoid" contype="0" conaffinity="0"/></body>', "", ""),
    ))},
    # --- sites, cameras, lights
    "site": world('<body pos="0 0 1"><site name="s" size=".1 .2" type="capsule" pos="1 2 3" euler="10 0 0" rgba="1 0 0 1" group="2" user="5"/></body>'),
    "site fromto": world('<site type="cylinder" size=".1" fromto="0 0 0 1 1 1"/>'),
    "site box": world('<site type="box" size=".1 .2 .3"/><site type="ellipsoid" size=".1"/>'),
    "site frames": world('<body><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="10 20 30"/><site/><site pos=".1 .2 .3"/><site pos=".1 .2 .3" euler="10 20 30"/><site euler="10 20 30"/></body>'),
    "camera": world('<body name="b" pos="1 0 0"><camera name="c" pos="1 2 3" xyaxes="1 0 0 0 0 1" fovy="60" ipd=".1" resolution="640 480" user="1"/></body>'),
    **{f"camera {mode}": world(f'<body name="b" pos="1 0 0"><freejoint/>{BODY}<camera mode="{mode}" target="b" pos="1 2 3"/></body>') for mode in ("track", "trackcom", "targetbody", "targetbodycom")},
    **{f"headlight {word}": world("", f'<visual><headlight active="{word}" diffuse=".1 .2 .3"/></visual>') for word in ("false", "true", "auto", "0", "1", "2")},
    "camera and light without target": world('<camera mode="targetbody"/><camera mode="targetbodycom"/><light mode="targetbody"/><light mode="targetbodycom"/>'),
    "camera orthographic": world('<camera projection="orthographic" fovy="3" output="rgb depth"/>'),
    "camera intrinsics": world('<camera sensorsize=".01 .02" resolution="640 480" focal=".03 .04" principal=".001 .002"/>'),
    "camera pixels": world('<camera sensorsize=".01 .02" resolution="640 480" focalpixel="600 700" principalpixel="10 20"/>'),
    "camera near plane": world("<camera/>", '<visual><map znear=".02"/></visual>'),
    "light": world('<light name="l" pos="1 2 3" dir="0 1 -1" type="directional" castshadow="false" active="false" diffuse="1 0 0" cutoff="30" exponent="2" attenuation="1 2 3" bulbradius=".1" intensity="3" range="4" softness=".4"/>'),
    "light directional": world('<light directional="true"/><light directional="false"/><light type="point"/>'),
    "light target": world(f'<body name="b"><freejoint/>{BODY}</body><light mode="targetbodycom" target="b" pos="0 0 3"/>'),
    # --- options
    "option": world(BODY, '<option timestep=".01" impratio="2" tolerance="1e-6" ls_tolerance=".1" noslip_tolerance="1e-5" ccd_tolerance="1e-5" sleep_tolerance=".1" gravity="1 2 3" wind="1 0 0" magnetic="0 1 0" density="2" viscosity=".1" o_margin=".1" o_solref=".1" o_solimp=".5" o_friction="2" integrator="RK4" cone="elliptic" jacobian="sparse" solver="CG" iterations="3" ls_iterations="4" noslip_iterations="5" ccd_iterations="6" sdf_iterations="7" sdf_initpoints="8" actuatorgroupdisable="0 3 30"/>'),
    "flags": world(BODY, '<option><flag contact="disable" gravity="disable" energy="enable" sleep="enable" multiccd="disable" speculative="enable"/></option>'),
    **{f"integrator {name}": world(BODY, f'<option integrator="{name}"/>') for name in ("Euler", "implicit", "implicitfast", "discrete")},
    "repeated options": world(BODY, '<option timestep=".01" gravity="0 0 -1"/><option timestep=".02"/>'),
    "size": world(BODY, '<size njmax="30" nconmax="40" nuserdata="5" nkey="3" nuser_geom="4" nuser_body="2"/>'),
    "memory": world(BODY, '<size memory="3M"/>'),
    "nstack": world(BODY, '<size nstack="1000"/>'),
    "statistic": world(BODY, '<statistic meaninertia="1" meanmass="2" meansize="3" extent="4" center="1 2 3"/>'),
    "visual": world(BODY, '<visual><global fovy="30"/><quality shadowsize="10"/><headlight ambient="1 1 1"/><map zfar="3"/><scale com="2"/><rgba fog="1 0 0 1"/></visual>'),
    # --- defaults
    "default geom": default('<geom size=".2" rgba="1 0 0 1" friction="2"/>', "<geom/><geom friction='3 4'/>"),
    "nested classes": default('<geom size=".2"/><default class="a"><geom type="box" size=".1 .2 .3"/><default class="b"><geom size=".4"/></default></default>',
                              '<geom/><geom class="a"/><geom class="b"/><body childclass="b"><geom/><geom class="a"/><body><geom/></body><body childclass="a"><geom/></body></body>'),
    "default joint": default('<joint damping="1 2 3" armature=".1" range="-10 10"/>', f"<body><joint damping='5'/>{BODY}</body><body><joint type='free'/>{BODY}</body><body><freejoint/>{BODY}</body>"),
    "default site camera light": default('<site size=".1" type="box"/><camera fovy="30"/><light dir="1 0 0" directional="true"/>', "<site/><camera/><light/><light type='point'/>"),
    "default pair": world('<geom name="a" size=".1"/><body><freejoint/><geom name="b" size=".1"/></body>', '<default><pair condim="4" friction="2" margin=".1"/></default>', '<contact><pair geom1="a" geom2="b" solref=".1"/></contact>'),
    "default tendon": tendon('<fixed name="t"><joint joint="j1" coef="1"/></fixed>', '<default><tendon stiffness="1" damping="2" width=".1" rgba="1 0 0 1" springlength=".1 .2" range="-1 1"/></default>'),
    "default equality": equality('<joint joint1="j1" joint2="j2"/>', '<default><equality active="false" solref=".1 1" solimp=".5"/></default>'),
    "later default section": world('<geom class="a"/><geom class="b"/><geom/><body><joint class="a"/><geom/></body>', '<default><geom size=".1" margin=".01"/><default class="a"><geom friction="2"/><joint damping="3"/></default></default><default><geom margin=".02" friction=".5 .1" solref=".1"/><joint damping="4" armature="1"/><default class="b"><geom gap=".3"/></default></default>', '<actuator><general class="a" site="s"/></actuator>').replace('<geom class="a"/>', '<site name="s"/><geom class="a"/>'),
    "default spring of one number": tendon('<spatial class="a"><site site="s1"/><site site="s2"/></spatial><spatial class="b"><site site="s1"/><site site="s2"/></spatial>', '<default><default class="a"><tendon springlength=".3"/><default class="b"><tendon springlength=".1"/></default></default></default>'),
    "default mesh and material": geom('type="mesh" mesh="m" material="x"', f'<default><mesh scale=".1 .2 .3"/><material specular=".1" rgba="1 0 0 1"/></default><asset><mesh name="m" {CUBE}/><material name="x" shininess=".3"/></asset>'),
    "repeated default sections": "<mujoco><default><geom size='.1' rgba='1 0 0 1'/></default><default><geom size='.2'/></default><worldbody><geom/></worldbody></mujoco>",
    # --- meshes
    "cube hull": mesh(CUBE),
    "tetrahedron": mesh(TETRA),
    **{f"mesh inertia {mode}": mesh(f'{TETRA} inertia="{mode}"') for mode in ("convex", "exact", "legacy", "shell")},
    "mesh scale": mesh(f'{TETRA} scale=".1 .2 .3"'),
    "mirrored mesh": mesh(f'{TETRA} scale="-.1 .2 .3"'),
    "mesh reference": mesh(f'{TETRA} refpos=".1 .2 .3" refquat="1 1 0 0"'),
    "mesh visual only": mesh(TETRA, 'type="mesh" mesh="m" contype="0" conaffinity="0"'),
    **{f"fitted {kind}": mesh(TETRA, f'type="{kind}" mesh="m" fitscale="1.1"') for kind in ("sphere", "capsule", "cylinder", "ellipsoid", "box")},
    **{f"fitaabb {kind}": mesh('vertex="0 0 0 3 0 0 0 1 0 0 0 9" face="0 2 1 0 1 3 0 3 2 1 2 3"', f'type="{kind}" mesh="m"', '<compiler fitaabb="true"/>') for kind in ("sphere", "capsule", "cylinder", "ellipsoid", "box")},
    "mesh geom pose": mesh(TETRA, 'type="mesh" mesh="m" pos="1 2 3" euler="10 20 30" mass="2" surfacevel="1 2 3 4 5 6"'),
    "mesh material": geom('type="mesh" mesh="m"', f'<asset><material name="x"/><material name="y"/><mesh name="m" {TETRA} material="y"/></asset>'),
    "mesh site": world('<site type="mesh" mesh="m" pos="1 2 3"/>', f'<asset><mesh name="m" {TETRA}/></asset>'),
    "mesh normals": mesh(f'{TETRA} normal="1 0 0 0 1 0 0 0 1 1 1 1" texcoord="0 0 1 0 0 1 1 1"'),
    "smooth normals": mesh(f'{CUBE} face="0 2 1 1 2 4 0 1 3 1 5 3 0 3 2 2 3 6 7 5 4 4 5 1 7 4 6 6 4 2 7 6 5 5 6 3" smoothnormal="true"'),
    "unused mesh": world(BODY, f'<asset><mesh name="m" {TETRA}/></asset>'),
    "hull of a few vertices away from the center": world('<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" builtin="supertorus" params="12 .3 1 1" scale="1 .9 .8" maxhullvert="4"/></asset>'),
    **{f"symmetric mesh {k} {mode}": mesh(f'{shape} inertia="{mode}"')
       for k, shape in enumerate(('builtin="cone" params="3 1"', 'builtin="cone" params="6 .3"', 'builtin="sphere" params="2"', 'builtin="wedge" params="9 9 180 20 0"', f'{CUBE} scale="1.00000005 1 1"', f'{CUBE} scale="1.0000002 1 1"'))
       for mode in ("exact", "legacy", "shell", "convex")},
    "sdf": mesh(TETRA, 'type="sdf" mesh="m" pos="1 2 3" euler="10 20 30"'),
    "sdf and mesh": world('<geom type="mesh" mesh="a"/><geom type="sdf" mesh="b"/><geom type="sdf" mesh="a"/><geom type="sdf" mesh="c" contype="0" conaffinity="0"/>', f'<asset><mesh name="c" {CUBE} scale="1 .7 .4"/><mesh name="a" {TETRA} scale="-.1 .2 .3"/><mesh name="b" builtin="cone" params="7 .3" scale=".1 .07 .2"/></asset>'),
    "sdf in scaled frames": world('<frame scale="2"><geom type="sdf" mesh="m"/></frame><geom type="mesh" mesh="m"/><frame scale="1 2 3" scaling="geometry"><geom type="sdf" mesh="m" euler="10 20 30"/></frame>', f'<asset><mesh name="m" {TETRA}/></asset>'),
    "mesh in a pair": world('<geom name="p" type="plane" size="1 1 1"/><body><freejoint/><geom name="g" type="mesh" mesh="m" contype="0" conaffinity="0"/></body>', f'<asset><mesh name="m" {TETRA}/></asset>', '<contact><pair geom1="p" geom2="g"/></contact>'),
    "maxhullvert": mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 .9 .9 -.3 .2 .8 1.1 .5 -.4 .5" maxhullvert="5"'),
    **{f"builtin {shape} {k}": mesh(f'builtin="{shape}" params="{params}" scale="1 .8 .6"', before='<compiler angle="radian"/>') for k, (shape, params) in enumerate((
        ("sphere", "0"), ("sphere", "2"), ("hemisphere", "0"), ("hemisphere", "3"), ("cone", "5 0"), ("cone", "6 .5"),
        ("supersphere", "7 .7 1.3"), ("supertorus", "8 .3 .8 1.2")))},
    # --- height fields
    "hfield flat": hfield('nrow="3" ncol="4" size="1 2 .5 .1"'),
    "hfield elevation": hfield('nrow="2" ncol="3" size="1 2 .5 .1" elevation="1 2 3 4 5 6"'),
    "hfield on a moving body": world(f'<body><geom type="hfield" hfield="h"/>{BODY}</body>', '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/></asset>'),
    # --- textures and materials
    **{f"texture {pattern} {kind}": world("", f'<asset><texture name="t" type="{kind}" builtin="{pattern}" width="9" height="7" rgb1=".1 .2 .3" rgb2=".9 .8 .7" mark="{mark}" markrgb="1 1 1" random=".1"/></asset>')
       for pattern, mark in (("gradient", "edge"), ("checker", "cross"), ("flat", "random")) for kind in ("2d", "cube", "skybox")},
    "material": world(BODY, '<asset><texture name="t" type="2d" builtin="flat" width="2" height="2"/><material name="m" texture="t" texrepeat="2 3" texuniform="true" emission=".1" specular=".2" shininess=".3" reflectance=".4" metallic=".5" roughness=".6" rgba="1 0 0 1"/></asset>'),
    "material layers": world(BODY, '<asset><texture name="t" type="2d" builtin="flat" width="2" height="2"/><material name="m"><layer texture="t" role="normal"/><layer texture="t" role="rgb"/></material></asset>'),
    # --- contact
    "pair": world('<geom name="a" size=".1"/><body><freejoint/><geom name="b" size=".1"/></body>', "", '<contact><pair name="p" geom1="b" geom2="a" condim="6" friction="1 2 3 4 5" solref=".1 1" solreffriction=".2 1" solimp=".5 .6 .7 .8 3" margin=".1" gap=".2" adhesion="3"/></contact>'),
    "sorted pairs": arm('<contact><pair name="x" geom1="g4" geom2="g1"/><pair name="y" geom1="g1" geom2="g2"/><exclude name="e" body1="c" body2="a"/><exclude body1="a" body2="b"/></contact>'),
    # --- equality
    "connect": equality('<connect body1="a" body2="free" anchor="1 2 3" solref=".1 1" active="false"/>'),
    "connect world": equality('<connect name="e" body1="c" anchor=".1 0 0"/>'),
    "connect sites": equality('<connect site1="s1" site2="s4"/>'),
    "weld": equality('<weld body1="a" body2="free" anchor=".1 .2 .3" torquescale="3"/>'),
    "weld relpose": equality('<weld body1="a" body2="free" relpose="1 2 3 1 1 0 0"/>'),
    "weld sites": equality('<weld site1="s1" site2="s2"/>'),
    "weld world": equality('<weld body1="c"/>'),
    "joint equality": equality('<joint joint1="j1" joint2="j2" polycoef="1 2 3"/><joint joint1="j3"/>'),
    "tendon equality": arm('<tendon><fixed name="t1"><joint joint="j1" coef="1"/></fixed><fixed name="t2"><joint joint="j2" coef="1"/></fixed></tendon><equality><tendon tendon1="t1" tendon2="t2"/><tendon tendon1="t2" polycoef=".1"/></equality>'),
    # --- tendons
    "fixed tendon": tendon('<fixed name="t" range="-1 2" stiffness="1 2 3" damping="4" frictionloss=".1" margin=".2" springlength=".3" armature=".1" actuatorfrcrange="-1 1" user="1 2"><joint joint="j3" coef="2"/><joint joint="j1" coef="-1"/></fixed>'),
    "spatial tendon": tendon('<spatial width=".01" rgba="1 0 0 1"><site site="s1"/><site site="s3"/><pulley divisor="2"/><site site="s1"/><site site="s4"/></spatial>'),
    "wrapping tendon": tendon('<spatial name="t"><site site="s1"/><geom geom="g3" sidesite="s2"/><site site="s4"/><geom geom="g4"/><site site="s2"/></spatial>'),
    "tendon springyield": tendon('<fixed name="t" springyield=".1" stiffness="1"><joint joint="j1" coef="2"/></fixed>'),
    "tendon armature": tendon('<spatial armature=".1"><site site="s4"/><site site="s1"/></spatial>'),
    # --- actuators
    "motor": actuator('<motor name="m" joint="j1" gear="3" ctrlrange="-1 2" forcerange="-3 4" group="2" user="1 2"/>'),
    "position": actuator('<position joint="j1" kp="10" kv="2"/><position joint="j2" kp="3" timeconst=".1"/><position joint="j2"/>'),
    "position dampratio": actuator('<position joint="j1" kp="10" dampratio="1"/><position joint="j2" kp="5" dampratio=".5" gear="3"/>'),
    "position dampratio without effect": actuator('<position joint="j1" kp="10" dampratio="1" gear="0"/><position joint="j2" kp="5" dampratio=".5" gear="1e-9"/><position joint="j2" kp="5" dampratio=".5" gear="1e-7"/>'),
    "inheritrange": actuator('<position joint="j1" inheritrange="1"/><position joint="j2" inheritrange=".5"/><intvelocity joint="j1" inheritrange="2"/>'),
    "velocity": actuator('<velocity joint="j1" kv="3"/><velocity joint="j2"/>'),
    "intvelocity": actuator('<intvelocity joint="j1" kp="5" kv="1" actrange="-1 1"/>'),
    "damper": actuator('<damper joint="j1" kv="3" ctrlrange="0 1"/><damper joint="j1" ctrlrange="0 2"/>'),
    "cylinder actuator": actuator('<cylinder joint="j1" timeconst=".2" area="3" bias="1 2 3"/><cylinder joint="j1" diameter=".1"/>'),
    "muscle": actuator('<muscle joint="j1" lengthrange=".1 .5"/><muscle joint="j2" lengthrange=".1 .5" timeconst=".1 .2" tausmooth=".3" range=".8 1.1" force="10" scale="100" lmin=".4" lmax="1.7" vmax="2" fpmax="1.4" fvmax="1.3"/>'),
    "adhesion actuator": actuator('<adhesion body="a" gain="3" ctrlrange="0 1"/>'),
    "pid": actuator('<pid joint="j1" kp="3" kv="1" ki=".1" imax="2" slewmax="3"/><pid joint="j2" input="pos vel ff" posrange="-1 1" velrange="-2 2" ffrange="-3 3"/><pid joint="j1" input="pos"/><pid joint="j2" ki="1"/><pid joint="j2" slewmax="1"/>'),
    "orientation": actuator('<orientation joint="ball" kp="3" kv="1"/><orientation site="s2" refsite="s4" input="quat" forcerange="0 3"/>'),
    "orientation with a damping ratio": world('<body><joint name="b" type="ball"/><geom type="box" size=".1 .1 .2" pos=".1 .2 .3"/><site name="s"/></body><site name="r"/>', "", '<actuator><orientation joint="b" kp="3" dampratio="2"/><orientation site="s" refsite="r" kp="3" dampratio=".5"/></actuator>'),
    "dcmotor": actuator('<dcmotor joint="j1" motorconst=".05" resistance="2"/><dcmotor joint="j1" nominal="12 .5 100"/><dcmotor joint="j2" motorconst=".05 .06" resistance="2" inductance=".1" saturation="1 2 3" cogging=".1 3 .2" thermal="1 2 0 .1 20 25" lugre="1 2 3 4 5"/><dcmotor joint="j2" motorconst=".05" resistance="2" controller="1 2 3 4 5 6" input="pos vel"/>'),
    "general": actuator('<general joint="j1" dyntype="filter" gaintype="affine" biastype="affine" dynprm=".1" gainprm="1 2 3" biasprm="4 5 6" actrange="-1 1" actearly="true"/><general joint="j1" dyntype="user" actdim="3"/>'),
    "gear": actuator('<motor joint="ball" gear="1 2 3"/><motor jointinparent="ball" gear="1 2 3"/><motor joint="f" gear="1 2 3 4 5 6"/><motor jointinparent="f" gear="1 2 3 4 5 6"/>'),
    "transmissions": arm('<tendon><fixed name="t"><joint joint="j1" coef="1"/></fixed><spatial name="sp"><site site="s1"/><site site="s4"/></spatial></tendon><actuator><motor tendon="t"/><motor tendon="sp"/><motor site="s2" gear="1 2 3 4 5 6"/><motor site="s2" refsite="s4" gear="1 2 3 4 5 6"/><motor cranksite="s1" slidersite="s4" cranklength="2"/></actuator>'),
    "actuator damping": actuator('<motor joint="j1" damping="1 2 3" armature=".1"/>'),
    "actuator history": actuator('<motor joint="j1" nsample="5" delay=".01" interp="linear"/><pid joint="j2" nsample="3"/>'),
    "limits of actuators": actuator('<motor joint="j1" ctrllimited="true" ctrlrange="-1 1" forcelimited="false" forcerange="-1 1"/>'),
    # --- actuator defaults
    **{f"default {tag} for {other}": actuator(f'<{other} joint="j1"/>', f'<default><{tag} {attributes}/></default>')
       for tag, attributes in (("position", 'kp="5" kv="2" ctrlrange="-1 1"'), ("velocity", 'kv="3" gear="2"'), ("general", 'gainprm="7" biastype="affine" biasprm="1 -7 -3" ctrlrange="0 1"'), ("motor", 'gear="4"'), ("cylinder", 'area="3" timeconst=".5"'))
       for other in ("motor", "position", "velocity", "general", "cylinder", "intvelocity")},
    "default muscle": actuator('<muscle joint="j1"/><motor joint="j1"/><general joint="j2"/>', '<default><muscle lengthrange=".1 .2" force="5"/></default>'.replace('lengthrange=".1 .2" ', 'ctrlrange="0 1" ')).replace('<muscle joint="j1"/>', '<muscle joint="j1" lengthrange=".1 .2"/>').replace('<general joint="j2"/>', '<general joint="j2" lengthrange=".1 .3"/>'),
    "default of a nested class": world(ARM, '<default><position kp="5" kv="1"/><default class="x"><velocity kv="7" gear="2"/></default></default>', '<actuator><position class="x" joint="j1"/><velocity class="x" joint="j1"/><motor class="x" joint="j1"/><general class="x" joint="j2"/></actuator>'),
    "default dcmotor": actuator('<dcmotor joint="j1" resistance="3"/>', '<default><dcmotor motorconst=".05" resistance="2" cogging=".1 2 3"/></default>'),
    "default pid": actuator('<pid joint="j1"/><pid joint="j2" kp="9"/>', '<default><pid kp="5" ki="1" input="pos"/></default>'),
    # --- sensors
    **{f"sensor {tag}": sensor(f'<{tag} site="s2" cutoff="1" noise=".1" user="1"/>') for tag in ("touch", "accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "rangefinder")},
    **{f"sensor {tag}": sensor(f'<{tag} joint="j1"/>') for tag in ("jointpos", "jointvel", "jointactuatorfrc", "jointlimitpos", "jointlimitvel", "jointlimitfrc")},
    **{f"sensor {tag}": sensor(f'<{tag} tendon="t"/>') for tag in ("tendonpos", "tendonvel", "tendonactuatorfrc", "tendonlimitpos", "tendonlimitvel", "tendonlimitfrc")},
    **{f"sensor {tag}": sensor(f'<{tag} actuator="m"/>') for tag in ("actuatorpos", "actuatorvel", "actuatorfrc")},
    **{f"sensor {tag}": sensor(f'<{tag} joint="ball"/>') for tag in ("ballquat", "ballangvel")},
    **{f"sensor {tag}": sensor(f'<{tag} objtype="xbody" objname="b"/>') for tag in ("framelinacc", "frameangacc")},
    **{f"sensor {tag}": sensor(f'<{tag} objtype="site" objname="s2" reftype="geom" refname="g4"/>') for tag in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel")},
    **{f"sensor {tag}": sensor(f'<{tag} body="b"/>') for tag in ("subtreecom", "subtreelinvel", "subtreeangmom")},
    **{f"sensor {tag}": sensor(f'<{tag} geom1="g1" body2="free"/>') for tag in ("distance", "normal", "fromto")},
    **{f"sensor {tag}": sensor(f"<{tag}/>") for tag in ("e_potential", "e_kinetic", "clock")},
    "sensor camprojection": sensor('<camprojection site="s1" camera="cam"/>'),
    "sensor camera rangefinder": sensor('<rangefinder camera="cam" data="dist dir origin point normal depth"/>'),
    "sensor insidesite": sensor('<insidesite site="s1" objtype="geom" objname="g4" enclosed="true"/><insidesite site="s1" objtype="body" objname="a"/>'),
    **{f"sensor contact {data}": sensor(f'<contact geom1="g1" num="3" data="{data}" reduce="mindist"/>') for data in ("found", "found force torque", "dist pos", "normal tangent", "linvel angvel", "found force torque dist pos normal tangent linvel angvel")},
    **{f"sensor contact reduce {reduce}": sensor(f'<contact subtree1="a" body2="free" data="found" reduce="{reduce}"/>') for reduce in ("none", "mindist", "maxforce", "netforce")},
    "sensor contact anything": sensor('<contact/><contact site="s1"/>'),
    "sensor user": sensor('<user dim="3"/><user dim="3" datatype="axis" needstage="vel" objtype="joint" objname="j1"/>'),
    "sensor history": sensor('<jointpos joint="j1" nsample="4" delay=".02" interval=".1 -.05" interp="cubic"/><gyro site="s1" nsample="2"/>'),
    "sensor tactile": world('<geom name="g" size=".1"/>', f'<asset><mesh name="m" {TETRA}/></asset>', '<sensor><tactile geom="g" mesh="m"/></sensor>'),
    # --- keyframes and custom
    "key": arm('<keyframe><key name="k" time="3" qpos="1 2 3 2 0 0 0 1 2 3 4 0 0 0" qvel="1 2" ctrl=""/><key/></keyframe>'),
    "key of mocap": world(f'<body mocap="true">{BODY}</body><body mocap="true" pos="1 2 3">{BODY}</body>', "", '<keyframe><key mpos="1 2 3" mquat="1 1 0 0"/></keyframe>'),
    "numeric": world(BODY, "", '<custom><numeric name="n" data="1 2 3"/><numeric name="m" size="4" data="1"/><text name="t" data="hello"/><tuple name="u"><element objtype="text" objname="t" prm="2"/><element objtype="numeric" objname="n"/></tuple></custom>'),
    "empty model": "<mujoco/>",
    "model name": "<mujoco model='x'/>",
    "comments": "<?xml version='1.0'?><!-- a -->\n<mujoco><!-- b --><worldbody/></mujoco>",
}  # fmt: skip
