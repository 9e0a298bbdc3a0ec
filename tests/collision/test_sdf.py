"""Signed distance fields: octrees against MuJoCo, grids against the shapes they were sampled from.

Octrees. Fields and their gradients are MuJoCo's to rounding, and so are contacts with planes and meshes. The descent
between two fields is chaotic: at a kink of a field the last bit decides how long a step is, and each further step
enlarges what came before. After the default ten every contact is a point where both fields are as deep as it says; that
contacts are others than MuJoCo's is a known gap.

Grids. The distance is that of the true shapes within a cell, the normal within a few degrees where the shapes have one.

All pairs share one compiled entry; the filed colliders themselves run interpreted.
"""

from __future__ import annotations

import ctypes
import itertools
import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import SDF
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, store3
from phalanx.algebra.number import lane_get
from phalanx.algebra.number_type import NumberType
from phalanx.collision.ray.ray import ray_geom
from phalanx.collision.sdf.mesh_pair import mesh_sdf
from phalanx.collision.sdf.octree_pair import plane_octree, plane_sdf, sdf_contacts
from phalanx.collision.sdf.table import GRID, field_gradient, field_value
from phalanx.collision.table import COLLIDERS, put_world
from phalanx.memory.store import PlainView
from phalanx.native import runtime as compiler
from phalanx.pipeline.supported import check_model
from phalanx.tables.enums import GeomType
from tests.collision.harness import SCENE, SOURCE, Pair, load_geom, one_world_geom, same_bits, same_contacts

CELL = 0.01
PLANE, MESH = int(GeomType.PLANE), int(GeomType.MESH)

# --- shapes

ASSETS = """
<mesh name="torus" builtin="supertorus" params="20 .3 1 1" scale=".3 .3 .3"/>
<mesh name="ball" builtin="sphere" params="2" scale=".2 .2 .2"/>
<mesh name="cube" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"/>
<hfield name="flat" nrow="5" ncol="7" size="1 .8 .3 .2"/>
"""
GEOMS = {
    "plane": '<geom type="plane" size="1 1 .1"/>',
    "hfield": '<geom type="hfield" hfield="flat"/>',
    "sphere": '<geom type="sphere" size=".15"/>',
    "capsule": '<geom type="capsule" size=".1 .2"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".1 .15 .2"/>',
    "cylinder": '<geom type="cylinder" size=".1 .2"/>',
    "box": '<geom type="box" size=".1 .15 .2"/>',
    "mesh": '<geom type="mesh" mesh="cube"/>',
    "torus": '<geom type="sdf" mesh="torus"/>',
    "ball": '<geom type="sdf" mesh="ball"/>',
}
#: Geoms that meet by descent on both fields.
DESCENT = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "torus")
#: Those whose first steps are MuJoCo's.
SHORT = ("sphere", "capsule", "cylinder")


def ball_distance(p: np.ndarray) -> np.ndarray:
    return np.linalg.norm(p, axis=-1) - 0.15


def box_distance(p: np.ndarray) -> np.ndarray:
    q = np.abs(p) - [0.1, 0.15, 0.2]
    return np.linalg.norm(np.maximum(q, 0.0), axis=-1) + np.minimum(q.max(-1), 0.0)


def torus_distance(p: np.ndarray) -> np.ndarray:
    return np.hypot(np.hypot(p[..., 0], p[..., 1]) - 0.25, p[..., 2]) - 0.08


@cache
def grid(name: str) -> SDF:
    function, reach = {
        "ball": (ball_distance, (0.2, 0.2, 0.2)),
        "box": (box_distance, (0.15, 0.2, 0.25)),
        "torus": (torus_distance, (0.38, 0.38, 0.13)),
    }[name]
    return SDF.from_function(function, -np.array(reach), np.array(reach), CELL)


#: What the grids were sampled from, as geoms.
TRUE = {"ball": GEOMS["sphere"], "box": GEOMS["box"]}


# --- one compiled entry for all pairs


@kernel
def any_geom(m, d, margin, world):
    first, second = one_world_geom(load_geom(m, d, 0), world), one_world_geom(load_geom(m, d, 1), world)
    kind = m.geom_type[0]
    if kind == PLANE:
        plane = load_geom(m, d, 0)
        count = plane_octree(m, d, plane, load_geom(m, d, 1), margin, plane[0][0] == plane[0][0])
        for k in range(count):
            pos, normal = load3(d.near_pos, k), load3(d.near_normal, k)
            pos = (lane_get(pos[0], world), lane_get(pos[1], world), lane_get(pos[2], world))
            normal = (lane_get(normal[0], world), lane_get(normal[1], world), lane_get(normal[2], world))
            put_world(d, k, lane_get(d.near_dist[k], world), pos, normal)
        return count if count >= 0 else plane_sdf(m, d, first, second, margin)
    if kind == MESH:
        return mesh_sdf(m, d, first, second, margin)
    return sdf_contacts(m, d, kind, first, second, margin)


