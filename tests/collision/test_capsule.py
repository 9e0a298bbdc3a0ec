"""Capsule against capsule and box."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx.collision.pair import capsule  # noqa: F401
from tests.collision.analytic import (
    differences,
    geom,
    product,
    random_quaternion,
    relative_to_first,
    stand,
)
from tests.collision.harness import Pair

# --- capsule and capsule


def crossing_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Segments that cross over each other's inside at small angles, around the one that counts as parallel."""
    rng = np.random.default_rng(seed)
    length1, length2 = pair.mjmodel.geom_size[:, 1]
    reach = pair.mjmodel.geom_size[:, 0].sum() + pair.margin
    poses = np.zeros((n, 7))
    for pose in poses:
        angle, around = 10 ** rng.uniform(-6, -1), rng.uniform(-np.pi, np.pi)
        axis = np.array([np.cos(around), np.sin(around), 0])
        pose[3:] = np.hstack([np.cos(angle / 2), np.sin(angle / 2) * axis])
        other = np.array([axis[1] * np.sin(angle), -axis[0] * np.sin(angle), np.cos(angle)])
        pose[:3] = axis * rng.uniform(0.1, 1.05) * reach + other * rng.uniform(-1.2, 1.2) * length2
        pose[2] += rng.uniform(-1.2, 1.2) * length1
        pose[3:] = product(pose[3:], np.array([1.0, 0, 0, 0]) if rng.random() < 0.5 else np.array([0, 1.0, 0, 0]))
    return relative_to_first(pair, poses)


def check_crossing(n: int) -> None:
    for k, (a, b) in enumerate([(".1 .2", ".1 .2"), (".05 .5", ".1 .03"), (".02 1", ".02 1"), ("1 3", ".01 .02")]):
        pair = stand(Pair(geom("capsule", a), geom("capsule", b), 0.02), 1 + k)
        found = differences(pair, crossing_poses(pair, n, k))
        assert not found, f"{a} {b}: {len(found)} of {n}\n" + "\n".join(found[:3])


def test_almost_parallel_capsules():
    check_crossing(150)


@pytest.mark.conformance
def test_almost_parallel_capsules_in_many_poses():
    check_crossing(6000)


def test_parallel_capsules_have_two_contacts():
    """At the ends of the common part, the lower end of the first capsule first; the same point twice without one."""
    pair = Pair(geom("capsule", ".1 .3"), geom("capsule", ".1 .2"), 0.05)
    poses = np.array([[0.15, 0, z, 1, 0, 0, 0] for z in (0.0, 0.2, 0.4, 0.55, -0.55)])
    heights = [[pos[2] for _, pos, _ in contacts] for contacts in pair.ours(poses)]
    expected = [[-0.2, 0.2], [0.0, 0.3], [0.2, 0.3], [0.325, 0.325], [-0.325, -0.325]]
    assert np.abs(np.array(heights) - expected).max() < 1e-12
    assert not differences(pair, poses)


# --- capsule and box


def near_poses(pair: Pair, n: int, seed: int) -> np.ndarray:
    """Capsules close to a box at small angles to its faces and edges: where a second contact is looked for."""
    rng = np.random.default_rng(seed)
    radius, size = pair.mjmodel.geom_size[0, 0], pair.mjmodel.geom_size[1]
    poses = np.zeros((n, 7))
    for pose in poses:
        spot = size * rng.choice([-1, 1, 1, rng.uniform(-1, 1), 0], 3)
        out = spot / size + rng.normal(size=3) * 0.1
        tilt = np.hstack([1, rng.normal(size=3) * 10 ** rng.uniform(-9, 0)])
        axis = product(tilt / np.linalg.norm(tilt), rng.choice([[1, 0, 0, 0], [0.6, 0.8, 0, 0], [0.8, 0, 0.6, 0]]))
        quat = random_quaternion(rng) if rng.random() < 0.2 else axis
        # the box relative to the capsule
        back = np.zeros(3)
        offset = spot + out / np.linalg.norm(out) * radius * rng.uniform(0, 1.3)
        offset[rng.integers(3)] += rng.uniform(-1, 1) * pair.mjmodel.geom_size[0, 1]
        mujoco.mju_rotVecQuat(back, -offset, quat)
        pose[:3], pose[3:] = back, quat
    return relative_to_first(pair, poses)


def check_near(n: int) -> None:
    shapes = [(".1 .2", ".2 .2 .2"), (".03 .5", ".1 .2 .3"), (".1 .02", ".4 .4 .4"), (".02 .2", ".001 .2 .2")]
    counts = set()
    for k, (a, b) in enumerate(shapes):
        pair = stand(Pair(geom("capsule", a), geom("box", b), 0.01), k)
        poses = near_poses(pair, n, k)
        found = differences(pair, poses)
        assert not found, f"{a} {b}: {len(found)} of {n}\n" + "\n".join(found[:3])
        counts |= {len(c) for c in pair.ours(poses[:100])}
    assert counts == {0, 1, 2}


def test_capsules_along_faces_and_edges():
    check_near(150)


@pytest.mark.conformance
def test_capsules_along_faces_and_edges_in_many_poses():
    check_near(6000)


def test_large_capsule_and_small_box():
    """Distances are compared with a bound of sizes: of squares with a square."""
    pair = Pair(geom("capsule", "5 3"), geom("box", ".1 .1 .1"))
    poses = np.array([[5.05, 0, 0, 1, 0, 0, 0], [0, 0, 8.05, 1, 0, 0, 0], [3.6, 3.6, 1, 1, 0, 0, 0]])
    assert all(pair.ours(poses))
    assert not differences(pair, poses)
