"""Surfaces of meshes against convex geoms: brute force over all triangles, and MuJoCo where the mesh is convex."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3
from phalanx.algebra.number_type import NumberType
from phalanx.collision.pair.triangle_mesh import triangle_mesh_contacts, triangle_mesh_distance
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.mesh import Mesh
from phalanx.native import runtime as compiler
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.sizes import MAXCONPAIR
from tests.collision.harness import load_geom, one_world_geom

SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]

DOUBLE = NumberType("float64")
LANES = NumberType("float32", 8)

GEOMS = {
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".1 .3"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "cylinder": 'type="cylinder" size=".2 .1"',
    "box": 'type="box" size=".3 .1 .2"',
}


@kernel
def run(m, d, margin, distmax, world, out):
    """Distance with its points and normal, and contacts, of geoms 0 (the mesh) and 1 in one world of a lane."""
    mesh, geom = one_world_geom(load_geom(m, d, 0), world), one_world_geom(load_geom(m, d, 1), world)
    kind = m.geom_type[1]
    out[0] = triangle_mesh_distance(m, d, mesh, kind, geom, distmax)
    x1, x2, normal = load3(d.convex_x1, 0), load3(d.convex_x2, 0), load3(d.convex_normal, 0)
    for k in range(3):
        out[1 + k], out[4 + k], out[7 + k] = x1[k], x2[k], normal[k]
    return triangle_mesh_contacts(m, d, mesh, kind, geom, margin)


@cache
def native(number: NumberType) -> compiler.NativeEntry:
    def build():
        from phalanx.memory.view import view_at
        from phalanx.native.number import array_at

        model_at = view_at("model", number.one_world, constant=True)
        data_at = view_at("data", number, constant=False)
        numbers_at = array_at("float64", (), "numbers", False)
        counts_at = array_at("int64", (), "count", False)

        def entry(m, d, given, world, out, count):
            numbers = numbers_at(given)
            counts_at(count)[0] = run(model_at(m), data_at(d), numbers[0], numbers[1], world, numbers_at(out))
            return 0

        return entry

    return compiler.load(compiler.Entry(f"test_triangle_mesh_{number.name}_{SOURCE}", build, 6))


def result(d: Store, count: int, out: np.ndarray):
    """Contacts (dist, pos, normal), and (distance, point on the mesh, point on the geom, normal)."""
    rows = [d.arrays[f"world_{name}"][:count].copy() for name in ("dist", "pos", "normal")]
    return rows, (out[0], out[1:4], out[4:7], out[7:10])


class Surface:
    """A mesh and a geom, as MuJoCo compiles them."""

    def __init__(self, vertices: np.ndarray, faces: np.ndarray, geom: str, margin: float = 0.0):
        text = [" ".join(map(repr, array.ravel().tolist())) for array in (vertices.astype(float), faces)]
        self.mjmodel = mujoco.MjModel.from_xml_string(
            f"""<mujoco><asset><mesh name="m" vertex="{text[0]}" face="{text[1]}"/></asset><worldbody>
            <body mocap="true"><geom type="mesh" mesh="m"/></body><body><freejoint/><geom {geom}/></body>
            </worldbody></mujoco>"""
        )
        self.mjdata = mujoco.MjData(self.mjmodel)
        self.model = phalanx.Model.from_mujoco(self.mjmodel)
        self.margin = margin

    def store(self, number: NumberType) -> Store:
        known = self.__dict__.setdefault("_stores", {})
        if number not in known:
            known[number] = self._made_store(number)
        return known[number]

    def _made_store(self, number: NumberType) -> Store:
        sizes = {**self.model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}
        store = Store(DATA_SCHEMA, sizes, number)
        store.allocate_all()
        return store

    def place(self, pose: np.ndarray, number: NumberType = DOUBLE) -> Store:
        """Both geoms in every world of a lane."""
        self.mjdata.qpos[:] = pose
        mujoco.mj_kinematics(self.mjmodel, self.mjdata)
        store = self.store(number)
        for name in ("geom_xpos", "geom_xmat"):
            store.arrays[name].reshape(2, -1, number.worlds)[...] = getattr(self.mjdata, name)[..., None]
        return store

    def ours(self, pose: np.ndarray, distmax: float = 10.0, number: NumberType = DOUBLE):
        d = self.place(pose, number)
        given, out, count = np.array([self.margin, distmax]), np.zeros(10), np.zeros(1, np.int64)
        model = self.model.store_for(number.base)
        native(number)(
            model.address, d.address, given.ctypes.data, number.worlds - 1, out.ctypes.data, count.ctypes.data
        )
        return result(d, int(count[0]), out)

    def interpreted(self, pose: np.ndarray, distmax: float = 10.0):
        d, out = self.place(pose), np.zeros(10)
        with np.errstate(all="ignore"):
            numbers = np.float64(self.margin), np.float64(distmax)
            count = run(PlainView(self.model._store), PlainView(d), *numbers, 0, out)
        return result(d, int(count), out)

    def triangles(self) -> np.ndarray:
        """World corners of the triangles, (n, 3, 3)."""
        turn, pos = self.mjdata.geom_xmat[0].reshape(3, 3), self.mjdata.geom_xpos[0]
        return (self.mjmodel.mesh_vert.astype(float) @ turn.T + pos)[self.mjmodel.mesh_face]


def bumpy(seed: int = 0, count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """A closed surface that is not convex."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    faces = Mesh.from_arrays(points).faces
    return (points * rng.uniform(0.5, 1.2, (count, 1))).astype(np.float32), faces