class FieldPair(Pair):
    """A geom and an SDF; `second` is the MJCF that MuJoCo gets, `grids` replace geoms in our model."""

    def __init__(self, first: str, second: str, margin: float = 0.0, grids: Any = None, iterations: int = 10):
        with_margin = f'<geom margin="{margin / 2}" '
        geoms = {"first": first.replace("<geom ", with_margin), "second": second.replace("<geom ", with_margin)}
        self.margin = margin
        self.mjmodel = mujoco.MjModel.from_xml_string(SCENE.format(assets=ASSETS, **geoms))
        self.mjmodel.opt.sdf_iterations = iterations
        self.mjdata = mujoco.MjData(self.mjmodel)
        self.model = phalanx.Model.from_mujoco(self.mjmodel).with_sdf(grids or {})
        kinds = GeomType(self.model.geom_type[0]), GeomType(self.model.geom_type[1])
        self.row = COLLIDERS[kinds]
        self.run, self.name = any_geom, "sdf"

        @kernel
        def filed(m, d, margin, world):
            return row(m, d, load_geom(m, d, 0), load_geom(m, d, 1), margin)

        row = self.row.function
        # a plane has two colliders, by what the other geom is
        self.filed = any_geom if kinds[0] == PLANE else filed


def grid_pair(first: str, second: str, margin: float = 0.0) -> FieldPair:
    """A geom and a grid in our model; in MuJoCo's, the shape that the grid was sampled from (or a ball)."""
    return FieldPair(GEOMS[first], TRUE.get(second, GEOMS["sphere"]), margin, {1: grid(second)})


def are_sound(contacts: list[tuple]) -> bool:
    return all(np.isfinite(np.hstack(c)).all() and abs(np.linalg.norm(c[2]) - 1.0) < 1e-9 for c in contacts)


# --- fields


class MjSDF(ctypes.Structure):
    """MuJoCo's description of a query."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("plugin", "id")] + [("type", ctypes.c_int)] + [
        (name, ctypes.c_void_p) for name in ("relpos", "relmat", "geomtype")
    ]  # fmt: skip


def mujoco_field(m: mujoco.MjModel, d: mujoco.MjData, geom: int, point: np.ndarray) -> tuple[float, np.ndarray]:
    (path,) = Path(mujoco.__file__).parent.glob("libmujoco.so*")
    library = ctypes.CDLL(str(path))
    library.mjc_distance.restype = ctypes.c_double
    kind = int(m.geom_type[geom])
    plugin, number = ctypes.c_void_p(None), ctypes.c_int(int(m.geom_dataid[geom]) if kind == GeomType.SDF else geom)
    geomtype, x, gradient = ctypes.c_int(kind), (ctypes.c_double * 3)(*point), (ctypes.c_double * 3)()
    query = MjSDF(ctypes.addressof(plugin), ctypes.addressof(number), 0, None, None, ctypes.addressof(geomtype))
    model, data = ctypes.c_void_p(m._address), ctypes.c_void_p(d._address)
    value = library.mjc_distance(model, data, ctypes.byref(query), x)
    library.mjc_gradient(model, data, ctypes.byref(query), gradient, x)
    return value, np.array(gradient)


def our_field(model: phalanx.Model, kind: int, geom: int, point: np.ndarray) -> tuple[float, np.ndarray]:
    m, number = PlainView(model._store), int(model.geom_dataid[geom])
    size, point = tuple(model.geom_size[geom]), tuple(np.float64(x) for x in point)
    value = field_value(kind, m, None, size, number, point)
    return value, np.array(field_gradient(kind, m, None, size, number, point))


@pytest.mark.parametrize("name", [name for name in GEOMS if name not in ("hfield", "mesh")])
def test_fields_are_those_of_mujoco(name):
    m = FieldPair(GEOMS[name], GEOMS["ball"]).mjmodel
    d, model = mujoco.MjData(m), phalanx.Model.from_mujoco(m)
    rng = np.random.default_rng(1)
    for scale in (0.05, 0.15, 0.5):
        for point in rng.normal(size=(60, 3)) * scale:
            value, gradient = mujoco_field(m, d, 0, point)
            ours = our_field(model, int(m.geom_type[0]), 0, point)
            assert abs(ours[0] - value) < 1e-15
            np.testing.assert_allclose(ours[1], gradient, atol=1e-13)


@pytest.mark.parametrize("name", ["ball", "box", "torus"])
def test_grid_of_the_kernel_is_that_of_the_class(name):
    model, sdf = grid_pair("sphere", name).model, grid(name)
    points = np.random.default_rng(2).normal(size=(100, 3)) * 0.2
    ours = [our_field(model, GRID, 1, p) for p in points]
    np.testing.assert_allclose([v for v, _ in ours], sdf.distance(points), rtol=0, atol=1e-15)
    np.testing.assert_allclose([g for _, g in ours], sdf.gradient(points), rtol=0, atol=1e-12)


# --- octrees


def compare(pair: FieldPair, poses: np.ndarray, tolerance: float) -> Iterator[tuple[np.ndarray, list, bool]]:
    """(pose, ours, same) of poses in contact, here or there. Contacts may be in another order."""
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        theirs = pair.mujoco(pose)
        assert are_sound(ours)
        if ours or theirs:
            ordered = (sorted(contacts, key=lambda c: c[0]) for contacts in (ours, theirs))
            yield pose, ours, same_contacts(*ordered, tolerance)


def count(pair: FieldPair, poses: np.ndarray, tolerance: float) -> tuple[int, int, int, int]:
    """(poses in contact, poses with another number of contacts, contacts, contacts that differ), in MuJoCo's order."""
    touching = other = contacts = different = 0
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        theirs = pair.mujoco(pose)
        touching += len(theirs) > 0
        if len(ours) != len(theirs):
            other += 1
            continue
        for a, b in zip(ours, theirs, strict=True):
            contacts += 1
            error = abs(a[0] - b[0]), np.abs(a[1] - b[1]).max(), np.abs(a[2] - b[2][:3]).max()
            different += not max(error) < tolerance
    return touching, other, contacts, different


