"""Worlds that differ: one pendulum under the gravity of many planets, and its period against the formula.

Before the second episode some worlds are moved to other planets, and their pendulums get another mass.
"""

import mujoco
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
    model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(XML))
    n = 24
    gravity = np.zeros((n, 3))
    gravity[:, 2] = -np.linspace(1.6, 24.8, n)  # from the Moon to Jupiter [m/s²]
    batch = phalanx.BatchSim(model, n, vary={"opt.gravity": gravity, "body_mass": np.tile(model.body_mass, (n, 1))})
    inertia, center = model.make_data().forward().full_m()[0, 0], np.linalg.norm(model.body_ipos[1])
    rng = np.random.default_rng(0)

    for episode in range(2):
        if episode:
            # new parameters for every third world; the others keep theirs
            done = np.arange(n) % 3 == 0
            gravity[done, 2] = -rng.uniform(1.6, 24.8, done.sum())
            mass = model.body_mass * rng.uniform(0.5, 2.0, (done.sum(), 1))
            batch.set_vary(done, body_mass=mass, **{"opt.gravity": gravity[done]})
            batch.reset_all()
        batch.qpos[:] = 0.01
        measured = periods(batch, 8.5)

        # a heavier bob has the same moment of inertia about its center
        mass = batch.vary["body_mass"][:, 1]
        about_joint = inertia + (mass - model.body_mass[1]) * center**2
        expected = 2 * np.pi * np.sqrt(about_joint / (mass * -gravity[:, 2] * center))
        for world in (0, 8, 23):
            print(f"{-gravity[world, 2]:5.2f} m/s²: period {measured[world]:.4f} s, formula {expected[world]:.4f} s")
        assert np.allclose(measured, expected, rtol=1e-4)


if __name__ == "__main__":
    main()
