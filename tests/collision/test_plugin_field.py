"""Signed distance fields of plugins: distances, gradients, contacts and rays, against MuJoCo's plugins."""

from __future__ import annotations

import functools

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.collision.sdf.plugin_gradient import plugin_gradient
from phalanx.collision.sdf.plugin_samples import distances
from phalanx.collision.sdf.plugin_table import plugin_distance
from phalanx.tables.plugins import NCONFIG, PLUGINS, PluginType
from tests.conformance.plugin_models import SHAPES, shape_model, their_distances

CONFIGS = {
    PluginType.BOLT: ({}, {"radius": ".15"}, {"radius": ".55"}),
    PluginType.BOWL: ({}, {"height": "-.3", "radius": ".7", "thickness": ".1"}),
    PluginType.GEAR: (
        {},
        {"alpha": ".4", "diameter": "1.2", "teeth": "6", "thickness": ".5", "innerdiameter": ".3"},
        {"teeth": "150", "innerdiameter": "0"},
    ),
    PluginType.NUT: ({}, {"radius": ".4"}),
    PluginType.TORUS: ({}, {"radius1": ".2", "radius2": ".05"}),
}
OTHERS = {
    "sphere": '<geom size=".2"/>',
    "capsule": '<geom type="capsule" size=".1 .2"/>',
    "box": '<geom type="box" size=".2 .1 .3"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".1 .2 .3"/>',
    "cylinder": '<geom type="cylinder" size=".1 .2"/>',
    "mesh": '<geom type="mesh" mesh="cube"/>',
    "same": '<geom type="sdf" mesh="s"><plugin instance="i"/></geom>',
}
#: A gradient by differences over 1e-8 has the rounding of distances, 1e-16, as an error of 1e-8; a torus has a formula.
NORMAL = dict.fromkeys(SHAPES, 3e-7) | {PluginType.TORUS: 1e-9}


@pytest.mark.parametrize("kind", SHAPES)
def test_distances_are_those_of_mujoco(kind):
    row, rng = PLUGINS[kind], np.random.default_rng(1)
    for texts in CONFIGS[kind]:
        config = row.numbers(row.texts(texts))
        points = rng.uniform(-1.3, 1.3, (2000, 3)) * row.half_sizes(config)
        np.testing.assert_allclose(
            distances(kind, config, points), their_distances(row.name, config, points), atol=3e-15
        )


@pytest.mark.parametrize("kind", SHAPES)
def test_interpreted_distances_are_the_compiled_ones(kind):
    row = PLUGINS[kind]
    config = row.numbers(row.texts({}))
    points = np.random.default_rng(2).uniform(-1.2, 1.2, (30, 3)) * row.half_sizes(config)
    numbers = (*config, *(0.0,) * (NCONFIG - len(config)))
    ours = [plugin_distance(int(kind), numbers, tuple(map(np.float64, point))) for point in points]
    assert ours == distances(kind, config, points).tolist()


@pytest.mark.parametrize("kind", SHAPES)
def test_gradients_are_those_of_the_distance(kind):
    row = PLUGINS[kind]
    config = row.numbers(row.texts({}))
    numbers = (*config, *(0.0,) * (NCONFIG - len(config)))
    smooth = 0
    for point in np.random.default_rng(3).uniform(-0.9, 0.9, (40, 3)) * row.half_sizes(config):
        gradient = np.array(plugin_gradient(int(kind), int(kind), numbers, tuple(map(np.float64, point))))
        moved = point + 1e-4 * np.concatenate([np.eye(3), -np.eye(3)])
        values = distances(kind, config, moved)
        smooth += np.allclose(gradient, (values[:3] - values[3:]) / 2e-4, atol=1e-3)
    assert smooth > 25  # the others are near an edge


# --- contacts


@functools.cache
def models(kind: PluginType, other: str, option: str = "") -> tuple[mujoco.MjModel, phalanx.Model]:
    mjmodel = mujoco.MjModel.from_xml_string(shape_model(kind, OTHERS.get(other, ""), option=option))
    return mjmodel, phalanx.Model.from_mujoco(mjmodel)


def poses(mjmodel: mujoco.MjModel, count: int, seed: int, scale: float = 0.5) -> np.ndarray:
    found = np.random.default_rng(seed).normal(size=(count, mjmodel.nq))
    for first in range(0, mjmodel.nq, 7):
        found[:, first : first + 3] *= scale
        found[:, first + 3 : first + 7] /= np.linalg.norm(found[:, first + 3 : first + 7], axis=1, keepdims=True)
    return found


def contacts(mjmodel: mujoco.MjModel, model: phalanx.Model, qpos: np.ndarray) -> tuple[list, list]:
    """(dist, pos, normal) of all contacts, ours and theirs, the deepest first."""
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    data.qpos[:] = mjdata.qpos[:] = qpos
    data.forward()
    mujoco.mj_forward(mjmodel, mjdata)
    ours = [(c.dist, np.array(c.pos), np.array(c.frame).reshape(3, 3)[0]) for c in data.contact]
    theirs = [(c.dist, np.array(c.pos), np.array(c.frame)[:3]) for c in mjdata.contact]
    return sorted(ours, key=lambda c: c[0]), sorted(theirs, key=lambda c: c[0])