def check_exact(name: str, n: int, seed: int) -> tuple[int, int]:
    """Contacts are MuJoCo's to rounding; returns (poses in which they are not, poses in contact)."""
    pair = FieldPair(GEOMS[name], GEOMS["torus"])
    touching, other, contacts, different = count(pair, pair.poses(n, seed, 0.7), 1e-9)
    assert touching > n / 4 and contacts >= touching
    assert other <= 2e-3 * touching and different <= 2e-3 * contacts  # corners of a triangle that tie
    found = [same for *_, same in compare(pair, pair.poses(n, seed, 0.7), 1e-9)]
    assert len(found) > n / 4
    return found.count(False), len(found)


def values_at(pair: FieldPair, point: np.ndarray) -> list[float]:
    """Both fields at a point, at the pose that was placed last."""
    local = [(point - pair.mjdata.geom_xpos[k]) @ pair.mjdata.geom_xmat[k].reshape(3, 3) for k in range(2)]
    return [our_field(pair.model, int(pair.model.geom_type[k]), k, local[k])[0] for k in range(2)]


def check_descent(name: str, second: str, n: int, seed: int) -> tuple[int, int]:
    """Every contact is where it says; returns (poses with other contacts than MuJoCo's, poses in contact)."""
    pair = FieldPair(GEOMS[name], GEOMS[second])
    found = list(compare(pair, pair.poses(n, seed, 0.5), 1e-6))
    assert len(found) > n / 4
    different = [(pose, ours) for pose, ours, same in found if not same]
    for pose, ours in different[:50]:
        pair.place(pose)
        for dist, pos, normal in ours[:3]:
            assert abs(max(values_at(pair, pos - 0.5 * dist * normal)) - dist) < 1e-9
    return len(different), len(found)


def check_size_of_gap(name: str, second: str, n: int, seed: int) -> None:
    """Of descents most contacts are MuJoCo's: the gap that is named below was measured, and does not grow."""
    pair = FieldPair(GEOMS[name], GEOMS[second], iterations=2)
    touching, other, contacts, different = count(pair, pair.poses(n, seed, 0.5), 1e-6)
    assert touching > n / 4 and contacts > 5 * touching
    assert other <= 0.15 * touching
    assert different <= 0.08 * contacts
    # ten iterations: as many contacts, and as deep
    pair = FieldPair(GEOMS[name], GEOMS[second])
    poses = pair.poses(n, seed, 0.5)
    other = off = 0
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        theirs = pair.mujoco(pose)
        other += len(ours) != len(theirs)
        if ours and theirs:
            deepest, known = min(c[0] for c in ours), min(c[0] for c in theirs)
            off += abs(deepest - known) > 0.1 * abs(known) + 2e-3
    assert other <= 0.25 * n
    assert off <= max(1, 0.02 * n)


@pytest.mark.parametrize("name", ["plane", "mesh"])
def test_octree_against_plane_and_mesh(name):
    assert check_exact(name, 60, 1)[0] == 0


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["plane", "mesh"])
def test_octree_against_plane_and_mesh_in_many_poses(name):
    different, poses = check_exact(name, 2000, 2)
    assert bool(different) == (name == "mesh")
    if different:
        pytest.xfail(f"GAP: two contacts of a triangle where MuJoCo has one, in {different} of {poses} poses")


DRIFTS = pytest.mark.xfail(strict=True, reason="GAP: a descent amplifies rounding, and other starts reach a contact")


@pytest.mark.parametrize("name", [name if name in SHORT else pytest.param(name, marks=DRIFTS) for name in DESCENT])
def test_a_short_descent_is_that_of_mujoco(name):
    pair = FieldPair(GEOMS[name], GEOMS["torus"], iterations=2)
    assert all(same for *_, same in compare(pair, pair.poses(40, 3, 0.5), 1e-6))


def name_gap(different: int, poses: int) -> None:
    assert different
    pytest.xfail(f"GAP: ten steps of a descent amplify rounding: contacts of {different} of {poses} poses are others")


@pytest.mark.parametrize("name", DESCENT)
def test_the_gap_of_descents_does_not_grow(name):
    check_size_of_gap(name, "torus", 40, 3)


@pytest.mark.conformance
@pytest.mark.parametrize("second", ["torus", "ball"])
@pytest.mark.parametrize("name", DESCENT)
def test_the_gap_of_descents_does_not_grow_in_many_poses(name, second):
    check_size_of_gap(name, second, 1000, 4)


