"""Pendulums under the gravity of many planets; in the second episode some are on other planets, with other masses."""

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
    n, rng = 24, np.random.default_rng(0)
    gravity = np.linspace([0, 0, -1.6], [0, 0, -24.8], n)  # from the Moon to Jupiter [m/s²]
    batch = phalanx.BatchSim(model, n, vary={"opt.gravity": gravity, "body_mass": np.tile(model.body_mass, (n, 1))})
    inertia, center = model.make_data().forward().full_m()[0, 0], np.linalg.norm(model.body_ipos[1])
    done = np.zeros(n, bool)
    for _ in range(2):
        # new parameters for the worlds that begin anew; the others keep theirs
        gravity, mass = -rng.uniform(1.6, 24.8, (n, 1)) * [0, 0, 1], model.body_mass * rng.uniform(0.5, 2, (n, 1))
        batch.set_vary(done, body_mass=mass, **{"opt.gravity": gravity})
        batch.reset_all()
        batch.qpos[:] = 0.01
        measured = periods(batch, 8.5)
        weight, mass = -batch.vary["opt.gravity"][:, 2] * batch.vary["body_mass"][:, 1], batch.vary["body_mass"][:, 1]
        expected = 2 * np.pi * np.sqrt((inertia + (mass - model.body_mass[1]) * center**2) / (weight * center))
        print(f"worlds 0 to 2: periods {measured[:3].round(4)} s, formula {expected[:3].round(4)} s")
        done = np.arange(n) % 3 == 0
    assert np.allclose(measured, expected, rtol=1e-4)


if __name__ == "__main__":
    main()