def are_same(ours: list, theirs: list, place: float, normal: float) -> bool:
    return len(ours) == len(theirs) and all(
        abs(a[0] - b[0]) < place and np.abs(a[1] - b[1]).max() < place and np.abs(a[2] - b[2]).max() < normal
        for a, b in zip(ours, theirs, strict=True)
    )


@pytest.mark.parametrize("kind", SHAPES)
def test_a_plugin_touches_planes_and_meshes_as_in_mujoco(kind):
    touching = 0
    mjmodel, model = models(kind, "mesh")
    for qpos in poses(mjmodel, 30, 4):
        ours, theirs = contacts(mjmodel, model, qpos)
        touching += bool(theirs)
        assert are_same(ours, theirs, 1e-7 if kind != PluginType.TORUS else 1e-9, NORMAL[kind])
    assert touching > 10


def check_descent(kind: PluginType, other: str, count: int) -> tuple[int, int, int]:
    """(poses in contact, with another number of contacts, with a deepest one that is clearly others)."""
    touching = others = off = 0
    mjmodel, model = models(kind, other)
    for qpos in poses(mjmodel, count, 5, 0.4):
        ours, theirs = contacts(mjmodel, model, qpos)
        touching += bool(theirs)
        others += len(ours) != len(theirs)
        if ours and theirs:
            off += abs(ours[0][0] - theirs[0][0]) > 0.1 * abs(theirs[0][0]) + 2e-3
    return touching, others, off


@pytest.mark.parametrize("kind", SHAPES)
def test_contacts_by_descent_are_as_many_and_as_deep_as_in_mujoco(kind):
    touching, others, off = check_descent(kind, "sphere", 20)
    assert touching > 4 and others <= 3 and off <= 1


@pytest.mark.conformance
@pytest.mark.parametrize("other", [name for name in OTHERS if name != "mesh"])
@pytest.mark.parametrize("kind", SHAPES)
def test_contacts_by_descent_in_many_poses(kind, other):
    touching, others, off = check_descent(kind, other, 200)
    # the gap of ten steps, bounded as that of octrees is (`test_sdf.py`)
    assert touching > 40 and others <= 0.25 * touching and off <= 0.05 * touching + 1


@pytest.mark.parametrize("kind", SHAPES)
def test_one_step_of_a_descent_is_that_of_mujoco(kind):
    mjmodel, model = models(kind, "ellipsoid", 'sdf_iterations="1" sdf_initpoints="10"')
    found = []
    for qpos in poses(mjmodel, 40, 6, 0.4):
        ours, theirs = contacts(mjmodel, model, qpos)
        if theirs or ours:
            found.append(are_same(ours, theirs, 1e-6, 1e-5))
    assert len(found) > 8 and found.count(False) <= 0.1 * len(found)


@pytest.mark.xfail(strict=True, reason="GAP: ten steps of a descent amplify rounding, as those of octrees do")
def test_contacts_by_descent_are_exactly_those_of_mujoco():
    mjmodel, model = models(PluginType.TORUS, "sphere")
    assert all(are_same(*contacts(mjmodel, model, qpos), 1e-9, 1e-9) for qpos in poses(mjmodel, 20, 5, 0.4))


def test_bits_are_the_same_in_every_way_of_running():
    _, model = models(PluginType.GEAR, "sphere", 'sdf_iterations="2" sdf_initpoints="4"')
    qpos = poses(models(PluginType.GEAR, "sphere")[0], 9, 7, 0.4)
    qpos[0, 7:10] = qpos[0, :3] + (1.4, 0.0, 0.0)
    batch = phalanx.BatchSim(model, len(qpos))
    batch.qpos[:] = qpos
    batch.step(2)
    for k, state in enumerate(qpos):
        data = model.make_data()
        data.qpos[:] = state
        data.step(2)
        assert data.qpos.tobytes() == batch.qpos[k].tobytes()
    with interpreted():
        data = model.make_data()
        data.qpos[:] = qpos[0]
        data.step(2)
    assert data.qpos.tobytes() == batch.qpos[0].tobytes()


def test_rays_hit_the_surface_of_a_plugin():
    mjmodel, model = models(PluginType.TORUS, "")
    data, mjdata = model.make_data(), mujoco.MjData(mjmodel)
    data.forward()
    mujoco.mj_forward(mjmodel, mjdata)
    theirs = mujoco.mj_ray(mjmodel, mjdata, [0.35, 0, 2], [0, 0, -1], None, 1, -1, np.zeros(1, np.int32))
    ours = data.ray([0.35, 0, 2], [0, 0, -1])
    assert abs(ours.dist - 1.85) < 1e-9 and abs(ours.dist - theirs) < 1e-6
    np.testing.assert_allclose(ours.normal, [0, 0, 1], atol=1e-9)
    # through the hole, onto the plane
    assert abs(data.ray([0, 0, 2], [0, 0, -1]).dist - 3.0) < 1e-12


def test_a_grid_takes_the_place_of_a_plugin():
    _, model = models(PluginType.TORUS, "sphere")
    ball = phalanx.SDF.from_function(lambda p: np.linalg.norm(p, axis=1) - 0.3, (-0.4,) * 3, (0.4,) * 3, 0.05)
    changed = model.with_sdf({"g": ball})
    data = changed.make_data()
    data.qpos[7:10] = 0.0, 0.0, 0.45
    data.forward()
    assert data.ncon and abs(min(c.dist for c in data.contact) + 0.05) < 0.01