@pytest.mark.parametrize("name", DESCENT)
def test_octree_by_descent(name):
    name_gap(*check_descent(name, "torus", 40, 3))


@pytest.mark.conformance
@pytest.mark.parametrize("second", ["torus", "ball"])
@pytest.mark.parametrize("name", DESCENT)
def test_octree_by_descent_in_many_poses(name, second):
    name_gap(*check_descent(name, second, 1000, 4))


def test_octree_on_a_height_field():
    """MuJoCo has no contacts here; ours are those with a plane."""
    pair = FieldPair(GEOMS["hfield"], GEOMS["ball"])
    rng = np.random.default_rng(6)
    poses = np.hstack([rng.uniform([-0.5, -0.4, 0.15], [0.5, 0.4, 0.25], (40, 3)), rng.normal(size=(40, 4))])
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        assert are_sound(ours)
        expected = pose[2] - 0.2  # lowest point of the ball, a polyhedron
        assert bool(ours) or expected > -0.01
        for dist, _, normal in ours:
            assert abs(dist - expected) < 0.01
            assert normal[2] > np.cos(np.radians(6))


# --- grids against the shapes they were sampled from

#: Pairs of a geom and a grid, and the largest angle between normals where there is one normal [degrees].
SMOOTH = [
    ("plane", "ball", 2), ("hfield", "ball", 2), ("sphere", "ball", 2), ("capsule", "ball", 2),
    ("ellipsoid", "ball", 2), ("cylinder", "ball", 6), ("box", "ball", 6), ("plane", "box", 4), ("hfield", "box", 4),
    ("sphere", "box", 10), ("ellipsoid", "box", 12),
]  # fmt: skip
EDGES = [("capsule", "box"), ("cylinder", "box"), ("box", "box"), ("mesh", "ball"), ("mesh", "box")]


def true_distance(pair: FieldPair, pose: np.ndarray) -> tuple[float, np.ndarray]:
    """Signed distance of the true shapes and the normal from the first to the second."""
    pair.place(pose)
    m, d = pair.mjmodel, pair.mjdata
    if m.geom_type[0] in (GeomType.PLANE, GeomType.HFIELD):
        size, mat = m.geom_size[1], d.geom_xmat[1].reshape(3, 3)
        reach = size[0] if m.geom_type[1] == GeomType.SPHERE else np.abs(mat[2]) @ size
        return float(pose[2] - reach), np.array([0.0, 0.0, 1.0])
    segment = np.zeros(6)
    distance = mujoco.mj_geomDistance(m, d, 0, 1, 10.0, segment)
    normal = (segment[3:] - segment[:3]) * np.sign(distance)
    return distance, normal / np.linalg.norm(normal)


def near_poses(pair: FieldPair, n: int, seed: int, deepest: float) -> np.ndarray:
    """Random poses whose true distance is between the depth given and the margin."""
    found: list[np.ndarray] = []
    for k in itertools.count(seed):
        poses = pair.poses(200, k, 0.9)
        if pair.mjmodel.geom_type[0] in (GeomType.PLANE, GeomType.HFIELD):
            poses[:, :2] *= 0.3
            poses[:, 2] = np.random.default_rng(k).uniform(0.05, 0.35, len(poses))
        found += [pose for pose in poses if deepest < true_distance(pair, pose)[0] < pair.margin]
        if len(found) >= n:
            return np.array(found[:n])


def check_grid(first: str, second: str, margin: float, n: int, seed: int, angle: float) -> None:
    pair = grid_pair(first, second, margin)
    poses = near_poses(pair, n, seed, -0.02)
    for pose, ours in zip(poses, pair.ours(poses), strict=True):
        distance, normal = true_distance(pair, pose)
        assert are_sound(ours)
        if not ours:
            assert distance > margin - CELL
            continue
        dist, pos, axis = min(ours, key=lambda c: c[0])
        if first == "capsule" and dist < distance - CELL:  # MuJoCo's distance of a deep capsule is too small
            local = (pos - pair.mjdata.geom_xpos[0]) @ pair.mjdata.geom_xmat[0].reshape(3, 3)
            assert np.linalg.norm(local - [0, 0, np.clip(local[2], -0.2, 0.2)]) - 0.1 < 0.5 * dist + CELL
            continue
        assert abs(dist - distance) < CELL
        assert np.degrees(np.arccos(np.clip(axis @ normal, -1.0, 1.0))) < angle
        # halfway between the surfaces: as far from the grid as half the distance
        local = (pos - pair.mjdata.geom_xpos[1]) @ pair.mjdata.geom_xmat[1].reshape(3, 3)
        assert abs(grid(second).distance(local) - 0.5 * dist) < CELL


@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize(("first", "second", "angle"), SMOOTH, ids=["-".join(p[:2]) for p in SMOOTH])
def test_grid_collides_as_the_shape(first, second, angle, margin):
    check_grid(first, second, margin, 25, 1, angle)


@pytest.mark.parametrize(("first", "second"), EDGES, ids=["-".join(p) for p in EDGES])
def test_grid_with_edges(first, second):
    """Where edges and faces tie the normal may be that of either."""
    check_grid(first, second, 0.0, 25, 1, 80.0)


