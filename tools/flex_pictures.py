"""Pictures of what the parameters of flexes do, for `docs/flex.md`: a body side by side with different values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import phalanx

#: Width and height of each part of a picture [pixels], and samples along a side of a pixel.
SIZE, SAMPLES = (240, 240), 3
#: What is around each body.
_AROUND = """<mujoco>
  <option timestep="{step}" integrator="discrete"/>
  <visual><headlight ambient=".35 .35 .35" diffuse=".3 .3 .3"/></visual>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1=".95 .97 1" rgb2=".7 .78 .88" width="64" height="64"/>
    <texture name="tiles" type="2d" builtin="checker" rgb1=".86 .88 .9" rgb2=".78 .8 .83" width="64" height="64"/>
    <material name="floor" texture="tiles" texrepeat="8 8"/>
  </asset>
  <worldbody>
    <light pos="1 -2 3" dir="-.3 .5 -1" directional="true" diffuse=".6 .6 .6"/>
    <geom type="plane" size="2 2 .1" material="floor"/>
    {body}
  </worldbody>
</mujoco>"""
_CAMERA = phalanx.Camera(lookat=(0, 0, 0.25), distance=1.0, azimuth=120, elevation=-18)


def _beam(young: str) -> str:
    """A beam that is held at one end."""
    return f"""<flexcomp name="f" type="grid" dim="3" dof="trilinear" cellcount="6 1 1" count="13 3 3"
        spacing=".04 .03 .03" radius=".002" mass=".5" pos="0 0 .4" rgba=".9 .5 .2 1">
      <elasticity young="{young}" poisson=".3" damping=".01"/><pin gridrange="0 0 0 0 1 1"/>
      <contact selfcollide="none"/></flexcomp>"""


def _block(poisson: str) -> str:
    """A block under a heavy plate."""
    return f"""<flexcomp name="f" type="grid" dim="3" dof="quadratic" cellcount="1 1 1" count="7 7 7"
        spacing=".05 .05 .05" radius=".002" mass="1" pos="0 0 .152" rgba=".3 .65 .9 1">
      <elasticity young="6e3" poisson="{poisson}" damping=".02"/><contact selfcollide="none" solref=".01 1"/></flexcomp>
    <body pos="0 0 .34"><joint type="slide" axis="0 0 1" damping="5"/>
      <geom type="box" size=".17 .17 .012" mass="20" rgba=".3 .3 .35 1"/></body>"""


def _jelly(damping: str) -> str:
    """A cube that falls on the floor and bounces."""
    return f"""<flexcomp name="f" type="grid" dim="3" dof="trilinear" count="5 5 5" spacing=".06 .06 .06"
        radius=".002" mass="1" pos="0 0 .45" euler="20 10 0" rgba=".4 .75 .4 1">
      <elasticity young="8e3" poisson=".3" damping="{damping}"/>
      <contact selfcollide="none" solref=".01 1"/></flexcomp>"""


def _sheet(thickness: str) -> str:
    """A sheet that is held along one side; only bending resists."""
    return f"""<flexcomp name="f" type="grid" dim="2" count="9 6 1" spacing=".055 .055 .055" radius=".004" mass=".2"
        pos="0 0 .42" rgba=".85 .35 .45 1">
      <edge equality="true"/>
      <elasticity young="3e6" poisson="0" thickness="{thickness}" elastic2d="bend" damping=".002"/>
      <pin gridrange="0 0 1 5"/><contact selfcollide="none"/></flexcomp>"""


def _hanging(inside: str) -> str:
    """A cloth that hangs from two corners."""
    return f"""<flexcomp name="f" type="grid" dim="2" count="8 8 1" spacing=".05 .05 .05" radius=".004" mass=".3"
        pos="0 0 .42" euler="0 0 45" rgba=".75 .6 .9 1">
      {inside}<pin id="0 63"/><contact selfcollide="none"/></flexcomp>"""


def _side_by_side(bodies: Iterable[str], seconds: float, step: float) -> np.ndarray:
    """Each body after some time."""
    pictures = []
    for body in bodies:
        data = phalanx.Model.from_xml_string(_AROUND.format(body=body, step=step)).make_data()
        data.step(round(seconds / step))
        pictures.append(data.render(*SIZE, camera=_CAMERA, samples=SAMPLES))
    return np.hstack(pictures)


def draw_young() -> np.ndarray:
    """Beams with Young's moduli of 1e5, 3e5 and 2e6 Pa."""
    return _side_by_side(map(_beam, ("1e5", "3e5", "2e6")), 2.0, 0.002)


def draw_poisson() -> np.ndarray:
    """Blocks with Poisson's ratios of 0, 0.3 and 0.45."""
    return _side_by_side(map(_block, ("0", ".3", ".45")), 2.0, 0.002)


def draw_damping() -> np.ndarray:
    """Cubes with dampings of 0, 0.01 and 0.05 s, half a second after they fell."""
    return _side_by_side(map(_jelly, ("0", ".01", ".05")), 0.6, 0.002)


def draw_thickness() -> np.ndarray:
    """Sheets of 2, 4 and 10 mm."""
    return _side_by_side(map(_sheet, (".002", ".004", ".01")), 2.0, 0.002)


def draw_equality() -> np.ndarray:
    """A cloth with soft elasticity, with edge equality, with stiff and soft reference."""
    soft = '<elasticity young="2e3" poisson=".2" thickness=".005" elastic2d="stretch" damping=".01"/>'
    edges = '<edge equality="true" solref="{}"/>'
    return _side_by_side(map(_hanging, (soft, edges.format(".2 1"), edges.format(".01 1"))), 6.0, 0.002)
