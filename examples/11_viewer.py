"""A world in the browser: a swing that a program steps, with an arrow and a trail drawn into the page.

The viewer needs `pip install "phalanx[view]"`. The page is at the address that is printed; the program goes on whether
somebody looks or not. `phalanx view humanoid` on the command line is a viewer that steps the world itself.
"""

import phalanx

XML = """
<mujoco model="swing">
  <worldbody>
    <light pos="0 -1 3" dir="0 .3 -1" directional="true"/>
    <geom type="plane" size="2 2 .1" rgba=".8 .85 .9 1"/>
    <body name="bar" pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" size=".05" fromto="0 0 0 0 0 -.6" rgba=".9 .3 .1 1"/>
      <site name="tip" pos="0 0 -.65"/>
    </body>
  </worldbody>
</mujoco>
"""


def main(seconds: float = 1.0) -> None:
    model = phalanx.Model.from_xml_string(XML)
    data = model.make_data()
    data.qpos = 1.0

    # port=0: any that is free; realtime=False: as fast as it goes, otherwise sync keeps to the clock
    with phalanx.Viewer(model, data, port=0, realtime=False) as viewer:
        print(f"the page is at {viewer.url}")
        viewer.plot("joint hinge qpos")
        while viewer.is_running and data.time < seconds:
            data.step()
            tip = data.site("tip").xpos
            viewer.trail("path", tip, color=(0.1, 0.4, 0.9))
            viewer.arrow("weight", tip, direction=(0, 0, -0.2), color=(0.1, 0.7, 0.2))
            viewer.sync()

    print(f"{len(viewer.marks)} drawings, hinge at {data.qpos[0]:.3f} rad after {data.time:.2f} s")
    assert not viewer.is_running and len(viewer.marks) == 2
    assert abs(data.qpos[0]) <= 1.0  # it swings, and not farther than it was let go


if __name__ == "__main__":
    try:
        main()
    except phalanx.MissingPackageError as error:
        raise SystemExit(str(error)) from None