@pytest.mark.conformance
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize(("first", "second", "angle"), SMOOTH, ids=["-".join(p[:2]) for p in SMOOTH])
def test_grid_collides_as_the_shape_in_many_poses(first, second, angle, margin):
    check_grid(first, second, margin, 400, 2, 1.5 * angle)


def test_ball_in_the_hole_of_a_torus():
    """A sphere that fits is free; a little larger, it touches all around; beside, at one place."""
    for radius, expected in ((0.16, 0), (0.175, 3)):
        pair = FieldPair(f'<geom type="sphere" size="{radius}"/>', GEOMS["sphere"], 0.0, {1: grid("torus")})
        (ours,) = pair.ours(np.array([[0.0, 0, 0, 1, 0, 0, 0]]))
        assert len(ours) >= expected and bool(ours) == bool(expected)
        for dist, pos, normal in ours:
            assert abs(dist - (0.17 - radius)) < 0.3 * CELL
            assert normal @ pos / np.linalg.norm(pos) > np.cos(np.radians(6))
    pair = FieldPair('<geom type="sphere" size=".05"/>', GEOMS["sphere"], 0.0, {1: grid("torus")})
    (ours,) = pair.ours(np.array([[-0.13, 0, 0, 1, 0, 0, 0]]))
    assert len(ours) == 1 and abs(ours[0][0] + 0.01) < 0.3 * CELL
    np.testing.assert_allclose(ours[0][2], [1, 0, 0], atol=0.05)


def test_two_grids_and_both_orders():
    """Two grids collide as sphere and sphere do; the normal points from the first to the second."""
    pair = FieldPair(GEOMS["sphere"], GEOMS["sphere"], 0.01, {0: grid("ball"), 1: grid("ball")})
    for direction in np.random.default_rng(7).normal(size=(10, 3)):
        direction /= np.linalg.norm(direction)
        for distance in (-0.1, -0.01, 0.0, 0.005):
            pose = np.hstack([direction * (0.3 + distance), 1, 0, 0, 0])
            (ours,) = pair.ours(pose[None])
            dist, pos, normal = min(ours, key=lambda c: c[0])
            assert abs(dist - distance) < 0.1 * CELL
            assert normal @ direction > np.cos(np.radians(2))
            np.testing.assert_allclose(pos, pose[:3] / 2, atol=CELL)


@pytest.mark.parametrize("first", [name for name in GEOMS if name != "ball"])
@pytest.mark.parametrize("second", ["ball", "box", "torus"])
def test_deep_and_touching(first, second):
    """Coincident centers, symmetric and touching poses: finite numbers, unit normals, and contact where it is deep."""
    pair = grid_pair(first, second)
    upright = (1.0, 0.0, 0.0, 0.0)
    places = [(0.0, 0.0, 0.0), (1e-12, 0.0, 0.0), (0.0, 0.0, 0.1), (0.25, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 0.3)]
    poses = np.array([[*place, *upright] for place in places])
    results = pair.ours(poses)
    assert all(are_sound(contacts) for contacts in results)
    assert results[0] or second == "torus" or first in ("mesh", "torus")


def test_face_on_face_has_contacts_all_over():
    """A box that lies on a plane touches it with its whole face."""
    pair = grid_pair("plane", "box")
    (ours,) = pair.ours(np.array([[0.0, 0.0, 0.198, 1, 0, 0, 0]]))
    points = np.array([pos for _, pos, _ in ours])
    assert len(ours) >= 8
    assert all(abs(dist + 0.002) < 1e-6 and normal[2] > 0.999 for dist, _, normal in ours)
    assert (points[:, :2].max(axis=0) > [0.05, 0.07]).all() and (points[:, :2].min(axis=0) < [-0.05, -0.07]).all()


# --- ways of running


@pytest.mark.parametrize("first", ["plane", "hfield", "sphere", "box", "mesh", "torus"])
@pytest.mark.parametrize("second", ["octree", "grid"])
def test_bits_are_the_same_in_every_way_of_running(first, second):
    pair = grid_pair(first, "torus", 0.01) if second == "grid" else FieldPair(GEOMS[first], GEOMS["torus"], 0.01)
    pair.mjmodel.opt.sdf_initpoints, pair.mjmodel.opt.sdf_iterations = 6, 4
    grids = {1: grid("torus")} if second == "grid" else {}
    pair.model = phalanx.Model.from_mujoco(pair.mjmodel).with_sdf(grids)
    poses = pair.poses(30, 8, 0.4)
    one = pair.ours(poses)
    assert all(same_bits(a, b) for a, b in zip(one, pair.ours(poses, width=8), strict=True))
    pair.run = pair.filed
    touching = [k for k, contacts in enumerate(one) if contacts][:2]
    assert len(touching) == 2
    assert all(same_bits(one[k], pair.interpreted(poses[k])) for k in touching)


def test_single_precision():
    """The search runs in double precision: only poses and results are rounded."""
    pair = grid_pair("sphere", "ball")
    poses = near_poses(pair, 30, 9, -0.05)
    for double, single in zip(pair.ours(poses), pair.ours(poses, "float32", 1), strict=True):
        assert abs(len(double) - len(single)) <= 1
        if double and single:
            assert abs(min(c[0] for c in double) - min(c[0] for c in single)) < 1e-4


