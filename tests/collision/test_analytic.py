"""Pairs with a formula, all but box and box (test_box.py): contacts are MuJoCo's to 1e-12, number and order too.

Poses: anywhere, at distances of zero to rounding around touching and the margin, deep, aligned, concentric. One
exception, not ours: MuJoCo drops a pair whose bounding spheres are apart by rounding when the shapes just touch.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phalanx.collision.pair import capsule, plane, sphere  # noqa: F401
from tests.collision.analytic import (
    POSES,
    check_finite,
    check_motion,
    check_single,
    check_slots,
    check_sweep,
    ordinary,
    shared,
)

PAIRS = [
    *(("plane", second) for second in ("sphere", "capsule", "ellipsoid", "cylinder", "box")),
    *(("sphere", second) for second in ("sphere", "capsule", "cylinder", "box")),
    *(("capsule", second) for second in ("capsule", "box")),
]
IDS = ["-".join(pair) for pair in PAIRS]
MANY = settings(deadline=None, max_examples=12)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=IDS)
def test_same_as_mujoco(first, second):
    check_sweep(first, second, 600)


@pytest.mark.conformance
@pytest.mark.parametrize(("first", "second"), PAIRS, ids=IDS)
def test_same_as_mujoco_in_many_poses(first, second):
    check_sweep(first, second, 12000)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=IDS)
def test_slots_fill_from_the_first(first, second):
    check_slots(ordinary(first, second))


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=IDS)
def test_single_precision(first, second):
    check_single(ordinary(first, second))


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=IDS)
@given(seed=st.integers(1, 2**32))
@MANY
def test_contacts_move_with_the_geoms(first, second, seed):
    check_motion(shared(first, second), seed)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=IDS)
@given(poses=st.lists(POSES, min_size=7, max_size=7))
@MANY
def test_any_pose_gives_finite_contacts(first, second, poses):
    check_finite(shared(first, second), poses)