def poses(count: int, reach: float, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    pos, quat = rng.normal(size=(count, 3)), rng.normal(size=(count, 4))
    pos *= reach * rng.uniform(0.4, 1, (count, 1)) / np.linalg.norm(pos, axis=1, keepdims=True)
    return np.hstack([pos, quat / np.linalg.norm(quat, axis=1, keepdims=True)])


def nearest_on_triangle(p: np.ndarray, triangle: np.ndarray) -> np.ndarray:
    """The point of a triangle nearest to p, the obvious way: inside, else the best point of an edge."""
    a, b, c = triangle
    normal = np.cross(b - a, c - a)
    foot = p - normal * ((p - a) @ normal) / (normal @ normal)
    if all(np.cross(t - s, foot - s) @ normal >= 0 for s, t in ((a, b), (b, c), (c, a))):
        return foot
    on_edges = [
        s + (t - s) * np.clip((p - s) @ (t - s) / ((t - s) @ (t - s)), 0, 1) for s, t in ((a, b), (b, c), (c, a))
    ]
    return min(on_edges, key=lambda x: float((x - p) @ (x - p)))


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_a_sphere_touches_each_near_triangle_where_it_is_nearest(margin):
    vertices, faces = bumpy()
    surface, radius = Surface(vertices, faces, GEOMS["sphere"], margin), 0.2
    touching = 0
    for pose in poses(60, 1.3):
        (dist, pos, normal), (distance, on_mesh, on_geom, direction) = surface.ours(pose)
        center = surface.mjdata.geom_xpos[1]
        nearest = np.array([nearest_on_triangle(center, triangle) for triangle in surface.triangles()])
        gaps = np.linalg.norm(nearest - center, axis=1)
        best = np.argmin(gaps)
        if gaps[best] < 1e-3:
            continue
        assert distance == pytest.approx(gaps[best] - radius, abs=1e-6)
        np.testing.assert_allclose(on_mesh, nearest[best], atol=1e-4)
        np.testing.assert_allclose(direction, (center - nearest[best]) / gaps[best], atol=1e-4)
        np.testing.assert_allclose(on_geom, on_mesh + direction * distance, atol=1e-6)
        # each triangle within reach has its contact, and contacts are different
        for gap, point in zip(gaps, nearest, strict=True):
            if gap - radius < margin - 1e-6 and gap > 1e-3:
                n = (center - point) / gap
                k = np.argmin(np.abs(pos - (point + n * (gap - radius) / 2)).max(axis=1))
                assert dist[k] == pytest.approx(gap - radius, abs=1e-6)
                np.testing.assert_allclose(normal[k], n, atol=1e-4)
                touching += 1
        assert len(np.unique(np.round(np.hstack([pos, normal]), 7), axis=0)) == len(dist)
        assert (dist <= margin).all()
    assert touching > 50


@pytest.mark.parametrize("name", GEOMS)
def test_distance_of_a_convex_mesh_is_mujocos(name):
    points = np.random.default_rng(1).normal(size=(30, 3)).astype(np.float32)
    surface = Surface(points, Mesh.from_arrays(points).faces, GEOMS[name])
    apart = 0
    for pose in poses(60, 4.5, seed=2):
        _, (distance, on_mesh, on_geom, normal) = surface.ours(pose)
        points_there = np.zeros(6)
        theirs = mujoco.mj_geomDistance(surface.mjmodel, surface.mjdata, 0, 1, 10.0, points_there)
        if theirs <= 1e-3:
            continue
        apart += 1
        assert distance == pytest.approx(theirs, abs=2e-6)
        np.testing.assert_allclose(on_geom - on_mesh, points_there[3:] - points_there[:3], atol=1e-3)
        np.testing.assert_allclose(np.linalg.norm(normal), 1, atol=1e-12)
        np.testing.assert_allclose(normal * distance, on_geom - on_mesh, atol=1e-6)
    assert apart > 20


@pytest.mark.parametrize("name", GEOMS)
def test_contacts_of_every_geom_are_sound(name):
    vertices, faces = bumpy(3)
    surface = Surface(vertices, faces, GEOMS[name], 0.02)
    count = 0
    for pose in poses(40, 1.2, seed=4):
        (dist, pos, normal), (distance, *_) = surface.ours(pose)
        assert np.isfinite(dist).all() and np.isfinite(pos).all()
        np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-9)
        assert len(dist) <= MAXCONPAIR
        # there is a contact exactly when the distance is within the margin; the deepest tells the distance
        if abs(distance - 0.02) > 1e-5:
            assert (len(dist) > 0) == (distance < 0.02)
        if len(dist):
            assert dist.min() == pytest.approx(distance, abs=1e-4)
        count += len(dist)
    assert count > 20