# --- rays


@cache
def ray_entry() -> compiler.NativeEntry:
    """entry(model, data, rays, n, hits): ray k of geom 1 is origin and direction, hit k distance and normal."""

    def build():
        from phalanx.memory.view import view_at
        from phalanx.native.number import array_at

        number = NumberType("float64")
        model_at = view_at("model", number, constant=True)
        data_at = view_at("data", number, constant=False)
        rays_at = array_at("float64", (3,), "rays", True)
        hits_at = array_at("float64", (3,), "hits", False)

        def entry(m, d, rays, n, hits):
            for k in range(n):
                ray, hit = rays_at(rays), hits_at(hits)
                x, normal = ray_geom(model_at(m), data_at(d), 1, load3(ray, 2 * k), load3(ray, 2 * k + 1), -1.0)
                store3(hit, 2 * k, (x, 0.0, 0.0))
                store3(hit, 2 * k + 1, normal)
            return 0

        return entry

    return compiler.load(compiler.Entry(f"test_ray_sdf_{SOURCE}", build, 5))


def cast(
    pair: FieldPair, pose: np.ndarray, origins: np.ndarray, directions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    store = pair.store(NumberType("float64"))
    pair.place(pose)
    for name in ("geom_xpos", "geom_xmat"):
        store.arrays[name][...] = getattr(pair.mjdata, name)
    rays = np.ascontiguousarray(np.stack([origins, directions], 1))
    hits = np.zeros_like(rays)
    ray_entry()(pair.model._store.address, store.address, rays.ctypes.data, len(rays), hits.ctypes.data)
    return hits[:, 0, 0], hits[:, 1]


def some_rays(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    origins = rng.normal(size=(n, 3))
    origins *= rng.uniform(0.5, 2.0, (n, 1)) / np.linalg.norm(origins, axis=1, keepdims=True)
    return origins, (rng.uniform(-0.3, 0.3, (n, 3)) - origins) * rng.uniform(0.2, 3.0, (n, 1))


def test_rays_at_an_octree():
    """Ours end on the first surface, MuJoCo's too unless they step over it: its distance outside is too large."""
    pair = FieldPair(GEOMS["sphere"], GEOMS["torus"])
    pose = np.array([0.1, -0.2, 0.05, 0.5, 0.5, -0.5, 0.5])
    origins, directions = some_rays(200, 10)
    distances, normals = cast(pair, pose, origins, directions)
    hits = beyond = 0
    geomid, normal = np.zeros(1, np.int32), np.zeros(3)
    pos, mat = pair.mjdata.geom_xpos[1], pair.mjdata.geom_xmat[1].reshape(3, 3)

    def value(x: float) -> float:
        return our_field(pair.model, int(GeomType.SDF), 1, (origin + x * direction - pos) @ mat)[0]

    for x, n, origin, direction in zip(distances, normals, origins, directions, strict=True):
        theirs = mujoco.mj_ray(pair.mjmodel, pair.mjdata, origin, direction, None, 1, 1, geomid, normal)
        if x < 0:
            assert theirs < 0
            continue
        hits += 1
        assert abs(value(x)) < 1e-12
        if abs(x - theirs) < 1e-6:
            np.testing.assert_allclose(n, normal, atol=1e-3)
            continue
        beyond += 1
        assert theirs < 0 or theirs > x
        assert min(value(t) for t in np.linspace(0, 0.9999 * x, 200)) > 0
    assert hits > 70
    assert beyond < 0.5 * hits


def test_rays_at_a_grid():
    pair = grid_pair("box", "ball")
    pose = np.array([0.1, -0.2, 0.05, 1, 0, 0, 0])
    origins, directions = some_rays(300, 11)
    origins[::4] = pose[:3] + 0.1 * origins[::4] / np.linalg.norm(origins[::4], axis=1, keepdims=True)  # from inside
    distances, normals = cast(pair, pose, origins, directions)
    zero = np.zeros(3)
    for x, normal, origin, direction in zip(distances, normals, origins, directions, strict=True):
        expected = mujoco.mju_rayGeom(pose[:3], np.eye(3).ravel(), np.array([0.15, 0, 0]), origin, direction, 2, zero)
        offset = origin + direction * (-(origin - pose[:3]) @ direction / (direction @ direction)) - pose[:3]
        if abs(np.linalg.norm(offset) - 0.15) < 0.1 * CELL:  # grazing
            continue
        assert (x < 0) == (expected < 0)
        if x >= 0:
            point = origin + x * direction - pose[:3]
            assert abs(np.linalg.norm(point) - 0.15) < 0.1 * CELL
            assert normal @ point / np.linalg.norm(point) > np.cos(np.radians(2))


# --- the class


def test_distance_and_gradient():
    sdf = grid("torus")
    points = np.random.default_rng(12).uniform(-0.3, 0.3, (500, 3)) * [1, 1, 0.4]
    away = np.abs(torus_distance(points)) < 0.05  # far from the axis and the core, which are as far from everywhere
    np.testing.assert_allclose(sdf.distance(points)[away], torus_distance(points)[away], atol=0.1 * CELL)
    assert sdf.distance(points.reshape(50, 10, 3)).shape == (50, 10)
    assert sdf.gradient(points[0]).shape == (3,)
    assert np.linalg.norm(sdf.gradient(points)[away], axis=1).min() > 0.95


def test_beyond_the_grid_the_distance_goes_on():
    sdf = grid("ball")
    assert abs(sdf.distance([1.0, 0.0, 0.0]) - 0.85) < 1e-12
    far = np.array([[1.0, 1.0, 1.0], [-3.0, 0.5, 0.1]])
    assert (sdf.distance(far) >= ball_distance(far) - 1e-12).all()
    assert (sdf.gradient(far) * far).sum(1).min() > 0


def test_bad_grids_are_refused():
    good = grid("ball").values
    for arguments, words in (
        ((good[0], CELL), "3 axes"),
        ((good[:1], CELL), "at least 2 points"),
        ((np.where(good < -0.14, np.nan, good), CELL), "values[20, 20, 20] is not finite"),
        ((good, 0.0), "cell must be positive"),
        ((good, [0.1, 0.1]), "cell must be one number or three"),
        ((good, CELL, np.inf), "origin[0] is not finite"),
        ((np.abs(good) + 1, CELL), "no value is negative"),
        (("text", CELL), "values must be an array of numbers"),
    ):
        with pytest.raises(phalanx.ModelError) as error:
            SDF(*arguments)
        assert words in str(error.value)
    with pytest.raises(phalanx.ModelError, match="must give 27 distances"):
        SDF.from_function(lambda p: 0.0, (0, 0, 0), (1, 1, 1), 0.5)
    with pytest.raises(phalanx.ModelError, match="must be above lower"):
        SDF.from_function(ball_distance, (0, 0, 0), (1, 1, -1), 0.5)
    with pytest.raises(phalanx.ModelError, match="too large"):
        SDF.from_function(ball_distance, (0, 0, 0), (1, 1, 1), 1e-4)
    with pytest.raises(phalanx.ModelError, match="the last axis"):
        grid("ball").distance([0.0, 1.0])


def test_grids_are_values():
    sdf = grid("ball")
    copy = pickle.loads(pickle.dumps(sdf))
    assert np.array_equal(copy.values, sdf.values) and np.array_equal(copy.aabb, sdf.aabb)
    assert "41 x 41 x 41 points" in repr(sdf)
    with pytest.raises(ValueError, match="read-only"):
        sdf.values[0, 0, 0] = 1.0


# --- from meshes


def torus_mesh(n: int = 48, k: int = 24) -> tuple[np.ndarray, np.ndarray]:
    u, v = np.meshgrid(2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(k) / k, indexing="ij")
    ring = 0.25 + 0.08 * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), 0.08 * np.sin(v)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n), np.arange(k), indexing="ij")
    a, b = i * k + j, (i + 1) % n * k + j
    c, e = (i + 1) % n * k + (j + 1) % k, i * k + (j + 1) % k
    return vertices, np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, e))])


