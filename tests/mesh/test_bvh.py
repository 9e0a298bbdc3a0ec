"""Bounding volume trees of the geoms of bodies are MuJoCo's; trees of meshes are compared in test_mesh.py."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx.mesh.bvh import _nth_element, build, build_all, geom_trees
from tests.conformance.models import MODELS, compiled


def check_bodies(model: mujoco.MjModel) -> int:
    """Compare the trees of all bodies of a model; how many there are."""
    count = 0
    for body in range(model.nbody):
        first, number = model.body_bvhadr[body], model.body_bvhnum[body]
        start = model.body_geomadr[body]
        geoms = np.arange(start, start + model.body_geomnum[body]) if start >= 0 else np.arange(0)
        geoms = geoms[(model.geom_contype[geoms] != 0) | (model.geom_conaffinity[geoms] != 0)]
        if not len(geoms):
            continue
        owner = [body] * len(geoms)
        tree = geom_trees(
            model.geom_pos[geoms], model.geom_quat[geoms], model.geom_aabb[geoms], geoms,
            model.body_ipos[owner], model.body_iquat[owner], [len(geoms)],
        )  # fmt: skip
        nodes = slice(first, first + number)
        np.testing.assert_array_equal(tree.child, model.bvh_child[nodes])
        np.testing.assert_array_equal(tree.nodeid, model.bvh_nodeid[nodes])
        np.testing.assert_array_equal(tree.depth, model.bvh_depth[nodes])
        np.testing.assert_allclose(tree.aabb, model.bvh_aabb[nodes], rtol=1e-9, atol=1e-12)
        count += 1
    return count


def test_trees_of_bodies_with_many_geoms():
    rng = np.random.default_rng(0)
    kinds = ("sphere", "capsule", "box", "ellipsoid", "cylinder")
    for count in (1, 2, 3, 7, 40):
        geoms = "".join(
            f'<geom type="{kinds[k % 5]}" size=".1 .2 .3" pos="{x} {y} {z}" euler="{10 * x} {20 * y} {30 * z}" '
            f'contype="{int(k % 4 > 0)}" conaffinity="0"/>'
            for k, (x, y, z) in enumerate(rng.normal(size=(count, 3)))
        )
        body = f'<body><freejoint/>{geoms}<geom size=".1"/></body>'
        model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
        assert check_bodies(model) == 1


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_trees_of_the_bodies_of_every_model(name):
    check_bodies(compiled(name))


def test_equal_positions_are_halved_by_number():
    zero = np.zeros((5, 3))
    tree = build(zero, zero - 1, zero + 1)
    assert tree.nodeid[tree.nodeid >= 0].tolist() == [0, 1, 2, 3, 4]


def test_trees_that_grow_together_are_those_that_grow_alone():
    rng = np.random.default_rng(0)
    counts = np.array([1, 5, 2, 1, 30])
    center = np.round(rng.normal(size=(39, 3)), 1) + 4e-15 * rng.integers(-3, 4, size=(39, 3))
    half = np.abs(rng.normal(size=(39, 3)))
    together = build_all(center, center - half, center + half, None, counts)
    first = start = 0
    for count in counts.tolist():
        part = slice(start, start + count)
        alone = build(center[part], (center - half)[part], (center + half)[part], np.arange(39)[part])
        for name in ("child", "nodeid", "depth", "aabb"):
            mine = getattr(together, name)[first : first + len(alone)]
            np.testing.assert_array_equal(mine, getattr(alone, name))
        first, start = first + len(alone), start + count
    assert first == len(together)


def test_no_elements_make_no_tree():
    none = np.zeros((0, 3))
    assert len(build(none, none, none)) == 0


@pytest.mark.parametrize("count", [2, 3, 5, 9, 50, 301])
@pytest.mark.parametrize("seed", range(4))
def test_selection_puts_the_lower_half_first(count, seed):
    items = np.random.default_rng(seed).integers(0, count // (seed + 1) + 1, count).tolist()
    expected = sorted(items)[: count // 2]

    def swap(i, j):
        items[i], items[j] = items[j], items[i]

    _nth_element(lambda i, j: items[i] < items[j], swap, count // 2, count)
    assert sorted(items[: count // 2]) == expected
