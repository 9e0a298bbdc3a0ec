"""Worlds that differ: one pendulum under the gravity of many planets, and its period against the formula."""

import numpy as np

import phalanx

XML = """
<mujoco model="pendulum">
  <option timestep="0.002" integrator="RK4"/>
  <worldbody>
    <body name="bob">
      <joint axis="0 1 0"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 -1"/>
    </body>
  </worldbody>
</mujoco>
"""


def periods(batch: phalanx.BatchSim, duration: float) -> np.ndarray:
    """Time between the first two downward crossings of zero, in each world [s]."""
    timestep = batch.model.opt.timestep
    crossings = np.full((batch.n, 2), np.nan)
    for step in range(round(duration / timestep)):
        before = batch.qpos[:, 0].copy()
        batch.step()
        after = batch.qpos[:, 0]
        crossing = (before > 0) & (after <= 0)
        time = (step + before / (before - after + (before == after))) * timestep
        for k in range(2):
            fresh = crossing & np.isnan(crossings[:, k])
            crossings[fresh, k] = time[fresh]
            crossing &= ~fresh
    return crossings[:, 1] - crossings[:, 0]


def main() -> None:
    model = phalanx.Model.from_xml_string(XML)
    n = 24
    gravity = np.zeros((n, 3))
    gravity[:, 2] = -np.linspace(1.6, 24.8, n)  # from the Moon to Jupiter [m/s²]
    batch = phalanx.BatchSim(model, n, vary={"opt.gravity": gravity})
    batch.qpos[:] = 0.01

    measured = periods(batch, 8.5)
    mass, center = model.body_mass[1], np.linalg.norm(model.body_ipos[1])
    inertia = model.make_data().forward().full_m()[0, 0]
    expected = 2 * np.pi * np.sqrt(inertia / (mass * -gravity[:, 2] * center))
    for world in (0, 8, 23):
        print(f"{-gravity[world, 2]:5.2f} m/s²: period {measured[world]:.4f} s, formula {expected[world]:.4f} s")

    assert np.allclose(measured, expected, rtol=1e-4)


if __name__ == "__main__":
    main()
