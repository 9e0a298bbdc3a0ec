"""Sphere against sphere, capsule, cylinder and box."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phalanx.collision import sphere  # noqa: F401
from tests.collision.harness import Pair
from tests.collision.test_plane import (
    CUBE,
    MANY,
    POSES,
    check_finite,
    check_motion,
    check_single,
    check_slots,
    check_sweep,
    geom,
    ordinary,
    shared,
)

SECOND = ("sphere", "capsule", "cylinder", "box")


@pytest.mark.parametrize("second", SECOND)
def test_same_as_mujoco(second):
    check_sweep("sphere", second, 600)


@pytest.mark.conformance
@pytest.mark.parametrize("second", SECOND)
def test_same_as_mujoco_in_many_poses(second):
    check_sweep("sphere", second, 12000)


@pytest.mark.parametrize("second", SECOND)
def test_slots_fill_from_the_first(second):
    check_slots(ordinary("sphere", second))


@pytest.mark.parametrize("second", SECOND)
def test_single_precision(second):
    check_single(ordinary("sphere", second))


@pytest.mark.parametrize("second", SECOND)
@given(seed=st.integers(1, 2**32))
@MANY
def test_contacts_move_with_the_geoms(second, seed):
    check_motion(shared("sphere", second), seed)


@pytest.mark.parametrize("second", SECOND)
@given(poses=st.lists(POSES, min_size=7, max_size=7))
@MANY
def test_any_pose_gives_finite_contacts(second, poses):
    check_finite(shared("sphere", second), poses)


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
