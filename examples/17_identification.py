"""System identification: masses, damping and friction of an arm, from noisy sensors."""

from importlib.util import find_spec

import numpy as np

import phalanx

XML = """
<mujoco model="two links">
  <option timestep="0.005" integrator="implicitfast"/>
  <default><geom type="capsule"/><joint axis="0 1 0" armature=".01"/></default><worldbody>
    <body name="upper">
      <joint name="shoulder" damping=".4" frictionloss=".2"/><geom size=".04" fromto="0 0 0 .4 0 0" mass="2"/>
      <body name="fore" pos=".4 0 0">
        <joint name="elbow" damping=".2" frictionloss=".1"/><geom size=".03" fromto="0 0 0 .35 0 0" mass="1.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
  <sensor><jointpos name="shoulder" joint="shoulder"/><jointpos name="elbow" joint="elbow"/>
    <jointvel name="shoulder_speed" joint="shoulder"/><jointvel name="elbow_speed" joint="elbow"/></sensor>
</mujoco>
"""
#: Noise of the sensors: 1 mrad, 20 mrad/s.
NOISE = np.array([1e-3, 1e-3, 2e-2, 2e-2])
INERTIAL = ("body_mass", "body_inertia")
UNKNOWNS = [phalanx.Unknown(INERTIAL, body) for body in ("upper", "fore")] + [
    phalanx.Unknown(field, joint) for field in ("dof_damping", "dof_frictionloss") for joint in ("shoulder", "elbow")
]


def measure(model: phalanx.Model, seed: int) -> phalanx.Recording:
    """0.8 s of the real arm from a known pose, under controls that shake it."""
    rng, time = np.random.default_rng(seed), 0.005 * np.arange(160)
    speed, phase = rng.uniform(2, 9, (2, 2)), rng.uniform(0, 6, (2, 2))
    ctrl = (np.sin(speed[..., None] * time + phase[..., None]) * [[[8], [4]], [[3], [2]]]).sum(axis=1).T
    start = rng.uniform(-1.5, 1.5, 2)
    readings = phalanx.rollout(model, {"qpos": start}, ctrl[None], outputs="sensordata").sensordata[0]
    return phalanx.Recording(start, np.zeros(2), ctrl, readings + NOISE * rng.standard_normal(readings.shape))


def main() -> None:
    real = phalanx.Model.from_xml_string(XML)
    recordings = [measure(real, seed) for seed in range(6)]
    wrong = np.array([1.0, 0.6, 1.5])
    guess = real.replace(
        body_mass=real.body_mass * wrong, body_inertia=real.body_inertia * wrong[:, None],
        dof_damping=0.1, dof_frictionloss=0.05,
    )  # fmt: skip
    found = phalanx.identify(guess, UNKNOWNS, recordings, scale=NOISE)
    print(found)
    if find_spec("matplotlib"):
        found.plot(recordings[0], "identification.png")
    truth = np.concatenate([1 / wrong[1:], real.dof_damping, real.dof_frictionloss])
    assert found.converged and (np.abs(found.values - truth) < np.maximum(0.01 * truth, 4 * found.errors)).all()


if __name__ == "__main__":
    main()