def test_interpreted_and_compiled_agree_to_the_last_bit():
    for name in ("box", "capsule"):
        surface = Surface(*bumpy(5, 12), GEOMS[name], 0.01)
        for pose in poses(4, 1.0, seed=6):
            a, b = surface.ours(pose), surface.interpreted(pose)
            for x, y in zip((*a[0], *a[1]), (*b[0], *b[1]), strict=True):
                np.testing.assert_array_equal(x, y)


def test_single_precision_in_lanes_agrees_as_far_as_it_can():
    surface = Surface(*bumpy(5, 12), GEOMS["ellipsoid"], 0.01)
    for pose in poses(10, 1.0, seed=6):
        (dist, _, normal), (distance, *_) = surface.ours(pose, number=LANES)
        (exact, *_), (exact_distance, *_) = surface.ours(pose)
        assert distance == pytest.approx(exact_distance, abs=1e-4)
        np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-6)
        if len(dist) and len(exact):
            assert dist.min() == pytest.approx(exact.min(), abs=1e-4)


def test_a_valley_has_contacts_on_both_sides():
    """A sphere in a groove, which the convex hull would fill."""
    x, y = np.array([-1.0, 0, 1]), np.array([-1.0, 1])
    top = np.array([[i, j, abs(i)] for j in y for i in x])
    bottom = top * [1, 1, 0] - [0, 0, 1]
    vertices = np.concatenate([top, bottom])
    quads = [(0, 1, 4, 3), (1, 2, 5, 4), (9, 10, 7, 6), (10, 11, 8, 7), (0, 3, 9, 6), (2, 8, 11, 5)]
    quads += [(0, 6, 7, 1), (1, 7, 8, 2), (3, 4, 10, 9), (4, 5, 11, 10)]
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    surface = Surface(vertices, faces, GEOMS["sphere"])
    surface.place(np.array([0, 0, 0, 1, 0, 0, 0.0]))
    groove = surface.triangles()[:2].mean(axis=(0, 1)) * [0, 0, 1] - [0, 0, 0.5]
    turn = surface.mjdata.geom_xmat[0].reshape(3, 3)
    assert np.abs(np.abs(turn) - np.abs(turn).round()).max() < 1e-6
    height = 0.2 * np.sqrt(2) - 0.01
    (dist, _, normal), (distance, *_) = surface.ours(np.hstack([groove + [0, 0, height], 1, 0, 0, 0]))
    assert distance == pytest.approx(0.01 * -np.sqrt(0.5), abs=1e-6)
    np.testing.assert_allclose(dist, distance, atol=1e-6)
    assert {tuple(np.round(n, 4)) for n in normal} >= {(0.7071, 0.0, 0.7071), (-0.7071, 0.0, 0.7071)}


def test_far_away_there_is_nothing():
    surface = Surface(*bumpy(), GEOMS["box"])
    (dist, *_), (distance, *_) = surface.ours(np.array([50.0, 0, 0, 1, 0, 0, 0]), distmax=3.0)
    assert len(dist) == 0
    assert distance == 3.0


def test_triangles_without_area_give_finite_numbers():
    vertices, faces = bumpy()
    faces = np.concatenate([faces, [[0, 0, 1], [2, 3, 2]]])
    for name in GEOMS:
        surface = Surface(vertices, faces, GEOMS[name], 0.05)
        for pose in poses(5, 1.2, seed=8):
            rows, distance = surface.ours(pose)
            assert all(np.isfinite(x).all() for x in (*rows, *distance))


def test_of_too_many_contacts_the_deepest_are_kept():
    """A large sphere sunk into a plate of many triangles."""
    n = 9
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), axis=-1).reshape(-1, 2) / (n - 1) - 0.5
    rng = np.random.default_rng(9)
    top = np.column_stack([grid, rng.uniform(0, 0.01, n * n)])
    vertices = np.concatenate([top, [[0, 0, -1]]])
    cells = [
        (i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1) for i in range(n - 1) for j in range(n - 1)
    ]
    faces = np.array([t for a, b, c, d in cells for t in ((a, b, c), (a, c, d))])
    ring = [i * n for i in range(n)] + [(n - 1) * n + j for j in range(1, n)]
    ring += [i * n + n - 1 for i in range(n - 2, -1, -1)] + list(range(n - 2, 0, -1))
    faces = np.concatenate([faces, [(ring[k], ring[k - 1], n * n) for k in range(len(ring))]])
    surface = Surface(vertices, faces, 'type="sphere" size="5"', 0.0)
    surface.place(np.array([0, 0, 0, 1, 0, 0, 0.0]))
    up = surface.triangles().reshape(-1, 3)
    (dist, *_), (distance, *_) = surface.ours(np.hstack([[0, 0, 4.95 + up[:, 2].max()], 1, 0, 0, 0]))
    assert len(dist) == MAXCONPAIR
    assert dist.min() == pytest.approx(distance, abs=1e-5)
