"""`Data.ray`, `Data.rays` and `BatchSim.rays`: MuJoCo's mj_ray and mj_multiRay, names, errors, and equal bits.

The kernels have their own tests in test_ray.py; the scene with all types of geoms comes from there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from tests.collision.test_ray import random_rays, random_states, scene
from tests.quiet import quiet

GROUPS = [1, 0, 1, 0, 1, 1]
#: Keywords of ours, and the same for MuJoCo: groups, static, body.
FILTERS: dict[str, tuple[dict[str, Any], tuple[Any, bool, int]]] = {
    "all": ({}, (None, True, -1)),
    "groups": ({"geomgroup": GROUPS}, (np.array(GROUPS, np.uint8), True, -1)),
    "no groups": ({"geomgroup": [0] * 6}, (np.zeros(6, np.uint8), True, -1)),
    "moving": ({"static": False}, (None, False, -1)),
    "without a body": ({"exclude": "b"}, (None, True, 2)),
    "without the world": ({"exclude": 0}, (None, True, 0)),
    "all filters": ({"geomgroup": GROUPS, "static": False, "exclude": "a"}, (np.array(GROUPS, np.uint8), False, 1)),
}


@quiet()
def data_at(mjdata: mujoco.MjData, dtype: str = "float64") -> phalanx.Data:
    data = scene()[1].make_data(dtype)
    data.qpos, data.mocap_pos, data.mocap_quat = mjdata.qpos, mjdata.mocap_pos, mjdata.mocap_quat
    return data.run("kinematics")


@cache
def example() -> tuple[mujoco.MjData, phalanx.Data, np.ndarray, np.ndarray]:
    (mjdata,) = random_states(1, seed=50)
    return mjdata, data_at(mjdata), *random_rays(mjdata, 1500, seed=51)


def mj_rays(
    mjdata: mujoco.MjData, origins: np.ndarray, directions: np.ndarray, seen: tuple[Any, bool, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    dist, geom, normal = np.zeros(len(origins)), np.zeros(len(origins), np.int32), np.zeros((len(origins), 3))
    for k in range(len(origins)):
        dist[k] = mujoco.mj_ray(scene()[0], mjdata, origins[k], directions[k], *seen, geom[k : k + 1], normal[k])
    return dist, geom, normal


def close(a: np.ndarray, b: np.ndarray) -> bool:
    """Frames of geoms differ from MuJoCo's by rounding, and grazing rays enlarge that."""
    return bool((np.abs(a - b) <= 1e-9 * (1 + np.abs(b))).all())


@pytest.mark.parametrize("name", FILTERS)
def test_rays_are_those_of_mujoco(name: str):
    mjdata, data, origins, directions = example()
    keywords, seen = FILTERS[name]
    hits = data.rays(origins, directions, **keywords)
    dist, geom, normal = mj_rays(mjdata, origins, directions, seen)
    assert (hits.geom == geom).all()
    assert close(hits.dist, dist) and close(hits.normal, normal)
    assert (hits.is_hit == (hits.dist >= 0)).all() and (name == "no groups") == (not hits.is_hit.any())
    np.testing.assert_allclose(np.linalg.norm(hits.normal, axis=1), hits.is_hit, atol=1e-14)
    reached = origins + hits.dist[:, None] * directions
    assert (hits.point[hits.is_hit] == reached[hits.is_hit]).all() and np.isnan(hits.point[~hits.is_hit]).all()


@pytest.mark.parametrize("name", ["all", "all filters"])
def test_a_common_origin_is_mj_multiray(name: str):
    mjdata, data, origins, directions = example()
    keywords, (groups, static, body) = FILTERS[name]
    for origin in origins[:20]:
        n = len(directions)
        dist, geom, normal = np.zeros(n), np.zeros(n, np.int32), np.zeros(3 * n)
        arguments = origin, directions.ravel(), groups, static, body, geom, dist, normal, n, 1e10
        mujoco.mj_multiRay(scene()[0], mjdata, *arguments)
        hits = data.rays(origin, directions, **keywords)
        assert (hits.geom == geom).all()
        assert close(hits.dist, dist) and close(hits.normal, normal.reshape(-1, 3))


def test_one_ray_is_the_same_as_one_of_many():
    _, data, origins, directions = example()
    hits = data.rays(origins, directions)
    for k in (*range(20), 1499):
        hit = data.ray(origins[k], directions[k])
        assert isinstance(hit, phalanx.RayHit) and isinstance(hit.dist, float) and isinstance(hit.geom, int)
        assert (hit.dist, hit.geom) == (hits.dist[k], hits.geom[k])
        assert np.array_equal(hit.normal, hits.normal[k]) and np.array_equal(hit.point, hits.point[k], equal_nan=True)
    # memory for many rays stays, an answer is as long as the question
    few = data.rays(origins[:3], [0, 0, -1])
    assert few.dist.shape == few.geom.shape == (3,) and few.normal.shape == few.point.shape == (3, 3)
    assert data.rays(np.zeros((0, 3)), [0, 0, -1]).dist.shape == (0,)


def test_answers_are_copies():
    _, data, origins, directions = example()
    first = data.rays(origins[:10], directions[:10])
    before = [np.copy(part) for part in first]
    data.rays(origins[10:20], directions[10:20])
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(first, before, strict=True))


