"""Plan through contact: told only how high to be in 0.6 s, a leg finds out by itself that it has to crouch and jump."""

from importlib.util import find_spec

import numpy as np

import phalanx

XML = """
<mujoco model="leg">
  <option timestep="0.005" integrator="implicitfast"/>
  <default><joint damping=".5" armature=".02"/><motor gear="80" ctrlrange="-1 1" ctrllimited="true"/></default>
  <worldbody>
    <light pos="0 -1 3"/><geom type="plane" size="2 2 .1"/>
    <body name="torso" pos="0 0 .62">
      <joint name="boom" type="slide" axis="0 0 1" damping="0" armature="0"/>
      <geom type="capsule" size=".08" fromto="0 0 .05 0 0 .2" mass="4"/><site name="torso"/>
      <body name="thigh" euler="0 30 0">
        <joint name="hip" axis="0 1 0" range="-60 60"/>
        <geom type="capsule" size=".04" fromto="0 0 0 0 0 -.32" mass=".8"/>
        <body name="shin" pos="0 0 -.32" euler="0 -60 0">
          <joint name="knee" axis="0 1 0" range="-60 50"/>
          <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.32" mass=".4"/>
          <geom name="foot" size=".05" pos="0 0 -.32" mass=".2"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="hip" joint="hip"/><motor name="knee" joint="knee"/></actuator>
  <sensor><framepos name="torso" objtype="site" objname="torso"/>
    <jointpos name="hip" joint="hip"/><jointpos name="knee" joint="knee"/></sensor>
</mujoco>
"""


def stand() -> phalanx.Data:
    """The leg, at rest on its foot, held by springs in place of a plan."""
    data = phalanx.Model.from_xml_string(XML).make_data()
    for _ in range(300):
        data.ctrl[:] = np.clip(-5.0 * data.qpos[1:] - 0.3 * data.qvel[1:], -1.0, 1.0)
        data.step()
    return data


def main() -> None:
    standing = stand()
    pose = [phalanx.Goal(name, weight=0.1, final=1.0) for name in ("hip", "knee")]
    height = phalanx.Goal("torso", (0.0, 0.0, 1.1), final=(0.0, 0.0, 500.0))
    plan = phalanx.ilqr(standing, [height, *pose], steps=120, effort=1.0, iterations=100)
    print(plan)
    if find_spec("matplotlib"):
        plan.plot("hop.png")
    torso = plan.sensordata[:, 2]
    print(f"stands at {torso[0]:.2f} m, crouches to {torso.min():.2f} m, is at {torso[-1]:.2f} m in the end")
    assert torso.min() < torso[0] - 0.05 and abs(torso[-1] - 1.1) < 0.02


if __name__ == "__main__":
    main()
