"""Length ranges of actuators: found by pulling, copied from limits, or kept; and what muscles derive from them.

The search simulates ten seconds under a damped pull, which ends at a limit or at an extreme of the length: small
differences on the way die out, so that the ranges agree as single steps with constraints do (1e-9).
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx import Limits, MjcfError, Model
from tests.compiler.compare import differences

#: Of the largest number of a field.
TOLERANCE = 1e-9
FIELDS = (
    "actuator_lengthrange", "actuator_length0", "actuator_acc0", "actuator_gainprm", "actuator_biasprm",
    "actuator_dynprm",
)  # fmt: skip

ARM = """<mujoco>
  <compiler>{settings}</compiler>
  <default><default class="bone"><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.4"/></default></default>
  <worldbody>
    <site name="anchor" pos=".05 0 .1"/><geom name="wheel" type="cylinder" size=".06" fromto="0 -.1 .05 0 .1 .05"/>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" range="-60 80" limited="true"/><geom class="bone"/>
      <site name="upper" pos=".05 0 -.2"/>
      <body name="lower" pos="0 0 -.4">
        <joint name="elbow" axis="0 1 0" range="-120 10" limited="true"/>
        <geom class="bone"/><geom name="knob" type="sphere" size=".04"/>
        <site name="lower" pos=".04 0 -.15"/>
        <body name="hand" pos="0 0 -.4">
          <joint name="slide" type="slide" axis="0 0 1" range="-.1 .05" limited="true"/><geom size=".02" type="sphere"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="straight"><site site="anchor"/><site site="upper"/></spatial>
    <spatial name="long"><site site="anchor"/><site site="upper"/><site site="lower"/></spatial>
    <spatial name="around"><site site="upper"/><geom geom="knob"/><site site="lower"/></spatial>
    <spatial name="limited" range=".1 .35" limited="true"><site site="anchor"/><site site="upper"/></spatial>
    <fixed name="sum"><joint joint="shoulder" coef=".02"/><joint joint="elbow" coef="-.03"/></fixed>
  </tendon>
  <actuator>{actuators}</actuator>
</mujoco>"""
MUSCLES = {
    "joint": '<muscle joint="shoulder"/><muscle joint="slide" gear="2"/><muscle joint="elbow" gear="-.5" force="30"/>',
    "tendon": '<muscle tendon="straight"/><muscle tendon="long" scale="100" range=".8 1.2"/>',
    "around a sphere": '<muscle tendon="around" lmin=".4" lmax="1.8" vmax="2"/>',
    "limited tendon": '<muscle tendon="limited"/><muscle tendon="sum" fpmax="1.5"/>',
    "crank": '<general cranksite="upper" slidersite="anchor" cranklength=".3" gaintype="muscle" biastype="muscle"'
    ' gainprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" biasprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" gear=".1"/>',
    "given": '<muscle joint="shoulder" lengthrange="-.5 .4"/><muscle tendon="long"/>',
    "others": '<motor joint="shoulder"/><position tendon="sum" kp="3"/><general joint="elbow" gaintype="user"/>'
    '<general joint="slide" biastype="user"/><muscle joint="elbow"/>',
}
SETTINGS = {
    "none": '<lengthrange mode="none"/>',
    "muscle": "",
    "muscleuser": '<lengthrange mode="muscleuser"/>',
    "all": '<lengthrange mode="all"/>',
    "uselimit": '<lengthrange uselimit="true"/>',
    "anew": '<lengthrange useexisting="false"/>',
    "quick": '<lengthrange accel="40" timeconst=".5" timestep=".005" inttotal="6" interval="1" maxforce="5"/>',
}
EVERY_DAY = [("muscle", name) for name in MUSCLES] + [
    (settings, name) for settings in SETTINGS for name in ("given", "others") if settings not in ("muscle", "none")
]


def check(settings: str, muscles: str) -> None:
    """Compile with both engines; if MuJoCo refuses, so do we."""
    xml = ARM.format(settings=SETTINGS[settings], actuators=MUSCLES[muscles])
    try:
        theirs = mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        with pytest.raises(MjcfError, match="length"):
            Model.from_xml_string(xml)
        return
    ours = Model.from_xml_string(xml)
    errors = {}
    for name in FIELDS:
        a, b = getattr(ours, name), getattr(theirs, name)
        errors[name] = float(np.abs(a - b).max(initial=0.0) / max(np.abs(b).max(initial=0.0), 1e-9))
    assert max(errors.values()) <= TOLERANCE, errors
    assert differences(ours, theirs, FIELDS) == {}


@pytest.mark.parametrize("settings, muscles", EVERY_DAY)
def test_muscles_are_mujocos(settings, muscles):
    check(settings, muscles)


@pytest.mark.conformance
@pytest.mark.parametrize("muscles", MUSCLES)
@pytest.mark.parametrize("settings", SETTINGS)
def test_all_settings_with_all_muscles(settings, muscles):
    check(settings, muscles)


def test_a_joint_without_limits_has_no_range():
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><muscle joint="j"/></actuator></mujoco>"""
    with pytest.raises(ValueError, match=r"[Ll]ength"):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(MjcfError, match="the search for a length range did not converge: give lengthrange"):
        Model.from_xml_string(xml)


def test_a_search_that_would_not_end_is_refused():
    xml = """<mujoco><compiler><lengthrange inttotal="1e300"/></compiler>
    <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><muscle joint="j"/></actuator></mujoco>"""
    with pytest.raises(MjcfError, match=r"takes 1e\+302 time steps, more than the limit lengthrange_steps=1000000"):
        Model.from_xml_string(xml)
    with pytest.raises(MjcfError, match="more than the limit lengthrange_steps=10"):
        Model.from_xml_string(xml.replace("1e300", "1"), limits=Limits(lengthrange_steps=10))