CUBE = np.array(list(itertools.product((-0.1, 0.1), repeat=3)))
CUBE_FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def test_torus_from_a_mesh():
    vertices, faces = torus_mesh()
    for triangles in (faces, faces[:, ::-1]):  # faces may look out or in
        sdf = SDF.from_mesh(vertices, triangles, cell=0.02)
        points = np.random.default_rng(13).uniform(-0.32, 0.32, (400, 3)) * [1, 1, 0.4]
        away = np.abs(torus_distance(points)) < 0.05
        np.testing.assert_allclose(sdf.distance(points)[away], torus_distance(points)[away], atol=0.006)


def test_cube_from_a_mesh_is_exact_at_the_points():
    sdf = SDF.from_mesh(CUBE, CUBE_FACES, cell=0.0125, margin=0.05)
    index = np.stack(np.meshgrid(*map(np.arange, sdf.values.shape), indexing="ij"), -1)
    q = np.abs(sdf.origin + index * sdf.cell) - 0.1
    expected = np.linalg.norm(np.maximum(q, 0.0), axis=-1) + np.minimum(q.max(-1), 0.0)
    np.testing.assert_allclose(sdf.values, expected, atol=1e-12)


def test_meshes_with_every_vertex_repeated_turned_faces_or_two_parts():
    soup = CUBE[CUBE_FACES].reshape(-1, 3)
    sdf = SDF.from_mesh(soup, np.arange(36).reshape(-1, 3), cell=0.02)
    turned = CUBE_FACES.copy()
    turned[3] = turned[3][::-1]
    assert np.array_equal(SDF.from_mesh(CUBE, turned, cell=0.02).values, sdf.values)
    two = SDF.from_mesh(np.vstack([CUBE, CUBE + [0.1, 0.03, 0.02]]), np.vstack([CUBE_FACES, CUBE_FACES + 8]), cell=0.02)
    assert two.distance([[-0.05, 0, 0], [0.05, 0.01, 0.01], [0.15, 0.03, 0.02]]).max() < 0
    assert two.distance([0.25, 0.0, 0.0]) > 0


