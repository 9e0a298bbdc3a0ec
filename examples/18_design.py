"""Design: how strong a damper lets a seat ride a bumpy road best, within the travel that it has?"""

import numpy as np

import phalanx

XML = """
<mujoco model="seat">
  <option timestep="0.002" integrator="implicitfast" gravity="0 0 0"/>
  <worldbody>
    <body name="axle" pos="0 0 .3">
      <joint name="road" type="slide" axis="0 0 1"/><geom type="cylinder" size=".3 .1" euler="90 0 0" mass="30"/>
      <body name="car" pos="0 0 .5">
        <joint name="suspension" type="slide" axis="0 0 1" stiffness="8000" damping="200"/>
        <geom type="box" size=".4 .3 .1" mass="300"/><site name="seat"/>
      </body>
    </body>
  </worldbody>
  <actuator><position joint="road" kp="400000" kv="8000"/></actuator>
  <sensor><accelerometer name="comfort" site="seat"/><jointpos name="travel" joint="suspension"/></sensor>
</mujoco>
"""
#: An acceleration of 1 m/s² is as bad as a travel of 6 mm.
SCALE = np.array([1.0, 1.0, 1.0, 0.006])


def road() -> np.ndarray:
    """Bumps of many lengths, over 5 s [m]."""
    time, phases = 0.002 * np.arange(2500), np.random.default_rng(0).uniform(0, 6, 6)
    waves = zip((0.7, 1.3, 2.1, 3.4, 5.5, 8.7), phases, strict=True)
    return np.minimum(1, time) * sum(0.012 / np.sqrt(f) * np.sin(2 * np.pi * f * time + phase) for f, phase in waves)


def discomfort(model: phalanx.Model) -> float:
    """Mean square of acceleration and travel on the road."""
    readings = phalanx.rollout(model, None, road()[None, :, None], outputs="sensordata").sensordata[0]
    return float(np.mean((readings / SCALE) ** 2))


def main() -> None:
    model = phalanx.Model.from_xml_string(XML)
    # a wish is a recording of sensors that read zero
    wish = phalanx.Recording(np.zeros(2), np.zeros(2), road()[:, None], np.zeros((2500, model.nsensordata)))
    damper = phalanx.Unknown("dof_damping", "suspension", bounds=(1e1, 1e5))
    found = phalanx.identify(model, [damper], wish, scale=SCALE)
    (damping,) = found.values
    print(f"damper of {damping:.0f} N·s/m: discomfort {discomfort(model):.3f} -> {discomfort(found.model):.3f}")

    # no neighbor is better
    worse = [discomfort(model.replace(dof_damping=[0.0, factor * damping])) for factor in (0.5, 0.9, 1.1, 2.0)]
    assert found.converged and min(worse) > discomfort(found.model)


if __name__ == "__main__":
    main()
