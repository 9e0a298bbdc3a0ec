"""A calf muscle on an ankle: the tendon stretches first, the joint follows; and how stiffness depends on activation."""

import numpy as np

import phalanx

XML = """
<mujoco>
  <option timestep=".002"/>
  <worldbody>
    <body pos="0 0 1">
      <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04" contype="0" conaffinity="0"/>
      <site name="shank" pos="-.05 0 -.09"/>
      <body pos="0 0 -.4">
        <joint name="ankle" axis="0 1 0" range="-40 40" damping="1"/>
        <geom type="box" size=".12 .04 .02" pos=".06 0 -.03" mass="1.2"/>
        <site name="heel" pos="-.05 0 -.03"/>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="achilles"><site site="shank"/><site site="heel"/></spatial></tendon>
  <actuator><motor name="soleus" tendon="achilles"/></actuator>
</mujoco>"""


def main() -> None:
    soleus = phalanx.HillMuscle.preset("soleus", max_isometric_force=1500.0)
    model = phalanx.Model.from_xml_string(XML).with_muscles({"soleus": soleus})
    data = model.make_data()

    # a twitch: the control is on for 50 ms
    print("time  activation  fibre  force [N]  ankle [deg]")
    peak = 0.0
    for k in range(150):
        data.ctrl = 1.0 if k < 25 else 0.0
        data.step()
        activation, fiber = data.act
        peak = max(peak, activation)
        if k % 15 == 0:
            force, angle = -data.actuator_force[0], np.degrees(data.qpos[0])
            print(f"{data.time:.2f}  {activation:10.3f}  {fiber:.3f}  {force:9.1f}  {angle:11.2f}")

    # curves, for plots
    lengths = np.linspace(0.4, 1.7, 14)
    for length, active, passive in zip(
        lengths, soleus.active_force(lengths), soleus.passive_force(lengths), strict=True
    ):
        print(f"{length:.1f} {'#' * round(40 * active)}{'.' * round(40 * passive)}")

    assert peak > 0.9 and activation < 0.2
    assert abs(soleus.active_force(1.0) - 1.0) < 1e-12


if __name__ == "__main__":
    main()
