"""Plane against capsule and others: what is not common to all analytic colliders (see test_analytic.py)."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.collision.pair import plane  # noqa: F401
from tests.collision.analytic import TOLERANCE, ordinary, run_raw, stand, sweep


def frame_of(normal: np.ndarray, tangent: np.ndarray) -> np.ndarray:
    """MuJoCo's contact frame from a normal and a preferred tangent."""
    y = tangent - (tangent @ normal) * normal
    y /= np.linalg.norm(y)
    return np.hstack([normal, y, np.cross(normal, y)])


def test_capsule_gives_the_tangent():
    pair = stand(ordinary("plane", "capsule"), 1)
    compared = 0
    for pose in sweep(pair, 400, 11):
        arrays = run_raw(pair, pose)
        axis = pair.mjdata.geom_xmat[1, 2::3]
        for k, (_, _, frame) in enumerate(pair.mujoco(pose)):
            assert (arrays["near_tangent"][k] == axis).all()
            if np.linalg.norm(np.cross(axis, frame[:3])) > 1e-3:
                assert np.abs(frame_of(arrays["near_normal"][k], axis) - frame).max() < TOLERANCE
                compared += 1
    assert compared > 300


@pytest.mark.parametrize("second", ["sphere", "ellipsoid", "cylinder", "box"])
def test_others_give_no_tangent(second):
    pair = ordinary("plane", second)
    for pose in pair.poses(20, spread=0.5):
        assert not run_raw(pair, pose)["near_tangent"].any()
