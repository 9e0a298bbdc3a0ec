"""Contacts of faces with many corners: none is left out, so that those are chosen that MuJoCo chooses."""

from __future__ import annotations

from copy import copy
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.conformance.models import make_data

SMALL, LARGE = '<geom type="box" size=".4 .5 .1"/>', '<geom type="box" size="2 2 .1"/>'
#: What the prism lies on, and where its center is then.
GROUNDS = {
    "small box": (SMALL, 0.295),
    "large box": (LARGE, 0.295),
    "prism": ('<geom type="mesh" mesh="prism"/>', 0.395),
    "plane": ('<geom type="plane" size="1 1 1"/>', 0.195),
}
TOLERANCE = 1e-9


def prism(corners: int, ground: str, rng: np.random.Generator | None = None) -> Any:
    """A prism whose base has so many corners, on a circle, or anywhere on an ellipse."""
    angles = 2.0 * np.pi * (np.arange(corners) if rng is None else np.sort(rng.uniform(0, corners, corners))) / corners
    width = 1.0 if rng is None else 0.8
    ring = np.stack([np.cos(angles), width * np.sin(angles)], axis=1)
    points = np.vstack([np.column_stack([ring, np.full(corners, z)]) for z in (-0.2, 0.2)])
    vertices = " ".join(f"{number:.9g}" for number in points.ravel())
    geom, height = GROUNDS[ground]
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <asset><mesh name="prism" vertex="{vertices}"/></asset>
      <worldbody>{geom}<body pos=".1 .2 {height}"><freejoint/><geom type="mesh" mesh="prism"/></body></worldbody>
    </mujoco>""")


def contacts(data: Any, prefix: str) -> np.ndarray:
    columns = [np.asarray(getattr(data, f"{prefix}{name}")) for name in ("dist", "pos", "frame")]
    return np.column_stack([columns[0], columns[1], columns[2].reshape(-1, 9)])


def assert_same_contacts(model: Any, theirs: Any, data: phalanx.Data) -> None:
    mujoco.mj_forward(model, theirs)
    data.qpos = theirs.qpos
    data.forward()
    expected, found = contacts(theirs.contact, ""), contacts(data, "contact_")
    if not are_same(found, expected, TOLERANCE):
        assert is_tie(model, theirs, found), (found, expected)


def are_same(found: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    return len(found) == len(expected) and bool(np.allclose(found, expected, rtol=0.0, atol=tolerance))


def is_tie(model: Any, theirs: Any, found: np.ndarray) -> bool:
    """Has MuJoCo our contacts in any order, or when the prism is moved by less than 1e-7?"""
    near, rng = copy(theirs), np.random.default_rng(0)
    for size in [0.0, *np.repeat(np.logspace(-14, -7, 8), 10)]:
        near.qpos[:3] = theirs.qpos[:3] + size * rng.normal(size=3) / 3.0
        mujoco.mj_forward(model, near)
        others = contacts(near.contact, "")
        if any(are_same(found, np.roll(others, k, axis=0), TOLERANCE + 10.0 * size) for k in range(len(others))):
            return True
    return False


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("corners", [40, 256, 257, 600])
def test_faces_with_many_corners_touch_where_those_of_mujoco_do(corners: int, ground: str) -> None:
    model = prism(corners, ground)
    assert model.npolygonmax == corners
    theirs, data = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    assert_same_contacts(model, theirs, data)
    assert data.ncon == 4


def check_poses(corners: int, ground: str, poses: int) -> None:
    rng = np.random.default_rng(corners)
    model = prism(corners, ground, rng)
    theirs, data = mujoco.MjData(model), make_data(phalanx.Model.from_mujoco(model))
    for _ in range(poses):
        theirs.qpos[:2] = rng.uniform(-0.3, 0.3, 2)
        # less than the five degrees within which faces count as parallel
        theirs.qpos[3:] = [1.0, *rng.uniform(-0.005, 0.005, 2), rng.uniform(-0.5, 0.5)]
        assert_same_contacts(model, theirs, data)


@pytest.mark.parametrize("ground", GROUNDS)
def test_tilted_faces_touch_where_those_of_mujoco_do(ground: str) -> None:
    check_poses(300, ground, 5)


@pytest.mark.conformance
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("corners", [30, 150, 255, 300, 520, 1100, 2000])
def test_tilted_faces_touch_where_those_of_mujoco_do_in_many_poses(corners: int, ground: str) -> None:
    check_poses(corners, ground, 60)
