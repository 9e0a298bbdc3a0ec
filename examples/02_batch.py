"""Many worlds: a controller steers 256 carts with poles at once, and one of them is checked against a world alone."""

import time

import numpy as np

import phalanx

#: Force on the cart per unit of: position, angle, velocity, angular velocity.
GAINS = np.array([3.0, 60.0, 6.0, 15.0])


def control(qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
    """Works on one world (2,) and on all of them (n, 2): the last axis is the joint."""
    return (np.concatenate([qpos, qvel], axis=-1) * GAINS).sum(axis=-1, keepdims=True)


def main() -> None:
    model = phalanx.load("cartpole")
    batch = phalanx.BatchSim(model, 256)
    batch.qpos[:, 1] = np.random.default_rng(0).uniform(-0.3, 0.3, 256)
    first = batch.qpos[17].copy()
    start = time.perf_counter()
    for _ in range(1000):
        batch.ctrl[:] = control(batch.qpos, batch.qvel)
        batch.step()
    print(f"{256 * 1000 / (time.perf_counter() - start):,.0f} steps per second, controller included")
    print(f"poles within {np.abs(batch.qpos[:, 1]).max():.1e} rad of upright")

    alone = model.make_data()
    alone.qpos = first
    for _ in range(1000):
        alone.ctrl = control(alone.qpos, alone.qvel)
        alone.step()

    assert np.abs(batch.qpos[:, 1]).max() < 1e-2
    assert np.array_equal(alone.qpos, batch.qpos[17])  # bit for bit


if __name__ == "__main__":
    main()
