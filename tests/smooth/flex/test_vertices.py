"""Vertices, boxes and edges of flexes are MuJoCo's."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.smooth.flex.deformed import FEW, OTHERS, assert_near, deform, load, twin

FIELDS = (
    "flexvert_xpos", "flexelem_aabb", "bvh_aabb_dyn", "flexedge_length", "flexedge_J", "flexedge_velocity",
)  # fmt: skip


def compare(name: str, seeds: int) -> None:
    theirs, ours = load(name)
    for seed in range(seeds):
        mjdata = mujoco.MjData(theirs)
        deform(theirs, mjdata, np.random.default_rng(seed))
        data = twin(ours, mjdata).forward()
        mujoco.mj_forward(theirs, mjdata)
        for field in FIELDS:
            assert_near(data._store.arrays[field], getattr(mjdata, field), 1e-12, f"{name} {field}")


@pytest.mark.parametrize("name", FEW)
def test_positions_of_flexes_are_those_of_mujoco(name: str) -> None:
    compare(name, 2)


@pytest.mark.conformance
@pytest.mark.parametrize("name", OTHERS)
def test_positions_of_other_flexes_are_those_of_mujoco(name: str) -> None:
    compare(name, 10)
