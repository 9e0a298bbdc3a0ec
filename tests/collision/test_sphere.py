"""Sphere against sphere, capsule, cylinder and box."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.collision.pair import sphere  # noqa: F401
from tests.collision.analytic import (
    CUBE,
    geom,
    ordinary,
)
from tests.collision.harness import Pair


@pytest.mark.parametrize("second", ["sphere", "capsule"])
def test_normal_of_coincident_centers(second):
    """Across the two z axes; the x axis if they are parallel. MuJoCo says the same."""
    pair = ordinary("sphere", second)
    for quat in CUBE:
        pose = np.hstack([np.zeros(3), quat])
        ((_, _, normal),) = pair.ours(pose[None])[0]
        ((_, _, frame),) = pair.mujoco(pose)
        across = np.cross((0, 0, 1), pair.mjdata.geom_xmat[1, 2::3])
        expected = across if np.linalg.norm(across) > 0.5 else (1, 0, 0)
        assert np.abs(normal - expected).max() < 1e-15
        assert np.abs(normal - frame[:3]).max() < 1e-15


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("side", [-1, 1])
def test_center_on_a_face_of_a_box(k, side):
    """A center on a face counts as inside: the normal goes in, as MuJoCo's."""
    pair = Pair(geom("sphere", ".1"), geom("box", ".2 .2 .2"))
    pose = np.array([0.0, 0, 0, 1, 0, 0, 0])
    pose[k] = -side * 0.2
    ((dist, _, normal),) = pair.ours(pose[None])[0]
    assert dist == -0.1
    assert normal[k] == -side
    ((_, _, frame),) = pair.mujoco(pose)
    assert (normal == frame[:3]).all()


def test_center_in_the_middle_of_a_cube():
    """Six faces are equally near: the first one, minus x, wins."""
    pair = Pair(geom("sphere", ".1"), geom("box", ".2 .2 .2"))
    ((dist, _, normal),) = pair.ours(np.array([[0.0, 0, 0, 1, 0, 0, 0]]))[0]
    assert dist == -0.30000000000000004
    assert list(normal) == [1, 0, 0]