def test_interpreted_rays_have_the_same_bits():
    mjdata, data, origins, directions = example()
    with interpreted():
        plain = data_at(mjdata)
        slow = plain.rays(origins[:40], directions[:40], exclude="c")
    fast = data.rays(origins[:40], directions[:40], exclude="c")
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(slow, fast, strict=True))


@pytest.mark.parametrize(
    ("origin", "direction", "keywords", "message"),
    [
        ([0, 0, 0], [0, 0, 0], {}, "has no length"),
        ([0, 0, 0], [0, 0, 1e-16], {}, "has no length"),
        ([0, 0], [0, 0, 1], {}, "three numbers"),
        ([0, 0, np.nan], [0, 0, 1], {}, "not finite"),
        ([0, 0, 0], "up", {}, "takes numbers"),
        ([[0, 0, 0]], [0, 0, 1], {}, "shape"),
        ([0, 0, 0], [0, 0, 1], {"geomgroup": [1, 0]}, "6 flags"),
        ([0, 0, 0], [0, 0, 1], {"exclude": "bb"}, "no body is named 'bb'"),
        ([0, 0, 0], [0, 0, 1], {"exclude": 99}, "body 99 does not exist"),
    ],
)
def test_mistakes_are_explained(origin: Any, direction: Any, keywords: dict[str, Any], message: str):
    data = example()[1]
    with pytest.raises(phalanx.PhalanxError, match=message):
        data.ray(origin, direction, **keywords)


def test_the_bad_ray_of_many_is_named():
    directions = np.ones((5, 3))
    directions[3] = 0
    with pytest.raises(phalanx.FieldError, match="ray 3 has no length"):
        example()[1].rays([0, 0, 0], directions)
    with pytest.raises(phalanx.FieldError, match="do not go with"):
        example()[1].rays(np.zeros((4, 3)), np.ones((5, 3)))


@quiet()
def test_a_model_without_geoms_is_empty_space():
    inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    xml = f"<mujoco><worldbody><body><freejoint/>{inertial}</body></worldbody></mujoco>"
    data = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(xml)).make_data()
    hit = data.ray([0, 0, 1], [0, 0, -1])
    assert (hit.dist, hit.geom) == (-1.0, -1) and not hit.is_hit


def test_single_precision():
    """Of rays in no particular direction; those along faces and edges are decided by rounding."""
    mjdata, data, origins, _ = example()
    directions = np.random.default_rng(0).normal(size=origins.shape)
    single, double = data_at(mjdata, "float32").rays(origins, directions), data.rays(origins, directions)
    assert single.dist.dtype == np.float32 and (single.geom == double.geom).all()
    assert (np.abs(single.dist - double.dist) <= 64 * np.finfo(np.float32).eps * (1 + np.abs(double.dist))).all()


# --- batches


@quiet()
def batch_of(states: list[mujoco.MjData], **options: Any) -> phalanx.BatchSim:
    batch = phalanx.BatchSim(scene()[1], len(states), **options)
    for world, mjdata in enumerate(states):
        for name in ("qpos", "mocap_pos", "mocap_quat"):
            getattr(batch, name)[world] = getattr(mjdata, name)
    return batch


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_world_of_a_batch_has_the_bits_of_a_data(lanes: int, threads: int):
    states = random_states(11, seed=60)
    batch = batch_of(states, lanes=lanes, threads=threads)
    each = [random_rays(mjdata, 50, seed) for seed, mjdata in enumerate(states)]
    origins, directions = (np.stack([rays[k] for rays in each]) for k in range(2))
    before = {name: getattr(batch, name).copy() for name in ("qpos", "qvel", "time")}
    for keywords in ({}, {"static": False, "exclude": "a"}):
        hits = batch.rays(origins, directions, **keywords)
        for world, mjdata in enumerate(states):
            alone = data_at(mjdata).rays(*each[world], **keywords)
            for name in phalanx.RayHit._fields:
                assert np.array_equal(getattr(hits, name)[world], getattr(alone, name), equal_nan=True), (world, name)
    assert all((getattr(batch, name) == value).all() for name, value in before.items())
    # rays that all worlds share, and fewer of them
    shared = batch.rays(origins[0, :7], [0.0, 0.0, -1.0])
    assert shared.dist.shape == (11, 7)
    assert np.array_equal(shared.dist[4], data_at(states[4]).rays(origins[0, :7], [0.0, 0.0, -1.0]).dist)
    # a step after rays is a step
    batch.step(2)
    hits = batch.rays(origins, directions)
    assert hits.point.shape == (11, 50, 3) and batch.errors == [None] * 11


def test_a_batch_without_worlds_or_rays():
    assert batch_of([]).rays(np.zeros((0, 4, 3)), [0, 0, 1]).dist.shape == (0, 4)
    assert batch_of(random_states(2, seed=1)).rays(np.zeros((0, 3)), [0, 0, 1]).dist.shape == (2, 0)


def test_rays_that_do_not_fit_the_batch():
    batch = batch_of(random_states(2, seed=1))
    with pytest.raises(phalanx.FieldError, match=r"rays have shape \(2, k, 3\)"):
        batch.rays(np.zeros((3, 4, 3)), [0, 0, 1])


def test_interpreted_batch():
    states = random_states(2, seed=61)
    origins, directions = random_rays(states[0], 10, seed=5)
    with interpreted():
        hits = batch_of(states).rays(origins, directions)
    for world, mjdata in enumerate(states):
        assert np.array_equal(hits.dist[world], data_at(mjdata).rays(origins, directions).dist)
