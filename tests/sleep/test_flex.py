"""Flexes fall asleep and wake up as in MuJoCo: their trees together, elastic ones only with constraints."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from tests.quiet import quiet

ALONE = '<contact selfcollide="none"/>'
BALL = '<body pos="0 0 1.5"><freejoint/><geom size=".05"/></body>'
HELD = '<edge equality="true" damping=".5"/>'
BEND = '<elasticity young="1e3" thickness=".01" elastic2d="bend"/>'


def cloth(inside: str, attributes: str = "", count: str = "4 4 1") -> str:
    return (
        f'<flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" radius=".01" mass=".5" pos="0 0 .05" '
        f"{attributes}>{inside}{ALONE}</flexcomp>"
    )


SCENES = {
    "held, then hit": cloth(HELD) + BALL,
    "pinned": cloth(HELD + '<pin id="0 3"/>'),
    "bends": cloth(HELD + BEND),
    "cells": cloth('<edge equality="strain"/>', 'dim="3" dof="trilinear"', "3 3 3"),
    "elastic": cloth(BEND.replace("bend", "both").replace("young", 'damping=".1" young')) + BALL,
    "rod": cloth('<edge equality="true"/><elasticity young="1e3"/>', 'dim="1"', "5 1 1"),
}


def compare(name: str, steps: int) -> set[int]:
    """Step both engines; returns how many trees slept at once, over time."""
    option = '<option sleep_tolerance=".05"><flag sleep="enable"/></option>'
    ground = '<geom type="plane" size="2 2 .1"/>'
    theirs = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{ground}{SCENES[name]}</worldbody></mujoco>")
    mjdata, model = mujoco.MjData(theirs), phalanx.Model.from_mujoco(theirs)
    with quiet():
        data = model.make_data()
    counts = set()
    for step in range(steps):
        # while all are awake, both begin each step in the same state
        if not (mjdata.tree_asleep >= 0).any():
            for field in ("qpos", "qvel", "qacc_warmstart", "plastic"):
                if getattr(data, field).size and not np.array_equal(getattr(data, field), getattr(mjdata, field)):
                    getattr(data, field)[:] = getattr(mjdata, field)
        data.step()
        mujoco.mj_step(theirs, mjdata)
        np.testing.assert_array_equal(data.tree_asleep, mjdata.tree_asleep, err_msg=f"step {step}")
        assert data.nisland == mjdata.nisland and data.ncon == mjdata.ncon, step
        np.testing.assert_allclose(data.qvel, mjdata.qvel, rtol=0, atol=1e-9)
        counts.add(int((mjdata.tree_asleep >= 0).sum()))
    return counts


def test_a_cloth_sleeps_and_is_woken_by_a_ball():
    assert compare("held, then hit", 400) == {0, 16, 17}


def test_an_elastic_cloth_does_not_sleep():
    assert compare("elastic", 60) == {0}


@pytest.mark.conformance
@pytest.mark.parametrize("name", SCENES)
def test_flexes_sleep_as_in_mujoco(name):
    compare(name, 1000)


@pytest.mark.conformance
@pytest.mark.xfail(strict=True, reason="GAP: parallel triangles touch at other points than in MuJoCo")
def test_two_aligned_cloths_sleep_as_in_mujoco(monkeypatch):
    upper = cloth(HELD).replace('name="f"', 'name="g"').replace('pos="0 0 .05"', 'pos="0 0 .2"')
    monkeypatch.setitem(SCENES, "two", cloth(HELD) + upper)
    compare("two", 200)


def test_a_sleeping_cloth_is_woken_by_the_user():
    model = phalanx.Model.from_xml_string(
        f'<mujoco><option sleep_tolerance=".05"><flag sleep="enable"/></option><worldbody>'
        f'<geom type="plane" size="2 2 .1"/>{SCENES["pinned"]}</worldbody></mujoco>'
    )
    with quiet():
        data = model.make_data()
    data.step(150)
    assert (data.tree_asleep >= 0).all()
    still = data.flexvert_xpos.copy()
    data.step(10)
    assert data.flexvert_xpos.tobytes() == still.tobytes()
    data.xfrc_applied[5, 2] = 1.0
    data.step()
    assert (data.tree_asleep < 0).all()
