"""Models of the attacks, beside those of the tests: deformables, plugins, skins, distance fields, sleep."""

# ruff: noqa: E501 : a model is easier to read in one line

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

import phalanx

ROOT = Path(__file__).resolve().parents[1]

FLOOR = '<geom name="floor" type="plane" size="2 2 .1"/>'
#: A ball that falls onto what is below.
BALL = '<body name="ball" pos=".02 .01 .3"><freejoint name="ball"/><geom name="ball" size=".06"/><site name="mark"/></body>'
#: A closed surface: an octahedron.
HULL = 'point="1 0 0 -1 0 0 0 1.5 0 0 -1 0 0 0 1 0 0 -2" element="0 2 4 2 1 4 1 3 4 3 0 4 2 0 5 1 2 5 3 1 5 0 3 5"'
CUBE = "-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"


def _world(inside: str, before: str = "", after: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{FLOOR}{BALL}{inside}</worldbody>{after}</mujoco>"


def _comp(attributes: str, inside: str = "", name: str = "f", pos: str = "0 0 .1") -> str:
    kind = "" if "type=" in attributes else 'type="grid"'
    count = "" if "count=" in attributes else 'count="4 4 1"'
    given = f'name="{name}" {kind} {count} spacing=".1 .1 .1" pos="{pos}" radius=".01" mass=".5"'
    return f"<flexcomp {given} {attributes}>{inside}</flexcomp>"


def _plugin(name: str, inside: str = "") -> str:
    return f'<extension><plugin plugin="{name}">{inside}</plugin></extension>'


_BEND = '<elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="both" yield=".05"/>'
_SOLID = '<elasticity young="1e4" poisson=".2" damping=".01"/>'
_MATERIAL = '<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/></asset>'
_SLEEP = '<option><flag sleep="enable"/></option>'

#: Name -> text of a small model.
TEXTS = {
    "cloth": _world(_comp('dim="2" material="m"', '<edge equality="true" damping=".1"/><pin id="0 3"/>'), _MATERIAL),
    "shell": _world(_comp('dim="2"', _BEND + '<contact selfcollide="auto" condim="4"/>')),
    "solid": _world(_comp('dim="3" count="3 3 3" material="m"', _SOLID + '<contact selfcollide="sap" activelayers="2"/>'), _MATERIAL),
    "narrow": _world(_comp('dim="3" count="2 3 2"', '<elasticity young="1e4" yield=".1"/><contact selfcollide="narrow"/>')),
    "rod": _world(_comp('dim="1" count="6 1 1"', '<elasticity young="1e4" poisson=".1" damping=".1"/><pin id="0"/>')),
    "rope": _world(_comp('dim="1" count="5 1 1"', '<edge stiffness="100" damping="1"/>')),
    "cells": _world(_comp('dim="3" dof="trilinear" count="3 4 3" cellcount="2 1 1"', _SOLID + '<pin id="0"/>')),
    "cells of shells": _world(_comp(f'dim="2" type="direct" dof="quadratic" cellcount="1 2 1" scale=".1 .1 .1" {HULL}', _BEND)),
    "strain": _world(_comp('dim="3" dof="trilinear" count="3 3 3" cellcount="2 1 1"', '<edge equality="strain"/>')),
    "one strain": _world(_comp('dim="3" dof="trilinear" count="3 3 3" cellcount="2 1 1"'), "", '<equality><flexstrain flex="f" cell="1 0 0"/></equality>'),
    "rigid": _world(f'<body name="carrier" pos="0 0 .5"><freejoint/><geom size=".05"/>{_comp(""" dim="2" rigid="true" """)}</body>'),
    "passive": _world(_comp('dim="2"', '<edge equality="true"/><contact selfcollide="none" passive="true"/>'), '<option integrator="discrete"/>'),
    "discrete": _world(_comp('dim="2"', _BEND) + _comp('dim="1" count="4 1 1"', '<elasticity young="1e4"/>', "g", "0 1 .3") + _comp('dim="3" dof="trilinear" count="3 3 3"', _SOLID, "h", "0 -1 .3"), '<option integrator="discrete"/>'),
    "implicit": _world(_comp('dim="2"', '<edge equality="true"/>', "g", "0 0 .25"), '<option integrator="implicit"/>'),
    "raw": _world(
        "".join(f'<body name="v{k}" pos="{pos}"><joint type="slide"/><joint type="slide" axis="1 0 0"/><geom size=".02"/></body>' for k, pos in enumerate((".3 0 .1", ".5 0 .1", ".3 .2 .1", ".3 0 .3"))),
        "",
        '<deformable><flex name="f" dim="3" body="v0 v1 v2 v3" element="0 1 2 3"><edge damping="1"/></flex>'
        '<skin name="s" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1" texcoord="0 0 1 0 0 1 1 1" face="0 1 2 0 2 3">'
        '<bone body="v0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1" vertweight="1 1"/>'
        '<bone body="ball" bindpos="0 0 0" bindquat="1 0 0 0" vertid="1 2 3" vertweight="1 .5 1"/></skin></deformable>'
        '<equality><flex flex="f"/></equality>',
    ),
    "cloth asleep": _world(_comp('dim="2"', '<edge equality="true"/>') + '<body name="b" sleep="init" pos="1 1 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>', _SLEEP),
    "sleep": _world(
        '<body name="a" sleep="allowed" pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        '<body name="b" sleep="never" pos="1 0 .31"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        '<body name="c" sleep="init" pos="-1 0 .2"><joint name="c" axis="0 1 0" damping="1"/><geom name="c" size=".1"/></body>'
        '<body name="d" sleep="init" pos="-1 0 .5"><joint name="d" axis="0 1 0" damping="1"/><geom name="d" size=".1"/></body>',
        _SLEEP,
        '<equality><joint joint1="c" joint2="d"/></equality><tendon><fixed name="t" range="-1 1"><joint joint="c" coef="1"/><joint joint="d" coef="1"/></fixed></tendon>'
        '<actuator><motor tendon="t"/></actuator><sensor><jointpos joint="c"/></sensor>',
    ),
    "pid": _world(
        '<body name="a" pos="1 0 1"><joint name="a" axis="0 1 0"/><geom size=".05" pos=".3 0 0"/></body>',
        _plugin("mujoco.pid", '<instance name="i"><config key="kp" value="2"/><config key="ki" value="1"/><config key="slewmax" value="3"/></instance>'),
        '<actuator><plugin joint="a" plugin="mujoco.pid" instance="i" actdim="2"/><plugin joint="a" plugin="mujoco.pid"><config key="kp" value="1"/></plugin></actuator>',
    ),
    "touch grid": _world(
        "", _plugin("mujoco.sensor.touch_grid"),
        '<sensor><plugin name="g" plugin="mujoco.sensor.touch_grid" objtype="site" objname="mark"><config key="size" value="3 2"/><config key="fov" value="20 20"/><config key="gamma" value="0"/><config key="nchannel" value="3"/></plugin></sensor>',
    ),
    "shapes": _world(
        '<body name="a" pos=".5 0 .3"><freejoint/><geom type="sdf" mesh="s"><plugin instance="i"/></geom></body>'
        '<body name="c" pos=".5 0 .8"><freejoint/><geom type="sdf" mesh="cube"/></body>',
        _plugin("mujoco.sdf.torus", '<instance name="i"><config key="radius1" value=".2"/><config key="radius2" value=".1"/></instance>'),
        f'<asset><mesh name="s"><plugin instance="i"/></mesh><mesh name="cube" vertex="{CUBE}"/><hfield name="h" nrow="3" ncol="3" size="1 1 .1 .1" elevation="0 1 0 1 0 1 0 1 0"/></asset>'
        '<sensor><rangefinder site="mark"/></sensor>',
    ),
}  # fmt: skip


@functools.cache
def model(name: str) -> phalanx.Model:
    """A model by name; "grid" is one in which a geom has the shape of a grid of distances."""
    if name != "grid":
        return phalanx.Model.from_xml_string(TEXTS[name])
    ball = phalanx.SDF.from_function(lambda p: np.linalg.norm(p, axis=-1) - 0.06, -0.1, 0.1, 0.05)
    return phalanx.Model.from_xml_string(_world("")).with_sdf({"ball": ball})


def models() -> dict[str, phalanx.Model]:
    """All of them by name."""
    return {name: model(name) for name in (*TEXTS, "grid")}


def files() -> list[Path]:
    """The models of the tests, and those that come with Phalanx."""
    folders = (ROOT / "tests" / "models", ROOT / "phalanx" / "robots")
    return [path for folder in folders for path in sorted(folder.glob("*.xml"))]