def test_bad_meshes_are_refused():
    for vertices, faces, words in (
        (CUBE, CUBE_FACES[1:], "not watertight"),
        (CUBE, np.vstack([CUBE_FACES, [[0, 1, 6]]]), "not watertight"),
        (CUBE[:, :2], CUBE_FACES, "shape (n, 3)"),
        (CUBE, CUBE_FACES + 1, "there are 8"),
        (CUBE, CUBE_FACES * 1.0, "must be integers"),
        (np.where(CUBE > 0, np.nan, CUBE), CUBE_FACES, "is not finite"),
    ):
        with pytest.raises(phalanx.ModelError) as error:
            SDF.from_mesh(vertices, faces)
        assert words in str(error.value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("margin", [0.3, 1e308, float("inf")])
def test_a_grid_of_too_many_points_names_the_limit(margin):
    words = "most_points=10000" if margin == 0.3 else "too large; take larger cells, or less around"
    with pytest.raises(phalanx.ModelError, match=words):
        SDF.from_mesh(CUBE, CUBE_FACES, margin=margin, most_points=10_000)
    with pytest.raises(phalanx.ModelError, match="241 x 241 x 241 points is more than the limit most_points=1000000"):
        SDF.from_mesh(CUBE, CUBE_FACES, margin=0.4)
    with pytest.raises(phalanx.ModelError, match=r"cell is at most 1e\+10"):
        SDF.from_mesh(CUBE, CUBE_FACES, cell=1e300)


@pytest.mark.filterwarnings("error")
def test_points_and_vertices_beyond_numbers_are_refused():
    with pytest.raises(phalanx.ModelError, match=r"vertex 7 is not finite, or beyond 1e\+10"):
        SDF.from_mesh([*CUBE[:-1], [1e300, 0, 0]], CUBE_FACES)
    with pytest.raises(phalanx.ModelError, match=r"not finite or beyond 1e\+10"):
        grid("ball").distance([1e300, 0, 0])


# --- models with grids

BODIES = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="a"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/><geom name="extra" size=".01"/></body>
    <body name="b"><freejoint/><geom name="b" type="sphere" size=".1"/></body>
  </worldbody>
</mujoco>"""


def test_with_sdf():
    model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(BODIES))
    new = model.with_sdf({"a": grid("torus"), "b": grid("torus")}).with_sdf({"extra": grid("ball")})
    assert (new.ngrid, new.ngriddata) == (2, grid("torus").values.size + grid("ball").values.size)
    geom = new.geom("a")
    assert geom.type == GeomType.SDF and geom.dataid == model.nmesh
    np.testing.assert_array_equal(geom.aabb, grid("torus").aabb)
    assert new.geom("b").dataid == model.nmesh and new.geom("extra").dataid == model.nmesh + 1
    # the body's tree of boxes holds the new shape, its dynamics is the same
    root = int(new.body_bvhadr[1])
    assert new.bvh_aabb[root, 3] > model.bvh_aabb[root, 3]
    for name in ("body_mass", "body_inertia", "body_ipos", "body_invweight0"):
        assert np.array_equal(getattr(new, name), getattr(model, name))
    # pairs are in the order of the new types
    pairs = {(int(i), int(j)) for i, j in zip(new.candidate_geom1, new.candidate_geom2, strict=True)}
    assert pairs == {(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)}
    assert model.ngrid == 0 and model.geom("a").type == GeomType.BOX
    assert model.with_sdf({}) is model
    again = new.replace(geom_margin=0.01)
    np.testing.assert_array_equal(again.geom_aabb, new.geom_aabb)
    assert np.array_equal(pickle.loads(pickle.dumps(new)).grid_value, new.grid_value)


def test_models_with_grids_are_saved(tmp_path):
    model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(BODIES)).with_sdf({"a": grid("ball")})
    model.save(tmp_path / "model.npz")
    loaded = phalanx.Model.load(tmp_path / "model.npz")
    assert np.array_equal(loaded.grid_value, model.grid_value)
    assert loaded.geom("a").dataid == model.geom("a").dataid


def test_bad_shapes_are_refused():
    model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(BODIES))
    with pytest.raises(phalanx.UnknownNameError):
        model.with_sdf({"c": grid("ball")})
    with pytest.raises(phalanx.ModelError, match="geom 'a' must be an SDF, not ndarray"):
        model.with_sdf({"a": grid("ball").values})


def test_a_shapeless_sdf_is_announced():
    quiet = '<mujoco><option><flag contact="disable"/></option>'
    mjmodel = mujoco.MjModel.from_xml_string(BODIES.replace("<mujoco>", quiet))
    mjmodel.geom_type[1], mjmodel.geom_dataid[1] = GeomType.SDF, -1
    model = phalanx.Model.from_mujoco(mjmodel)
    with pytest.warns(phalanx.UnsupportedFeatureWarning, match="'a'.*without octree, grid or plugin"):
        check_model(model)
    pair = grid_pair("sphere", "ball")
    pair.mjmodel.geom_type[1], pair.mjmodel.geom_dataid[1] = GeomType.SDF, -1
    pair.model = phalanx.Model.from_mujoco(pair.mjmodel)
    assert pair.ours(np.array([[0.0, 0, 0, 1, 0, 0, 0]])) == [[]]
