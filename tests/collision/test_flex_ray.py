"""Rays against flexes are MuJoCo's mj_rayFlex."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.pipeline.operations import run_interpreted
from tests.compiler.flexes import EDGE, MODELS, SOLID, comp, world
from tests.quiet import quiet

FLEXES = {
    "line": world(comp('dim="1" radius=".02"', EDGE, "5 1 1")),
    "sheet": world(comp('radius=".01"', EDGE, "4 4 1")),
    "solid": world(comp('dim="3"', SOLID, "3 3 4")),
    "cells": MODELS["trilinear cells"],
}
#: What is seen: our words, and MuJoCo's flags for vertices, edges, faces, skin.
SEEN = {
    "skin": (0, 0, 0, 1),
    "vertices": (1, 0, 0, 0),
    "edges": (0, 1, 0, 0),
    "faces": (0, 0, 1, 0),
    "vertices edges faces": (1, 1, 1, 0),
}


def both(name: str, seed: int) -> tuple[Any, Any, phalanx.Data]:
    theirs = mujoco.MjModel.from_xml_string(FLEXES[name])
    mjdata, model = mujoco.MjData(theirs), phalanx.Model.from_mujoco(theirs)
    mjdata.qpos[:] += 0.02 * np.random.default_rng(seed).normal(size=theirs.nq)
    mujoco.mj_forward(theirs, mjdata)
    with quiet():
        data = model.make_data()
    data.qpos[:] = mjdata.qpos
    return theirs, mjdata, data.forward()


def random_rays(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rays from around a flex towards it, and some from inside."""
    origins = rng.normal(size=(n, 3)) * rng.choice([0.05, 1.0], (n, 1))
    return origins, 0.1 * rng.normal(size=(n, 3)) - origins


def compare(name: str, seen: str, layer: int, seed: int) -> int:
    theirs, mjdata, data = both(name, seed)
    rng = np.random.default_rng(seed)
    origins, directions = random_rays(rng, 100)
    hits = data.flex_rays(origins, directions, seen=seen, layer=layer)
    for k in range(len(origins)):
        vertex, normal = np.full(1, -1, np.int32), np.zeros(3)
        flags = [bool(value) for value in SEEN[seen]]
        dist = mujoco.mj_rayFlex(theirs, mjdata, layer, *flags, 0, origins[k], directions[k], vertex, normal)
        assert abs(hits.dist[k] - dist) < 1e-9
        assert hits.flex[k] == (0 if dist >= 0 else -1)
        if dist >= 0:
            assert hits.vertex[k] == vertex[0]
            np.testing.assert_allclose(hits.normal[k], normal, atol=1e-7)
            np.testing.assert_allclose(hits.point[k], origins[k] + dist * directions[k], atol=1e-9)
    return int(hits.is_hit.sum())


@pytest.mark.parametrize("name", ["line", "sheet", "solid"])
def test_rays_hit_flexes_as_in_mujoco(name):
    assert compare(name, "skin" if name != "line" else "edges", 0, 0) > 3


@pytest.mark.conformance
@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("name", FLEXES)
def test_rays_see_what_is_asked_for(name, seen):
    for seed in range(5):
        compare(name, seen, seed % 2, seed)


def test_interpreted_rays_have_the_same_bits():
    _, _, data = both("sheet", 1)
    rows = ("ray_dist", "ray_geomid", "ray_vertex", "ray_normal")
    arrays = data._store.arrays
    for origin, direction in zip(*random_rays(np.random.default_rng(1), 4), strict=True):
        data.flex_rays([origin], [direction])
        kept = {row: arrays[row].copy() for row in rows}
        run_interpreted("flex_rays", data.model.store_for("float64"), data._store, 1)
        for row in rows:
            assert arrays[row].tobytes() == kept[row].tobytes(), row


def test_rays_choose_flexes_by_name_and_group():
    two = world(comp('group="1" pos="0 0 1"', EDGE, name="near") + comp("", EDGE, name="far"))
    with quiet():
        data = phalanx.Model.from_xml_string(two).make_data().forward()
    down = ((0.03, 0.02, 2.0), (0.0, 0.0, -1.0))
    assert data.flex_rays([down[0]], [down[1]]).flex.tolist() == [0]
    assert data.flex_rays([down[0]], [down[1]], flex="far").flex.tolist() == [1]
    assert data.flex_rays([down[0]], [down[1]], flexgroup=[1, 0, 0, 0, 0, 0]).flex.tolist() == [1]
    assert data.rays([down[0]], [down[1]]).geom.tolist() == [-1]
    with pytest.raises(phalanx.UnknownNameError, match="nar"):
        data.flex_rays([down[0]], [down[1]], flex="nar")
    with pytest.raises(phalanx.FieldError, match="did you mean 'edges'"):
        data.flex_rays([down[0]], [down[1]], seen="edge")
    with pytest.raises(phalanx.FieldError, match="flexgroup is 6 flags"):
        data.flex_rays([down[0]], [down[1]], flexgroup=[1])
