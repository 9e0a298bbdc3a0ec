"""A controller inside the step: 256 arms follow a moving target, closed loop, in one call."""

import time

import numpy as np

import phalanx
from phalanx.kernels import clamp, sin

XML = """
<mujoco model="arm">
  <option timestep="0.002"/>
  <default><joint axis="0 1 0" damping=".2"/><geom type="capsule" size=".03" contype="0"/></default>
  <worldbody>
    <body><joint name="shoulder"/><geom fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="elbow"/><geom fromto="0 0 0 .3 0 0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>
"""

KP, KD = np.array([200.0, 80.0]), np.array([20.0, 6.0])
CENTERS = (0.3, -0.6)


def reference(joint, t):
    """Where a joint should be."""
    return CENTERS[joint] + 0.2 * sin(2.0 * t + joint)


def control(m, d):
    """PD control. Plain Python: compiled when a world or a batch is made."""
    for i in range(m.nu):
        force = KP[i] * (reference(i, d.time) - d.qpos[i]) - KD[i] * d.qvel[i]
        d.ctrl[i] = clamp(force, -60.0, 60.0)


def main() -> None:
    model = phalanx.Model.from_xml_string(XML).with_hooks(control=control)
    starts = np.random.default_rng(0).uniform(-1, 1, (256, 2))
    phalanx.rollout(model, {"qpos": starts}, nsteps=1)
    start = time.perf_counter()
    result = phalanx.rollout(model, {"qpos": starts}, nsteps=1000, outputs=("qpos", "ctrl"))
    print(f"{256 * 1000 / (time.perf_counter() - start):,.0f} steps per second, controller included")

    wanted = np.stack([reference(joint, result.time[0, -1]) for joint in range(2)])
    print(f"after {result.time[0, -1]:.1f} s within {np.abs(result.qpos[:, -1] - wanted).max():.2f} rad of the target")

    alone = model.make_data()
    alone.qpos = starts[17]
    alone.step(1000)
    assert np.array_equal(alone.qpos, result.qpos[17, -1])  # bit for bit


if __name__ == "__main__":
    main()
