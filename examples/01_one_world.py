"""One world: load a model, look at it, change it, step it, and check that energy is conserved."""

import numpy as np

import phalanx

XML = """
<mujoco model="double pendulum">
  <option timestep="0.001" integrator="RK4"><flag energy="enable"/></option>
  <default>
    <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" contype="0" conaffinity="0"/>
    <joint axis="0 1 0"/>
  </default>
  <worldbody>
    <body name="upper" pos="0 0 1.5">
      <joint name="shoulder"/><geom/>
      <body name="lower" pos="0 0 -.5">
        <joint name="elbow"/><geom/>
        <site name="hand" pos="0 0 -.5"/>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="horizontal" qpos="1.5708 0"/></keyframe>
</mujoco>
"""


def main() -> None:
    model = phalanx.Model.from_xml_string(XML)
    print(model)

    data = model.make_data().reset("horizontal").forward()
    start = data.energy.sum()
    lowest = np.inf
    for _ in range(2000):
        data.step()
        lowest = min(lowest, data.site("hand").xpos[2])
    data.forward()
    drift = abs(data.energy.sum() - start)
    print(f"after {data.time:.1f} s: shoulder {data.joint('shoulder').qpos[0]:.3f} rad, hand down to {lowest:.3f} m")
    print(f"energy changed by {drift:.1e} J of {np.abs(data.energy).max():.1f} J")

    # a Model does not change; replace makes another, with everything that depends on mass recomputed
    heavy = model.replace(body_mass=2 * model.body_mass, body_inertia=2 * model.body_inertia)
    twin = heavy.make_data().reset("horizontal").step(2000)
    print(f"twice the mass, the same motion: {np.abs(twin.qpos - data.qpos).max():.1e} rad apart")

    assert drift < 1e-6
    assert np.allclose(twin.qpos, data.qpos, atol=1e-6)


if __name__ == "__main__":
    main()
